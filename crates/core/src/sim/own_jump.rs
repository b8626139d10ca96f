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
}

/// Why no such jump was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OwnJumpError {
    /// Jumps are only planned in side views.
    TopView,
    /// The model has no jump key, or the body does not stand.
    CannotJump,
    /// No jump lands there.
    Unreachable,
    /// The search has taken all the work that it may.
    TooMuchWork,
}

impl fmt::Display for OwnJumpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TopView => "its own jumps can only be planned in a side view",
            Self::CannotJump => "it cannot jump from where it is",
            Self::Unreachable => "no jump of its model lands there",
            Self::TooMuchWork => "it takes too long to find out",
        })
    }
}

impl std::error::Error for OwnJumpError {}

/// The longest flight, s.
const MOST_SECONDS: f64 = 3.0;

/// How many durations of the direction key are tried for one jump.
const MOST_TRIES: u32 = 6;

/// The highest tick rate that jumps are searched at, per second. At a higher one every try would take longer, so that fewer
/// jumps could be tried.
const SEARCH_HZ: u32 = 60;

/// How often a jump that was found at `SEARCH_HZ` is played at the game's tick rate, to correct it.
const MOST_CORRECTIONS: u32 = 3;

/// How much higher or lower than the target a body may land, px.
const LEVEL_WITH: f64 = 2.0;

/// Work of preparing a world, of a tick of it, and, for each of them, of a platform.
const WORK_OF_WORLD: u64 = 100;
const WORK_OF_TICK: u64 = 24;
const WORK_OF_PLATFORM: u64 = 2;

impl Stage {
    /// Plans a jump of an entity with this profile, with the keys of the model that moves it, in a level that is like this in tick
    /// `now`. Its lowest point lands at `target`, give or take half of its width.
    ///
    /// # Errors
    /// Why there is no such jump.
    pub fn plan_own_jump(
        &self,
        now: u64,
        changes: &LevelChanges,
        profile: usize,
        view: &EntityView,
        target: DVec2,
        work: &mut PlanWork,
    ) -> Result<OwnJump, OwnJumpError> {
        if self.level.view != View::Side {
            return Err(OwnJumpError::TopView);
        }
        let jumps = view.model.is_some_and(|model| model.jumps_in(View::Side));
        if !jumps || !view.grounded {
            return Err(OwnJumpError::CannotJump);
        }
        if self.hz <= SEARCH_HZ {
            let mut trial = Trial::new(self.clone(), now, changes, profile, view, target);
            return trial.within(work, Trial::search);
        }
        let rough = self.at_rate(SEARCH_HZ);
        // The same time, in ticks of the other length: platforms are where they are now.
        let seconds = changes.seconds(now, f64::from(self.hz));
        let at_start = LevelChanges { began: 0, ..changes.clone() };
        let rough_now = (seconds * f64::from(SEARCH_HZ)).round() as u64;
        let mut search = Trial::new(rough, rough_now, &at_start, profile, view, target);
        search.rough = true;
        let found = search.within(work, Trial::search)?;
        let mut exact = Trial::new(self.clone(), now, changes, profile, view, target);
        exact.within(work, |trial| trial.confirm(&found))
    }
}

/// The world that jumps are tried in: the entity alone, as its player would see it.
struct Trial {
    stage: Stage,
    world: World,
    from: DVec2,
    target: DVec2,
    /// How far from the target it may land, to the left or right, px.
    aside: f64,
    /// How many platforms each tick moves.
    platforms: u64,
    work: u64,
    most_work: u64,
    /// Whether another trial corrects what this one finds.
    rough: bool,
}

/// Where a jump has landed, and after how many ticks.
#[derive(Clone, Copy)]
struct Landed {
    at: DVec2,
    ticks: u64,
}

/// What a jump has come to.
enum Attempt {
    There(OwnJump),
    Short(Landed),
    Beyond(Landed),
    /// It does not start, or does not land in time.
    Nowhere,
}

/// What a search for the duration of a direction key has come to.
enum Aimed {
    There(OwnJump),
    /// A tick less lands short of the target, and `steer` ticks beyond it, after `ticks` ticks in all. In between it would
    /// take `share` ticks.
    Between {
        share: f64,
        steer: u64,
        ticks: u64,
    },
    Never,
}

