//! The inputs of a stretch of ticks: pairs of a number of ticks and what is held in them.
//!
//! A stick that moves has another position in every tick. Ticks that differ only in this are one pair, with the
//! way of the stick as a path: `move~HHHZ` in steps of 1/128, `aim^...` in steps of 1 px.

use super::inputs::{parse_item, player_prefix, split_player, text_of};
use super::paths::{GridPoint, KINDS, read_path, write_path};
use glam::DVec2;
use hangtime_core::sim::{Inputs, MOST_PLAYERS};

/// What an input can have a path of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathAxis {
    Move,
    Aim,
}

/// Positions farther away than this are not written as paths, steps.
const MOST_STEPS: f64 = (1 << 27) as f64;

impl PathAxis {
    const ALL: [Self; 2] = [Self::Move, Self::Aim];

    fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Aim => "aim",
        }
    }

    /// Steps per unit: gamepads round the positions of their sticks to this.
    fn steps(self) -> f64 {
        match self {
            Self::Move => 128.0,
            Self::Aim => 1.0,
        }
    }

    fn get(self, inputs: &Inputs, player: u8) -> Option<DVec2> {
        let input = inputs.player(player);
        match self {
            Self::Move => Some(input.stick),
            Self::Aim => input.aim,
        }
    }

    fn set(self, inputs: &mut Inputs, player: u8, at: DVec2) {
        let input = inputs.player_mut(player);
        match self {
            Self::Move => input.stick = at,
            Self::Aim => input.aim = Some(at),
        }
    }

    /// The position in steps, if it is exactly one: paths lose nothing.
    fn grid_point(self, inputs: &Inputs, player: u8) -> Option<GridPoint> {
        let at = self.get(inputs, player)?;
        let steps = at * self.steps();
        if !steps.is_finite() || steps.abs().max_element() > MOST_STEPS {
            return None;
        }
        let point = [steps.x as i32, steps.y as i32];
        let bits = |at: DVec2| at.to_array().map(f64::to_bits);
        (bits(self.place(point)) == bits(at)).then_some(point)
    }

    fn place(self, point: GridPoint) -> DVec2 {
        DVec2::from(point.map(f64::from)) / self.steps()
    }
}

/// All axes of all players.
fn axes() -> impl Iterator<Item = (u8, PathAxis)> {
    (1..=MOST_PLAYERS).flat_map(|player| PathAxis::ALL.map(|axis| (player, axis)))
}

/// The inputs of some ticks, as text.
pub(crate) fn write_runs(ticks: &[Inputs]) -> Vec<(u64, String)> {
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
    let bits = |at: DVec2| at.to_array().map(f64::to_bits);
    (1..=MOST_PLAYERS).all(|player| {
        let (a, b) = (a.player(player), b.player(player));
        let aims = [a.aim, b.aim].map(|aim| aim.map(bits));
        a == b && bits(a.stick) == bits(b.stick) && aims[0] == aims[1]
    })
}

/// The text of inputs without the axes that can be paths, and which of these they have.
fn without_grid(inputs: &Inputs) -> (String, Vec<(u8, PathAxis)>) {
    let mut rest = inputs.clone();
    let mut on_grid = Vec::new();
    for (player, axis) in axes() {
        if axis.grid_point(inputs, player).is_none() {
            continue;
        }
        on_grid.push((player, axis));
        take_axis(&mut rest, player, axis);
    }
    (text_of(&rest), on_grid)
}

/// Removes an axis. Players without input are not added.
fn take_axis(inputs: &mut Inputs, player: u8, axis: PathAxis) {
    let had = inputs.player(player);
    match axis {
        PathAxis::Move if had.stick != DVec2::ZERO => inputs.player_mut(player).stick = DVec2::ZERO,
        PathAxis::Aim if had.aim.is_some() => inputs.player_mut(player).aim = None,
        _ => {}
    }
}

fn write_run(first: &Inputs, run: &[Inputs], last: &Inputs) -> String {
    let mut rest = first.clone();
    let mut paths = String::new();
    for (player, axis) in axes() {
        let Some(at) = axis.grid_point(first, player) else {
            continue;
        };
        let points = run.iter().map(|tick| axis.grid_point(tick, player));
        let points: Vec<GridPoint> = points.map(|point| point.unwrap_or(at)).collect();
        let start = axis.grid_point(last, player).unwrap_or_default();
        let rests = axis == PathAxis::Move && at == [0; 2];
        // Where it has been before is shorter as a path, and any other place is not.
        if points.iter().all(|point| *point == at) && (rests || at != start) {
            continue;
        }
        take_axis(&mut rest, player, axis);
        let (prefix, path) = (player_prefix(player), write_path(start, &points));
        paths += &format!(" {prefix}{}{path}", axis.name());
    }
    let text = format!("{}{paths}", text_of(&rest));
    text.trim_start().to_string()
}

/// Reads the inputs of all ticks. The error is the item that cannot be read.
pub(crate) fn read_runs(runs: &[(u64, String)]) -> Result<Vec<Inputs>, &str> {
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
            let axis = PathAxis::ALL.into_iter().find(|axis| axis.name() == name);
            let axis = axis.ok_or(item)?;
            // A line has room for many paths, each of which is as long as all of its ticks.
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
                    axis.set(tick, player, axis.place(point));
                }
            }
        }
    }
    Ok(ticks)
}

#[cfg(test)]
mod tests {
    use super::{read_runs, write_runs};
    use glam::dvec2;
    use hangtime_core::sim::{Inputs, PlayerInput};

    #[test]
    fn an_axis_has_one_path() {
        let runs = |text: &str| vec![(3, text.to_string())];
        let path = "move~III";
        assert!(read_runs(&runs(path)).is_ok());
        assert!(read_runs(&runs(&format!("{path} p2.{path}"))).is_ok());
        assert_eq!(read_runs(&runs(&format!("{path} {path}"))), Err(path));
    }

    #[test]
    fn ticks_that_differ_only_in_a_stick_are_one_run() {
        let right = Inputs::of_first(PlayerInput { stick: dvec2(0.5, -0.25), ..PlayerInput::default() });
        let ticks = [vec![Inputs::none(); 3], vec![right; 30]].concat();
        let runs = write_runs(&ticks);
        assert!(runs.len() == 1 && runs[0].1.starts_with("move~"), "{runs:?}");
        assert_eq!(read_runs(&runs), Ok(ticks));
    }
}
