//! What a body of one shape can touch, by the place of its center.
//!
//! The bodies of a game have few shapes, and a tick asks for each of them again and again where it first touches the
//! terrain. So each shape gets its own grid, in which a cell lists only the faces and corners that a body with its
//! center in the cell can come into contact with: it is in front of the face, near enough, and neither past one end nor
//! the other. Most lists have one or two entries, and few sweeps look at more than one cell.

use super::{
    clear::{ClearStretch, MOST_LOOKS},
    query::first_of,
    *,
};
use crate::geometry::sweep::{may_touch_corner, meet_face};

/// Maximum number of shapes with a grid in one terrain. Bodies of other shapes use the terrain's own grid.
const MOST_SHAPES: usize = 8;

/// The grids of the shapes that have one.
#[derive(Debug, Default)]
pub struct Touchables([OnceLock<(Collider, OnceLock<Option<Touchable>>)>; MOST_SHAPES]);

impl Touchables {
    /// Lets a shape have a grid, if there is room for it.
    pub fn admit(&self, shape: Collider) {
        let sane = shape.half.min_element() >= SMALLEST && shape.half.max_element() <= LARGEST;
        if sane {
            // The first that has none, or this one.
            self.0.iter().any(|place| place.get_or_init(|| (shape, OnceLock::new())).0 == shape);
        }
    }

    /// The shapes that may have one.
    pub fn shapes(&self) -> impl Iterator<Item = Collider> {
        self.0.iter().filter_map(|place| Some(place.get()?.0))
    }

    /// The grid of a shape, if it has been computed.
    #[inline(always)]
    pub fn known(&self, shape: Collider) -> Option<&Touchable> {
        for place in &self.0 {
            let (known, grid) = place.get()?;
            if *known == shape {
                return grid.get()?.as_ref();
            }
        }
        None
    }

