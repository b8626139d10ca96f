//! Routes: the moves with which a body gets from one rest position to another, found by playing its model.
//!
//! A body at rest is always at a rest position, bit for bit, without velocity. So the keys of a move, played from there,
//! lead every body of its kind to the same next rest position. The search is A* by time over the places where bodies have
//! come to rest, of which it keeps one for each small cell. A move is only played when no other one looks faster.

use super::own_jump::{Trial, WORK_OF_TICK, WORK_OF_WORLD};
use super::*;
use crate::geometry::Ellipse;
use crate::level::{Feature, RestPosition, RestQuery, Side};

/// A question for a route.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RouteOrder {
    /// The kind of the body, one of [`Stage::kinds`].
    pub kind: Arc<str>,
    /// Where its center is, px: the route starts at the nearest rest position.
    pub from: DVec2,
    /// Where its center is to come, px: the route leads to the nearest rest position.
    pub to: DVec2,
}

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RouteError {
    /// The stage has no such kind.
    UnknownKind,
    /// Routes are only found in side views.
    TopView,
    /// The kind's model has no rest positions, or they are turned off.
    NoRest,
    /// No place to stand is near the start.
    NoStart,
    /// No place to stand is near the destination.
    NoDestination,
    /// The moves that were tried lead nowhere near the destination.
    Unreachable,
    /// The search has taken all the work that it may.
    TooMuchWork,
}

impl fmt::Display for RouteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownKind => "there is no such kind",
            Self::TopView => "routes can only be found in a side view",
            Self::NoRest => "only `platformer` bodies with a `rest_spacing` above 0 have rest positions",
            Self::NoStart => "there is no place to stand near the start",
            Self::NoDestination => "there is no place to stand near the destination",
            Self::Unreachable => "no walks, jumps, drops and swings lead there",
            Self::TooMuchWork => "it takes too long to find out",
        })
    }
}

impl std::error::Error for RouteError {}

/// How far to the side of the destination a route may end, px.
pub const NEAR_GOAL: f64 = 24.0;

/// How far from a rest position a start or destination may be, px.
pub const MOST_OFF: f64 = 400.0;

/// The most work of one search, about a tenth of a second.
pub const MOST_ROUTE_WORK: u64 = 4_000_000;

/// The most work of playing one move, and what it may take in addition for each tick that a second has.
const WORK_OF_MOVE: u64 = 4_000;
const WORK_OF_RATE: f64 = 100.0;

/// Work of looking at an edge, at a rest position, and at a candidate.
const WORK_OF_EDGE: u64 = 2;
const WORK_OF_PLACE: u64 = 16;

/// The most places that a search remembers.
const MOST_STOPS: usize = 2_048;

/// The farthest that it looks around a place, px, and the most rest positions that it looks at. In a crowd, it looks less far.
const MOST_REACH: f64 = 2_000.0;
const MOST_PLACES: u64 = 4_096;

/// The side of the cells in which only one place is kept, px.
const CELL: f64 = 24.0;

/// How long the ground should be on which a body takes a run, px.
const RUN_UP: f64 = 250.0;

/// How much sooner a body must be in a cell to replace the place that is kept, s.
const SOONER: f64 = 0.25;

/// The distance between two stops of a walk, px.
const STRIDE: f64 = 48.0;

/// Of how many rest positions along a line one is the target of jumps.
const EVERY: u32 = 12;

/// The longest walk without a stop, s, and the longest fall, with coming to rest.
const LONGEST_WALK: f64 = 2.0;
const LONGEST_FALL: f64 = 4.0;

/// How far down the targets of jumps are, px. Deeper places are reached by falling.
const DEEPEST_TARGET: f64 = 500.0;

/// To how many lines of ground jumps from one place are tried, and to how many places on each.
const MOST_LINES: usize = 24;
const MOST_TARGETS: usize = 4;

/// How many jumps from all places of one ground to a line of another are tried at most, and after how many that lead there
/// no other one is.
const MOST_TRIES: Tries = Tries { tried: 10, found: 2 };

