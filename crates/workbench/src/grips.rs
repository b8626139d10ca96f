//! What the mouse holds of a level's thing, and what the thing becomes when that is dragged.

use super::*;
use glam::dvec2;
use hangtime_core::geometry::polygon;
use hangtime_draw::{EditShape, EditTone};

/// The smallest width and height that a rectangle can be dragged to, px.
const SMALLEST: f64 = 1.0;

/// The share of a thing's smaller side that is near a corner at most, so that also a thin one can be held inside.
const NEAR_CORNER: f64 = 0.3;

/// How near an edge counts, as a share of how near a corner does.
const NEAR_EDGE: f64 = 0.6;

/// A part of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// All of it.
    Whole,
    /// A corner, by its index.
    Corner(usize),
    /// The edge from a corner to the next one.
    Edge(usize),
}

/// The part that the mouse is at: of the selected thing, of an entity, near a corner or an edge of any, or the inside of one.
/// `reach` is how near counts, px.
pub fn grip_at(shapes: &[EditShape], selected: Option<usize>, at: DVec2, reach: f64) -> Option<(usize, Grip)> {
    let near = |index: usize| Some((index, outer_grip(&shapes[index], at, reach)?));
    if let Some((index, (grip, _))) = selected.filter(|index| *index < shapes.len()).and_then(near) {
        return Some((index, grip));
    }
    let around = |shape: &&EditShape| {
        let [min, max] = corners(&shape.points);
        (at - min + reach).cmpge(DVec2::ZERO).all() && (max + reach - at).cmpge(DVec2::ZERO).all()
    };
    let all = || shapes.iter().enumerate().filter(|(_, shape)| around(shape));
    // The smallest thing, and the last one of the file among equally large ones: it is on top.
    let inside = |tone: EditTone| {
        let inside = all().filter(|(_, it)| it.tone == tone && polygon::contains(&it.points, at));
        let areas = inside.map(|(index, it)| (index, polygon::doubled_area(&it.points).abs()));
        let smallest = areas.reduce(|best, next| if next.1 <= best.1 { next } else { best });
        smallest.map(|(index, _)| index)
    };
    if let Some(entity) = inside(EditTone::Entity) {
        return Some((entity, Grip::Whole));
    }
    let outer = all().filter_map(|(index, _)| near(index));
    let nearest = outer.min_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b));
    if let Some((index, (grip, _))) = nearest {
        return Some((index, grip));
    }
    let index = inside(EditTone::Solid).or_else(|| inside(EditTone::Zone))?;
    Some((index, Grip::Whole))
}

/// The corner or the edge of a thing that the mouse is at, and a measure of how near it is: corners come first.
fn outer_grip(shape: &EditShape, at: DVec2, reach: f64) -> Option<(Grip, f64)> {
    let points = &shape.points;
    if shape.tone == EditTone::Entity || points.is_empty() || !at.is_finite() {
        return None;
    }
    let [min, max] = corners(points);
    let is_line = shape.tone == EditTone::OneWay;
    let size = max - min;
    let side = if is_line { size.max_element() } else { size.min_element() };
    let reach = reach.min((side * NEAR_CORNER).max(SMALLEST));
    let nearest = (0..points.len()).map(|index| (index, points[index].distance(at)));
    let (corner, away) = nearest.min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    if away <= reach {
        return Some((Grip::Corner(corner), away));
    }
    let edges = if is_line { points.len() - 1 } else { points.len() };
    let distance = |edge: usize| distance_to(points[edge], points[(edge + 1) % points.len()], at);
    let (edge, away) = (0..edges).map(|edge| (edge, distance(edge))).min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    // A line has no inside: its edges move all of it.
    let grip = if is_line { Grip::Whole } else { Grip::Edge(edge) };
    (away <= reach * NEAR_EDGE).then_some((grip, reach + away))
}

fn distance_to(from: DVec2, to: DVec2, at: DVec2) -> f64 {
    let along = to - from;
    let share = (at - from).dot(along) / along.length_squared();
    // Both ends may be the same point.
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    (from + along * share).distance(at)
}

/// The lowest and the highest coordinates of some points.
pub fn corners(points: &[DVec2]) -> [DVec2; 2] {
    let min = points.iter().copied().reduce(DVec2::min).unwrap_or_default();
    let max = points.iter().copied().reduce(DVec2::max).unwrap_or_default();
    [min, max]
}

/// The axes along which a part can be dragged: an edge along an axis moves only away from itself.
pub fn axes_of(points: &[DVec2], grip: Grip) -> [bool; 2] {
    let Grip::Edge(edge) = grip else { return [true; 2] };
    let along = points[(edge + 1) % points.len()] - points[edge];
    match (along.x == 0.0, along.y == 0.0) {
        (true, false) => [true, false],
        (false, true) => [false, true],
        _ => [true; 2],
    }
}

/// The corners that a part has: those that snap.
pub fn held_points(points: &[DVec2], grip: Grip) -> Vec<DVec2> {
    match grip {
        Grip::Whole => corners(points).to_vec(),
        Grip::Corner(corner) => vec![points[corner]],
        Grip::Edge(edge) => vec![points[edge], points[(edge + 1) % points.len()]],
    }
}

/// The corners after a part has been dragged by some px. A rectangle stays one, and keeps its sides.
pub fn dragged(points: &[DVec2], grip: Grip, by: DVec2) -> Vec<DVec2> {
    let mut new = points.to_vec();
    let (one, other) = match grip {
        Grip::Whole => {
            new.iter_mut().for_each(|point| *point += by);
            return new;
        }
        Grip::Corner(corner) => (corner, corner),
        Grip::Edge(edge) => (edge, (edge + 1) % points.len()),
    };
    let free = axes_of(points, grip);
    if !is_rectangle(points) {
        let by = dvec2(if free[0] { by.x } else { 0.0 }, if free[1] { by.y } else { 0.0 });
        new[one] += by;
        if other != one {
            new[other] += by;
        }
        return new;
    }
    let opposite = points[(one + 2) % 4];
    for axis in (0..2).filter(|axis| free[*axis]) {
        let (from, end) = (points[one][axis], opposite[axis]);
        let to = match from < end {
            true => (from + by[axis]).min(end - SMALLEST),
            false => (from + by[axis]).max(end + SMALLEST),
        };
        new.iter_mut().filter(|point| point[axis] == from).for_each(|point| point[axis] = to);
    }
    new
}

/// Whether some points are a rectangle along the axes.
fn is_rectangle(points: &[DVec2]) -> bool {
    let [a, b, c, d] = points else { return false };
    let first = a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x;
    let second = a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y;
    (first || second) && a.x != c.x && a.y != c.y
}

#[cfg(test)]
#[path = "../tests/unit/grips.rs"]
mod tests;
