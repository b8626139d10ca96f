//! Bodies that others stand on and run into. In a tick, each body is the box around it: two platforms behind those of the
//! level, one with all sides of the box and one with its top alone.

use super::*;
use crate::geometry::{TOUCH_SHARE, apart::colliders};

/// Which sides of a body are solid for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carries {
    /// None: others pass through it.
    #[default]
    Nothing,
    /// Its top, from above only, like a one-way platform. It has none in a top view.
    Top,
    /// All of them.
    All,
}

/// A body as others meet it.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyBlock {
    /// The id of its entity.
    pub id: u32,
    /// Its center, px.
    pub pos: DVec2,
    /// Its collider. Others meet the box around it.
    pub shape: Collider,
    /// The direction against its gravity along y, 1 or −1.
    pub up: f64,
    /// Which of its sides are solid.
    pub carries: Carries,
    /// Whether it pushes bodies that push it: their sides are not solid for each other.
    pub pushes: bool,
    /// Whether it consists of pieces. It then neither carries nor is it in the way.
    pub rigid: bool,
    /// One that carries pushes lighter ones that do not, and the others stop it.
    pub mass: f64,
    /// The body on which it stands, or to which it clings.
    pub carrier: Option<u16>,
    /// Whether it stands there, so that it is not in the way of what carries it.
    pub stands: bool,
    /// The normal with which its round side leans on a corner of that; 0 if it does not.
    pub leans: DVec2,
    /// What the lowest body under it stands on: a platform of the level, or else the first platform of that body itself.
    pub root: u16,
    /// How far it has moved in this tick, px; until it has, how far what it stands on has.
    pub step: DVec2,
    /// Whether it has moved in this tick.
    pub played: bool,
}

/// The bodies that one of them may meet.
#[derive(Clone, Copy, Debug)]
pub struct Others<'a> {
    /// All of them.
    pub bodies: &'a Bodies,
    /// The index of the one; [`Bodies::NO_BODY`] meets none.
    pub slot: u16,
    /// What it does now.
    pub part: TurnPart,
    /// Whether it is known to overlap nothing where the list has it.
    pub free: bool,
}

/// The parts of the turn in which a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnPart {
    /// Platforms and other bodies carry it: it lifts what is above it, and does not run into what will be carried with it.
    Carried,
    /// It moves by itself, and runs into all others.
    Moves,
    /// It has moved: it must not be in the way of others that have, and what has not will be carried with it.
    Ended,
}

/// All bodies of a world in one tick. Empty if none carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bodies {
    /// In the order of their names.
    pub list: Vec<BodyBlock>,
    /// The index of each in `list`, sorted by id.
    slots: Vec<(u32, u16)>,
    /// The number of the first body's first platform.
    first: u16,
    /// Whether the level is seen from the side.
    side: bool,
    /// Where each body was when it was sorted, column by column.
    places: Vec<BodyPlace>,
    /// Where each column begins in `places`, and where the last one ends.
    columns: Vec<u32>,
    /// The width of a column, px: at least that of the widest body.
    width: f64,
    /// The left end of the first column, px.
    left: f64,
    /// How far a body may be from its place, with its half-widths, px.
    reach: DVec2,
}

/// A body's column, its y and its index.
type BodyPlace = (u32, f64, u16);

/// The platforms of a body.
const PLATFORMS: u16 = 2;

/// The edges of a body's platforms: four of its box, and its top line from both sides.
const EDGES: u32 = 6;

/// There are at most this many columns for each body.
const MOST_COLUMNS: f64 = 4.0;

/// The narrowest column, px.
const LEAST_COLUMN: f64 = 1.0;

impl BodyBlock {
    /// Whether the boxes around both bodies lie apart or touch.
    fn is_apart_from(&self, other: &Self) -> bool {
        let slack = 0.5 * TOUCH_SHARE * self.shape.half;
        ((other.pos - self.pos).abs() + slack).cmpge(self.shape.half + other.shape.half).any()
    }
}

impl<'a> Others<'a> {
    /// Whether they are what the body of this entity meets.
    #[inline]
    pub fn are_of(&self, id: u32) -> bool {
        self.bodies.list.get(self.slot as usize).is_some_and(|body| body.id == id)
    }

