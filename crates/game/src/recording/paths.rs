//! The path of a stick or of a point that is aimed at, over some ticks, in few characters: `~HHHZ`.
//!
//! Positions are whole numbers of steps. A path has either the change from each tick to the next (`~`), or the
//! change of that change (`^`), which is smaller for a stick that is moved steadily. Each pair of changes takes
//! one character if both are small, and more if not. All characters are printable, and neither blanks nor
//! such as JSON has to escape.

/// A position in steps.
pub type GridPoint = [i32; 2];

/// The number of characters that are used: those from `!` to `~` except `"` and `\`.
const SYMBOLS: i32 = 92;

/// Codes of one character: both changes are at most this.
const NEAR: i32 = 4;
/// The first of the codes with two characters: both changes are at most `MIDDLE`.
const MIDDLE_CODE: i32 = (2 * NEAR + 1) * (2 * NEAR + 1);
const MIDDLE: i32 = 12;
/// The first code of the other kinds.
const LONG_CODE: i32 = MIDDLE_CODE + (2 * MIDDLE + 1) * (2 * MIDDLE + 1) / SYMBOLS + 1;
/// Followed by one, two and five characters for each change.
const LONG_WIDTHS: [u32; 3] = [1, 2, 5];
/// Followed by the number of ticks without a change.
const REST_CODE: i32 = LONG_CODE + LONG_WIDTHS.len() as i32;

const _: () = assert!(REST_CODE < SYMBOLS);

/// Paths begin with the character of their kind.
pub const KINDS: [char; 2] = ['~', '^'];

/// The shorter path over these positions, after a tick at `start`.
pub fn write_path(start: GridPoint, points: &[GridPoint]) -> String {
    let [plain, smooth] = KINDS.map(|kind| {
        let mut path = String::from(kind);
        write_changes(&mut path, &changes(start, points, kind == KINDS[1]));
        path
    });
    if smooth.len() < plain.len() { smooth } else { plain }
}

/// Reads a path over `count` ticks. `None` if it is not one.
pub fn read_path(path: &str, start: GridPoint, count: usize) -> Option<Vec<GridPoint>> {
    let mut symbols = path.chars();
    let is_smooth = symbols.next()? == KINDS[1];
    let mut points = Vec::new();
    let (mut at, mut speed) = (start, [0; 2]);
    let mut symbols = symbols.map(value_of);
    while let Some(symbol) = symbols.next() {
        let (change, repeats) = read_change(symbol?, &mut || symbols.next().flatten())?;
        if points.len() + repeats > count {
            return None;
        }
        for _ in 0..repeats {
            for axis in 0..2 {
                let kept = if is_smooth { speed[axis] } else { 0 };
                speed[axis] = i32::checked_add(kept, change[axis])?;
                at[axis] = i32::checked_add(at[axis], speed[axis])?;
            }
            points.push(at);
        }
    }
    (points.len() == count).then_some(points)
}

/// The change of each tick, or the change of the change.
fn changes(start: GridPoint, points: &[GridPoint], is_smooth: bool) -> Vec<GridPoint> {
    let (mut last, mut speed) = (start, [0; 2]);
    let change = |point: &GridPoint| {
        let now = [point[0] - last[0], point[1] - last[1]];
        let kept = if is_smooth { speed } else { [0; 2] };
        (last, speed) = (*point, now);
        [now[0] - kept[0], now[1] - kept[1]]
    };
    points.iter().map(change).collect()
}

fn write_changes(path: &mut String, changes: &[GridPoint]) {
    let mut rest = 0;
    for change in changes {
        if *change == [0; 2] && rest < SYMBOLS {
            rest += 1;
            continue;
        }
        write_rest(path, rest);
        rest = i32::from(*change == [0; 2]);
        if rest == 0 {
            write_change(path, *change);
        }
    }
    write_rest(path, rest);
}

fn write_rest(path: &mut String, ticks: i32) {
    match ticks {
        0 => {}
        1 => write_change(path, [0; 2]),
        _ => path.extend([symbol(REST_CODE), symbol(ticks - 1)]),
    }
}

fn write_change(path: &mut String, change: GridPoint) {
    let [x, y] = change;
    let most = x.unsigned_abs().max(y.unsigned_abs());
    let index = |most: i32| (x + most) * (2 * most + 1) + y + most;
    if most <= NEAR as u32 {
        path.push(symbol(index(NEAR)));
    } else if most <= MIDDLE as u32 {
        let index = index(MIDDLE);
        path.extend([symbol(MIDDLE_CODE + index / SYMBOLS), symbol(index % SYMBOLS)]);
    } else {
        let fits = |width: &u32| i64::from(most) <= half(*width);
        let kind = LONG_WIDTHS.iter().position(fits).unwrap_or(0);
        path.push(symbol(LONG_CODE + kind as i32));
        for change in change {
            let mut left = i64::from(change) + half(LONG_WIDTHS[kind]);
            for _ in 0..LONG_WIDTHS[kind] {
                path.push(symbol((left % i64::from(SYMBOLS)) as i32));
                left /= i64::from(SYMBOLS);
            }
        }
    }
}

/// The largest change that fits into some characters.
fn half(width: u32) -> i64 {
    (i64::from(SYMBOLS).pow(width) - 1) / 2
}

/// Reads a change that begins with this symbol, and the number of ticks that have it.
fn read_change(first: i32, next: &mut dyn FnMut() -> Option<i32>) -> Option<(GridPoint, usize)> {
    let pair = |index: i32, most: i32| {
        let side = 2 * most + 1;
        (index < side * side).then(|| [index / side - most, index % side - most])
    };
    if first < MIDDLE_CODE {
        return Some((pair(first, NEAR)?, 1));
    }
    if first < LONG_CODE {
        let index = (first - MIDDLE_CODE) * SYMBOLS + next()?;
        return Some((pair(index, MIDDLE)?, 1));
    }
    if first == REST_CODE {
        return Some(([0; 2], next()? as usize + 1));
    }
    let width = *LONG_WIDTHS.get((first - LONG_CODE) as usize)?;
    let mut read = || {
        let mut sum = 0;
        for place in 0..width {
            sum += i64::from(next()?) * i64::from(SYMBOLS).pow(place);
        }
        i32::try_from(sum - half(width)).ok()
    };
    Some(([read()?, read()?], 1))
}

/// The character with a number from 0 on.
fn symbol(number: i32) -> char {
    let code = u32::from('!') + number as u32;
    let code = code + u32::from(code >= u32::from('"'));
    let code = code + u32::from(code >= u32::from('\\'));
    char::from_u32(code).unwrap_or('!')
}

/// The number of a character.
fn value_of(symbol: char) -> Option<i32> {
    if !('!'..='~').contains(&symbol) || symbol == '"' || symbol == '\\' {
        return None;
    }
    let skipped = i32::from(symbol > '"') + i32::from(symbol > '\\');
    Some(u32::from(symbol) as i32 - u32::from('!') as i32 - skipped)
}

#[cfg(test)]
#[path = "../../tests/unit/recording/paths.rs"]
mod tests;
