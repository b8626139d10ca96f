//! Plans jumps to a destination, over obstacles, and to where a moving destination will be.

use super::*;
use crate::{geometry::separation::separation, tuning::MOST};
use std::{cell::Cell, ops::RangeInclusive};

/// A launch and the flight that follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launch {
    /// Horizontal velocity, px/s: along x in a side view, in the plane in a top view.
    pub across: DVec2,
    /// Upward velocity, px/s.
    pub up: f64,
    /// Duration of the flight, s.
    pub time: f64,
    /// Height of the top of the flight above the launch, px.
    pub apex: f64,
}

/// Why there is no jump to a destination.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanError {
    /// An input is NaN or infinite.
    NotFinite {
        /// Which input.
        what: &'static str,
        /// Its value: NaN or infinite.
        value: f64,
    },
    /// The clearance is outside [`CLEARANCE`].
    ClearanceOutOfRange {
        /// Its value, px.
        clearance: f64,
    },
    /// The time of the body stands still.
    StandsStill,
    /// Gravity is 0 or points up.
    NoGravity,
    /// The flight would have to cover a distance in no time.
    NoTime,
    /// The flight would take too long.
    TooLong {
        /// Its duration, s.
        seconds: f64,
    },
    /// The launch would be faster than `max_launch_speed`.
    TooFast {
        /// Its speed, px/s.
        speed: f64,
        /// The limit, px/s.
        most: f64,
    },
    /// No flight can meet the moving destination.
    Unreachable,
    /// The body has no room where it would start.
    NoRoom,
    /// The flight would leave the level's bounds.
    Outside,
    /// Planning it would take more work than it may.
    TooMuchWork {
        /// The name of the solid that is in the way of the highest jump that was tried, as in [`Self::Blocked`];
        /// `None` if not even the requested clearance could be tried.
        blocked_by: Option<Arc<str>>,
    },
    /// Something is in the way.
    Blocked {
        /// The solid's name; empty for the plain ground of a top view.
        by: Arc<str>,
    },
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { what, value } => write!(f, "{what} cannot be {value}"),
            Self::ClearanceOutOfRange { clearance } => {
                let (least, most) = (CLEARANCE.start(), CLEARANCE.end());
                write!(f, "the clearance is {clearance}; it must be between {least} and {most}")
            }
            Self::StandsStill => f.write_str("its time stands still"),
            Self::NoGravity => f.write_str("gravity is 0 here or points up, so the body would never come down"),
            Self::NoTime => f.write_str("a jump to a destination at the same height needs a clearance above 0"),
            Self::TooLong { seconds } => {
                write!(f, "the flight would take {seconds:.0} s; the longest allowed is {MOST_SECONDS} s")
            }
            Self::TooFast { speed, most } => {
                write!(f, "the launch would need {speed:.0} px/s, max_launch_speed is {most}")
            }
            Self::Unreachable => f.write_str("no jump can meet the moving destination"),
            Self::NoRoom => f.write_str("there is no room for its body"),
            Self::Outside => f.write_str("the flight would leave the level"),
            Self::TooMuchWork { blocked_by: None } => f.write_str("planning it takes too long"),
            Self::TooMuchWork { blocked_by: Some(by) } => {
                let by = Self::Blocked { by: Arc::clone(by) };
                write!(f, "{by}, and planning a higher jump takes too long")
            }
            Self::Blocked { by } if by.is_empty() => f.write_str("the ground is in the way"),
            Self::Blocked { by } => write!(f, "`{by}` is in the way"),
        }
    }
}

/// The clearances that a jump can have, px.
pub const CLEARANCE: RangeInclusive<f64> = 0.0..=MOST;

/// Longest flight, s.
pub const MOST_SECONDS: f64 = 60.0;

/// Checks that an input is finite.
pub fn finite(what: &'static str, value: f64) -> Result<f64, PlanError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(PlanError::NotFinite { what, value })
    }
}

