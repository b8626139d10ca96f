//! What there is to reach in a level, and how far a body is from it.

use super::*;
use hangtime_core::geometry::grid::Bounds;

/// What a goal is, in the order of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GoalKind {
    /// A zone, reached by a body whose center is in it.
    Zone,
    /// An entity, reached by a body that touches it.
    Entity,
    /// A solid with a side to stand on, reached by a body that stands on it.
    Solid,
    /// Another level, reached when a script plays it.
    Level,
}

impl GoalKind {
    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zone => "zone",
            Self::Entity => "entity",
            Self::Solid => "solid",
            Self::Level => "level",
        }
    }
}

/// Something to reach.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReachGoal {
    /// What it is.
    pub kind: GoalKind,
    /// Its name.
    pub name: Arc<str>,
}

/// A goal and where it is.
pub struct GoalShape {
    pub goal: ReachGoal,
    place: GoalPlace,
}

enum GoalPlace {
    Zone(u16, Vec<DVec2>),
    Entity(EntityId),
    /// The index of a solid, and its lines on which bodies can stand.
    Solid(u32, Vec<[DVec2; 2]>),
    /// The index of a solid in a top view: bodies stand on its top.
    Top(u32),
    Level,
}

/// The least upward part of the normal of ground, for models that do not say what they stand on.
const STEEPEST: f64 = 0.7;

/// All goals of a level for an entity, sorted. Of goals with the same name and kind the first one counts.
pub fn goals_of(stage: &Stage, world: &World, entity: &Entity) -> Vec<GoalShape> {
    let up = world.body(entity).up();
    let query = stage.profiles[world.profile_of(entity)].loadouts.rest_query(entity.model, up);
    let terrain = &world.level(stage).terrain;
    let mut lines: BTreeMap<u32, Vec<[DVec2; 2]>> = BTreeMap::new();
    let walkable = |normal: DVec2| match query {
        Some(query) => query.rule.walkable(normal),
        None => normal.y * up >= STEEPEST,
    };
    let top = stage.level.view == View::Top;
    for edge in terrain.edges() {
        if !top && walkable(edge.face.normal) {
            lines.entry(edge.solid).or_default().push([edge.face.start, edge.end]);
        }
    }
    let shape = |kind, name: &Arc<str>, place| GoalShape { goal: ReachGoal { kind, name: name.clone() }, place };
    let zones = (0..)
        .zip(stage.level.zones.list())
        .map(|(index, zone)| shape(GoalKind::Zone, &zone.name, GoalPlace::Zone(index, zone.points.clone())));
    let others = world.entities().iter().filter(|other| other.id != entity.id);
    let entities = others.map(|other| shape(GoalKind::Entity, &other.name, GoalPlace::Entity(other.id)));
    let solids = lines.into_iter().map(|(index, lines)| {
        let name = &terrain.solids()[index as usize].name;
        shape(GoalKind::Solid, name, GoalPlace::Solid(index, lines))
    });
    let tops = (0..).zip(terrain.solids()).filter(|(_, solid)| top && solid.top.is_finite());
    let tops = tops.map(|(index, solid)| shape(GoalKind::Solid, &solid.name, GoalPlace::Top(index)));
    let mut goals: Vec<GoalShape> = zones.chain(entities).chain(solids).chain(tops).collect();
    goals.sort_by(|a, b| a.goal.cmp(&b.goal));
    goals.dedup_by(|a, b| a.goal == b.goal);
    goals
}

impl GoalShape {
    /// A level that a script plays.
    pub fn of_level(name: &str) -> Self {
        Self { goal: ReachGoal { kind: GoalKind::Level, name: name.into() }, place: GoalPlace::Level }
    }

    /// Where it is in a world, px; `None` for a level, and for an entity that is gone.
    pub fn place(&self, stage: &Stage, world: &World) -> Option<DVec2> {
        let solids = world.level(stage).terrain.solids();
        let middle = |points: &[DVec2]| {
            let bounds = Bounds::around(points);
            bounds.min.midpoint(bounds.max)
        };
        Some(match &self.place {
            GoalPlace::Zone(_, outline) => middle(outline),
            GoalPlace::Entity(id) => world.body(entity_of(world, *id)?).pos,
            GoalPlace::Solid(_, lines) => {
                let longest = lines.iter().max_by(|a, b| a[0].distance(a[1]).total_cmp(&b[0].distance(b[1])))?;
                longest[0].midpoint(longest[1])
            }
            GoalPlace::Top(index) => middle(&solids.get(*index as usize)?.points),
            GoalPlace::Level => return None,
        })
    }

