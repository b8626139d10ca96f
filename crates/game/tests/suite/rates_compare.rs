//! Compares the runs of a case of `rates.rs`, and tells a disagreement from chaos.

use crate::common::RATES;
use crate::rates_case::{Case, GRID};
use crate::rates_run::{Room, Run};
use hangtime_core::models::Action;
use hangtime_core::sim::EventKind;

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
        // Their velocities are recurrences, with one step a tick.
        "topdown" | "two_velocity" => 12.0,
        "vessel" => 30.0,
        // What is left of its last tick after a flight is not moved, and bodies that push are moved apart once per tick.
        _ => 30.0,
    }
}

/// Plays a case at all rates.
pub fn examine(case: &Case) -> Outcome {
    let room = Room::new(case);
    let runs: Result<Vec<(u32, Run)>, String> =
        RATES.into_iter().map(|hz| Ok((hz, room.run(hz, (0.0, 0.0))?))).collect();
    let runs = match runs {
        Ok(runs) => runs,
        Err(why) => return Outcome::Refused(why),
    };
    for (hz, run) in &runs {
        if let Some((kind, text)) = run.broken.first() {
            return Outcome::Breaks(kind, format!("{text}, {hz} Hz"));
        }
    }
    let fine = &runs[RATES.len() - 1].1;
    let partings = runs.iter().filter_map(|(hz, run)| Some((part(band(case), run, fine, *hz)?, run)));
    match partings.min_by(|(a, _), (b, _)| a.step.cmp(&b.step).then(b.px.total_cmp(&a.px))) {
        None => Outcome::Agrees,
        Some((parting, run)) => {
            let chaotic = [(FINE, fine), (parting.hz, run)]
                .into_iter()
                .any(|(hz, run)| is_chaotic(&room, hz, run, parting.step));
            if chaotic { Outcome::Chaotic } else { Outcome::Parts(parting) }
        }
    }
}

/// Where a run first leaves the band around the fine one.
fn part(band: f64, run: &Run, fine: &Run, hz: u32) -> Option<Parting> {
    let apart = |step: usize| run.moments[step].distance(&fine.moments[step]);
    let steps = run.moments.len().min(fine.moments.len());
    let step = (0..steps).find(|step| apart(*step) > band)?;
    if [run, fine].iter().any(|run| fell_out(run, step)) {
        return None;
    }
    let began = (0..step).rfind(|step| apart(*step) <= band / 100.0).map_or(0, |last| last + 1);
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