    /// The same for the body of this entity.
    pub fn of(self, id: u32) -> Self {
        Self { slot: self.bodies.slot_of(id).unwrap_or(Bodies::NO_BODY), free: false, ..self }
    }

    /// Whether the body is known to overlap nothing at this place.
    pub fn is_free(&self, at: DVec2) -> bool {
        self.free && self.bodies.list[self.slot as usize].pos == at
    }

    /// Which of two entities stands on the other, or on what that carries.
    pub fn upper_of(&self, ids: [u32; 2]) -> Option<usize> {
        let [a, b] = ids.map(|id| self.bodies.slot_of(id));
        let (a, b) = (a?, b?);
        [(a, b), (b, a)].iter().position(|(above, below)| self.bodies.rides_on(*above, *below))
    }

    /// Whether a platform moves the one body out of its way or along: all of the level do, and of the others what it rests on
    /// and what has got into it.
    pub(super) fn are_pushed_by(&self, platform: u16) -> bool {
        let bodies = self.bodies;
        let (Some((slot, _)), Some(me)) = (bodies.body_of(platform), bodies.list.get(self.slot as usize)) else {
            return true;
        };
        let it = &bodies.list[slot as usize];
        let overlaps = || colliders(me.shape, me.pos, it.shape, it.pos).is_some();
        me.carrier == Some(slot) || !me.is_apart_from(it) && overlaps()
    }

    /// Whether a platform is one of a body that is not in the way. Only worlds with carriers ask, so it stays out of the loops
    /// over platforms.
    #[inline(never)]
    pub(super) fn hides(&self, platform: u16) -> bool {
        self.bodies
            .body_of(platform)
            .is_some_and(|(slot, line)| !self.bodies.sees(self, slot, line))
    }
}

impl Bodies {
    /// The index of no body.
    pub const NO_BODY: u16 = u16::MAX;

    /// How many bodies fit behind the platforms of a level.
    pub fn most(platforms: usize) -> usize {
        (usize::from(u16::MAX) - platforms) / usize::from(PLATFORMS)
    }

