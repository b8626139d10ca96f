//! Standing, falling and landing in a side view, for all models that walk there.

use super::*;

tunables! {
    /// Ground parameters of every model that walks.
    pub struct FootingTuning {
        /// Multiplier for gravity in this model. At 0 the body floats; above 1 it falls faster; below 0
        /// it falls up, and stands, walks and jumps on ceilings.
        gravity_scale: f64 = 1.0, "", range(-100.0, 100.0);
        /// Highest fall speed that gravity alone reaches. Rising is never limited.
        max_fall_speed: f64 = 700.0, "px/s", SPEED;
        /// Distance below the body at which it finds ground. With much larger values bodies land in
        /// mid-air; at 0 they stand only where they touch.
        ground_probe: f64 = 0.5, "px", LENGTH;
        /// How far down a walking body follows ground that falls away, if that is farther than
        /// `ground_probe`. At 0 it flies off every bump and cannot jump there.
        ground_adherence: f64 = 20.0, "px", LENGTH;
        /// Highest step that a body walks up. At 0 it stops at every step; more than a few px looks
        /// like climbing.
        step_height: f64 = 0.0, "px", LENGTH;
        /// How far a rising body is moved sideways when its head would clip the end of a ceiling.
        /// At 0, every bump against a corner ends a jump; more than a few px is visible.
        corner_correction: f64 = 0.0, "px", LENGTH;
        /// Steepest slope that a body can stand and walk on.
        max_slope_deg: f64 = 45.0, "°", range(0.0, 89.0);
    }
}

/// How a body stands and falls; computed once from [`FootingTuning`].
#[derive(Clone, Debug, PartialEq)]
pub struct Footing {
    /// Which contacts count as ground.
    pub rule: GroundRule,
    /// The same under inverted gravity.
    pub inverted_rule: GroundRule,
    /// Multiplier for gravity.
    pub gravity_scale: f64,
    /// Fastest fall, px/s.
    pub max_fall_speed: f64,
    /// Sine of the steepest walkable slope.
    pub steepest_climb: f64,
    /// How far a rising body may be moved aside to pass a corner, px.
    pub corner_correction: f64,
}

impl Footing {
    /// Computes the footing.
    pub fn new(tuning: &FootingTuning) -> Self {
        let steepest = tuning.max_slope_deg * std::f64::consts::PI / 180.0;
        let rule = GroundRule {
            up: 1.0,
            least_up: libm::cos(steepest),
            probe: tuning.ground_probe,
            adherence: tuning.ground_adherence,
            step: tuning.step_height,
        };
        Self {
            rule,
            inverted_rule: GroundRule { up: -1.0, ..rule },
            gravity_scale: tuning.gravity_scale,
            max_fall_speed: tuning.max_fall_speed,
            steepest_climb: libm::sin(steepest),
            corner_correction: tuning.corner_correction,
        }
    }

    /// The direction against gravity along y, where this (px/s², positive toward −y) is the gravity
    /// of the place: 1, or −1 if gravity is inverted. Without gravity, down is toward −y.
    #[inline(always)]
    pub fn up(&self, gravity: f64) -> f64 {
        if gravity * self.gravity_scale < 0.0 { -1.0 } else { 1.0 }
    }

    /// The lowest upward speed that throws a body off its ground under this gravity, px/s: at this speed it
    /// just leaves the reach of the probe.
    pub fn least_throw(&self, gravity: f64) -> f64 {
        let fall = 2.0 * gravity * self.gravity_scale;
        (fall * self.rule.probe).abs().sqrt()
    }

    /// Which contacts count as ground if `up` (1 or −1) is the direction against gravity.
    #[inline(always)]
    pub fn rule_for(&self, up: f64) -> &GroundRule {
        if up < 0.0 { &self.inverted_rule } else { &self.rule }
    }
}

