//! Tiles of a map: how they become few solids, and what is left of these where scripts break tiles.
//!
//! Tiles that fill their cells become rectangles, and one-way lines that continue each other become one. Without some of
//! its tiles a layer becomes the solids that it would be in a map without them: only the rectangles and lines around
//! those tiles differ.

use super::*;

/// A cell of a map: its row from the top, and its column.
pub type MapCell = [i32; 2];

/// A layer of tiles of a level that is a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileLayer {
    /// Its name in the map.
    pub name: Arc<str>,
    /// The upper left corner of the cell in row 0 and column 0, px.
    pub corner: DVec2,
    /// Width and height of a cell, px.
    pub cell: DVec2,
    /// The solids that it has become.
    pub solids: Range<u32>,
    /// The tiles that are solid, sorted, each with a solid that it is, or a part of.
    pub tiles: Vec<(MapCell, u32)>,
    /// Of these solids, those that are rectangles of whole tiles. Rectangles in different ranges look or act differently.
    pub blocks: Vec<Range<u32>>,
    /// The one-way lines of tiles, sorted by cell, each with the solid of which it is a part, from left to right.
    pub lines: Vec<(MapCell, u32, Vec<DVec2>)>,
}

/// A tile that scripts have broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BrokenTile {
    /// Its layer, an index into [`Level::tiles`].
    pub layer: u32,
    /// Its cell.
    pub cell: MapCell,
}

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellBlock {
    /// The row from the top in which it begins, and the column.
    pub cell: MapCell,
    /// The numbers of rows and columns.
    pub size: [i32; 2],
}

impl CellBlock {
    /// Its cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = MapCell> {
        let [[row, column], [rows, columns]] = [self.cell, self.size];
        (row..row + rows).flat_map(move |row| (column..column + columns).map(move |column| [row, column]))
    }

    /// Its corners in the order in which a map draws them, px, with y down, from the upper left corner of the map.
    pub fn corners(&self, cell: DVec2) -> [DVec2; 4] {
        let of = |[row, column]: [i32; 2]| DVec2::new(column.into(), row.into()) * cell;
        let (min, size) = (of(self.cell), of(self.size));
        [min, min + DVec2::X * size, min + size, min + DVec2::Y * size]
    }
}

/// Covers cells with rectangles that do not overlap: rows of neighbors, and equal rows below each other.
/// The cells are in the order of their rows. Ends once there are more than `most`.
pub fn blocks_of(cells: &[MapCell], most: usize) -> Vec<CellBlock> {
    let mut runs: Vec<CellBlock> = Vec::new();
    for &[row, column] in cells {
        match runs.last_mut() {
            Some(run) if run.cell[0] == row && run.cell[1] + run.size[1] == column => run.size[1] += 1,
            _ => runs.push(CellBlock { cell: [row, column], size: [1, 1] }),
        }
    }
    let mut blocks: Vec<CellBlock> = Vec::new();
    // The last block for each place and width of a run.
    let mut last: BTreeMap<(i32, i32), usize> = BTreeMap::new();
    for run in runs {
        if blocks.len() > most {
            break;
        }
        let ([row, column], [_, columns]) = (run.cell, run.size);
        let above = last.get(&(column, columns)).copied();
        match above.filter(|index| blocks[*index].cell[0] + blocks[*index].size[0] == row) {
            Some(index) => blocks[index].size[0] += 1,
            None => {
                last.insert((column, columns), blocks.len());
                blocks.push(run);
            }
        }
    }
    blocks
}

/// Joins lines if one starts where another ends. All lines must lead to the right. Returns each joined line with the indices
/// of its parts.
pub fn chains_of(lines: &[&[DVec2]]) -> Vec<(Vec<usize>, Vec<DVec2>)> {
    let key = |point: DVec2| (point.x.to_bits(), point.y.to_bits());
    let mut starts: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
    for (index, line) in lines.iter().enumerate().rev() {
        if let Some(first) = line.first() {
            starts.entry(key(*first)).or_default().push(index);
        }
    }
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let left = |index: usize| lines[index].first().map_or(0.0, |point| point.x);
    order.sort_by(|a, b| left(*a).total_cmp(&left(*b)));
    let mut used = vec![false; lines.len()];
    let mut joined = Vec::new();
    for first in order {
        if mem::replace(&mut used[first], true) {
            continue;
        }
        let (mut parts, mut chain) = (vec![first], lines[first].to_vec());
        while let Some(end) = chain.last().copied() {
            let Some(next) = starts.get_mut(&key(end)) else {
                break;
            };
            while next.last().is_some_and(|index| used[*index]) {
                next.pop();
            }
            let Some(index) = next.pop() else { break };
            used[index] = true;
            parts.push(index);
            chain.extend(lines[index].iter().skip(1));
        }
        joined.push((parts, chain));
    }
    joined.sort_by_key(|(parts, _)| parts[0]);
    joined
}

impl TileLayer {
    /// The cell at a point, which may lie outside of the map.
    pub fn cell_at(&self, at: DVec2) -> MapCell {
        let place = (at - self.corner) * DVec2::new(1.0, -1.0) / self.cell;
        // A cast to an integer saturates.
        [place.y.floor() as i32, place.x.floor() as i32]
    }

    /// Whether it has a solid tile in a cell.
    pub fn has(&self, cell: MapCell) -> bool {
        self.tiles.binary_search_by_key(&cell, |(cell, _)| *cell).is_ok()
            || self.lines.binary_search_by_key(&cell, |(cell, ..)| *cell).is_ok()
    }

