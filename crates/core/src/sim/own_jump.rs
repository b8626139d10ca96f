//! Planning a jump of an entity's own model, by playing the model.

use super::*;

/// A jump that an entity can make with its keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnJump {
    /// The direction key: 1 for right, −1 for left, 0 for none.
    pub side: f64,
    /// How long to hold it, s.
    pub steer: f64,
    /// How long to hold the jump key, s.
    pub hold: f64,
    /// How long the jump takes, s.
    pub time: f64,
    /// Where the body's lowest point lands, px.
    pub at: DVec2,
    /// The run before the jump, if there is one. Both keys are held from its end on.
    pub run_up: Option<RunUp>,
}

/// The destination of a jump that an entity makes with its keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnAim {
    /// Where the body's lowest point lands, px, give or take half of its width.
    pub at: DVec2,
    /// Whether it may run before the jump if none from where it is leads there.
    pub run_up: bool,
}

/// A run along the ground before a jump.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunUp {
    /// The direction key: 1 for right, −1 for left.
    pub side: f64,
    /// How long to hold it before the jump, s.
    pub seconds: f64,
    /// How far the body runs, px.
    pub distance: f64,
}

/// Why no such jump was found.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum OwnJumpError {
    /// Jumps are only planned in side views.
    #[error("its own jumps can only be planned in a side view")]
    TopView,
    /// The model has no jump key, or the body does not stand.
    #[error("it cannot jump from where it is")]
    CannotJump,
    /// No jump lands there.
    #[error("no jump of its model lands there")]
    Unreachable,
    /// The search has taken all the work that it may.
    #[error("it takes too long to find out")]
    TooMuchWork,
}

/// The longest flight, s.
const MOST_SECONDS: f64 = 3.0;

/// The longest run before a jump, s.
const LONGEST_RUN: f64 = 1.5;

/// How many lengths of a run are tried to each side.
const RUNS: u32 = 3;

/// The highest tick rate that jumps are searched at, per second. At a higher one every try would take longer, so that fewer
/// jumps could be tried.
const SEARCH_HZ: u32 = 60;

/// How much higher or lower than the target a body may land, px.
const LEVEL_WITH: f64 = 2.0;

/// A jump that lands at most this many times as far from the target as it may, at one tick rate, can be corrected at another.
const NEAR: f64 = 4.0;

/// Work of preparing a world, of a tick of it, and, for each of them, of a platform.
pub const WORK_OF_WORLD: u64 = 100;
pub const WORK_OF_TICK: u64 = 24;
const WORK_OF_PLATFORM: u64 = 2;

impl Stage {
    /// Plans a jump of an entity with this profile, with the keys of the model that moves it, in a level that is like this in tick
    /// `now`.
    ///
    /// # Errors
    /// Why there is no such jump.
    pub fn plan_own_jump(
        &self,
        now: u64,
        changes: &LevelChanges,
        profile: usize,
        view: &EntityView,
        aim: OwnAim,
        work: &mut PlanWork,
    ) -> Result<OwnJump, OwnJumpError> {
        let OwnAim { at: target, run_up } = aim;
        if self.level.view != View::Side {
            return Err(OwnJumpError::TopView);
        }
        let jumps = view.model.is_some_and(|model| model.jumps_in(View::Side));
        if !jumps || !view.grounded || view.rate == 0.0 {
            return Err(OwnJumpError::CannotJump);
        }
        let trial = |stage: Stage, now, changes: &LevelChanges| Trial::new(stage, now, changes, profile, view, target);
        let mut exact = trial(self.clone(), now, changes);
        if self.hz <= SEARCH_HZ {
            return exact.within(work, |trial| trial.search(run_up));
        }
        // The same time, in ticks of the other length: platforms are where they are now.
        let seconds = changes.seconds(now, f64::from(self.hz));
        let rough_now = (seconds * f64::from(SEARCH_HZ)).round() as u64;
        let at = seconds * f64::from(SEARCH_HZ);
        let clock = changes.clock.map(|clock| LevelClock { since: rough_now, at, ..clock });
        let at_start = LevelChanges { began: 0, clock, ..changes.clone() };
        let mut rough = trial(self.at_rate(SEARCH_HZ), rough_now, &at_start);
        let found = rough.within(work, |trial| trial.search(run_up));
        match found.or(rough.nearest.ok_or(OwnJumpError::Unreachable)) {
            Ok(near) => exact.within(work, |trial| trial.near(&near, run_up)),
            Err(_) => found,
        }
    }
}

