//! Motion along the ground that keeps its length over bends.

use super::{rounding::Rounding, *};

/// Where a walk ended.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// The center at the end, px.
    pub pos: DVec2,
    /// The ground it stands on there, or the last it stood on if the ground ended.
    pub contact: Contact,
    /// Whether it is still standing.
    pub standing: bool,
    /// The hit that blocked the walk, if any.
    pub blocked: Option<Hit>,
    /// The motion left after the ground ended or the walk was blocked, px.
    pub rest: DVec2,
}

/// Maximum number of ground pieces in one walk. Each is a straight run, part of a corner, or a drop
/// onto lower ground; at any reasonable speed a tick takes one to three. Distance left after this
/// many is dropped.
const MOST_PIECES: usize = 128;

/// Halvings in the search for the place where a body leaves a corner.
const HALVINGS: u32 = 24;

/// Longest step around a corner before probing for the ground again, in half-widths. The path around a corner is as
/// long as the chords of its steps: too short by about a thousandth.
const CORNER_STEP: f64 = 0.1;

/// How often a step around a corner that has led too far is shortened.
const MOST_SHORTENED: u32 = 4;

/// A box that gets onto a step walks at least this far on it, px.
const LIFTED: f64 = 4.0 * TOUCH;

/// A walk with less than this left is over, px.
const NOTHING: f64 = 1e-9;

/// Walks `shape`, standing at `from` on `contact`, by `distance` px along the ground (positive
/// toward +x).
///
/// The walk follows joined edges: kinks and crests do not shorten it. It stops at slopes that are
/// too steep and ends where the ground drops by more than the adherence.
#[inline]
pub fn walk(
    scenery: &Scenery,
    shape: Collider,
    from: DVec2,
    contact: Contact,
    distance: f64,
    rule: &GroundRule,
) -> Walk {
    walk_into((scenery, shape, rule), from, contact, distance, None)
}

/// The same, for a walk whose first piece is known to end with this hit.
#[inline(never)]
fn walk_into(
    (scenery, shape, rule): (&Scenery, Collider, &GroundRule),
    from: DVec2,
    contact: Contact,
    distance: f64,
    mut hit: Option<Hit>,
) -> Walk {
    let side = if distance < 0.0 { -1.0 } else { 1.0 };
    let walker = Walker { scenery, shape, rule, side };
    let mut state = Walk { pos: from, contact, standing: true, blocked: None, rest: DVec2::ZERO };
    let mut left = distance.abs();
    for _ in 0..MOST_PIECES {
        if left <= 0.0 || !state.standing || state.blocked.is_some() {
            break;
        }
        left -= walker.pass_piece(&mut state, left, hit.take());
    }
    if !state.standing || state.blocked.is_some() {
        state.rest = state.contact.heading(side) * left;
    }
    state
}

/// The place where [`walk`] ends if it is known without a look around that the body stays on the face on which it stands and
/// that nothing is in its way, as usual.
#[inline(always)]
pub fn walk_clear(
    terrain: &Terrain,
    shape: Collider,
    from: DVec2,
    contact: &Contact,
    (tangent, distance): (DVec2, f64),
) -> Option<DVec2> {
    if distance == 0.0 {
        return Some(from);
    }
    let Feature::Face(face) = contact.feature else { return None };
    if contact.touch != contact.normal {
        return None;
    }
    let to = from + tangent * distance;
    let reach = terrain.clear(shape)?.walks_clear(face, [from, to])?;
    Some(DVec2::new(to.x, terrain.edge(face).face.resting_height(reach, to.x)))
}

