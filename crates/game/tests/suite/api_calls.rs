//! What script calls do, and what they report for wrong arguments.

use crate::{
    common::loaded,
    folder::{Folder, Game, LEVEL, on_large_stack},
};
use hangtime_core::sim::{Inputs, Value, Vars};
use hangtime_game::Live;
use hangtime_script::{
    api::Type,
    calls::{behavior_calls, check_call_setting},
};
use std::sync::Arc;

/// The message for a statement in `on_tick`, without its place.
fn said(statement: &str) -> String {
    let mut game = Folder::with_script(&format!("fn on_tick(me) {{ {statement} }}")).game();
    game.ticks(1);
    let wrong = game.wrong();
    let first = wrong.first().map_or("", String::as_str);
    first.split_once("error: ").map_or("", |(_, why)| why).into()
}

/// Statements and their messages.
const WRONG: &[(&str, &str)] = &[
    (
        "me.jump_to(1, 2);",
        "`jump_to` cannot be called as `jump_to(me, number, number)`; write \
                 `me.jump_to(x, y, clearance)` or `me.jump_to(x, y, clearance, velocity)`",
    ),
    ("me.hold(3);", "`hold` cannot be called as `hold(me, number)`; write `me.hold(action)`"),
    ("vec(1);", "`vec` cannot be called as `vec(number)`; write `vec(x, y)` or `vec(x, y, z)`"),
    ("me.tune(\"platformer.jump_sped\", 1);", "`platformer` has no tunable `jump_sped`; did you mean `jump_speed`?"),
    (
        "me.tune(\"platformer.grace_time\", 0.1);",
        "`platformer` has no tunable `grace_time`; did you mean `coyote_time`?",
    ),
    (
        "me.tune(\"jump_speed\", 1);",
        "a tuning key has the form `model.parameter`; did you mean `platformer.jump_speed`?",
    ),
    ("me.tune(\"platfomer.jump_speed\", 1);", "there is no model `platfomer`; did you mean `platformer`?"),
    ("me.tune(\"platformer.jump_speed\", -1);", "`platformer.jump_speed` is -1; it must be between 0 and 1000000 px/s"),
    ("me.tune(\"platformer.jump_speed\", 0.0 / 0.0);", "`platformer.jump_speed` cannot be NaN"),
    ("me.tune(\"platformer.jump_speed\", true);", "`platformer.jump_speed` must be a number, not true"),
    (
        "me.tune(\"platformer.hook_snap_needs_key\", 1);",
        "`platformer.hook_snap_needs_key` must be true or false, not 1",
    ),
    (
        "me.tune(\"platformer.jump_speed\", [1]);",
        "`platformer.jump_speed` must be a number, true or false, or text, not an array",
    ),
    ("\"5\".to_int();", "`to_int` cannot be called as `to_int(text)`; to parse text, use `parse_int(text)`"),
    ("me.after(-1, \"x\");", "`seconds` of `after` is -1; it must be between 0 and 86400"),
    ("me.after(0.0 / 0.0, \"x\");", "`seconds` of `after` cannot be NaN"),
    ("me.after(\"1\", \"x\");", "`seconds` of `after` must be a number, not text"),
    ("me.after(1, \"land\");", "`land` is a built-in event; choose another name"),
    ("world::emit(\"on_alarm\");", "event names do not start with `on_`: write `alarm`, which calls `fn on_alarm`"),
    (
        "world::emit(\"Alarm\");",
        "`emit` needs an event name of at most 64 characters from a-z, 0-9, and _, not starting with a \
         digit; got \"Alarm\"",
    ),
    ("world::emit(\"a\", #{ f: |x| x });", "event data cannot contain a function at `f`"),
    ("world::emit(\"a\", #{ x: [1.0 / 0.0] });", "event data cannot contain inf at `x[0]`"),
    ("world::emit(\"a\", me);", "event data cannot contain `me`"),
    ("world::random(2, 1);", "`low` of `random` must not exceed `high`, but 2 is more than 1"),
    ("world::random(0, 1.0 / 0.0);", "`high` of `random` cannot be inf"),
    (
        "world::create(\"heor\", 0, 0);",
        "there is no kind `heor`; did you mean `hero`? (a level loads only the kinds of its \
         entities and those that a script names in quotes)",
    ),
    ("world::create(\"hero\", 0.0 / 0.0, 0);", "`x` of `create` cannot be NaN"),
    ("world::create(\"hero\", 0, 0, 9);", "z is always 0 in a side view"),
    ("me.push_z(300);", "`push_z` needs a top view; in a side view, `me.push(0, speed)` pushes up"),
    ("me.push_z(0.0 / 0.0);", "`speed` of `push_z` cannot be NaN"),
    ("me.external = vec(0, 0, 9);", "`me.external.z` is always 0 in a side view"),
    ("world::solid(\"flor\");", "there is no solid `flor` in this level; did you mean `floor`?"),
    ("world::set_solid(\"rnik\", true);", "there is no solid `rnik` in this level; did you mean `rink`?"),
    ("let v = vec(0, \"a\");", "`y` of `vec` must be a number, not text"),
    ("vec(1, 2).clamped(-1);", "`length` of `clamped` is -1; it must be 0 or more"),
    ("let v = vec(1, 2) / 0; me.vel = v;", "`me.vel.x` cannot be inf"),
];

