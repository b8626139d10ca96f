//! Fewer solids for the same terrain: tiles that fill their cells become rectangles, and one-way lines
//! that continue each other become one.

use super::*;

/// A rectangle of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellBlock {
    pub column: i32,
    pub row: i32,
    pub columns: i32,
    pub rows: i32,
}

/// Covers cells with rectangles that do not overlap: rows of neighbors, and equal rows below each other.
/// The cells are in the order of their rows. Ends once there are more than `most`.
pub fn blocks(cells: &[TileCell], most: usize) -> Vec<CellBlock> {
    let mut runs: Vec<CellBlock> = Vec::new();
    for &(row, column) in cells {
        match runs.last_mut() {
            Some(run) if run.row == row && run.column + run.columns == column => run.columns += 1,
            _ => runs.push(CellBlock { column, row, columns: 1, rows: 1 }),
        }
    }
    let mut blocks: Vec<CellBlock> = Vec::new();
    // The last block for each place and width of a run.
    let mut last: BTreeMap<(i32, i32), usize> = BTreeMap::new();
    for run in runs {
        if blocks.len() > most {
            break;
        }
        let above = last.get(&(run.column, run.columns)).copied();
        match above.filter(|index| blocks[*index].row + blocks[*index].rows == run.row) {
            Some(index) => blocks[index].rows += 1,
            None => {
                last.insert((run.column, run.columns), blocks.len());
                blocks.push(run);
            }
        }
    }
    blocks
}

/// Joins lines if one starts where another ends. All lines must lead to the right.
pub fn chains(lines: Vec<Vec<DVec2>>) -> Vec<Vec<DVec2>> {
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
        if std::mem::replace(&mut used[first], true) {
            continue;
        }
        let mut chain = lines[first].clone();
        while let Some(end) = chain.last().copied() {
            let Some(next) = starts.get_mut(&key(end)) else {
                break;
            };
            while next.last().is_some_and(|index| used[*index]) {
                next.pop();
            }
            let Some(index) = next.pop() else { break };
            used[index] = true;
            chain.extend(lines[index].iter().skip(1));
        }
        joined.push((first, chain));
    }
    joined.sort_by_key(|(first, _)| *first);
    joined.into_iter().map(|(_, chain)| chain).collect()
}