/// The place where [`walk`] ends if the body stays on the face on which it stands and nothing is in its way, as usual, which
/// takes little time to find out; otherwise the walk.
#[inline]
pub fn walk_on(
    scenery: &Scenery,
    shape: Collider,
    from: DVec2,
    contact: &Contact,
    distance: f64,
    rule: &GroundRule,
) -> Result<DVec2, Walk> {
    let walk = |first| Err(walk_into((scenery, shape, rule), from, *contact, distance, first));
    let face = match contact.feature {
        Feature::Face(index) if !contact.is_wedged() => Some(index),
        _ => None,
    };
    let room = face.and_then(|index| Some((index, scenery.terrain.touchable(shape)?.room_on(index, from)?)));
    let Some((index, FaceRoom { reach, ahead, behind })) = room else {
        return walk(None);
    };
    let (side, left) = (if distance < 0.0 { -1.0 } else { 1.0 }, distance.abs());
    let forward = side * rule.up < 0.0;
    if left <= 0.0 || left + TOUCH >= if forward { ahead } else { behind } {
        return walk(None);
    }
    let step = contact.heading(side) * left;
    let hit = scenery.sweep(shape, from, step);
    if hit.is_some() {
        return walk(hit);
    }
    let to = from + step;
    Ok(DVec2::new(to.x, scenery.edge(index).face.resting_height(reach, to.x)))
}

/// The constants of one walk.
struct Walker<'a> {
    scenery: &'a Scenery<'a>,
    shape: Collider,
    rule: &'a GroundRule,
    side: f64,
}

/// What is under the body at the end of a straight run.
enum Under {
    /// A face, and how far the body reaches toward it, px.
    Face(u32, f64),
    Corner(u32),
    /// Unknown until probed.
    Unknown,
}