/// How much the way that is left counts. Above 1 the search looks first where it leads nearer, and takes far less work; a
/// route takes at most this many times as long as the fastest one that it could find.
const WEIGHT: f64 = 2.0;

/// The time that a jump takes at least, together with coming to rest, in addition to the way there, s.
const LEAST_JUMP: f64 = 0.15;

/// The time that a leap takes at least, s, and for how many durations of the jump key it is tried.
const LEAST_LEAP: f64 = 0.5;
const LEAPS: u32 = 6;

/// The time that a swing takes at least, in addition to the way to its roof, and at most, s.
const LEAST_SWING: f64 = 0.5;
const LONGEST_SWING: f64 = 1.5;

/// The time between two moments at which letting go is tried, s.
const SWING_STEP: f64 = 0.07;

/// How many roofs are tried from a place, and from all places of one ground.
const MOST_SWINGS: usize = 6;
const MOST_SWINGS_OF_GROUND: u32 = 48;

/// A roof's normal points down at least this much.
const STEEPEST_ROOF: f64 = 0.7;

/// No line of ground, among the tries.
const NO_LINE: u32 = u32::MAX;

/// How often in a row a body that is at rest must be found in the same place, ticks.
const STILL_TICKS: u32 = 2;

/// A place where the body has come to rest.
#[derive(Clone, Debug)]
struct Stop {
    at: DVec2,
    /// When, s after the start.
    time: f64,
    before: u32,
    by: Option<RouteMove>,
    /// Whether a walk from the same ground led here, so that walking on from here leads nowhere new.
    walked: bool,
    /// The side where the ground ends.
    edge: f64,
    /// The first stop on the same ground: all others were reached from there by walks.
    ground: u32,
}

/// A move that could be tried.
#[derive(Clone, Copy, Debug)]
enum Candidate {
    /// Look for moves from here.
    Look,
    /// Walk to this side.
    Walk(f64),
    /// Walk off the edge to this side.
    StepOff(f64),
    /// Fall through a one-way platform.
    Through,
    /// Jump to the next of these targets.
    Jump(u32),
    /// Run to this side for so many ticks, to the end of the ground, and jump.
    Leap(f64, u64),
    /// Fire the hook at this point with this direction key, and let go on the way there.
    Swing(DVec2, f64),
}

/// The targets of jumps from a place to one line of ground.
#[derive(Clone, Debug)]
struct Targets {
    /// The first edge of the line.
    line: u32,
    /// The nearest ones, the nearest of all last.
    places: Vec<DVec2>,
}

/// How often jumps from the places of one ground to a line of another were tried, and have led there.
#[derive(Clone, Copy, Debug, Default)]
struct Tries {
    tried: u32,
    found: u32,
}

/// A search for a route, which can be interrupted after each step.
#[derive(Clone, Debug)]
pub(super) struct RouteSearch {
    profile: usize,
    hz: f64,
    changes: LevelChanges,
    body: SearchBody,
    goal: DVec2,
    stops: Vec<Stop>,
    /// The earliest time of a stop in each cell, s.
    reached: BTreeMap<(i64, i64), f64>,
    /// What could be tried, by the earliest time at which it may lead to the destination. All times are at least 0, so that
    /// their bits are in the same order.
    open: BTreeMap<(u64, u32), (u32, Candidate)>,
    count: u32,
    /// The first edge of the line that an edge is part of, for those that were looked at.
    lines: BTreeMap<u32, u32>,
    /// The lines of ground that walks have led along, by the first stop there.
    walked: BTreeSet<(u32, u32)>,
    targets: Vec<Targets>,
    /// By the first stop on a ground, and a line of another.
    tries: BTreeMap<(u32, u32), Tries>,
    pub work: u64,
    pub steps: u64,
    pub found: Option<Result<Route, RouteError>>,
}