/// The world that jumps are tried in: the entity alone, as its player would see it.
pub struct Trial {
    pub stage: Stage,
    pub world: World,
    from: DVec2,
    target: DVec2,
    /// The rate of the body's time: the times of keys are in that.
    rate: f64,
    /// How far from the target it may land, to the left or right, px.
    aside: f64,
    /// How many platforms each tick moves.
    platforms: u64,
    work: u64,
    most_work: u64,
    /// Whether a body that has sunk below the target may rise again.
    returns: bool,
    /// Whether the body moves when the jump begins.
    moves: bool,
    /// The distance from its center to its lowest point, px.
    depth: f64,
    /// The most ticks after which letting go of the jump key would still have ended the rise of a jump.
    held: u64,
    /// Where along x the last jump was after each tick, and its velocity.
    course: Vec<(f64, f64)>,
    /// After how many ticks a rising body has grabbed a wall at the earliest.
    grabs: Option<u64>,
    /// The jump that came closest to the target, if none has landed there.
    nearest: Option<OwnJump>,
}

/// How a try of a jump has ended.
#[derive(Clone, Copy)]
struct JumpEnd {
    /// Where it has landed or, if that is lower than the target or nowhere, where it was at the height of the target.
    at: DVec2,
    ticks: u64,
    lands: bool,
    /// Whether it has grabbed a wall on its way up: with less speed, it would have been higher there.
    blocked: bool,
}

/// What a jump has come to.
enum Attempt {
    There(OwnJump),
    /// It leads to this x before the target.
    Short(f64),
    /// It leads to this x beyond the target, in this many ticks.
    Beyond(f64, u64),
}

/// The keys of a jump: a direction, and for how many ticks it and the jump key are held.
#[derive(Clone, Copy)]
struct JumpKeys {
    side: f64,
    steer: u64,
    hold: u64,
}

/// Whole numbers between two that are known: what is tried at `low` fails in one direction, at `high` in the other.
struct Bracket {
    low: u64,
    high: u64,
    /// Where the jumps with these have landed.
    at: [Option<f64>; 2],
}

impl Bracket {
    /// Which number to try after `guess`, in the `round`-th round.
    fn next(&self, guess: u64, round: u32, target: f64) -> u64 {
        let Self { low, high, at } = *self;
        let wide = 1 << (2 * round).min(32);
        let next = match at {
            [None, _] => guess.saturating_sub(wide),
            [_, None] => guess + wide,
            // The place of the landing is almost proportional to the time.
            [Some(from), Some(to)] if round % 3 != 2 && from != to => {
                let share = ((target - from) / (to - from)).clamp(0.0, 1.0);
                low + (share * (high - low) as f64).round() as u64
            }
            _ => low.midpoint(high),
        };
        next.clamp(low + 1, high - 1)
    }
}

impl Trial {
    pub fn new(
        mut stage: Stage,
        now: u64,
        changes: &LevelChanges,
        profile: usize,
        view: &EntityView,
        target: DVec2,
    ) -> Self {
        stage.script = None;
        stage.touches = false;
        stage.starts = Arc::new(vec![Start {
            name: view.name.clone(),
            profile,
            at: view.pos,
            z: 0.0,
            angle: 0.0,
            velocity: view.vel,
            player: Some(1),
        }]);
        let mut world = World::begin(&stage, 0, now, Value::Unit);
        // The zones that are off are missing in the stage already, and what scripts have created is in it.
        let changes = LevelChanges { zones_off: Absent::default(), ..changes.of_built() };
        world.switches = Switches::of(&stage, changes);
        let entity = world.entities()[0].id;
        world.population.lanes.clock_mut(&world.population.entities[0]).scale = view.time_scale;
        // With the platforms where they are.
        world.place(&stage, entity, view.pos);
        let model = stage.profiles[profile].model;
        if let Some(wanted) = view.model.filter(|wanted| *wanted != model) {
            world.order(&stage, entity, &Command::SetModel(wanted));
        }
        if view.external != DVec2::ZERO {
            world.order(&stage, entity, &Command::Push(view.external));
        }
        if view.external_z != 0.0 {
            world.order(&stage, entity, &Command::PushZ(view.external_z));
        }
        let platforms = stage.level.terrain.platforms().len() as u64;
        Self {
            from: view.pos,
            target,
            rate: view.rate,
            aside: view.half.x,
            work: WORK_OF_WORLD + WORK_OF_PLATFORM * platforms,
            platforms,
            most_work: u64::MAX,
            returns: !stage.level.zones.list().is_empty() || platforms > 0,
            moves: view.vel != DVec2::ZERO || view.external != DVec2::ZERO,
            depth: view.depth,
            held: 0,
            course: Vec::new(),
            grabs: None,
            nearest: None,
            stage,
            world,
        }
    }

