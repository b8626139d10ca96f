//! A profile as JSON.

use hangtime_game::{HookTimes, TickProfile};
use serde::Serialize;

/// The version of the format.
const VERSION: u32 = 1;

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
        profile: VERSION,
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
