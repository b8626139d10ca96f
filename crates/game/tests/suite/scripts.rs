//! What scripts can do, and what they cannot.

use crate::{
    common::{loaded, near},
    folder::{Folder, Game, LEVEL, on_large_stack},
};
use hangtime_core::{
    models::{Action, ModelName},
    sim::Value,
};
use std::sync::Arc;

#[test]
fn model_can_depend_on_the_ground() {
    let folder =
        Folder::with_script(r#"fn model(me) { if me.surface == "ice" { "two_velocity" } else { "platformer" } }"#);
    let mut game = folder.game();
    game.input.held.insert(Action::Right);
    let mut seen = Vec::new();
    for _ in 0..120 {
        game.ticks(1);
        let hero = game.hero();
        if seen.last() != Some(&(hero.model_name(), hero.surface.to_string())) {
            seen.push((hero.model_name(), hero.surface.to_string()));
        }
    }
    assert_eq!(game.wrong(), [""; 0]);
    let expected = [(ModelName::platformer, "stone"), (ModelName::platformer, "ice"), (ModelName::two_velocity, "ice")];
    assert_eq!(seen, expected.map(|(m, s)| (m.as_str(), s.to_string())));
}

#[test]
fn a_model_change_keeps_momentum() {
    let folder =
        Folder::with_script(r#"fn model(me) { if me.surface == "ice" { "two_velocity" } else { "platformer" } }"#);
    let mut game = folder.game();
    game.input.held.insert(Action::Right);
    let mut last = 0.0;
    while game.hero().model_name() == "platformer" {
        last = game.hero().vel.x;
        game.ticks(1);
    }
    let now = game.hero().vel.x;
    assert!(now >= last - 1e-9 && now < last + 30.0, "{last} then {now}");
}

#[test]
fn jump_windows_sets_coyote_time_and_jump_buffer() {
    for (hold, ticks_up) in [(0.05, 3), (0.2, 12)] {
        let folder = Folder::with_script(&format!("fn jump_windows(me) {{ #{{ jump_hold_time: {hold} }} }}"));
        let mut game = folder.game();
        game.input.held.insert(Action::Jump);
        let mut held = 0;
        while game.ticks(1).hero().vel.y == 540.0 {
            held += 1;
        }
        assert_eq!(held, ticks_up, "held for {hold} s");
    }
}

#[test]
fn events_reach_hooks_with_their_fields() {
    let folder = Folder::with_script(
        r#"
        fn on_birth(me) { this.log = ["birth"]; }
        fn on_jump(me) { this.log.push("jump"); }
        fn on_leave_ground(me, event) { this.log.push("left " + event.jumped); }
        fn on_land(me, event) {
            this.log.push("land");
            this.solid = event.solid;
            this.up = event.normal.y;
            this.speed = event.speed;
        }
        fn on_surface(me, event) { this.log.push(event.was + " to " + event.surface); }
        fn on_model(me, event) { this.log.push(event.was + " to " + event.model); }
        fn on_tick(me) {
            this.n += 1;
            if this.n == 70 { me.set_model("two_velocity"); }
        }
        "#,
    );
    let mut game = folder.game();
    game.ticks(1);
    game.input.held.insert(Action::Jump);
    game.ticks(1);
    game.input.held.remove(Action::Jump);
    game.ticks(58);
    game.input.held.insert(Action::Right);
    game.ticks(60);
    assert_eq!(game.wrong(), [""; 0]);
    let Value::List(log) = game.var("log") else { panic!("no log in {:?}", game.vars()) };
    let log: Vec<String> = log.iter().map(|v| format!("{v:?}")).collect();
    let expected = ["birth", "jump", "left true", "land", "platformer to two_velocity", "stone to ice"];
    assert_eq!(log, expected.map(|word| format!("Text({word:?})")));
    assert_eq!(game.var("solid"), Value::Text("floor".into()));
    assert_eq!(game.var("up"), Value::Float(1.0));
    // One tick up at 540 px/s, then free fall from that height.
    let height: f64 = 540.0 / 60.0;
    let Value::Float(speed) = game.var("speed") else { panic!("no speed") };
    let exact = (2.0 * 3672.0 * height).sqrt();
    near(speed, exact, 1e-9);
}

#[test]
fn hold_moves_an_entity_like_a_player() {
    let folder = Folder::with_script("fn on_tick(me) { me.hold(\"right\"); }");
    let mut scripted = folder.game();
    let still = Folder::with_script("");
    let mut played = still.game();
    played.input.held.insert(Action::Right);
    for _ in 0..120 {
        scripted.ticks(1);
        played.ticks(1);
        assert_eq!(scripted.hero().pos, played.hero().pos);
    }
}

#[test]
fn steer_moves_the_stick() {
    let folder = Folder::with_script("fn model(me) { \"two_velocity\" } fn on_tick(me) { me.steer(\"move\", -1, 0); }");
    let mut game = folder.game();
    game.ticks(30);
    assert!(game.hero().vel.x < -100.0);
}

#[test]
fn release_lifts_a_held_key() {
    let folder = Folder::with_script("fn on_tick(me) { me.release(\"right\"); }");
    let mut game = folder.game();
    game.input.held.insert(Action::Right);
    game.ticks(10);
    assert_eq!(game.hero().vel.x, 0.0);
}

#[test]
fn constants_and_imports_are_visible_inside_functions() {
    let folder = Folder::with_script(
        r#"
        import "lib/sums" as sums;
        const STEP = 3;
        const NAMES = ["a", "b"];
        fn on_tick(me) { this.n = sums::twice(step()) + NAMES.len(); }
        fn step() { STEP + sums::one() }
        "#,
    );
    folder.write("scripts/lib/sums.rhai", "const TWO = 2; fn twice(x) { x * TWO } fn one() { 1 }");
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0]);
    assert_eq!(game.var("n"), Value::Int(10));
}

