//! Where the time of ticks goes: as a table, as JSON and as a flame graph.

use super::text_table::aligned;
use hangtime_core::sim::why::TickPhase;
use hangtime_game::{HookTimes, TickProfile};
use hangtime_script::text::{cut_name, printable_name};
use serde::Serialize;

/// A line for each hook with the number of its calls, the operations and the median of the time of one, its share of the
/// ticks, and how many calls were compiled and given up; then what the rest of the ticks took.
pub fn profile_table(profile: &TickProfile) -> String {
    let titles = ["behavior", "hook", "calls", "operations", "ns", "share", "compiled", "bails"];
    let mut lines = vec![titles.map(String::from).to_vec()];
    let share = |nanos| percent(profile.share(nanos));
    lines.extend(profile.hooks.iter().map(|hook| {
        let of_calls = |count: u64| count as f64 / hook.calls.max(1) as f64;
        vec![
            printable_name(&cut_name(&hook.behavior)).into_owned(),
            printable_name(&cut_name(&hook.hook)).into_owned(),
            hook.calls.to_string(),
            format!("{:.0}", of_calls(hook.operations)),
            hook.median.to_string(),
            share(hook.total),
            percent(of_calls(hook.compiled)),
            hook.bailed.to_string(),
        ]
    }));
    let mut text = match profile.hooks.is_empty() {
        true => "no script was called\n".into(),
        false => aligned(&lines, |column| column < 2).join("\n") + "\n",
    };
    if profile.ticks == 0 {
        return text + "no tick was made\n";
    }
    text += &format!(
        "\n{} ticks of {} (median): scripts {}, around scripts {}, physics {}\n",
        profile.ticks,
        nanoseconds(profile.median_tick),
        share(profile.scripts()),
        share(profile.around_scripts()),
        share(profile.physics()),
    );
    let physics = profile.phases.iter().filter(|phase| phase.phase != TickPhase::Orders);
    let physics = physics.map(|phase| format!("{} {}", phase.phase.name(), share(phase.total)));
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
    phases: Vec<WrittenPhase>,
    hooks: Vec<WrittenHook<'a>>,
}

#[derive(Serialize)]
struct WrittenPhase {
    phase: &'static str,
    total_ns: u64,
    share: f64,
}

#[derive(Serialize)]
struct WrittenHook<'a> {
    behavior: &'a str,
    hook: &'a str,
    phase: &'static str,
    calls: u64,
    operations: u64,
    compiled: u64,
    bails: u64,
    ns: u64,
    total_ns: u64,
    share: f64,
}

/// The profile of a level as one object on a line. Times are in ns: `ns` is the median of a call and `tick_ns` that of a
/// tick, `total_ns` the time of all. Shares are those of all ticks, 0 to 1.
///
/// # Errors
/// None that is known: all of it is numbers and texts.
pub fn profile_json(level: &str, profile: &TickProfile) -> serde_json::Result<String> {
    let phases = profile.phases.iter().map(|phase| WrittenPhase {
        phase: phase.phase.name(),
        total_ns: phase.total,
        share: profile.share(phase.total),
    });
    let hook = |hook| written_hook(profile, hook);
    serde_json::to_string(&WrittenProfile {
        profile: 1,
        level,
        ticks: profile.ticks,
        tick_ns: profile.median_tick,
        total_ns: profile.total(),
        scripts: profile.share(profile.scripts()),
        around_scripts: profile.share(profile.around_scripts()),
        physics: profile.share(profile.physics()),
        phases: phases.collect(),
        hooks: profile.hooks.iter().map(hook).collect(),
    })
}

fn written_hook<'a>(profile: &TickProfile, hook: &'a HookTimes) -> WrittenHook<'a> {
    WrittenHook {
        behavior: &hook.behavior,
        hook: &hook.hook,
        phase: hook.phase.name(),
        calls: hook.calls,
        operations: hook.operations,
        compiled: hook.compiled,
        bails: hook.bailed,
        ns: hook.median,
        total_ns: hook.total,
        share: profile.share(hook.total),
    }
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

#[cfg(test)]
mod tests {
    use super::{nanoseconds, percent};

    #[test]
    fn times_have_the_unit_that_suits_them() {
        let times = [0, 999, 1_000, 12_345, 999_949, 1_000_000, 20_500_000];
        let texts = ["0 ns", "999 ns", "1.0 µs", "12.3 µs", "999.9 µs", "1.0 ms", "20.5 ms"];
        assert_eq!(times.map(nanoseconds), texts);
        assert_eq!([0.0, 0.125, 1.0].map(percent), ["0.0 %", "12.5 %", "100.0 %"]);
    }
}
