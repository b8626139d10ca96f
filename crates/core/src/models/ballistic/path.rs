//! The path of a flight and the obstacles on it.
//!
//! The parabola is cut at times that follow from the flight alone. Between two cuts, the body is in the triangle of the
//! chord and the tangents there. A plan looks at its sides. The flight is cut at the ends of its ticks, too, and follows
//! chords within the triangles. So what is planned can be flown at every tick rate. In a top view, chords are also split
//! at the tops of solids, since the same solids are in the way between two tops.

use super::*;

/// Largest distance between a chord and the arc, px.
const SAGITTA: f64 = 0.25;

/// How often the first chord of a launch that does not rise is halved. A body on the edge of a
/// platform clears the edge along the arc, but a long first chord would cut into it.
const HALVINGS: u32 = 12;

/// Obstacles this close to the destination belong to it, px.
const AT_DESTINATION: f64 = 0.01;

/// The early end of a flight.
#[derive(Clone, Copy)]
pub struct Interruption {
    /// Position of the body.
    pub at: DVec3,
    /// Time, seconds after the launch.
    pub time: f64,
    /// The obstacle in the way.
    pub on: Obstacle,
}

/// An obstacle that ends a flight.
#[derive(Clone, Copy)]
pub enum Obstacle {
    /// The side of a solid.
    Solid(SolidHit),
    /// A floor of a top view, from above.
    Floor(Floor),
}

/// A hit on a solid.
#[derive(Clone, Copy)]
pub struct SolidHit {
    /// Index of the solid. It is the same at every height of a top view, unlike the indices of
    /// features.
    pub solid: u32,
    pub feature: Feature,
    /// Unit normal there.
    pub normal: DVec2,
}

impl SolidHit {
    /// A hit in this terrain.
    pub fn by(hit: &Hit, terrain: &Terrain) -> Self {
        Self { solid: terrain.edge_of(hit.feature).solid, feature: hit.feature, normal: hit.normal }
    }
}

impl Obstacle {
    /// Index of the solid; `None` for the plain ground of a top view.
    pub fn solid(&self) -> Option<u32> {
        match self {
            Self::Solid(struck) => Some(struck.solid),
            Self::Floor(floor) => floor.solid,
        }
    }
}

/// The path of a flight through the terrain of one tick.
#[derive(Clone, Copy)]
pub struct FlightPath<'a> {
    pub flight: &'a Flight,
    pub shape: Collider,
    pub level: &'a Level,
    /// Platform positions at the end of the tick, since platforms move first.
    pub transit: &'a Transit,
    /// The only platform that is in the way; `None` if everything is.
    pub only: Option<u16>,
    /// Whether the body is a projectile, which moves along a single chord in each tick.
    pub whole: bool,
}

/// A point on the path, and the time at which the body is there.
#[derive(Clone, Copy)]
struct PathPoint {
    at: DVec3,
    time: f64,
}

