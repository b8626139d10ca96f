//! Actions of scripts in one tick, combined with each other and with the player's keys.

use crate::{
    common::RATES,
    folder::{Folder, Game, on_large_stack},
    lives::told,
};
use hangtime_core::{
    models::Action,
    sim::{EventKind, Value},
};
use std::sync::Arc;

/// A hero of this model that runs these statements in one tick after it has come to rest.
fn ordering(model: &str, orders: &str) -> Folder {
    let script = format!("fn on_tick(me) {{ if world::tick() == 30 {{ {orders} }} }}");
    let folder = Folder::with_script(&script);
    let kind = format!("script = \"hero.rhai\"\nmodel = \"{model}\"\n");
    folder.write("config/entities/hero.toml", &kind);
    folder
}

#[test]
fn a_jump_is_not_lost_among_other_actions_of_its_tick() {
    on_large_stack(|| {
        for model in ["platformer", "two_velocity"] {
            let others = [
                format!("me.tune(\"{model}.max_fall_speed\", 650);"),
                "me.place(me.x, me.y);".into(),
                format!("me.set_model(\"{model}\");"),
                "me.facing = -1;".into(),
            ];
            for hz in RATES {
                let mut alone = ordering(model, "me.jump();").game_at(hz);
                alone.ticks(30);
                let happened = told(&mut alone, 3);
                let began = |e: &&hangtime_core::sim::Event| matches!(e.kind, EventKind::Jump);
                assert_eq!(happened.iter().filter(began).count(), 1, "{model} at {hz} Hz");
                assert!(alone.hero().vel.y > 0.0);
                for order in &others {
                    for both in [format!("{order} me.jump();"), format!("me.jump(); {order}")] {
                        let mut game = ordering(model, &both).game_at(hz);
                        game.ticks(30);
                        assert_eq!(told(&mut game, 3), happened, "{both} at {hz} Hz");
                        let (got, expected) = (game.hero(), alone.hero());
                        assert_eq!((got.pos, got.vel), (expected.pos, expected.vel), "{both}");
                        assert_eq!(game.wrong(), [""; 0]);
                    }
                }
            }
        }
    });
}

#[test]
fn a_jump_uses_the_speed_tuned_in_the_same_tick() {
    on_large_stack(|| {
        for hz in RATES {
            let tuned = "me.tune(\"platformer.jump_speed\", 600); me.jump();";
            let mut game = ordering("platformer", tuned).game_at(hz);
            let folder = ordering("platformer", "me.jump();");
            folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\n[platformer]\njump_speed = 600\n");
            let mut same = folder.game_at(hz);
            for tick in 0..33 {
                game.ticks(1);
                same.ticks(1);
                let (got, expected) = (game.hero(), same.hero());
                assert_eq!((got.pos, got.vel), (expected.pos, expected.vel), "{tick}, {hz} Hz");
            }
            assert!(game.hero().vel.y > 0.0);
        }
    });
}

