//! A prototype: all edges in coordinates in which the body is a circle with a radius of 1, stored in the cells of a grid
//! and compared branch by branch.
//!
//! It knows no one-way platforms, nothing that moves, no surfaces and only one shape, and does not say what it has touched:
//! what a sweep of hangtime takes longer than this is the price of those.

use super::{Contact, Queries};
use glam::{DVec2, dvec2};
use hangtime::level::{Bend, Terrain};

/// Width of a cell in radii: one body.
const CELL: f64 = 2.0;

/// A motion by up to twice this looks at one cell only, radii.
const MARGIN: f64 = 0.6;

/// A body this close touches, radii.
const TOUCH: f64 = 1e-7;

/// An edge and the corner at its end.
#[derive(Clone, Copy)]
struct Near {
    along: DVec2,
    /// Where its line is: its distance from the origin along its normal, and where it begins on the line.
    height: f64,
    start: f64,
    length: f64,
    end: DVec2,
    /// Whether a body can touch the corner.
    corner: bool,
}

impl Near {
    fn normal(&self) -> DVec2 {
        dvec2(self.along.y, -self.along.x)
    }
}

pub struct Prototype {
    per_half: DVec2,
    origin: DVec2,
    columns: usize,
    rows: usize,
    /// Where the edges of each cell begin in the list.
    first: Vec<u32>,
    listed: Vec<Near>,
}

impl Prototype {
    pub fn new(terrain: &Terrain, half: DVec2) -> Self {
        let edges: Vec<Near> = terrain
            .edges()
            .iter()
            .map(|edge| {
                let (start, end) = (edge.face.start / half, edge.end / half);
                let along = (end - start).normalize();
                let normal = dvec2(along.y, -along.x);
                let (height, length) = (normal.dot(start), start.distance(end));
                Near { along, height, start: along.dot(start), length, end, corner: edge.bend == Bend::Out }
            })
            .collect();
        let around = DVec2::splat(1.0 + MARGIN + CELL);
        let low = edges.iter().fold(DVec2::INFINITY, |low, edge| low.min(edge.end)) - around;
        let high = edges.iter().fold(DVec2::NEG_INFINITY, |high, edge| high.max(edge.end)) + around;
        let count = (high - low) / CELL;
        let (columns, rows) = (count.x as usize + 1, count.y as usize + 1);
        let mut lists = vec![Vec::new(); columns * rows];
        for edge in &edges {
            let begin = edge.end - edge.along * edge.length;
            let [from, to] = [edge.end.min(begin) - around, edge.end.max(begin) + around].map(|at| (at - low) / CELL);
            for row in from.y.max(0.0) as usize..=(to.y as usize).min(rows - 1) {
                for column in from.x.max(0.0) as usize..=(to.x as usize).min(columns - 1) {
                    let middle = low + CELL * (dvec2(column as f64, row as f64) + 0.5);
                    if may_touch(edge, middle) {
                        lists[row * columns + column].push(*edge);
                    }
                }
            }
        }
        let (mut first, mut listed) = (vec![0], Vec::new());
        for list in lists {
            listed.extend(list);
            first.push(listed.len() as u32);
        }
        Self { per_half: half.recip(), origin: low, columns, rows, first, listed }
    }

    fn cell(&self, column: usize, row: usize, from: DVec2, motion: DVec2, best: &mut Option<Contact>) {
        if column >= self.columns || row >= self.rows {
            return;
        }
        let cell = row * self.columns + column;
        for near in &self.listed[self.first[cell] as usize..self.first[cell + 1] as usize] {
            let first = best.map_or(1.0, |best| best.time);
            if let Some(time) = face(near, from, motion).filter(|time| *time <= first) {
                *best = Some(Contact { time, normal: near.normal() });
            } else if near.corner
                && let Some(time) = corner(near.end, from, motion).filter(|time| *time < first)
            {
                *best = Some(Contact { time, normal: from + motion * time - near.end });
            }
        }
    }
}

/// Whether a body with its center in the cell around `middle` may touch an edge. True too often.
fn may_touch(edge: &Near, middle: DVec2) -> bool {
    let (normal, half) = (edge.normal(), CELL * 0.5 + MARGIN);
    let wide = half * (normal.x.abs() + normal.y.abs());
    let (height, place) = (normal.dot(middle) - edge.height, edge.along.dot(middle) - edge.start);
    let before_face = height >= -wide && height <= 1.0 + wide && place >= -wide && place <= edge.length + wide;
    let from_corner = ((middle - edge.end).abs() - half).max(DVec2::ZERO);
    before_face || edge.corner && from_corner.length_squared() <= 1.0
}

/// When a circle comes to the front of an edge.
fn face(near: &Near, from: DVec2, motion: DVec2) -> Option<f64> {
    let normal = near.normal();
    let closing = -normal.dot(motion);
    if closing <= 0.0 {
        return None;
    }
    let height = normal.dot(from) - near.height;
    let gap = height - 1.0;
    if gap - closing >= -TOUCH || height < 0.0 {
        return None;
    }
    let time = if gap <= TOUCH { 0.0 } else { gap / closing };
    let place = near.along.dot(from + motion * time) - near.start;
    (place >= -TOUCH && place <= near.length + TOUCH).then_some(time)
}

/// When a circle comes to a corner.
fn corner(corner: DVec2, from: DVec2, motion: DVec2) -> Option<f64> {
    let offset = from - corner;
    let approach = offset.dot(motion);
    if approach >= 0.0 {
        return None;
    }
    let (speed, distance) = (motion.length_squared(), offset.length_squared());
    let inner = (1.0 - TOUCH) * (1.0 - TOUCH);
    let enters = approach * approach - speed * (distance - inner);
    if enters <= 0.0 || -approach - enters.sqrt() > speed {
        return None;
    }
    let touches = approach * approach - speed * (distance - 1.0);
    Some(((-approach - touches.max(0.0).sqrt()) / speed).max(0.0))
}

impl Queries for Prototype {
    fn name(&self) -> &'static str {
        "prototype"
    }

    fn sweep(&self, from: DVec2, motion: DVec2) -> Option<Contact> {
        let (from, motion) = (from * self.per_half, motion * self.per_half);
        let half = motion * 0.5;
        let (middle, mut best) = (from + half - self.origin, None);
        let beyond = (half.abs() - MARGIN).max(DVec2::ZERO);
        let [low, high] = [middle - beyond, middle + beyond].map(|at| at * (1.0 / CELL));
        for row in low.y as usize..=high.y as usize {
            for column in low.x as usize..=high.x as usize {
                self.cell(column, row, from, motion, &mut best);
            }
        }
        best.map(|best| Contact { normal: (best.normal * self.per_half).normalize_or_zero(), ..best })
    }
}
