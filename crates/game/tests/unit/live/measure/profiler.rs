//! Tests of `src/live/measure/profiler.rs`.

use super::{ORDER, Profiler, call_begins, call_ends, phase_ends};
use hangtime_core::sim::ScriptId;
use hangtime_script::{CallPath, ListedScript, ProbedCall, SourceFile};
use std::sync::Arc;

#[test]
fn phases_are_in_their_order() {
    for (index, phase) in ORDER.iter().enumerate() {
        assert_eq!(*phase as usize, index);
    }
}

#[test]
fn a_probe_outside_of_a_tick_does_nothing() {
    call_begins();
    phase_ends(ORDER[0]);
}

#[test]
fn calls_and_phases_add_up_to_the_tick() {
    let file = SourceFile { name: "scripts/a.rhai".into(), text: String::new() };
    let scripts = [ListedScript::without_hooks(&Arc::new(file))];
    let mut profiler = Profiler::new();
    for tick in 0..10 {
        profiler = profiler.measure(|| {
            for path in [CallPath::Compiled, CallPath::Bailed, CallPath::Interpreted] {
                call_begins();
                let work: Vec<u64> = (0..1000).collect();
                call_ends(&ProbedCall {
                    script: ScriptId(0),
                    hook: if tick % 2 == 0 { "on_tick" } else { "model" },
                    operations: work.len() as u64,
                    path,
                });
            }
            ORDER.iter().for_each(|phase| phase_ends(*phase));
        });
    }
    let profile = profiler.profile(&scripts);
    assert_eq!(profile.ticks, 10);
    for hook in &profile.hooks {
        let counts = (hook.calls, hook.operations, hook.compiled, hook.bailed);
        assert_eq!(counts, (15, 15_000, 5, 5), "{}", hook.hook);
        assert_eq!(hook.behavior, "a.rhai");
        assert!(hook.total > 0 && hook.median <= hook.total);
    }
    assert_eq!(profile.hooks.len(), 2);
    let shares = [profile.physics(), profile.around_scripts(), profile.scripts()];
    let sum: f64 = shares.iter().map(|part| profile.share(*part)).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    assert_eq!(profiler.ticks.total, profile.total());
}