/// What a search knows of the body.
#[derive(Clone, Copy, Debug)]
struct SearchBody {
    model: ModelName,
    shape: Ellipse,
    up: f64,
    /// Its top speed on the ground and in the air, and upward at the start of a jump and downward, px/s.
    run: f64,
    fly: f64,
    jump: f64,
    fall: f64,
    hold: f64,
    gravity: f64,
    /// The length of its rope, px, and how fast that pulls, px/s.
    rope: f64,
    pull: f64,
}

impl SearchBody {
    fn of(profile: &Profile, gravity: f64) -> Self {
        let Profile { model, loadouts, .. } = profile;
        let number = |name: &str| match loadouts.setting(*model, name) {
            Some(Setting::Number(number)) => number,
            _ => 0.0,
        };
        let gravity = gravity * number("gravity_scale");
        let fly = number("air_speed_soft");
        Self {
            model: *model,
            shape: loadouts.shape(*model),
            up: if gravity < 0.0 { -1.0 } else { 1.0 },
            run: number("run_speed_max").max(number("run_speed_min")).max(fly).max(1.0),
            fly: fly.max(1.0),
            jump: number("jump_speed").max(1.0),
            fall: number("max_fall_speed").max(1.0),
            hold: number("jump_hold_time"),
            gravity: gravity.abs().max(1.0),
            rope: number("hook_length"),
            pull: number("hook_pull_speed").max(1.0),
        }
    }

    /// How high it jumps, px.
    fn height(&self) -> f64 {
        self.jump * self.hold + self.jump * self.jump / (2.0 * self.gravity)
    }

    /// At most how long a jump takes that lands this much higher, s; `None` if that is too high.
    fn airtime(&self, higher: f64) -> Option<f64> {
        let deep = self.height() - higher;
        (deep >= -2.0).then(|| {
            let deep = deep.max(0.0);
            self.hold + self.jump / self.gravity + (2.0 * deep / self.gravity).sqrt() + deep / self.fall
        })
    }

    /// The least time from one place to another, s.
    fn least(&self, from: DVec2, to: DVec2) -> f64 {
        let by = to - from;
        let higher = by.y * self.up;
        let vertical = if higher > 0.0 {
            higher / self.jump
        } else {
            -higher / self.fall.max(self.run)
        };
        (by.x.abs() / self.run).max(vertical)
    }
}

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

impl RouteSearch {
    /// Begins a search.
    pub fn new(stage: &Stage, changes: &LevelChanges, order: &RouteOrder) -> Self {
        let kind = stage.kinds.get(&order.kind).copied();
        let profile = kind.unwrap_or(0);
        // Where platforms will be when the body gets there is not known: for a route they are not there.
        let mut changes = LevelChanges { began: 0, ..changes.clone() };
        for (solid, index) in stage.level.terrain.solids().iter().zip(0..) {
            if solid.path.is_some() {
                changes.absent.set(index, false);
            }
        }
        let mut search = Self {
            profile,
            hz: f64::from(stage.hz),
            changes,
            body: SearchBody::of(&stage.profiles[profile], stage.gravity),
            goal: order.to,
            stops: Vec::new(),
            reached: BTreeMap::new(),
            open: BTreeMap::new(),
            count: 0,
            lines: BTreeMap::new(),
            walked: BTreeSet::new(),
            targets: Vec::new(),
            tries: BTreeMap::new(),
            work: 0,
            steps: 0,
            found: None,
        };
        let begun = kind.ok_or(RouteError::UnknownKind).and_then(|_| search.begin(stage, order));
        search.found = begun.err().map(Err);
        search
    }

    fn begin(&mut self, stage: &Stage, order: &RouteOrder) -> Result<(), RouteError> {
        if stage.level.view == View::Top {
            return Err(RouteError::TopView);
        }
        let query = self.query(stage).filter(|query| query.spacing > 0.0).ok_or(RouteError::NoRest)?;
        let from = self.nearest(stage, &query, order.from).ok_or(RouteError::NoStart)?;
        self.goal = self.nearest(stage, &query, order.to).ok_or(RouteError::NoDestination)?;
        self.stop(Stop { at: from, time: 0.0, before: 0, by: None, walked: false, edge: 0.0, ground: 0 });
        Ok(())
    }

