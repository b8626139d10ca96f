//! Compares the runs of a case of `rates.rs`, and tells a disagreement from chaos.

use crate::{
    common::RATES,
    rates_case::{Case, GRID},
    rates_run::{Room, Run},
};
use hangtime_core::{models::Action, sim::EventKind};

/// The rate that the others are compared with.
const FINE: u32 = 240;

/// How far the start is moved to look for chaos, px: by far less than any tick explains.
const TINY: f64 = 1e-6;

/// The directions in which it is moved.
const SIDES: [(f64, f64); 8] =
    [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)];

/// Where a rate parts from the fine one.
#[derive(Clone, Debug)]
pub struct Parting {
    pub hz: u32,
    /// The first step of the grid at which it is out of the band.
    pub step: usize,
    /// How far it is from the fine run there, px.
    pub px: f64,
    /// The first step at which it is off by a hundredth of the band, which is where the cause is.
    pub began: usize,
    /// What either run reported shortly before that.
    pub after: String,
}

/// What became of a case.
#[derive(Clone, Debug)]
pub enum Outcome {
    Agrees,
    /// A start that is moved by [`TINY`] leaves the band, too.
    Chaotic,
    /// The runs agree until one of them jumps: windows for jumps count from the first tick of a new state.
    Windowed,
    Parts(Parting),
    /// Something that must never happen: its kind and a description.
    Breaks(&'static str, String),
    /// The level does not open, or its script fails.
    Refused(String),
}

/// What is compared together: the model, and whether it has a hook or meets what takes effect once per tick.
pub fn group(case: &Case) -> &'static str {
    let hooks = case.keys.iter().any(|(_, held)| held.has(Action::Hook));
    match case.model {
        _ if case.leap.is_some() => "planned jump",
        _ if !case.crates.is_empty() => "crates",
        "platformer" if hooks => "hook",
        model => model,
    }
}

/// How far from the fine run a body may be at any time, px.
pub fn band(case: &Case) -> f64 {
    match group(case) {
        "ballistic" => 0.5,
        "platformer" => 1.0,
        "hook" => 2.0,
        "topdown" | "two_velocity" => 12.0,
        "vessel" => 30.0,
        // What is left of its last tick after a flight is not moved, and bodies that push are moved apart once per tick.
        _ => 30.0,
    }
}

/// Plays a case at all rates.
pub fn examine(case: &Case) -> Outcome {
    let room = Room::new(case);
    let runs = match run_all(&room) {
        Ok(runs) => runs,
        Err(why) => return Outcome::Refused(why),
    };
    for (run, hz) in runs.iter().zip(RATES) {
        if let Some((kind, text)) = run.broken.first() {
            return Outcome::Breaks(kind, format!("{text}, {hz} Hz"));
        }
    }
    if let Some((kind, text)) = is_inexact(case, &runs) {
        return Outcome::Breaks(kind, text);
    }
    let Some((parting, run)) = first_parting(case, &runs) else {
        return Outcome::Agrees;
    };
    let fine = &runs[RATES.len() - 1];
    if is_chaotic(&room, FINE, fine, parting.step) || is_chaotic(&room, parting.hz, run, parting.step) {
        return Outcome::Chaotic;
    }
    let jumps = |run: &Run| run.jumps_until(parting.step);
    if jumps(run) != jumps(fine) && run.jumps_until(parting.began - 1) == fine.jumps_until(parting.began - 1) {
        return Outcome::Windowed;
    }
    Outcome::Parts(parting)
}

/// Whether runs differ before anything happens to the body, or in the speed of a first landing on level ground.
fn is_inexact(case: &Case, runs: &[Run]) -> Option<(&'static str, String)> {
    let moves = case.solids.iter().any(|solid| solid.path.is_some());
    if moves || !case.crates.is_empty() || case.leap.is_some() || is_recurrence(case) {
        return None;
    }
    let fine = &runs[RATES.len() - 1];
    let happens = |run: &Run| run.first_event().map_or(run.touched, |event| event.seconds.min(run.touched));
    let free = runs.iter().map(happens).fold(f64::INFINITY, f64::min) * f64::from(GRID) - 1.0;
    // The thrust of a vessel that turns has no closed form: Simpson's rule is off by a little more in longer ticks, and more
    // the longer the flight.
    let slack = |step: usize| match case.model {
        "vessel" => 1e-2 * (step as f64 / f64::from(GRID)).max(1.0),
        _ => 1e-6,
    };
    for (run, hz) in runs.iter().zip(RATES) {
        let steps = (0..run.moments.len()).take_while(|step| *step as f64 <= free);
        for step in steps {
            let px = run.moments[step].distance(&fine.moments[step]);
            if px > slack(step) {
                return Some(("free motion", format!("{px} px apart at {step}/30 s, {hz} Hz")));
            }
        }
    }
    let speeds: Option<Vec<f64>> = runs.iter().map(first_landing).collect();
    let speeds = speeds.filter(|_| case.zones.is_empty())?;
    let off = |speed: &f64| (speed - speeds[0]).abs() > 1e-4 * speeds[0].max(1.0);
    speeds.iter().any(off).then(|| ("landing", format!("landing speeds {speeds:?}")))
}

