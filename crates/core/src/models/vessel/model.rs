//! The phases of a vessel's tick.

use super::{
    room::{fit_hull, longest_way, touched},
    *,
};
use crate::models::saved::{each, length};

/// State that the model keeps between ticks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VesselState {
    /// Its feet, in the order of its pieces.
    pub feet: Vec<Foot>,
    /// The tick since which it has been slow without interruption.
    pub(super) calm_since: SinceTick,
    /// The place and angle that it has not left for some time.
    pub(super) perch: Perch,
    /// Whether it is at rest, until something wakes it.
    pub resting: bool,
    /// Whether it touches anything.
    pub touching: bool,
    /// The forces under which it stood still through the previous tick; `None` if it did not.
    pub(super) stood_under: Option<Forces>,
}

impl VesselState {
    /// Checks a saved state of a vessel with this many feet.
    pub(super) fn check(&self, feet: usize, saved: &SavedContext) -> Checked {
        if !self.feet.is_empty() {
            length("feet", self.feet.len(), feet)?;
        }
        each("feet", &self.feet, |foot| {
            number("pos", foot.pos, 1.0)?;
            number("rate", foot.rate, FASTEST_SAVED)
        })?;
        self.calm_since.check("calm_since", saved)?;
        let Perch { since, pos, angle } = self.perch;
        since.check("perch.since", saved)?;
        let numbers = [("perch.pos[0]", pos[0]), ("perch.pos[1]", pos[1]), ("perch.angle", angle)];
        let mut numbers = numbers.into_iter();
        numbers.try_for_each(|(field, x)| number(field, x.into(), f64::from(f32::MAX)))
    }

    /// Ends a rest.
    pub(super) fn wake(&mut self) {
        self.resting = false;
        self.calm_since = SinceTick::default();
        self.perch = Perch::default();
    }
}

/// The tick since which a condition has held, or never. Kept in 32 bits to save space: on a clock that does not run at full
/// rate, it is rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SinceTick(pub u32);

impl Default for SinceTick {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl SinceTick {
    fn check(self, field: &str, saved: &SavedContext) -> Checked {
        // Ticks beyond 32 bits wrap around.
        if self == Self::default() || saved.clock.0 > f64::from(u32::MAX) {
            return Ok(());
        }
        saved.passed(field, u64::from(self.0).into())
    }

    /// For how many ticks the condition has held at tick `now`. If it never held, it does from now
    /// on.
    pub fn ticks(&mut self, now: ClockTick) -> u32 {
        let now = now.0 as u64 as u32;
        if *self == Self::default() {
            self.0 = now;
        }
        now.wrapping_sub(self.0)
    }
}

/// A place and angle that a vessel has not left for some time. Kept in single precision to save
/// space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Perch {
    pub since: SinceTick,
    pub pos: [f32; 2],
    pub angle: f32,
}

/// The forces on a vessel, bit for bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forces {
    /// The inverted bits, which are never 0 for a finite number, so that `Option<Forces>` needs no
    /// extra space.
    gravity: NonZeroU64,
    thrust: u64,
    torque: u64,
}

impl Forces {
    /// The forces of a tick; all three are finite.
    pub fn new(gravity: f64, thrust: f64, torque: f64) -> Self {
        Self {
            gravity: NonZeroU64::new(!gravity.to_bits()).unwrap_or(NonZeroU64::MIN),
            thrust: thrust.to_bits(),
            torque: torque.to_bits(),
        }
    }
}

/// The `vessel` model.
#[derive(Clone, Debug, PartialEq)]
pub struct Vessel;

impl Model for Vessel {
    const MODES: &'static [Mode] = &[Mode::Free, Mode::Contact];
    const VIEWS: &'static [View] = &[View::Side];
    const JUMP_VIEWS: &'static [View] = &[];
    const MOVES: &'static [(&'static [Action], &'static str)] =
        &[(&[Action::Up], "thrust"), (&[Action::Left, Action::Right], "turn")];
    const TURNS: bool = true;
    const OUTLINE: [u8; 3] = [255, 112, 112];
    type State = VesselState;
    type Tuning = VesselTuning;

