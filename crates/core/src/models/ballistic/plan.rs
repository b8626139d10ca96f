//! Plans jumps to a destination, over obstacles, and to where a moving destination will be.

use super::path::FlightPath;
use super::*;
use crate::geometry::separation::separation;
use crate::level::LevelChanges;
use crate::tuning::MOST;
use std::cell::Cell;
use std::ops::RangeInclusive;

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
    TooMuchWork,
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
            Self::TooMuchWork => f.write_str("planning it takes too long"),
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

/// The work of following a flight through one tick, in addition to the edges and platforms there.
const WORK_OF_TICK: u64 = 8;

/// The work of solving for one launch.
const WORK_OF_LAUNCH: u64 = 2;

/// Maximum number of ticks of flight that all attempts of one plan simulate together.
const MOST_TICKS: f64 = 6_000.0;

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

/// Plans a jump of a body at `from`: its center, with the height of its feet as z. The flight
/// begins in the tick of `around`.
///
/// # Errors
/// If there is no such jump: the reason why the last attempt failed, see [`PlanError`].
pub fn plan(
    around: &Surroundings,
    loadout: &Loadout<BallisticTuning>,
    from: DVec3,
    aim: &Aim,
    work: &mut PlanWork,
) -> Result<Plan, PlanError> {
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
    let standing = Transit::standing(terrain.platforms(), changes, around.now, around.hz);
    let mut planner = Planner::new(around, loadout, from, aim, &standing);
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
        let mut last = PlanError::Unreachable;
        let mut ticks = 0.0;
        for _ in 0..MOST_TRIES {
            // Long flights get fewer attempts, so that no plan stalls the game.
            let long = self.launch(self.to, tried);
            ticks += long.map_or(0.0, |launch| launch.time) * self.hz;
            if ticks > MOST_TICKS && tried > clearance {
                break;
            }
            match self.attempt(tried) {
                Ok(plan) => return Ok(plan),
                Err(error @ PlanError::Blocked { .. }) => last = error,
                // The first attempts say more than that there may be no more.
                Err(PlanError::TooMuchWork) if tried > clearance => break,
                // A higher jump only helps against obstacles.
                Err(error) => return Err(error),
            }
            if step <= 0.0 || tried >= most {
                break;
            }
            tried = (tried + step).min(most);
        }
        Err(last)
    }

    /// Counts work.
    fn work(&self, units: u64) -> Result<(), PlanError> {
        let done = self.work.get().saturating_add(units);
        self.work.set(done);
        if done > self.most_work {
            return Err(PlanError::TooMuchWork);
        }
        Ok(())
    }

    /// Counts the work of computing where all platforms are, and of looking at the edges in `area`.
    fn work_in(&self, scenery: &Scenery, area: &Bounds) -> Result<(), PlanError> {
        let platforms = scenery.terrain.platforms().len() as u64;
        self.work(WORK_OF_TICK + platforms + scenery.crowd(area) / 2)
    }
}

