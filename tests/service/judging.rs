//! How well entities do, by the rules of their scripts.

use crate::{folder::Folder, session::Session};
use serde_json::{Value, json};

const RULES: &str = "fn on_tick(me) { this.n += 1; }\n\
    fn reward(me) { this.n += 100; print(\"asked\"); this.n * 0.5 + world::random() * 0.0 }\n\
    fn done(me) { this.n >= 113 }";

/// A client with a world of this rate, and its number.
fn world_at(session: &mut Session, hz: u32) -> Value {
    let settings = json!({"simulation.tick_hz": hz});
    let params = json!({"level": "level", "settings": settings});
    session.result("world.create", &params)["world"].clone()
}

#[test]
fn a_judged_world_plays_like_one_that_is_not() {
    let folder = Folder::with_script(RULES);
    let mut session = Session::new(&folder);
    for hz in [30, 60, 120, 240] {
        let (judged, plain) = (world_at(&mut session, hz), world_at(&mut session, hz));
        for tick in 0..30 {
            let answer = session.result("world.judge", &json!({"world": judged, "entity": "hero"}));
            // What `reward` changes is there in `done`, but not later.
            let expected = json!({"reward": f64::from(tick + 100) * 0.5, "done": tick >= 13, "printed": ["asked"]});
            assert_eq!(answer, expected, "tick {tick}");
            let step = |session: &mut Session, world: &Value| {
                let params = json!({"world": world, "inputs": [{"held": ["right"]}], "observe": {}});
                session.result("world.step", &params)
            };
            assert_eq!(step(&mut session, &judged), step(&mut session, &plain));
        }
    }
}

#[test]
fn what_cannot_be_judged_is_null_or_an_error_with_the_nearest_name() {
    let folder = Folder::with_script("fn done(me) { this.missing.x }");
    let mut session = Session::new(&folder);
    let world = session.create();
    let answer = session.result("world.judge", &json!({"world": world, "entity": "hero"}));
    assert_eq!((&answer["reward"], &answer["done"]), (&Value::Null, &Value::Null));
    assert_eq!(answer["faults"][0]["hook"], "done", "{answer}");
    assert_eq!(answer["faults"].as_array().map(Vec::len), Some(1), "{answer}");
    // It is not reported again.
    let step = session.result("world.step", &json!({"world": world}));
    assert_eq!(step.get("faults"), None, "{step}");
    for (entity, part) in
        [("heroe", "did you mean `hero`?"), ("", "there is no entity"), ("level", "there is no entity")]
    {
        let (code, message, data) = session.error("world.judge", &json!({"world": world, "entity": entity}));
        assert_eq!((code, &data["place"], &data["allowed"]), (-32602, &json!("params.entity"), &json!(["hero"])));
        assert!(message.contains(part), "{message}");
    }
    let (code, ..) = session.error("world.judge", &json!({"world": 9, "entity": "hero"}));
    assert_eq!(code, -32003);
}

#[test]
fn printed_lines_beyond_the_first_thousand_are_counted() {
    let folder = Folder::with_script(
        "fn on_tick(me) { for i in 0..7 { print(`${this.n}`); this.n += 1; } }\nfn reward(me) { for i in 0..1100 { print(\"x\"); } 1.0 }",
    );
    let mut session = Session::new(&folder);
    let world = session.create();
    // Fewer, as many as the limit, and more.
    for (ticks, left_out) in [(10, None), (142, None), (143, Some(1)), (1_000, Some(6_000))] {
        let step = session.result("world.step", &json!({"world": world, "ticks": ticks}));
        let printed = step["printed"].as_array().expect("lines");
        assert_eq!(printed.len() as u64, (7 * ticks).min(1000));
        assert_eq!(step["printed_left_out"].as_u64(), left_out, "{ticks} ticks");
    }
    let judged = session.result("world.judge", &json!({"world": world, "entity": "hero"}));
    assert_eq!((judged["reward"].as_f64(), judged["printed_left_out"].as_u64()), (Some(1.0), Some(100)));
}
