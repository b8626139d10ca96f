//! The inputs of a stretch of ticks: pairs of a number of ticks and what is held in them.
//!
//! A stick that moves has another position in every tick. Ticks that differ only in this are one pair, with the
//! motion of the stick as a path: `move~HHHZ` in steps of 1/128, `aim^...` in steps of 1 px.

use super::{
    inputs::{bits_of, parse_item, player_prefix, split_player, text_of},
    paths::{GridPoint, KINDS, read_path, write_path},
};
use glam::DVec2;
use hangtime_core::sim::{Inputs, MOST_PLAYERS};

/// What an input can have a path of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PathAxis {
    Move,
    Aim,
}

/// Positions farther away than this are not written as paths, steps.
const MOST_STEPS: f64 = (1 << 27) as f64;

impl PathAxis {
    const ALL: [Self; 2] = [Self::Move, Self::Aim];

    /// Its name, and steps per unit: gamepads round the positions of their sticks to this.
    fn name_and_steps(self) -> (&'static str, f64) {
        match self {
            Self::Move => ("move", 128.0),
            Self::Aim => ("aim", 1.0),
        }
    }

    fn get(self, inputs: &Inputs, player: u8) -> Option<DVec2> {
        let input = inputs.player(player);
        if self == Self::Move { Some(input.stick) } else { input.aim }
    }

    fn set(self, inputs: &mut Inputs, player: u8, at: Option<DVec2>) {
        let input = inputs.player_mut(player);
        match self {
            Self::Move => input.stick = at.unwrap_or_default(),
            Self::Aim => input.aim = at,
        }
    }

    /// The position in steps, if it is exactly one: paths lose nothing.
    fn grid_point(self, inputs: &Inputs, player: u8) -> Option<GridPoint> {
        let at = self.get(inputs, player)?;
        let steps = at * self.name_and_steps().1;
        if !steps.is_finite() || steps.abs().max_element() > MOST_STEPS {
            return None;
        }
        let point = [steps.x as i32, steps.y as i32];
        (bits_of(self.place(point)) == bits_of(at)).then_some(point)
    }

    fn place(self, point: GridPoint) -> DVec2 {
        DVec2::from(point.map(f64::from)) / self.name_and_steps().1
    }
}

/// All axes of all players.
fn axes() -> impl Iterator<Item = (u8, PathAxis)> {
    (1..=MOST_PLAYERS).flat_map(|player| PathAxis::ALL.map(|axis| (player, axis)))
}

/// The inputs of some ticks, as text.
pub fn write_runs(ticks: &[Inputs]) -> Vec<(u64, String)> {
    let same = |a: &Inputs, b: &Inputs| is_identical(a, b) || without_grid(a) == without_grid(b);
    let mut runs = Vec::new();
    let mut last = Inputs::none();
    for run in ticks.chunk_by(same) {
        let (Some(first), Some(end)) = (run.first(), run.last()) else {
            continue;
        };
        runs.push((run.len() as u64, write_run(first, run, &last)));
        last = end.clone();
    }
    runs
}

/// Whether two inputs are the same, bit for bit.
fn is_identical(a: &Inputs, b: &Inputs) -> bool {
    (1..=MOST_PLAYERS).all(|player| {
        let (a, b) = (a.player(player), b.player(player));
        a == b && bits_of(a.stick) == bits_of(b.stick) && a.aim.map(bits_of) == b.aim.map(bits_of)
    })
}

/// The text of inputs without the axes that can be paths, and which of these they have.
fn without_grid(inputs: &Inputs) -> (String, Vec<(u8, PathAxis)>) {
    let mut rest = inputs.clone();
    let mut on_grid = Vec::new();
    for (player, axis) in axes() {
        if axis.grid_point(inputs, player).is_some() {
            on_grid.push((player, axis));
            take_axis(&mut rest, player, axis);
        }
    }
    (text_of(&rest), on_grid)
}

/// Removes an axis. Players without input are not added.
fn take_axis(inputs: &mut Inputs, player: u8, axis: PathAxis) {
    let rests = if axis == PathAxis::Move { Some(DVec2::ZERO) } else { None };
    if axis.get(inputs, player) != rests {
        axis.set(inputs, player, rests);
    }
}

fn write_run(first: &Inputs, run: &[Inputs], last: &Inputs) -> String {
    let mut rest = first.clone();
    let mut paths = String::new();
    for (player, axis) in axes() {
        let Some(at) = axis.grid_point(first, player) else {
            continue;
        };
        let points: Vec<GridPoint> = run.iter().map(|tick| axis.grid_point(tick, player).unwrap_or(at)).collect();
        let start = axis.grid_point(last, player).unwrap_or_default();
        let rests = axis == PathAxis::Move && at == [0; 2];
        // Where it has been before is shorter as a path, and any other place is not.
        if points.iter().all(|point| *point == at) && (rests || at != start) {
            continue;
        }
        take_axis(&mut rest, player, axis);
        let (prefix, name) = (player_prefix(player), axis.name_and_steps().0);
        paths += &format!(" {prefix}{name}{}", write_path(start, &points));
    }
    let text = format!("{}{paths}", text_of(&rest));
    text.trim_start().to_string()
}

/// Reads the inputs of all ticks. The error is the item that cannot be read.
pub fn read_runs(runs: &[(u64, String)]) -> Result<Vec<Inputs>, &str> {
    let mut ticks: Vec<Inputs> = Vec::new();
    for (count, text) in runs {
        let count = *count as usize;
        let mut inputs = Inputs::none();
        let mut paths = Vec::new();
        let last = ticks.last().cloned().unwrap_or_default();
        for item in text.split_whitespace() {
            let Some(at) = item.find(KINDS) else {
                parse_item(item, &mut inputs)?;
                continue;
            };
            let (player, word) = split_player(item).ok_or(item)?;
            let (name, path) = word.split_at(at - (item.len() - word.len()));
            let axis = PathAxis::ALL.into_iter().find(|axis| axis.name_and_steps().0 == name);
            let axis = axis.ok_or(item)?;
            // A line has room for many paths, each as long as all of the line's ticks.
            if paths.iter().any(|(of, path_axis, _)| (*of, *path_axis) == (player, axis)) {
                return Err(item);
            }
            let start = axis.grid_point(&last, player).unwrap_or_default();
            let points = read_path(path, start, count).ok_or(item)?;
            paths.push((player, axis, points));
        }
        let from = ticks.len();
        ticks.extend(std::iter::repeat_n(inputs, count));
        for (player, axis, points) in paths {
            for (tick, point) in ticks[from..].iter_mut().zip(points) {
                // Players without input are not added.
                if axis.grid_point(tick, player) != Some(point) {
                    axis.set(tick, player, Some(axis.place(point)));
                }
            }
        }
    }
    Ok(ticks)
}
