//! Blocks: the solids split into convex parts, for bodies with corners.
//!
//! A wall of a block counts only where it is part of the joined outlines. Where two solids touch,
//! and where a solid was cut into parts, there is nothing to run into.

use super::{platform::platform_of, *};
use crate::geometry::convex::parts;

/// Maximum number of corners of a block.
pub const MOST_WALLS: usize = 8;

/// An edge of a block.
#[derive(Clone, Copy, Debug)]
pub struct Wall {
    /// Where it lies, px; for a moving platform, as drawn.
    pub face: Face,
    /// The interval that can be touched, px from the wall's start; empty if none of it can be.
    pub open: (f64, f64),
    /// The terrain edge that this wall is part of.
    pub edge: u32,
    /// The edge whose end corner coincides with this wall's start, if that corner can be touched.
    pub corner: Option<u32>,
}

impl Wall {
    /// Whether any of it can be touched.
    pub fn is_open(&self) -> bool {
        self.open.0 < self.open.1
    }

    /// The terrain feature that a contact with this wall touches.
    pub const fn feature(&self) -> Feature {
        Feature::Face(self.edge)
    }
}

/// Number of walls that are measured from at once.
pub const ABREAST: usize = 4;

/// Walls of a block coordinate by coordinate, to measure from all of them at once. The last one fills the rest.
#[derive(Clone, Debug)]
pub struct WallLines {
    /// Where they start, px: each x, then each y.
    pub starts: [[f64; ABREAST]; 2],
    /// Their normals.
    pub normals: [[f64; ABREAST]; 2],
}

impl WallLines {
    fn of(walls: &[Wall]) -> Self {
        let each =
            |coordinate: fn(&Face) -> f64| std::array::from_fn(|i| coordinate(&walls[i.min(walls.len() - 1)].face));
        Self {
            starts: [each(|face| face.start.x), each(|face| face.start.y)],
            normals: [each(|face| face.normal.x), each(|face| face.normal.y)],
        }
    }
}

/// A convex part of a solid.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its walls, counterclockwise.
    walls: Range<u32>,
    /// The same for measuring.
    pub lines: ArrayVec<WallLines, { MOST_WALLS / ABREAST }>,
    /// Bounding box, px.
    pub bounds: Bounds,
    /// Index of its surface.
    pub surface: SurfaceId,
    /// The platform it belongs to, if any.
    pub platform: Option<u16>,
    /// Whether it is solid from above only.
    pub one_way: bool,
}

impl Block {
    /// The same block and its `walls` on a platform that rotates.
    pub fn tilted(&self, walls: &[Wall], tilt: &Tilt) -> (Self, ArrayVec<Wall, MOST_WALLS>) {
        let walls: ArrayVec<Wall, MOST_WALLS> =
            walls.iter().map(|wall| Wall { face: tilt.face(&wall.face), ..*wall }).collect();
        let corners: ArrayVec<DVec2, MOST_WALLS> = walls.iter().map(|wall| wall.face.start).collect();
        let lines = walls.chunks(ABREAST).map(WallLines::of).collect();
        (Self { lines, bounds: Bounds::around(&corners), ..self.clone() }, walls)
    }
}

/// The blocks of a terrain.
#[derive(Clone, Debug)]
pub struct Blocks {
    walls: Vec<Wall>,
    list: Vec<Block>,
    grid: Grid<u32>,
    /// The moving platforms, in ascending order.
    movers: Vec<MovingBlocks>,
}

/// The blocks of a moving platform, as drawn.
#[derive(Clone, Debug)]
struct MovingBlocks {
    platform: u16,
    list: Range<u32>,
    /// A grid of them, if there are many.
    grid: Option<Grid<u32>>,
}

/// Up to this many blocks of a platform are looked through one by one.
const FEW_BLOCKS: usize = 32;

/// Width of a cell of the grid of blocks, px.
const CELL: f64 = 80.0;

/// Up to this many edges of a solid are looked through one by one.
const FEW_EDGES: usize = 32;

/// How far below its line a one-way platform still holds bodies that came from above, px.
const DEEP: f64 = 64.0;

/// Coordinates closer than this count as equal, px.
const SAME: f64 = 1e-6;

