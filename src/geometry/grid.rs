//! A uniform grid that finds the boxes near another box.

use glam::DVec2;

/// An axis-aligned box, px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower left corner.
    pub min: DVec2,
    /// Upper right corner.
    pub max: DVec2,
}

impl Bounds {
    /// The smallest box around two points.
    #[must_use]
    pub fn of(a: DVec2, b: DVec2) -> Self {
        Self {
            min: a.min(b),
            max: a.max(b),
        }
    }

    /// The smallest box around a list of points; an inverted box around none.
    #[must_use]
    pub fn around(points: &[DVec2]) -> Self {
        let start = Self {
            min: DVec2::INFINITY,
            max: DVec2::NEG_INFINITY,
        };
        points.iter().fold(start, |b, p| Self {
            min: b.min.min(*p),
            max: b.max.max(*p),
        })
    }

    /// This box, larger by `margin` on every side.
    #[must_use]
    pub fn grown(self, margin: DVec2) -> Self {
        Self {
            min: self.min - margin,
            max: self.max + margin,
        }
    }

    /// The box moved by `offset`.
    #[must_use]
    pub fn moved(self, offset: DVec2) -> Self {
        Self {
            min: self.min + offset,
            max: self.max + offset,
        }
    }

    /// Whether the two boxes share a point.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether `point` lies in the box.
    #[must_use]
    pub fn holds(&self, point: DVec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}

/// Items sorted into square cells by their boxes. Each cell lists the items that meet it, in the
/// order given. All lists share one contiguous array, row by row, so that a query reads adjacent
/// memory.
#[derive(Clone, Debug)]
pub struct Grid<T> {
    origin: DVec2,
    per_px: f64,
    columns: usize,
    rows: usize,
    first: Vec<u32>,
    listed: Vec<T>,
}

/// Maximum number of cells. A larger area gets larger cells.
const MOST_CELLS: f64 = 1_000_000.0;

/// A rectangle of cells: columns and rows from first to last.
struct CellRange {
    columns: (usize, usize),
    rows: std::ops::Range<usize>,
}

impl<T: Copy> Grid<T> {
    /// Sorts items into cells about `cell` px wide.
    #[must_use]
    pub fn new(things: &[(Bounds, T)], cell: f64) -> Self {
        let all = things
            .iter()
            .fold(Bounds::around(&[]), |all, (b, _)| Bounds {
                min: all.min.min(b.min),
                max: all.max.max(b.max),
            });
        let (origin, extent) = if things.is_empty() {
            (DVec2::ZERO, DVec2::ZERO)
        } else {
            (all.min, all.max - all.min)
        };
        let cell = cell
            .max((extent.x * extent.y / MOST_CELLS).sqrt())
            .max(extent.max_element() / MOST_CELLS);
        let columns = (extent.x / cell).floor() as usize + 1;
        let rows = (extent.y / cell).floor() as usize + 1;
        let mut grid = Self {
            origin,
            per_px: 1.0 / cell,
            columns,
            rows,
            first: vec![0; columns * rows + 1],
            listed: vec![],
        };
        grid.fill(things);
        grid
    }

    fn fill(&mut self, things: &[(Bounds, T)]) {
        for (b, _) in things {
            for cell in self.cells(b) {
                self.first[cell + 1] += 1;
            }
        }
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
    /// visited once per cell.
    #[inline]
    pub fn visit(&self, area: &Bounds, mut visit: impl FnMut(&T)) {
        let block = self.block(area);
        for row in block.rows {
            let row = row * self.columns;
            let from = self.first[row + block.columns.0] as usize;
            let to = self.first[row + block.columns.1] as usize;
            self.listed[from..to].iter().for_each(&mut visit);
        }
    }

    /// The cells that meet `area`.
    #[inline]
    fn block(&self, area: &Bounds) -> CellRange {
        let min = (area.min - self.origin) * self.per_px;
        let max = (area.max - self.origin) * self.per_px;
        // A cast to an integer saturates at 0; past the last cell the range is empty.
        let end = |v: f64, count: usize| {
            if v < 0.0 {
                0
            } else {
                (v as usize + 1).min(count)
            }
        };
        let (right, top) = (end(max.x, self.columns), end(max.y, self.rows));
        CellRange {
            columns: ((min.x as usize).min(right), right),
            rows: (min.y as usize).min(top)..top,
        }
    }

    fn cells(&self, area: &Bounds) -> impl Iterator<Item = usize> + use<T> {
        let CellRange { columns, rows } = self.block(area);
        let width = self.columns;
        rows.flat_map(move |y| (columns.0..columns.1).map(move |x| y * width + x))
    }
}