    /// Sorts the bodies by their places.
    pub fn sort(&mut self, first: usize, view: View) {
        (self.first, self.side) = (first as u16, view == View::Side);
        self.reach = self.list.iter().fold(DVec2::ZERO, |most, body| most.max(body.shape.half));
        let ends = |ends: [f64; 2], body: &BodyBlock| [ends[0].min(body.pos.x), ends[1].max(body.pos.x)];
        let [left, right] = self.list.iter().fold([f64::INFINITY, f64::NEG_INFINITY], ends);
        let least = (right - left) / (MOST_COLUMNS * self.list.len() as f64);
        (self.left, self.width) = (left, (2.0 * self.reach.x).max(LEAST_COLUMN).max(least));
        let same = |(id, slot): &(u32, u16)| self.list.get(*slot as usize).is_some_and(|body| body.id == *id);
        if self.slots.len() != self.list.len() || !self.slots.iter().all(same) {
            self.slots.clear();
            self.slots.extend((0..).zip(&self.list).map(|(slot, body)| (body.id, slot)));
            self.slots.sort_unstable();
        }
        // Bodies move little from tick to tick, so that the places of the last one are nearly sorted.
        if self.places.len() != self.list.len() {
            self.places.clear();
            self.places.extend((0..self.list.len() as u16).map(|slot| (0, 0.0, slot)));
        }
        for place in 0..self.places.len() {
            let slot = self.places[place].2;
            let pos = self.list[slot as usize].pos;
            self.places[place] = (self.column(pos.x), pos.y, slot);
        }
        let by_place = |a: &BodyPlace, b: &BodyPlace| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2));
        self.places.sort_unstable_by(by_place);
        self.columns.clear();
        for (place, (column, ..)) in (0..).zip(&self.places) {
            self.columns.resize(self.columns.len().max(*column as usize + 1), place);
        }
        self.columns.push(self.places.len() as u32);
    }

    /// The column at this x. Far to the left of all it is the first.
    fn column(&self, x: f64) -> u32 {
        ((x - self.left) / self.width) as u32
    }

    /// The index of a body.
    pub fn slot_of(&self, id: u32) -> Option<u16> {
        let place = self.slots.binary_search_by_key(&id, |(id, _)| *id);
        place.ok().map(|place| self.slots[place].1)
    }

    /// The platforms of a body.
    pub fn platforms_of(&self, slot: u16) -> [u16; 2] {
        let first = self.first + slot * PLATFORMS;
        [first, first + 1]
    }

    /// The body to which a platform belongs, and whether it is the line of its top.
    pub fn body_of(&self, platform: u16) -> Option<(u16, bool)> {
        let place = platform.checked_sub(self.first).filter(|_| !self.list.is_empty())?;
        Some((place / PLATFORMS, place % PLATFORMS == 1))
    }

    /// Whether a platform is the box around a body.
    pub fn is_box(&self, platform: u16) -> bool {
        self.body_of(platform).is_some_and(|(_, line)| !line)
    }

    /// The collider of a body around which a platform is the box, if that is round: what is only in the box does not overlap it.
    pub(super) fn round_shape(&self, platform: u16) -> Option<Collider> {
        let (slot, line) = self.body_of(platform)?;
        Some(self.list[slot as usize].shape).filter(|shape| shape.form != ColliderForm::Box && !line)
    }

    /// Whether the boxes around a body and around all others lie apart or touch. Then none overlaps it, whichever it meets.
    pub fn is_apart(&self, slot: u16) -> bool {
        let me = &self.list[slot as usize];
        let mut apart = true;
        self.visit(&Bounds::of(me.pos, me.pos).grown(me.shape.half), |platform| {
            if let Some((other, false)) = self.body_of(platform)
                && other != slot
            {
                apart &= me.is_apart_from(&self.list[other as usize]);
            }
        });
        apart
    }

    /// Takes note of how far what is under a body has moved, px.
    pub fn expect(&mut self, slot: u16, transit: &Transit) -> DVec2 {
        let BodyBlock { carrier, root, .. } = self.list[slot as usize];
        let under = carrier.map_or(root, |carrier| self.platforms_of(carrier)[0]);
        let step = transit.steps[usize::from(under)];
        self.list[slot as usize].step = step;
        step
    }

    /// Moves a body to where it is now, after this displacement in the tick, px.
    pub fn shift(&mut self, slot: u16, to: DVec2, step: DVec2) {
        let body = &mut self.list[slot as usize];
        self.reach = self.reach.max(body.shape.half + step.abs());
        (body.pos, body.step, body.played) = (to, step, true);
    }

    fn sees(&self, viewer: &Others, slot: u16, line: bool) -> bool {
        let (Some(me), Some(it)) = (self.list.get(viewer.slot as usize), self.list.get(slot as usize)) else {
            return false;
        };
        if slot == viewer.slot || me.rigid || it.rigid {
            return false;
        }
        let stops = me.carries == Carries::All && (it.carries != Carries::Nothing || it.mass >= me.mass);
        let solid = !(me.pushes && it.pushes) && (it.carries == Carries::All || stops);
        let meets = if line {
            !solid && it.carries != Carries::Nothing && it.up == me.up && self.side
        } else {
            solid
        };
        let gives_way = || match viewer.part {
            TurnPart::Carried => self.gives_way(viewer, slot),
            TurnPart::Moves => false,
            TurnPart::Ended => !it.played && self.gives_way(viewer, slot),
        };
        meets && !self.rides_on(slot, viewer.slot) && !gives_way()
    }

    /// Whether a body stands on another one, or on what that carries.
    pub fn rides_on(&self, slot: u16, carrier: u16) -> bool {
        let under = |slot: &u16| {
            let body = &self.list[*slot as usize];
            body.carrier.filter(|_| body.stands)
        };
        std::iter::successors(under(&slot), under).any(|under| under == carrier)
    }

    /// Whether one body makes way for another that is carried: it is lifted, or the same carries both as far.
    fn gives_way(&self, viewer: &Others, slot: u16) -> bool {
        let [me, it] = [viewer.slot, slot].map(|slot| &self.list[slot as usize]);
        let alike = |step: DVec2| me.step.distance_squared(step) < TOUCH * TOUCH;
        if !it.played {
            return self.is_above(me, it) || me.root == it.root && self.under(slot).is_none_or(alike);
        }
        // A platform of the level may turn within a tick, which both steps together do not tell.
        let follows = it.step != DVec2::ZERO && alike(it.step) && me.root < self.first;
        follows && me.root == it.root && !self.rides_on(viewer.slot, slot)
    }

    /// Whether one body lifts another one when it moves up to it.
    fn is_above(&self, me: &BodyBlock, it: &BodyBlock) -> bool {
        self.side && (it.pos.y - me.pos.y) * me.up >= it.shape.half.y + me.shape.half.y - 2.0 * TOUCH
    }

    /// How far the uppermost body has moved of those under one that have moved in this tick, px; `None` if none has.
    fn under(&self, slot: u16) -> Option<DVec2> {
        let under = |slot: &u16| self.list[*slot as usize].carrier;
        let mut below = std::iter::successors(under(&slot), under).map(|under| &self.list[under as usize]);
        below.find(|body| body.played).map(|body| body.step)
    }

    /// A body that is in the way of one that is carried by its step, and that the same carries. It is one of those that `waits`.
    pub fn ahead_of(&self, slot: u16, waits: impl Fn(u16) -> bool) -> Option<u16> {
        let me = &self.list[slot as usize];
        let area = Bounds::of(me.pos, me.pos + me.step).grown(me.shape.half);
        let mut found = None;
        self.visit(&area, |platform| {
            let Some((other, false)) = self.body_of(platform) else { return };
            let it = &self.list[other as usize];
            let (way, reach) = (it.pos - me.pos, it.shape.half + me.shape.half);
            let apart = way.abs().cmpge(reach - 2.0 * TOUCH);
            let nears = (way * me.step).cmpgt(DVec2::ZERO) & (way.abs() - me.step.abs()).cmplt(reach);
            let ahead = (!apart | nears).all() && !self.is_above(me, it);
            if found.is_none() && other != slot && it.root == me.root && ahead && waits(other) {
                found = Some(other);
            }
        });
        found
    }

    /// Calls `visit` with the platforms of bodies that may be in `area` now or were there as the tick began.
    #[inline]
    pub fn visit(&self, area: &Bounds, mut visit: impl FnMut(u16)) {
        if self.places.is_empty() {
            return;
        }
        let (min, max) = (area.min - self.reach, area.max + self.reach);
        let last = self.columns.len() - 2;
        let [from, to] = [min.x, max.x].map(|x| (self.column(x) as usize).min(last));
        for column in self.columns[from..=to + 1].windows(2) {
            let places = &self.places[column[0] as usize..column[1] as usize];
            let begin = places.partition_point(|place| place.1 < min.y);
            for (.., slot) in places[begin..].iter().take_while(|place| place.1 <= max.y) {
                let body = &self.list[*slot as usize];
                let reach = body.shape.half + body.step.abs() + DVec2::ONE;
                if Bounds::of(body.pos, body.pos).grown(reach).meets(area) {
                    self.platforms_of(*slot).into_iter().for_each(&mut visit);
                }
            }
        }
    }

    /// Calls `visit` with the bodies that stand on a body or cling to it.
    pub fn visit_riders(&self, slot: u16, mut visit: impl FnMut(u16)) {
        let body = &self.list[slot as usize];
        let area = Bounds::of(body.pos, body.pos).grown(body.shape.half + DVec2::ONE);
        self.visit(&area, |platform| {
            if let Some((number, false)) = self.body_of(platform)
                && self.list[number as usize].carrier == Some(slot)
            {
                visit(number);
            }
        });
    }
}

