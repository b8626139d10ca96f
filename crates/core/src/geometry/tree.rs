//! A tree of cells, for items that a uniform grid would have to list too often: long lines, and
//! crowded places in a wide area.
//!
//! Cells are halved where they are fullest, so that their number follows the items and not the area.
//! Nodes are stored in the order of a walk through the tree, each with the place where the walk
//! continues without its descendants. So a query needs no stack.

use super::{polygon::contains, *};
use std::{cmp::Reverse, collections::BinaryHeap};

/// The part of its box that an item occupies.
#[derive(Clone, Copy, Debug)]
pub enum Extent<'a> {
    /// All of it.
    Box,
    /// The straight line between two points, px.
    Line([DVec2; 2]),
    /// The inside of an outline, px.
    Outline(&'a [DVec2]),
}

/// A tree over numbered items.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    listed: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct TreeNode {
    /// Its cell, without the part that no item reaches. It does not include its upper and its right
    /// border, so that a point is in one leaf.
    cell: Bounds,
    /// The next node that is not below this one.
    skip: u32,
    /// The range of its items in the list; empty if it is not a leaf.
    items: (u32, u32),
}

/// A query's place in the tree.
#[derive(Default)]
pub struct Cursor {
    node: u32,
    items: (u32, u32),
}

/// Cells with at most this many items are not divided.
const FEW: usize = 8;

/// How many places in cells the tree may use beyond one per item: this many, and
/// [`EXTRA_PER_ITEM`] for each item.
const EXTRA: usize = 1_000_000;
const EXTRA_PER_ITEM: usize = 4;

/// How many times in a row a cell is halved although both halves have all its items. A bundle of
/// slanted lines runs through both halves of a cell, but not through all quarters.
const MOST_USELESS: u8 = 6;

/// Lines and outlines count as this much thicker, px, which is more than any tolerance of queries.
const MARGIN: f64 = 1e-5;

/// Outlines with more points count as their box, so that building stays linear.
const MOST_POINTS: usize = 64;

/// Whether an area, with its border, meets a cell, without its upper and its right border.
#[inline]
fn in_cell(area: &Bounds, cell: &Bounds) -> bool {
    area.min.cmplt(cell.max).all() && area.max.cmpge(cell.min).all()
}

impl Tree {
    /// Sorts items with these boxes and shapes into cells no narrower than `least` px.
    pub fn new<'a>(boxes: &[Bounds], extent: &dyn Fn(usize) -> Extent<'a>, least: f64) -> Self {
        let mut builder =
            Builder { boxes, extent, least, cells: Vec::new(), extra: EXTRA + EXTRA_PER_ITEM * boxes.len() };
        builder.divide();
        let mut tree = Self { nodes: Vec::new(), listed: Vec::new() };
        tree.store(&builder, 0);
        tree
    }

    /// Stores a cell and all cells below it. The tree is as deep as it takes to halve the largest
    /// coordinate down to the smallest cell.
    fn store(&mut self, builder: &Builder<'_, '_>, index: u32) {
        let cell = &builder.cells[index as usize];
        let all = cell.items.iter().map(|i| &builder.boxes[*i as usize]);
        let reach = Bounds::around_all(all).grown(DVec2::splat(MARGIN));
        let node = self.nodes.len();
        let first = self.listed.len() as u32;
        if cell.halves.is_none() {
            self.listed.extend(&cell.items);
        }
        self.nodes.push(TreeNode {
            cell: Bounds { min: cell.area.min.max(reach.min), max: cell.area.max.min(reach.max) },
            skip: 0,
            items: (first, self.listed.len() as u32),
        });
        for half in cell.halves.iter().flatten() {
            self.store(builder, *half);
        }
        self.nodes[node].skip = self.nodes.len() as u32;
    }

    /// The next item in the cells that meet `area`.
    #[cold]
    #[inline(never)]
    pub fn next(&self, area: &Bounds, cursor: &mut Cursor) -> Option<usize> {
        loop {
            let (next, last) = cursor.items;
            if next < last {
                cursor.items.0 += 1;
                return Some(self.listed[next as usize] as usize);
            }
            let node = self.nodes.get(cursor.node as usize)?;
            if in_cell(area, &node.cell) {
                cursor.node += 1;
                cursor.items = node.items;
            } else {
                cursor.node = node.skip;
            }
        }
    }

    /// The items of each leaf.
    pub fn leaves(&self) -> impl Iterator<Item = &[u32]> {
        let items = self.nodes.iter().map(|node| node.items);
        items.map(|(from, to)| &self.listed[from as usize..to as usize])
    }

    /// Bytes of memory.
    pub fn size(&self) -> usize {
        self.nodes.capacity() * size_of::<TreeNode>() + self.listed.capacity() * size_of::<u32>()
    }
}

