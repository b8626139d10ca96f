//! What a body of one shape can touch, by the place of its center.
//!
//! The bodies of a game have few shapes, and a tick asks for each of them again and again where it first touches the
//! terrain. So each shape gets its own grid, in which a cell lists only the faces and corners that a body with its
//! center in the cell can come into contact with: it is in front of the face, near enough, and neither past one end nor
//! the other. Most lists have one or two entries, and few sweeps look at more than one cell.

use super::query::first_of;
use super::*;
use crate::geometry::sweep::{Touch, may_touch_corner, sweep_corner, sweep_corner_from_above, sweep_face};
use std::sync::OnceLock;

/// Maximum number of shapes with a grid in one terrain. Bodies of other shapes use the terrain's own grid.
const MOST_SHAPES: usize = 4;

/// The grids of the shapes that have one.
#[derive(Debug, Default)]
pub struct Touchables([OnceLock<(Ellipse, OnceLock<Option<Touchable>>)>; MOST_SHAPES]);

impl Touchables {
    /// Lets a shape have a grid, if there is room for it.
    pub fn admit(&self, shape: Ellipse) {
        let sane = shape.half.min_element() >= SMALLEST && shape.half.max_element() <= LARGEST;
        if sane {
            // The first that has none, or this one.
            self.0.iter().any(|place| place.get_or_init(|| (shape, OnceLock::new())).0 == shape);
        }
    }

    /// The grid of a shape, which the first call computes.
    #[inline]
    pub fn of(&self, shape: Ellipse, edges: &[Edge]) -> Option<&Touchable> {
        for place in &self.0 {
            let (known, grid) = place.get()?;
            if *known == shape {
                return grid.get_or_init(|| Touchable::new(shape, edges)).as_ref();
            }
        }
        None
    }
}

/// Half-widths of shapes that get a grid, px.
const SMALLEST: f64 = 0.5;
const LARGEST: f64 = 200.0;

/// Narrowest and widest cell, px.
const NARROWEST: f64 = 8.0;
const WIDEST: f64 = 80.0;

/// A sweep by at most twice this far along x and along y looks at one cell only, px: at 60 ticks per second, the motion of a
/// body at the usual speeds, and a look for falling ground.
const MARGIN: DVec2 = DVec2::new(6.5, 10.5);

/// How much farther than necessary a cell looks for what it lists, px: far more than rounding can change.
const SLACK: f64 = 0.01;

/// The number of cells: up to this many, and this many more for each edge. A larger area gets larger cells.
const SOME_CELLS: usize = 16_384;
const CELLS_PER_EDGE: usize = 16;

/// The length of all lists: up to this, and this much more for each edge. Beyond, the shape has no grid.
const SOME_LISTED: usize = 65_536;
const LISTED_PER_EDGE: usize = 32;

/// Terrain with more edges, or farther from the origin, px, has no such grids.
const MOST_EDGES: usize = 1 << 15;
const OUTERMOST: f64 = 1e6;

/// A face as bodies of one shape meet it. It fills one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct NearFace {
    start: DVec2,
    /// Unit vector along the face.
    along: DVec2,
    length: f64,
    /// How far the shape reaches toward the face, px.
    reach: f64,
    /// How far along the face the center of a body that touches it is ahead of the point of contact, px.
    ahead: f64,
    index: u32,
    side: Side,
}

/// A corner as bodies meet it.
#[derive(Clone, Copy, Debug)]
struct NearCorner {
    at: DVec2,
    /// The edge that ends there.
    index: u32,
    /// Whether it is the end of a one-way line, which belongs to both of its sides.
    tip: bool,
    side: Side,
}

/// How many faces and corners a cell can list itself.
const LISTED: usize = 6;

/// The list of a cell: faces first, then corners.
#[derive(Clone, Copy, Debug, Default)]
struct TouchCell {
    faces: u16,
    corners: u16,
    /// The entries or, if they are too many, where in [`Touchable::listed`] they begin: the lower half first.
    own: [u16; LISTED],
}