    fn query<'a>(&self, stage: &'a Stage) -> Option<RestQuery<'a>> {
        stage.profiles[self.profile].loadouts.rest_query(self.body.model, self.body.up)
    }

    /// The rest positions in an area around a place whose lines have a normal that is `wanted`, and on each line one of so
    /// many.
    fn places(
        &mut self,
        stage: &Stage,
        query: &RestQuery,
        (at, mut area): (DVec2, Bounds),
        every: u32,
        wanted: impl Fn(DVec2) -> bool,
    ) -> Vec<RestPosition> {
        let standing = stage.standing(0, &self.changes);
        let scenery = stage.level.terrain.moved(&standing);
        let reach = DVec2::splat(MOST_REACH);
        area = Bounds::of(area.min.max(at - reach), area.max.min(at + reach));
        loop {
            let mut ranges = scenery.rest_ranges(query, &area);
            self.work += WORK_OF_EDGE * ranges.len() as u64;
            ranges.retain(|range| wanted(scenery.face(range.edge()).normal));
            let count = ranges.iter().map(|range| range.count() / u64::from(every) + 2).sum::<u64>();
            if count <= MOST_PLACES {
                self.work += WORK_OF_PLACE * count;
                return scenery.every_rest_position_of(query, &area, &ranges, every);
            }
            area = Bounds::of(area.min.midpoint(at), area.max.midpoint(at));
        }
    }

    /// The first edge of the line that an edge is part of.
    fn line_of(&mut self, stage: &Stage, edge: u32) -> u32 {
        let mut way = Vec::new();
        let mut line = edge;
        loop {
            if let Some(known) = self.lines.get(&line) {
                line = *known;
                break;
            }
            way.push(line);
            let left = stage.level.terrain.span(line).left;
            if left == line {
                break;
            }
            line = left;
        }
        self.lines.extend(way.into_iter().map(|edge| (edge, line)));
        line
    }

    /// The place to stand that is nearest to a point.
    fn nearest(&mut self, stage: &Stage, query: &RestQuery, at: DVec2) -> Option<DVec2> {
        [MOST_OFF / 16.0, MOST_OFF / 4.0, MOST_OFF].into_iter().find_map(|far| {
            let area = Bounds::of(at - far, at + far);
            let places = self.places(stage, query, (at, area), 1, |normal| query.rule.walkable(normal));
            let places = places.into_iter().map(|place| place.at);
            let within = places.filter(|place| place.distance(at) <= far);
            within.min_by(|a, b| a.distance_squared(at).total_cmp(&b.distance_squared(at)))
        })
    }

    /// Adds a place where the body has come to rest, unless one nearby is reached earlier.
    fn stop(&mut self, stop: Stop) {
        let cell = cell(stop.at);
        if self.reached.get(&cell).is_some_and(|time| *time <= stop.time + SOONER) {
            return;
        }
        self.reached.insert(cell, stop.time);
        let (time, at, index) = (stop.time, stop.at, self.stops.len() as u32);
        self.stops.push(stop);
        self.push(time, at, index, Candidate::Look);
    }

    /// Adds a move that leads to a place at this time at the earliest.
    fn push(&mut self, time: f64, to: DVec2, from: u32, candidate: Candidate) {
        let time = time + WEIGHT * self.body.least(to, self.goal);
        self.open.insert((time.to_bits(), self.count), (from, candidate));
        self.count += 1;
    }

    /// Tries the move that may lead to the destination earliest.
    pub fn step(&mut self, stage: &Stage) {
        if self.found.is_some() {
            return;
        }
        self.steps += 1;
        self.work += WORK_OF_PLACE;
        let Some((_, (from, candidate))) = self.open.pop_first() else {
            self.found = Some(Err(RouteError::Unreachable));
            return;
        };
        if self.work as f64 > MOST_ROUTE_WORK as f64 * (self.hz / 60.0).max(1.0) || self.stops.len() > MOST_STOPS {
            self.found = Some(Err(RouteError::TooMuchWork));
            return;
        }
        let stop = &self.stops[from as usize];
        if self.reached[&cell(stop.at)] < stop.time {
            return;
        }
        match candidate {
            Candidate::Look => self.look(stage, from),
            Candidate::Walk(side) => self.walk(stage, from, side),
            Candidate::StepOff(side) => self.step_off(stage, from, side),
            Candidate::Through => self.fall_through(stage, from),
            Candidate::Jump(targets) => self.jump(stage, from, targets),
            Candidate::Leap(side, ticks) => self.leap(stage, from, side, ticks),
            Candidate::Swing(aim, side) => self.swing(stage, from, aim, side),
        }
    }

    /// Whether the destination is here.
    fn is_there(&self, at: DVec2) -> bool {
        let off = (at - self.goal).abs();
        off.x <= NEAR_GOAL && off.y <= self.body.shape.half.y
    }

    /// Finds what can be tried from a place.
    fn look(&mut self, stage: &Stage, from: u32) {
        let Stop { at, time, walked, edge, .. } = self.stops[from as usize];
        if self.is_there(at) {
            self.found = Some(Ok(self.route(from)));
            return;
        }
        let body = self.body;
        let toward = 1.0_f64.copysign(self.goal.x - at.x);
        for side in [toward, -toward] {
            let next = at + DVec2::new(side * CELL, 0.0);
            let least = time + body.least(at, next);
            if !walked {
                self.push(least, next, from, Candidate::Walk(side));
            } else if edge == side {
                self.push(least, next, from, Candidate::StepOff(side));
            }
        }
        let Some(query) = self.query(stage) else { return };
        let standing = stage.standing(0, &self.changes);
        let scenery = stage.level.terrain.moved(&standing);
        let feet = Bounds::of(at - body.shape.half - 1.0, at + body.shape.half + 1.0);
        let under = scenery.rest_ranges(&query, &feet);
        self.work += WORK_OF_EDGE * under.len() as u64;
        let one_way = under.iter().any(|range| scenery.edge(range.edge()).side != Side::Solid);
        if one_way {
            self.push(time, at, from, Candidate::Through);
        }
        self.add_targets(stage, from);
        if body.model.hooks() {
            self.add_swings(stage, from);
        }
    }

    /// Adds swings on the roofs that the hook reaches.
    fn add_swings(&mut self, stage: &Stage, from: u32) {
        let Stop { at, time, .. } = self.stops[from as usize];
        let SearchBody { up, rope, pull, shape, .. } = self.body;
        let Some(query) = self.query(stage) else { return };
        let area = Bounds::of(at - DVec2::new(rope, 0.0), at + DVec2::new(rope, rope * up));
        let places = self.places(stage, &query, (at, area), EVERY, |normal| normal.y * up < -STEEPEST_ROOF);
        let points = places.into_iter().map(|place| place.at + DVec2::new(0.0, shape.half.y * up) - at);
        // Those at about 45 degrees lead farthest.
        let mut points: Vec<DVec2> = points
            .filter(|by| by.length() < rope && by.x.abs() > shape.half.x && by.y * up > 0.0)
            .collect();
        points.sort_by(|a, b| (a.x.abs() - a.y.abs()).abs().total_cmp(&(b.x.abs() - b.y.abs()).abs()));
        for by in points.into_iter().take(MOST_SWINGS) {
            for side in [1.0_f64.copysign(by.x), 0.0] {
                let least = time + LEAST_SWING + by.length() / pull;
                self.push(least, at + by, from, Candidate::Swing(at + by, side));
            }
        }
    }

    /// Fires the hook at a point, and plays what happens when it and the direction key are let go at several moments.
    fn swing(&mut self, stage: &Stage, from: u32, aim: DVec2, side: f64) {
        let Stop { ground, .. } = self.stops[from as usize];
        let tries = self.tries.entry((ground, NO_LINE)).or_default();
        if tries.tried == MOST_SWINGS_OF_GROUND {
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

    /// Adds the jumps to the nearest places on each line of ground that may be within reach.
    fn add_targets(&mut self, stage: &Stage, from: u32) {
        let Stop { at, ground, .. } = self.stops[from as usize];
        let body = self.body;
        let within = |by: DVec2| {
            let far = by.x.abs() - body.shape.half.x;
            body.airtime(by.y * body.up).is_some_and(|airtime| far <= body.fly * airtime)
        };
        let Some(query) = self.query(stage) else { return };
        let reach = body.fly * body.airtime(-DEEPEST_TARGET).unwrap_or(0.0) + body.shape.half.x;
        let heights = [at.y - DEEPEST_TARGET * body.up, at.y + (body.height() + 2.0) * body.up];
        let area = Bounds::of(DVec2::new(at.x - reach, heights[0]), DVec2::new(at.x + reach, heights[1]));
        let places = self.places(stage, &query, (at, area), EVERY, |normal| query.rule.walkable(normal));
        let mut lines: BTreeMap<u32, Vec<DVec2>> = BTreeMap::new();
        let standing = stage.standing(0, &self.changes);
        let scenery = stage.level.terrain.moved(&standing);
        let free = |from: DVec2, to: DVec2| scenery.cast(from, to - from).is_none();
        let up = self.body.height() * self.body.up;
        let top = scenery.cast(at, DVec2::new(0.0, up)).map_or(1.0, |hit| hit.time);
        let top = at + DVec2::new(0.0, up * top);
        for place in places {
            let line = self.line_of(stage, place.edge);
            let lower = (at.y - place.at.y) * self.body.up > self.body.shape.half.y;
            if within(place.at - at)
                && !self.walked.contains(&(ground, line))
                // No jump leads down through the ground that the body stands on.
                && (!lower || free(at, place.at) || free(top, place.at))
            {
                lines.entry(line).or_default().push(place.at);
            }
        }
        let mut targets: Vec<Targets> = Vec::new();
        for (line, mut places) in lines {
            // They are from left to right, and the sort is stable.
            places.sort_by(|a, b| (b.x - at.x).abs().total_cmp(&(a.x - at.x).abs()));
            places.drain(..places.len().saturating_sub(MOST_TARGETS));
            targets.push(Targets { line, places });
        }
        let rest = |targets: &Targets| {
            targets.places.last().map_or(0.0, |to| body.least(at, *to) + body.least(*to, self.goal))
        };
        targets.sort_by(|a, b| rest(a).total_cmp(&rest(b)));
        for targets in targets.into_iter().take(MOST_LINES) {
            self.targets.push(targets);
            self.push_jump(from, self.targets.len() as u32 - 1);
        }
    }

    /// Adds the jump to the next target.
    fn push_jump(&mut self, from: u32, targets: u32) {
        let Some(to) = self.targets[targets as usize].places.last().copied() else { return };
        let Stop { at, time, .. } = self.stops[from as usize];
        let by = to - at;
        let rise = (by.y * self.body.up / self.body.jump).max(0.0);
        let flight = rise.max((by.x.abs() - self.body.shape.half.x) / self.body.fly);
        self.push(time + flight + LEAST_JUMP, to, from, Candidate::Jump(targets));
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
            depth: profile.loadouts.depth(self.body.model, 0.0),
            ..EntityView::empty()
        }
    }

    /// Walks to one side until the ground ends or something is in the way, with stops in between.
    fn walk(&mut self, stage: &Stage, from: u32, side: f64) {
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
            if let Some(Feature::Face(edge)) = body.ground.map(|contact| contact.feature) {
                let line = self.line_of(stage, edge);
                self.walked.insert((ground, line));
            }
            let (now, stuck) = (body.pos.x, (body.pos.x - x).abs() < 1e-6);
            if falls || stuck && ticks > 1 {
                break;
            }
            x = now;
            let near = (x - self.goal.x).abs() < 2.0 * STRIDE;
            if (x - from_x).abs() >= STRIDE || near {
                if let Some((at, rest)) = self.stand(&trial.stage, &world, true) {
                    self.arrive(from, self.made(MoveKind::Walk, at, ticks + rest, keys(ticks)), 0.0);
                    (from_x, last) = (x, (ticks, world.clone()));
                }
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
    fn step_off(&mut self, stage: &Stage, from: u32, side: f64) {
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

    /// Runs to the end of the ground and jumps there, as far as it leads and less far.
    fn leap(&mut self, stage: &Stage, from: u32, side: f64, ticks: u64) {
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
    fn fall_through(&mut self, stage: &Stage, from: u32) {
        let trial = self.world_at(stage, from);
        let hz = self.hz;
        let mut world = trial.world.clone();
        let held = MoveKeys { down: 1.0, ..MoveKeys::default() }.input(0.0);
        let below = trial.stage.profiles[self.profile].loadouts.depth(self.body.model, 0.0);
        let start = self.stops[from as usize].at.y;
        for ticks in 1..=hz as u64 {
            self.tick(&trial.stage, &mut world, held);
            let body = world.population.body_at_mut(0);
            // Once it is below the line, the line is one for bodies above it only.
            if (start - body.pos.y) * self.body.up > 2.0 * below || ticks > 1 && body.ground.is_some() {
                if let Some((at, rest)) = self.stand(&trial.stage, &world, false) {
                    let keys = MoveKeys { down: ticks as f64 / hz, ..MoveKeys::default() };
                    self.arrive(from, self.made(MoveKind::Drop, at, ticks + rest, keys), 0.0);
                }
                return;
            }
        }
    }

    /// Tries the jump to the next target.
    fn jump(&mut self, stage: &Stage, from: u32, index: u32) {
        let Targets { line, ref mut places } = self.targets[index as usize];
        let Some(to) = places.pop() else { return };
        let Stop { at, time, ground, .. } = self.stops[from as usize];
        let tries = self.tries.entry((ground, line)).or_default();
        let enough = tries.tried >= MOST_TRIES.tried || tries.found >= MOST_TRIES.found;
        if enough || self.walked.contains(&(ground, line)) {
            return;
        }
        let least = time + self.body.least(at, to);
        if self.reached.get(&cell(to)).is_none_or(|time| *time > least) {
            tries.tried += 1;
            if let Some(by) = self.play_jump(stage, from, to) {
                self.tries.entry((ground, line)).or_default().found += 1;
                self.arrive(from, by, 0.0);
                return;
            }
        }
        self.push_jump(from, index);
    }

    /// Plans a jump to a place, and plays it until the body is at rest.
    fn play_jump(&mut self, stage: &Stage, from: u32, to: DVec2) -> Option<RouteMove> {
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

    /// A move that takes so many ticks.
    fn made(&self, kind: MoveKind, at: DVec2, ticks: u64, keys: MoveKeys) -> RouteMove {
        RouteMove { kind, at, time: ticks as f64 / self.hz, keys, run_up: None }
    }

    /// Adds the place where a move has ended. `edge` is the side where its ground ends.
    fn arrive(&mut self, from: u32, by: RouteMove, edge: f64) {
        let time = self.stops[from as usize].time + by.time;
        let walked = by.kind == MoveKind::Walk;
        let ground = if walked { self.stops[from as usize].ground } else { self.stops.len() as u32 };
        self.stop(Stop { at: by.at, time, before: from, by: Some(by), walked, edge, ground });
    }

    /// The moves that lead to a stop.
    fn route(&self, to: u32) -> Route {
        let mut moves = Vec::new();
        let mut stop = &self.stops[to as usize];
        while let Some(step) = stop.by {
            moves.push(step);
            stop = &self.stops[stop.before as usize];
        }
        moves.reverse();
        Route { from: stop.at, to: self.goal, moves }
    }
}

/// The cell of a place.
fn cell(at: DVec2) -> (i64, i64) {
    let cell = (at / CELL).floor();
    (cell.x as i64, cell.y as i64)
}
