//! Playing the moves that a search tries.

use super::{
    own_jump::{Trial, WORK_OF_TICK, WORK_OF_WORLD},
    posture::ducks,
    route_search::{Candidate, Stop},
    *,
};

/// The most work of playing one move, and what it may take in addition for each tick that a second has.
const WORK_OF_MOVE: u64 = 4_000;
const WORK_OF_RATE: f64 = 100.0;

/// How long the ground should be on which a body takes a run, px.
const RUN_UP: f64 = 250.0;

/// The distance between two stops of a walk, px.
const STRIDE: f64 = 48.0;

/// The longest walk without a stop, s, and the longest fall, with coming to rest.
const LONGEST_WALK: f64 = 2.0;
const LONGEST_FALL: f64 = 4.0;

/// The time that a leap takes at least, s, and for how many durations of the jump key it is tried.
const LEAST_LEAP: f64 = 0.5;
const LEAPS: u32 = 6;

/// The longest time on the rope, s.
const LONGEST_SWING: f64 = 1.5;

/// The time between two moments at which letting go is tried, s.
const SWING_STEP: f64 = 0.07;

/// How many swings are tried from all places of one ground.
const MOST_SWINGS: u32 = 48;

/// No line of ground, among the tries.
const NO_LINE: u32 = u32::MAX;

/// How often in a row a body that is at rest must be found in the same place, ticks.
const STILL_TICKS: u32 = 2;

impl RouteSearch {
    /// Fires the hook at a point, and plays what happens when it and the direction key are let go at several moments.
    pub fn swing(&mut self, stage: &Stage, from: u32, aim: DVec2, side: f64) {
        let Stop { ground, .. } = self.stops[from as usize];
        let tries = self.tries.entry((ground, NO_LINE)).or_default();
        if tries.tried == MOST_SWINGS {
            return;
        }
        tries.tried += 1;
        let mut trial = self.world_at(stage, from);
        let every = ((SWING_STEP * self.hz) as u64).max(1);
        let until = self.work + 3 * self.most_of_move();
        for ticks in 1..=(LONGEST_SWING * self.hz) as u64 {
            let seconds = ticks as f64 / self.hz;
            let keys = MoveKeys { side, steer: seconds, hook: seconds, aim, ..MoveKeys::default() };
            self.tick(&trial.stage, &mut trial.world, keys.input(0.0));
            let hook = trial.world.hook(&trial.world.entities()[0]);
            let body = trial.world.population.body_at_mut(0);
            if body.cling.is_some() || self.work > until {
                return;
            }
            let lets_go = hook.state == HookState::Attached && body.ground.is_none() && ticks % every == 0;
            if lets_go && let Some((at, rest)) = self.stand(&trial.stage, &trial.world, false) {
                self.arrive(from, self.made(MoveKind::Swing, at, ticks + rest, keys), 0.0);
            }
        }
    }

    /// The world in which the body rests at a place.
    fn world_at(&mut self, stage: &Stage, from: u32) -> Trial {
        self.work += WORK_OF_WORLD;
        let view = self.view(stage, from);
        Trial::new(stage.clone(), 0, &self.changes, self.profile, &view, view.pos)
    }

    fn view(&self, stage: &Stage, from: u32) -> EntityView {
        let profile = &stage.profiles[self.profile];
        EntityView {
            name: profile.kind.clone(),
            kind: profile.kind.clone(),
            model: Some(self.body.model),
            pos: self.stops[from as usize].at,
            grounded: true,
            half: self.body.shape.half,
            form: self.body.shape.form,
            depth: profile.loadouts.depth(self.body.model, 0.0),
            ..EntityView::empty()
        }
    }

