//! Solids as outlines whose edges know their neighbors.

use super::Absent;
use super::block::Blocks;
use super::join::join;
use super::platform::{Path, Transit};
use super::rest::Line;
use crate::geometry::{Grid, grid::Bounds, sweep::Face};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Which of a level's surfaces something is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceId(pub u16);

/// How an outline bends where an edge ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// It goes straight on: the two edges act as one.
    Straight,
    /// Outwards: a corner that a body can touch.
    Out,
    /// Inwards: a notch whose corner no body reaches.
    In,
}

/// Sines of angles below this count as straight.
const STRAIGHT: f64 = 1e-9;

/// From which sides an edge is solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The outline of a solid: from outside.
    Solid,
    /// A one-way platform: from above only.
    OneWay,
    /// The lower side of a one-way platform: never. It closes the line into an outline.
    Under,
}

/// One edge of the terrain's outline.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// Its place, direction, normal and length; of a moving platform, as drawn.
    pub face: Face,
    /// Where it ends, px.
    pub end: DVec2,
    /// The solid it belongs to, an index into [`Terrain::solids`].
    pub solid: u32,
    /// The edge that ends where this one begins.
    pub before: u32,
    /// The edge that begins where this one ends.
    pub after: u32,
    /// How the outline bends at this edge's end.
    pub bend: Bend,
    /// From which sides it is solid.
    pub side: Side,
    /// What it is made of.
    pub surface: SurfaceId,
    /// The platform that it is part of, an index into [`Terrain::platforms`].
    pub platform: Option<u16>,
}

/// The part of the terrain that something touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Feature {
    /// The straight part of the edge with this index.
    Face(u32),
    /// The corner at the end of the edge with this index.
    Corner(u32),
}

impl Feature {
    /// The index of the edge.
    #[must_use]
    pub const fn edge(self) -> u32 {
        let (Self::Face(edge) | Self::Corner(edge)) = self;
        edge
    }
}

/// A solid polygon, or a one-way line.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Its name, given or made from its place in the file.
    pub name: Arc<str>,
    /// What it is made of.
    pub surface: SurfaceId,
    /// Its outline, px, wound counter-clockwise; of a one-way platform its line, from right to
    /// left.
    pub points: Vec<DVec2>,
    /// The box around it.
    pub bounds: Bounds,
    /// Whether it is a line that is solid from above only.
    pub one_way: bool,
    /// Its way, if it moves.
    pub path: Option<Path>,
    /// Whether it is there when the level begins, of one that can be switched on and off.
    pub present: Option<bool>,
    /// How high it stands in a top view, px; infinite where nothing is higher.
    pub top: f64,
}

impl Solid {
    /// A solid from a checked outline, as [`crate::geometry::polygon::outline`] returns it.
    #[must_use]
    pub fn new(name: Arc<str>, surface: SurfaceId, points: Vec<DVec2>) -> Self {
        let bounds = Bounds::around(&points);
        Self {
            name,
            surface,
            points,
            bounds,
            one_way: false,
            path: None,
            present: None,
            top: f64::INFINITY,
        }
    }

    /// A one-way platform from a checked line, as [`crate::geometry::polygon::one_way`] returns it.
    #[must_use]
    pub fn one_way(name: Arc<str>, surface: SurfaceId, points: Vec<DVec2>) -> Self {
        Self {
            one_way: true,
            ..Self::new(name, surface, points)
        }
    }

    /// Whether it is a part of its own, which is not joined with others: it moves, or it can be
    /// switched off.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        self.path.is_some() || self.present.is_some()
    }
}

/// A solid that is a part of its own: it moves, or it can be switched off, or both.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Its solid, an index into [`Terrain::solids`].
    pub solid: u32,
    /// Its edges; none where it is not in the way.
    pub edges: Range<u32>,
    /// Its way; of one that stays where it is, one without points.
    pub path: Path,
}

/// What a sweep needs of an edge, stored where the grid finds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub face: Face,
    pub end: DVec2,
    pub index: u32,
    /// Whether the corner at its end can be touched.
    pub corner: bool,
    pub side: Side,
}

/// All solids of a level, ready for queries.
#[derive(Clone, Debug)]
pub struct Terrain {
    pub(super) solids: Arc<[Solid]>,
    pub(super) edges: Vec<Edge>,
    pub(super) grid: Grid<Near>,
    pub(super) solid_grid: Grid<u32>,
    /// Solids at rest with a top to stand on, whether or not they are part of this terrain.
    pub(super) tops: Grid<u32>,
    pub(super) platforms: Vec<Platform>,
    /// Those of the platforms that move.
    pub(super) movers: Vec<u16>,
    /// Those that stay where they are; none if there are none.
    pub(super) fixtures: Option<Grid<u16>>,
    /// Where the platforms begin.
    pub(super) starts: Transit,
    /// Where each edge lies on its line.
    lines: Vec<Line>,
    /// The solids in convex parts, made when the first body with corners asks for them.
    blocks: OnceLock<Blocks>,
}