    /// Moves the vessel out of platforms that appear. Contacts with moving platforms are found
    /// while it travels.
    fn carry(_state: &mut VesselState, body: &mut Body, step: &Step<VesselTuning>, report: &mut Report) {
        if step.context.around.transit.switched.is_empty() && !body.crushed {
            return;
        }
        let scenery = &step.context.scenery();
        let radius = step.loadout.derived.radius + step.loadout.tuning.foot_travel + CONTACT_MARGIN;
        let reach = Bounds::of(body.pos, body.pos).grown(DVec2::splat(radius));
        let (mut any, mut appeared) = (false, false);
        for &platform in &step.context.around.transit.switched {
            if comes_near(platform, &reach, step.context) {
                any = true;
                appeared |= scenery.has_platform(platform);
            }
        }
        // Its support may be gone.
        body.sensed &= !any;
        if !appeared && !body.crushed {
            return;
        }
        let fit = fit_hull(&step.loadout.derived, scenery, body.pos, body.angle);
        let most = if appeared { f64::INFINITY } else { longest_way(step.context.around.transit) };
        let free = fit.filter(|free| free.distance(body.pos) <= most && riding::is_open(body.pos, *free, scenery));
        report.crushed = free.is_none() && !body.crushed;
        body.crushed = free.is_none();
        body.pos = free.unwrap_or(body.pos);
    }

    // Inlined, it does without the context.
    #[inline(always)]
    fn sense(state: &mut VesselState, body: &mut Body, step: &Step<VesselTuning>, pushed: bool, report: &mut Report) {
        report.stood |= body.ground.is_some();
        let feet = step.loadout.derived.feet;
        if state.feet.len() != feet {
            state.feet = vec![Foot::default(); feet];
        }
        if pushed || !body.sensed {
            state.stood_under = None;
            state.wake();
        }
        body.sensed = true;
    }

    fn check(state: &VesselState, loadout: &Loadout<VesselTuning>, saved: &SavedContext) -> Checked {
        state.check(loadout.derived.feet, saved)
    }

    fn drive(
        _state: &mut VesselState,
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<VesselTuning>,
        around: &Surroundings,
        _report: &mut Report,
    ) -> Motion {
        let side = intent.side();
        if side != 0.0 {
            body.facing = side;
        }
        let pull = around.gravity * loadout.tuning.gravity_scale;
        Motion { start: body.vel, velocity: body.vel, pull, ..Motion::default() }
    }

    fn travel(
        state: &mut VesselState,
        body: &mut Body,
        _motion: &Motion,
        step: &Step<VesselTuning>,
        report: &mut Report,
    ) {
        let (thrust, turn) = pilot(step.intent);
        let (loadout, context) = (step.loadout, step.context);
        let (tuning, around) = (&loadout.tuning, context.around);
        let (thrust, torque) = (thrust * tuning.thrust_accel, turn * tuning.turn_accel);
        let step = VesselStep {
            tuning,
            hull: &loadout.derived,
            near: &RefCell::default(),
            context,
            gravity: around.gravity * tuning.gravity_scale,
            thrust,
            torque,
            span: [0.0, 1.0],
        };
        if state.resting {
            let pushed = thrust != 0.0 || torque != 0.0 || body.external != DVec2::ZERO;
            if !pushed && !step.is_carried(body) {
                return;
            }
            state.wake();
        }
        step.pass(body, state, report);
    }

    fn settle(_state: &mut VesselState, body: &mut Body, step: &Step<VesselTuning>, report: &mut Report) {
        let around = step.context.around;
        let Some(contact) = body.ground else {
            report.left_ground = report.stood;
            if report.stood {
                body.jump.leave_ground(around.next());
            }
            return;
        };
        if !report.stood {
            let Contact { feature, normal, .. } = contact;
            let below = || (0.0, body.pos - normal * step.loadout.shape.reach(normal));
            let (speed, at) = report.details().hit.map_or_else(below, |hit| (hit.speed, hit.at));
            report.details_mut().landed = Some(Landing { on: Support::Feature(feature), normal, speed, at });
            body.jump.land();
        }
        report.note_surface(body, around.surface_of(contact.feature));
    }

    fn division(_state: &VesselState, _body: &Body, _context: &MoveContext) -> Division {
        // It divides its tick itself, since its engine and contacts are part of its path.
        Division::Whole
    }

