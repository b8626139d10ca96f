//! Paths of moving platforms.

use crate::geometry::grid::Bounds;
use glam::DVec2;

/// What a platform does at the end of its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// Travels back along the same path.
    PingPong,
    /// Travels straight to the first point and repeats.
    Circle,
    /// Stays there.
    Once,
    /// Does not travel by itself: scripts send it from point to point.
    Called,
}

impl PathEnd {
    /// All variants with their names in level files.
    pub const ALL: [(&'static str, Self); 4] =
        [("ping_pong", Self::PingPong), ("circle", Self::Circle), ("once", Self::Once), ("called", Self::Called)];
}

/// The path of a moving platform. Unless scripts send the platform, its position depends on time only, so it is not part
/// of snapshots. It never drifts.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    points: Vec<DVec2>,
    /// Distance along the path from the first point to each point; for a circle, also back to the
    /// first.
    marks: Vec<f64>,
    speed: f64,
    end: PathEnd,
}

impl Default for Path {
    /// The path of a solid that stays in place.
    fn default() -> Self {
        Self::new(Vec::new(), 0.0, PathEnd::Once)
    }
}

impl Path {
    /// A path through these offsets (px, from where the solid is drawn) at `speed` px/s. Without
    /// points the offset is always 0.
    pub fn new(mut points: Vec<DVec2>, speed: f64, end: PathEnd) -> Self {
        if end == PathEnd::Circle && points.first() != points.last() {
            points.extend(points.first().copied());
        }
        let mut marks = vec![0.0];
        for pair in points.windows(2) {
            marks.push(marks[marks.len() - 1] + pair[0].distance(pair[1]));
        }
        Self { points, marks, speed, end }
    }

    /// The offsets of its corners, px; for a circle, the first one is the last one, too.
    pub fn points(&self) -> &[DVec2] {
        &self.points
    }

    /// The speed of the platform, px/s.
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// Whether scripts send the platform from point to point.
    pub fn is_called(&self) -> bool {
        self.end == PathEnd::Called
    }

    /// The distance from the first point along the path to a point, px; `None` if there is no such point.
    pub fn mark(&self, point: u32) -> Option<f64> {
        self.marks.get(point as usize).copied()
    }

    /// The length of the path, px.
    pub fn length(&self) -> f64 {
        self.marks[self.marks.len() - 1]
    }

    /// The box around all offsets, px.
    pub fn reach(&self) -> Bounds {
        match self.points.is_empty() {
            true => Bounds::of(DVec2::ZERO, DVec2::ZERO),
            false => Bounds::around(&self.points),
        }
    }

    /// The offset from the drawn position after this many seconds, px. Where scripts decide, that of the first point.
    pub fn offset(&self, seconds: f64) -> DVec2 {
        let length = self.length();
        if length <= 0.0 {
            return self.points.first().copied().unwrap_or_default();
        }
        let traveled = self.speed * seconds;
        let place = match self.end {
            PathEnd::Called => 0.0,
            PathEnd::Once => traveled.min(length),
            PathEnd::Circle => traveled % length,
            PathEnd::PingPong => {
                let lap = traveled % (2.0 * length);
                lap.min(2.0 * length - lap)
            }
        };
        self.at(place)
    }

    /// The offset from the drawn position at this distance along the path, px.
    pub fn at(&self, place: f64) -> DVec2 {
        if self.length() <= 0.0 {
            return self.points.first().copied().unwrap_or_default();
        }
        let last = self.points.len() - 2;
        let leg = self.marks.partition_point(|m| *m <= place).saturating_sub(1).min(last);
        let span = self.marks[leg + 1] - self.marks[leg];
        let share = if span > 0.0 { (place - self.marks[leg]) / span } else { 0.0 };
        self.points[leg].lerp(self.points[leg + 1], share)
    }
}