/// The launch to a destination that lies `across` away and `rise` above (px), under `gravity`
/// (px/s²). The top of the flight is `clearance` px above the higher of its two ends.
///
/// # Errors
/// If an input is not finite, the clearance is below 0, gravity is not above 0, or the flight would
/// have to cover a distance in no time.
pub fn launch(across: DVec2, rise: f64, gravity: f64, clearance: f64) -> Result<Launch, PlanError> {
    finite("the destination's x", across.x)?;
    finite("the destination's y", across.y)?;
    finite("the destination's height", rise)?;
    finite("gravity", gravity)?;
    if finite("the clearance", clearance)? < *CLEARANCE.start() {
        return Err(PlanError::ClearanceOutOfRange { clearance });
    }
    if gravity <= 0.0 {
        return Err(PlanError::NoGravity);
    }
    let apex = rise.max(0.0) + clearance;
    let up = (2.0 * gravity * apex).sqrt();
    let time = (2.0 * apex / gravity).sqrt() + (2.0 * (apex - rise).max(0.0) / gravity).sqrt();
    let across = if time > 0.0 {
        across / time
    } else if across == DVec2::ZERO {
        across
    } else {
        return Err(PlanError::NoTime);
    };
    Ok(Launch { across, up, time, apex })
}

/// The destination of a jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Where the body's lowest point lands, px; in a top view its center, on the highest floor
    /// there.
    pub at: DVec2,
    /// Minimum height of the top of the flight above the higher of its two ends, px.
    pub clearance: f64,
    /// Velocity of the destination, px/s; `None` if it is still or moves with the platform below
    /// it.
    pub velocity: Option<DVec2>,
}

/// A planned jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The flight.
    pub flight: Flight,
    /// Its clearance, px: the requested one, or more to get over an obstacle.
    pub clearance: f64,
    /// Height of the body's lowest point at the top of the flight, px.
    pub apex: f64,
}

/// How much work a plan takes. One unit takes about as long as an operation of a script.
#[derive(Clone, Copy, Debug)]
pub struct PlanWork {
    /// What it may take.
    pub most: u64,
    /// What it has taken.
    pub done: u64,
}

impl PlanWork {
    /// PlanWork that may take `most` units.
    pub const fn up_to(most: u64) -> Self {
        Self { most, done: 0 }
    }
}

/// The work of looking at a triangle of a path, at a chunk of them, and at a tick near a moving platform, in addition to
/// the edges there.
const WORK_OF_TRIANGLE: u64 = 6;
const WORK_OF_CHUNK: u64 = 2;
const WORK_OF_TICK: u64 = 4;

/// The work of solving for one launch.
const WORK_OF_LAUNCH: u64 = 2;

/// How many triangles of a path are looked at together first: often nothing is near them.
const CHUNK: usize = 8;

/// Parts of a flight in which a moving platform may be near are looked at tick by tick if they are not longer, s.
const SHORT: f64 = 1.0 / 32.0;

/// The steps in which the first meeting with a platform is searched, s.
const STRIDE: f64 = 0.1;

/// Maximum number of clearances that one plan tries.
const MOST_TRIES: u32 = 200;

/// A destination at most this far above or below a platform is on it, px.
const ON_PLATFORM: f64 = 1.0;

/// A destination at most this far from a one-way platform is on it, px.
const ON_GROUND: f64 = 1.0;

/// Maximum number of corrections of the landing height on uneven ground.
const MOST_CORRECTIONS: u32 = 40;

/// The motion of a destination.
#[derive(Clone, Copy)]
enum TargetMotion {
    Still,
    /// It moves with this platform.
    Platform(u16),
    /// It moves at this velocity, px/s.
    Velocity(DVec2),
}

/// Plans the flight of a body at `from`: its center, with the height of its feet as z. A jump begins in the tick of `around`,
/// with a `delay` of 0. A projectile spawns there in that tick and moves from the next one on: its delay is 1.
///
/// # Errors
/// If there is no such flight: the reason why the last attempt failed, see [`PlanError`].
pub fn plan(
    around: &Surroundings,
    loadout: &Loadout<BallisticTuning>,
    from: DVec3,
    aim: &Aim,
    delay: u64,
    work: &mut PlanWork,
) -> Result<Plan, PlanError> {
    if around.rate == 0.0 {
        return Err(PlanError::StandsStill);
    }
    finite("the destination's x", aim.at.x)?;
    finite("the destination's y", aim.at.y)?;
    let clearance = finite("the clearance", aim.clearance)?;
    if !CLEARANCE.contains(&clearance) {
        return Err(PlanError::ClearanceOutOfRange { clearance });
    }
    if let Some(velocity) = aim.velocity {
        finite("the destination's velocity", velocity.x)?;
        finite("the destination's velocity", velocity.y)?;
    }
    let terrain = &around.level.terrain;
    let changes = &around.transit.changes;
    let [seen, standing] =
        [0, delay].map(|ticks| Transit::standing(terrain.platforms(), changes, around.tick + ticks, around.hz));
    let mut planner = Planner::new(around, loadout, from, aim, [&seen, &standing], delay);
    planner.most_work = work.most;
    let found = planner.search(clearance, loadout);
    work.done = planner.work.get();
    found
}

