//! Waits where a function cannot wait, and frames that no script has made.

use crate::run::{Run, messages, on_large_stack};
use hangtime_core::sim::{SavedWorld, Value};
use serde_json::json;

#[test]
fn waits_that_cannot_be_are_errors_with_a_place_and_a_way_out() {
    on_large_stack(|| {
        let cases = [
            ("fn model(me) { wait(1); \"vessel\" }", (1, 16), "is a rule"),
            ("fn can_grab(me, hit) {\n  wait(1); true }", (2, 3), "is a rule"),
            ("fn on_tick(me) { wait(1); }", (1, 18), "me.start(\"attack\")"),
            ("fn on_death(me) { wait(1); }", (1, 19), "the entity is gone"),
            ("fn on_land(me) { let f = || wait(1); }", (1, 29), "must be a statement"),
            ("fn on_land(me) { me.face(wait(1)); }", (1, 26), "must be a statement"),
            ("fn on_land(me) { let x = 1 + wait_for(\"land\"); }", (1, 30), "must be a statement"),
            ("fn on_land(me) { while wait_for(\"land\") == () { } }", (1, 24), "must be a statement"),
            ("fn on_land(me) { do { wait(1); } while false; }", (1, 23), "must be a statement"),
            ("const X = wait(1);\nfn on_land(me) { }", (1, 11), "must be a statement"),
            ("fn a(me, x) { wait(1); }", (1, 15), "`me` as its only parameter"),
            ("fn a() { wait(1); }", (1, 10), "`me` as its only parameter"),
            ("fn on_land(me) { a(me); } fn a(me) { wait(1); }", (1, 18), "start it with `me.start(\"a\")`"),
            ("fn on_land(me) { this.a(me); } fn a(me) { wait(1); }", (1, 23), "start it with `me.start(\"a\")`"),
            ("fn on_land(me) { wait(); }", (1, 18), "write `wait(seconds)`"),
            ("fn on_land(me) { wait_for(this.name); }", (1, 18), "the name of an event in quotes"),
            ("fn on_land(me) { wait_for(\"tick\"); }", (1, 27), "wait_ticks(1)"),
            ("fn on_land(me) { wait_for(\"death\"); }", (1, 27), "the entity is gone"),
            ("fn on_land(me) { wait_for(\"on_land\"); }", (1, 27), "the event is `land`"),
            ("fn on_land(me) { wait_until(me.grounded); }", (1, 18), "wait_until(|| me.grounded)"),
            ("fn on_land(me) { wait_until(|| { return true; }); }", (1, 18), "without parameters or `return`"),
            ("fn on_land(me) { let x = 1; { let x = 2; wait(1); } this.y = x; }", (1, 42), "rename one of them"),
        ];
        for (script, (line, column), why) in cases {
            let found = messages(script, &[]);
            let right = found.iter().any(|it| it.starts_with(&format!("({line}, {column}) ")) && it.contains(why));
            assert!(right, "{script}\n{found:#?}");
        }
        // A function of this name comes first.
        assert_eq!(messages("fn wait(x) { x } fn on_tick(me) { this.y = wait(1) + 1; }", &[]), [""; 0]);
        let imported = messages(
            "import \"lib\" as lib;\nfn on_tick(me) { lib::rest(me); }",
            &[("lib.rhai", "fn rest(me) { wait(1); }")],
        );
        assert!(imported.iter().any(|it| it.contains("imported file cannot wait")), "{imported:?}");
    });
}

#[test]
fn too_many_waits_and_too_deep_ones_are_refused_or_work() {
    on_large_stack(|| {
        let many = |n: usize| {
            format!("fn on_birth(me) {{ {} this.done = 1; }}", "if this.n == 0 { wait_ticks(1); }\n".repeat(n))
        };
        let mut run = Run::new(&many(64));
        run.ticks(66);
        assert_eq!(run.var("done"), Value::Int(1));
        assert!(messages(&many(65), &[])[0].contains("too many waits"), "{:?}", messages(&many(65), &[]));
        for depth in [1, 10, 20, 100] {
            let text = format!(
                "fn on_birth(me) {{ {} wait_ticks(1); this.done = 1; {} }}",
                "if true { ".repeat(depth),
                "}".repeat(depth)
            );
            let found = messages(&text, &[]);
            if found.is_empty() {
                let mut run = Run::new(&text);
                run.ticks(3);
                assert_eq!(run.var("done"), Value::Int(1), "{depth}");
            } else {
                assert!(depth > 10 && found.len() == 1, "{depth}: {found:?}");
            }
        }
    });
}