impl Blocks {
    /// Splits the solids of a terrain into blocks.
    pub(super) fn new(solids: &[Solid], edges: &[Edge], platforms: &[Platform], movers: &[u16]) -> Self {
        let mut builder = BlockBuilder::new(solids, edges);
        for (index, _) in (0..).zip(solids).filter(|(_, solid)| !solid.moves() && !solid.is_gone()) {
            builder.add(index, platform_of(platforms, index));
        }
        let boxes: Vec<(Bounds, u32)> = builder.list.iter().map(|block| block.bounds).zip(0..).collect();
        let mut moving = Vec::new();
        for &number in movers {
            let first = builder.list.len() as u32;
            let solid = platforms[number as usize].solid;
            builder.add(solid, Some(number));
            moving.push((number, first..builder.list.len() as u32));
        }
        let corners: Vec<DVec2> = builder.walls.iter().map(|wall| wall.face.start).collect();
        let boxed = |i: u32| (builder.list[i as usize].bounds, i);
        let outline = |i: &u32| {
            let walls = &builder.list[*i as usize].walls;
            Extent::Outline(&corners[walls.start as usize..walls.end as usize])
        };
        let movers = moving.into_iter().map(|(platform, list)| {
            let boxes: Vec<(Bounds, u32)> = list.clone().map(boxed).collect();
            let many = boxes.len() > FEW_BLOCKS;
            MovingBlocks { platform, list, grid: many.then(|| Grid::shaped(&boxes, CELL, outline)) }
        });
        let movers = movers.collect();
        Self { movers, grid: Grid::shaped(&boxes, CELL, outline), walls: builder.walls, list: builder.list }
    }

    /// The block with this index.
    pub fn block(&self, index: u32) -> &Block {
        &self.list[index as usize]
    }

    /// The walls of a block.
    pub fn walls(&self, block: &Block) -> &[Wall] {
        &self.walls[block.walls.start as usize..block.walls.end as usize]
    }

    /// Calls `visit` with the blocks of a moving platform whose boxes meet `area`, both as drawn. A
    /// block in several cells is visited once per cell.
    pub fn visit_mover(&self, platform: u16, area: &Bounds, mut visit: impl FnMut(u32)) {
        let place = self.movers.binary_search_by_key(&platform, |m| m.platform);
        let Ok(place) = place else { return };
        let MovingBlocks { list, grid, .. } = &self.movers[place];
        let mut consider = |index: u32| {
            if self.list[index as usize].bounds.meets(area) {
                visit(index);
            }
        };
        match grid {
            None => list.clone().for_each(consider),
            Some(grid) => grid.visit(area, |index| consider(*index)),
        }
    }

    /// Calls `visit` with the static blocks in the cells that meet `area` whose boxes meet `wide`, which holds it,
    /// including blocks that are switched off. A block in several cells is visited once per cell.
    #[inline]
    pub fn visit(&self, area: &Bounds, wide: &Bounds, mut visit: impl FnMut(u32)) {
        self.grid.visit(area, |index| {
            if self.list[*index as usize].bounds.meets(wide) {
                visit(*index);
            }
        });
    }

    /// The cells of the static blocks that meet `area`; see [`Grid::cells_near`].
    pub fn cells_near(&self, area: &Bounds) -> Option<CellRange> {
        self.grid.cells_near(area)
    }
}

/// A point's coordinates as a lookup key.
fn key(point: DVec2) -> (u64, u64) {
    ((point.x + 0.0).to_bits(), (point.y + 0.0).to_bits())
}

struct BlockBuilder<'a> {
    solids: &'a [Solid],
    edges: &'a [Edge],
    /// The indices of each solid's edges.
    edges_of: Vec<Vec<u32>>,
    /// The edges that end in a corner that can be touched, by that corner. Platforms have
    /// their own corners.
    corners: BTreeMap<(Option<u16>, (u64, u64)), u32>,
    walls: Vec<Wall>,
    list: Vec<Block>,
}

impl<'a> BlockBuilder<'a> {
    fn new(solids: &'a [Solid], edges: &'a [Edge]) -> Self {
        let mut edges_of = vec![Vec::new(); solids.len()];
        let mut corners = BTreeMap::new();
        for (index, edge) in edges.iter().enumerate() {
            edges_of[edge.solid as usize].push(index as u32);
            if edge.bend == Bend::Out {
                let corner = (edge.platform, key(edge.end));
                corners.entry(corner).or_insert(index as u32);
            }
        }
        Self { solids, edges, edges_of, corners, walls: Vec::new(), list: Vec::new() }
    }

