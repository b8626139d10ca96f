//! What programs do to a world between two ticks: teleporting entities and emitting events.

use crate::{
    folder::{Folder, on_large_stack},
    session::Session,
    worlds::{RATES, counting, hashes, serve, world_at},
};
use hangtime::{service::ServedWorld, sim::Value};
use serde_json::json;
use std::ops::ControlFlow;

/// Where the hero is, and how fast, after each of some ticks.
fn motion(world: &mut ServedWorld, ticks: u64) -> Vec<[f64; 4]> {
    let mut found = Vec::new();
    world.step(ticks, |live| {
        let world = live.world();
        let body = world.body(world.entity("hero").expect("the hero"));
        found.push([body.pos.x, body.pos.y, body.vel.x, body.vel.y]);
        ControlFlow::<()>::Continue(())
    });
    found
}

/// A game whose hero teleports itself in this tick.
fn teleporting(tick: u64) -> Folder {
    let script = "fn on_tick(me) { if world::tick() == TICK { me.place(-100, 60); me.vel = vec(90, 240); } }";
    Folder::with_script(&script.replace("TICK", &tick.to_string()))
}

#[test]
fn a_body_that_a_program_places_moves_as_if_its_script_had_placed_it() {
    on_large_stack(|| {
        for hz in RATES {
            let ticks = u64::from(hz) / 2;
            let mut scripted = world_at(&serve(&teleporting(ticks)), hz);
            let expected = motion(&mut scripted, 3 * ticks);
            let mut placed = world_at(&serve(&teleporting(1_000_000)), hz);
            let mut found = motion(&mut placed, ticks);
            let hero = placed.live().world().entity("hero").expect("the hero").id;
            assert!(placed.place(hero, &[-100.0, 60.0], Some(&[90.0, 240.0])).expect("plain numbers"));
            found.extend(motion(&mut placed, 2 * ticks));
            assert_eq!(found, expected, "{hz} Hz");
        }
    });
}

#[test]
fn a_placed_body_on_the_ground_with_a_velocity_upward_leaves_it() {
    let folder = counting();
    on_large_stack(|| {
        let mut world = world_at(&serve(&folder), 60);
        motion(&mut world, 10);
        let hero = world.live().world().entity("hero").expect("the hero").id;
        assert!(world.place(hero, &[-200.0, 19.0], Some(&[0.0, 300.0])).expect("plain numbers"));
        let after = motion(&mut world, 2);
        assert!(after[1][1] > after[0][1] && after[0][1] > 19.0, "{after:?}");
    });
}

#[test]
fn forks_and_snapshots_keep_what_a_program_has_placed_and_emitted() {
    let folder = Folder::with_script("fn on_alarm(me, event) { this.n += event.data.by; me.vel.y = 100; }");
    let game = serve(&folder);
    on_large_stack(|| {
        for hz in RATES {
            let mut world = world_at(&game, hz);
            hashes(&mut world, 20);
            let hero = world.live().world().entity("hero").expect("the hero").id;
            assert!(world.place(hero, &[-150.0, 19.0], Some(&[40.0, 200.0])).expect("plain numbers"));
            let data = Value::Map([("by".to_string(), Value::Int(3))].into());
            world.emit("alarm", data).expect("an event");
            let mut fork = world.fork();
            let mut restored = world_at(&game, hz);
            restored
                .restore(&world.snapshot().expect("a snapshot"))
                .expect("a snapshot of this level");
            let expected = hashes(&mut world, 90);
            assert_eq!(hashes(&mut fork, 90), expected, "fork, {hz} Hz");
            assert_eq!(hashes(&mut restored, 90), expected, "snapshot, {hz} Hz");
            let vars = world.live().world().entity("hero").expect("the hero").vars.0.to_plain();
            assert_eq!(vars["n"], Value::Int(3), "it is heard once");
        }
    });
}

#[test]
fn scripts_hear_an_emitted_event_with_its_data_in_the_next_tick() {
    let folder = Folder::with_script(
        "fn on_alarm(me, event) { print(`${event.entity} ${event.data.x} ${event.data.loud} ${event.data.list[1]}`); }",
    );
    let mut session = Session::new(&folder);
    let w = session.create();
    let data = json!({"x": 40, "loud": true, "list": [0.5, "two", null]});
    let emitted = session.result("world.emit", &json!({"world": w, "event": "alarm", "data": data}));
    assert_eq!(emitted["tick"], 0);
    let step = session.result("world.step", &json!({"world": w}));
    assert_eq!(step["printed"], json!(["level 40 true two"]));
    let step = session.result("world.step", &json!({"world": w}));
    assert!(step.get("printed").is_none(), "{step}");
}

#[test]
fn emitted_events_have_the_limits_of_scripts() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let w = session.create();
    let mut emit = |data| session.call("world.emit", &json!({"world": w, "event": "alarm", "data": data}));
    // The list counts as a value, too.
    assert!(emit(json!(vec![0; 63])).get("error").is_none());
    assert_eq!(emit(json!(vec![0; 64]))["error"]["data"]["place"], "params.data");
    assert!(emit(json!("x".repeat(4096))).get("error").is_none());
    assert_eq!(emit(json!("x".repeat(4097)))["error"]["data"]["place"], "params.data");
    let nested = (0..63).fold(json!(1), |inside, _| json!([inside]));
    assert!(emit(nested.clone()).get("error").is_none());
    assert_eq!(emit(json!([nested]))["error"]["data"]["place"], "params.data");
}

#[test]
fn a_program_that_never_steps_fills_no_memory_with_events() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let w = session.create();
    let params = json!({"world": w, "event": "alarm"});
    for _ in 0..1024 {
        session.result("world.emit", &params);
    }
    let (code, message, _) = session.error("world.emit", &params);
    assert_eq!(code, -32004, "{message}");
    let saved = session.result("world.snapshot", &json!({"world": w}));
    session.result("world.restore", &json!({"world": w, "snapshot": saved["snapshot"]}));
    assert_eq!(session.error("world.emit", &params).0, -32004, "also after a snapshot");
    session.result("world.step", &json!({"world": w}));
    session.result("world.emit", &params);
}

#[test]
fn a_body_placed_in_a_solid_is_pushed_out_and_the_answer_says_where_to() {
    let folder = counting();
    let mut session = Session::new(&folder);
    let w = session.create();
    let placed = session.result("world.place", &json!({"world": w, "entity": "hero", "at": [-300, 15]}));
    // A standing hero has its center 19 px above the floor.
    let height = placed["pos"][1].as_f64().expect("a number");
    assert!((height - 19.0).abs() < 0.01 && placed["pos"][0] == -300.0, "{placed}");
    let seen = session.result("world.observe", &json!({"world": w}));
    assert_eq!((&seen["entities"][0]["pos"], &seen["hash"]), (&placed["pos"], &placed["hash"]));
}