impl FlightPath<'_> {
    /// Follows the path from `place`, from time `from` to time `to`, seconds after the launch.
    pub fn follow(&self, place: DVec3, from: f64, to: f64) -> Result<(), Interruption> {
        let mut here = PathPoint { at: place, time: from };
        loop {
            let next = if self.whole { to } else { self.cut_after(here.time, self.longest()) };
            here = self.chord(here, next.min(to))?;
            if here.time >= to {
                return Ok(());
            }
        }
    }

    /// The longest time between two cuts, s.
    pub fn longest(&self) -> f64 {
        (8.0 * SAGITTA / self.flight.pull.length()).sqrt()
    }

    /// The first time after this one at which the path is cut every `step` seconds, seconds after the launch.
    pub fn cut_after(&self, time: f64, step: f64) -> f64 {
        let Flight { velocity, pull, .. } = self.flight;
        if !step.is_finite() {
            return f64::INFINITY;
        }
        let top = self.flight.top();
        let number = ((time - top) / step).floor();
        // The quotient may round down to the cut before.
        let cuts = [1.0, 2.0].map(|more| top + (number + more) * step);
        let mut next = if cuts[0] > time { cuts[0] } else { cuts[1] };
        if next <= step && velocity.dot(*pull) >= 0.0 {
            for _ in 0..HALVINGS {
                if 0.5 * next > time {
                    next *= 0.5;
                }
            }
        }
        next
    }

    /// Whether the triangle between two cuts is free: the chord, and in a side view the tangents. In a top view the
    /// path is straight. A projectile keeps to chords.
    pub fn triangle(&self, from: f64, to: f64) -> Result<(), Interruption> {
        let here = self.point(from);
        let there = self.chord(here, to)?;
        if self.level.view == View::Top {
            let low = here.at.z.min(there.at.z);
            let rises = there.at.z > here.at.z || to <= self.flight.top();
            // A projectile first moves in the plane, then up.
            let walls = self.level.terrain_at(low);
            return if self.whole && rises { self.sweep(here, there, walls) } else { Ok(()) };
        }
        if self.whole {
            return Ok(());
        }
        let half = 0.5 * (there.time - from);
        let between = PathPoint { at: here.at + self.flight.velocity_at(from) * half, time: from + half };
        self.sweep(here, between, &self.level.terrain)?;
        self.sweep(between, there, &self.level.terrain)
    }

    /// If a moving platform ran into a body at `place` in this tick: the hit, and the platform's
    /// step, px.
    pub fn pushed(&self, place: DVec3) -> Option<(SolidHit, DVec2)> {
        let terrain = self.level.terrain_at(place.z);
        let scenery = terrain.moved(self.transit);
        let steps = self.transit.steps.iter().enumerate();
        let mut moving = steps.filter(|(_, step)| **step != DVec2::ZERO);
        // In the frame of the platform at its old position, the body moves toward it.
        moving.find_map(|(platform, step)| {
            let hit = scenery.sweep_platform(platform as u16, self.shape, place.truncate() + *step, -*step)?;
            Some((SolidHit::by(&hit, terrain), *step))
        })
    }

    fn chord(&self, here: PathPoint, until: f64) -> Result<PathPoint, Interruption> {
        let there = self.point(until);
        match self.level.view {
            View::Side => self.sweep(here, there, &self.level.terrain)?,
            View::Top => self.pass(here, there)?,
        }
        Ok(there)
    }

    fn point(&self, time: f64) -> PathPoint {
        PathPoint { at: self.flight.at(time), time }
    }

    /// Whether the flight ends at this time and place.
    fn is_end(&self, time: f64, at: DVec3) -> bool {
        time >= self.flight.time && at.distance(self.flight.to) <= AT_DESTINATION
    }

    /// Moves along a chord in the plane.
    fn sweep(&self, here: PathPoint, there: PathPoint, terrain: &Terrain) -> Result<(), Interruption> {
        let motion = there.at - here.at;
        let plane = motion.truncate();
        if plane == DVec2::ZERO {
            return Ok(());
        }
        let scenery = terrain.moved(self.transit);
        let from = here.at.truncate();
        let hit = match self.only {
            Some(platform) => scenery.sweep_platform(platform, self.shape, from, plane),
            None => scenery.sweep(self.shape, from, plane),
        };
        let Some(hit) = hit else {
            return Ok(());
        };
        let at = here.at + motion * hit.time;
        if self.is_end(there.time, at) {
            return Ok(());
        }
        Err(Interruption {
            at,
            time: here.time + (there.time - here.time) * hit.time,
            on: Obstacle::Solid(SolidHit::by(&hit, terrain)),
        })
    }

    /// Moves along a chord in a top view: up to the top of the flight, then down.
    fn pass(&self, here: PathPoint, there: PathPoint) -> Result<(), Interruption> {
        let top = self.flight.top();
        if there.time <= top {
            return self.climb(here, there);
        }
        if top <= here.time {
            return self.sink(here, there);
        }
        let top = self.point(top);
        self.climb(here, top)?;
        self.sink(top, there)
    }

    fn climb(&self, mut here: PathPoint, there: PathPoint) -> Result<(), Interruption> {
        let heights = &self.level.heights;
        while let Some(top) = heights.next_above(here.at.z).filter(|top| *top <= there.at.z) {
            let next = self.crossing(top, here, there, -1.0);
            self.sweep(here, next, self.level.terrain_at(here.at.z))?;
            here = next;
        }
        self.sweep(here, there, self.level.terrain_at(here.at.z))
    }

    fn sink(&self, mut here: PathPoint, there: PathPoint) -> Result<(), Interruption> {
        loop {
            self.come_down(here)?;
            let ends = there.time >= self.flight.time;
            let passed = |top: &f64| {
                let beyond = *top > there.at.z + TOUCH;
                beyond || (!ends && *top >= there.at.z)
            };
            let top = self.level.heights.next_below(here.at.z).filter(passed);
            let next = top.map_or(there, |top| self.crossing(top, here, there, 1.0));
            let between = 0.5 * (here.at.z + next.at.z);
            self.sweep(here, next, self.level.terrain_at(between))?;
            if top.is_none() {
                return Ok(());
            }
            here = next;
        }
    }

    /// The point where the flight passes a height: while it rises if `sign` is −1, while it sinks
    /// if it is 1.
    fn crossing(&self, height: f64, here: PathPoint, there: PathPoint, sign: f64) -> PathPoint {
        let (speed, gravity) = (self.flight.velocity.z, -self.flight.pull.z);
        let squared = speed * speed - 2.0 * gravity * (height - self.flight.origin.z);
        let time = (speed + sign * squared.max(0.0).sqrt()) / gravity;
        let mut point = self.point(time.clamp(here.time, there.time));
        point.at.z = height;
        point
    }

    /// Stops at a floor below, unless the flight ends here.
    fn come_down(&self, here: PathPoint) -> Result<(), Interruption> {
        if self.is_end(here.time, here.at) {
            return Ok(());
        }
        let scenery = self.level.terrain.moved(self.transit);
        let (plane, z) = Flight::split(here.at);
        let floor = scenery.floor_below(self.shape, plane, z);
        if floor.height < z - TOUCH {
            return Ok(());
        }
        Err(Interruption { at: here.at, time: here.time, on: Obstacle::Floor(floor) })
    }
}