    /// Searches with the work that is left, and counts what it takes.
    fn within(
        &mut self,
        work: &mut PlanWork,
        search: impl FnOnce(&mut Self) -> Result<OwnJump, OwnJumpError>,
    ) -> Result<OwnJump, OwnJumpError> {
        self.most_work = work.most;
        self.work += work.done;
        let found = search(self);
        work.done = self.work;
        found
    }

    /// How many ticks take this long, in the time of the body.
    fn ticks(&self, seconds: f64) -> f64 {
        seconds * f64::from(self.stage.hz) / self.rate
    }

    /// How long a number of ticks takes, in the time of the body, s.
    fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 * self.rate / f64::from(self.stage.hz)
    }

    /// The longest flight, in ticks.
    fn most_ticks(&self) -> u64 {
        self.ticks(MOST_SECONDS) as u64
    }

    /// Searches for a jump near one that was found at another tick rate, then for any.
    fn near(&mut self, near: &OwnJump, run_up: bool) -> Result<OwnJump, OwnJumpError> {
        let ticks = |seconds: f64| self.ticks(seconds).round() as u64;
        let (steer, hold) = (ticks(near.steer), ticks(near.hold).max(1));
        let keys = JumpKeys { side: near.side, steer, hold };
        if let Some(run) = near.run_up {
            let most = ticks(run.seconds);
            let found = self.after_run(run.side, most, |trial| trial.walk(keys))?;
            return found.ok_or(OwnJumpError::Unreachable);
        }
        match self.walk(keys)? {
            Some(jump) => Ok(jump),
            None => self.search(run_up),
        }
    }

    /// Searches for a jump from where the body is, then for one after a run.
    fn search(&mut self, run_up: bool) -> Result<OwnJump, OwnJumpError> {
        let found = self.without_run();
        if !run_up || found != Err(OwnJumpError::Unreachable) {
            return found;
        }
        let toward = 1.0_f64.copysign(self.target.x - self.from.x);
        let most = self.most_ticks();
        for side in [toward, -toward] {
            let mut run = self.ticks(LONGEST_RUN) as u64;
            // First the longest run that the ground allows, then shorter ones.
            for _ in 0..RUNS {
                let mut ran = 0;
                let found = self.after_run(side, run, |trial| {
                    ran = trial.world.tick;
                    trial.walk(JumpKeys { side: toward, steer: most, hold: most })
                })?;
                if let Some(jump) = found {
                    return Ok(jump);
                }
                run = ran.saturating_sub(self.world.tick) / 2;
            }
        }
        found
    }

    /// Runs for up to this many ticks while there is ground, and tries to jump from there.
    fn after_run(
        &mut self,
        side: f64,
        most: u64,
        jump: impl FnOnce(&mut Self) -> Result<Option<OwnJump>, OwnJumpError>,
    ) -> Result<Option<OwnJump>, OwnJumpError> {
        let mut input = PlayerInput::default();
        input.held.insert(if side > 0.0 { Action::Right } else { Action::Left });
        let mut world = self.world.clone();
        let mut next = world.clone();
        self.work += 2 * WORK_OF_WORLD;
        for _ in 0..most {
            self.work += WORK_OF_TICK + WORK_OF_PLATFORM * self.platforms + WORK_OF_WORLD;
            if self.work > self.most_work {
                return Err(OwnJumpError::TooMuchWork);
            }
            next.tick(&self.stage, &Inputs::of_first(input), &mut NativeRules);
            if !next.population.body_at_mut(0).stands() {
                break;
            }
            world = next.clone();
        }
        let at = world.population.body_at_mut(0).pos;
        let ticks = world.tick - self.world.tick;
        if ticks == 0 {
            return Ok(None);
        }
        let start = (mem::replace(&mut self.world, world), mem::replace(&mut self.from, at));
        let found = jump(self);
        let (seconds, distance) = (self.seconds(ticks), (at.x - start.1.x).abs());
        (self.world, self.from) = start;
        let run_up = Some(RunUp { side, seconds, distance });
        Ok(found?.map(|jump| OwnJump { run_up, ..jump }))
    }

    /// Searches for a jump from where the body is.
    fn without_run(&mut self) -> Result<OwnJump, OwnJumpError> {
        let most = self.most_ticks();
        let way = self.target.x - self.from.x;
        let (toward, above) = (1.0_f64.copysign(way), way.abs() <= self.aside);
        let steer = if above { 0 } else { most };
        if let Some(jump) = self.walk(JumpKeys { side: toward, steer, hold: most })? {
            return Ok(jump);
        }
        // A body that lets go of the key just before it can grab a wall may get over it.
        for steer in (0..self.grabs.unwrap_or(0)).rev() {
            if let Attempt::There(jump) = self.attempt(JumpKeys { side: toward, steer, hold: most })? {
                return Ok(jump);
            }
        }
        // The other direction is for bodies that are too fast, or already past the target.
        let back = above || self.moves;
        for hold in [most, 1].into_iter().filter(|_| back) {
            if let Some(jump) = self.walk(JumpKeys { side: -toward, steer, hold })? {
                return Ok(jump);
            }
        }
        Err(OwnJumpError::Unreachable)
    }

    /// Looks for the durations of both keys with which a jump lands at the target, starting with these. The longer they are
    /// held, the farther it leads. So where too short a press of the direction key is followed by one that is too long, no
    /// shorter one helps, and where that is so for a press of the jump key, no longer one does.
    fn walk(&mut self, start: JumpKeys) -> Result<Option<OwnJump>, OwnJumpError> {
        let end = self.most_ticks() + 2;
        let JumpKeys { side, mut steer, mut hold } = start;
        // Counted from 1, because a jump without the direction key may be too long.
        let mut steers = Bracket { low: 0, high: end, at: [Some(self.from.x), None] };
        if steer + 2 == end {
            match self.attempt(start)? {
                Attempt::There(jump) => return Ok(Some(jump)),
                Attempt::Short(_) => return Ok(None),
                Attempt::Beyond(x, ticks) => {
                    (steers.high, steers.at[1]) = (ticks + 1, Some(x));
                    steer = self.coasting(side).min(ticks - 1);
                }
            }
        }
        loop {
            let keys = |steer: u64| JumpKeys { side, steer: steer - 1, hold };
            if let Some(jump) = self.narrow(&mut steers, steer + 1, keys)? {
                return Ok(Some(jump));
            }
            if steers.high == end {
                return Ok(None);
            }
            steer = steers.high - 1;
            // It makes no difference how long the key is down after the top of the jump.
            hold = hold.min(self.held + 1);
            let mut holds = Bracket { low: 0, high: hold, at: [None, steers.at[1]] };
            let guess = hold.max(2) - 1;
            if let Some(jump) = self.narrow(&mut holds, guess, |hold| JumpKeys { side, steer, hold })? {
                return Ok(Some(jump));
            }
            if holds.low == 0 {
                return Ok(None);
            }
            hold = holds.low;
            steers = Bracket { low: steers.high, high: end, at: [holds.at[0], None] };
            steer = steers.low;
        }
    }

    /// For how many ticks the last jump would have had to steer, if it had kept its speed from then on.
    fn coasting(&self, side: f64) -> u64 {
        let off = |ticks: usize| {
            let (x, speed) = self.course[ticks];
            let left = self.seconds((self.course.len() - ticks) as u64);
            (x + speed * left - self.target.x) * side
        };
        let least = (0..self.course.len()).find(|ticks| off(*ticks) >= 0.0).unwrap_or(0);
        let before = least.saturating_sub(1);
        (if off(least) < -off(before) { least } else { before }) as u64
    }

    /// Tries numbers in a bracket until a jump lands at the target, or none is left between one that is too small and one
    /// that is too large.
    fn narrow(
        &mut self,
        bracket: &mut Bracket,
        mut guess: u64,
        keys: impl Fn(u64) -> JumpKeys,
    ) -> Result<Option<OwnJump>, OwnJumpError> {
        for round in 0.. {
            if bracket.high - bracket.low < 2 {
                break;
            }
            match self.attempt(keys(guess))? {
                Attempt::There(jump) => return Ok(Some(jump)),
                Attempt::Short(x) => (bracket.low, bracket.at[0]) = (guess, Some(x)),
                Attempt::Beyond(x, ticks) => {
                    bracket.high = guess.min(ticks + 1).max(bracket.low + 1);
                    bracket.at[1] = Some(x);
                }
            }
            if bracket.high - bracket.low > 1 {
                guess = bracket.next(guess, round, self.target.x);
            }
        }
        Ok(None)
    }

    /// Plays a jump and compares where it lands with the target.
    fn attempt(&mut self, keys: JumpKeys) -> Result<Attempt, OwnJumpError> {
        let Some(end) = self.play(keys)? else {
            return Err(OwnJumpError::CannotJump);
        };
        let off = end.at - self.target;
        let seconds = |ticks: u64| self.seconds(ticks.min(end.ticks));
        let (steer, hold, time) = (seconds(keys.steer), seconds(keys.hold), seconds(end.ticks));
        let side = if keys.steer == 0 { 0.0 } else { keys.side };
        let jump = OwnJump { side, steer, hold, time, at: end.at, run_up: None };
        if end.lands && off.x.abs() <= self.aside && off.y.abs() <= LEVEL_WITH {
            return Ok(Attempt::There(jump));
        }
        let nearest = self.nearest.map_or(NEAR * self.aside, |jump| (jump.at.x - self.target.x).abs());
        if off.x.abs() < nearest {
            self.nearest = Some(OwnJump { side: keys.side, ..jump });
        }
        Ok(if off.x * keys.side < 0.0 && !end.blocked {
            Attempt::Short(end.at.x)
        } else {
            Attempt::Beyond(end.at.x, end.ticks)
        })
    }

    /// Plays a jump until it lands, or cannot land at the target any more; `None` if it does not start.
    fn play(&mut self, keys: JumpKeys) -> Result<Option<JumpEnd>, OwnJumpError> {
        let mut world = self.world.clone();
        let of_platforms = WORK_OF_PLATFORM * self.platforms;
        self.work += WORK_OF_WORLD + of_platforms;
        // Where its lowest point has sunk below the target.
        let mut sunk = None;
        let mut end = JumpEnd { at: self.from, ticks: 0, lands: false, blocked: false };
        let mut rises = false;
        self.course.clear();
        self.course.push((self.from.x, 0.0));
        while end.ticks < self.most_ticks() {
            self.work += WORK_OF_TICK + of_platforms;
            if self.work > self.most_work {
                return Err(OwnJumpError::TooMuchWork);
            }
            let mut input = PlayerInput::default();
            if end.ticks < keys.hold {
                input.held.insert(Action::Jump);
            }
            if end.ticks < keys.steer {
                input.held.insert(if keys.side > 0.0 { Action::Right } else { Action::Left });
            }
            world.tick(&self.stage, &Inputs::of_first(input), &mut NativeRules);
            let mut jumps = end.ticks > 0;
            let mut falls = false;
            end.ticks += 1;
            for event in world.events() {
                match event.kind {
                    EventKind::Land { at, .. } if jumps => {
                        (end.at, end.lands) = (at, sunk.is_none());
                        end.at.x = sunk.unwrap_or(at.x);
                        return Ok(Some(end));
                    }
                    EventKind::Jump => jumps = true,
                    EventKind::FallOut => falls = true,
                    _ => {}
                }
            }
            if !jumps {
                return Ok(None);
            }
            let body = world.population.body_at_mut(0);
            let up = body.up();
            if body.jump.rising() {
                self.held = self.held.max(end.ticks);
            }
            self.course.push((body.pos.x, body.vel.x));
            let clings = body.cling.is_some();
            end.blocked = clings && rises;
            if end.blocked {
                self.grabs = Some(self.grabs.map_or(end.ticks, |ticks| ticks.min(end.ticks)));
            }
            rises = body.vel.y * up > 0.0;
            end.at = body.pos - DVec2::new(0.0, self.depth * up);
            let sinks = (body.vel + body.external).y * up <= 0.0 && (end.at - self.target).y * up < -LEVEL_WITH;
            sunk = sinks.then(|| sunk.unwrap_or(end.at.x));
            if falls || clings || (sinks && !self.returns) {
                break;
            }
        }
        end.at.x = sunk.unwrap_or(end.at.x);
        Ok(Some(end))
    }
}