#[test]
fn calls_with_wrong_values_fail_and_end_the_sequence() {
    on_large_stack(|| {
        let long = "this.s = \"0123456789012345678901234567890123456789\";";
        for (body, why) in [
            ("wait(0.0 / 0.0);", "`seconds` of `wait` cannot be NaN"),
            ("wait(1e6);", "`seconds` of `wait` is 1000000; it must be between 0 and 86400"),
            ("wait(-1);", "`seconds` of `wait` is -1; it must be between 0 and 86400"),
            ("wait(\"1\");", "`seconds` of `wait` must be a number"),
            ("wait_ticks(-1);", "`count` of `wait_ticks` is -1; it must be between 0 and"),
            ("wait_ticks(0.5);", "`count` of `wait_ticks` is 0.5; it must be a whole number"),
            ("wait_for(\"land\", -1);", "`seconds` of `wait_for` is -1"),
            ("let f = || 1; wait(1); f.call();", "`f` has a function, which cannot be remembered"),
            ("let e = world::entity(\"hero\"); wait(1); this.x = e.x;", "`e` has an entity"),
            ("let l = [1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7]; wait(1); this.x = l;", "at most 16 values and 512 bytes"),
            ("let s = this.s; for i in 0..5 { s += s; } wait(1); this.x = s;", "at most 16 values and 512 bytes"),
            ("me.start(\"b\");", "this script has no sequence `b`"),
            ("me.stop(\"aa\");", "did you mean `a`?"),
            ("me.start(\"on_land\");", "`on_land` is a hook, which starts with its event"),
            ("loop { if this.n == 77 { wait(1); } }", "is there an infinite loop?"),
            ("me.__wait__(1, 99, #{});", "`wait` waits in event hooks"),
            ("me.__wait__(1, 0, #{ other: 1 });", "`wait` waits in event hooks"),
            ("me.__wait__(1, 0, [1]);", "must be a map, not an array"),
        ] {
            let script = format!(
                "fn on_birth(me) {{ {long} me.start(\"a\"); }} fn a(me) {{ {body} wait(9); }} fn on_land(me) {{ wait(1); }}"
            );
            let mut run = Run::new(&script);
            run.ticks(3);
            assert!(run.faults.len() == 1 && run.faults[0].contains(why), "{body}: {:?}", run.faults);
            assert_eq!(run.frames().len(), 0, "{body}");
        }
    });
}

#[test]
fn an_entity_has_at_most_eight_sequences() {
    on_large_stack(|| {
        let functions: String = (0..9).map(|n| format!("fn s{n}(me) {{ wait(9); }} ")).collect();
        let starts: String = (0..9).map(|n| format!("if this.n == {n} {{ me.start(\"s{n}\"); }} ")).collect();
        let mut run = Run::new(&format!("{functions} fn on_tick(me) {{ {starts} this.n += 1; }}"));
        run.ticks(8);
        assert_eq!((run.frames().len(), run.faults.len()), (8, 0));
        run.ticks(1);
        assert_eq!(run.frames().len(), 8);
        assert!(run.faults[0].contains("at most 8 running sequences"), "{:?}", run.faults);
    });
}

#[test]
fn saved_frames_that_were_changed_are_refused_or_harmless() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { me.start(\"a\"); } fn a(me) { let k = 1; wait(9); this.x = k + 1; }";
        let mut run = Run::new(script);
        run.ticks(2);
        let saved = serde_json::to_value(&run.world).expect("a world is data");
        let check = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut changed = saved.clone();
            change(&mut changed["frames"]);
            let loaded: Result<SavedWorld, _> = serde_json::from_value(changed);
            loaded
                .map_err(|error| error.to_string())
                .and_then(|it| it.check(&run.stage).map_err(|error| error.to_string()))
        };
        assert!(check(&|_| {}).is_ok());
        let refused: [&dyn Fn(&mut serde_json::Value); 8] = [
            &|frames| frames[0]["entity"] = json!(99),
            &|frames| frames[0]["entity"] = json!(0),
            &|frames| frames[0]["layer"] = json!("none"),
            &|frames| frames[0]["locals"] = json!([]),
            &|frames| frames[0]["until"] = json!({ "Tick": 1_u64 << 60 }),
            &|frames| frames[0]["until"] = json!("whenever"),
            &|frames| {
                let frame = frames[0].clone();
                frames.as_array_mut().expect("a list").push(frame);
            },
            &|frames| {
                let frame = frames[0].clone();
                for n in 0..8 {
                    let mut other = frame.clone();
                    other["at"]["sequence"] = json!(format!("s{n}"));
                    frames.as_array_mut().expect("a list").push(other);
                }
            },
        ];
        for (place, change) in refused.into_iter().enumerate() {
            assert!(check(change).is_err(), "change {place}");
        }
        // What only a script can judge is judged when it continues.
        let played: [&dyn Fn(&mut serde_json::Value); 5] = [
            &|frames| frames[0]["at"]["sequence"] = json!("on_birth 3"),
            &|frames| frames[0]["at"]["label"] = json!("wait(8)"),
            &|frames| frames[0]["at"]["names"] = json!(["j"]),
            &|frames| frames[0]["at"]["step"] = json!(u32::MAX),
            &|frames| frames[0]["locals"] = json!([{ "Text": "one" }]),
        ];
        for (place, change) in played.into_iter().enumerate() {
            let soon = |frames: &mut serde_json::Value| {
                change(frames);
                frames[0]["until"] = json!({ "Tick": 3 });
            };
            let world = check(&soon).unwrap_or_else(|error| panic!("{place}: {error}"));
            let mut again = Run::new(script);
            again.world = world;
            again.ticks(5);
            assert_eq!(again.frames().len(), 0, "change {place}");
            assert_eq!(again.faults.len(), usize::from(place < 3), "change {place}: {:?}", again.faults);
        }
    });
}