impl Planner<'_> {
    /// Tries larger and larger clearances.
    fn search(&self, clearance: f64, loadout: &Loadout<BallisticTuning>) -> Result<Plan, PlanError> {
        let most = loadout.tuning.clearance_max.max(clearance);
        let step = loadout.tuning.clearance_step;
        let mut tried = clearance;
        let mut blocked_by = None;
        for _ in 0..MOST_TRIES {
            match self.attempt(tried) {
                Err(PlanError::Blocked { by }) if step > 0.0 && tried < most => blocked_by = Some(by),
                Err(PlanError::TooMuchWork { .. }) => break,
                // A higher jump only helps against obstacles.
                found => return found,
            }
            tried = (tried + step).min(most);
        }
        Err(PlanError::TooMuchWork { blocked_by })
    }

    /// Counts work.
    fn work(&self, units: u64) -> Result<(), PlanError> {
        let done = self.work.get().saturating_add(units);
        self.work.set(done);
        if done > self.most_work {
            return Err(PlanError::TooMuchWork { blocked_by: None });
        }
        Ok(())
    }
}

/// The input that all attempts of a plan share.
struct Planner<'a> {
    level: &'a Level,
    /// Where platforms are and which are switched off; they are assumed to continue so.
    standing: &'a Transit,
    /// Whether the body is a projectile.
    throws: bool,
    /// The tick in which the flight begins, and the moment on the clock of the body.
    tick: u64,
    began: ClockTick,
    /// Ticks per second at full rate, and in a second of the body.
    hz: f64,
    pace: f64,
    /// How much of a tick at full rate passes for the body in one.
    rate: f64,
    /// How many seconds of the level pass in one of the body.
    lapse: f64,
    shape: Collider,
    most_speed: f64,
    gravity: f64,
    from: DVec3,
    /// The position at which the body's lowest point is on the destination, where the destination
    /// is now.
    to: DVec3,
    motion: TargetMotion,
    work: Cell<u64>,
    most_work: u64,
}

/// A flight's launch, its destination, and its clearance.
type Solution = (Launch, DVec3, f64);

