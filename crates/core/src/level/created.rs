//! The level as scripts have changed it: without the solids that they have removed and the tiles that they have broken, and
//! with those that they have created.
//!
//! It follows from the level of the file and from [`LevelChanges`], whatever happened before. Solids that scripts have
//! created come behind those of the file, and what is left of broken tiles behind these. A solid that is gone keeps its
//! place, so indices of solids and numbers of platforms stay the same.

use super::*;

/// The largest number of solids that scripts can have created at a time.
pub const MOST_CREATED: usize = 1_000;

/// The largest number of points of each.
pub const MOST_CREATED_POINTS: usize = 64;

/// A solid that a script has created.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CreatedSolid {
    /// Its name, which no other solid has.
    pub name: Arc<str>,
    /// Its surface.
    pub surface: SurfaceId,
    /// Its outline or its one-way line, px, as [`Solid::points`].
    pub points: Vec<DVec2>,
    /// Whether it is a one-way line.
    #[serde(default)]
    pub one_way: bool,
    /// Height of its top in a top view, px, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<f64>,
    /// The speed at which scripts can move it, px/s, if they can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Whether a script has removed it in this tick.
    #[serde(default)]
    pub removed: bool,
}

impl CreatedSolid {
    /// The solid that it is.
    fn solid(&self) -> Solid {
        let mut solid = Solid {
            one_way: self.one_way,
            top: self.top.unwrap_or(f64::INFINITY),
            path: self.speed.map(|speed| Path::new(Vec::new(), speed, PathEnd::Free)),
            present: Some(true),
            ..Solid::new(self.name.clone(), self.surface, self.points.clone())
        };
        solid.prepare();
        solid
    }
}

/// The level as scripts have changed it, and the part of its changes from which its ground follows.
#[derive(Clone, Debug, Default)]
pub struct BuiltLevel(pub(super) Option<(Arc<Level>, GroundChanges)>);

/// What decides about ground: the solids of the file that are gone, the broken tiles, and, because the rest of those comes
/// behind them, how many places for created solids there are.
type GroundChanges = (Vec<u32>, Vec<BrokenTile>, usize);

impl BuiltLevel {
    /// Whether both are the same level, or none. What it was built from is the same then, too.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let [one, two] = [self, other].map(|built| built.0.as_ref().map(|(level, _)| Arc::as_ptr(level)));
        one == two
    }
}

impl PartialEq for BuiltLevel {
    /// It follows from the other changes.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl LevelChanges {
    /// The level as scripts have changed it; `base` is the level of the file, or already that level.
    #[inline]
    pub fn level<'a>(&'a self, base: &'a Arc<Level>) -> &'a Arc<Level> {
        let of_file = || base.own_solids == base.terrain.solids.len();
        self.built.0.as_ref().filter(|_| of_file()).map_or(base, |(level, _)| level)
    }

    /// The same for a level that is already as these make it.
    pub fn of_built(&self) -> Self {
        Self { created: Vec::new(), broken: Vec::new(), built: BuiltLevel::default(), ..self.clone() }
    }

    /// The created solid with this index in a level whose file has `own` solids.
    pub fn created_at(&self, own: usize, index: u32) -> Option<&CreatedSolid> {
        self.created.get((index as usize).checked_sub(own)?)?.as_ref()
    }

    /// The number of solids that scripts have created, and not removed.
    pub fn created_count(&self) -> usize {
        self.created.iter().flatten().filter(|created| !created.removed).count()
    }

    /// The solids of the file that are gone because scripts have removed them.
    fn gone(&self, base: &Level) -> Vec<u32> {
        let own = &base.terrain.solids[..base.own_solids];
        let is_ground = |index: &u32| own.get(*index as usize).is_some_and(|solid| !solid.is_apart());
        self.absent.iter().filter(is_ground).collect()
    }

