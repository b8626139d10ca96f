//! The grappling hook: it flies out, attaches, and flies back.
//!
//! While it is attached, the rope pulls the body in at a minimum speed, never lets it get farther
//! away, and snaps when the body pulls away too hard.

use super::{
    rope::{Pull, Rope, STEPS},
    *,
};
use crate::{level::Platform, models::saved::index};

/// The area around its tip in which an attached hook looks for its hold after a reload.
const GRIP: Collider = Collider::ellipse(1.0, 1.0);

/// How often a body is moved back within the rope's length, each time along the obstacle that
/// blocked the previous move.
const MOST_PULLS: usize = 4;

/// A grappling hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct GrapplingHook {
    /// What it is doing.
    pub state: HookState,
    /// Whether a script fired it, so that it holds without the key.
    free: bool,
    /// Whether it is attached to an entity. A joint of the world then pulls in place of its rope.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    on_entity: bool,
    /// The platform that it is attached to.
    platform: Option<u16>,
    /// Position of its tip, px.
    pub tip: DVec2,
    /// Unit vector of the direction in which it was fired.
    heading: DVec2,
    /// Length of the rope, px: while the hook flies out, the distance flown; while it is attached,
    /// the largest distance between body and tip.
    pub length: f64,
}

/// The input and place of a hook's owner in this tick.
pub struct HookOwner<'a, F: Fn(f64) -> DVec2> {
    pub body: &'a Body,
    pub intent: &'a Intent,
    /// Where the body is after this many seconds of this tick, if no rope holds it.
    pub place: F,
}

impl GrapplingHook {
    /// Checks a saved hook.
    pub(super) fn check(&self, saved: &SavedContext) -> Checked {
        vector("tip", self.tip, FARTHEST_SAVED)?;
        if self.state == HookState::Idle {
            vector("heading", self.heading, 1.0 + 1e-6)?;
        } else {
            unit("heading", self.heading)?;
        }
        between("length", self.length, 0.0, FARTHEST_SAVED)?;
        let platforms = saved.level.terrain.platforms().len();
        let platform = self.platform;
        platform.map_or(Ok(()), |p| index("platform", p.into(), platforms))
    }

    /// Fires it from one point at another; a `free` one holds without the key.
    pub fn fire(&mut self, from: DVec2, at: DVec2, free: bool) {
        *self = Self {
            state: HookState::Firing,
            tip: from,
            heading: (at - from).normalize_or(DVec2::Y),
            free,
            ..Self::default()
        };
    }

    /// Releases it; the tip flies back.
    pub fn release(&mut self, news: &mut HookNews) {
        if self.state == HookState::Attached {
            news.lost = Some(HookLoss::Released);
        }
        if self.state != HookState::Idle {
            self.state = HookState::Returning;
        }
    }

    /// Whether the hook holds on to an entity.
    pub(super) fn is_on_entity(&self) -> bool {
        self.is_attached() && self.on_entity
    }

    /// Whether it holds on to terrain, so that its rope moves the body.
    pub(super) fn is_on_terrain(&self) -> bool {
        self.is_attached() && !self.on_entity
    }

    /// Whether the hook holds on to something, so that its rope limits the body.
    pub fn is_attached(&self) -> bool {
        self.state == HookState::Attached
    }

    /// Fires, flies and releases for one tick.
    #[inline(never)]
    pub(super) fn act(
        &mut self,
        owner: &HookOwner<'_, impl Fn(f64) -> DVec2>,
        tuning: &PlatformerTuning,
        around: &Surroundings,
        news: &mut HookNews,
    ) {
        let (body, intent) = (owner.body, owner.intent);
        if intent.pressed.has(Action::Hook) && matches!(self.state, HookState::Idle | HookState::Returning) {
            let ahead = DVec2::new(body.facing, 1.0);
            self.fire(body.pos, intent.aim.unwrap_or(body.pos + ahead), false);
        }
        if !self.free && !intent.held.has(Action::Hook) {
            self.release(news);
        }
        match self.state {
            HookState::Idle => {}
            HookState::Firing => {
                let left = self.fly_out(owner, tuning, around, news);
                self.fly_back(body, tuning.hook_speed * left);
            }
            HookState::Attached if self.on_entity => {}
            HookState::Attached => self.hold(body, around, news),
            HookState::Returning => self.fly_back(body, tuning.hook_speed * around.dt),
        }
    }

    /// Moves along with the platform that it is attached to.
    fn hold(&mut self, body: &Body, around: &Surroundings, news: &mut HookNews) {
        let mut distance = self.tip.distance(body.pos);
        if let Some(platform) = self.platform {
            self.tip = around.transit.carried(platform, self.tip);
            if !around.transit.is_there(platform) {
                self.release(news);
                return;
            }
        }
        if body.cling.is_some() || body.ground.is_some() {
            // Its own platform, if any, has carried the body already.
            distance = self.tip.distance(body.pos);
        }
        if body.cling.is_some() && distance > self.length + TOUCH {
            // A platform carries the clinging body away, so the rope snaps.
            self.snap(news);
        }
        self.length = self.length.min(distance);
    }

