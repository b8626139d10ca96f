//! Straight lines that several edges form together.

use super::{Bend, Edge};

/// Where an edge lies on the straight line it is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeSpan {
    /// Position of the edge's start, px from the line's left (else lower) end.
    pub start: f64,
    /// 1 if the edge points away from that end, −1 if it points toward it.
    pub sense: f64,
    /// Length of the line, px.
    pub length: f64,
}

impl EdgeSpan {
    /// The spans of all edges.
    pub(super) fn of_all(edges: &[Edge]) -> Vec<Self> {
        let mut lines = vec![Self::default(); edges.len()];
        for index in 0..edges.len() as u32 {
            let begins = edges[edges[index as usize].before as usize].bend != Bend::Straight;
            if begins {
                let run = run_from(edges, index);
                measure(edges, &run, &mut lines);
            }
        }
        lines
    }

    /// The rest position nearest to `place`, px from the line's start: a multiple of `spacing`
    /// between 0 and the line's length.
    #[must_use]
    pub fn nearest(&self, place: f64, spacing: f64) -> f64 {
        let last = (self.length / spacing).floor();
        (place / spacing).round().clamp(0.0, last) * spacing
    }
}

/// The edges of a line, starting with `first`.
fn run_from(edges: &[Edge], first: u32) -> Vec<u32> {
    let mut run = vec![first];
    let mut index = first;
    while edges[index as usize].bend == Bend::Straight {
        index = edges[index as usize].after;
        if index == first {
            break;
        }
        run.push(index);
    }
    run
}

fn measure(edges: &[Edge], run: &[u32], lines: &mut [EdgeSpan]) {
    let length: f64 = run.iter().map(|i| edges[*i as usize].face.length).sum();
    let along = edges[run[0] as usize].face.along;
    let onwards = if along.x.abs() > 1e-9 {
        along.x
    } else {
        along.y
    };
    let sense = onwards.signum();
    let mut covered = 0.0;
    for index in run {
        let start = if sense > 0.0 {
            covered
        } else {
            length - covered
        };
        lines[*index as usize] = EdgeSpan {
            start,
            sense,
            length,
        };
        covered += edges[*index as usize].face.length;
    }
}