    /// The grid of a shape, which the first call computes.
    #[inline(never)]
    pub fn of(&self, shape: Collider, edges: &[Edge]) -> Option<&Touchable> {
        let (_, grid) = self.0.iter().map_while(OnceLock::get).find(|(known, _)| *known == shape)?;
        grid.get_or_init(|| Touchable::new(shape, edges)).as_ref()
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
pub(super) const SLACK: f64 = 0.01;

/// The number of cells: up to this many, and this many more for each edge. A larger area gets larger cells.
const SOME_CELLS: usize = 16_384;
const CELLS_PER_EDGE: usize = 16;

/// The length of all lists: up to this, and this much more for each edge. Beyond, the shape has no grid.
const SOME_LISTED: usize = 65_536;
const LISTED_PER_EDGE: usize = 32;

/// Terrain with more edges, or farther from the origin, px, has no such grids.
const MOST_EDGES: usize = 1 << 15;
const OUTERMOST: f64 = 1e6;

/// What decides whether bodies of one shape touch a face. It fills one cache line; for most faces near a body, nothing else
/// is looked up.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct NearFace {
    /// Unit vector along the face.
    pub along: DVec2,
    /// Where the centers of bodies are that touch the middle of the face: their distance from the origin along the normal
    /// and along the face, px.
    pub height: f64,
    pub middle: f64,
    /// Half of its length, px.
    pub half: f64,
    /// How far the shape reaches toward the face, px.
    pub reach: f64,
    /// How far along the face the center of a body that touches it is ahead of the point of contact, as a share of `reach`.
    pub lean: f64,
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

/// The grid of one shape.
#[derive(Debug)]
pub struct Touchable {
    pub(super) shape: Collider,
    /// 1 divided by the half-widths, 1/px.
    pub(super) per_half: DVec2,
    origin: DVec2,
    /// The middle of the first cell, px.
    center: DVec2,
    cells_per_px: DVec2,
    columns: usize,
    rows: usize,
    /// Where the list of each cell begins. Neighbors with the same list share it, and all cells without any have the
    /// first: so what bodies look at in a tick stays in a fast memory.
    cells: Vec<u32>,
    /// Each list: how many pairs of faces and how many corners it has, then which they are.
    listed: Vec<u16>,
    /// All faces, and one that no body touches, which fills pairs.
    faces: Vec<NearFace>,
    corners: Vec<NearCorner>,
    /// Where nothing is in the way of a body that walks on each of the faces.
    clear: Vec<ClearStretch>,
}

/// How inexactly the first look knows how far a body is from a face, px: more than rounding can change.
const VAGUE: f64 = 0.4 * TOUCH;

/// How far beyond the end of a face with this normal a body may touch it, px, apart from tolerances of the same size for all
/// shapes.
fn beyond(shape: Collider, normal: DVec2, lean: f64) -> f64 {
    if shape.is_round() {
        0.0
    } else {
        shape.spread(normal) + 2.0 * TOUCH * lean.abs()
    }
}

impl NearFace {
    fn new(shape: Collider, index: usize, edge: &Edge) -> Self {
        let Face { start, along, normal, length } = edge.face;
        let (reach, ahead, half) = (shape.reach(normal), along.dot(shape.farthest(normal)), 0.5 * length);
        let lean = ahead / reach;
        Self {
            along,
            height: normal.dot(start) + reach,
            middle: along.dot(start) + ahead + half,
            half: half + beyond(shape, normal, lean),
            reach,
            lean,
            index: index as u32,
            side: edge.side,
        }
    }

    /// What fills a place in a list: no body touches it.
    const NOTHING: Self = Self {
        along: DVec2::ZERO,
        height: 0.0,
        middle: 0.0,
        half: 0.0,
        reach: 0.0,
        lean: 0.0,
        index: 0,
        side: Side::Solid,
    };
}

/// In which of two faces [`sweep_face`] may find a touch, a little too often: one bit for each. Without a branch, a root or a
/// quotient: which of the faces near a body it touches is hard to predict. Each vector has a number of both faces, so that one
/// instruction computes two.
#[inline(always)]
fn may_touch([a, b]: [&NearFace; 2], from: DVec2, motion: DVec2) -> u32 {
    let both = |of: fn(&NearFace) -> f64| DVec2::new(of(a), of(b));
    let (along_x, along_y) = (both(|near| near.along.x), both(|near| near.along.y));
    let gap = along_y * from.x - along_x * from.y - both(|near| near.height);
    let closing = along_x * motion.y - along_y * motion.x;
    let place = along_x * from.x + along_y * from.y - both(|near| near.middle);
    let passes = along_x * motion.x + along_y * motion.y;
    // Where the body touches the line of the face, or how it overlaps it at the start; both times `closing`.
    let (free, within) = (gap.max(DVec2::ZERO), gap.min(DVec2::ZERO));
    let past = ((place - both(|near| near.lean) * within) * closing + passes * free).abs();
    // Up to `TOUCH` in front of the face, a body touches it where it is.
    let most = (both(|near| near.half) + 2.0 * TOUCH) * closing + passes.abs() * (2.0 * TOUCH);
    let enters = closing - gap - (TOUCH - VAGUE);
    let in_front = gap + both(|near| near.reach) + VAGUE;
    closing.min(enters).min(in_front).min(most - past).cmpgt(DVec2::ZERO).bitmask()
}

/// The room of a body on a face on which it stands.
pub struct FaceRoom {
    /// How far the body reaches toward it, px.
    pub reach: f64,
    /// How far its point of contact, or the middle of its side, is from the end of the face, px.
    pub ahead: f64,
    /// How far it is from the start of the face, px.
    pub behind: f64,
}

/// Up to 2³¹ from 0, a sum with this number has the nearest integer in its lowest bits.
const INTEGERS: f64 = 6_755_399_441_055_744.0;

/// The nearest integer, in a few instructions: a large number for one below 0, and any number for one beyond 2³¹. No body
/// that is so far away touches what a cell lists.
#[inline(always)]
fn nearest(place: f64) -> usize {
    (place + INTEGERS).to_bits() as u32 as usize
}

impl Touchable {
    fn new(shape: Collider, edges: &[Edge]) -> Option<Self> {
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
        let mut ends = vec![[0_u32; 2]; grid.columns * grid.rows];
        let mut total = 0;
        grid.each_entry(edges, |cell, what, _| {
            ends[cell][what] += 1;
            total += 1;
        });
        if total > SOME_LISTED + LISTED_PER_EDGE * edges.len() {
            return None;
        }
        // First where the entries of each cell begin, and then where they end.
        let mut begin = 0;
        for end in ends.as_flattened_mut() {
            (begin, *end) = (begin + *end, begin);
        }
        let mut entries = vec![0; total];
        grid.each_entry(edges, |cell, what, place| {
            let end = &mut ends[cell][what];
            entries[*end as usize] = place as u16;
            *end += 1;
        });
        grid.list(&ends, &entries);
        if shape.is_round() {
            let walked = &grid.faces[..edges.len()];
            let mut looks = MOST_LOOKS;
            grid.clear = walked.iter().map(|near| ClearStretch::new(near, &grid, &mut looks)).collect();
        }
        Some(grid)
    }

    /// Makes the lists of all cells from where their faces and their corners end among all entries.
    fn list(&mut self, ends: &[[u32; 2]], entries: &[u16]) {
        let of = |cell: usize| {
            let begin = cell.checked_sub(1).map_or(0, |before| ends[before][1]);
            let [faces, corners] = ends[cell].map(|end| end as usize);
            [&entries[begin as usize..faces], &entries[faces..corners]]
        };
        let nothing = self.faces.len() as u16;
        self.faces.push(NearFace::NOTHING);
        self.listed = vec![0; 2];
        for cell in 0..ends.len() {
            let list = of(cell);
            let neighbors = [1, self.columns].into_iter().filter_map(|back| cell.checked_sub(back));
            let same = neighbors.map(|other| (of(other), self.cells[other]));
            let place = match same.into_iter().find(|(other, _)| *other == list) {
                _ if list.iter().all(|part| part.is_empty()) => 0,
                Some((_, place)) => place,
                None => {
                    let place = self.listed.len() as u32;
                    let pairs = list[0].len().div_ceil(2);
                    self.listed.extend([pairs as u16, list[1].len() as u16]);
                    self.listed.extend(list[0]);
                    self.listed.resize(place as usize + 2 + 2 * pairs, nothing);
                    self.listed.extend(list[1]);
                    place
                }
            };
            self.cells.push(place);
        }
    }

    /// Cells for the centers of bodies that touch something in `all`.
    fn empty(shape: Collider, all: Bounds, edges: usize) -> Self {
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
            center: area.min + cell * 0.5,
            cells_per_px: cell.recip(),
            columns: (extent.x / cell.x) as usize + 1,
            rows: (extent.y / cell.y) as usize + 1,
            cells: Vec::new(),
            listed: Vec::new(),
            faces: Vec::new(),
            corners: Vec::new(),
            clear: Vec::new(),
        }
    }

    /// Calls `visit` with every entry: its cell, 0 for a face or 1 for a corner, and its place among those.
    fn each_entry(&self, edges: &[Edge], mut visit: impl FnMut(usize, usize, u32)) {
        let cell = self.cells_per_px.recip();
        let half = cell * 0.5 + MARGIN + SLACK;
        for (place, (near, edge)) in self.faces.iter().zip(edges).enumerate() {
            let Face { start, along, normal, length } = edge.face;
            let NearFace { reach, lean, .. } = *near;
            // The centers of bodies that touch the face, up to those on the face, form a parallelogram.
            let out = (normal + along * lean) * reach;
            let spread = self.shape.spread(normal);
            let (start, length) = (start - along * spread, length + 2.0 * spread);
            let end = start + along * length;
            let bounds = Bounds::around(&[start, end, start + out, end + out]);
            let skew = along - normal * lean;
            let wide = [normal, skew].map(|axis| axis.abs().dot(half));
            self.each_cell(&bounds, |cell, middle| {
                let offset = middle - start;
                let (height, place_there) = (normal.dot(offset), skew.dot(offset));
                let near = (height >= -wide[0]) & (height <= reach + wide[0]);
                if near & (place_there >= -wide[1]) & (place_there <= length + wide[1]) {
                    visit(cell, 0, place as u32);
                }
            });
        }
        for (place, corner) in self.corners.iter().enumerate() {
            let bounds = Bounds::of(corner.at, corner.at).grown(self.shape.half);
            self.each_cell(&bounds, |cell, middle| {
                let apart = ((middle - corner.at).abs() - half).max(DVec2::ZERO);
                if !self.shape.is_round() || self.shape.to_unit(apart).length_squared() <= 1.0 {
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
    #[inline(always)]
    pub fn sweep(&self, scenery: &Scenery, from: DVec2, motion: DVec2) -> Option<Hit> {
        let half = motion * 0.5;
        if half.abs().cmpgt(MARGIN).any() {
            return self.sweep_far(scenery, from, motion);
        }
        match self.list_at(from + half) {
            0 => None,
            list => self.sweep_near(list, scenery, from, motion),
        }
    }

    /// Where the list of the cell begins that a place is in.
    #[inline(always)]
    fn list_at(&self, place: DVec2) -> u32 {
        let place = (place - self.center) * self.cells_per_px;
        let (column, row) = (nearest(place.x), nearest(place.y));
        if column >= self.columns {
            return 0;
        }
        self.cells.get(row.wrapping_mul(self.columns).wrapping_add(column)).copied().unwrap_or(0)
    }

    /// The faces that a body near a place may touch, and the corners.
    pub(super) fn near(&self, place: DVec2) -> (impl Iterator<Item = &NearFace>, impl Iterator<Item = DVec2>) {
        let [faces, corners] = self.listed_at(self.list_at(place));
        let faces = faces.iter().map(|near| &self.faces[usize::from(*near)]);
        (faces, corners.iter().map(|near| self.corners[usize::from(*near)].at))
    }

    /// A list: the places of faces and of corners.
    #[inline(always)]
    fn listed_at(&self, list: u32) -> [&[u16]; 2] {
        let (counts, entries) = self.listed[list as usize..].split_at(2);
        let (faces, corners) = (2 * usize::from(counts[0]), usize::from(counts[1]));
        let (faces, corners) = entries[..faces + corners].split_at(faces);
        [faces, corners]
    }

    /// Whether nothing is in the way of a body between two places where it stands on a face, or just beyond an end of that. If
    /// not, something may be.
    #[inline(always)]
    pub fn is_clear(&self, face: u32, ends: [DVec2; 2]) -> bool {
        match (self.clear.get(face as usize), self.faces.get(face as usize)) {
            (Some(clear), Some(near)) => clear.holds(near, ends[0]) & clear.holds(near, ends[1]),
            _ => false,
        }
    }

    /// The same for a walk that also ends before the face does. Returns how far the body reaches toward that.
    #[inline(always)]
    pub fn walks_clear(&self, face: u32, ends: [DVec2; 2]) -> Option<f64> {
        let near = self.faces.get(face as usize)?;
        let stays = (near.along.dot(ends[1]) - near.middle).abs() + TOUCH < near.half;
        (stays && self.is_clear(face, ends)).then_some(near.reach)
    }

    #[inline(never)]
    fn sweep_near(&self, list: u32, scenery: &Scenery, from: DVec2, motion: DVec2) -> Option<Hit> {
        let mut first = None;
        self.sweep_list(list, scenery, from, motion, &mut first);
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
                let list = self.cells[row * self.columns + column];
                if list != 0 {
                    self.sweep_list(list, scenery, from, motion, &mut first);
                }
            }
        }
        first
    }

    /// How far a body may go along a face on which it stands, in the direction of the face and against it, up to the end
    /// of the face, px; and how far it reaches toward the face. True to rounding. `None` for a face of a platform.
    #[inline]
    pub fn room_on(&self, face: u32, at: DVec2) -> Option<FaceRoom> {
        let faces = &self.faces[..self.faces.len() - 1];
        let NearFace { along, middle, half, reach, lean, .. } = *faces.get(face as usize)?;
        let half = half - beyond(self.shape, Face::normal_of(along), lean);
        let place = along.dot(at) - middle;
        Some(FaceRoom { reach, ahead: half - place, behind: half + place })
    }

    #[inline(always)]
    fn sweep_list(&self, list: u32, scenery: &Scenery, from: DVec2, motion: DVec2, first: &mut Option<Hit>) {
        let [faces, corners] = self.listed_at(list);
        for pair in faces.as_chunks::<2>().0 {
            let pair = pair.map(|near| &self.faces[usize::from(near)]);
            let marks = may_touch(pair, from, motion);
            if marks & 1 != 0 {
                self.sweep_face(pair[0], scenery, from, motion, first);
            }
            if marks & 2 != 0 {
                self.sweep_face(pair[1], scenery, from, motion, first);
            }
        }
        if !self.shape.is_round() {
            // The points from which the corner is no farther than the rounding of the shape: those of its flat part, on the
            // way of the body and around it.
            let (middle, half) = (from + motion * 0.5, motion.abs() * 0.5 + self.shape.flat());
            let near = self.shape.round().x + SLACK;
            for place in corners {
                let corner = &self.corners[usize::from(*place)];
                let away = ((corner.at - middle).abs() - half).max(DVec2::ZERO);
                if away.length_squared() < near * near {
                    self.sweep_corner(corner, scenery, from, motion, first);
                }
            }
            return;
        }
        let step = motion * self.per_half;
        for corner in corners.iter().map(|near| &self.corners[usize::from(*near)]) {
            if may_touch_corner((from - corner.at) * self.per_half, step) {
                self.sweep_corner(corner, scenery, from, motion, first);
            }
        }
    }

    #[inline(never)]
    fn sweep_face(&self, near: &NearFace, scenery: &Scenery, from: DVec2, motion: DVec2, first: &mut Option<Hit>) {
        let one_way = near.side != Side::Solid;
        if one_way && !(scenery.has(near.side) && scenery.blocks(near.side)) {
            return;
        }
        let touch = meet_face(self.shape, from, motion, &scenery.edge(near.index).face, near.reach, one_way);
        if let Some(touch) = touch {
            first_of(first, touch, Feature::Face(near.index), self.shape, motion);
        }
    }

    #[inline(never)]
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
            first_of(first, touch, Feature::Corner(corner.index), self.shape, motion);
        }
    }
}