impl Level {
    /// Adds the platforms of bodies, each with its name, its half-widths and the direction of its top along y, in place of all
    /// that were added before. `base` is the level without any.
    pub fn set_bodies(&mut self, base: &Self, bodies: &[(Arc<str>, DVec2, f64)]) {
        let mut solids = base.terrain.solids.to_vec();
        for (name, DVec2 { x, y }, up) in bodies {
            solids.push(Solid::rectangle(name, base.plain, (-x, -y), (*x, *y)));
            let top = [(*x, y * up), (-x, y * up)].map(DVec2::from);
            solids.push(Solid::one_way(name.clone(), base.plain, top.into()));
        }
        let solids = solids.into();
        // Bodies with corners meet no bodies.
        self.terrain.blocks.get_or_init(|| base.terrain.blocks().clone());
        self.terrain.set_bodies(&base.terrain, &solids);
        self.heights.set_bodies(&base.heights, &solids);
    }
}

impl Terrain {
    /// Adds the solids behind those of `base` as platforms of bodies, in place of all that were added before.
    pub(super) fn set_bodies(&mut self, base: &Self, solids: &Arc<[Solid]>) {
        self.solids = Arc::clone(solids);
        self.edges.truncate(base.edges.len());
        self.platforms.truncate(base.platforms.len());
        self.spans.truncate(base.spans.len());
        self.plain = false;
        let indices = base.solids.len() as u32..;
        for (index, solid) in indices.zip(&solids[base.solids.len()..]) {
            let (first, number) = (self.edges.len() as u32, self.platforms.len() as u16);
            if solid.one_way {
                terrain::add_line(&mut self.edges, solids, index);
            } else {
                add_outline(&mut self.edges, solid, index);
            }
            self.edges[first as usize..].iter_mut().for_each(|edge| edge.platform = Some(number));
            let edges = first..self.edges.len() as u32;
            self.spans
                .extend(edges.clone().map(|edge| EdgeSpan::of_one(&self.edges[edge as usize], edge)));
            let (path, bounds) = (Path::default(), solid.bounds);
            self.platforms
                .push(Platform { solid: index, edges, grid: None, path, rotation: None, bounds });
        }
        let surface = solids.last().map(|solid| solid.surface);
        let used = |known: &&mut (SurfaceId, Bounds)| Some(known.0) == surface;
        let anywhere = Bounds { min: DVec2::splat(f64::MIN), max: DVec2::splat(f64::MAX) };
        match (self.used_surfaces.iter_mut().find(used), surface) {
            (Some(known), _) => known.1 = anywhere,
            (None, Some(surface)) => self.used_surfaces.push((surface, anywhere)),
            _ => {}
        }
    }

