//! Edges of the terrain's outlines, and the features that bodies touch.

use super::{join::Points, *};

/// Index of a surface in [`Level::surfaces`](super::Level::surfaces).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SurfaceId(pub u16);

/// How an outline bends where an edge ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// The next edge continues straight: the two act as one.
    Straight,
    /// Outward: a corner that a body can touch.
    Out,
    /// Inward: a notch whose corner no body can reach.
    In,
}

/// The sides from which an edge is solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The outline of a solid: solid from outside.
    Solid,
    /// A one-way platform: solid from above only, and not at all under inverted gravity.
    OneWay,
    /// The underside of a one-way platform, which closes the line into an outline. Under inverted
    /// gravity it is solid from below; otherwise it is never solid.
    Under,
}

/// One edge of the terrain's outline.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Position, direction, normal and length; for a moving platform, as drawn.
    pub face: Face,
    /// End point, px.
    pub end: DVec2,
    /// The solid it belongs to, as an index into [`Terrain::solids`](super::Terrain::solids).
    pub solid: u32,
    /// Index of the previous edge in the outline.
    pub before: u32,
    /// Index of the next edge in the outline.
    pub after: u32,
    /// How the outline bends at this edge's end.
    pub bend: Bend,
    /// Whether a one-way line ends there and its underside begins, or the other way around.
    pub tip: bool,
    /// The sides from which it is solid.
    pub side: Side,
    /// Index of its surface.
    pub surface: SurfaceId,
    /// The platform it belongs to, as an index into
    /// [`Terrain::platforms`](super::Terrain::platforms).
    pub platform: Option<u16>,
}

/// The part of the terrain that a contact touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feature {
    /// The straight part of the edge with this index.
    Face(u32),
    /// The corner at the end of the edge with this index.
    Corner(u32),
}

impl Feature {
    /// The index of the edge.
    pub const fn edge(self) -> u32 {
        let (Self::Face(edge) | Self::Corner(edge)) = self;
        edge
    }
}

/// The part of an edge that a sweep needs, stored inline in the grid. It fills one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct GridEdge {
    pub start: DVec2,
    /// Unit vector along the edge.
    pub along: DVec2,
    pub length: f64,
    pub end: DVec2,
    pub index: u32,
    /// Whether the corner at its end can be touched.
    pub corner: bool,
    /// Whether that corner is the end of a one-way line, which belongs to both of its sides.
    pub tip: bool,
    pub side: Side,
}

impl GridEdge {
    /// Unit normal, out of the solid.
    #[inline(always)]
    pub fn normal(&self) -> DVec2 {
        Face::normal_of(self.along)
    }

    /// The edge's position, direction, normal and length.
    #[inline(always)]
    pub fn face(&self) -> Face {
        Face { start: self.start, along: self.along, normal: self.normal(), length: self.length }
    }
}

/// The grid's form of an edge.
pub fn grid_edge((index, edge): (usize, &Edge)) -> (Bounds, GridEdge) {
    let bounds = Bounds::of(edge.face.start, edge.end);
    let near = GridEdge {
        start: edge.face.start,
        along: edge.face.along,
        length: edge.face.length,
        end: edge.end,
        index: index as u32,
        corner: edge.bend == Bend::Out,
        tip: edge.tip,
        side: edge.side,
    };
    (bounds, near)
}

/// Where an edge lies on the straight line it is part of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeSpan {
    /// Position of the edge's left (else lower) end, px from that end of the line.
    pub start: f64,
    /// 1 if the edge points away from that end, −1 if it points toward it.
    pub sense: f64,
    /// Length of the line, px.
    pub length: f64,
    /// Index of the next edge toward the line's left (else lower) end; its own if there is none.
    pub left: u32,
    /// Index of the next edge toward the line's other end; its own if there is none.
    pub right: u32,
}

/// A multiple of the spacing this close to the end of a line is on the line, px.
const SAME: f64 = 1e-9;

impl EdgeSpan {
    /// The spans of the edges from `first` on, which are in no line with those before: all edges, or those of platforms.
    pub(super) fn of_all(edges: &[Edge], first: usize) -> Vec<Self> {
        let mut runs = Vec::new();
        for index in first as u32..edges.len() as u32 {
            let before = edges[index as usize].before;
            if edges[before as usize].bend != Bend::Straight || before == index {
                runs.push(Run::new(edges, index));
            }
        }
        let mut spans = vec![Self::default(); edges.len() - first];
        for line in join(runs) {
            measure(edges, &line, |edge, span| spans[edge as usize - first] = span);
        }
        spans
    }