    /// Flies out for one tick, or until it hits something or its reach ends. Returns the time that
    /// is left of the tick for flying back, s.
    fn fly_out(
        &mut self,
        owner: &HookOwner<'_, impl Fn(f64) -> DVec2>,
        tuning: &PlatformerTuning,
        around: &Surroundings,
        news: &mut HookNews,
    ) -> f64 {
        let step = tuning.hook_speed * around.dt;
        let left = tuning.hook_length - self.length;
        let share = if step > left { left / step } else { 1.0 };
        let motion = self.heading * step.min(left);
        let drops = owner.intent.drops();
        // It flies past bodies.
        let scenery = around.scenery().among(None).dropping(drops);
        if let Some(hit) = scenery.cast_in_tick(self.tip, motion, share) {
            let time = hit.time * share * around.dt;
            self.tip += motion * hit.time;
            let rope = self.tip.distance((owner.place)(time));
            if rope > tuning.hook_length {
                // The body has moved away since, so the rope is too short.
                self.state = HookState::Returning;
                news.missed = Some(HookMiss::RopeTooShort);
                return around.dt - time;
            }
            self.length = rope;
            news.since = time;
            self.attach(hit.feature, 1.0 - time / around.dt, around);
            news.attached = Some(hit.feature);
            return 0.0;
        }
        self.tip += motion;
        self.length += step;
        if self.length >= tuning.hook_length {
            self.state = HookState::Returning;
            news.missed = Some(HookMiss::NothingInReach);
            return around.dt * (1.0 - share);
        }
        0.0
    }

    /// Flies back by this distance, if it is on its way to the body.
    fn fly_back(&mut self, body: &Body, by: f64) {
        if self.state != HookState::Returning {
            return;
        }
        let back = body.pos - self.tip;
        if back.length() <= by {
            *self = Self::default();
        } else {
            self.tip += back.normalize_or_zero() * by;
        }
    }

    /// Attaches for the last share `left` of this tick.
    fn attach(&mut self, feature: Feature, left: f64, around: &Surroundings) {
        self.state = HookState::Attached;
        self.platform = around.level.terrain.edge_of(feature).platform;
        if let Some(platform) = self.platform {
            self.tip += around.transit.steps[platform as usize] * left;
        }
    }

    /// Snaps the rope.
    pub fn snap(&mut self, news: &mut HookNews) {
        // A script may have released the hook while its rule was asked.
        if self.is_attached() {
            self.state = HookState::Returning;
            news.lost = Some(HookLoss::Snapped);
        }
    }

    /// Its rope in this tick, for a body that its support has `carried` with this velocity.
    pub(super) fn rope(&self, carried: DVec2, body: &Body, step: &Step<PlatformerTuning>) -> Rope {
        let around = step.context.around;
        Rope {
            pull_speed: step.loadout.tuning.hook_pull_speed,
            tip_velocity: around.platform_velocity(self.platform, self.tip) - carried,
            wind: around.drift(body.external, None).0 / around.dt,
            hub: step.loadout.shape.half.min_element(),
        }
    }

    /// Moves the body back within the rope's length, if sliding along obstacles led it beyond.
    pub fn hold_back(&self, body: &mut Body, context: &MoveContext) {
        for _ in 0..MOST_PULLS {
            let rope = self.tip - body.pos;
            let over = rope.length() - self.length;
            if !self.is_attached() || over <= TOUCH {
                return;
            }
            let back = rope.normalize_or_zero() * over;
            let slid = slide(&context.scenery(), context.shape, body.pos, back, |_, _| false);
            body.pos = slid.pos;
            // The velocity away from the tip is lost.
            let out = (body.pos - self.tip).normalize_or_zero();
            let outward = (body.vel - context.around.platform_velocity(self.platform, self.tip)).dot(out);
            if outward > 0.0 {
                body.vel -= out * outward;
            }
            // The body may have left its ground; settling looks for it again.
            body.ground = None;
        }
    }

    /// Feeds the state into a hash.
    pub fn digest(&self, digest: &mut Digest) {
        digest.word(self.state as u64 + 4 * u64::from(self.free) + 8 * u64::from(self.on_entity));
        // Platform numbers depend on the order in the file, which must not influence the hash.
        digest.word(self.platform.map_or(u64::MAX, |_| 0));
        digest.vector(self.tip);
        digest.vector(self.heading);
        digest.number(self.length);
    }
}

impl Hooked<PlatformerState, PlatformerTuning> for Platformer {
    fn is_attached(&self, state: &PlatformerState) -> bool {
        state.hook.is_attached()
    }

