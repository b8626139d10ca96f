//! A grid that finds the boxes near another box.

use super::{
    tree::{Cursor, Tree},
    *,
};

/// An axis-aligned box, px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower left corner.
    pub min: DVec2,
    /// Upper right corner.
    pub max: DVec2,
}

impl Bounds {
    /// An inverted box, which holds nothing.
    pub const NONE: Self = Self { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };

    /// The smallest box around two points.
    pub fn of(a: DVec2, b: DVec2) -> Self {
        Self { min: a.min(b), max: a.max(b) }
    }

    /// The smallest box around a list of points; an inverted box around none.
    pub fn around(points: &[DVec2]) -> Self {
        points.iter().fold(Self::NONE, |all, p| all.joined(&Self { min: *p, max: *p }))
    }

    /// The smallest box around all of these; an inverted box around none.
    pub fn around_all<'b>(boxes: impl IntoIterator<Item = &'b Self>) -> Self {
        boxes.into_iter().fold(Self::NONE, Self::joined)
    }

    /// The smallest box around this one and another.
    pub fn joined(self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// This box, larger by `margin` on every side.
    pub fn grown(self, margin: DVec2) -> Self {
        Self { min: self.min - margin, max: self.max + margin }
    }

    /// The box moved by `offset`.
    pub fn moved(self, offset: DVec2) -> Self {
        Self { min: self.min + offset, max: self.max + offset }
    }

    /// Whether the two boxes share a point.
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether `point` lies in the box.
    pub fn holds(&self, point: DVec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}

pub use super::tree::Extent;

/// Items sorted into square cells by their boxes. Each cell lists the items that meet it, in the
/// order given. All lists share one contiguous array, row by row, so that a query reads adjacent
/// memory.
///
/// Long items would be listed in many cells, and a few far ones would make the cells wide. If there
/// are too many of either, a tree takes the place of the cells. So the memory is bounded by the
/// number of items, wherever they are.
#[derive(Clone, Debug)]
pub struct Grid<T> {
    origin: DVec2,
    per_px: f64,
    columns: usize,
    rows: usize,
    first: Vec<u32>,
    /// The items, cell by cell; with a tree, each item once.
    listed: Vec<T>,
    tree: Option<Box<Tree>>,
}

/// Maximum number of cells, and the part of it that does not depend on the number of items. A larger
/// area gets larger cells.
const MOST_CELLS: usize = 1_000_000;
const SOME_CELLS: usize = 65_536;

/// Maximum number of cells for each item.
const CELLS_PER_ITEM: usize = 64;

/// How often items may be listed in all: this many times for each item, or in this many bytes.
const LISTED_PER_ITEM: f64 = 4.0;
const LISTED_BYTES: f64 = 8e6;

/// Maximum number of items in a cell that is wider than asked for.
const CROWDED: u32 = 64;

/// A rectangle of cells: columns and rows from first to last.
#[derive(Clone, Debug, PartialEq)]
pub struct CellRange {
    columns: (usize, usize),
    rows: Range<usize>,
}

impl<T: Copy> Grid<T> {
    /// Sorts items into cells about `cell` px wide.
    pub fn new(things: &[(Bounds, T)], cell: f64) -> Self {
        Self::shaped(things, cell, |_| Extent::Box)
    }

    /// Sorts items that do not fill their boxes.
    pub fn shaped<'a>(things: &[(Bounds, T)], cell: f64, extent: impl Fn(&T) -> Extent<'a>) -> Self {
        let mut grid = Self::empty(things, cell);
        let listed: f64 = things.iter().map(|(b, _)| grid.block(b).count()).sum();
        let most = (LISTED_BYTES / size_of::<T>() as f64).max(LISTED_PER_ITEM * things.len() as f64);
        let mut fits = listed <= most;
        if fits {
            grid.count(things);
            let fullest = grid.first.iter().max().copied().unwrap_or(0);
            fits = grid.per_px * cell >= 1.0 || fullest <= CROWDED;
        }
        if fits {
            grid.fill(things);
            return grid;
        }
        let boxes: Vec<Bounds> = things.iter().map(|(bounds, _)| *bounds).collect();
        let tree = Tree::new(&boxes, &|i| extent(&things[i].1), cell / 8.0);
        grid.first = Vec::new();
        grid.listed = things.iter().map(|(_, thing)| *thing).collect();
        grid.tree = Some(Box::new(tree));
        grid
    }

    /// The cells for these items.
    fn empty(things: &[(Bounds, T)], cell: f64) -> Self {
        let all = Bounds::around_all(things.iter().map(|(bounds, _)| bounds));
        let (origin, extent) = if things.is_empty() {
            (DVec2::ZERO, DVec2::ZERO)
        } else {
            (all.min, all.max - all.min)
        };
        let most = (SOME_CELLS + CELLS_PER_ITEM * things.len()).min(MOST_CELLS) as f64;
        let cell = cell.max((extent.x * extent.y / most).sqrt()).max(extent.max_element() / most);
        let per_px = 1.0 / cell;
        Self {
            origin,
            per_px,
            // As `block` computes it: a quotient may round to a cell less, and the items at the far end
            // would be in none.
            columns: (extent.x * per_px) as usize + 1,
            rows: (extent.y * per_px) as usize + 1,
            first: Vec::new(),
            listed: Vec::new(),
            tree: None,
        }
    }

    /// Counts the items in each cell.
    fn count(&mut self, things: &[(Bounds, T)]) {
        self.first = vec![0; self.columns * self.rows + 1];
        for (b, _) in things {
            for cell in self.cells(b) {
                self.first[cell + 1] += 1;
            }
        }
    }

    /// Lists the items in their cells, once they are counted.
    fn fill(&mut self, things: &[(Bounds, T)]) {
        for i in 1..self.first.len() {
            self.first[i] += self.first[i - 1];
        }
        let Some((_, any)) = things.first() else {
            return;
        };
        let mut next = self.first.clone();
        self.listed = vec![*any; next[self.columns * self.rows] as usize];
        for (b, thing) in things {
            for cell in self.cells(b) {
                self.listed[next[cell] as usize] = *thing;
                next[cell] += 1;
            }
        }
    }

    /// Calls `visit` with each item in the cells that meet `area`. An item in several cells is
    /// visited once per cell. If the area is a point, items are visited once each, in the order
    /// given.
    #[inline]
    pub fn visit(&self, area: &Bounds, mut visit: impl FnMut(&T)) {
        self.visit_rows(area, |row| row.iter().for_each(&mut visit));
    }

    /// Like [`visit`](Self::visit), for loops over items that are stored next to each other: calls `visit`
    /// with the items in the cells of each row.
    #[inline]
    pub fn visit_rows(&self, area: &Bounds, mut visit: impl FnMut(&[T])) {
        let block = self.block(area);
        let mut rows = block.rows;
        let mut cursor = Cursor::default();
        loop {
            let (from, to) = match &self.tree {
                None => {
                    let Some(row) = rows.next() else { return };
                    let row = row * self.columns;
                    let from = self.first[row + block.columns.0] as usize;
                    (from, self.first[row + block.columns.1] as usize)
                }
                Some(tree) => {
                    let Some(item) = tree.next(area, &mut cursor) else {
                        return;
                    };
                    (item, item + 1)
                }
            };
            visit(&self.listed[from..to]);
        }
    }

    /// The cells that meet `area`: two areas with the same ones are [visited](Self::visit) alike. `None` if a tree takes
    /// their place.
    pub fn cells_near(&self, area: &Bounds) -> Option<CellRange> {
        self.tree.is_none().then(|| self.block(area))
    }

    /// Calls `visit` with the items of each cell. Two items that meet are in a cell together.
    pub fn each_cell(&self, mut visit: impl FnMut(&[T])) {
        let Some(tree) = &self.tree else {
            for ends in self.first.windows(2) {
                visit(&self.listed[ends[0] as usize..ends[1] as usize]);
            }
            return;
        };
        let mut items = Vec::new();
        for leaf in tree.leaves() {
            items.clear();
            items.extend(leaf.iter().map(|i| self.listed[*i as usize]));
            visit(&items);
        }
    }

    /// The cells that meet `area`.
    #[inline]
    fn block(&self, area: &Bounds) -> CellRange {
        let min = (area.min - self.origin) * self.per_px;
        let max = (area.max - self.origin) * self.per_px;
        // A cast to an integer saturates at 0 and, unsigned, takes longer; past the last cell the range
        // is empty.
        let start = |v: f64| (v as i32).max(0) as usize;
        let end = |v: f64, count: usize| {
            if v < 0.0 { 0 } else { (start(v) + 1).min(count) }
        };
        let (right, top) = (end(max.x, self.columns), end(max.y, self.rows));
        CellRange { columns: (start(min.x).min(right), right), rows: start(min.y).min(top)..top }
    }

    fn cells(&self, area: &Bounds) -> impl Iterator<Item = usize> + use<T> {
        let CellRange { columns, rows } = self.block(area);
        let width = self.columns;
        rows.flat_map(move |y| (columns.0..columns.1).map(move |x| y * width + x))
    }

    /// Bytes of memory that it takes.
    pub fn size(&self) -> usize {
        self.first.capacity() * size_of::<u32>()
            + self.listed.capacity() * size_of::<T>()
            + self.tree.as_ref().map_or(0, |tree| tree.size())
    }
}

impl CellRange {
    /// The number of cells.
    fn count(&self) -> f64 {
        (self.columns.1 - self.columns.0) as f64 * self.rows.len() as f64
    }
}
