//! What waits, starts and stops do in which tick.

use crate::run::{Run, on_large_stack};
use hangtime_core::sim::{EntityId, Value};
use hangtime_script::Execution;

const LOG: &str = "fn log(x) { this.log.push(world::tick() * 100 + x); }";

/// Plays a script that logs `tick * 100 + x` with `this.log(x)`; all ways of making calls log the same.
fn played(script: &str, ticks: usize) -> Vec<i64> {
    let text = format!("fn on_birth(me) {{ this.log = []; this.born(me); }}\n{LOG}\n{script}");
    let logs = [Execution::Compiled, Execution::Interpreted, Execution::BothWays].map(|execution| {
        let mut run = Run::executed(&text, execution);
        run.ticks(ticks);
        assert_eq!(run.faults, [""; 0], "{text}");
        run.log()
    });
    assert!(logs[0] == logs[1] && logs[1] == logs[2], "{logs:?}");
    logs.into_iter().next().unwrap_or_default()
}

#[test]
fn a_wait_takes_as_many_ticks_as_it_says_and_at_least_one() {
    on_large_stack(|| {
        for n in [0_i64, 1, 2, 3, 7] {
            let right = [1, 100 * n.max(1) + 2];
            let ticks =
                format!("fn born(me) {{ me.start(\"a\"); }} fn a(me) {{ this.log(1); wait_ticks({n}); this.log(2); }}");
            assert_eq!(played(&ticks, 12), right, "{n} ticks");
            // At 60 ticks a second, rounded to the nearest tick.
            for part in [-0.4, 0.0, 0.4] {
                let seconds = ((n as f64 + part) / 60.0).max(0.0);
                let wait = format!(
                    "fn born(me) {{ me.start(\"a\"); }} fn a(me) {{ this.log(1); wait({seconds}); this.log(2); }}"
                );
                assert_eq!(played(&wait, 12), right, "{seconds} s");
            }
        }
    });
}

#[test]
fn a_hook_that_waits_starts_again_with_its_event() {
    on_large_stack(|| {
        for (every, wait) in [(2_i64, 1_i64), (2, 5), (3, 2), (4, 9)] {
            let script = format!(
                "fn born(me) {{}} fn on_tick(me) {{ if world::tick() % {every} == 0 && world::tick() < 12 {{ world::emit(\"bell\"); }} }}\n\
                 fn on_bell(me, event) {{ let rung = event.tick; wait_ticks({wait}); this.log(rung); }}"
            );
            // An event emitted in one tick is received in the next one.
            let bells: Vec<i64> = (0..12).filter(|tick| tick % every == 0).map(|tick| tick + 1).collect();
            let heard = |at: &i64| {
                let next = bells.iter().find(|next| **next > *at);
                next.is_none_or(|next| at + wait < *next)
            };
            let right: Vec<i64> = bells.iter().filter(|at| heard(at)).map(|at| (at + wait) * 100 + at).collect();
            assert_eq!(played(&script, 30), right, "every {every}, wait {wait}");
        }
    });
}

#[test]
fn an_event_ends_a_wait_or_its_time_does() {
    on_large_stack(|| {
        for after in [1_i64, 2, 5, 9] {
            for most in [1_i64, 3, 8] {
                let script = format!(
                    "fn born(me) {{ me.start(\"a\"); me.after({after} * world::dt(), \"bell\", #{{ x: 7 }}); }}\n\
                     fn a(me) {{ let keep = 3; let e = wait_for(\"bell\", {most} * world::dt());\n\
                     if e == () {{ this.log(keep); }} else {{ this.log(10 * e.data.x + keep); }} }}"
                );
                // The event comes first in a tick.
                let right = if after <= most { after * 100 + 73 } else { most * 100 + 3 };
                assert_eq!(played(&script, 20), [right], "after {after}, at most {most}");
            }
        }
        // Without a time, and directly in a condition.
        let forever = "fn born(me) { me.start(\"a\"); me.after(0.1, \"bell\", 4); }\n\
                       fn a(me) { if wait_for(\"bell\").data == 4 { this.log(1); } else { this.log(2); } wait_for(\"bell\"); this.log(3); }";
        assert_eq!(played(forever, 40), [601]);
    });
}