    /// The solids that have a part in a cell.
    fn solids_in(&self, cell: MapCell) -> impl Iterator<Item = u32> {
        let (first, line) =
            (self.tiles.partition_point(|it| it.0 < cell), self.lines.partition_point(|it| it.0 < cell));
        let tiles = self.tiles[first..].iter().take_while(move |it| it.0 == cell).map(|it| it.1);
        tiles.chain(self.lines[line..].iter().take_while(move |it| it.0 == cell).map(|it| it.1))
    }

    /// The cells of a rectangle.
    fn block(&self, bounds: &Bounds) -> CellBlock {
        let place = |point: DVec2| ((point - self.corner) * DVec2::new(1.0, -1.0) / self.cell).round();
        let (first, end) =
            (place(DVec2::new(bounds.min.x, bounds.max.y)), place(DVec2::new(bounds.max.x, bounds.min.y)));
        let cell = [first.y as i32, first.x as i32];
        CellBlock { cell, size: [end.y as i32 - cell[0], end.x as i32 - cell[1]] }
    }

    /// Takes the `broken` tiles, which are sorted, out of `solids`, and adds what is left of the solids that they were part
    /// of. Solids that are gone stay so.
    fn cut(&self, broken: &[MapCell], solids: &mut Vec<Solid>) {
        let touched: BTreeSet<u32> = broken.iter().flat_map(|cell| self.solids_in(*cell)).collect();
        let touched: Vec<u32> = touched.into_iter().filter(|index| !solids[*index as usize].is_gone()).collect();
        let mut pieces = Vec::new();
        for range in &self.blocks {
            let of_range: Vec<u32> = touched.iter().copied().filter(|index| range.contains(index)).collect();
            if !of_range.is_empty() {
                self.cut_blocks(broken, (range, of_range), solids, &mut pieces);
            }
        }
        let mut lines: BTreeMap<u32, Vec<&[DVec2]>> = BTreeMap::new();
        for (cell, solid, points) in &self.lines {
            if touched.binary_search(solid).is_ok() && broken.binary_search(cell).is_err() {
                lines.entry(*solid).or_default().push(points);
            }
        }
        for (solid, lines) in lines {
            for (_, mut points) in chains_of(&lines) {
                // A line leads to the left.
                points.reverse();
                pieces.push((solid, points));
            }
        }
        for (whole, points) in pieces {
            let of = &solids[whole as usize];
            let piece = Solid { top: of.top, one_way: of.one_way, ..Solid::new(of.name.clone(), of.surface, points) };
            solids.push(Solid { part_of: Some(whole), ..piece });
        }
        for index in touched {
            let solid = &mut solids[index as usize];
            *solid = solid.clone().without_outline();
        }
    }

    /// Covers what is left of rectangles of a range. A row that has become shorter may continue one above or below.
    fn cut_blocks(
        &self,
        broken: &[MapCell],
        (range, of_range): (&Range<u32>, Vec<u32>),
        solids: &mut [Solid],
        pieces: &mut Vec<(u32, Vec<DVec2>)>,
    ) {
        let mut around: BTreeSet<u32> = of_range.iter().copied().collect();
        for index in &of_range {
            let CellBlock { cell: [row, column], size: [rows, columns] } = self.block(&solids[*index as usize].bounds);
            for row in [row - 1, row + rows] {
                let (first, end) = ([row, column], [row, column + columns]);
                let from = self.tiles.partition_point(|it| it.0 < first);
                around.extend(self.tiles[from..].iter().take_while(|it| it.0 < end).map(|it| it.1));
            }
        }
        let stays = |index: &u32| range.contains(index) && !solids[*index as usize].is_gone();
        let around: Vec<u32> = around.into_iter().filter(stays).collect();
        let mut cells: Vec<(MapCell, u32)> = Vec::new();
        let mut known = BTreeMap::new();
        for index in around {
            let block = self.block(&solids[index as usize].bounds);
            known.insert(block, index);
            cells.extend(block.cells().map(|cell| (cell, index)));
        }
        cells.retain(|(cell, _)| broken.binary_search(cell).is_err());
        cells.sort_unstable();
        let left: Vec<MapCell> = cells.iter().map(|(cell, _)| *cell).collect();
        for block in blocks_of(&left, usize::MAX) {
            if known.remove(&block).is_some() {
                continue;
            }
            let of = cells[left.partition_point(|cell| *cell < block.cell)].1;
            let corners = block.corners(self.cell).map(|point| self.corner + point * DVec2::new(1.0, -1.0));
            // Counterclockwise, as levels have them.
            let mut points = corners.to_vec();
            points.reverse();
            pieces.push((of, points));
        }
        for index in known.into_values() {
            let solid = &mut solids[index as usize];
            *solid = solid.clone().without_outline();
        }
    }
}

impl Level {
    /// Takes broken tiles, which are sorted, out of its solids.
    pub(super) fn cut(&self, broken: &[BrokenTile], solids: &mut Vec<Solid>) {
        for part in broken.chunk_by(|a, b| a.layer == b.layer) {
            let cells: Vec<MapCell> = part.iter().map(|tile| tile.cell).collect();
            self.tiles[part[0].layer as usize].cut(&cells, solids);
        }
    }

    /// The solid tiles at a point, one of each layer at most; none if it is not finite.
    pub fn tiles_at(&self, at: DVec2) -> impl Iterator<Item = BrokenTile> {
        (0..).zip(self.tiles.iter()).filter_map(move |(layer, tiles)| {
            let cell = tiles.cell_at(at);
            (at.is_finite() && tiles.has(cell)).then_some(BrokenTile { layer, cell })
        })
    }
}
