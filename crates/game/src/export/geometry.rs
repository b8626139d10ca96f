//! Points of a level as the numbers of a map, from which exactly the same points are read.

use crate::files::tables::tree::{Data, Node};
use glam::DVec2;

/// The position of an object of a map, and its shape from there. y points down.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawnPoints {
    pub at: DVec2,
    pub shape: DrawnShape,
}

/// A shape that needs no rotation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DrawnShape {
    /// Its width and height.
    Rectangle(DVec2),
    /// The points of a polygon or line.
    Points(Vec<DVec2>),
}

/// The points of a node; none if it has other values.
pub(crate) fn points_of(node: &Node) -> Option<Vec<DVec2>> {
    let Data::Array(points) = &node.value else {
        return None;
    };
    points
        .iter()
        .map(|point| numbers_of(point).and_then(|n| Some(DVec2::new(*n.first()?, *n.get(1)?))))
        .collect()
}

/// The numbers of an array; none if it has other values.
pub(crate) fn numbers_of(node: &Node) -> Option<Vec<f64>> {
    let Data::Array(numbers) = &node.value else {
        return None;
    };
    numbers.iter().map(Node::number).collect()
}

/// A point of a level, where y points up, in a map, where y points down; and the other way around.
pub(crate) fn flipped(point: DVec2) -> DVec2 {
    DVec2::new(point.x, 0.0 - point.y)
}

/// How points are drawn in a map.
pub(crate) fn drawn(points: &[DVec2], closed: bool) -> DrawnPoints {
    let first = points.first().copied().unwrap_or_default();
    let at = flipped(first);
    let local: Vec<DVec2> = points.iter().map(|point| flipped(*point) - at).collect();
    if !same(at, &local, points) {
        // Sums of such numbers are rounded. From the origin, nothing is added.
        return DrawnPoints {
            at: DVec2::ZERO,
            shape: DrawnShape::Points(points.iter().map(|point| flipped(*point)).collect()),
        };
    }
    let shape = match local.as_slice() {
        [a, b, c, d] if closed && is_rectangle([*a, *b, *c, *d]) => DrawnShape::Rectangle(*c),
        _ => DrawnShape::Points(local),
    };
    DrawnPoints { at, shape }
}

/// Whether reading these numbers gives these points.
fn same(at: DVec2, local: &[DVec2], points: &[DVec2]) -> bool {
    local.iter().zip(points).all(|(local, point)| flipped(at + *local) == *point)
}

/// Whether points are the corners of a rectangle in the order in which Tiled draws them.
fn is_rectangle([a, b, c, d]: [DVec2; 4]) -> bool {
    a == DVec2::ZERO && b == DVec2::new(c.x, 0.0) && d == DVec2::new(0.0, c.y) && c.min_element() > 0.0
}

#[cfg(test)]
mod tests {
    use super::{DrawnShape, drawn, flipped};
    use glam::{DVec2, dvec2};

    #[test]
    fn drawn_points_read_back_exactly() {
        for points in [
            vec![dvec2(0.1, 0.2), dvec2(0.3, 0.7), dvec2(1e-7, 1e9)],
            vec![dvec2(100.0, 50.5), dvec2(-3.25, 8.0), dvec2(0.0, 0.0)],
            vec![dvec2(1.0 / 3.0, 2.0 / 3.0), dvec2(1e15, 0.1), dvec2(-0.1, 0.3)],
        ] {
            let found = drawn(&points, true);
            let DrawnShape::Points(local) = found.shape else {
                panic!("not a rectangle");
            };
            let read: Vec<DVec2> = local.iter().map(|p| flipped(found.at + *p)).collect();
            assert_eq!(read, points);
        }
    }

    #[test]
    fn only_rectangles_from_the_top_left_clockwise_are_drawn_as_such() {
        let floor = [dvec2(0.0, 0.0), dvec2(40.0, 0.0), dvec2(40.0, -8.0), dvec2(0.0, -8.0)];
        let found = drawn(&floor, true);
        assert_eq!((found.at, found.shape), (DVec2::ZERO, DrawnShape::Rectangle(dvec2(40.0, 8.0))));
        let mut other = floor;
        other.reverse();
        assert!(matches!(drawn(&other, true).shape, DrawnShape::Points(_)));
        assert!(matches!(drawn(&floor, false).shape, DrawnShape::Points(_)));
    }
}