    /// Walks to one side until the ground ends or something is in the way, with stops in between.
    pub fn walk(&mut self, stage: &Stage, from: u32, side: f64) {
        let trial = self.world_at(stage, from);
        let hz = self.hz;
        let keys = |ticks: u64| MoveKeys { side, steer: ticks as f64 / hz, ..MoveKeys::default() };
        let held = keys(u64::MAX).input(0.0);
        let most = (LONGEST_WALK * hz) as u64;
        let until = self.work + 2 * self.most_of_move();
        let mut world = trial.world.clone();
        let mut last = (0, world.clone());
        let (mut from_x, mut x) = (self.stops[from as usize].at.x, self.stops[from as usize].at.x);
        let (mut ticks, mut falls) = (0, false);
        let mut end = self.stops[from as usize].at;
        let ground = self.stops[from as usize].ground;
        while ticks < most && self.work < until {
            self.tick(&trial.stage, &mut world, held);
            ticks += 1;
            let body = world.population.body_at_mut(0);
            falls = body.ground.is_none();
            if !falls {
                end = body.pos;
            }
            if let Some(Feature::Face(edge)) =
                body.ground.map(|contact| contact.feature).filter(|on| on.body().is_none())
            {
                let line = self.line_of(stage, edge);
                self.walked.insert((ground, line));
            }
            let (now, stuck) = (body.pos.x, (body.pos.x - x).abs() < 1e-6);
            if falls || stuck && ticks > 1 {
                break;
            }
            x = now;
            let near = (x - self.goal.x).abs() < 2.0 * STRIDE;
            let stops = (x - from_x).abs() >= STRIDE || near;
            if stops && let Some((at, rest)) = self.stand(&trial.stage, &world, true) {
                self.arrive(from, self.made(MoveKind::Walk, at, ticks + rest, keys(ticks)), 0.0);
                (from_x, last) = (x, (ticks, world.clone()));
            }
        }
        if ticks == most || self.work >= until {
            // It walks on from a stop on the way, with enough ground for a run before the end.
            let mine = |stop: &&mut Stop| stop.before == from && stop.walked && (stop.at.x - x).abs() > RUN_UP;
            if let Some(stop) = self.stops.iter_mut().rev().take_while(|stop| stop.before == from).find(mine) {
                stop.walked = false;
            }
            return;
        }
        // The last stop before the end of the ground, or before what is in the way.
        let (mut low, mut high) = (last.0, ticks);
        let mut found = None;
        while high - low > 1 {
            let middle = low.midpoint(high);
            let mut world = last.1.clone();
            self.work += WORK_OF_WORLD;
            for _ in last.0..middle {
                self.tick(&trial.stage, &mut world, held);
            }
            match self.stand(&trial.stage, &world, true) {
                Some((at, rest)) => {
                    low = middle;
                    found = Some((at, middle + rest));
                }
                None => high = middle,
            }
        }
        if let Some((at, all)) = found {
            let edge = if falls { side } else { 0.0 };
            self.arrive(from, self.made(MoveKind::Walk, at, all, keys(low)), edge);
        }
        if falls {
            self.fall(&trial, from, side, &world, ticks);
            let (running, leap) = ((ticks - 1) as f64 / self.hz, self.body.run * LEAST_LEAP);
            let time = self.stops[from as usize].time + running + LEAST_LEAP;
            self.push(time, end + DVec2::new(side * leap, 0.0), from, Candidate::Leap(side, ticks - 1));
        }
    }

    /// Walks off the edge that is next to a place.
    pub fn step_off(&mut self, stage: &Stage, from: u32, side: f64) {
        let trial = self.world_at(stage, from);
        let held = MoveKeys { side, steer: f64::MAX, ..MoveKeys::default() }.input(0.0);
        let mut world = trial.world.clone();
        for ticks in 1..=(LONGEST_WALK / 4.0 * f64::from(trial.stage.hz)) as u64 {
            self.tick(&trial.stage, &mut world, held);
            if world.population.body_at_mut(0).ground.is_none() {
                self.fall(&trial, from, side, &world, ticks);
                return;
            }
        }
    }

    /// Falls from where the ground has ended, with and without the direction key.
    fn fall(&mut self, trial: &Trial, from: u32, side: f64, world: &World, ticks: u64) {
        let hz = self.hz;
        let keys = |ticks: u64| MoveKeys { side, steer: ticks as f64 / hz, ..MoveKeys::default() };
        if let Some((at, rest)) = self.stand(&trial.stage, world, false) {
            self.arrive(from, self.made(MoveKind::Drop, at, ticks + rest, keys(ticks)), 0.0);
        }
        let mut world = world.clone();
        self.work += WORK_OF_WORLD;
        let Some(flight) = self.land(&trial.stage, &mut world, &keys(u64::MAX)) else { return };
        if let Some((at, rest)) = self.stand(&trial.stage, &world, false) {
            let all = ticks + flight;
            self.arrive(from, self.made(MoveKind::Drop, at, all + rest, keys(all)), 0.0);
        }
    }

    /// Runs to the end of the ground and tries jumps of several lengths from there, the longest first.
    pub fn leap(&mut self, stage: &Stage, from: u32, side: f64, ticks: u64) {
        let mut trial = self.world_at(stage, from);
        let start = self.stops[from as usize].at.x;
        let seconds = ticks as f64 / self.hz;
        let run = MoveKeys { side, steer: f64::MAX, ..MoveKeys::default() };
        for _ in 0..ticks {
            self.tick(&trial.stage, &mut trial.world, run.input(0.0));
        }
        let distance = (trial.world.population.body_at_mut(0).pos.x - start).abs();
        let run_up = (ticks > 0).then_some(RunUp { side, seconds, distance });
        // Held until the top of the jump, and for parts of that time.
        let rise = (self.body.hold + self.body.jump / self.body.gravity) * self.hz;
        for part in (1..=LEAPS).rev() {
            let hold = (rise * f64::from(part) / f64::from(LEAPS)).ceil();
            let keys = MoveKeys { hold: hold / self.hz, ..run };
            let mut world = trial.world.clone();
            self.work += WORK_OF_WORLD;
            let Some(flight) = self.land(&trial.stage, &mut world, &keys) else { continue };
            let Some((at, rest)) = self.stand(&trial.stage, &world, false) else { continue };
            let steer = flight as f64 / self.hz;
            let keys = MoveKeys { steer, hold: keys.hold.min(steer), ..keys };
            let by = self.made(MoveKind::Jump, at, ticks + flight + rest, keys);
            self.arrive(from, RouteMove { run_up, ..by }, 0.0);
        }
    }