impl<'a> Planner<'a> {
    fn new(
        around: &Surroundings<'a>,
        loadout: &Loadout<BallisticTuning>,
        from: DVec3,
        aim: &Aim,
        [seen, standing]: [&'a Transit; 2],
        delay: u64,
    ) -> Self {
        let level = around.level;
        let here = around.within(from.truncate());
        let gravity = here.map_or(around.gravity, |here| here.gravity);
        let scenery = level.terrain.moved(seen);
        let (to, under) = match level.view {
            View::Side => {
                let center = aim.at + DVec2::new(0.0, loadout.shape.half.y);
                let hit = scenery.cast(aim.at + DVec2::Y * ON_PLATFORM, DVec2::Y * (-2.0 * ON_PLATFORM));
                (center.extend(0.0), hit.and_then(|hit| level.terrain.edge_of(hit.feature).platform))
            }
            View::Top => {
                // A solid without a top is a wall and has no floor.
                let floor = scenery.floor_below(loadout.shape, aim.at, f64::MAX);
                let platform = floor.solid.and_then(|s| level.terrain.platform_of(s));
                (aim.at.extend(floor.height), platform)
            }
        };
        let motion = match (aim.velocity, under) {
            (Some(velocity), _) => TargetMotion::Velocity(velocity),
            (None, Some(platform)) => TargetMotion::Platform(platform),
            (None, None) => TargetMotion::Still,
        };
        // Where the destination is when the flight begins.
        let moved = match motion {
            TargetMotion::Still => DVec2::ZERO,
            TargetMotion::Platform(platform) => standing.offsets[platform as usize] - seen.offsets[platform as usize],
            TargetMotion::Velocity(velocity) => velocity * (delay as f64 * around.dt),
        };
        Self {
            level,
            standing,
            throws: delay > 0,
            tick: around.tick + delay,
            began: ClockTick(around.now.0 + delay as f64 * around.rate),
            hz: around.hz,
            pace: around.pace,
            rate: around.rate,
            lapse: 1.0 / around.lapse,
            shape: loadout.shape,
            most_speed: loadout.tuning.max_launch_speed,
            gravity: gravity * loadout.footing.gravity_scale,
            from,
            to: to + moved.extend(0.0),
            motion,
            work: Cell::new(0),
            most_work: u64::MAX,
        }
    }

    /// Plans a jump with this clearance, or a slightly larger one if a moving platform needs it.
    fn attempt(&self, clearance: f64) -> Result<Plan, PlanError> {
        let (launch, to, clearance) = self.solve_to_rest(clearance)?;
        let (up, pull) = self.upwards();
        let flight = Flight {
            began: self.began,
            origin: self.from,
            velocity: launch.across.extend(0.0) + up * launch.up,
            pull,
            time: launch.time,
            to,
        };
        let speed = flight.velocity.length();
        if self.most_speed > 0.0 && speed > self.most_speed {
            return Err(PlanError::TooFast { speed, most: self.most_speed });
        }
        if flight.time > MOST_SECONDS {
            return Err(PlanError::TooLong { seconds: flight.time });
        }
        self.try_path(&flight)?;
        let lowest = match self.level.view {
            View::Side => self.from.y - self.shape.half.y,
            View::Top => self.from.z,
        };
        Ok(Plan { flight, clearance, apex: lowest + launch.apex })
    }

    /// The launch that ends where the body comes to rest, which on uneven ground is slightly above
    /// the destination.
    fn solve_to_rest(&self, clearance: f64) -> Result<Solution, PlanError> {
        let mut raised = 0.0;
        for _ in 0..MOST_CORRECTIONS {
            let solution = self.solve(clearance, raised)?;
            let more = self.settle(&solution)?;
            if more == 0.0 {
                return Ok(solution);
            }
            // A longer flight meets a moving destination elsewhere, so solve again.
            raised += more;
        }
        Err(PlanError::Unreachable)
    }

    /// The unit vector up, and gravity, px/s².
    fn upwards(&self) -> (DVec3, DVec3) {
        let up = match self.level.view {
            View::Side => DVec3::Y,
            View::Top => DVec3::Z,
        };
        (up, up * -self.gravity)
    }

    /// The launch toward a still destination.
    fn launch(&self, to: DVec3, clearance: f64) -> Result<Launch, PlanError> {
        self.work(WORK_OF_LAUNCH)?;
        let offset = to - self.from;
        let (across, rise) = match self.level.view {
            View::Side => (DVec2::new(offset.x, 0.0), offset.y),
            View::Top => (offset.truncate(), offset.z),
        };
        launch(across, rise, self.gravity, clearance)
    }

    /// The launch toward where the destination will be, `raised` (px).
    fn solve(&self, clearance: f64, raised: f64) -> Result<Solution, PlanError> {
        let (up, _) = self.upwards();
        let to = self.to + up * raised;
        match self.motion {
            TargetMotion::Still => Ok((self.launch(to, clearance)?, to, clearance)),
            TargetMotion::Velocity(velocity) => self.meet(to, velocity.extend(0.0), clearance),
            TargetMotion::Platform(platform) => self.board(to, platform, clearance),
        }
    }

    /// The flight that meets a destination moving at constant velocity.
    fn meet(&self, to: DVec3, velocity: DVec3, clearance: f64) -> Result<Solution, PlanError> {
        let after = |seconds: f64| self.launch(to + velocity * seconds, clearance);
        // The duration of a flight grows with the square root of its height, the distance that the
        // destination moves grows linearly. So the flight is too slow before the meeting and fast
        // enough after it.
        let (mut soon, mut late) = (0.0, 1.0);
        while after(late)?.time > late {
            soon = late;
            late *= 2.0;
            if late > 2.0 * MOST_SECONDS {
                return Err(PlanError::Unreachable);
            }
        }
        loop {
            let middle = 0.5 * (soon + late);
            if middle <= soon || middle >= late {
                break;
            }
            if after(middle)?.time > middle {
                soon = middle;
            } else {
                late = middle;
            }
        }
        Ok((after(late)?, to + velocity * late, clearance))
    }

    /// The flight that ends in the first tick in which it can meet the platform. A flight that
    /// would end before that tick is made slightly higher.
    fn board(&self, to: DVec3, platform: u16, clearance: f64) -> Result<Solution, PlanError> {
        let platform = &self.level.terrain.platforms()[platform as usize];
        let offset = |tick: u64| platform.offset(&self.standing.changes, tick, self.hz);
        let after = |ticks: u64| {
            let there = to + (offset(self.tick + ticks) - offset(self.tick)).extend(0.0);
            Ok((self.launch(there, clearance)?, there, ticks as f64 / self.pace))
        };
        let most = (MOST_SECONDS * self.pace) as u64;
        let stride = ((STRIDE * self.pace) as u64).max(1);
        let (mut late, mut ticks) = (0, 0);
        let (mut solved, mut there, mut seconds);
        loop {
            ticks = (ticks + stride).min(most);
            (solved, there, seconds) = after(ticks)?;
            if solved.time <= seconds {
                break;
            }
            if ticks == most {
                return Err(PlanError::Unreachable);
            }
            late = ticks;
        }
        while ticks - late > 1 {
            let middle = late.midpoint(ticks);
            let sooner = after(middle)?;
            if sooner.0.time <= sooner.2 {
                ticks = middle;
                (solved, there, seconds) = sooner;
            } else {
                late = middle;
            }
        }
        let before = (ticks - 1) as f64 / self.pace;
        if solved.time > before || ticks == 1 {
            return Ok((solved, there, clearance));
        }
        let higher = self.lasting(there, clearance, 0.5 * (before + seconds))?;
        Ok((self.launch(there, higher)?, there, higher))
    }

    /// The clearance, at least `least`, with which a flight takes this long.
    fn lasting(&self, to: DVec3, least: f64, seconds: f64) -> Result<f64, PlanError> {
        let (mut low, mut high) = (least, least + 1.0);
        while self.launch(to, high)?.time < seconds {
            low = high;
            high = least + 2.0 * (high - least);
        }
        // The target is the middle of a tick, so half a tick of error remains on either side.
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.launch(to, middle)?.time < seconds {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(high)
    }

    /// How much higher a body has to land that would otherwise land inside uneven ground, px.
    fn settle(&self, (launch, to, _): &Solution) -> Result<f64, PlanError> {
        if self.level.view == View::Top || launch.time > MOST_SECONDS {
            return Ok(0.0);
        }
        let ticks = (launch.time * self.pace).ceil().max(1.0) as u64;
        let terrain = &self.level.terrain;
        let changes = &self.standing.changes;
        let standing = Transit::standing(terrain.platforms(), changes, self.tick + ticks, self.hz);
        let scenery = terrain.moved(&standing);
        let (reach, place) = (self.shape.half.x, to.truncate());
        let area = Bounds::of(place, place).grown(self.shape.half);
        self.work(WORK_OF_TRIANGLE + terrain.platforms().len() as u64 + scenery.crowd(&area) / 2)?;
        let above = place + DVec2::new(0.0, reach);
        let inside = scenery.overlap(self.shape, place).is_some();
        let Some(hit) = scenery.probe(self.shape, above, reach) else {
            return if inside { Err(blocked_at(&scenery, self.shape, *to)) } else { Ok(0.0) };
        };
        let more = reach * (1.0 - hit.time);
        let lowest = place - DVec2::new(0.0, self.shape.half.y);
        let ground = scenery.terrain.edge_of(hit.feature);
        let on_line = matches!(hit.feature, Feature::Face(_)) && ground.side == Side::OneWay && {
            let touch = hit.point(self.shape, above - DVec2::new(0.0, reach * hit.time));
            (lowest - touch).dot(hit.normal).abs() <= ON_GROUND
        };
        let rests = (inside || on_line) && more > TOUCH;
        Ok(if rests { more } else { 0.0 })
    }

    /// Looks for obstacles on the path of a flight: for those that stay in place all along it, and for each that moves
    /// where the two may be near each other.
    fn try_path(&self, flight: &Flight) -> Result<(), PlanError> {
        let terrain = &self.level.terrain;
        let ends = [0.0, flight.top().clamp(0.0, flight.time), flight.time];
        let [from, top, to] = ends.map(|time| flight.at(time).truncate());
        if [from, top, to].iter().any(|place| !self.level.bounds.holds(*place)) {
            return Err(PlanError::Outside);
        }
        self.work(terrain.platforms().len() as u64)?;
        let mut transit = self.standing.clone();
        for platform in terrain.movers() {
            transit.there[*platform as usize] = false;
        }
        self.try_still(&self.path(flight, &transit, None))?;
        let area = Bounds::around(&[from, top, to]).grown(self.shape.half);
        let mut last = None;
        loop {
            self.work(terrain.movers().len() as u64 / 8)?;
            let movers = terrain.moved(self.standing).movers_after(last, &area);
            let Some(next) = movers.last() else {
                return Ok(());
            };
            last = Some(*next);
            for platform in movers.into_iter().filter(|platform| self.standing.is_there(*platform)) {
                transit.there[platform as usize] = true;
                self.try_moving(flight, platform, &mut transit, [0.0, flight.time])?;
                transit.there[platform as usize] = false;
                transit.steps[platform as usize] = DVec2::ZERO;
            }
        }
    }

    fn path<'p>(&'p self, flight: &'p Flight, transit: &'p Transit, only: Option<u16>) -> FlightPath<'p> {
        FlightPath { flight, shape: self.shape, level: self.level, transit, only, whole: self.throws }
    }

