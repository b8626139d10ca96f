//! Solids that are parts of their own: the paths of those that move, and where and which of them are
//! there in a tick.

use super::{Absent, Terrain};
use glam::DVec2;

/// What happens at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Back the same way.
    PingPong,
    /// On to the first point in a straight line, and round again.
    Circle,
    /// There it stays.
    Once,
}

impl Turn {
    /// All of them, by their names in level files.
    pub const ALL: [(&'static str, Self); 3] = [
        ("ping_pong", Self::PingPong),
        ("circle", Self::Circle),
        ("once", Self::Once),
    ];
}

/// The way of a moving platform. Where it is follows from the time alone, so that it is part of
/// no snapshot and never drifts.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    points: Vec<DVec2>,
    /// Distance from the first point to each of the others, and for a circle back to it.
    marks: Vec<f64>,
    speed: f64,
    turn: Turn,
}

impl Default for Path {
    /// The way of what stays where it is.
    fn default() -> Self {
        Self::new(Vec::new(), 0.0, Turn::Once)
    }
}

impl Path {
    /// A way through these offsets (px, from where the solid is drawn), at `speed` px/s. Without
    /// points there is no offset.
    #[must_use]
    pub fn new(mut points: Vec<DVec2>, speed: f64, turn: Turn) -> Self {
        if turn == Turn::Circle && points.first() != points.last() {
            points.extend(points.first().copied());
        }
        let mut marks = vec![0.0];
        for pair in points.windows(2) {
            marks.push(marks[marks.len() - 1] + pair[0].distance(pair[1]));
        }
        Self {
            points,
            marks,
            speed,
            turn,
        }
    }

    /// The offset after so many seconds.
    #[must_use]
    pub fn offset(&self, seconds: f64) -> DVec2 {
        let length = self.marks[self.marks.len() - 1];
        if length <= 0.0 {
            return self.points.first().copied().unwrap_or_default();
        }
        let gone = self.speed * seconds;
        let place = match self.turn {
            Turn::Once => gone.min(length),
            Turn::Circle => gone % length,
            Turn::PingPong => {
                let lap = gone % (2.0 * length);
                lap.min(2.0 * length - lap)
            }
        };
        let last = self.points.len() - 2;
        let leg = self
            .marks
            .partition_point(|m| *m <= place)
            .saturating_sub(1)
            .min(last);
        let span = self.marks[leg + 1] - self.marks[leg];
        let share = if span > 0.0 {
            (place - self.marks[leg]) / span
        } else {
            0.0
        };
        self.points[leg].lerp(self.points[leg + 1], share)
    }
}

/// Where the platforms are in one tick, at its end, since they move first; and which of them are there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transit {
    /// How far each is from where it is drawn, px.
    pub offsets: Vec<DVec2>,
    /// How far each has gone in this tick, px.
    pub steps: Vec<DVec2>,
    /// Which of them are there: all but those that are switched off.
    pub there: Vec<bool>,
    /// Those that were switched on or off as this tick began.
    pub switched: Vec<u16>,
}

impl Transit {
    /// Where the platforms stand at tick `now`, before anything moves.
    #[must_use]
    pub fn standing(terrain: &Terrain, absent: &Absent, now: u64, hz: f64) -> Self {
        Self::at(terrain, absent, now as f64 / hz)
    }

    /// Where they stand after so many seconds.
    #[must_use]
    pub fn at(terrain: &Terrain, absent: &Absent, seconds: f64) -> Self {
        let mut transit = Self::default();
        for platform in terrain.platforms() {
            transit.offsets.push(platform.path.offset(seconds));
            transit.steps.push(DVec2::ZERO);
            transit.there.push(!absent.holds(platform.solid));
        }
        transit
    }

    /// Takes the step from tick `now` to the next. Its memory is used again.
    pub fn step(&mut self, terrain: &Terrain, absent: &Absent, now: u64, hz: f64) {
        self.clear();
        for platform in terrain.platforms() {
            let from = platform.path.offset(now as f64 / hz);
            let to = platform.path.offset((now + 1) as f64 / hz);
            self.offsets.push(to);
            self.steps.push(to - from);
            self.there.push(!absent.holds(platform.solid));
        }
    }

    /// Notes which solids were switched as this tick began.
    pub fn switch(&mut self, terrain: &Terrain, solids: &[u32]) {
        let platforms = solids.iter().filter_map(|s| terrain.platform_of(*s));
        self.switched.extend(platforms);
    }

    /// The solids that are switched off.
    #[must_use]
    pub fn absent(&self, terrain: &Terrain) -> Absent {
        let mut absent = Absent::default();
        for (platform, there) in terrain.platforms().iter().zip(&self.there) {
            absent.set(platform.solid, *there);
        }
        absent
    }

    /// Whether a platform is there.
    #[must_use]
    pub fn is_there(&self, platform: u16) -> bool {
        self.there[platform as usize]
    }

    /// Forgets where they are.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.steps.clear();
        self.there.clear();
        self.switched.clear();
    }
}