    /// Holds keys until the body has left the ground and lands; after how many ticks. `None` if it does not land.
    fn land(&mut self, stage: &Stage, world: &mut World, keys: &MoveKeys) -> Option<u64> {
        let most = (LONGEST_FALL * self.hz) as u64;
        let mut flies = world.population.body_at_mut(0).ground.is_none();
        for ticks in 0..most {
            self.tick(stage, world, keys.input(ticks as f64 / self.hz));
            let outside = world.events().iter().any(|event| event.kind == EventKind::FallOut);
            let body = world.population.body_at_mut(0);
            let stands = body.ground.is_some();
            if outside || body.cling.is_some() || stands && !flies && ticks > 0 {
                return None;
            }
            if stands && flies {
                return Some(ticks + 1);
            }
            flies |= !stands;
        }
        None
    }

    /// Falls through a one-way platform.
    pub fn fall_through(&mut self, stage: &Stage, from: u32) {
        let trial = self.world_at(stage, from);
        let hz = self.hz;
        let mut world = trial.world.clone();
        let jumps = ducks(&stage.profiles[self.profile].stances);
        let keys = |down: f64| MoveKeys { down, hold: if jumps { down } else { 0.0 }, ..MoveKeys::default() };
        let held = keys(1.0).input(0.0);
        let below = trial.stage.profiles[self.profile].loadouts.depth(self.body.model, 0.0);
        let start = self.stops[from as usize].at.y;
        for ticks in 1..=hz as u64 {
            self.tick(&trial.stage, &mut world, held);
            let body = world.population.body_at_mut(0);
            // Once it is below the line, the line is one for bodies above it only.
            if (start - body.pos.y) * self.body.up > 2.0 * below || ticks > 1 && body.ground.is_some() {
                if let Some((at, rest)) = self.stand(&trial.stage, &world, false) {
                    let keys = keys(ticks as f64 / hz);
                    self.arrive(from, self.made(MoveKind::Drop, at, ticks + rest, keys), 0.0);
                }
                return;
            }
        }
    }

    /// Plans a jump to a place, and plays it until the body is at rest.
    pub fn play_jump(&mut self, stage: &Stage, from: u32, to: DVec2) -> Option<RouteMove> {
        let view = self.view(stage, from);
        let feet = to - DVec2::new(0.0, view.depth * self.body.up);
        let mut work = PlanWork::up_to(self.most_of_move());
        let aim = OwnAim { at: feet, run_up: false };
        let plan = stage.plan_own_jump(0, &self.changes, self.profile, &view, aim, &mut work);
        self.work += work.done;
        let OwnJump { side, steer, hold, time, .. } = plan.ok()?;
        // The keys are up when it has landed.
        let keys = MoveKeys { side, steer: steer.min(time), hold: hold.min(time), ..MoveKeys::default() };
        let ticks = (time * self.hz).round() as u64;
        let mut trial = self.world_at(stage, from);
        for tick in 0..ticks {
            self.tick(&trial.stage, &mut trial.world, keys.input(tick as f64 / self.hz));
        }
        let (at, rest) = self.stand(&trial.stage, &trial.world, false)?;
        Some(self.made(MoveKind::Jump, at, ticks + rest, keys))
    }

    fn most_of_move(&self) -> u64 {
        WORK_OF_MOVE + (WORK_OF_RATE * self.hz) as u64
    }

    fn tick(&mut self, stage: &Stage, world: &mut World, input: PlayerInput) {
        self.work += WORK_OF_TICK;
        world.tick(stage, &Inputs::of_first(input), &mut NativeRules);
    }

    /// Lets go of all keys until the body rests on the ground: where, and after how many ticks. `None` if it never does, or
    /// if it should `stay` on the ground and does not.
    fn stand(&mut self, stage: &Stage, world: &World, stay: bool) -> Option<(DVec2, u64)> {
        self.work += WORK_OF_WORLD;
        let mut world = world.clone();
        let most = (LONGEST_FALL * f64::from(stage.hz)) as u64;
        let (mut at, mut still) = (DVec2::NAN, 0);
        for ticks in 1..=most {
            self.tick(stage, &mut world, PlayerInput::default());
            if world.events().iter().any(|event| event.kind == EventKind::FallOut) {
                return None;
            }
            let hooked = world.hook(&world.entities()[0]).state;
            let body = world.population.body_at_mut(0);
            if stay && body.ground.is_none() || body.cling.is_some() {
                return None;
            }
            let rests = hooked == HookState::Idle
                && body.ground.is_some()
                && body.vel == DVec2::ZERO
                && body.external == DVec2::ZERO;
            still = if rests && body.pos == at { still + 1 } else { 0 };
            at = body.pos;
            if still == STILL_TICKS {
                return Some((at, ticks));
            }
        }
        None
    }

    /// A move that takes this number of ticks.
    fn made(&self, kind: MoveKind, at: DVec2, ticks: u64, keys: MoveKeys) -> RouteMove {
        RouteMove { kind, at, time: ticks as f64 / self.hz, keys, run_up: None }
    }
}