    /// Looks for obstacles that stay in place, at the cuts of the path.
    fn try_still(&self, path: &FlightPath) -> Result<(), PlanError> {
        let flight = path.flight;
        // The chords of a projectile begin at its ticks. Where these are shorter than half of the longest chord, each is
        // within two parts of that length.
        let (longest, tick) = (path.longest(), 1.0 / self.pace);
        let by_ticks = self.throws && 2.0 * tick > longest;
        let (step, joined) = if self.throws && !by_ticks { (0.5 * longest, 2) } else { (longest, 1) };
        let mut cuts = vec![0.0];
        let mut time = 0.0;
        while time < flight.time {
            time = if by_ticks { cuts.len() as f64 * tick } else { path.cut_after(time, step) }.min(flight.time);
            cuts.push(time);
        }
        self.work(cuts.len() as u64 / 16)?;
        let heights = &self.level.heights;
        let crowd = |cuts: &[f64]| {
            let [from, to] = [cuts[0], cuts[cuts.len() - 1]].map(|time| flight.at(time));
            let top = flight.at(flight.top().clamp(cuts[0], cuts[cuts.len() - 1]));
            let area = Bounds::around(&[from.truncate(), top.truncate(), to.truncate()]);
            let terrain = self.level.terrain_at(from.z.min(to.z) - 2.0 * TOUCH);
            let edges = terrain.moved(path.transit).crowd(&area.grown(self.shape.half + DVec2::ONE));
            // In the middle of a floor, no edge is near.
            let floor = heights.next_below(top.z).is_some_and(|height| height >= to.z - TOUCH);
            edges + u64::from(floor && self.level.view == View::Top)
        };
        for first in (0..cuts.len() - 1).step_by(CHUNK) {
            let chunk = &cuts[first..cuts.len().min(first + CHUNK + joined)];
            let edges = crowd(chunk);
            self.work(WORK_OF_CHUNK + edges / 8)?;
            if edges == 0 {
                continue;
            }
            for ends in chunk.windows(chunk.len().min(joined + 1)) {
                let ends = [ends[0], ends[ends.len() - 1]];
                let edges = crowd(&ends);
                self.work(WORK_OF_TRIANGLE + edges / 2)?;
                if edges == 0 {
                    continue;
                }
                path.triangle(ends[0], ends[1]).map_err(|stop| self.blocked(stop.on.solid()))?;
            }
        }
        self.try_place(path, flight.time)
    }