impl Walker<'_> {
    /// Walks over one piece of ground, at most `left` px; returns the distance used. The hit that ends it may be known.
    fn pass_piece(&self, state: &mut Walk, left: f64, known: Option<Hit>) -> f64 {
        let contact = state.contact;
        if let Feature::Corner(edge) = contact.feature
            && let Some(length) = self.pass_corner(state, 0.0, edge, left)
        {
            return length;
        }
        let brink = self.to_brink(state.pos, &contact);
        if brink.is_some_and(|ahead| ahead <= TOUCH) && !self.is_low(state.pos) {
            state.standing = false;
            return 0.0;
        }
        let (length, under) = self.straight_run(state.pos, &contact, left);
        if let (Under::Corner(edge), None) = (&under, known)
            && self.scenery.edge(*edge).bend == Bend::Out
            && let Some(length) = self.pass_corner(state, length, *edge, left)
        {
            return length;
        }
        let step = contact.heading(self.side) * length;
        let sweep = || self.scenery.sweep_along(self.shape, contact.feature, state.pos, step);
        let Some(hit) = known.or_else(sweep) else {
            let from = *state;
            state.pos += step;
            self.stay_down(state, under);
            if !matches!(contact.feature, Feature::Corner(_)) {
                return length;
            }
            if !state.standing {
                let share = self.borne(from.pos, step);
                state.pos = from.pos + step * share;
                return length * share;
            }
            // From a ledge it walks straight ahead.
            let leaves = matches!(state.contact.feature, Feature::Corner(_)) && !state.contact.rounds(self.side);
            return if contact.rounds(self.side) && !leaves {
                self.round(state, &from, length, left)
            } else {
                length
            };
        };
        let length = length * hit.time;
        let from = state.pos;
        state.pos += step * hit.time;
        let next = Contact::of(self.scenery, &hit, self.rule);
        if let Some(next) = next.or_else(|| self.up_a_step(state.pos, &hit)) {
            self.stand_on(state, next);
        } else if let Some((pos, next)) = self.lift_onto_step(state.pos, &hit, left - length) {
            (state.pos, state.contact) = (pos, next);
        } else {
            if !contact.is_wedged() {
                let (_, under) = self.straight_run(from, &contact, length);
                self.stay_down(state, under);
            }
            state.blocked = Some(hit);
        }
        length
    }

    /// Walks to the corner at the end of an edge, which is `run` px ahead, around it and on along the face behind it, by `left`
    /// px or up to the end of that; returns the distance used. `None` if the body does not come to ground there, or not to
    /// the corner alone, or if something is in the way.
    fn pass_corner(&self, state: &mut Walk, run: f64, edge: u32, left: f64) -> Option<f64> {
        let (scenery, shape) = (self.scenery, self.shape);
        // What follows falling ground hardly at all may fly off there, which short steps find out.
        let follows = self.rule.follows() > CORNER_STEP * CORNER_STEP * shape.half.max_element();
        if !(shape.is_round() && follows && state.contact.rounds(self.side)) {
            return None;
        }
        let turn = -self.side * self.rule.up;
        let next = if turn > 0.0 { scenery.edge(edge).after } else { edge };
        let Face { along, normal, length: most, .. } = scenery.face(next);
        if !self.rule.walkable(normal) {
            return None;
        }
        let at = state.pos + state.contact.heading(self.side) * run;
        let way = Rounding::to(shape.half, scenery.end(edge), at, normal, turn)?;
        let whole = way.length(way.whole());
        let rest = left - run - whole.max(0.0);
        let place = if rest >= 0.0 { way.whole() } else { way.place_after(left - run, whole) };
        let onto = |ahead: f64| way.at(place) + along * (turn * ahead);
        // The way begins and ends along the tangents: with what is before and behind it, two straight lines lead around it.
        let bend = if whole > 0.0 { way.bend(place) } else { at };
        let clear = |on: Feature, from: DVec2, to: DVec2| scenery.sweep_along(shape, on, from, to - from).is_none();
        let farthest = Some(rest.clamp(0.0, most)).filter(|_| clear(state.contact.feature, state.pos, bend))?;
        let behind = Feature::Face(next);
        let ahead = [farthest, 0.0].into_iter().find(|ahead| clear(behind, bend, onto(*ahead)))?;
        state.pos = onto(ahead);
        if rest < 0.0 {
            state.contact = Contact::at_corner(scenery, edge, way.normal(place), self.rule);
            return Some(left);
        }
        self.stand_on(state, Contact { feature: Feature::Face(next), normal, touch: normal });
        Some(if ahead < rest { left - rest + ahead } else { left })
    }

    /// Shortens a step around a corner so that it leads no farther than `left` px. It leaves the corner straight and
    /// then goes down to it. Returns how far it leads.
    #[cold]
    fn round(&self, state: &mut Walk, from: &Walk, length: f64, left: f64) -> f64 {
        let heading = from.contact.heading(self.side);
        if state.pos.distance(from.pos) > 2.0 * length || self.steps_down(&from.contact, &state.contact) {
            // It has come down onto other ground.
            return length;
        }
        let mut length = length;
        self.rest_on_corner(state);
        for _ in 0..MOST_SHORTENED {
            let walked = state.pos.distance(from.pos);
            if walked <= left {
                break;
            }
            length *= left / walked;
            *state = Walk { pos: from.pos + heading * length, ..*from };
            self.stay_down(state, Under::Unknown);
            self.rest_on_corner(state);
        }
        let walked = state.pos.distance(from.pos);
        if left - walked < NOTHING { left } else { walked }
    }

    /// Puts a body on a corner at its exact height over it: a probe leaves what it touches already.
    fn rest_on_corner(&self, state: &mut Walk) {
        if let Feature::Corner(edge) = state.contact.feature {
            let corner = self.scenery.face(edge).end();
            state.pos.y = corner.y + self.shape.height_at(state.pos.x - corner.x) * self.rule.up;
        }
    }

    /// Whether a box that left a corner has come down a step, onto a face that does not begin there. How deep the step is
    /// does not shorten its walk.
    fn steps_down(&self, from: &Contact, to: &Contact) -> bool {
        match (from.feature, to.feature) {
            (Feature::Corner(corner), Feature::Face(face)) => {
                let adjacent = face == corner || face == self.scenery.edge(corner).after;
                self.shape.form == ColliderForm::Box && !adjacent
            }
            _ => false,
        }
    }

    /// The share of a step off a corner for which that is within the adherence below the body.
    #[cold]
    fn borne(&self, from: DVec2, step: DVec2) -> f64 {
        let reach = self.rule.follows() + TOUCH;
        let (mut borne, mut off) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (borne + off);
            match self.scenery.probe(self.shape, from + step * middle, reach) {
                Some(_) => borne = middle,
                None => off = middle,
            }
        }
        off
    }

    /// How far the ground at `contact` runs straight ahead, at most `left` px, and what is under
    /// the body there.
    fn straight_run(&self, pos: DVec2, contact: &Contact, left: f64) -> (f64, Under) {
        let face = match contact.feature {
            Feature::Face(index) if !contact.is_wedged() => Some(index),
            _ => None,
        };
        let Some(mut index) = face else {
            let step = CORNER_STEP * self.shape.half.min_element();
            let longest = if contact.rounds(self.side) || contact.is_wedged() {
                step.max(self.flat_run(pos, contact))
            } else {
                self.to_brink(pos, contact).filter(|ahead| *ahead > TOUCH).unwrap_or(left)
            };
            return (left.min(longest), Under::Unknown);
        };
        // Outlines run counterclockwise, so edges point toward −x along a floor, +x along a ceiling.
        let forward = self.side * self.rule.up < 0.0;
        let face = self.scenery.face(index);
        let mut reach = self.shape.reach(face.normal);
        let foot = pos - self.shape.farthest(face.normal);
        // The ground bears a box until the end of its bottom.
        let spread = self.shape.spread(face.normal);
        let place = face.along.dot(foot - face.start);
        let mut ahead = if forward { face.length - place } else { place };
        while left > ahead {
            let edge = self.scenery.edge(index);
            let corner = if forward { index } else { edge.before };
            if self.scenery.edge(corner).bend != Bend::Straight {
                if left <= ahead + spread {
                    break;
                }
                let ahead = (ahead + spread).max(0.0);
                if ahead <= TOUCH && self.scenery.edge(corner).bend == Bend::In && !self.shape.is_round() {
                    // Its corner is at the foot of a steeper slope, which begins in front of it and not under it.
                    return (left, Under::Unknown);
                }
                return (ahead, Under::Corner(corner));
            }
            index = if forward { edge.after } else { edge.before };
            let face = self.scenery.face(index);
            ahead += face.length;
            reach = self.shape.reach(face.normal);
        }
        (left, Under::Face(index, reach))
    }

    /// How far a body with a level bottom slides over the corner on which it stands, px.
    fn flat_run(&self, pos: DVec2, contact: &Contact) -> f64 {
        match contact.feature {
            Feature::Corner(edge) if !self.shape.is_round() && contact.touch.x == 0.0 => {
                (self.scenery.face(edge).end().x - pos.x) * self.side + self.shape.spread(contact.touch)
            }
            _ => 0.0,
        }
    }

    /// Keeps the body on the ground after a straight step.
    fn stay_down(&self, state: &mut Walk, under: Under) {
        match under {
            Under::Face(index, reach) => {
                state.contact.feature = Feature::Face(index);
                state.pos.y = self.scenery.face(index).resting_height(reach, state.pos.x);
            }
            Under::Corner(edge) if self.scenery.edge(edge).bend == Bend::Out => {
                let touch = state.contact.touch;
                state.contact = Contact::at_corner(self.scenery, edge, touch, self.rule);
            }
            _ => self.settle_below(state),
        }
    }

    /// Moves the body straight down onto walkable ground within the adherence, or lets it leave the
    /// ground.
    fn settle_below(&self, state: &mut Walk) {
        let reach = self.rule.follows() + TOUCH;
        let Some(hit) = self.scenery.probe(self.shape, state.pos, reach) else {
            state.standing = false;
            return;
        };
        let contact = Contact::of(self.scenery, &hit, self.rule)
            .or_else(|| self.over_a_step(state.pos, &hit))
            // It still leans on the steep side of the corner of a step that it climbs.
            .or_else(|| self.up_a_step(state.pos, &hit).filter(|_| !self.rule.walkable(state.contact.touch)));
        match contact {
            Some(contact) => {
                state.pos.y -= reach * hit.time * self.rule.up;
                self.stand_on(state, contact);
            }
            None => state.standing = false,
        }
    }

    /// The contact of a body on its way down a step: it leans on the steep side of a corner, with
    /// walkable ground within the adherence straight below its center.
    fn over_a_step(&self, pos: DVec2, hit: &Hit) -> Option<Contact> {
        let Feature::Corner(edge) = hit.feature else {
            return None;
        };
        (hit.normal.y * self.rule.up > 0.0 && self.is_low(pos))
            .then(|| Contact::at_corner(self.scenery, edge, hit.normal, self.rule))
    }

    /// Whether walkable ground lies within the adherence straight below the center of a body.
    fn is_low(&self, pos: DVec2) -> bool {
        let down = DVec2::new(0.0, -self.shape.half.y - self.rule.follows()) * self.rule.up;
        self.scenery.cast(pos, down).is_some_and(|ground| self.rule.walkable(ground.normal))
    }

    /// The contact of a body that has walked against the corner of a climbable step.
    fn up_a_step(&self, pos: DVec2, hit: &Hit) -> Option<Contact> {
        onto_a_step(self.scenery, self.shape, pos, hit, self.side, self.rule)
    }

    /// Where a box stands that has walked against a climbable step with at least this far left to walk, px, and its
    /// contact there. A round body gets onto the corner of a step as it is; a box is lifted.
    fn lift_onto_step(&self, pos: DVec2, hit: &Hit, left: f64) -> Option<(DVec2, Contact)> {
        let (scenery, shape, up) = (self.scenery, self.shape, self.rule.up);
        let ahead = DVec2::new(self.side * LIFTED, 0.0);
        if shape.form != ColliderForm::Box || self.rule.step <= 0.0 || left <= LIFTED || hit.normal.dot(ahead) >= 0.0 {
            return None;
        }
        let forward = self.side * up < 0.0;
        let mut corner = hit.feature.edge();
        if let Feature::Face(index) = hit.feature {
            corner = if forward { index } else { scenery.edge(index).before };
            for _ in 0..MOST_PIECES {
                let edge = scenery.edge(corner);
                if edge.bend != Bend::Straight {
                    break;
                }
                corner = if forward { edge.after } else { edge.before };
            }
        }
        let edge = scenery.edge(corner);
        let onto = if forward { edge.after } else { corner };
        let to = DVec2::new(pos.x, scenery.face(corner).end().y + shape.half.y * up);
        let height = (to.y - pos.y) * up;
        let low = edge.bend == Bend::Out && height > 0.0 && height <= self.rule.step + TOUCH;
        if !low || !self.rule.walkable(scenery.face(onto).normal) || scenery.sweep(shape, pos, to - pos).is_some() {
            return None;
        }
        let blocked = scenery.sweep(shape, to, ahead).is_some_and(|hit| !self.rule.walkable(hit.normal));
        let touch = DVec2::new(0.0, up);
        (!blocked).then(|| (to, Contact::at_corner(scenery, corner, touch, self.rule)))
    }

    /// How far a body on the corner of a ledge goes until that no longer bears it, px; `None` if it stands elsewhere.
    fn to_brink(&self, pos: DVec2, contact: &Contact) -> Option<f64> {
        let Feature::Corner(edge) = contact.feature else {
            return None;
        };
        if contact.rounds(self.side) || !self.rule.walkable(contact.touch) {
            return None;
        }
        let brink = self.scenery.face(edge).end().x + self.side * self.follows_to(contact);
        Some((brink - pos.x) * self.side / contact.heading(self.side).x.abs() - TOUCH)
    }

    /// How far past the corner of a ledge a body follows that down, px: as long as it bears the body, and no farther
    /// down from the line of the ledge than walking bodies follow.
    fn follows_to(&self, contact: &Contact) -> f64 {
        let most = self.rule.brink(self.shape).x;
        let normal = DVec2::new(contact.normal.x * self.side, contact.normal.y * self.rule.up);
        let from = self.shape.farthest(normal);
        let drop = |x: f64| {
            let line = from.y - (x - from.x) * normal.x / normal.y;
            line - self.shape.height_at(x)
        };
        if normal.y <= 0.0 || drop(most) <= self.rule.follows() {
            return most;
        }
        let (mut near, mut far) = (from.x.min(most), most);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (near + far);
            if drop(middle) <= self.rule.follows() { near = middle } else { far = middle }
        }
        near
    }

    /// Takes `contact` as the ground and puts the body at its exact height over a face.
    fn stand_on(&self, state: &mut Walk, contact: Contact) {
        state.pos.y = contact.resting_height(self.scenery, self.shape, state.pos);
        state.contact = contact;
    }
}
