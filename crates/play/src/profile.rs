//! Where the time of ticks goes: as a table, as JSON and as a flame graph.

use super::*;
use hangtime_core::sim::why::TickPhase;
use hangtime_game::PhaseTimes;

/// The titles of the cells of a hook.
const TITLES: [&str; 8] = ["behavior", "hook", "calls", "operations", "ns", "share", "compiled", "bails"];

/// What a table shows of a hook: its behavior and name, the number of its calls, the mean of their operations, the median of
/// their times, their share of the ticks, and how many were compiled and given up.
pub fn hook_cells(profile: &TickProfile, hook: &HookTimes) -> [String; 8] {
    let name = |name: &str| printable_name(&cut_name(name)).into_owned();
    [
        name(&hook.behavior),
        name(&hook.hook),
        hook.calls.to_string(),
        format!("{:.0}", hook.mean_operations()),
        hook.median.to_string(),
        percent(profile.share(hook.total)),
        percent(hook.compiled as f64 / hook.calls.max(1) as f64),
        hook.bailed.to_string(),
    ]
}

/// The shares of the ticks that scripts and physics take, as text.
pub fn tick_shares(profile: &TickProfile) -> String {
    let share = |nanos| percent(profile.share(nanos));
    let (scripts, around) = (share(profile.scripts()), share(profile.around_scripts()));
    format!("scripts {scripts}, calling them {around}, physics {}", share(profile.physics()))
}

/// A line for each hook, then what the rest of the ticks took.
pub fn profile_table(profile: &TickProfile) -> String {
    let rows = profile.hooks.iter().map(|hook| hook_cells(profile, hook).to_vec());
    let mut text = if profile.hooks.is_empty() {
        "no script was called\n".into()
    } else {
        aligned(&TITLES, rows, |column| column < 2).join("\n") + "\n"
    };
    if profile.ticks == 0 {
        return text + "no tick was made\n";
    }
    let (ticks, median) = (profile.ticks, nanoseconds(profile.median_tick));
    text += &format!("\n{ticks} ticks of {median} (median): {}\n", tick_shares(profile));
    let physics = profile.phases.iter().filter(|phase| phase.phase != TickPhase::Orders);
    let physics = physics.map(|phase| format!("{} {}", phase.phase.name(), percent(profile.share(phase.total))));
    text += &format!("physics: {}\n", physics.collect::<Vec<_>>().join(", "));
    text
}

/// `OutputKind::Profile` knows earlier files by how they begin.
#[derive(Serialize)]
struct WrittenProfile<'a> {
    profile: u32,
    level: &'a str,
    ticks: u64,
    tick_ns: u64,
    total_ns: u64,
    scripts: f64,
    around_scripts: f64,
    physics: f64,
    phases: Vec<WithShare<&'a PhaseTimes>>,
    hooks: Vec<WithShare<&'a HookTimes>>,
}

/// Times, and their share of the ticks.
#[derive(Serialize)]
struct WithShare<T> {
    #[serde(flatten)]
    times: T,
    share: f64,
}

/// The profile of a level as one object on a line. Times are in ns: `ns` is the median of a call, `tick_ns` the median
/// of a tick, `total_ns` the time of all. Shares are of the time of all ticks, 0 to 1.
///
/// # Errors
/// None that is known: all of it is numbers and texts.
pub fn profile_json(level: &str, profile: &TickProfile) -> serde_json::Result<String> {
    let share = |nanos| profile.share(nanos);
    serde_json::to_string(&WrittenProfile {
        profile: 1,
        level,
        ticks: profile.ticks,
        tick_ns: profile.median_tick,
        total_ns: profile.total(),
        scripts: share(profile.scripts()),
        around_scripts: share(profile.around_scripts()),
        physics: share(profile.physics()),
        phases: profile
            .phases
            .iter()
            .map(|times| WithShare { times, share: share(times.total) })
            .collect(),
        hooks: profile.hooks.iter().map(|times| WithShare { times, share: share(times.total) }).collect(),
    })
}

/// A share as percent with one decimal, such as `12.5 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A time in the unit that suits it, such as `12.3 µs`.
pub fn nanoseconds(nanos: u64) -> String {
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..1_000_000 => format!("{:.1} µs", nanos as f64 / 1e3),
        _ => format!("{:.1} ms", nanos as f64 / 1e6),
    }
}