    fn sees_turns(_state: &VesselState, _intent: &Intent) -> bool {
        false
    }

    fn mode(state: &VesselState, _body: &Body) -> Mode {
        if state.touching { Mode::Contact } else { Mode::Free }
    }

    fn digest(state: &VesselState, digest: &mut Digest) {
        for foot in &state.feet {
            digest.number(foot.pos);
            digest.number(foot.rate);
        }
        let Perch { since, pos, angle } = state.perch;
        digest.words(&[state.calm_since.0, since.0].map(u64::from));
        digest.words(&[pos[0], pos[1], angle].map(|number| number.to_bits().into()));
        digest.flags(&[state.resting, state.touching]);
    }

    const RIGID: Option<&'static dyn Rigid<VesselState, VesselTuning>> = Some(&Self);
}

/// Whether a platform comes near an area in this tick.
fn comes_near(platform: u16, area: &Bounds, context: &MoveContext) -> bool {
    let (terrain, transit) = (context.terrain(), context.around.transit);
    let (step, bounds) = (transit.steps[platform as usize], terrain.platforms()[platform as usize].bounds);
    bounds.moved(context.scenery().offset(platform)).grown(step.abs()).meets(area)
}

/// Whether a moving platform comes near the path of a vessel in this tick.
pub fn platform_near(body: &Body, hull: &Hull, context: &MoveContext) -> bool {
    if context.terrain().movers().is_empty() {
        return false;
    }
    let scenery = context.scenery();
    let reach = Bounds::of(body.pos, body.pos + body.vel * context.around.dt).grown(DVec2::splat(hull.radius));
    let mut any = false;
    scenery.visit_movers(&reach.grown(scenery.widest_step()), |platform| {
        any |= context.around.transit.moves(platform)
            && comes_near(platform, &reach, context)
            && scenery.has_platform(platform);
    });
    any
}

/// The pilot's input: thrust, 0..=1, and turn, −1..=1, where 1 is counterclockwise. Keys win over
/// the stick.
pub fn pilot(intent: &Intent) -> (f64, f64) {
    let held = |action| intent.held.has(action);
    let thrust = if held(Action::Up) { 1.0 } else { intent.stick.y.clamp(0.0, 1.0) };
    let turn = if held(Action::Left) || held(Action::Right) {
        f64::from(i8::from(held(Action::Left)) - i8::from(held(Action::Right)))
    } else {
        -intent.stick.x.clamp(-1.0, 1.0)
    };
    (thrust, turn)
}

impl Rigid<VesselState, VesselTuning> for Vessel {
    fn pieces<'l>(&self, loadout: &'l Loadout<VesselTuning>) -> &'l Arc<[Piece]> {
        &loadout.derived.pieces
    }

    fn fit(&self, loadout: &Loadout<VesselTuning>, scenery: &Scenery, at: DVec2, angle: f64) -> Option<DVec2> {
        fit_hull(&loadout.derived, scenery, at, angle)
    }

    fn blocked(
        &self,
        state: &VesselState,
        loadout: &Loadout<VesselTuning>,
        scenery: &Scenery,
        body: &Body,
        way: DVec2,
    ) -> Option<DVec2> {
        let pose = Pose { pos: body.pos, turn: turn(body.angle) };
        let contacts = state.touching.then(|| touched(&loadout.derived, scenery, pose))?;
        let normals = contacts.list.iter().map(|contact| contact.normal);
        let most = normals.min_by(|a, b| a.dot(way).total_cmp(&b.dot(way)))?;
        (most.dot(way) < 0.0).then_some(most)
    }

    fn depth(&self, loadout: &Loadout<VesselTuning>, angle: f64) -> f64 {
        loadout.derived.depth(turn(angle))
    }

    fn feet(&self, state: &VesselState) -> Vec<f64> {
        state.feet.iter().map(|foot| foot.pos).collect()
    }

    fn foot_travel(&self, loadout: &Loadout<VesselTuning>) -> f64 {
        loadout.tuning.foot_travel
    }

    fn thrust(&self, intent: &Intent) -> f64 {
        pilot(intent).0
    }
}