    /// A feature as it is known between two ticks: for that of one of the bodies behind the edges of `base`, by the id of its
    /// entity.
    pub fn named_feature(&self, base: &Self, feature: Feature, bodies: &Bodies) -> Feature {
        let Some(place) = feature.edge().checked_sub(base.edges.len() as u32) else {
            return feature;
        };
        feature.with_edge(Feature::OF_BODY | (bodies.list[(place / EDGES) as usize].id << 3) | (place % EDGES))
    }

    /// The feature in this tick that [`named_feature`](Self::named_feature) has named; `None` if its body does not exist.
    pub fn feature_named(&self, base: &Self, feature: Feature, bodies: &Bodies) -> Option<Feature> {
        let Some(id) = feature.body() else { return Some(feature) };
        let slot = bodies.slot_of(id)?;
        let place = u32::from(slot) * EDGES + (feature.edge() & 7) % EDGES;
        Some(feature.with_edge(base.edges.len() as u32 + place))
    }
}

/// Adds the outline of a convex solid.
fn add_outline(edges: &mut Vec<Edge>, solid: &Solid, index: u32) {
    let (first, count) = (edges.len() as u32, solid.points.len() as u32);
    edges.extend((0..count).map(|i| {
        let end = solid.points[((i + 1) % count) as usize];
        Edge {
            face: Face::new(solid.points[i as usize], end),
            end,
            solid: index,
            before: first + (i + count - 1) % count,
            after: first + (i + 1) % count,
            bend: Bend::Out,
            tip: false,
            side: Side::Solid,
            surface: solid.surface,
            platform: None,
        }
    }));
}

impl Feature {
    /// Marks a feature of a body between two ticks. Then follow the id of its entity and, in three bits, which of its edges it
    /// is.
    const OF_BODY: u32 = 1 << 31;

    /// Entities have ids below this if others can stand on them.
    pub const MOST_BODIES: u32 = 1 << 28;

    /// The id of the entity to whose body it belongs, between two ticks.
    pub const fn body(self) -> Option<u32> {
        match self.edge() {
            edge if edge & Self::OF_BODY != 0 => Some((edge & !Self::OF_BODY) >> 3),
            _ => None,
        }
    }

    pub(super) const fn with_edge(self, edge: u32) -> Self {
        match self {
            Self::Face(_) => Self::Face(edge),
            Self::Corner(_) => Self::Corner(edge),
        }
    }
}
