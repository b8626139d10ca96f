//! Compares the runs of a case of `rates.rs`, and tells a disagreement from chaos.

use crate::common::RATES;
use crate::rates_case::{Case, GRID};
use crate::rates_run::{Nudge, Room, Run};
use hangtime_core::sim::EventKind;

/// The rate that the others are compared with, and a finer one that shows chaos.
const FINE: u32 = 240;
const FINEST: u32 = 480;

/// Runs are compared until this much was decided; later, small differences have added up.
const DECISIONS: u32 = 6;

/// The same for a vessel: what it hits turns it, and small differences grow with each hit.
const HITS: u32 = 2;

/// Where a rate parts from the fine one.
#[derive(Clone, Debug)]
pub struct Parting {
    pub hz: u32,
    /// The step of the grid.
    pub step: usize,
    pub px: f64,
    /// By how many ticks of motion the distance is larger than it may be.
    pub ticks: f64,
    /// What either run reported shortly before.
    pub after: String,
}

/// What became of a case.
#[derive(Clone, Debug)]
pub enum Outcome {
    Agrees,
    /// A change as small as a part of a tick has as large an effect.
    Chaotic,
    Parts(Parting),
    /// Something that must never happen: its kind and a description.
    Breaks(&'static str, String),
    /// The level does not open, or its script fails.
    Refused(String),
}

/// Plays a case at all rates.
pub fn examine(case: &Case) -> Outcome {
    let room = Room::new(case);
    let runs: Result<Vec<(u32, Run)>, String> =
        RATES.into_iter().map(|hz| Ok((hz, room.run(hz, Nudge::default())?))).collect();
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
    if let Some(text) = landings_differ(case, &runs) {
        return Outcome::Breaks("landing", text);
    }
    let partings = runs.iter().filter_map(|(hz, run)| part(case, run, fine, *hz));
    match partings.max_by(|a, b| a.ticks.total_cmp(&b.ticks)) {
        None => Outcome::Agrees,
        Some(parting) if is_chaotic(&room, fine, &parting) => Outcome::Chaotic,
        Some(parting) => Outcome::Parts(parting),
    }
}

/// The first landing on level ground has the same speed, if nothing was touched before.
fn landings_differ(case: &Case, runs: &[(u32, Run)]) -> Option<String> {
    let still = case.zones.is_empty() && case.crates.is_empty();
    if !still || case.top || case.leap.is_some() || case.solids.iter().any(|s| s.path.is_some()) {
        return None;
    }
    let speeds: Option<Vec<f64>> = runs.iter().map(|(_, run)| first_landing(run)).collect();
    let speeds = speeds?;
    // On a corner, the normal depends on where the straight line of the tick's motion meets it.
    let off = |speed: &f64| (speed - speeds[0]).abs() > 1e-4 * speeds[0].max(1.0);
    speeds.iter().any(off).then(|| format!("landing speeds {speeds:?}"))
}

/// The speed of the first landing, if it is on level ground and nothing was touched before.
fn first_landing(run: &Run) -> Option<f64> {
    let land = run.events.iter().find(|e| !["birth", "jump"].contains(&e.kind.name()))?;
    let EventKind::Land { normal, speed, .. } = &land.kind else {
        return None;
    };
    let step = (land.seconds * f64::from(GRID) - 1e-6).floor() as usize;
    (normal.y == 1.0 && run.bumps[step] == 0).then_some(*speed)
}

/// Where two runs first differ by more than ticks explain. Each decision that takes effect at the
/// end of a tick may be a tick late, at the lower rate of the two. Before the first, models without
/// a recurrence have to agree.
fn part(case: &Case, run: &Run, fine: &Run, hz: u32) -> Option<Parting> {
    let most = if case.model == "vessel" { HITS } else { DECISIONS };
    for (step, (a, b)) in run.moments.iter().zip(&fine.moments).enumerate() {
        let count = decisions(case, run, step).max(decisions(case, fine, step));
        if count > most || [run, fine].iter().any(|run| fell_out(run, step)) {
            return None;
        }
        let px = a.distance(b);
        let slack = if count > 0 { rounding(case) } else { free_slack(case) };
        let speed = fine.speeds[step].max(run.speeds[step]).max(60.0);
        // A landing may turn the motion around, which costs its tick twice.
        let turned = f64::from(u8::from(count > 0));
        let allowed = f64::from(count) + turned + recurrence(case, step);
        let ticks = (px - slack) / (speed / f64::from(hz)) - allowed;
        if ticks > 0.0 {
            let after = recent([run, fine], step);
            return Some(Parting { hz, step, px, ticks, after });
        }
    }
    None
}

/// How far a standing body may move by itself, px: to a rest position, or onto the ground.
fn rounding(case: &Case) -> f64 {
    let spacing = case.tunes.iter().find(|(key, _)| *key == "rest_spacing");
    let rests = case.model == "platformer";
    0.6 + if rests { spacing.map_or(4.0, |(_, px)| *px) } else { 0.0 }
}

/// How many things up to this step of the grid took effect at the end of a tick. What keys decide
/// does not count: they change at the same times. Coming to touch a solid counts once, whether the
/// body lands on it or bumps into it.
fn decisions(case: &Case, run: &Run, step: usize) -> u32 {
    let now = (step as f64 + 0.5) / f64::from(GRID);
    let moves = case.solids.iter().any(|s| s.path.is_some());
    let counts = |kind: &EventKind| match kind {
        // One-way lines and what moves are not counted as touched.
        EventKind::Land { solid, .. } => solid.starts_with("line") || moves,
        EventKind::LeaveGround { jumped } => !jumped,
        EventKind::Hit { .. } | EventKind::Model { .. } | EventKind::Touch { .. } => true,
        EventKind::Enter { .. } | EventKind::Leave { .. } | EventKind::Crush => true,
        _ => false,
    };
    let events = run.events.iter().filter(|e| e.seconds <= now && counts(&e.kind));
    // Bumps into what moves are not known here. After a targeted jump, the rest of the tick is not
    // moved.
    let unseen = u32::from(moves || !case.crates.is_empty()) + u32::from(case.leap.is_some());
    events.count() as u32 + run.bumps[step] + unseen
}

/// Whether the body has returned to its start, which it does at the end of a tick.
fn fell_out(run: &Run, step: usize) -> bool {
    let now = (step as f64 + 1.5) / f64::from(GRID);
    run.events.iter().any(|e| e.kind == EventKind::FallOut && e.seconds <= now)
}

/// Models that are recurrences in velocity lag by a part of a tick after each change of keys.
fn recurrence(case: &Case, step: usize) -> f64 {
    if !["topdown", "two_velocity"].contains(&case.model) {
        return 0.0;
    }
    let (mut end, mut changes) = (0, 1);
    for (steps, _) in &case.keys {
        end += *steps as usize;
        changes += usize::from(end <= step);
    }
    (1.0 + 0.7 * changes as f64).min(4.0)
}

/// The events of the last tenth of a second.
fn recent(runs: [&Run; 2], step: usize) -> String {
    let now = step as f64 / f64::from(GRID);
    let events = runs.into_iter().flat_map(|run| &run.events);
    let recent = events.filter(|e| e.seconds > now - 0.1 && e.seconds < now + 1e-9);
    let mut names: Vec<&str> = recent.map(|e| e.kind.name()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(" ")
}

/// Whether a change as small as what a tick decides has an effect as large as the parting: keys up
/// to a tick early or late, a start moved by a part of a tick, or half of the fine tick.
fn is_chaotic(room: &Room<'_>, fine: &Run, parting: &Parting) -> bool {
    let speed = fine.fastest().clamp(100.0, 1500.0);
    let tick = speed / f64::from(parting.hz);
    let ticks = i64::from(FINE / parting.hz);
    let late = [ticks, ticks / 2, -ticks / 2, -ticks].map(|late| Nudge { late, by: (0.0, 0.0) });
    let sides = [0.5, -0.5, 0.25, -0.25, 0.1, -0.1];
    let by = sides.into_iter().flat_map(|s| [(s * tick, 0.0), (0.0, s * tick)]);
    let nudges = late.into_iter().chain(by.map(|by| Nudge { late: 0, by }));
    let size = |nudge: &Nudge| nudge.late.abs() as f64 * speed / f64::from(FINE) + nudge.by.0.hypot(nudge.by.1);
    let far = |size: f64, other: &Run| {
        let last = parting.step.min(other.moments.len() - 1);
        let apart = |step: usize| other.moments[step].distance(&fine.moments[step]);
        (last.saturating_sub(2)..=last).any(|step| apart(step) > size + parting.px * 0.5)
    };
    let finest = room.run(FINEST, Nudge::default());
    finest.is_ok_and(|run| far(0.0, &run))
        || nudges
            .into_iter()
            .any(|nudge| room.run(FINE, nudge).is_ok_and(|run| far(size(&nudge), &run)))
}

/// A known cause, and whether it explains a case that was made as small as possible.
type Kind = (&'static str, fn(&Case) -> bool);

/// What is known to depend on the tick rate: remove a line once its cause is mended.
const OPEN: &[Kind] = &[
    ("platforms next to other solids", |c| {
        is_walker(c) && c.solids.len() > 1 && c.solids.iter().any(|s| s.path.is_some())
    }),
    ("slopes: run off, or grazed", |c| is_walker(c) && c.solids.iter().any(is_slanted)),
];

/// How far apart, px, the tick rates may be before the first decision. The thrust of a vessel that
/// turns has no closed form: Simpson's rule is off by a little more in longer ticks.
fn free_slack(case: &Case) -> f64 {
    if case.model == "vessel" { 1e-2 } else { 1e-6 }
}

fn is_walker(case: &Case) -> bool {
    ["platformer", "two_velocity"].contains(&case.model)
}

fn is_slanted(solid: &crate::rates_case::Solid) -> bool {
    let ends = solid.points.iter().skip(1).chain(&solid.points[..1]);
    let mut edges = solid.points.iter().zip(ends);
    edges.any(|(a, b)| a.0 != b.0 && a.1 != b.1)
}

/// The known cause of a case that was made as small as possible.
pub fn open_kind(small: &Case) -> Option<&'static str> {
    OPEN.iter().find(|(_, is)| is(small)).map(|(name, _)| *name)
}