/// Finds the ground, wall or roof that holds a body, and checks whether a push or an updraft
/// stronger than gravity throws the body off.
#[inline(always)]
pub fn sense(body: &mut Body, context: &MoveContext, pushed: bool, report: &mut Report) {
    // A jump order takes effect even if the body has not sensed its ground yet.
    body.sensed |= context.intent.has_ordered_jump();
    report.stood |= body.ground.is_some();
    if body.inverted != (context.up() < 0.0) {
        turn_over(body, context, report);
    }
    let (clung, flew) = (body.cling.is_some(), body.ground.is_none());
    find_support(body, context);
    report.dropped |= clung && body.cling.is_none();
    if let Some(contact) = body.ground.filter(|_| flew) {
        report.details_mut().landed = Some(landing(body, &contact, 0.0, context));
    }
    report.stood |= body.ground.is_some();
    let around = context.around;
    if pushed {
        body.lift_off(context.footing.least_throw(around.gravity), around.now);
    }
    let Some(contact) = body.ground else { return };
    if is_lifted(&contact, context) {
        body.ground = None;
        body.jump.leave_ground(around.now);
        return;
    }
    report.carried += around.air.conveyor;
}

/// Turns a body over whose gravity has changed sign: its ground is now a ceiling.
#[cold]
pub fn turn_over(body: &mut Body, context: &MoveContext, report: &mut Report) {
    let up = context.up();
    let jump = body.jump;
    body.turn_to(up);
    if report.jumped {
        // The jump that began in this tick is one against the new gravity.
        body.jump = jump;
    }
    report.turned = true;
    if body.ground.is_some_and(|contact| contact.normal.y * up <= 0.0) {
        body.ground = None;
    }
    // What was a roof may be ground now.
    if body.cling.is_some_and(|cling| context.rule().walkable(cling.normal)) {
        body.cling = None;
        body.sensed = false;
        report.dropped = true;
    }
}

/// Turns a body over, or lifts it off its ground, if the conditions that it has come into within a tick do.
pub fn come_into(body: &mut Body, context: &MoveContext, report: &mut Report) {
    if body.inverted != (context.up() < 0.0) {
        turn_over(body, context, report);
    }
    if body.ground.is_some_and(|contact| is_lifted(&contact, context)) {
        body.ground = None;
        body.jump.leave_ground(context.around.now);
    }
}

/// Whether wind lifts a body off its ground.
#[inline(always)]
pub fn is_lifted(contact: &Contact, context: &MoveContext) -> bool {
    let around = context.around;
    let weight = around.gravity * context.footing.gravity_scale * contact.normal.y;
    around.air.external_accel.dot(contact.normal) > weight
}

/// Finds the support of a body that was teleported, or whose terrain changed. A body that drops
/// through a one-way platform loses its ground.
#[inline(always)]
fn find_support(body: &mut Body, context: &MoveContext) {
    if !body.sensed {
        look_for_support(body, context);
        return;
    }
    let Some(contact) = &body.ground else { return };
    if contact.is_wedged() {
        stay_wedged(body, context);
    } else if !context.terrain().is_plain() && !context.scenery().is_there(contact.feature) {
        drop_through(body, context);
    }
}

#[cold]
fn look_for_support(body: &mut Body, context: &MoveContext) {
    body.sensed = true;
    let stood = body.ground.take().is_some();
    if let Some(cling) = body.cling {
        body.cling = still_there(body, &cling, context);
        if body.cling.is_some() {
            return;
        }
        body.jump.leave_ground(context.around.now);
    }
    if let Some((contact, _)) = ground_below(body, context) {
        stand(body, contact);
        body.jump.land();
        body.surface = Some(context.around.surface_of(contact.feature));
    } else if stood {
        body.jump.leave_ground(context.around.now);
    }
}

/// Checks whether a wedged body is still held: of the solids that hold it, one may have moved away.
#[cold]
fn stay_wedged(body: &mut Body, context: &MoveContext) {
    let rule = context.rule();
    let reach = rule.probe + TOUCH;
    let held = context.scenery().wedge(context.shape, body.pos, reach, rule);
    body.ground = held.map(|(at, contact)| {
        body.pos = at;
        contact
    });
    if body.ground.is_none() {
        body.jump.leave_ground(context.around.now);
    }
}

/// Drops a body through ground that is not there for it, onto other ground if the probe reaches any.
#[cold]
fn drop_through(body: &mut Body, context: &MoveContext) {
    let Some(left) = body.ground.take() else {
        return;
    };
    body.jump.leave_ground(context.around.now);
    note_one_way(body, left, context);
    if let Some((contact, _)) = ground_below(body, context) {
        stand(body, contact);
        body.jump.land();
    }
}