    /// How far a body is from it at the end of a tick, px: 0 if it has reached it. Not more than `most` is looked for.
    pub fn distance(&self, stage: &Stage, world: &World, entity: &Entity, most: f64) -> Option<f64> {
        let body = world.body(entity);
        let distance = match &self.place {
            GoalPlace::Zone(index, outline) => {
                let mut inside = false;
                stage.level.zones.visit(body.pos, |zone| inside |= zone == *index);
                if inside && !world.changes().zones_off.holds((*index).into()) {
                    return Some(0.0);
                }
                from_outline(body.pos, outline).max(LEAST_MISS)
            }
            GoalPlace::Entity(id) => {
                let other = entity_of(world, *id)?;
                let pair = (entity.id.min(*id), entity.id.max(*id));
                if world.touching_pairs().any(|touching| touching == pair) {
                    return Some(0.0);
                }
                let [a, b] = [entity, other].map(|one| half_of(stage, world, one));
                let gap = ((world.body(other).pos - body.pos).abs() - a - b).max(DVec2::ZERO).length();
                // Where the boxes around bodies meet, the bodies are near each other; without touches, that counts.
                if stage.touches { gap.max(LEAST_MISS) } else { gap }
            }
            GoalPlace::Solid(index, lines) => {
                if solid_under(stage, world, body).is_some_and(|solid| solid.name == self.goal.name) {
                    return Some(0.0);
                }
                let terrain = &world.level(stage).terrain;
                let path = terrain.solids()[*index as usize].path.as_ref();
                let moved = path.map(|path| world.changes().offset(*index, path, world.seconds(stage)));
                let feet =
                    body.pos - DVec2::new(0.0, half_of(stage, world, entity).y * body.up()) - moved.unwrap_or_default();
                let distance = lines.iter().map(|line| from_line(feet, *line)).fold(f64::INFINITY, f64::min);
                distance.max(LEAST_MISS)
            }
            GoalPlace::Top(index) => {
                if solid_under(stage, world, body).is_some_and(|solid| solid.name == self.goal.name) {
                    return Some(0.0);
                }
                let solid = &world.level(stage).terrain.solids()[*index as usize];
                let path = solid.path.as_ref();
                let moved = path.map(|path| world.changes().offset(*index, path, world.seconds(stage)));
                let at = body.pos - moved.unwrap_or_default();
                let aside = if solid.contains(at) { 0.0 } else { from_outline(at, &solid.points) };
                DVec2::new(aside, (solid.top - body.z).max(0.0)).length().max(LEAST_MISS)
            }
            GoalPlace::Level => return None,
        };
        (distance < most).then_some(distance)
    }
}

/// The least distance of a body that has not reached a goal, px.
const LEAST_MISS: f64 = 0.001;

/// Half the size of an entity's collider, px.
fn half_of(stage: &Stage, world: &World, entity: &Entity) -> DVec2 {
    stage.profiles[world.profile_of(entity)].loadouts.shape(entity.model).half
}

/// The entity with this id.
pub fn entity_of(world: &World, id: EntityId) -> Option<&Entity> {
    let all = world.entities();
    all.binary_search_by_key(&id, |entity| entity.id).ok().map(|index| &all[index])
}

/// The solid that a body stands on.
pub fn solid_under<'w>(stage: &'w Stage, world: &'w World, body: &Body) -> Option<&'w Solid> {
    let terrain = &world.level(stage).terrain;
    if let Some(floor) = body.floor {
        return terrain.solids().get(floor.solid? as usize);
    }
    let feature = body.ground?.feature;
    feature.body().is_none().then(|| terrain.solid_of(feature))
}

/// The distance from a point to the sides of an outline, px.
fn from_outline(point: DVec2, outline: &[DVec2]) -> f64 {
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    sides.map(|(a, b)| from_line(point, [*a, *b])).fold(f64::INFINITY, f64::min)
}

/// The distance from a point to a line between two points, px.
fn from_line(point: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let along = b - a;
    let length = along.length_squared();
    let share = if length > 0.0 {
        ((point - a).dot(along) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    point.distance(a + along * share)
}
