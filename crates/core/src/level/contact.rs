//! The ground contact: one record of what a body stands on.

use super::*;

/// What counts as ground for a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundRule {
    /// The direction against gravity along y: 1, or −1 where gravity is inverted.
    pub up: f64,
    /// Minimum upward component of a walkable normal: the cosine of the steepest slope.
    pub least_up: f64,
    /// How far below a standing body to look for ground, px.
    pub probe: f64,
    /// How far down a walking body follows falling ground, px.
    pub adherence: f64,
    /// How high a step a walking body climbs, px.
    pub step: f64,
}

/// Slack on `least_up`, so that a slope of exactly the limit is walkable despite rounding.
const SLOPE_SLACK: f64 = 1e-9;

impl GroundRule {
    /// Where the center of a body is, from a corner that only just bears it: the distances along x and y, px. A corner
    /// bears a box by its last pixel.
    pub fn brink(&self, shape: Collider) -> DVec2 {
        let steepest = DVec2::new((1.0 - self.least_up * self.least_up).max(0.0).sqrt(), self.least_up);
        shape.farthest(steepest) + DVec2::X * shape.spread(steepest)
    }

    /// How far down a walking body follows ground that falls away, px. At the end of a tick it would find ground within
    /// reach of its probe anyway, so at each tick rate another part of it.
    pub(super) fn follows(&self) -> f64 {
        self.adherence.max(self.probe)
    }

    /// How high the corner of a step may be above the lowest point of a body that gets onto it, px: one that bears the
    /// body, or one higher by the distance at which it finds ground, or a step that it climbs. A box does not climb any
    /// other corner.
    pub fn climb(&self, shape: Collider) -> f64 {
        if shape.form == ColliderForm::Box {
            return self.step;
        }
        self.step.max(shape.half.y - self.brink(shape).y + self.probe)
    }

    /// Whether a surface with this unit normal can be walked on.
    pub fn walkable(&self, normal: DVec2) -> bool {
        normal.y * self.up >= self.least_up - SLOPE_SLACK
    }
}

/// What a body stands on. It is sensed once per tick and read by every later phase.
///
/// A tick copies it from call to call. The normals come first, so that a copy and the loads of a normal share their
/// boundaries; otherwise each load waits for the copy to reach the cache.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Contact {
    /// Unit normal of the ground as a walking body experiences it. At the corner of a ledge this is
    /// the normal of the floor that ends there, so a body that runs off an edge keeps running
    /// straight.
    pub normal: DVec2,
    /// Unit normal at the point of contact; on a corner it lies between the normals of the two
    /// edges. 0 if the body is wedged between surfaces that are all too steep to walk on.
    pub touch: DVec2,
    /// The face or corner under the body.
    pub feature: Feature,
}

impl Contact {
    /// The contact of a body that made this hit; `None` if the body cannot stand there.
    pub fn of(scenery: &Scenery, hit: &Hit, rule: &GroundRule) -> Option<Self> {
        if !rule.walkable(hit.normal) {
            return None;
        }
        let normal = match hit.feature {
            Feature::Face(_) => hit.normal,
            Feature::Corner(edge) => felt_at_corner(scenery, edge, hit.normal, rule),
        };
        Some(Self { feature: hit.feature, normal, touch: hit.normal })
    }

    /// The contact of a body that is held up although nothing it touches is walkable. `feature` is
    /// one of those that hold it.
    pub(super) fn wedged(feature: Feature, rule: &GroundRule) -> Self {
        Self { feature, normal: DVec2::Y * rule.up, touch: DVec2::ZERO }
    }

    /// Whether the body is wedged: held up between surfaces that are all too steep to walk on. It
    /// stands and can jump, but walks only where a step leads out.
    pub fn is_wedged(&self) -> bool {
        self.touch == DVec2::ZERO
    }

    /// The point of a body with its center at `at` that touches it.
    pub fn point(&self, shape: Collider, at: DVec2) -> DVec2 {
        at - shape.farthest(if self.is_wedged() { self.normal } else { self.touch })
    }

    /// Unit vector along the ground toward +x.
    pub fn tangent(&self) -> DVec2 {
        level(self.normal)
    }

    /// Whether a step toward `side` (1 or −1) leads around the touched corner: up onto it or over a
    /// crest. A body leaves the end of a ledge straight ahead instead.
    pub(super) fn rounds(&self, side: f64) -> bool {
        !self.is_wedged() && side * self.touch.x <= side * self.normal.x
    }

    /// The direction of a step toward `side` (1 or −1).
    pub(super) fn heading(&self, side: f64) -> DVec2 {
        let normal = if self.rounds(side) { self.touch } else { self.normal };
        level(normal) * side
    }