#[test]
fn wrong_arguments_say_what_is_expected() {
    on_large_stack(|| {
        for (statement, message) in WRONG {
            assert_eq!(said(statement), *message, "{statement}");
        }
    });
}

#[test]
fn calls_that_could_fill_memory_are_bounded() {
    on_large_stack(|| {
        for (statement, message) in [
            (
                "for i in 0..65 { me.after(9, \"x\"); }",
                "an entity can have at most 64 running timers; stop some with `me.cancel(name)`",
            ),
            ("for i in 0..65 { world::emit(\"x\"); }", "an entity can emit at most 64 events per tick"),
            (
                "let a = []; for i in 0..64 { a.push(i); } world::emit(\"x\", a);",
                "event data can have at most 64 values and 4096 bytes of text",
            ),
            (
                "let a = []; for i in 0..25 { a = [a, 1, 2]; } world::emit(\"x\", a);",
                "event data can have at most 64 values and 4096 bytes of text",
            ),
            (
                "let a = \"x\"; for i in 0..12 { a += a; } world::emit(\"x\", [a, a]);",
                "event data can have at most 64 values and 4096 bytes of text",
            ),
            (
                "let a = \"x\"; for i in 0..9 { a += a; } me.note(a);",
                "a note can have at most 256 bytes; this one has 512",
            ),
        ] {
            let said = said(&format!("this.n = 1; {statement}"));
            assert_eq!(said, message, "{statement}");
        }
    });
}

#[test]
fn rules_cannot_change_the_world() {
    on_large_stack(|| {
        for call in [
            "world::emit(\"x\")",
            "world::create(\"hero\", 0, 0)",
            "world::set_solid(\"floor\", true)",
            "me.remove()",
            "me.jump_to(0, 0, 10)",
        ] {
            let folder = Folder::with_script(&format!(
                "fn on_birth(me) {{ me.place(-30, 40); me.vel = vec(400, 0); }}\n\
                 fn on_tick(me) {{ me.hold(\"right\"); }}\n\
                 fn can_grab(me, hit) {{ {call}; true }}"
            ));
            let wall = "[[solid]]\npoints = [[0, 0], [40, 0], [40, 300], [0, 300]]\n";
            folder.write("levels/level.toml", &LEVEL.replacen("[[entity]]", &format!("{wall}[[entity]]"), 1));
            let mut game = folder.game();
            game.ticks(40);
            let name = call.split(['(']).next().unwrap_or_default();
            let name = name.trim_start_matches("world::").trim_start_matches("me.");
            let message = format!("`{name}` cannot be called from a rule; call it from an event hook");
            let wrong = game.wrong();
            assert!(wrong.iter().any(|w| w.contains(&message)), "{call}: {wrong:?}");
        }
    });
}

