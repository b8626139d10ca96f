//! What a flight meets on its way.
//!
//! Planning a flight and flying it go the same way: along chords of the parabola from tick to tick,
//! past the terrain as it is in each of them. In a top view chords are cut where they pass the top
//! of a solid, since between two tops the same solids are in the way.

use crate::geometry::{Ellipse, TOUCH};
use crate::level::{Feature, Floor, Hit, Level, Terrain, Transit, View};
use crate::models::Flight;
use glam::{DVec2, DVec3};

/// Most by which a chord lies below the arc, px.
const SAGITTA: f64 = 0.25;

/// Most chords of one tick.
const MOST_CHORDS: f64 = 64.0;

/// How often the first chord of a level launch is halved: what stands on an edge gets off it along
/// the arc, but not along a chord that begins by leading into the edge.
const HALVINGS: u32 = 12;

/// What is met this close to the destination is the destination, px.
const NEAR: f64 = 0.01;

/// What ends a flight before its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    /// Where the body is then.
    pub at: DVec3,
    /// When, seconds after the launch.
    pub time: f64,
    /// What it has met.
    pub on: Met,
}

/// What can end a flight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Met {
    /// The side of a solid.
    Solid(Struck),
    /// A floor of a top view, from above.
    Floor(Floor),
}

/// A part of the terrain that is met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Struck {
    /// The solid. Parts are numbered anew for each height of a top view, solids are not.
    pub solid: u32,
    pub feature: Feature,
    /// Unit normal there.
    pub normal: DVec2,
}

impl Struck {
    /// What a hit in this terrain has met.
    pub fn by(hit: &Hit, terrain: &Terrain) -> Self {
        Self {
            solid: terrain.edge_of(hit.feature).solid,
            feature: hit.feature,
            normal: hit.normal,
        }
    }
}

impl Met {
    /// The solid; none on the plain ground of a top view.
    pub fn solid(&self) -> Option<u32> {
        match self {
            Self::Solid(struck) => Some(struck.solid),
            Self::Floor(floor) => floor.solid,
        }
    }
}

/// A flight in the terrain of one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a> {
    pub flight: &'a Flight,
    pub shape: Ellipse,
    pub level: &'a Level,
    /// Where the platforms are at the end of the tick: they move first.
    pub transit: &'a Transit,
}

/// A place on the way, and when the body is there.
#[derive(Clone, Copy, Debug)]
struct Point {
    at: DVec3,
    time: f64,
}

impl Way<'_> {
    /// Goes from `place` through the times from one to the other, seconds after the launch.
    pub fn go(&self, place: DVec3, from: f64, to: f64) -> Result<(), Stop> {
        let longest = (8.0 * SAGITTA / self.flight.pull.length()).sqrt();
        let parts = ((to - from) / longest).ceil().clamp(1.0, MOST_CHORDS);
        let part = (to - from) / parts;
        let mut here = Point {
            at: place,
            time: from,
        };
        let sinks = self.flight.velocity.dot(self.flight.pull) >= 0.0;
        if from == 0.0 && sinks {
            for halving in (1..=HALVINGS).rev() {
                here = self.chord(here, part / f64::from(1_u32 << halving))?;
            }
        }
        for number in 1..parts as u32 {
            here = self.chord(here, from + part * f64::from(number))?;
        }
        self.chord(here, to).map(|_| ())
    }

    /// What a platform that has moved in this tick runs into a body at `place` with, and how fast
    /// it moves, px a tick.
    pub fn pushed(&self, place: DVec3) -> Option<(Struck, DVec2)> {
        let terrain = self.level.terrain_at(place.z);
        let scenery = terrain.moved(self.transit);
        let steps = self.transit.steps.iter().enumerate();
        let moving = steps.filter(|(_, step)| **step != DVec2::ZERO);
        // Seen from the platform where it was, the body comes towards it.
        let hit = |(platform, step): (usize, &DVec2)| {
            let from = place.truncate() + *step;
            let hit = scenery.sweep_platform(platform as u16, self.shape, from, -*step)?;
            Some((Struck::by(&hit, terrain), *step))
        };
        moving.filter_map(hit).next()
    }

    fn chord(&self, here: Point, until: f64) -> Result<Point, Stop> {
        let there = self.point(until);
        match self.level.view {
            View::Side => self.sweep(here, there, &self.level.terrain)?,
            View::Top => self.pass(here, there)?,
        }
        Ok(there)
    }

    fn point(&self, time: f64) -> Point {
        Point {
            at: self.flight.at(time),
            time,
        }
    }

    /// Whether a place at a time is the end of the flight.
    fn is_end(&self, time: f64, at: DVec3) -> bool {
        time >= self.flight.time && at.distance(self.flight.to) <= NEAR
    }

    /// Moves straight in the plane.
    fn sweep(&self, here: Point, there: Point, terrain: &Terrain) -> Result<(), Stop> {
        let motion = there.at - here.at;
        let plane = motion.truncate();
        if plane == DVec2::ZERO {
            return Ok(());
        }
        let scenery = terrain.moved(self.transit);
        let Some(hit) = scenery.sweep(self.shape, here.at.truncate(), plane) else {
            return Ok(());
        };
        let at = here.at + motion * hit.time;
        if self.is_end(there.time, at) {
            return Ok(());
        }
        Err(Stop {
            at,
            time: here.time + (there.time - here.time) * hit.time,
            on: Met::Solid(Struck::by(&hit, terrain)),
        })
    }

    /// Moves in a top view: up to the top of the flight, then down.
    fn pass(&self, here: Point, there: Point) -> Result<(), Stop> {
        let top = self.flight.velocity.z / -self.flight.pull.z;
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

    fn climb(&self, mut here: Point, there: Point) -> Result<(), Stop> {
        let heights = &self.level.heights;
        while let Some(top) = heights
            .next_above(here.at.z)
            .filter(|top| *top <= there.at.z)
        {
            let next = self.crossing(top, here, there, -1.0);
            self.sweep(here, next, self.level.terrain_at(here.at.z))?;
            here = next;
        }
        self.sweep(here, there, self.level.terrain_at(here.at.z))
    }

    fn sink(&self, mut here: Point, there: Point) -> Result<(), Stop> {
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

    /// Where and when the flight passes a height, rising or sinking (−1 and 1).
    fn crossing(&self, height: f64, here: Point, there: Point, way: f64) -> Point {
        let (speed, gravity) = (self.flight.velocity.z, -self.flight.pull.z);
        let squared = speed * speed - 2.0 * gravity * (height - self.flight.origin.z);
        let time = (speed + way * squared.max(0.0).sqrt()) / gravity;
        let mut point = self.point(time.clamp(here.time, there.time));
        point.at.z = height;
        point
    }

    /// Stops one who sinks at a floor under it.
    fn come_down(&self, here: Point) -> Result<(), Stop> {
        if self.is_end(here.time, here.at) {
            return Ok(());
        }
        let scenery = self.level.terrain.moved(self.transit);
        let (plane, z) = Flight::split(here.at);
        let floor = scenery.floor_below(self.shape, plane, z, self.level.plain);
        if floor.height < z - TOUCH {
            return Ok(());
        }
        Err(Stop {
            at: here.at,
            time: here.time,
            on: Met::Floor(floor),
        })
    }
}