/// The speed of the first landing, if it is on level ground and nothing was touched before.
fn first_landing(run: &Run) -> Option<f64> {
    let land = run.first_event()?;
    let EventKind::Land { normal, speed, .. } = &land.kind else {
        return None;
    };
    let before = (land.seconds * f64::from(GRID) - 1e-6).floor() / f64::from(GRID);
    (normal.y == 1.0 && run.touched > before).then_some(*speed)
}

/// Whether the velocity of the model is a recurrence, with one step a tick.
fn is_recurrence(case: &Case) -> bool {
    ["topdown", "two_velocity"].contains(&case.model)
}

/// The runs at all rates.
fn run_all(room: &Room<'_>) -> Result<Vec<Run>, String> {
    RATES.into_iter().map(|hz| room.run(hz, (0.0, 0.0))).collect()
}

/// The parting that comes first, and its run.
fn first_parting<'r>(case: &Case, runs: &'r [Run]) -> Option<(Parting, &'r Run)> {
    let fine = &runs[RATES.len() - 1];
    let first = |lag: &[f64]| {
        let partings = runs
            .iter()
            .zip(RATES)
            .filter_map(|(run, hz)| Some((part(band(case), lag, run, fine, hz)?, run)));
        partings.min_by(|(a, _), (b, _)| a.step.cmp(&b.step).then(b.px.total_cmp(&a.px)))
    };
    let parting = first(&[])?;
    if !is_recurrence(case) {
        return Some(parting);
    }
    first(&lag(case))
}

/// How far the rates are apart at most up to each step, px, where nothing is in the way of the body: what the recurrences
/// in velocity explain.
fn lag(case: &Case) -> Vec<f64> {
    let gravity = if case.top { case.gravity } else { 0.0 };
    let empty = Case { gravity, solids: vec![], zones: vec![], crates: vec![], ..case.clone() };
    let Ok(runs) = run_all(&Room::new(&empty)) else {
        return vec![];
    };
    let fine = &runs[RATES.len() - 1];
    let apart =
        |step: usize| runs.iter().map(|run| run.moments[step].distance(&fine.moments[step])).fold(0.0, f64::max);
    let mut most = 0.0_f64;
    (0..fine.moments.len())
        .map(|step| {
            most = most.max(apart(step));
            most
        })
        .collect()
}

/// Where a run first leaves the band around the fine one, which is wider by the `lag` at each step.
fn part(band: f64, lag: &[f64], run: &Run, fine: &Run, hz: u32) -> Option<Parting> {
    let apart = |step: usize| run.moments[step].distance(&fine.moments[step]);
    let lag = |step: usize| lag.get(step).copied().unwrap_or_default();
    let steps = run.moments.len().min(fine.moments.len());
    let step = (0..steps).find(|step| apart(*step) > band + lag(*step))?;
    if [run, fine].iter().any(|run| fell_out(run, step)) {
        return None;
    }
    let began = (0..step).rfind(|step| apart(*step) <= band / 100.0).map_or(0, |last| last) + 1;
    Some(Parting { hz, step, px: apart(step), began, after: recent([run, fine], began) })
}

/// Whether the body has returned to its start, which it does at the end of a tick.
fn fell_out(run: &Run, step: usize) -> bool {
    let now = (step as f64 + 1.5) / f64::from(GRID);
    run.events.iter().any(|e| e.kind == EventKind::FallOut && e.seconds <= now)
}

/// The events of the tenth of a second before a step.
fn recent(runs: [&Run; 2], step: usize) -> String {
    let now = step as f64 / f64::from(GRID);
    let events = runs.into_iter().flat_map(|run| &run.events);
    let recent = events.filter(|e| e.seconds > now - 0.1 && e.seconds < now + 1e-9);
    let mut names: Vec<&str> = recent.map(|e| e.kind.name()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(" ")
}

/// Whether a run leaves its own band until this step if its start is moved by [`TINY`].
fn is_chaotic(room: &Room<'_>, hz: u32, run: &Run, step: usize) -> bool {
    let band = band(room.case);
    SIDES.iter().any(|(x, y)| {
        let moved = room.run(hz, (x * TINY, y * TINY));
        moved.is_ok_and(|moved| (0..=step).any(|step| moved.moments[step].distance(&run.moments[step]) > band))
    })
}