    /// Looks for a platform on the path of a flight between two times. Where it may be near, the path is followed tick by
    /// tick, as the flight will be.
    fn try_moving(
        &self,
        flight: &Flight,
        number: u16,
        transit: &mut Transit,
        [from, to]: [f64; 2],
    ) -> Result<(), PlanError> {
        let terrain = &self.level.terrain;
        let platform = &terrain.platforms()[number as usize];
        let changes = &self.standing.changes;
        let offset = |seconds: f64| changes.offset(platform.solid, &platform.path, seconds);
        let now = changes.seconds(self.tick, self.hz);
        self.work(1)?;
        let (middle, tick) = (0.5 * (from + to), 1.0 / self.pace);
        // It is up to a tick ahead of the body, and the last tick may begin at the end.
        let until = (to + tick).min(flight.time);
        let ends = [from, flight.top().clamp(from, until), until];
        let area = Bounds::around(&ends.map(|time| flight.at(time).truncate())).grown(self.shape.half + DVec2::ONE);
        let reach = DVec2::splat(platform.path.speed() * self.lapse * (0.5 * (to - from) + 2.0 * tick));
        if !platform.bounds.moved(offset(now + middle * self.lapse)).grown(reach).meets(&area) {
            return Ok(());
        }
        if to - from > SHORT {
            self.try_moving(flight, number, transit, [from, middle])?;
            return self.try_moving(flight, number, transit, [middle, to]);
        }
        let [first, end] = [from, to].map(|time| (time * self.pace).ceil() as u64);
        let edges = platform.edges.len().min(64) as u64;
        for ticks in first..end {
            self.work(WORK_OF_TICK + edges / 8)?;
            let [before, after] = [ticks, ticks + 1].map(|ticks| platform.offset(changes, self.tick + ticks, self.hz));
            transit.offsets[number as usize] = after;
            transit.steps[number as usize] = after - before;
            let path = self.path(flight, transit, Some(number));
            let span = [ticks, ticks + 1].map(|ticks| ClockTick(self.began.0 + ticks as f64 * self.rate));
            let (start, stop) = flight.span(span, self.hz);
            if ticks > 0
                && let Some((struck, _)) = path.pushed(flight.at(start))
            {
                return Err(self.blocked(Some(struck.solid)));
            }
            path.follow(flight.at(start), start, stop).map_err(|stop| self.blocked(stop.on.solid()))?;
            // A platform may rise faster than the body takes off, and there may be too little room at the destination.
            if ticks == 0 || stop >= flight.time {
                self.try_place(&path, stop)?;
            }
        }
        Ok(())
    }