/// Width of a grid cell, px: about one character.
const CELL: f64 = 40.0;

/// Width of a cell of the grid of whole solids, px.
const SOLID_CELL: f64 = 160.0;

impl Terrain {
    /// Builds the terrain of these solids. Outlines that touch or overlap are joined.
    #[must_use]
    pub fn new(solids: Vec<Solid>) -> Self {
        Self::of(&solids.into(), |_| true)
    }

    /// The terrain of those solids that `is_there` says. Indices of solids and platforms are the same
    /// for every choice.
    #[must_use]
    pub(super) fn of(solids: &Arc<[Solid]>, is_there: impl Fn(&Solid) -> bool) -> Self {
        let mut edges = Vec::new();
        let is_still = |s: &Solid| !s.is_apart();
        let still = indices(solids, |s| is_still(s) && !s.one_way && is_there(s));
        add_joined(&mut edges, solids, &still);
        for line in indices(solids, |s| is_still(s) && s.one_way && is_there(s)) {
            add_line(&mut edges, solids, line);
        }
        let near: Vec<(Bounds, Near)> = edges.iter().enumerate().filter_map(near).collect();
        let platforms = add_platforms(&mut edges, solids, &is_there);
        let boxes = |which: &[u32]| -> Vec<(Bounds, u32)> {
            let bounds = |i: &u32| (solids[*i as usize].bounds, *i);
            which.iter().map(bounds).collect()
        };
        let tops = indices(solids, |s| is_still(s) && s.top.is_finite());
        let moves = |p: &Platform| solids[p.solid as usize].path.is_some();
        let (movers, fixed): (Vec<u16>, Vec<u16>) =
            (0..platforms.len() as u16).partition(|p| moves(&platforms[*p as usize]));
        let fixed: Vec<(Bounds, u16)> = fixed
            .into_iter()
            .map(|p| (solids[platforms[p as usize].solid as usize].bounds, p))
            .collect();
        let mut terrain = Self {
            grid: Grid::new(&near, CELL),
            solid_grid: Grid::new(&boxes(&still), SOLID_CELL),
            tops: Grid::new(&boxes(&tops), SOLID_CELL),
            fixtures: (!fixed.is_empty()).then(|| Grid::new(&fixed, SOLID_CELL)),
            starts: Transit::default(),
            solids: Arc::clone(solids),
            edges,
            platforms,
            movers,
            lines: Vec::new(),
            blocks: OnceLock::new(),
        };
        terrain.lines = Line::of_all(&terrain);
        terrain.starts = Transit::at(&terrain, &Absent::at_start(solids), 0.0);
        terrain
    }

    /// The solids, in the order of the level file.
    #[must_use]
    pub fn solids(&self) -> &[Solid] {
        &self.solids
    }

    /// The edges.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The solids that are parts of their own: those that move, and those that can be switched off.
    #[must_use]
    pub fn platforms(&self) -> &[Platform] {
        &self.platforms
    }

    /// Those of the platforms that move.
    #[must_use]
    pub fn movers(&self) -> &[u16] {
        &self.movers
    }

    /// The platform that a solid is.
    #[must_use]
    pub fn platform_of(&self, solid: u32) -> Option<u16> {
        let place = self.platforms.binary_search_by_key(&solid, |p| p.solid);
        place.ok().map(|p| p as u16)
    }

    /// The solid with this name.
    #[must_use]
    pub fn solid_named(&self, name: &str) -> Option<u32> {
        let place = self.solids.iter().position(|s| &*s.name == name);
        place.map(|p| p as u32)
    }

    /// The edge with this index.
    #[must_use]
    pub fn edge(&self, index: u32) -> &Edge {
        &self.edges[index as usize]
    }

    /// Where an edge lies on the line that it is part of.
    #[must_use]
    pub fn line(&self, index: u32) -> &Line {
        &self.lines[index as usize]
    }

    /// The solids in convex parts.
    #[must_use]
    pub fn blocks(&self) -> &Blocks {
        self.blocks.get_or_init(|| Blocks::new(self))
    }