    fn strain(
        &self,
        state: &PlatformerState,
        body: &Body,
        intent: &Intent,
        motion: &Motion,
        loadout: &Loadout<PlatformerTuning>,
        pace: f64,
    ) -> Option<Strain> {
        let (hook, tuning) = (&state.hook, &loadout.tuning);
        if !hook.is_attached() || body.cling.is_some() {
            return None;
        }
        let rope = hook.tip - body.pos;
        let along = rope.normalize_or_zero();
        // Before the rope acts, the body leaves the circle that it swings on. The faster it swings,
        // the harder it pulls: at a low rate as in a step of a swing.
        let aside = motion.displacement - along * motion.displacement.dot(along);
        let aside = aside * (pace / STEPS).min(1.0);
        let towards = (rope - aside).normalize_or_zero();
        let pull_away = tuning.hook_pull_speed - motion.velocity.dot(towards);
        let away_held = intent.side() * rope.x < 0.0;
        let snaps = pull_away > tuning.hook_snap_speed && (away_held || !tuning.hook_snap_needs_key);
        Some(Strain { pull_away, length: rope.length(), tip: hook.tip, away_held, snaps })
    }

    fn pull(
        &self,
        state: &mut PlatformerState,
        body: &mut Body,
        motion: &mut Motion,
        step: &Step<PlatformerTuning>,
        report: &Report,
    ) {
        if !state.hook.is_on_terrain() {
            // A joint pulls, or a script has released the hook while its rule was asked.
            return;
        }
        let walk = body.ground.map(|contact| (contact, *motion));
        *motion = Pull::of(&state.hook, body, step, report).motion(body, walk, 0.0, step.context.around.dt);
    }

    fn flown(
        &self,
        state: &PlatformerState,
        body: &Body,
        loadout: &Loadout<PlatformerTuning>,
        report: &Report,
        dt: f64,
    ) -> Option<Flown> {
        let (hook, tuning, news) = (&state.hook, &loadout.tuning, &report.details().hook);
        let step = tuning.hook_speed * dt;
        let (to, by, left) = match hook.state {
            HookState::Firing => (hook.tip, step.min(hook.length), 0.0),
            HookState::Attached if news.attached.is_some() => {
                (hook.tip, tuning.hook_speed * news.since, dt - news.since)
            }
            HookState::Returning if news.missed == Some(HookMiss::NothingInReach) => {
                // It has turned back already.
                let beyond = hook.length - tuning.hook_length;
                let far = hook.tip + (hook.tip - body.pos).normalize_or_zero() * beyond;
                (far, step - beyond, beyond / tuning.hook_speed)
            }
            _ => return None,
        };
        let times = [by / tuning.hook_speed, left];
        (tuning.hook_holds == HookHolds::Entities).then_some(Flown { way: [to - hook.heading * by, to], times })
    }

    fn hold(&self, state: &mut PlatformerState, tip: DVec2, length: f64) {
        let hook = &mut state.hook;
        (hook.state, hook.on_entity, hook.platform) = (HookState::Attached, true, None);
        (hook.tip, hook.length) = (tip, length);
    }

    fn winds(&self, state: &PlatformerState, loadout: &Loadout<PlatformerTuning>) -> Option<f64> {
        state.hook.is_on_entity().then_some(loadout.tuning.hook_pull_speed)
    }

    fn snap(&self, state: &mut PlatformerState, report: &mut Report) {
        state.hook.snap(&mut report.details_mut().hook);
    }

    fn order(&self, state: &mut PlatformerState, body: &Body, order: HookOrder, report: &mut Report) {
        match order {
            HookOrder::Fire(at) => {
                state.hook.release(&mut report.details_mut().hook);
                state.hook.fire(body.pos, at, true);
            }
            HookOrder::Release => state.hook.release(&mut report.details_mut().hook),
        }
    }

    fn adopt(&self, state: &mut PlatformerState, old: Option<&Terrain>, new: &Scenery) -> bool {
        let hook = &mut state.hook;
        if !hook.is_on_terrain() || old.is_none() && hook.platform.is_some() {
            return false;
        }
        let name = |terrain: &Terrain, platform: &Platform| terrain.solids()[platform.solid as usize].name.clone();
        let found = hook.platform.zip(old).and_then(|(platform, old)| {
            let wanted = name(old, &old.platforms()[platform as usize]);
            let mut platforms = new.terrain.platforms().iter();
            platforms.position(|p| name(new.terrain, p) == wanted)
        });
        let kept = match found {
            Some(place) => {
                hook.platform = Some(place as u16);
                true
            }
            None => {
                hook.platform = new.platform_at(GRIP, hook.tip);
                let above = hook.tip + DVec2::Y * GRIP.half.y;
                new.overlap(GRIP, hook.tip).is_some() || new.probe(GRIP, above, GRIP.half.y).is_some()
            }
        };
        if !kept {
            hook.state = HookState::Returning;
        }
        !kept
    }

    fn view(&self, state: &PlatformerState) -> HookView {
        HookView { state: state.hook.state, tip: state.hook.tip, length: state.hook.length }
    }
}