#[test]
fn components_of_vectors_can_be_assigned() {
    let folder = Folder::with_script(
        "fn on_tick(me) { if this.n == 0 { me.vel.x = 300; me.external.y = 150.5; this.n = me.vel.x; } }",
    );
    let mut game = folder.game();
    game.ticks(1);
    assert_eq!(game.wrong(), [""; 0]);
    assert_eq!(game.var("n"), Value::Float(300.0));
    assert!(game.hero().vel.x > 200.0 && game.hero().external.y > 100.0);
}

#[test]
fn a_body_pushed_upward_leaves_the_ground() {
    for write in ["me.vel.y = 200", "me.push(0, 200)", "me.external = vec(0, 200)"] {
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ if this.n == 0 {{ {write}; }} this.n += 1; }}"));
        let mut game = folder.game();
        game.ticks(1);
        assert!(!game.hero().grounded && game.hero().pos.y > 19.0, "{write}");
        assert!(game.ticks(60).hero().grounded, "{write}");
    }
}

#[test]
fn a_scripted_jump_works_in_the_air() {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; if this.n == 20 { me.jump(); } }");
    let mut game = folder.game();
    game.input.held.insert(Action::Jump);
    game.ticks(18);
    let low = game.hero().vel.y;
    game.ticks(2);
    assert!(low < 540.0 && game.hero().vel.y == 540.0, "{low}");
}

#[test]
fn place_moves_the_body_and_finds_its_ground() {
    let folder = Folder::with_script("fn on_tick(me) { if this.n == 0 { me.place(500, 19); } this.n += 1; }");
    let mut game = folder.game();
    game.ticks(1);
    let hero = game.hero();
    assert_eq!((hero.pos.x, hero.pos.y, &*hero.surface), (500.0, 19.0, "ice"));
}

#[test]
fn falling_out_returns_to_the_start_unless_the_script_calls_place() {
    for (script, x) in [("", -200.0), ("fn on_fall_out(me) { me.place(-300, 19); me.vel = vec(0, 0); }", -300.0)] {
        let folder = Folder::with_script(script);
        folder.write("levels/level.toml", &format!("bounds = [-2000, -300, 2000, 500]\n{}", crate::folder::LEVEL));
        let mut game = folder.game();
        game.input.held.insert(Action::Left);
        while game.hero().pos.y > -250.0 {
            game.ticks(1);
        }
        game.input.held.remove(Action::Left);
        game.ticks(120);
        let hero = game.hero();
        assert_eq!((hero.pos.x, hero.grounded), (x, true), "{script}");
    }
}