    /// The edge that a feature belongs to.
    #[must_use]
    pub fn edge_of(&self, feature: Feature) -> &Edge {
        self.edge(feature.edge())
    }

    /// The solid that a feature belongs to.
    #[must_use]
    pub fn solid_of(&self, feature: Feature) -> &Solid {
        &self.solids[self.edge_of(feature).solid as usize]
    }
}

fn indices(solids: &[Solid], which: impl Fn(&Solid) -> bool) -> Vec<u32> {
    let all = solids.iter().enumerate();
    all.filter(|(_, s)| which(s))
        .map(|(i, _)| i as u32)
        .collect()
}

/// The edge as the grid keeps it, if anything of it can be touched.
pub(super) fn near((index, edge): (usize, &Edge)) -> Option<(Bounds, Near)> {
    let corner = edge.bend == Bend::Out;
    let bounds = match (edge.side, corner) {
        (Side::Under, false) => return None,
        (Side::Under, true) => Bounds::of(edge.end, edge.end),
        _ => Bounds::of(edge.face.start, edge.end),
    };
    let near = Near {
        face: edge.face,
        end: edge.end,
        index: index as u32,
        corner,
        side: edge.side,
    };
    Some((bounds, near))
}

/// How an outline bends between two edges.
fn bend(face: &Face, next: &Face) -> Bend {
    let turn = face.along.perp_dot(next.along);
    let back = face.along.dot(next.along) < 0.0;
    if turn.abs() < STRAIGHT && !back {
        Bend::Straight
    } else if turn > 0.0 || back && turn.abs() < STRAIGHT {
        Bend::Out
    } else {
        Bend::In
    }
}

fn add_joined(edges: &mut Vec<Edge>, solids: &[Solid], which: &[u32]) {
    let first = edges.len() as u32;
    let listed: Vec<&Solid> = which.iter().map(|i| &solids[*i as usize]).collect();
    let pieces = join(&listed);
    for (i, piece) in pieces.iter().enumerate() {
        // A piece without a successor, which only rounding can bring about, is followed by itself:
        // its end is a plain corner.
        edges.push(Edge {
            face: Face::new(piece.start, piece.end),
            end: piece.end,
            solid: which[piece.solid as usize],
            before: first + i as u32,
            after: first + piece.after.unwrap_or(i as u32),
            bend: Bend::Out,
            side: Side::Solid,
            surface: listed[piece.solid as usize].surface,
            platform: None,
        });
    }
    for i in first..first + pieces.len() as u32 {
        let after = edges[i as usize].after;
        if after != i {
            edges[after as usize].before = i;
            edges[i as usize].bend = bend(&edges[i as usize].face, &edges[after as usize].face);
        }
    }
}

/// Adds a one-way platform: its line, and back along its lower side.
fn add_line(edges: &mut Vec<Edge>, solids: &[Solid], index: u32) {
    let points = &solids[index as usize].points;
    let back = points.iter().rev().skip(1);
    let round: Vec<DVec2> = points.iter().chain(back).copied().collect();
    let count = (round.len() - 1) as u32;
    let first = edges.len() as u32;
    let face = |i: u32| Face::new(round[i as usize], round[i as usize + 1]);
    for i in 0..count {
        edges.push(Edge {
            face: face(i),
            end: round[i as usize + 1],
            solid: index,
            before: first + (i + count - 1) % count,
            after: first + (i + 1) % count,
            bend: bend(&face(i), &face((i + 1) % count)),
            side: if i < count / 2 {
                Side::OneWay
            } else {
                Side::Under
            },
            surface: solids[index as usize].surface,
            platform: None,
        });
    }
    // Along the lower side only the ends are corners.
    for edge in &mut edges[(first + count / 2) as usize..(first + count - 1) as usize] {
        edge.bend = Bend::In;
    }
}

fn add_platforms(
    edges: &mut Vec<Edge>,
    solids: &[Solid],
    is_there: &impl Fn(&Solid) -> bool,
) -> Vec<Platform> {
    let mut platforms = Vec::new();
    for index in indices(solids, Solid::is_apart) {
        let solid = &solids[index as usize];
        let first = edges.len() as u32;
        if !is_there(solid) {
            // It keeps its place in the list, without edges.
        } else if solid.one_way {
            add_line(edges, solids, index);
        } else {
            add_joined(edges, solids, &[index]);
        }
        for edge in &mut edges[first as usize..] {
            edge.platform = Some(platforms.len() as u16);
        }
        platforms.push(Platform {
            solid: index,
            edges: first..edges.len() as u32,
            path: solid.path.clone().unwrap_or_default(),
        });
    }
    platforms
}