/// What a script reads of a key held for 4 ticks from tick 5 on: how often it is pressed,
/// released, and held when the script is called.
fn seen(orders: &str) -> [Value; 3] {
    let script = format!(
        "fn on_tick(me) {{
            if me.pressed(\"jump\") {{ this.pressed += 1; }}
            if me.released(\"jump\") {{ this.released += 1; }}
            if me.held(\"jump\") {{ this.held += 1; }}
            {orders}
        }}"
    );
    let folder = Folder::with_script(&script);
    folder
        .write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { pressed = 0, released = 0, held = 0 }\n");
    let mut game = folder.game();
    game.ticks(5);
    game.input.held = [Action::Jump].into_iter().collect();
    game.ticks(4);
    game.input.held = Default::default();
    game.ticks(5);
    assert_eq!(game.wrong(), [""; 0]);
    ["pressed", "released", "held"].map(|name| game.var(name))
}

#[test]
fn hold_and_release_do_not_change_the_players_keys() {
    on_large_stack(|| {
        for orders in [
            "",
            "me.release(\"jump\");",
            "me.hold(\"jump\");",
            "if world::tick() % 2 == 0 { me.release(\"jump\"); }",
            "if world::tick() % 2 == 0 { me.hold(\"jump\"); }",
        ] {
            assert_eq!(seen(orders), [1, 1, 4].map(Value::Int), "{orders}");
        }
    });
}

#[test]
fn a_suppressed_key_is_not_pressed_again_when_the_script_stops() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { if world::tick() < 40 { me.release(\"jump\"); } }";
        let mut game = Folder::with_script(script).game();
        game.ticks(20);
        game.input.held = [Action::Jump].into_iter().collect();
        let happened = told(&mut game, 40);
        let jumped = |e: &hangtime_core::sim::Event| matches!(e.kind, EventKind::Jump);
        assert!(!happened.iter().any(jumped), "the press was 20 ticks before");
    });
}

#[test]
fn a_key_held_by_a_script_is_pressed_once() {
    on_large_stack(|| {
        for hz in RATES {
            // The key is held all the time; a jump starts with a press.
            let folder = Folder::with_script("fn on_tick(me) { me.hold(\"jump\"); }");
            let mut game = folder.game_at(hz);
            let happened = told(&mut game, 2 * hz as usize);
            let jumped = |e: &&hangtime_core::sim::Event| matches!(e.kind, EventKind::Jump);
            assert_eq!(happened.iter().filter(jumped).count(), 1, "{hz} Hz");
        }
    });
}

#[test]
fn a_script_reads_back_its_own_hold_and_steer() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {
            me.steer(\"move\", 5, -0.5);
            me.aim(7, 8);
            me.hold(\"jump\");
            this.move = me.axis(\"move\");
            this.aim = me.axis(\"aim\");
            this.begins = me.held(\"jump\") && me.pressed(\"jump\");
            me.steer(\"aim\", 9, 10);
            this.other = me.axis(\"aim\");
            me.release(\"jump\");
            this.ends = me.held(\"jump\") || me.pressed(\"jump\");
        }";
        let mut game = Folder::with_script(script).game();
        game.ticks(1);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.var("move"), Value::Vector([1.0, -0.5, 0.0]));
        assert_eq!(game.var("aim"), Value::Vector([7.0, 8.0, 0.0]));
        assert_eq!(game.var("other"), Value::Vector([9.0, 10.0, 0.0]));
        assert_eq!(game.var("begins"), Value::Bool(true));
        assert_eq!(game.var("ends"), Value::Bool(false));
    });
}

/// A level with narrow bounds whose hero teleports far outside in tick 10.
fn put_outside(script: &str) -> Game {
    let folder = Folder::with_script(script);
    let level = format!("bounds = [-900, -200, 900, 500]\n{}", crate::folder::LEVEL);
    folder.write("levels/level.toml", &level);
    folder.write("config/entities/coin.toml", "script = \"coin.rhai\"\n[platformer]\ngravity_scale = 0\n");
    folder.write(
        "scripts/coin.rhai",
        "fn on_tick(me) { if me.age > 0.1 && this.put != true { this.put = true; me.place(5000, 0); } }
        fn on_fall_out(me) { me.note(\"out\"); }
        fn on_death(me) { me.note(\"dead\"); }",
    );
    folder.game()
}

#[test]
fn an_entity_that_teleports_out_of_bounds_gets_on_fall_out() {
    on_large_stack(|| {
        let mut game = put_outside(
            "fn on_tick(me) { if world::tick() == 10 { me.place(5000, 0); } }
            fn on_fall_out(me) { this.fell = world::tick(); this.at = me.x; }",
        );
        game.ticks(11);
        assert_eq!(game.hero().pos.x, 5000.0);
        game.ticks(1);
        // The step from tick 10 to 11 moves it there; the next calls the hook and returns it.
        assert_eq!(game.var("fell"), Value::Int(11));
        assert_eq!(game.var("at"), Value::Float(5000.0));
        assert_eq!(game.hero().pos.x, -200.0);
    });
}

#[test]
fn a_created_entity_that_teleports_out_of_bounds_gets_its_last_hooks() {
    on_large_stack(|| {
        let mut game = put_outside("fn on_tick(me) { if me.age == 0 { world::create(\"coin\", 0, 300); } }");
        let notes = told(&mut game, 30).into_iter().filter_map(|e| match e.kind {
            EventKind::Note { text } => Some(text.to_string()),
            _ => None,
        });
        assert_eq!(notes.collect::<Vec<_>>(), ["out", "dead"]);
        assert_eq!(game.live.world().entities().len(), 1);
    });
}

#[test]
fn rules_get_a_new_budget_in_ticks_without_script_calls() {
    on_large_stack(|| {
        let folder = Folder::with_script("fn can_grab(me, hit) { let x = 1; x += 1; x > 5 }");
        let wall = "[[solid]]\npoints = [[-100, 0], [-100, 900], [-50, 900], [-50, 0]]\n";
        folder.write("levels/level.toml", &format!("{wall}{}", crate::folder::LEVEL));
        let few = [("scripts.tick_operations", "100")];
        let mut game = Game::new(Arc::new(folder.open_with(&few).expect("a good level")));
        game.input.held = [Action::Right, Action::Jump].into_iter().collect();
        for tick in 0..400 {
            // It keeps jumping along the wall.
            game.input.held = if tick % 30 < 20 {
                [Action::Right, Action::Jump].into_iter().collect()
            } else {
                [Action::Right].into_iter().collect()
            };
            game.ticks(1);
            assert_ne!(game.hero().mode, "wall", "tick {tick}");
        }
        assert!(game.hero().pos.x > -120.0, "it is at the wall");
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn emitted_events_are_delivered_once_when_the_budget_runs_out() {
    on_large_stack(|| {
        let folder = Folder::with_script("fn on_ping(me) { this.heard += 1; }");
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { heard = 0 }\n");
        let mut level = crate::folder::LEVEL.to_string();
        // After the hero come an entity that uses up the budget and one that emitted and is skipped.
        for (kind, script) in [
            ("eater", "fn on_tick(me) { if world::tick() == 3 { for i in 0..4000 { } } }"),
            ("voice", "fn on_tick(me) { if world::tick() == 2 { world::emit(\"ping\", 1); } }"),
        ] {
            folder.write(&format!("scripts/{kind}.rhai"), script);
            let file = format!("config/entities/{kind}.toml");
            folder.write(&file, &format!("script = \"{kind}.rhai\"\n"));
            level += &format!("[[entity]]\nkind = \"{kind}\"\nat = [-400, 19]\n");
        }
        folder.write("levels/level.toml", &level);
        let few = [("scripts.tick_operations", "3000")];
        let mut game = Game::new(Arc::new(folder.open_with(&few).expect("a good level")));
        game.ticks(10);
        assert!(game.wrong().iter().any(|w| w.contains("remaining calls")), "{:?}", game.wrong());
        assert_eq!(game.var("heard"), Value::Int(1));
    });
}

/// A press that a script answered with `me.jump()` once stayed buffered and jumped again on landing.
#[test]
fn a_jump_ordered_in_response_to_a_press_happens_once() {
    on_large_stack(|| {
        for model in ["platformer", "two_velocity"] {
            for hz in RATES {
                let script = "fn on_tick(me) { if me.pressed(\"jump\") { me.jump(); } }";
                let folder = Folder::with_script(script);
                let kind = format!("script = \"hero.rhai\"\nmodel = \"{model}\"\n");
                folder.write("config/entities/hero.toml", &kind);
                let mut game = folder.game_at(hz);
                game.ticks(hz as usize / 2);
                // A tap: the key is released before the landing.
                game.input.held.insert(Action::Jump);
                let mut happened = told(&mut game, 1);
                game.input.held = Default::default();
                happened.extend(told(&mut game, hz as usize));
                let jumped = happened.iter().filter(|e| matches!(e.kind, EventKind::Jump));
                assert_eq!(jumped.count(), 1, "{model} at {hz} Hz");
            }
        }
    });
}

#[test]
fn the_order_of_jump_and_hold_does_not_matter() {
    on_large_stack(|| {
        let highest = |orders: &str| {
            let mut game = ordering("platformer", orders).game_at(60);
            game.ticks(30);
            let heights = (0..60).map(|_| game.ticks(1).hero().pos.y);
            heights.fold(f64::NEG_INFINITY, f64::max)
        };
        let held = highest("me.hold(\"jump\"); me.jump();");
        assert_eq!(highest("me.jump(); me.hold(\"jump\");"), held);
        // Releasing the key in the next tick gives a short jump; an unkeyed jump is the longest.
        assert!(highest("me.jump();") > 2.0 * held);
    });
}

#[test]
fn events_cut_off_by_the_budget_arrive_in_the_next_tick() {
    on_large_stack(|| {
        let script = "fn on_birth(me) { me.after(0.5, \"aa\"); me.after(0.5, \"bb\"); }
            fn on_aa(me) { for i in 0..2000 { } this.a = world::tick(); }
            fn on_bb(me) { this.b = world::tick(); }";
        let few = [("scripts.tick_operations", "1000")];
        let folder = Folder::with_script(script);
        let mut game = Game::new(Arc::new(folder.open_with(&few).expect("a good level")));
        game.ticks(60);
        let (a, b) = (game.var("a"), game.var("b"));
        let (Value::Int(a), Value::Int(b)) = (a, b) else {
            panic!("{:?}", game.vars());
        };
        assert_eq!(b, a + 1, "{:?}", game.wrong());
    });
}