/// The random numbers of the hero, one per tick.
fn drawn(script: &str, seed: u64) -> Vec<Value> {
    let folder = Folder::with_script(&format!("fn on_birth(me) {{ this.all = []; }} {script}"));
    let second = "[[entity]]\nkind = \"hero\"\nname = \"other\"\nat = [-400, 19]\n";
    folder.write("levels/level.toml", &format!("{LEVEL}{second}"));
    let mut live = Live::new(Arc::new(folder.open().expect("it opens")), seed);
    for _ in 0..20 {
        assert!(live.step(&Inputs::default()).faults.is_empty());
    }
    let world = live.world();
    let hero = world.entities().iter().find(|e| &*e.name == "hero");
    match hero.expect("it is there").vars.0.to_plain().remove("all") {
        Some(Value::List(list)) => list,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_entity_has_a_random_stream_that_depends_on_the_seed() {
    on_large_stack(|| {
        let draw = "fn on_tick(me) { this.all.push(world::random()); }";
        let one = drawn(draw, 1);
        assert_eq!(one.len(), 20);
        assert_eq!(one, drawn(draw, 1));
        assert_ne!(one, drawn(draw, 2));
        for x in &one {
            assert!(matches!(x, Value::Float(x) if (0.0..1.0).contains(x)), "{x:?}");
        }
        // Another entity's draws leave this stream unchanged.
        let others = "fn on_tick(me) { if me.name == \"other\" { world::random(); world::random(); } \
                      this.all.push(world::random()); }";
        assert_eq!(one, drawn(others, 1));
        // All numbers differ.
        let mut bits: Vec<u64> = one.iter().map(|x| if let Value::Float(x) = x { x.to_bits() } else { 0 }).collect();
        bits.sort_unstable();
        bits.dedup();
        assert_eq!(bits.len(), 20);
        let ranged = drawn("fn on_tick(me) { this.all.push(world::random(-2, 3)); }", 1);
        assert!(ranged.iter().all(|x| matches!(x, Value::Float(x) if (-2.0..=3.0).contains(x))));
        assert!(ranged.iter().any(|x| matches!(x, Value::Float(x) if *x < 0.0)));
        assert!(ranged.iter().any(|x| matches!(x, Value::Float(x) if *x > 1.0)));
    });
}

#[test]
fn vec_arithmetic() {
    on_large_stack(|| {
        for sum in [
            "vec(1, 2) + vec(3, 4) == vec(4, 6)",
            "vec(3, 4) - vec(1, 2) == vec(2, 2)",
            "-vec(1, -2) == vec(-1, 2)",
            "vec(1, 2) * 2 == vec(2, 4) && 2.0 * vec(1, 2) == vec(2, 4)",
            "vec(1, 2) / 2 == vec(0.5, 1)",
            "vec(1, 2) != vec(1, 2.5)",
            "vec(1, 2, 3).z == 3.0 && vec(1, 2).z == 0.0",
            "vec(3, 4).length() == 5.0 && vec(3, 4).length_squared() == 25.0",
            "vec(2, 3, 6).length() == 7.0",
            "vec(3, 4).normalized() == vec(0.6000000000000001, 0.8)",
            "vec(0, 0).normalized() == vec(0, 0)",
            "vec(1, 2).dot(vec(3, 4)) == 11.0",
            "vec(1, 1).distance(vec(4, 5)) == 5.0",
            "abs(vec(0, 2).angle() - PI() / 2) < 1e-15",
            "vec(1, 0).rotated(PI() / 2).distance(vec(0, 1)) < 1e-15",
            "vec(0, 0).lerp(vec(10, 20), 0.25) == vec(2.5, 5)",
            "vec(30, 40).clamped(5).distance(vec(3, 4)) < 1e-14",
            "vec(3, 4).clamped(10) == vec(3, 4)",
            "vec(3, 4).clamped(0) == vec(0, 0)",
        ] {
            assert_eq!(said(&format!("if !({sum}) {{ throw \"no\"; }}")), "", "{sum}");
        }
        let changed = "let v = vec(1, 2); v += vec(1, 1); v *= 2; v -= vec(1, 0); v /= 2; v.x += 1; \
                       if v != vec(2.5, 3) { throw v.to_string(); }";
        assert_eq!(said(changed), "");
    });
}

#[test]
fn a_vec_in_a_variable_survives_saving_and_loading() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { this.at = vec(3, 4); this.all = [vec(1, 2)]; }\n\
                      fn on_tick(me) { this.far = this.at.length() + this.all[0].y; }";
        let folder = Folder::with_script(script);
        let mut game = folder.game();
        game.ticks(1);
        assert_eq!(game.var("at"), Value::Vector([3.0, 4.0, 0.0]));
        let hash = game.live.world().hash();
        let saved = serde_json::to_string(game.live.world()).expect("it is saved");
        let world = loaded(&saved, &game.live.revision().stage);
        assert_eq!(world.hash(), hash);
        let vars = world.entities()[0].vars.0.to_plain();
        assert_eq!(vars["at"], Value::Vector([3.0, 4.0, 0.0]));
        // A script can continue to use it.
        let mut kept = Vars::plain(vars);
        kept.0.fill(&Default::default());
        assert_eq!(kept.0.to_plain()["all"], Value::List(vec![Value::Vector([1.0, 2.0, 0.0])]));
        game.ticks(2);
        assert_eq!(game.var("far"), Value::Float(7.0));
        assert!(game.wrong().is_empty(), "{:?}", game.wrong());
    });
}