    /// The height at which the center of a body with this contact rests at `pos`. Over a face it is
    /// a closed form of `pos.x` alone, so that walking never drifts; on a corner, wedged, or between two ticks on
    /// another body, it is `pos.y` itself.
    pub fn resting_height(&self, scenery: &Scenery, shape: Collider, pos: DVec2) -> f64 {
        let Feature::Face(index) = self.feature else {
            return pos.y;
        };
        if self.is_wedged() || self.feature.body().is_some() {
            return pos.y;
        }
        let face = scenery.face(index);
        face.resting_height(shape.reach(face.normal), pos.x)
    }

    /// A contact with the corner at the end of `edge`, reached while walking on a face with normal
    /// `touch`.
    pub(super) fn at_corner(scenery: &Scenery, edge: u32, touch: DVec2, rule: &GroundRule) -> Self {
        let normal = felt_at_corner(scenery, edge, touch, rule);
        Self { feature: Feature::Corner(edge), normal, touch }
    }
}

/// The contact of a body at `pos` that has come against the corner of a step, moving toward `side` (1 or −1): one that is
/// [low enough](GroundRule::climb) and has a walkable top.
pub fn onto_a_step(
    scenery: &Scenery,
    shape: Collider,
    pos: DVec2,
    hit: &Hit,
    side: f64,
    rule: &GroundRule,
) -> Option<Contact> {
    let Feature::Corner(edge) = hit.feature else {
        return None;
    };
    let up = rule.up;
    let height = (hit.point(shape, pos).y - pos.y) * up + shape.half.y;
    let onto = if side * up > 0.0 { edge } else { scenery.edge(edge).after };
    let climbs = height <= rule.climb(shape) && rule.walkable(scenery.face(onto).normal);
    (climbs && hit.normal.y * up > 0.0).then(|| Contact::at_corner(scenery, edge, hit.normal, rule))
}

/// The unit vector along a surface with this normal, toward +x.
fn level(normal: DVec2) -> DVec2 {
    let sign = if normal.y < 0.0 { -1.0 } else { 1.0 };
    DVec2::new(normal.y, -normal.x) * sign
}

/// The normal a walking body experiences at the corner at the end of `edge`: on a crest between two
/// walkable slopes the contact normal, on a ledge the normal of the walkable side.
fn felt_at_corner(scenery: &Scenery, edge: u32, touch: DVec2, rule: &GroundRule) -> DVec2 {
    let ends = scenery.edge(edge);
    let [before, after] = [edge, ends.after].map(|index| scenery.face(index).normal);
    debug_assert!(ends.bend == Bend::Out, "only outward corners are touched");
    match (rule.walkable(before), rule.walkable(after)) {
        (true, false) => before,
        (false, true) => after,
        _ => touch,
    }
}

/// Maximum number of slides until a body has settled. Each at least halves what is left of the path.
const MOST_SLIDES: usize = 8;

/// A body that slides less than this does not move, px.
const STILL: f64 = 1e-7;

/// A body this close to its place on walkable ground stands there already, px.
const THERE: f64 = 1e-3;

/// Surfaces that lean less than this toward or over the body (as a sine) do not hold it.
const LEVEL: f64 = 1e-9;

impl Scenery<'_> {
    /// Where a body that something steep stops within `reach` px below `from` comes to rest, and
    /// its contact there; `None` if there is a way down.
    ///
    /// The contact is [wedged](Contact::is_wedged) if no side of what holds the body is walkable.
    #[cold]
    pub fn wedge(&self, shape: Collider, from: DVec2, reach: f64, rule: &GroundRule) -> Option<(DVec2, Contact)> {
        let down = DVec2::new(0.0, -reach * rule.up);
        let mut at = from;
        for _ in 0..MOST_SLIDES {
            let slid = slide(self, shape, at, down, |hit, _| rule.walkable(hit.normal));
            if let Some((hit, _)) = slid.stopped {
                let there = slid.pos.distance_squared(from) < THERE * THERE;
                let contact = Contact::of(self, &hit, rule).filter(|_| there)?;
                return Some((slid.pos, contact));
            }
            let still = slid.pos.distance_squared(at) < STILL * STILL;
            at = slid.pos;
            if still {
                return held_by(&slid.bumps, rule).map(|contact| (at, contact));
            }
            if slid.bumps.iter().count() < 2 || (at.y - from.y).abs() > reach + TOUCH {
                return None;
            }
        }
        None
    }
}

/// The contact of a body that touches all of these steep surfaces; `None` if they leave it a way
/// down.
fn held_by(bumps: &Bumps, rule: &GroundRule) -> Option<Contact> {
    let side = |sign: f64| bumps.iter().filter(move |hit| hit.normal.x * sign > LEVEL);
    for left in side(1.0) {
        for right in side(-1.0) {
            // Two surfaces hold a body if some pushes from both add up to a push straight up.
            let (l, r) = (left.normal, right.normal);
            if (l.x * r.y - r.x * l.y) * rule.up > LEVEL {
                let lower = if (r.y - l.y) * rule.up > 0.0 { right } else { left };
                return Some(Contact::wedged(lower.feature, rule));
            }
        }
    }
    None
}