/// Records it if the ground that the body leaves is a one-way platform.
pub fn note_one_way(body: &mut Body, left: Contact, context: &MoveContext) {
    if context.scenery().edge(left.feature.edge()).side != Side::Solid {
        body.jump.leave_one_way();
    }
}

/// The wall or roof that a body clings to, after either of them has moved; `None` if it lost its
/// hold.
pub fn still_there(body: &Body, cling: &Cling, context: &MoveContext) -> Option<Cling> {
    let reach = cling.normal * -(context.rule().probe + TOUCH);
    let hit = context.scenery().sweep(context.shape, body.pos, reach)?;
    (hit.normal.dot(cling.normal) > 0.9).then_some(Cling { feature: hit.feature, normal: hit.normal })
}

/// Vertical motion of a tick in the air: the jump's hold time, then gravity.
#[inline(always)]
pub fn rise_and_fall(
    body: &mut Body,
    intent: &Intent,
    tuning: &JumpTuning,
    footing: &Footing,
    around: &Surroundings,
) -> Stretch {
    let (speed, stretch) = jump_and_fall(body, body.vel.y, intent, tuning, footing, around);
    body.vel.y = speed;
    stretch
}

/// Motion against gravity of a body in the air that rises at `speed`, px/s, at the start of the
/// tick. Returns that speed as the jump key changes it, and the motion.
#[inline(always)]
pub fn jump_and_fall(
    body: &mut Body,
    speed: f64,
    intent: &Intent,
    tuning: &JumpTuning,
    footing: &Footing,
    around: &Surroundings,
) -> (f64, Stretch) {
    let up = footing.up(around.gravity);
    body.turn_to(up);
    let (rising, held) = body.jump.hold(speed * up, intent, &body.windows, tuning, around);
    let gravity = around.gravity * footing.gravity_scale * up;
    let most = footing.max_fall_speed;
    let stretch = match body.jump.end_tap(around) {
        Some(end) => jump::hop(rising, held, end, gravity, most, around.dt),
        None => jump::fall(rising, held, gravity, most, around.dt),
    };
    (rising * up, stretch.along(up))
}

/// Starts a jump from ground, wall or roof if the input asks for one and it is possible. The body
/// leaves its support at once. Returns whether a jump started.
#[inline(always)]
pub fn try_jump(
    body: &mut Body,
    intent: &Intent,
    tuning: &JumpTuning,
    around: &Surroundings,
    report: &mut Report,
) -> bool {
    let supported = body.stands() || body.cling.is_some();
    let jumps = body.jump.start(intent, supported, &body.windows, tuning, around);
    if jumps {
        jump_off(body, around, report);
    }
    jumps
}

#[inline(never)]
fn jump_off(body: &mut Body, around: &Surroundings, report: &mut Report) {
    take_off(body, around, report);
    body.ground = None;
    body.floor = None;
    report.dropped |= body.cling.take().is_some();
    report.jumped = true;
}

/// Gives a body that jumps or lets go the velocity of what it stands on or clings to. A platform has moved it already:
/// it goes back. It meets platforms on its way.
pub fn take_off(body: &mut Body, around: &Surroundings, report: &mut Report) {
    body.pos -= report.ridden;
    report.meets |= report.ridden != DVec2::ZERO || body.floor.is_none() && riding::may_meet(body, around);
    body.external += report.carried;
    report.carried = DVec2::ZERO;
}

/// Lands a body in the air that ground within reach of the probe holds. A body that falls toward it lands when it gets
/// there.
pub fn find_ground(body: &mut Body, context: &MoveContext, report: &mut Report) {
    if body.ground.is_some() || body.cling.is_some() || body.jump.rising() {
        return;
    }
    let before = body.pos;
    let Some((contact, gap)) = ground_below(body, context) else {
        return;
    };
    let ground = context.carrier_velocity(body, &contact);
    let falls = (body.vel + body.external - ground).dot(contact.normal) < 0.0;
    if falls && gap > TOUCH {
        body.pos = before;
    } else {
        land(body, contact, context, report);
    }
}

