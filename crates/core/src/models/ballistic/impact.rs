//! Hits on terrain during a flight.

use super::path::SolidHit;
use crate::geometry::Ellipse;
use crate::models::{Body, Impact, Report};
use glam::DVec2;

/// Reports a hit of a body of this shape with its center at `center`.
pub(super) fn report_hit(hit: &SolidHit, speed: f64, (shape, center): (Ellipse, DVec2), report: &mut Report) {
    report.details_mut().hit = Some(Impact {
        feature: hit.feature,
        normal: hit.normal,
        speed,
        foot: false,
        at: center - shape.farthest(hit.normal),
        piece: 0,
    });
    report.details_mut().struck = Some(hit.solid);
}

/// Reports a hit on a solid that moves at `velocity`, and removes the body's velocity into it.
pub(super) fn strike(body: &mut Body, hit: &SolidHit, velocity: DVec2, shape: Ellipse, report: &mut Report) {
    let normal = hit.normal;
    let speed = (velocity - body.vel).dot(normal).max(0.0);
    report_hit(hit, speed, (shape, body.pos), report);
    body.vel -= normal * body.vel.dot(normal).min(0.0);
}