    /// Whether the body has room at this time of its flight.
    fn try_place(&self, path: &FlightPath, time: f64) -> Result<(), PlanError> {
        let place = path.flight.at(time);
        let scenery = self.level.terrain_at(place.z).moved(path.transit);
        match scenery.overlap(self.shape, place.truncate()) {
            Some(_) => Err(blocked_at(&scenery, self.shape, place)),
            None => Ok(()),
        }
    }

    fn blocked(&self, solid: Option<u32>) -> PlanError {
        let name = |solid| self.level.terrain.solids()[solid as usize].name.clone();
        PlanError::Blocked { by: solid.map_or_else(Arc::default, name) }
    }
}

/// The error for a place that overlaps a solid.
fn blocked_at(scenery: &Scenery, shape: Collider, place: DVec3) -> PlanError {
    let terrain = scenery.terrain;
    let overlaps = |index: usize| {
        let solid = &terrain.solids()[index];
        let platform = terrain.platform_of(index as u32);
        let at = place.truncate() - platform.map_or(DVec2::ZERO, |p| scenery.offset(p));
        platform.is_none_or(|p| scenery.has_platform(p))
            && !solid.one_way
            && solid.top > place.z + TOUCH
            && match platform.and_then(|p| scenery.tilt(p)) {
                Some(tilt) => tilt.overlap(solid, shape, at).is_some(),
                None => separation(shape, at, &solid.points).overlaps(),
            }
    };
    let solids = terrain.solids();
    let found = (0..solids.len()).find(|index| overlaps(*index));
    PlanError::Blocked { by: found.map_or_else(Arc::default, |index| solids[index].name.clone()) }
}
