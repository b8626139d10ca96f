//! Paths of moving platforms.

use glam::DVec2;

/// What happens at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// Back the same way.
    PingPong,
    /// On to the first point in a straight line, and round again.
    Circle,
    /// There it stays.
    Once,
}

impl PathEnd {
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
    end: PathEnd,
}

impl Default for Path {
    /// The way of what stays where it is.
    fn default() -> Self {
        Self::new(Vec::new(), 0.0, PathEnd::Once)
    }
}

impl Path {
    /// A way through these offsets (px, from where the solid is drawn), at `speed` px/s. Without
    /// points there is no offset.
    #[must_use]
    pub fn new(mut points: Vec<DVec2>, speed: f64, end: PathEnd) -> Self {
        if end == PathEnd::Circle && points.first() != points.last() {
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
            end,
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
        let place = match self.end {
            PathEnd::Once => gone.min(length),
            PathEnd::Circle => gone % length,
            PathEnd::PingPong => {
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
