//! Rest positions: evenly spaced places where bodies come to rest along each line.
//!
//! Two bodies that stop within a few px of each other differ only in low-order bits. Path search
//! and the comparison of runs become easier when there are few distinct places to stand: points at
//! a fixed spacing along each walkable edge, wall and roof, counted from the left end of the line,
//! or from the lower end if it is vertical. Edges that form a straight line count as one.

use super::{GroundRule, Scenery, Side};
use crate::geometry::Ellipse;
use glam::DVec2;

/// A place where a body can come to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestPosition {
    /// The edge that it stands on or clings to.
    pub edge: u32,
    /// The body's center, px.
    pub at: DVec2,
}

impl Scenery<'_> {
    /// Signed distance along an edge to the body's nearest rest position, px in the edge's
    /// direction.
    #[must_use]
    pub fn to_rest(&self, edge: u32, shape: Ellipse, at: DVec2, spacing: f64) -> f64 {
        let face = self.face(edge);
        let line = self.terrain.span(edge);
        let foot = at - shape.farthest(face.normal);
        let place = line.start + line.sense * face.along.dot(foot - face.start);
        (line.nearest(place, spacing) - place) * line.sense
    }

    /// All places where a body of this shape can rest: on walkable edges, on walls up to `steepest`
    /// (a sine) from vertical, and on roofs.
    #[must_use]
    pub fn rest_positions(
        &self,
        shape: Ellipse,
        rule: &GroundRule,
        steepest: f64,
        spacing: f64,
    ) -> Vec<RestPosition> {
        let mut found = Vec::new();
        for index in 0..self.terrain.edges.len() as u32 {
            let edge = self.terrain.edge(index);
            let face = self.face(index);
            let up = face.normal.y * rule.up;
            let holds = rule.walkable(face.normal) || up <= steepest && edge.side == Side::Solid;
            let hidden = edge.platform.is_some_and(|p| !self.has_platform(p));
            if !holds || hidden || !self.blocks(edge.side) || spacing <= 0.0 {
                continue;
            }
            let line = self.terrain.span(index);
            let ends = [line.start, line.start + line.sense * face.length];
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let mut place = (low / spacing).ceil() * spacing;
            while place <= high {
                let foot = face.start + face.along * ((place - line.start) * line.sense);
                let at = foot + shape.farthest(face.normal);
                if self.overlap(shape, at).is_none() {
                    found.push(RestPosition { edge: index, at });
                }
                place += spacing;
            }
        }
        found
    }
}
