//! What becomes of a sequence whose script changes.

use crate::run::{Run, on_large_stack};
use hangtime_core::sim::Value;

/// Plays the first script for some ticks and then the second one; the value of `this.x`, and the faults.
fn changed(before: &str, after: &str) -> (Value, Vec<String>) {
    let start = "fn on_birth(me) { me.start(\"a\"); }\n";
    let mut run = Run::new(&format!("{start}{before}"));
    run.ticks(3);
    assert_eq!(run.frames().len(), 1);
    run.reload(&format!("{start}{after}"));
    run.ticks(50);
    assert_eq!(run.frames().len(), 0, "{:?}", run.frames());
    (run.var("x"), run.faults)
}

#[test]
fn a_sequence_continues_where_its_wait_is_now() {
    on_large_stack(|| {
        let text = "fn a(me) { let k = 1; wait(0.2); this.x = k; }";
        for (after, right) in [
            // The same text, also elsewhere in the file.
            (text.to_string(), 1),
            (format!("fn other() {{ 3 }}\n\n{text}"), 1),
            // What is before the wait has changed, or what follows it.
            ("fn a(me) { let k = 5; wait(0.2); this.x = k; }".into(), 1),
            ("fn a(me) { let k = 1; wait(0.2); this.x = k + 10; }".into(), 11),
            // It is another one by its number: that with the same text after it, and else the nearest.
            ("fn a(me) { let k = 1; wait(0.1); wait(0.2); this.x = k; }".into(), 1),
            ("fn a(me) { let k = 1; wait(0.2); this.x = k + 20; wait(0.3); wait(0.2); this.x = k; }".into(), 1),
            ("fn a(me) { let k = 1; wait(0.3); wait(0.2); this.x = k + 1; wait(0.2); this.x = k + 2; }".into(), 3),
            // In a loop now.
            ("fn a(me) { let k = 1; for i in 0..1 { wait(0.2); } this.x = k; }".into(), 1),
        ] {
            let got = changed(text, &after);
            if after.contains("for i") {
                // The loop needs its own variables, which were not remembered.
                assert!(got.1.len() == 1 && got.1[0].contains("with what it remembers"), "{got:?}");
            } else {
                assert_eq!(got, (Value::Int(right), vec![]), "{after}");
            }
        }
    });
}

#[test]
fn a_sequence_whose_wait_is_gone_stops_and_says_so() {
    on_large_stack(|| {
        for after in [
            "fn a(me) { wait(0.3); this.x = 1; }",
            "fn b(me) { wait(0.2); this.x = 1; } fn a(me) { wait_ticks(1); }",
            "fn a(me) { let m = 1; wait(0.2); this.x = m; }",
            "fn a() { }",
        ] {
            let after = after.replace("fn a() { }", "fn a(me) { wait_ticks(9); }");
            let (x, faults) = changed("fn a(me) { let k = 1; wait(0.2); this.x = k; }", &after);
            assert_eq!((x, faults.len()), (Value::Unit, 1), "{after}: {faults:?}");
            assert!(faults[0].starts_with("`a` has stopped: it cannot continue at `wait(0.2)`"), "{faults:?}");
        }
    });
}

#[test]
fn a_script_without_sequences_ends_them() {
    on_large_stack(|| {
        let mut run = Run::new("fn on_birth(me) { me.start(\"a\"); } fn a(me) { wait(0.2); this.x = 1; }");
        run.ticks(2);
        run.reload("fn on_tick(me) { this.n += 1; }").ticks(2);
        assert_eq!((run.frames().len(), run.var("x")), (0, Value::Unit));
        assert_eq!(run.faults.len(), 1, "{:?}", run.faults);
        // Nor does one stay that waits for an event, in a script without any hook.
        for after in ["fn other() { }", "fn model(me) { \"platformer\" }"] {
            let mut run = Run::new("fn on_birth(me) { me.start(\"a\"); } fn a(me) { wait_for(\"bell\"); this.x = 1; }");
            run.ticks(2);
            run.reload(after).ticks(1);
            assert_eq!((run.frames().len(), run.faults.len()), (0, 1), "{after}: {:?}", run.faults);
        }
    });
}