    /// The span of an edge that is a line by itself.
    pub(super) fn of_one(edge: &Edge, index: u32) -> Self {
        let along = edge.face.along;
        let sense = if along.x == 0.0 { along.y } else { along.x }.signum();
        Self { start: 0.0, sense, length: edge.face.length, left: index, right: index }
    }

    /// The numbers of the line's first and last rest position: they are at the multiples of `spacing` from 0
    /// to its length, and as far beyond its ends as the line bears the middle of a body's side, px.
    pub fn numbers(&self, spacing: f64, beyond: f64) -> [f64; 2] {
        let first = if beyond > 0.0 { -((beyond + SAME) / spacing).floor() } else { 0.0 };
        [first, ((self.length + beyond + SAME) / spacing).floor()]
    }
}

/// Edges of one outline that form a straight line.
struct Run {
    /// The edges, from left to right (else from the lower end upward).
    edges: Vec<u32>,
    /// Its left and its right end, px.
    ends: [DVec2; 2],
    /// Unit vector from the left to the right end.
    along: DVec2,
    /// 1 if the edges point along it, else −1.
    sense: f64,
    /// Whether it can continue in another outline: it stays in place, and it is solid.
    joins: bool,
}

impl Run {
    /// The run that begins with the edge `first`, in the direction of the outline.
    fn new(edges: &[Edge], first: u32) -> Self {
        let mut run = vec![first];
        let mut index = first;
        while edges[index as usize].bend == Bend::Straight {
            let after = edges[index as usize].after;
            // Where outlines almost coincide, two edges may have the same successor. It continues only one of
            // them, or following the edges could end in a circle that never comes back to `first`.
            if after == first || edges[after as usize].before != index {
                break;
            }
            index = after;
            run.push(index);
        }
        let (begins, ends) = (&edges[first as usize], &edges[index as usize]);
        let along = begins.face.along;
        let vertical = along.x.abs() <= 1e-9;
        let sense = if vertical { along.y } else { along.x }.signum();
        let mut points = [begins.face.start, ends.end];
        if sense < 0.0 {
            run.reverse();
            points.reverse();
        }
        Self {
            edges: run,
            ends: points,
            along: along * sense,
            sense,
            joins: begins.platform.is_none() && begins.side != Side::Under,
        }
    }

    /// Whether the line continues with `next`.
    fn meets(&self, next: &Self) -> bool {
        let straight = self.along.perp_dot(next.along).abs() < 1e-9 && self.sense == next.sense;
        straight && self.joins && next.joins && self.ends[1].distance(next.ends[0]) <= TOUCH
    }
}

/// Joins runs that meet in a line, such as one-way platforms side by side. Returns the edges of each
/// line from left to right, each with its sense.
fn join(runs: Vec<Run>) -> Vec<(Vec<u32>, f64)> {
    let joining: Vec<usize> = (0..runs.len()).filter(|i| runs[*i].joins).collect();
    let mut lefts = Points::new(joining.iter().map(|i| runs[*i].ends[0]).collect());
    let mut next = vec![None; runs.len()];
    let mut continues = vec![false; runs.len()];
    for &i in &joining {
        let run = &runs[i];
        let near = lefts.near(run.ends[1], TOUCH);
        let found = near
            .iter()
            .map(|place| joining[*place as usize])
            .find(|&j| j != i && !continues[j] && run.meets(&runs[j]));
        if let Some(j) = found {
            next[i] = Some(j);
            continues[j] = true;
        }
    }
    let firsts = (0..runs.len()).filter(|i| !continues[*i]);
    let line = |first: usize| {
        let parts = std::iter::successors(Some(first), |i| next[*i]);
        let edges = parts.flat_map(|i| runs[i].edges.iter().copied());
        (edges.collect(), runs[first].sense)
    };
    firsts.map(line).collect()
}

fn measure(edges: &[Edge], (line, sense): &(Vec<u32>, f64), mut found: impl FnMut(u32, EdgeSpan)) {
    let length: f64 = line.iter().map(|i| edges[*i as usize].face.length).sum();
    let mut start = 0.0;
    for (place, index) in line.iter().enumerate() {
        let (left, right) = (line[place.saturating_sub(1)], line[(place + 1).min(line.len() - 1)]);
        found(*index, EdgeSpan { start, sense: *sense, length, left, right });
        start += edges[*index as usize].face.length;
    }
}
