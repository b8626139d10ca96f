//! Rest positions: where bodies come to stand still, at even distances along each line.
//!
//! A body that stops anywhere within a few px of another place can be told from it only by
//! arithmetic. Those who search the level for ways, and those who compare runs, have it easier when
//! there are few places to stand: points every so many px along each walkable edge, wall and roof,
//! counted from the left end of the line, or from the lower end of a vertical one. Edges that meet
//! in a line are one.

use super::{Bend, GroundRule, Scenery, Side, Terrain};
use crate::geometry::Ellipse;
use glam::DVec2;

/// Where an edge lies on the line that it is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// The place of the edge's start on the line, px from its left or lower end.
    pub start: f64,
    /// 1 if the edge leads on from that end, −1 if it leads towards it.
    pub sense: f64,
    /// Length of the line, px.
    pub length: f64,
}

impl Line {
    /// The places on the line of all edges.
    pub(super) fn of_all(terrain: &Terrain) -> Vec<Self> {
        let mut lines = vec![Self::default(); terrain.edges.len()];
        for index in 0..terrain.edges.len() as u32 {
            let begins = terrain.edge(terrain.edge(index).before).bend != Bend::Straight;
            if begins {
                let run = run_from(terrain, index);
                measure(terrain, &run, &mut lines);
            }
        }
        lines
    }

    /// The rest position nearest to a place, if the line is long enough for one other than its end.
    #[must_use]
    pub fn nearest(&self, place: f64, spacing: f64) -> f64 {
        let last = (self.length / spacing).floor();
        (place / spacing).round().clamp(0.0, last) * spacing
    }
}

/// The edges of a line, from its first one on.
fn run_from(terrain: &Terrain, first: u32) -> Vec<u32> {
    let mut run = vec![first];
    let mut index = first;
    while terrain.edge(index).bend == Bend::Straight {
        index = terrain.edge(index).after;
        if index == first {
            break;
        }
        run.push(index);
    }
    run
}

fn measure(terrain: &Terrain, run: &[u32], lines: &mut [Line]) {
    let length: f64 = run.iter().map(|i| terrain.edge(*i).face.length).sum();
    let along = terrain.edge(run[0]).face.along;
    let onwards = if along.x.abs() > 1e-9 {
        along.x
    } else {
        along.y
    };
    let sense = onwards.signum();
    let mut gone = 0.0;
    for index in run {
        let start = if sense > 0.0 { gone } else { length - gone };
        lines[*index as usize] = Line {
            start,
            sense,
            length,
        };
        gone += terrain.edge(*index).face.length;
    }
}

/// A place where a body can rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestPosition {
    /// The edge that it stands on or clings to.
    pub edge: u32,
    /// The body's center, px.
    pub at: DVec2,
}

impl Scenery<'_> {
    /// How far along an edge the body has to move to its nearest rest position, px in the direction
    /// of the edge.
    #[must_use]
    pub fn to_rest(&self, edge: u32, shape: Ellipse, at: DVec2, spacing: f64) -> f64 {
        let face = self.face(edge);
        let line = self.terrain.line(edge);
        let foot = at - shape.farthest(face.normal);
        let place = line.start + line.sense * face.along.dot(foot - face.start);
        (line.nearest(place, spacing) - place) * line.sense
    }

    /// All places in which a body of this shape can rest: on what is walkable, on walls within
    /// `steepest` (a sine) of vertical, and on roofs.
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
            let up = face.normal.y;
            let holds = rule.walkable(face.normal) || up <= steepest && edge.side == Side::Solid;
            let gone = edge.platform.is_some_and(|p| !self.has_platform(p));
            if !holds || gone || edge.side == Side::Under || spacing <= 0.0 {
                continue;
            }
            let line = self.terrain.line(index);
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