    fn add(&mut self, solid: u32, platform: Option<u16>) {
        if self.solids[solid as usize].one_way {
            self.add_line(solid, platform);
        } else {
            self.add_parts(solid, platform);
        }
    }

    fn add_parts(&mut self, solid: u32, platform: Option<u16>) {
        let points = &self.solids[solid as usize].points;
        let near = self.index(solid);
        for part in parts(points, MOST_WALLS) {
            let first = self.walls.len();
            let mut seen = false;
            for (i, &start) in part.points.iter().enumerate() {
                let face = Face::new(start, part.points[(i + 1) % part.points.len()]);
                let (open, edge) = match part.edges[i] {
                    Some(_) => self.opening(solid, &face, near.as_ref()),
                    None => ((0.0, 0.0), 0),
                };
                let corner = self.corners.get(&(platform, key(start))).copied();
                let wall = Wall { face, open, edge, corner };
                seen |= wall.is_open() || corner.is_some();
                self.walls.push(wall);
            }
            if seen {
                self.push(first, solid, platform, false, &part.points);
            } else {
                // None of it can be touched.
                self.walls.truncate(first);
            }
        }
    }

    /// A grid of a solid's edges, if there are many.
    fn index(&self, solid: u32) -> Option<Grid<u32>> {
        let edges = &self.edges_of[solid as usize];
        let line = |i: &u32| {
            let edge = &self.edges[*i as usize];
            [edge.face.start, edge.end]
        };
        (edges.len() > FEW_EDGES).then(|| {
            let boxes: Vec<(Bounds, u32)> = edges.iter().map(|i| (Bounds::around(&line(i)), *i)).collect();
            Grid::shaped(&boxes, CELL, |i| Extent::Line(line(i)))
        })
    }

    /// The interval of a solid's face that is part of the joined outlines, and the edge that covers
    /// most of it.
    fn opening(&self, solid: u32, face: &Face, near: Option<&Grid<u32>>) -> ((f64, f64), u32) {
        let mut open = (f64::INFINITY, f64::NEG_INFINITY);
        let mut longest = (0.0, 0);
        let mut found = Vec::new();
        if let Some(near) = near {
            let area = Bounds::of(face.start, face.end()).grown(DVec2::splat(SAME));
            near.visit(&area, |i| found.push(*i));
            found.sort_unstable();
            found.dedup();
        }
        let all = &self.edges_of[solid as usize];
        for &index in if near.is_some() { &found } else { all } {
            let edge = &self.edges[index as usize];
            let from = edge.face.start - face.start;
            let to = edge.end - face.start;
            let off = |v: DVec2| v.dot(face.normal).abs() > SAME;
            let (begin, end) = (from.dot(face.along), to.dot(face.along));
            let outside = begin < -SAME || end > face.length + SAME || end <= begin;
            if off(from) || off(to) || outside || edge.side == Side::Under {
                continue;
            }
            open = (open.0.min(begin), open.1.max(end));
            if end - begin > longest.0 {
                longest = (end - begin, index);
            }
        }
        (open, longest.1)
    }

    /// Adds a one-way platform: a block below each of its edges. Only the top of a
    /// block can be touched.
    fn add_line(&mut self, solid: u32, platform: Option<u16>) {
        for index in self.edges_of[solid as usize].clone() {
            let edge = &self.edges[index as usize];
            if edge.side != Side::OneWay {
                continue;
            }
            let below = DVec2::new(0.0, -DEEP);
            let (start, end) = (edge.face.start, edge.end);
            let points = [start, end, end + below, start + below];
            let first = self.walls.len();
            for i in 0..4 {
                let face = Face::new(points[i], points[(i + 1) % 4]);
                let open = if i == 0 { (0.0, face.length) } else { (0.0, 0.0) };
                self.walls.push(Wall { face, open, edge: index, corner: None });
            }
            self.push(first, solid, platform, true, &points);
        }
    }

    fn push(&mut self, first: usize, solid: u32, platform: Option<u16>, one_way: bool, points: &[DVec2]) {
        self.list.push(Block {
            walls: first as u32..self.walls.len() as u32,
            lines: self.walls[first..].chunks(ABREAST).map(WallLines::of).collect(),
            bounds: Bounds::around(points),
            surface: self.solids[solid as usize].surface,
            platform,
            one_way,
        });
    }
}