#[test]
fn a_condition_that_holds_at_once_does_not_wait() {
    on_large_stack(|| {
        for at in [0_i64, 1, 5] {
            let script = format!(
                "fn born(me) {{ this.at = {at}; me.start(\"a\"); }}\n\
                 fn a(me) {{ let x = 5; wait_until(|| world::tick() >= this.at && x > 2); this.log(x); }}"
            );
            assert_eq!(played(&script, 10), [at * 100 + 5]);
        }
    });
}

#[test]
fn starting_stopping_and_asking_take_effect_at_once() {
    on_large_stack(|| {
        let script = "fn born(me) { me.start(\"a\"); if me.running(\"a\") { this.log(1); } me.stop(\"a\"); if !me.running(\"a\") { this.log(2); } }\n\
                      fn a(me) { this.log(9); wait(1.0); }\n\
                      fn on_tick(me) { if world::tick() == 2 { me.start(\"b\"); me.start(\"b\"); } if world::tick() == 5 { me.stop(\"b\"); } }\n\
                      fn b(me) { while true { this.log(3); wait_ticks(1); } }";
        assert_eq!(played(script, 12), [1, 2, 203, 303, 403, 503]);
    });
}

#[test]
fn a_sequence_that_starts_or_stops_itself_does_not_wait_on() {
    on_large_stack(|| {
        // Started by itself, it begins again in the next tick.
        let script = "fn born(me) { this.k = 0; me.start(\"a\"); } fn a(me) { this.k += 1; this.log(this.k); if this.k < 4 { me.start(\"a\"); } wait_ticks(5); this.log(9); }";
        assert_eq!(played(script, 20), [1, 102, 203, 304, 809]);
        let script =
            "fn born(me) { me.start(\"a\"); } fn a(me) { me.stop(\"a\"); this.log(1); wait_ticks(1); this.log(2); }";
        assert_eq!(played(script, 9), [1]);
    });
}

#[test]
fn what_is_local_lives_over_a_wait_and_nothing_else_is_kept() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { this.log = []; me.start(\"a\"); }\n\
                      fn a(me) { let x = 1.5; let unused = 3; const K = 2; let v = vec(1, 2); let list = [1, \"two\"]; x += 1; unused += 1;\n\
                      wait_ticks(2); x += K; if list[1] == \"two\" { x += v.y; } wait_ticks(1); this.x = x; }";
        let mut run = Run::new(script);
        run.ticks(1);
        let names: Vec<&str> = run.frames()[0].at.names.iter().map(|name| &**name).collect();
        assert_eq!(names, ["x", "K", "v", "list"]);
        run.restore();
        run.ticks(2);
        assert_eq!(run.frames()[0].locals, [Value::Float(2.5 + 2.0 + 2.0)]);
        run.ticks(1);
        assert_eq!((run.frames().len(), run.var("x")), (0, Value::Float(6.5)));
        assert_eq!(run.faults, [""; 0]);
    });
}

#[test]
fn the_end_of_an_entity_ends_its_sequences() {
    on_large_stack(|| {
        let mut run = Run::new(
            "fn on_birth(me) { me.start(\"a\"); } fn a(me) { while true { wait_ticks(2); if world::tick() > 5 { me.remove(); } } }",
        );
        run.ticks(4);
        let id = run.world.entity("hero").expect("the hero").id;
        assert_eq!(run.world.frames().of(id).len(), 1);
        run.ticks(4);
        assert!(run.world.entity("hero").is_none());
        assert!(run.world.frames().is_empty(), "{:?}", run.world.frames());
        assert_eq!(run.world.frames().of(EntityId::LEVEL).len(), 0);
        assert_eq!(run.faults, [""; 0]);
    });
}

#[test]
fn worlds_without_sequences_are_saved_as_before() {
    on_large_stack(|| {
        let mut run = Run::new("fn on_tick(me) { this.n += 1; }");
        run.ticks(5);
        let saved = serde_json::to_value(&run.world).expect("a world is data");
        assert!(saved.get("frames").is_none());
        run.restore();
    });
}