#[test]
fn variables_are_part_of_snapshots_and_hashes() {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; this.deep = #{ list: [this.n] }; }");
    let mut game = folder.game();
    game.ticks(5);
    let snapshot = game.live.world().clone();
    let hash = snapshot.hash();
    game.ticks(5);
    assert_ne!(game.live.world().hash(), hash);
    let later = game.live.world().hash();
    game.live.restore(snapshot.clone());
    assert_eq!(game.live.world().hash(), hash);
    assert_eq!(game.ticks(5).live.world().hash(), later);
    // A saved and loaded game continues the same.
    let saved = serde_json::to_string(&snapshot).expect("a world can be saved");
    let world = loaded(&saved, &game.live.revision().stage);
    game.live.restore(world);
    assert_eq!(game.live.world().hash(), hash);
    assert_eq!(game.ticks(5).live.world().hash(), later);
}

#[test]
fn every_event_hook_may_take_an_event_parameter() {
    on_large_stack(|| {
        let script = "fn on_tick(me, event) { this.n = event.tick; this.who = event.entity; }";
        let mut game = Folder::with_script(script).game();
        game.ticks(3);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.var("n"), Value::Int(2));
        assert_eq!(game.var("who"), Value::Text("hero".into()));
    });
}

#[test]
fn calling_a_method_on_a_property_does_not_change_it() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.s = me.vel.length() + me.x.abs() + me.external.length(); \
                      this.n += 1; }";
        let mut game = Folder::with_script(script).game();
        game.ticks(3);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.var("s"), Value::Float(200.0));
    });
}

#[test]
fn a_grounded_entity_knows_its_solid() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {
            if this.log.is_empty() || this.log[this.log.len() - 1] != me.solid { this.log.push(me.solid); }
            let seen = world::entity(\"hero\").solid;
            if seen != me.solid { this.log.push(`seen on ${seen}`); }
        }";
        let quoted = |name: &str| format!("{:?}", Value::Text(name.into()));
        let log = |game: &Game| match game.var("log") {
            Value::List(all) => all.into_iter().map(|v| format!("{v:?}")).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let folder = Folder::with_script(script);
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { log = [] }\n");
        let mut game = folder.game();
        game.input.held = [Action::Right].into_iter().collect();
        game.ticks(80);
        game.input.held.insert(Action::Jump);
        game.ticks(5);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(log(&game), ["floor", "rink", ""].map(quoted));
        // From the ground of a top view onto a low block.
        let level = "view = \"top\"\n[[solid]]\nname = \"block\"\ntop = 0.0\n\
                     points = [[0, -90], [200, -90], [200, 90], [0, 90]]\n\
                     [[entity]]\nkind = \"hero\"\nat = [-60, 0]\nplayer = 1\nmodel = \"topdown\"\n";
        folder.write("levels/level.toml", level);
        let mut game = folder.game();
        game.input.held = [Action::Right].into_iter().collect();
        game.ticks(30);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(log(&game), ["", "block"].map(quoted));
    });
}

#[test]
fn too_many_entities_for_an_array_is_an_error_at_the_call() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n    this.n = world::all(\"hero\").len();\n}";
        let folder = Folder::with_script(script);
        let more = "[[entity]]\nkind = \"hero\"\nat = [-400, 19]\n".repeat(16);
        folder.write("levels/level.toml", &format!("{LEVEL}{more}"));
        let few = [("scripts.array_length", "16")];
        let mut game = Game::new(Arc::new(folder.open_with(&few).expect("a good level")));
        game.ticks(1);
        let expected = "scripts/hero.rhai:2:21: error: there are 17 entities of kind `hero`, but an array can have at most \
                        16 elements (`array_length` in [scripts])";
        assert_eq!(game.wrong()[0], expected);
    });
}
