//! The path of the picked entity in the last minute.

use glam::DVec2;
use std::collections::VecDeque;
use std::ops::Range;

/// The most positions that are kept: more than a minute at 240 ticks per second.
const MOST_POINTS: usize = 18_000;

/// The path of the picked entity by positions of the timeline.
#[derive(Clone, Debug, Default)]
pub struct RecentPath {
    /// The position of the first point.
    start: u64,
    /// `None` where the entity did not exist.
    points: VecDeque<Option<DVec2>>,
}

impl RecentPath {
    /// Sets where the entity is at a position; later points are dropped.
    pub fn put(&mut self, position: u64, point: Option<DVec2>) {
        if position < self.start || position > self.start + self.points.len() as u64 {
            self.points.clear();
        }
        if self.points.is_empty() {
            self.start = position;
        }
        self.points.truncate((position - self.start) as usize);
        if self.points.len() == MOST_POINTS {
            self.points.pop_front();
            self.start += 1;
        }
        self.points.push_back(point);
    }

    /// Drops the points after a position.
    pub fn cut(&mut self, position: u64) {
        let length = (position + 1).saturating_sub(self.start);
        self.points.truncate(length as usize);
    }

    /// Drops all points.
    pub fn clear(&mut self) {
        self.points.clear();
    }

    /// The points at some positions up to the last one, without gaps, oldest first.
    #[must_use]
    pub fn within(&self, positions: Range<u64>) -> Vec<DVec2> {
        let index = |position: u64| position.saturating_sub(self.start) as usize;
        let end = index(positions.end).min(self.points.len());
        let start = index(positions.start).min(end);
        let points = self.points.range(start..end).rev();
        let mut found: Vec<DVec2> = points.map_while(|point| *point).collect();
        found.reverse();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_POINTS, RecentPath};
    use glam::{DVec2, dvec2};

    fn at(x: u64) -> Option<DVec2> {
        Some(dvec2(x as f64, 0.0))
    }

    #[test]
    fn a_path_has_the_points_of_its_positions() {
        let mut path = RecentPath::default();
        (5..50).for_each(|p| path.put(p, at(p)));
        assert_eq!(path.within(0..7).len(), 2);
        assert_eq!(path.within(10..12), [dvec2(10.0, 0.0), dvec2(11.0, 0.0)]);
        assert_eq!(path.within(48..90).len(), 2);
        path.cut(20);
        assert_eq!(path.within(0..90).last(), Some(&dvec2(20.0, 0.0)));
        path.put(15, at(99));
        assert_eq!(path.within(0..90).last(), Some(&dvec2(99.0, 0.0)));
        path.put(16, None);
        path.put(17, at(1));
        assert_eq!(path.within(0..90), [dvec2(1.0, 0.0)]);
    }

    #[test]
    fn a_path_takes_bounded_memory() {
        let mut path = RecentPath::default();
        (0..3 * MOST_POINTS as u64).for_each(|p| path.put(p, at(p)));
        let all = path.within(0..u64::MAX);
        assert_eq!(all.len(), MOST_POINTS);
        assert_eq!(all.last().copied(), at(3 * MOST_POINTS as u64 - 1));
    }
}