impl TouchCell {
    /// The entries. Cells with too many of them share the list `listed`.
    #[inline(always)]
    fn entries<'a>(&'a self, listed: &'a [u16]) -> (&'a [u16], &'a [u16]) {
        let (faces, corners) = (usize::from(self.faces), usize::from(self.corners));
        let all = match self.own.get(..faces + corners) {
            Some(own) => own,
            None => &listed[self.begin()..][..faces + corners],
        };
        all.split_at(faces)
    }

    fn begin(&self) -> usize {
        usize::from(self.own[0]) | usize::from(self.own[1]) << 16
    }

    /// Where its entries are, to fill them in.
    fn entries_mut<'a>(&'a mut self, listed: &'a mut [u16]) -> &'a mut [u16] {
        let begin = self.begin();
        match usize::from(self.faces) + usize::from(self.corners) {
            count @ ..=LISTED => &mut self.own[..count],
            count => &mut listed[begin..][..count],
        }
    }
}

/// The grid of one shape.
#[derive(Debug)]
pub struct Touchable {
    shape: Ellipse,
    /// 1 divided by the half-widths, 1/px.
    per_half: DVec2,
    origin: DVec2,
    cells_per_px: DVec2,
    columns: usize,
    rows: usize,
    cells: Vec<TouchCell>,
    /// The entries of the cells with too many.
    listed: Vec<u16>,
    faces: Vec<NearFace>,
    corners: Vec<NearCorner>,
}

/// How exactly [`NearFace::touch`] knows whether a body is past the end of a face, px.
const EXACT: f64 = 1e-8;

impl NearFace {
    fn new(shape: Ellipse, index: usize, edge: &Edge) -> Self {
        let Face { start, along, normal, length } = edge.face;
        let ahead = along.dot(shape.farthest(normal));
        Self { start, along, length, reach: shape.reach(normal), ahead, index: index as u32, side: edge.side }
    }

    #[inline(always)]
    fn face(&self) -> Face {
        Face { start: self.start, along: self.along, normal: Face::normal_of(self.along), length: self.length }
    }

    /// The same as [`sweep_face`], to the last bit. One branch decides for most faces: which of those near a body it
    /// touches is hard to predict.
    #[inline(always)]
    fn touch(&self, scenery: &Scenery, shape: Ellipse, from: DVec2, motion: DVec2) -> Option<Touch> {
        let normal = Face::normal_of(self.along);
        let offset = from - self.start;
        let (approach, height) = (normal.dot(motion), normal.dot(offset));
        let (gap, closing) = (height - self.reach, -approach);
        // Where the body touches the line of the face, or how it overlaps it at the start; both times `closing`.
        let free = if gap <= TOUCH { 0.0 } else { gap };
        let within = if gap < 0.0 { gap } else { 0.0 };
        let depth = 1.0 + within / self.reach;
        let middle = 0.5 * self.length;
        let place = (self.along.dot(offset) - self.ahead * depth - middle) * closing + self.along.dot(motion) * free;
        let past = place.abs() - (middle + TOUCH) * closing;
        let exact = EXACT * closing;
        if !((approach < 0.0) & (gap + approach < -TOUCH) & (height >= 0.0) & (past <= exact)) {
            return None;
        }
        let one_way = self.side != Side::Solid;
        if one_way && (gap < -TOUCH || !scenery.has(self.side) || !scenery.blocks(self.side)) {
            return None;
        }
        if past > -exact {
            return sweep_face(shape, from, motion, &self.face(), one_way);
        }
        let time = if gap <= TOUCH { 0.0 } else { gap / -approach };
        Some(Touch { time, normal })
    }
}

/// The room of a body on a face on which it stands.
pub struct FaceRoom {
    pub face: Face,
    /// How far the body reaches toward it, px.
    pub reach: f64,
    /// How far its point of contact is from the end of the face, px.
    pub ahead: f64,
    /// How far it is from the start of the face, px.
    pub behind: f64,
}