    /// Builds the level as these changes make it. Returns whether its ground differs from before.
    pub fn build(&mut self, base: &Arc<Level>) -> bool {
        let gone = self.gone(base);
        let places = if self.broken.is_empty() { 0 } else { self.created.len() };
        let ground: GroundChanges = (gone, self.broken.clone(), places);
        let before = self.built.0.take();
        let none = GroundChanges::default();
        let (was, known) = before.as_ref().map_or((base, &none), |(level, known)| (level, known));
        let same = ground == *known;
        if self.created.is_empty() && ground == none {
            return !same;
        }
        let mut solids = base.terrain.solids.to_vec();
        for index in &ground.0 {
            let solid = &mut solids[*index as usize];
            *solid = solid.clone().without_outline();
        }
        let nothing = || {
            let nothing = Solid::new("".into(), SurfaceId(0), Vec::new());
            Solid { present: Some(true), ..nothing.without_outline() }
        };
        solids.extend(
            self.created
                .iter()
                .map(|created| created.as_ref().map_or_else(nothing, CreatedSolid::solid)),
        );
        let first = solids.len();
        base.cut(&self.broken, &mut solids);
        solids[first..].iter_mut().for_each(Solid::prepare);
        let solids: Arc<[Solid]> = solids.into();
        let terrain = if same {
            was.terrain.with_platforms(&solids)
        } else {
            Terrain::like(&base.terrain, &solids)
        };
        let heights = match base.view {
            View::Side => Heights::default(),
            View::Top => Heights::new(&solids),
        };
        self.built = BuiltLevel(Some((Arc::new(base.with_terrain(terrain, heights)), ground)));
        self.call_free(base);
        !same
    }

    /// Lets created solids that scripts can move rest where they are, and forgets those that are gone.
    fn call_free(&mut self, base: &Level) {
        let own = base.own_solids;
        let is_free = |created: &[Option<CreatedSolid>], index: u32| {
            let place = (index as usize).checked_sub(own);
            place.is_none_or(|place| matches!(created.get(place), Some(Some(created)) if created.speed.is_some()))
        };
        let Self { called, created, .. } = self;
        called.retain(|called| is_free(created, called.solid));
        for (place, _) in created.iter().enumerate() {
            let index = (own + place) as u32;
            if is_free(created, index)
                && let Err(at) = called.binary_search_by_key(&index, |called| called.solid)
            {
                called.insert(at, CalledPlatform::at_start(index));
            }
        }
    }
}

/// Directions that differ by less than this are the same.
const SAME_WAY: f64 = 1e-9;

impl Terrain {
    /// The feature of this terrain that is the same as one of another terrain of the level; `place` is near where it is
    /// touched. `None` if it is gone or another one now.
    pub(crate) fn feature_like(&self, other: &Self, feature: Feature, place: DVec2) -> Option<Feature> {
        let edge = other.edge_of(feature);
        if let Some(platform) = edge.platform {
            let [was, now] = [other, self].map(|terrain| &terrain.platforms[usize::from(platform)]);
            let same = other.solids[was.solid as usize].points == self.solids[now.solid as usize].points;
            return same.then(|| feature.with_edge(now.edges.start + feature.edge() - was.edges.start));
        }
        if Arc::ptr_eq(&self.touchables, &other.touchables) {
            // The same ground.
            return Some(feature);
        }
        let Face { start, along, length, .. } = edge.face;
        let place = match feature {
            Feature::Face(_) => start + along * along.dot(place - start).clamp(0.0, length),
            Feature::Corner(_) => edge.end,
        };
        let area = Bounds::of(place, place).grown(DVec2::splat(TOUCH));
        let alike = |a: &Edge, b: &Edge| {
            a.side == b.side && a.surface == b.surface && a.face.along.distance(b.face.along) < SAME_WAY
        };
        let mut found = None;
        self.grid.visit(&area, |near| {
            let it = self.edge(near.index);
            let offset = place - it.face.start;
            let same = match feature {
                Feature::Face(_) => {
                    let on_line = offset.dot(it.face.normal).abs() <= TOUCH;
                    on_line && (-TOUCH..=it.face.length + TOUCH).contains(&offset.dot(it.face.along))
                }
                Feature::Corner(_) => {
                    it.end == place && it.bend == Bend::Out && alike(self.edge(it.after), other.edge(edge.after))
                }
            };
            if same && alike(it, edge) && found.is_none_or(|found| near.index < found) {
                found = Some(near.index);
            }
        });
        found.map(|index| feature.with_edge(index))
    }
}
