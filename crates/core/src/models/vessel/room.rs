//! Vessels that moving platforms leave no room.

use super::{
    contact::{CLEAR, Near},
    *,
};

/// Maximum number of corrections when several surfaces overlap.
const SWEEPS: u32 = 16;

/// Longest way out, as a multiple of the largest depth, and in px. Between two nearly parallel
/// walls the way out would otherwise lead far away.
const FARTHEST: (f64, f64) = (4.0, 2.0);

/// The shortest way out of all contacts, along their normals. Several contacts along one normal
/// need only one way.
pub fn way_out(contacts: &ContactSet, depth: impl Fn(&Manifold) -> f64) -> DVec2 {
    if let [only] = &contacts.list[..] {
        return only.normal * depth(only).max(0.0);
    }
    let mut out = DVec2::ZERO;
    let mut deepest = 0.0_f64;
    for contact in &contacts.list {
        deepest = deepest.max(depth(contact));
    }
    let missing = |out: DVec2, contact: &Manifold| depth(contact) - out.dot(contact.normal);
    let worst = |out: DVec2| {
        let all = contacts.list.iter().map(|t| (missing(out, t), t));
        all.max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let Some((need, first)) = worst(out).filter(|(need, _)| *need > 0.0) else {
        return out;
    };
    out = first.normal * need;
    if let Some((more, second)) = worst(out)
        && more > 1e-12
    {
        // Out of two surfaces at once, in closed form.
        let cosine = first.normal.dot(second.normal);
        let det = 1.0 - cosine * cosine;
        let other = depth(second);
        let (a, b) = (need - cosine * other, other - cosine * need);
        if det > 1e-9 && a >= 0.0 && b >= 0.0 {
            out = (first.normal * a + second.normal * b) / det;
        }
    }
    for _ in 0..SWEEPS {
        match worst(out) {
            Some((more, contact)) if more > 1e-9 => out += contact.normal * more,
            _ => break,
        }
    }
    out.clamp_length_max((FARTHEST.0 * deepest).max(FARTHEST.1))
}

/// What a hull in this pose touches, apart from one-way platforms.
pub fn touched(hull: &Hull, scenery: &Scenery, pose: Pose) -> ContactSet {
    query(hull, scenery, pose, &RefCell::default()).contacts_when_placed(&pose)
}

fn query<'a>(hull: &'a Hull, scenery: &Scenery<'a>, pose: Pose, near: &'a RefCell<Near>) -> ContactQuery<'a> {
    // From far below, so that no one-way platform is in the way.
    let before = Pose { pos: pose.pos - DVec2::new(0.0, 1e6), ..pose };
    ContactQuery { scenery: *scenery, ahead: (0.0, &[]), hull, near, foot_travel: 0.0, before }
}

/// A place near `at` where a hull turned by `angle` (radians) overlaps nothing; `None` if there is
/// no such place.
pub fn fit_hull(hull: &Hull, scenery: &Scenery, at: DVec2, angle: f64) -> Option<DVec2> {
    const MOST_MOVES: usize = 64;
    let turn = turn(angle);
    let near = RefCell::default();
    let query = query(hull, scenery, Pose { pos: at, turn }, &near);
    let clear = |from: DVec2| {
        let mut pos = from;
        for _ in 0..MOST_MOVES {
            let contacts = query.contacts_when_placed(&Pose { pos, turn });
            let out = way_out(&contacts, |contact| contact.depth);
            if out.length() < CLEAR {
                return Some(pos);
            }
            pos += out;
        }
        None
    };
    clear(at).or_else(|| {
        let corners = hull.pieces.iter().flat_map(|piece| &piece.points);
        let half = corners.fold(DVec2::ZERO, |half, p| half.max(turned(turn, *p).abs()));
        // An ellipse around the bounding box.
        let shape = Collider::from(half * std::f64::consts::SQRT_2);
        clear(query.scenery.push_out(shape, at)?)
    })
}

/// A vessel that lacks more room than this is crushed, px. Less is rounding: contacts keep gaps, and
/// the solver rocks a vessel before it lies flat.
const LACKING: f64 = 1.0;

/// A crushed vessel moves to a free place up to this far away, px, plus the step of the fastest
/// platform. A longer way may lead out on the other side.
const WAY_OUT: f64 = 20.0;

/// Attempts to find room by moving out of one surface after another.
const TRIES: u32 = 8;

/// How far away a crushed vessel may find a free place, px.
pub fn longest_way(transit: &Transit) -> f64 {
    WAY_OUT + fastest(transit)
}

/// The longest step of any platform in this tick, px.
fn fastest(transit: &Transit) -> f64 {
    transit.steps.iter().map(|step| step.length()).fold(0.0, f64::max) + transit.swept
}

impl VesselStep<'_> {
    /// Keeps a crushed vessel in place while it has no room. Returns whether it does.
    #[cold]
    pub fn stays_crushed(&self, body: &mut Body, state: &mut VesselState) -> bool {
        let squeezed = self.is_squeezed(&MotionState::of(body), state, 0.0);
        if squeezed {
            hold(body, state);
        }
        squeezed
    }

    /// Whether there is no room for the vessel near this place while this share of the platforms' steps is left.
    #[cold]
    pub fn is_squeezed(&self, now: &MotionState, state: &VesselState, ahead: f64) -> bool {
        let query = self.query(ahead, now.pose);
        let most = fastest(self.context.around.transit) + LACKING;
        let mut near = *now;
        for _ in 0..TRIES {
            let mut contacts = ContactSet::default();
            // A block that surrounds the vessel has no open wall near.
            if let Some(contact) = query.find(&near.pose, &state.feet, &mut contacts) {
                contacts.add(&contact);
            }
            let out = self.way_out(&near, state, &contacts);
            if out.length_squared() < LACKING * LACKING {
                return false;
            }
            near.pose.pos += out;
            if near.pose.pos.distance_squared(now.pose.pos) > most * most {
                return true;
            }
        }
        true
    }
}

/// Crushes a vessel that has no room any more.
#[cold]
pub fn crush(body: &mut Body, state: &mut VesselState, report: &mut Report) {
    report.crushed |= !body.crushed;
    body.crushed = true;
    hold(body, state);
}

/// Stops a crushed vessel.
fn hold(body: &mut Body, state: &mut VesselState) {
    (body.vel, body.spin, body.external) = (DVec2::ZERO, 0.0, DVec2::ZERO);
    state.stood_under = None;
}