/// The input that all attempts of a plan share.
struct Planner<'a> {
    level: &'a Level,
    /// Where platforms are and which are switched off; they are assumed to continue so.
    changes: LevelChanges,
    now: u64,
    hz: f64,
    shape: Ellipse,
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
        standing: &Transit,
    ) -> Self {
        let level = around.level;
        let here = around.within(from.truncate());
        let gravity = here.map_or(around.gravity, |here| here.gravity);
        let scenery = level.terrain.moved(standing);
        let (to, under) = match level.view {
            View::Side => {
                let center = aim.at + DVec2::new(0.0, loadout.shape.half.y);
                let hit = scenery.cast(aim.at + DVec2::Y * ON_PLATFORM, DVec2::Y * (-2.0 * ON_PLATFORM));
                (center.extend(0.0), hit.and_then(|hit| level.terrain.edge_of(hit.feature).platform))
            }
            View::Top => {
                // A solid without a top is a wall and has no floor.
                let floor = scenery.floor_below(loadout.shape, aim.at, f64::MAX, level.plain);
                let platform = floor.solid.and_then(|s| level.terrain.platform_of(s));
                (aim.at.extend(floor.height), platform)
            }
        };
        let motion = match (aim.velocity, under) {
            (Some(velocity), _) => TargetMotion::Velocity(velocity),
            (None, Some(platform)) => TargetMotion::Platform(platform),
            (None, None) => TargetMotion::Still,
        };
        Self {
            level,
            changes: standing.changes.clone(),
            now: around.now,
            hz: around.hz,
            shape: loadout.shape,
            most_speed: loadout.tuning.max_launch_speed,
            gravity: gravity * loadout.footing.gravity_scale,
            from,
            to,
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
            began: self.now,
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
        let offset = |tick: u64| platform.offset(&self.changes, tick, self.hz);
        let most = (MOST_SECONDS * self.hz) as u64;
        for ticks in 1..=most {
            let moved = offset(self.now + ticks) - offset(self.now);
            let there = to + moved.extend(0.0);
            let solved = self.launch(there, clearance)?;
            let (from, to) = ((ticks - 1) as f64 / self.hz, ticks as f64 / self.hz);
            if solved.time > to {
                continue;
            }
            if solved.time > from || ticks == 1 {
                return Ok((solved, there, clearance));
            }
            let middle = 0.5 * (from + to);
            let higher = self.lasting(there, clearance, middle)?;
            return Ok((self.launch(there, higher)?, there, higher));
        }
        Err(PlanError::Unreachable)
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
        let ticks = (launch.time * self.hz).ceil().max(1.0) as u64;
        let terrain = &self.level.terrain;
        let standing = Transit::standing(terrain.platforms(), &self.changes, self.now + ticks, self.hz);
        let scenery = terrain.moved(&standing);
        let (reach, place) = (self.shape.half.x, to.truncate());
        self.work_in(&scenery, &Bounds::of(place, place).grown(self.shape.half))?;
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

    /// Follows the path of a flight through the coming ticks.
    fn try_path(&self, flight: &Flight) -> Result<(), PlanError> {
        let terrain = &self.level.terrain;
        let mut transit = Transit::default();
        let mut now = self.now;
        loop {
            transit.step(terrain.platforms(), &self.changes, now, self.hz);
            let path = FlightPath { flight, shape: self.shape, level: self.level, transit: &transit };
            let (from, to) = flight.span(now, self.hz);
            let place = flight.at(from);
            let scenery = self.level.terrain_at(place.z).moved(&transit);
            let area = Bounds::of(place.truncate(), flight.at(to).truncate());
            self.work_in(&scenery, &area.grown(self.shape.half))?;
            if let Some((struck, _)) = path.pushed(place).filter(|_| now > self.now) {
                return Err(self.blocked(Some(struck.solid)));
            }
            path.follow(place, from, to).map_err(|stop| self.blocked(stop.on.solid()))?;
            let place = flight.at(to);
            if !self.level.bounds.holds(place.truncate()) {
                return Err(PlanError::Outside);
            }
            let scenery = self.level.terrain_at(place.z).moved(&transit);
            // A platform may rise faster than the body takes off, and there may be too little room
            // at the destination.
            let ends = to >= flight.time;
            let tight = ends || now == self.now;
            if tight && scenery.overlap(self.shape, place.truncate()).is_some() {
                return Err(blocked_at(&scenery, self.shape, place));
            }
            if ends {
                return Ok(());
            }
            now += 1;
        }
    }

    fn blocked(&self, solid: Option<u32>) -> PlanError {
        let name = |solid| self.level.terrain.solids()[solid as usize].name.clone();
        PlanError::Blocked { by: solid.map_or_else(Arc::default, name) }
    }
}

/// The error for a place that overlaps a solid.
fn blocked_at(scenery: &Scenery, shape: Ellipse, place: DVec3) -> PlanError {
    let terrain = scenery.terrain;
    let overlaps = |index: usize| {
        let solid = &terrain.solids()[index];
        let platform = terrain.platform_of(index as u32);
        let at = place.truncate() - platform.map_or(DVec2::ZERO, |p| scenery.offset(p));
        platform.is_none_or(|p| scenery.has_platform(p))
            && !solid.one_way
            && solid.top > place.z + TOUCH
            && separation(shape, at, &solid.points).overlaps()
    };
    let solids = terrain.solids();
    let found = (0..solids.len()).find(|index| overlaps(*index));
    PlanError::Blocked { by: found.map_or_else(Arc::default, |index| solids[index].name.clone()) }
}
