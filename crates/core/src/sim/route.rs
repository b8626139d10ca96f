//! Routes: the moves with which a body gets from one rest position to another, found by playing its model.
//!
//! A body at rest is always at a rest position, bit for bit, without velocity. So the keys of a move, played from there,
//! lead every body of its kind to the same next rest position. The search is A* by time over the places where bodies
//! have come to rest; it keeps one such place for each small cell. A move is only played when no other looks faster.

use super::*;

/// The moves that lead from one rest position to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The body's center at the start, px.
    pub from: DVec2,
    /// The rest position nearest to the destination, px. The last move ends at most [`NEAR_GOAL`] px to its side.
    pub to: DVec2,
    /// The moves, in their order. None if the start is the destination.
    pub moves: Vec<RouteMove>,
}

impl Route {
    /// Whether all its numbers are finite.
    pub(super) fn is_finite(&self) -> bool {
        let of_move = |step: &RouteMove| {
            let MoveKeys { side, steer, hold, down, hook, aim } = step.keys;
            let run = step.run_up.map_or([0.0; 3], |run| [run.side, run.seconds, run.distance]);
            let keys = [step.time, side, steer, hold, down, hook].into_iter().chain(run);
            keys.into_iter().all(f64::is_finite) && step.at.is_finite() && aim.is_finite()
        };
        self.from.is_finite() && self.to.is_finite() && self.moves.iter().all(of_move)
    }

    /// How long all moves take, s.
    pub fn time(&self) -> f64 {
        self.moves.iter().map(|step| step.time).sum()
    }
}

/// A move from one rest position to the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteMove {
    /// Its kind.
    pub kind: MoveKind,
    /// The body's center at the end, at rest, px.
    pub at: DVec2,
    /// How long it takes until the body is at rest, s.
    pub time: f64,
    /// The keys, after the run.
    pub keys: MoveKeys,
    /// The run before a jump, if there is one.
    pub run_up: Option<RunUp>,
}

/// What a move is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MoveKind {
    /// Along the ground.
    Walk,
    /// A jump.
    Jump,
    /// A fall off an edge, or through a one-way platform.
    Drop,
    /// On the rope of the hook.
    Swing,
}

impl MoveKind {
    /// The name in scripts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Jump => "jump",
            Self::Drop => "drop",
            Self::Swing => "swing",
        }
    }
}

/// Which keys a move holds from its beginning on, and for how long, s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveKeys {
    /// The direction key: 1 for right, −1 for left, 0 for none.
    pub side: f64,
    /// The direction key's time.
    pub steer: f64,
    /// The jump key's time.
    pub hold: f64,
    /// The down key's time.
    pub down: f64,
    /// The hook key's time.
    pub hook: f64,
    /// What the hook is aimed at meanwhile, px.
    pub aim: DVec2,
}

impl MoveKeys {
    /// What is held this many seconds after the beginning, at a tick rate that the times are whole ticks of.
    pub fn input(&self, seconds: f64) -> PlayerInput {
        // The middle of the tick, so that no tick is lost by rounding.
        let held = |time: f64| seconds < time - 1e-6;
        let mut input = PlayerInput::default();
        if held(self.steer) && self.side != 0.0 {
            input.held.insert(if self.side > 0.0 { Action::Right } else { Action::Left });
        }
        for (action, time) in [(Action::Jump, self.hold), (Action::Down, self.down), (Action::Hook, self.hook)] {
            if held(time) {
                input.held.insert(action);
            }
        }
        if held(self.hook) {
            input.aim = Some(self.aim);
        }
        input
    }
}

impl RouteMove {
    /// What is held this many seconds after the beginning of the move.
    pub fn input(&self, seconds: f64) -> PlayerInput {
        let Some(run) = self.run_up else { return self.keys.input(seconds) };
        if seconds < run.seconds - 1e-6 {
            return MoveKeys { side: run.side, steer: run.seconds, ..MoveKeys::default() }.input(seconds);
        }
        self.keys.input(seconds - run.seconds)
    }
}

/// Why there is no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
pub enum RouteError {
    /// The stage has no such kind.
    #[error("there is no such kind")]
    UnknownKind,
    /// Routes are only found in side views.
    #[error("routes can only be found in a side view")]
    TopView,
    /// The kind's model has no rest positions, or they are turned off.
    #[error("only `platformer` bodies with a `rest_spacing` above 0 have rest positions")]
    NoRest,
    /// No place to stand is near the start.
    #[error("there is no place to stand near the start")]
    NoStart,
    /// No place to stand is near the destination.
    #[error("there is no place to stand near the destination")]
    NoDestination,
    /// The moves that were tried lead nowhere near the destination.
    #[error("no walks, jumps, drops and swings lead there")]
    Unreachable,
    /// The search has taken all the work that it may.
    #[error("it takes too long to find out")]
    TooMuchWork,
}

/// How far to the side of the destination a route may end, px.
pub const NEAR_GOAL: f64 = 24.0;

/// How far from a rest position a start or destination may be, px.
pub const MOST_OFF: f64 = 400.0;

/// The most work of one search, about a tenth of a second.
pub const MOST_ROUTE_WORK: u64 = 4_000_000;

impl Stage {
    /// Finds a route in a level that is like this. Moving platforms neither carry nor stop the body, and other entities
    /// and scripts do not count.
    ///
    /// # Errors
    /// Why there is no such route.
    pub fn find_route(
        &self,
        changes: &LevelChanges,
        order: &RouteOrder,
        work: &mut PlanWork,
    ) -> Result<Route, RouteError> {
        let mut search = RouteSearch::new(self, changes, order);
        loop {
            work.done = search.work;
            if let Some(found) = search.found {
                return found;
            }
            if search.work > work.most {
                return Err(RouteError::TooMuchWork);
            }
            search.step(self);
        }
    }
}