/// A cell while the tree is built.
struct Cell {
    area: Bounds,
    items: Vec<u32>,
    halves: Option<[u32; 2]>,
    /// How many of the last divisions above it were useless.
    useless: u8,
}

struct Builder<'b, 'a> {
    boxes: &'b [Bounds],
    extent: &'b dyn Fn(usize) -> Extent<'a>,
    least: f64,
    cells: Vec<Cell>,
    /// How many more places in cells may be used.
    extra: usize,
}

impl Builder<'_, '_> {
    /// Divides the fullest cells first.
    fn divide(&mut self) {
        self.cells.push(Cell {
            area: Bounds::around_all(self.boxes).grown(DVec2::ONE),
            items: (0..self.boxes.len() as u32).collect(),
            halves: None,
            useless: 0,
        });
        let mut fullest = BinaryHeap::from([(self.boxes.len(), Reverse(0))]);
        while let Some((count, Reverse(index))) = fullest.pop() {
            if count <= FEW {
                break;
            }
            for half in self.halve(index).into_iter().flatten() {
                fullest.push((self.cells[half as usize].items.len(), Reverse(half)));
            }
        }
    }

    /// Halves a cell, if that helps and there is room: across the longer side, or across the
    /// other one if that puts fewer items into both halves.
    fn halve(&mut self, index: u32) -> Option<[u32; 2]> {
        let cell = &self.cells[index as usize];
        if cell.useless > MOST_USELESS {
            return None;
        }
        let size = cell.area.max - cell.area.min;
        let longer = usize::from(size.y > size.x);
        let total = |halves: &[Cell; 2]| halves[0].items.len() + halves[1].items.len();
        let one = self.halves_across(cell, longer);
        // Items that lie along the longer side are in both halves.
        let many = cell.items.len() + cell.items.len() * 3 / 4;
        let mut halves = match one {
            Some(halves) if total(&halves) < many => halves,
            one => {
                let other = self.halves_across(cell, 1 - longer);
                let both = one.into_iter().chain(other);
                both.min_by_key(total)?
            }
        };
        let count = cell.items.len();
        let more = (halves[0].items.len() + halves[1].items.len()).saturating_sub(count);
        if more > self.extra {
            return None;
        }
        self.extra -= more;
        let useless = more > 0 && halves.iter().any(|half| half.items.len() == count);
        halves
            .iter_mut()
            .for_each(|half| half.useless = if useless { half.useless + 1 } else { 0 });
        let first = self.cells.len() as u32;
        self.cells.extend(halves);
        let halves = [first, first + 1];
        self.cells[index as usize].halves = Some(halves);
        Some(halves)
    }

    /// The halves of a cell along an axis; `None` if they would be too narrow.
    fn halves_across(&self, cell: &Cell, axis: usize) -> Option<[Cell; 2]> {
        let area = cell.area;
        if area.max[axis] - area.min[axis] <= self.least {
            return None;
        }
        let middle = 0.5 * (area.min[axis] + area.max[axis]);
        let mut areas = [area; 2];
        areas[0].max[axis] = middle;
        areas[1].min[axis] = middle;
        Some(areas.map(|area| Cell {
            area,
            items: cell.items.iter().copied().filter(|i| self.is_in(*i as usize, &area)).collect(),
            halves: None,
            useless: cell.useless,
        }))
    }

    fn is_in(&self, item: usize, area: &Bounds) -> bool {
        let reach = self.boxes[item].grown(DVec2::splat(MARGIN));
        in_cell(&reach, area) && (self.extent)(item).meets(area)
    }
}

impl Extent<'_> {
    /// Whether the extent meets an area that its box meets. A near miss counts.
    fn meets(&self, area: &Bounds) -> bool {
        match self {
            Self::Box => true,
            Self::Line([from, to]) => line_meets(*from, *to, area),
            Self::Outline(points) => outline_meets(points, area),
        }
    }
}

fn line_meets(from: DVec2, to: DVec2, area: &Bounds) -> bool {
    let way = to - from;
    let (middle, half) = (area.min.midpoint(area.max), 0.5 * (area.max - area.min));
    let reach = half + MARGIN;
    let off = way.perp_dot(middle - from).abs();
    // Rounding is far below the second term.
    off <= (reach.x * way.y.abs() + reach.y * way.x.abs()) * (1.0 + 1e-9)
        && Bounds::of(from, to).grown(DVec2::splat(MARGIN)).meets(area)
}

fn outline_meets(points: &[DVec2], area: &Bounds) -> bool {
    points.len() > MOST_POINTS
        || sides(points).any(|(a, b)| line_meets(a, b, area))
        || contains(points, area.min.midpoint(area.max))
}