#[test]
fn created_entities_get_unique_names() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { if me.name == \"hero\" { this.made = [\n\
            world::create(\"hero\", -300, 19), world::create(\"hero\", -350, 19)]; } }";
        let folder = Folder::with_script(script);
        let namesake = "[[entity]]\nkind = \"hero\"\nname = \"hero_3\"\nat = [-400, 19]\n";
        folder.write("levels/level.toml", &format!("{LEVEL}{namesake}"));
        let mut game = Game::new(Arc::new(folder.open().expect("it opens")));
        game.ticks(2);
        assert!(game.wrong().is_empty(), "{:?}", game.wrong());
        let text = |name: &str| Value::Text(name.into());
        assert_eq!(game.var("made"), Value::List(vec![text("hero_3_"), text("hero_4")]));
        let mut names: Vec<String> = game.live.views().map(|view| view.name.to_string()).collect();
        names.sort_unstable();
        assert_eq!(names, ["hero", "hero_3", "hero_3_", "hero_4"]);
    });
}

#[test]
fn level_scripts_have_no_body() {
    on_large_stack(|| {
        for (statement, what) in [
            ("let x = me.x;", "x"),
            ("me.vel = vec(0, 0);", "vel"),
            ("me.jump();", "jump"),
            ("me.held(\"jump\");", "held"),
            ("me.remove();", "remove"),
            ("me.tune(\"platformer.jump_speed\", 1);", "tune"),
            ("me.plan_jump(0, 0, 10);", "plan_jump"),
        ] {
            let folder = Folder::with_script("fn on_tick(me) { }");
            folder.write("levels/level.toml", &format!("script = \"gap.rhai\"\n{LEVEL}"));
            let works = "print(`${me.name} ${me.kind} ${me.id} ${me.age}`); me.after(1, \"x\"); me.cancel(\"x\"); \
                         me.note(\"y\"); world::emit(\"z\"); world::random();";
            folder.write("scripts/gap.rhai", &format!("fn on_tick(me) {{ {works} {statement} }}"));
            let mut game = folder.game();
            game.ticks(1);
            let wrong = game.wrong();
            let message = format!("the level itself has no `{what}`");
            assert!(wrong[0].contains(&message), "{wrong:?}");
        }
    });
}

#[test]
fn a_tunable_without_a_model_suggests_the_entitys_model() {
    on_large_stack(|| {
        for model in ["platformer", "topdown"] {
            let folder = Folder::with_script("fn on_tick(me) { me.tune(\"jump_speed\", 700); }");
            folder.write("config/entities/hero.toml", &format!("model = \"{model}\"\nscript = \"hero.rhai\"\n"));
            if model == "topdown" {
                folder.write("levels/level.toml", &format!("view = \"top\"\n{LEVEL}"));
            }
            let mut game = folder.game();
            game.ticks(1);
            let right = format!("; did you mean `{model}.jump_speed`?");
            assert!(game.wrong()[0].ends_with(&right), "{:?}", game.wrong());
        }
    });
}

#[test]
fn every_documented_setting_is_a_setting_of_its_call_and_no_other_is() {
    let map = |of: Type| match of {
        Type::Map(shape) => Some(shape),
        Type::Either(types) => types.iter().find_map(|of| match of {
            Type::Map(shape) => Some(*shape),
            _ => None,
        }),
        _ => None,
    };
    let mut checked = 0;
    for entry in &behavior_calls().entries {
        for shape in entry.parameters.iter().filter_map(|parameter| map(parameter.takes)) {
            for field in shape.fields() {
                assert!(check_call_setting(entry.name, field.name, None).is_ok(), "{}: {}", entry.name, field.name);
                checked += 1;
            }
            assert!(check_call_setting(entry.name, "nothing", None).is_err(), "{}", entry.name);
        }
    }
    assert!(checked >= 8, "{checked}");
}
