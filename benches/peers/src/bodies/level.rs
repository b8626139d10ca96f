//! The terrain, start positions and pushes, the same for all engines.

use super::HALF;
use crate::chance::chance;
use glam::{DVec2, dvec2};

/// The approximate number of edges, and the rightmost position, px.
const EDGES: usize = 1_000;
const WIDEST: f64 = 15_900.0;

/// Steepest slope of a hill: tan 30°.
const STEEPEST: f64 = 0.577;

const FLOOR: f64 = -300.0;
const WALL_TOP: f64 = 2_000.0;
const WALL: f64 = 40.0;

/// The greatest distance at which surfaces are searched, px.
const REACH: f64 = 60.0;

/// Ground between two walls: hills and hollows with gaps, steps and pads between them.
pub struct Layout {
    /// Simple counterclockwise polygons that share sides with their neighbors.
    pub solids: Vec<Vec<DVec2>>,
    /// Their outline from the top of the left wall to the top of the right one.
    pub surface: Vec<DVec2>,
    /// The number of edges of all solids, and the position of the right wall, px.
    pub edges: usize,
    pub width: f64,
}

/// The next piece of ground, as offsets from the last point.
fn piece(number: u64, height: f64) -> Vec<DVec2> {
    let dice = |what| chance(number, what);
    // Toward the middle height, so that steps do not add up.
    let way = if height > 0.0 { -1.0 } else { 1.0 };
    if number % 3 != 2 {
        return hill(dice(0), dice(1));
    }
    match (number / 3) % 3 {
        0 => {
            let (half, deep) = (16.0 + 24.0 * dice(0), 24.0 + 36.0 * dice(1));
            vec![
                dvec2(36.0, 0.0),
                dvec2(36.0 + half, -deep),
                dvec2(36.0 + 2.0 * half, 0.0),
                dvec2(72.0 + 2.0 * half, 0.0),
            ]
        }
        1 => {
            let rise = way * (6.0 + 20.0 * dice(0));
            vec![dvec2(60.0, 0.0), dvec2(60.0, rise), dvec2(120.0, rise)]
        }
        _ => vec![dvec2(60.0 + 60.0 * dice(0), 0.0)],
    }
}

/// A hill or hollow with sixteen edges.
fn hill(long: f64, steep: f64) -> Vec<DVec2> {
    let length = 16.0 * (14.0 + 8.0 * long);
    let slope = STEEPEST * (0.3 + 0.7 * (2.0 * steep - 1.0).abs());
    let height = slope * length / std::f64::consts::PI * (steep - 0.5).signum();
    let along = |k: i32| {
        let t = f64::from(k) / 16.0;
        let rise = 0.5 - 0.5 * (t * std::f64::consts::TAU).cos();
        dvec2(t * length, height * rise)
    };
    (1..=16).map(along).collect()
}

fn wall(x: f64) -> Vec<DVec2> {
    vec![dvec2(x, FLOOR), dvec2(x + WALL, FLOOR), dvec2(x + WALL, WALL_TOP), dvec2(x, WALL_TOP)]
}

impl Layout {
    pub fn new() -> Self {
        let mut solids = vec![wall(-WALL)];
        let mut surface = vec![dvec2(0.0, WALL_TOP), DVec2::ZERO];
        let mut edges = 8;
        let mut number = 0;
        loop {
            let from = surface[surface.len() - 1];
            let rises = piece(number, from.y);
            let width = rises[rises.len() - 1].x;
            if edges >= EDGES || from.x + width > WIDEST {
                break;
            }
            number += 1;
            let top: Vec<DVec2> = rises.iter().map(|step| from + *step).collect();
            let mut solid = vec![dvec2(from.x, FLOOR), dvec2(from.x + width, FLOOR)];
            solid.extend(top.iter().rev());
            solid.push(from);
            edges += solid.len();
            solids.push(solid);
            surface.extend(top);
        }
        let width = surface[surface.len() - 1].x;
        solids.push(wall(width));
        surface.push(dvec2(width, WALL_TOP));
        Self { solids, surface, edges, width }
    }

    /// Positions above the ground and angles, spread evenly from left to right.
    pub fn starts(&self, count: usize) -> Vec<(DVec2, f64)> {
        let start = |i: usize| {
            let dice = |what| chance(i as u64 + 5_000, what);
            let x = 60.0 + (i as f64 + 0.5) / count as f64 * (self.width - 120.0);
            let close = |p: &&DVec2| (p.x - x).abs() < 20.0;
            let corners = self.surface.iter().filter(close).map(|p| p.y);
            let highest = corners.fold(self.height(x), f64::max);
            let at = dvec2(x, highest + 25.0 + 30.0 * dice(0));
            (at, 0.6 * (dice(1) - 0.5))
        };
        (0..count).map(start).collect()
    }

    /// The height of the surface at a position; infinite inside the walls.
    fn height(&self, x: f64) -> f64 {
        let next = self.surface.partition_point(|p| p.x <= x);
        if next == 0 || next == self.surface.len() {
            return f64::INFINITY;
        }
        let (a, b) = (self.surface[next - 1], self.surface[next]);
        a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
    }

    /// The points of the surface within reach on both sides of a position, plus one.
    fn near(&self, x: f64) -> &[DVec2] {
        let first = self.surface.partition_point(|p| p.x < x - REACH);
        let last = self.surface.partition_point(|p| p.x <= x + REACH);
        &self.surface[first.saturating_sub(1)..(last + 1).min(self.surface.len())]
    }

    /// The distance of a point from the surface, px; negative inside the ground. Distances beyond
    /// the reach may be overestimated.
    pub fn surface_gap(&self, point: DVec2) -> f64 {
        let away = |edge: &[DVec2]| {
            let (from, along) = (edge[0], edge[1] - edge[0]);
            let share = (point - from).dot(along) / along.length_squared();
            point.distance(from + along * share.clamp(0.0, 1.0))
        };
        let edges = self.near(point.x).windows(2);
        let least = edges.map(away).fold(f64::INFINITY, f64::min);
        if point.y < self.height(point.x) { -least } else { least }
    }

    /// The distance of a box from the surface, px, negative if it overlaps: the least over the box's
    /// corners and the ground's corners, because a box can rest on a corner of the ground.
    pub fn box_gap(&self, at: DVec2, angle: f64) -> f64 {
        let turned = DVec2::from_angle(angle);
        let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
            .map(|(x, y)| self.surface_gap(at + turned.rotate(HALF * dvec2(x, y))));
        let outside = |corner: &DVec2| {
            let local = DVec2::from_angle(-angle).rotate(*corner - at);
            let over = local.abs() - HALF;
            over.max(DVec2::ZERO).length() + over.max_element().min(0.0)
        };
        let ground = self.near(at.x).iter().map(outside);
        ground.chain(corners).fold(f64::INFINITY, f64::min)
    }
}

/// Ticks between pushes of a body, alternately left and right.
const BETWEEN: u64 = 30;

/// The bodies pushed in a tick, and the changes of their velocities along x, px/s.
pub fn pushes(count: usize, tick: u64, speed: f64) -> Vec<(usize, f64)> {
    let phase = |i: usize| tick + i as u64 * 13;
    let due = |i: &usize| phase(*i).is_multiple_of(BETWEEN);
    let push = |i: usize| {
        let left = (phase(i) / BETWEEN + i as u64).is_multiple_of(2);
        (i, if left { -speed } else { speed })
    };
    (0..count).filter(due).map(push).collect()
}