impl Touchable {
    fn new(shape: Ellipse, edges: &[Edge]) -> Option<Self> {
        // The edges of platforms, which are elsewhere, come last.
        let edges = &edges[..edges.partition_point(|edge| edge.platform.is_none())];
        let all = Bounds::around_all(&edges.iter().map(|e| Bounds::of(e.face.start, e.end)).collect::<Vec<_>>());
        let sane = !edges.is_empty() && edges.len() <= MOST_EDGES;
        if !sane || all.min.abs().max(all.max.abs()).max_element() > OUTERMOST {
            return None;
        }
        let mut grid = Self::empty(shape, all, edges.len());
        for (index, edge) in edges.iter().enumerate() {
            grid.faces.push(NearFace::new(shape, index, edge));
            if edge.bend == Bend::Out {
                let Edge { end, tip, side, .. } = *edge;
                grid.corners.push(NearCorner { at: end, index: index as u32, tip, side });
            }
        }
        let mut counts = vec![[0_u32; 2]; grid.columns * grid.rows];
        let mut total = 0;
        grid.each_entry(|cell, what, _| {
            counts[cell][what] += 1;
            total += 1;
        });
        if total > SOME_LISTED + LISTED_PER_EDGE * edges.len() {
            return None;
        }
        let mut long = 0;
        for [faces, corners] in &counts {
            let mut cell = TouchCell {
                faces: u16::try_from(*faces).ok()?,
                corners: u16::try_from(*corners).ok()?,
                own: [0; LISTED],
            };
            let count = (faces + corners) as usize;
            if count > LISTED {
                (cell.own[0], cell.own[1]) = (long as u16, (long >> 16) as u16);
                long += count;
            }
            grid.cells.push(cell);
        }
        let (mut cells, mut listed) = (std::mem::take(&mut grid.cells), vec![0; long]);
        let mut next: Vec<[u16; 2]> = cells.iter().map(|cell| [0, cell.faces]).collect();
        grid.each_entry(|cell, what, place| {
            let at = &mut next[cell][what];
            cells[cell].entries_mut(&mut listed)[usize::from(*at)] = place as u16;
            *at += 1;
        });
        (grid.cells, grid.listed) = (cells, listed);
        Some(grid)
    }

    /// Cells for the centers of bodies that touch something in `all`.
    fn empty(shape: Ellipse, all: Bounds, edges: usize) -> Self {
        let area = all.grown(shape.half + MARGIN + SLACK);
        let extent = area.max - area.min;
        let cell = shape.half.clamp(DVec2::splat(NARROWEST), DVec2::splat(WIDEST));
        let most = (SOME_CELLS + CELLS_PER_EDGE * edges) as f64;
        let count = ((extent.x / cell.x + 1.0) * (extent.y / cell.y + 1.0) / most).max(1.0);
        // In a long and narrow area, one axis may keep its cells.
        let cell = (cell * count.sqrt()).max(extent / most);
        Self {
            shape,
            per_half: shape.half.recip(),
            origin: area.min,
            cells_per_px: cell.recip(),
            columns: (extent.x / cell.x) as usize + 1,
            rows: (extent.y / cell.y) as usize + 1,
            cells: Vec::new(),
            listed: Vec::new(),
            faces: Vec::new(),
            corners: Vec::new(),
        }
    }

    /// Calls `visit` with every entry: its cell, 0 for a face or 1 for a corner, and its place among those.
    fn each_entry(&self, mut visit: impl FnMut(usize, usize, u32)) {
        let cell = self.cells_per_px.recip();
        let half = cell * 0.5 + MARGIN + SLACK;
        for (place, face) in self.faces.iter().enumerate() {
            let normal = Face::normal_of(face.along);
            let (reach, ends) = (face.reach, face.length);
            // The centers of bodies that touch the face, up to those on the face, form a parallelogram.
            let out = normal * reach + face.along * face.ahead;
            let end = face.start + face.along * ends;
            let bounds = Bounds::around(&[face.start, end, face.start + out, end + out]);
            let skew = face.along - normal * (face.ahead / reach);
            let wide = [normal, skew].map(|axis| axis.abs().dot(half));
            self.each_cell(&bounds, |cell, middle| {
                let offset = middle - face.start;
                let (height, along) = (normal.dot(offset), skew.dot(offset));
                let near = (height >= -wide[0]) & (height <= reach + wide[0]);
                if near & (along >= -wide[1]) & (along <= ends + wide[1]) {
                    visit(cell, 0, place as u32);
                }
            });
        }
        for (place, corner) in self.corners.iter().enumerate() {
            let bounds = Bounds::of(corner.at, corner.at).grown(self.shape.half);
            self.each_cell(&bounds, |cell, middle| {
                let apart = ((middle - corner.at).abs() - half).max(DVec2::ZERO);
                if self.shape.to_unit(apart).length_squared() <= 1.0 {
                    visit(cell, 1, place as u32);
                }
            });
        }
    }

