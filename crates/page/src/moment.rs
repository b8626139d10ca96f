//! A moment of a game that is shared: the last seconds, which play again to the same world.

use super::*;
use hangtime_core::sim::{Inputs, MOST_PLAYERS, SavedWorld};
use hangtime_workbench::{STRETCH_SECONDS, Timeline};

/// An edit farther back than this many seconds is not shared.
const SINCE_EDIT: u64 = 60;

/// The most ticks that are played for a moment: a link may have any number.
const MOST_TICKS: u64 = 100_000;

/// The input of ticks in a row.
type InputRuns = Vec<(u64, Inputs)>;

/// The last seconds before a moment.
#[derive(Serialize, Deserialize)]
struct SharedMoment<W> {
    /// The world that they begin with.
    world: W,
    before: InputRuns,
    /// What was played after an edit of the files. Without an edit, there is nothing.
    after: Option<InputRuns>,
    /// The number of the revision that they begin with.
    revision: u64,
    /// The hash of the world that they end with.
    hash: String,
}

/// The input of these positions of the timeline.
fn runs(timeline: &Timeline, positions: std::ops::Range<u64>) -> InputRuns {
    let mut runs: InputRuns = Vec::new();
    for inputs in positions.filter_map(|position| timeline.input(position)) {
        match runs.last_mut() {
            Some((ticks, last)) if last == inputs => *ticks += 1,
            _ => runs.push((1, inputs.clone())),
        }
    }
    runs
}

/// The shown moment as JSON: from the start of the stretch that the paths are drawn of.
pub fn shared(session: &PageSession) -> String {
    let (timeline, now) = (session.bench.timeline(), session.bench.position());
    let hz = u64::from(session.bench.live().revision().stage.hz);
    // With the longest lead, this is the start of the chapter.
    let edit = timeline.keyframe_before(now, u64::MAX).map(|(start, ..)| start).filter(|start| {
        let continues = timeline.continuous_from(now) < *start && timeline.begin() < *start;
        continues && now - start <= SINCE_EDIT * hz
    });
    let until = edit.map_or(now, |edit| edit - 1);
    let moment = timeline
        .keyframe_before(until, STRETCH_SECONDS * hz)
        .map(|(from, world, revision)| SharedMoment {
            world: &**world,
            before: runs(timeline, from..edit.unwrap_or(now)),
            after: edit.map(|edit| runs(timeline, edit..now)),
            revision: revision.number,
            hash: format!("{:016x}", session.bench.live().world().hash()),
        });
    moment.map_or_else(String::new, |moment| json(&moment))
}

/// Plays a moment up to its edit, or else to its end.
///
/// # Errors
/// Why it cannot be played in this level.
pub fn begin(session: &mut PageSession, moment: &str, now: f64) -> Result<(), String> {
    let moment: SharedMoment<SavedWorld> = read(moment)?;
    session.restore_world(moment.world, now)?;
    play(session, &moment.before, now)
}

/// Plays what was played after the edit, and stops there.
///
/// # Errors
/// As for [`begin`].
pub fn end(session: &mut PageSession, moment: &str, now: f64) -> Result<(), String> {
    let moment: SharedMoment<serde_json::Value> = read(moment)?;
    play(session, &moment.after.unwrap_or_default(), now)?;
    session.bench.show_position(session.bench.position());
    Ok(())
}

fn read<W: serde::de::DeserializeOwned>(moment: &str) -> Result<SharedMoment<W>, String> {
    serde_json::from_str(moment).map_err(|error| error.to_string())
}

fn play(session: &mut PageSession, runs: &InputRuns, now: f64) -> Result<(), String> {
    let ticks = runs.iter().try_fold(0_u64, |sum, (ticks, _)| sum.checked_add(*ticks));
    if ticks.is_none_or(|ticks| ticks > MOST_TICKS) {
        return Err(format!("it has more than {MOST_TICKS} ticks"));
    }
    for (ticks, inputs) in runs {
        for input in (1..=MOST_PLAYERS).map(|player| inputs.player(player)) {
            let sets = [("held", input.held), ("pressed", input.pressed)];
            sets.iter()
                .try_for_each(|(name, set)| set.check(name))
                .map_err(|error| error.to_string())?;
        }
        let inputs = inputs.in_range();
        (0..*ticks).for_each(|_| session.replay(&inputs, now));
    }
    // Nothing of it is heard.
    drop(session.bench.take_heard());
    Ok(())
}
