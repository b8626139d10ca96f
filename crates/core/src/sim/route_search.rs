//! The search for the moves of a route.

use super::*;
use crate::level::{RestPosition, RestQuery, Side};

/// Work of looking at an edge, at a rest position, and at a candidate.
const WORK_OF_EDGE: u64 = 2;
const WORK_OF_PLACE: u64 = 16;

/// The most places that a search remembers.
const MOST_STOPS: usize = 2_048;

/// The farthest that it looks around a place, px, and the most rest positions that it looks at. In a crowd, it looks less far.
const MOST_REACH: f64 = 2_000.0;
const MOST_PLACES: u64 = 4_096;
const MOST_HALVINGS: u32 = 16;

/// The side of the cells in which only one place is kept, px.
const CELL: f64 = 24.0;

/// How much sooner a body must be in a cell to replace the place that is kept, s.
const SOONER: f64 = 0.25;

/// Of how many rest positions along a line one is the target of jumps.
const EVERY: u32 = 12;

/// How far down the targets of jumps are, px. Deeper places are reached by falling.
const DEEPEST_TARGET: f64 = 500.0;

/// To how many lines of ground jumps from one place are tried, and to how many places on each.
const MOST_LINES: usize = 24;
const MOST_TARGETS: usize = 4;

/// How many jumps from all places of one ground to a line of another are tried at most, and after how many that lead there
/// no other one is.
const MOST_TRIES: Tries = Tries { tried: 10, found: 2 };

/// How much the time that is left counts. Above 1 the search looks first where it leads nearer, which takes far less work
/// and finds a route that is seldom the fastest one.
const WEIGHT: f64 = 2.0;

/// The time that a jump takes at least, together with coming to rest, in addition to the way there, s.
const LEAST_JUMP: f64 = 0.15;

/// The time that a swing takes at least, in addition to the way to its roof, s.
const LEAST_SWING: f64 = 0.5;

/// How many roofs are tried from a place.
const MOST_ROOFS: usize = 6;

/// A roof's normal points down at least this much.
const STEEPEST_ROOF: f64 = 0.7;

/// A place where the body has come to rest.
#[derive(Clone, Debug)]
pub struct Stop {
    pub at: DVec2,
    /// When, s after the start.
    pub time: f64,
    pub before: u32,
    pub by: Option<RouteMove>,
    /// Whether a walk from the same ground led here, so that walking on from here leads nowhere new.
    pub walked: bool,
    /// The side where the ground ends.
    pub edge: f64,
    /// The first stop on the same ground: all others were reached from there by walks.
    pub ground: u32,
}

/// A move that could be tried.
#[derive(Clone, Copy, Debug)]
pub enum Candidate {
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
    /// Run to this side for this number of ticks, to the end of the ground, and jump.
    Leap(f64, u64),
    /// Fire the hook at this point with this direction key, and release it on the way there.
    Swing(DVec2, f64),
}

/// The targets of jumps from a place to one line of ground.
#[derive(Clone, Debug)]
pub struct Targets {
    /// The first edge of the line.
    pub line: u32,
    /// The nearest ones, the nearest of all last.
    pub places: Vec<DVec2>,
}

/// How often jumps from the places of one ground to a line of another were tried, and have led there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tries {
    pub tried: u32,
    pub found: u32,
}

/// A search for a route, which can be interrupted after each step.
#[derive(Clone, Debug)]
pub struct RouteSearch {
    pub profile: usize,
    pub hz: f64,
    pub changes: LevelChanges,
    pub body: SearchBody,
    pub goal: DVec2,
    pub stops: Vec<Stop>,
    /// The earliest time of a stop in each cell, s.
    pub reached: BTreeMap<(i64, i64), f64>,
    /// What could be tried, by the earliest time at which it may lead to the destination. All times are at least 0, so that
    /// their bits are in the same order.
    pub open: BTreeMap<(u64, u32), (u32, Candidate)>,
    pub count: u32,
    /// The first edge of the line that an edge is part of, for edges that were looked at.
    pub lines: BTreeMap<u32, u32>,
    /// The lines of ground that walks have led along, by the first stop there.
    pub walked: BTreeSet<(u32, u32)>,
    pub targets: Vec<Targets>,
    /// By the first stop on a ground, and a line of another.
    pub tries: BTreeMap<(u32, u32), Tries>,
    pub work: u64,
    pub steps: u64,
    pub found: Option<Result<Route, RouteError>>,
}

/// What a search knows of the body.
#[derive(Clone, Copy, Debug)]
pub struct SearchBody {
    pub model: ModelName,
    pub shape: Collider,
    pub up: f64,
    /// Its top speed on the ground and in the air, and upward at the start of a jump and downward, px/s.
    pub run: f64,
    pub fly: f64,
    pub jump: f64,
    pub fall: f64,
    pub hold: f64,
    pub gravity: f64,
    /// The length of its rope, px, and how fast that pulls, px/s.
    pub rope: f64,
    pub pull: f64,
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

impl RouteSearch {
    /// Begins a search.
    pub fn new(stage: &Stage, changes: &LevelChanges, order: &RouteOrder) -> Self {
        let kind = stage.kinds.get(&order.kind).copied();
        let profile = kind.unwrap_or(0);
        // Where platforms will be when the body gets there is not known: for a route they are not there.
        // The body counts its own time.
        let mut changes = LevelChanges { began: 0, clock: None, ..changes.of_built() };
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

    pub fn query<'a>(&self, stage: &'a Stage) -> Option<RestQuery<'a>> {
        stage.profiles[self.profile].loadouts.rest_query(self.body.model, self.body.up)
    }

    /// The rest positions in an area around a place whose lines have a normal that is `wanted`, and on each line one of
    /// `every`.
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
        for _ in 0..MOST_HALVINGS {
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
        Vec::new()
    }

    /// The first edge of the line that an edge is part of.
    pub fn line_of(&mut self, stage: &Stage, edge: u32) -> u32 {
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
    pub fn stop(&mut self, stop: Stop) {
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
    pub fn push(&mut self, time: f64, to: DVec2, from: u32, candidate: Candidate) {
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
        for by in points.into_iter().take(MOST_ROOFS) {
            for side in [1.0_f64.copysign(by.x), 0.0] {
                let least = time + LEAST_SWING + by.length() / pull;
                self.push(least, at + by, from, Candidate::Swing(at + by, side));
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

    /// Adds the place where a move has ended. `edge` is the side where its ground ends.
    pub fn arrive(&mut self, from: u32, by: RouteMove, edge: f64) {
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
pub fn cell(at: DVec2) -> (i64, i64) {
    let cell = (at / CELL).floor();
    (cell.x as i64, cell.y as i64)
}
