//! The shapes of objects: outlines in the pixels of the map, where y points down.

use glam::DVec2;
use hangtime_script::Place;
use libm::{cos, sin};
use std::f64::consts::TAU;

/// The number of corners of the polygon that replaces an ellipse.
pub(super) const ELLIPSE_CORNERS: usize = 32;

/// What a shape is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShapeKind {
    Rectangle,
    Ellipse,
    Polygon,
    Polyline,
    Point,
    Text,
    Capsule,
    Tile,
}

/// Points, each with its place in the file.
pub(super) type PlacedPoints = Vec<(DVec2, Place)>;

/// The corners of a rectangle in the order in which Tiled draws them.
pub(super) fn corners(min: DVec2, size: DVec2) -> [DVec2; 4] {
    let max = min + size;
    [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
}

/// The corners of an ellipse, clockwise from its top.
pub(super) fn ellipse(size: DVec2) -> Vec<DVec2> {
    let half = size / 2.0;
    let corner = |i: usize| {
        let angle = TAU * i as f64 / ELLIPSE_CORNERS as f64;
        half + DVec2::new(half.x * sin(angle), -half.y * cos(angle))
    };
    (0..ELLIPSE_CORNERS).map(corner).collect()
}

/// Rotates a point around the origin, clockwise as seen where y points down. Quarter turns are exact.
pub(super) fn rotated(point: DVec2, degrees: f64) -> DVec2 {
    let DVec2 { x, y } = point;
    match degrees.rem_euclid(360.0) {
        0.0 => point,
        90.0 => DVec2::new(-y, x),
        180.0 => DVec2::new(-x, -y),
        270.0 => DVec2::new(y, -x),
        other => {
            let (sin, cos) = (sin(other.to_radians()), cos(other.to_radians()));
            DVec2::new(x * cos - y * sin, x * sin + y * cos)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ELLIPSE_CORNERS, corners, ellipse, rotated};
    use glam::{DVec2, dvec2};

    #[test]
    fn rotation_is_clockwise_where_y_points_down() {
        assert_eq!(rotated(dvec2(3.0, 1.0), 90.0), dvec2(-1.0, 3.0));
        assert_eq!(rotated(dvec2(3.0, 1.0), -90.0), dvec2(1.0, -3.0));
        assert_eq!(rotated(dvec2(3.0, 1.0), 540.0), dvec2(-3.0, -1.0));
        let half = 0.5_f64.sqrt();
        assert!(rotated(DVec2::X, 45.0).distance(dvec2(half, half)) < 1e-15);
    }

    #[test]
    fn rectangles_and_ellipses_fill_their_boxes() {
        let all = corners(dvec2(1.0, 2.0), dvec2(10.0, 4.0));
        assert_eq!(all, [dvec2(1.0, 2.0), dvec2(11.0, 2.0), dvec2(11.0, 6.0), dvec2(1.0, 6.0)]);
        let oval = ellipse(dvec2(20.0, 8.0));
        assert_eq!(oval.len(), ELLIPSE_CORNERS);
        for point in &oval {
            let unit = (*point - dvec2(10.0, 4.0)) / dvec2(10.0, 4.0);
            assert!((unit.length() - 1.0).abs() < 1e-12);
        }
        assert_eq!(oval[0], dvec2(10.0, 0.0));
        assert!(oval[ELLIPSE_CORNERS / 4].distance(dvec2(20.0, 4.0)) < 1e-12);
    }
}