/// Looks for ground under a body in the air, and reports landings, take-offs and changes of
/// surface.
#[inline(always)]
pub fn settle(body: &mut Body, context: &MoveContext, report: &mut Report) {
    if body.ground.is_none() {
        find_ground(body, context, report);
    }
    match &body.ground {
        Some(contact) => {
            report.note_surface(body, context.around.surface_of(contact.feature));
        }
        None => {
            if body.cling.is_none() {
                // The velocity of a platform becomes external velocity when the body leaves it.
                body.external += report.carried;
            }
            report.left_ground = report.stood;
            if report.stood && !report.jumped && !report.turned && body.cling.is_none() {
                body.jump.leave_ground(context.around.next());
            }
        }
    }
}

/// Ground within reach of the probe, unless the body moves away from it, and its distance below the
/// body, px. Moves the body down onto it.
fn ground_below(body: &mut Body, context: &MoveContext) -> Option<(Contact, f64)> {
    let rule = context.rule();
    let reach = rule.probe + TOUCH;
    let scenery = &context.scenery();
    let hit = scenery.probe(context.shape, body.pos, reach)?;
    let Some(contact) = Contact::of(scenery, &hit, rule) else {
        return wedge_below(body, context);
    };
    if leaves(body, &contact, context) {
        return None;
    }
    let gap = reach * hit.time;
    let before = body.pos;
    body.pos.y -= gap * rule.up;
    body.pos.y = contact.resting_height(scenery, context.shape, body.pos);
    if body.crushed && (body.pos.y - before.y) * rule.up > TOUCH {
        // A lift that presses it against a ceiling goes through it, and does not take it into the ceiling.
        body.pos = before;
        return None;
    }
    Some((contact, gap))
}

/// Whether a body moves away from the ground at `contact`.
fn leaves(body: &Body, contact: &Contact, context: &MoveContext) -> bool {
    let ground = context.carrier_velocity(body, contact);
    (body.vel + body.external - ground).dot(contact.normal) > 1e-6
}

/// Like [`ground_below`], for a body above something steep: it stands if that leaves it no way
/// down.
#[cold]
fn wedge_below(body: &mut Body, context: &MoveContext) -> Option<(Contact, f64)> {
    let rule = context.rule();
    let reach = rule.probe + TOUCH;
    let scenery = &context.scenery();
    let (at, contact) = scenery.wedge(context.shape, body.pos, reach, rule)?;
    if leaves(body, &contact, context) {
        return None;
    }
    let gap = (body.pos.y - at.y).abs();
    body.pos = at;
    Some((contact, gap))
}

/// A landing of a body that stands on a contact, at this speed.
pub fn landing(body: &Body, contact: &Contact, speed: f64, context: &MoveContext) -> Landing {
    let at = contact.point(context.shape, body.pos);
    Landing { on: Support::Feature(contact.feature), normal: contact.normal, speed, at }
}

/// Removes the velocity into the ground and makes the body stand on it.
pub fn land(body: &mut Body, contact: Contact, context: &MoveContext, report: &mut Report) {
    let ground = context.carrier_velocity(body, &contact);
    let speed = -(body.vel + body.external - ground).dot(contact.normal);
    // A body that stood when the tick began has not landed; a rope may have pulled it off the
    // ground.
    if !report.stood {
        report.details_mut().landed = Some(landing(body, &contact, speed.max(0.0), context));
    }
    let tangent = contact.tangent();
    body.vel = tangent * body.vel.dot(tangent);
    // External velocity into the ground is lost too. So is the velocity that a platform gave the
    // body when it left, because the platform carries it again.
    body.external = tangent * body.external.dot(tangent);
    let along = ground.normalize_or_zero();
    let shared = body.external.dot(along).clamp(0.0, ground.length());
    body.external -= along * shared;
    body.jump.land();
    stand(body, contact);
}

/// Makes the body stand on `contact`, and removes external velocity into it.
pub fn stand(body: &mut Body, contact: Contact) {
    press(body, &contact);
    body.ground = Some(contact);
}

/// Removes external velocity into what the body stands on.
#[inline(always)]
pub fn press(body: &mut Body, contact: &Contact) {
    let into = body.external.dot(contact.normal);
    if into < 0.0 {
        body.external -= contact.normal * into;
    }
}
