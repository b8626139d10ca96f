//! A uniform grid: which boxes lie near another box.

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

/// Boxes sorted into square cells. Each cell lists the boxes that meet it, in their own order, in
/// one contiguous array.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    origin: DVec2,
    cell: f64,
    columns: usize,
    rows: usize,
    first: Vec<u32>,
    listed: Vec<u32>,
}

/// More cells than this are never made; the cells grow instead.
const MOST_CELLS: f64 = 1_000_000.0;

impl Grid {
    /// Sorts `boxes` into cells about `cell` px wide.
    #[must_use]
    pub fn new(boxes: &[Bounds], cell: f64) -> Self {
        let all = boxes.iter().fold(Bounds::around(&[]), |all, b| Bounds {
            min: all.min.min(b.min),
            max: all.max.max(b.max),
        });
        let (origin, extent) = if boxes.is_empty() {
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
            cell,
            columns,
            rows,
            first: vec![0; columns * rows + 1],
            listed: vec![],
        };
        grid.fill(boxes);
        grid
    }

    fn fill(&mut self, boxes: &[Bounds]) {
        for b in boxes {
            for cell in self.cells(b) {
                self.first[cell + 1] += 1;
            }
        }
        for i in 1..self.first.len() {
            self.first[i] += self.first[i - 1];
        }
        let mut next = self.first.clone();
        self.listed = vec![0; next[self.columns * self.rows] as usize];
        for (i, b) in boxes.iter().enumerate() {
            for cell in self.cells(b) {
                self.listed[next[cell] as usize] = i as u32;
                next[cell] += 1;
            }
        }
    }

    /// Calls `visit` with the index of every box in a cell that meets `area`. A box that lies in
    /// several cells is visited once for each.
    pub fn visit(&self, area: &Bounds, mut visit: impl FnMut(usize)) {
        for cell in self.cells(area) {
            let range = self.first[cell] as usize..self.first[cell + 1] as usize;
            for &i in &self.listed[range] {
                visit(i as usize);
            }
        }
    }

    /// The cells that meet `area`, lowest row first.
    fn cells(&self, area: &Bounds) -> impl Iterator<Item = usize> + use<> {
        let place = |v: f64, o: f64, count: usize| {
            ((v - o) / self.cell).floor().clamp(-1.0, count as f64) as isize
        };
        let (x0, x1) = (
            place(area.min.x, self.origin.x, self.columns),
            place(area.max.x, self.origin.x, self.columns),
        );
        let (y0, y1) = (
            place(area.min.y, self.origin.y, self.rows),
            place(area.max.y, self.origin.y, self.rows),
        );
        let last = |v: isize, count: usize| v.min(count as isize - 1);
        let (x0, x1) = (x0.max(0), last(x1, self.columns));
        let (y0, y1) = (y0.max(0), last(y1, self.rows));
        let columns = self.columns;
        (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| y as usize * columns + x as usize))
    }
}