impl Trial {
    fn new(
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
        // The zones that are off are missing in the stage already.
        let changes = LevelChanges { zones_off: Absent::default(), ..changes.clone() };
        world.switches = Switches::of(&stage, changes);
        let entity = world.entities()[0].id;
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
            aside: view.half.x,
            work: WORK_OF_WORLD + WORK_OF_PLATFORM * platforms,
            platforms,
            most_work: u64::MAX,
            rough: false,
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

    /// The longest flight, in ticks.
    fn most_ticks(&self) -> u64 {
        (MOST_SECONDS * f64::from(self.stage.hz)) as u64
    }

    /// Plays a jump that was found at another tick rate, and changes how long the direction key is held until it lands
    /// there.
    fn confirm(&mut self, found: &OwnJump) -> Result<OwnJump, OwnJumpError> {
        let side = found.side;
        let ticks = |seconds: f64| (seconds * f64::from(self.stage.hz)).round() as u64;
        let (mut steer, hold) = (ticks(found.steer), ticks(found.hold).max(1));
        let mut beyond = None;
        for _ in 0..MOST_CORRECTIONS {
            match self.attempt(side, steer, hold)? {
                Attempt::There(jump) => return Ok(jump),
                Attempt::Short(_) => steer += 1,
                Attempt::Beyond(landed) if side != 0.0 => {
                    beyond = Some((steer, landed.ticks));
                    steer = steer.saturating_sub(1);
                }
                Attempt::Beyond(_) | Attempt::Nowhere => break,
            }
        }
        let refined = beyond.map(|(steer, ticks)| self.with_steer(side, steer, ticks));
        refined.transpose()?.flatten().ok_or(OwnJumpError::Unreachable)
    }

    /// Tries the highest jump first, then a short one. A tick of a direction key may change the place of the landing by more
    /// than half of the body; then the jump key decides.
    fn search(&mut self) -> Result<OwnJump, OwnJumpError> {
        let (most, hz) = (self.most_ticks(), f64::from(self.stage.hz));
        let way = self.target.x - self.from.x;
        let side = if way.abs() <= self.aside { 0.0 } else { way.signum() };
        for hold in [most, 1] {
            match self.with_hold(side, hold)? {
                Aimed::There(jump) => return Ok(jump),
                Aimed::Between { share, .. } if self.rough => {
                    let (steer, hold) = (share / hz, hold as f64 / hz);
                    return Ok(OwnJump { side, steer, hold, time: 0.0, at: self.target });
                }
                Aimed::Between { steer, ticks, .. } if hold == most => {
                    if let Some(jump) = self.with_steer(side, steer, ticks)? {
                        return Ok(jump);
                    }
                }
                Aimed::Between { .. } | Aimed::Never => {}
            }
        }
        Err(OwnJumpError::Unreachable)
    }

    /// Looks for how long the direction key has to be held in a jump whose key is held for `hold` ticks.
    fn with_hold(&mut self, side: f64, hold: u64) -> Result<Aimed, OwnJumpError> {
        let steer = if side == 0.0 { 0 } else { self.most_ticks() };
        let mut beyond = match self.attempt(side, steer, hold)? {
            Attempt::There(jump) => return Ok(Aimed::There(jump)),
            Attempt::Beyond(landed) if side != 0.0 => landed,
            _ => return Ok(Aimed::Never),
        };
        let (mut low, mut low_x, mut high) = (0, self.from.x, beyond.ticks);
        let target = self.target.x;
        // The place of the landing is almost proportional to the time.
        let share = |low_x: f64, beyond: Landed| (target - low_x) / (beyond.at.x - low_x);
        for _ in 0..MOST_TRIES {
            if high - low < 2 {
                break;
            }
            let guess = low as f64 + share(low_x, beyond).clamp(0.05, 0.95) * (high - low) as f64;
            let steer = (guess.round() as u64).clamp(low + 1, high - 1);
            match self.attempt(side, steer, hold)? {
                Attempt::There(jump) => return Ok(Aimed::There(jump)),
                Attempt::Short(landed) => (low, low_x) = (steer, landed.at.x),
                Attempt::Beyond(landed) => (high, beyond) = (steer, landed),
                Attempt::Nowhere => return Ok(Aimed::Never),
            }
        }
        let share = low as f64 + share(low_x, beyond).clamp(0.0, 1.0) * (high - low) as f64;
        Ok(Aimed::Between { share, steer: high, ticks: beyond.ticks })
    }

    /// Looks for how long the jump key has to be held, at most `most_hold` ticks, in a jump that leads too far otherwise.
    fn with_steer(&mut self, side: f64, steer: u64, most_hold: u64) -> Result<Option<OwnJump>, OwnJumpError> {
        let (mut low, mut high) = (0, most_hold);
        while high - low > 1 {
            let hold = low.midpoint(high);
            match self.attempt(side, steer, hold)? {
                Attempt::There(jump) => return Ok(Some(jump)),
                Attempt::Short(_) => low = hold,
                Attempt::Beyond(_) => high = hold,
                Attempt::Nowhere => break,
            }
        }
        Ok(None)
    }

    /// Plays a jump and compares where it lands with the target.
    fn attempt(&mut self, side: f64, steer: u64, hold: u64) -> Result<Attempt, OwnJumpError> {
        let Some(landed) = self.play(side, steer, hold)? else {
            return Ok(Attempt::Nowhere);
        };
        let off = landed.at - self.target;
        Ok(if off.x.abs() <= self.aside && off.y.abs() <= LEVEL_WITH {
            let seconds = |ticks: u64| ticks.min(landed.ticks) as f64 / f64::from(self.stage.hz);
            let (steer, hold, time) = (seconds(steer), seconds(hold), seconds(landed.ticks));
            Attempt::There(OwnJump { side, steer, hold, time, at: landed.at })
        } else if off.x * side < 0.0 {
            Attempt::Short(landed)
        } else {
            Attempt::Beyond(landed)
        })
    }

    /// Plays a jump until it lands; `None` if it does not start, or does not land in time.
    fn play(&mut self, side: f64, steer: u64, hold: u64) -> Result<Option<Landed>, OwnJumpError> {
        let mut world = self.world.clone();
        let of_platforms = WORK_OF_PLATFORM * self.platforms;
        self.work += WORK_OF_WORLD + of_platforms;
        for tick in 0..self.most_ticks() {
            self.work += WORK_OF_TICK + of_platforms;
            if self.work > self.most_work {
                return Err(OwnJumpError::TooMuchWork);
            }
            let mut input = PlayerInput::default();
            if tick < hold {
                input.held.insert(Action::Jump);
            }
            if tick < steer {
                input.held.insert(if side > 0.0 { Action::Right } else { Action::Left });
            }
            world.tick(&self.stage, &Inputs::of_first(input), &mut NativeRules);
            let mut jumps = tick > 0;
            let mut falls = false;
            for event in world.events() {
                match event.kind {
                    EventKind::Land { at, .. } if jumps => return Ok(Some(Landed { at, ticks: tick + 1 })),
                    EventKind::Jump => jumps = true,
                    EventKind::FallOut => falls = true,
                    _ => {}
                }
            }
            if falls || !jumps {
                return Ok(None);
            }
        }
        Ok(None)
    }
}