    /// Calls `visit` with the cells near a box, and the middle of each.
    fn each_cell(&self, bounds: &Bounds, mut visit: impl FnMut(usize, DVec2)) {
        let near = bounds.grown(MARGIN + SLACK);
        let [columns, rows] = self.block(near.min, near.max);
        let cell = self.cells_per_px.recip();
        for row in rows {
            for column in columns.clone() {
                let middle = self.origin + cell * (DVec2::new(column as f64, row as f64) + 0.5);
                visit(row * self.columns + column, middle);
            }
        }
    }

    /// The columns and rows of the cells that meet a box.
    fn block(&self, min: DVec2, max: DVec2) -> [Range<usize>; 2] {
        let (min, max) = ((min - self.origin) * self.cells_per_px, (max - self.origin) * self.cells_per_px);
        let range = |min: f64, max: f64, count: usize| {
            // A cast to an integer saturates.
            let end = if max < 0.0 { 0 } else { (max as u32 as usize + 1).min(count) };
            (min as u32 as usize).min(end)..end
        };
        [range(min.x, max.x, self.columns), range(min.y, max.y, self.rows)]
    }

    /// The first contact of a body moving from `from` by `motion` with what stays in place.
    #[inline(never)]
    pub fn sweep_still(&self, scenery: &Scenery, from: DVec2, motion: DVec2) -> Option<Hit> {
        self.sweep(scenery, from, motion)
    }

    /// The same, where most sweeps are.
    #[inline(always)]
    pub fn sweep(&self, scenery: &Scenery, from: DVec2, motion: DVec2) -> Option<Hit> {
        let half = motion * 0.5;
        let middle = from + half;
        if half.abs().cmpgt(MARGIN).any() {
            return self.sweep_far(scenery, from, motion);
        }
        let mut first = None;
        let place = (middle - self.origin) * self.cells_per_px;
        // A cast to an integer saturates; below the first cell it may be 0, whose list is right there, too.
        let (column, row) = (place.x as i32 as usize, place.y as i32 as usize);
        if column < self.columns && row < self.rows {
            self.sweep_cell(row * self.columns + column, scenery, from, motion, &mut first);
        }
        first
    }

    /// The same for a motion that leads through several cells.
    #[inline(never)]
    fn sweep_far(&self, scenery: &Scenery, from: DVec2, motion: DVec2) -> Option<Hit> {
        let half = motion * 0.5;
        let middle = from + half;
        let beyond = (half.abs() - MARGIN).max(DVec2::ZERO);
        let [columns, rows] = self.block(middle - beyond, middle + beyond);
        let mut first = None;
        for row in rows {
            for column in columns.clone() {
                self.sweep_cell(row * self.columns + column, scenery, from, motion, &mut first);
            }
        }
        first
    }

    /// How far a body may go along a face on which it stands, in the direction of the face and against it, up to the end
    /// of the face, px; and how far it reaches toward the face. True to rounding. `None` for a face of a platform.
    #[inline]
    pub fn room_on(&self, face: u32, at: DVec2) -> Option<FaceRoom> {
        let near = self.faces.get(face as usize)?;
        let place = near.along.dot(at - near.start) - near.ahead;
        Some(FaceRoom { face: near.face(), reach: near.reach, ahead: near.length - place, behind: place })
    }

    #[inline(always)]
    fn sweep_cell(&self, cell: usize, scenery: &Scenery, from: DVec2, motion: DVec2, first: &mut Option<Hit>) {
        let (faces, corners) = self.cells[cell].entries(&self.listed);
        for place in faces {
            let face = &self.faces[usize::from(*place)];
            if let Some(touch) = face.touch(scenery, self.shape, from, motion) {
                first_of(first, touch, Feature::Face(face.index), motion);
            }
        }
        let step = motion * self.per_half;
        for place in corners {
            let corner = &self.corners[usize::from(*place)];
            if may_touch_corner((from - corner.at) * self.per_half, step) {
                self.sweep_corner(corner, scenery, from, motion, first);
            }
        }
    }

    fn sweep_corner(
        &self,
        corner: &NearCorner,
        scenery: &Scenery,
        from: DVec2,
        motion: DVec2,
        first: &mut Option<Hit>,
    ) {
        let touch = if corner.side == Side::Solid {
            sweep_corner(self.shape, from, motion, corner.at)
        } else if scenery.has(corner.side) && (corner.tip || scenery.blocks(corner.side)) {
            sweep_corner_from_above(self.shape, from, motion, corner.at, scenery.up)
        } else {
            None
        };
        if let Some(touch) = touch {
            first_of(first, touch, Feature::Corner(corner.index), motion);
        }
    }
}
