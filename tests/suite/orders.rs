//! Orders of scripts that meet in one tick, with each other and with what players hold.

use crate::folder::{Folder, Game, on_large_stack};
use crate::lives::told;
use crate::support::RATES;
use hangtime::models::Action;
use hangtime::sim::{Happening, Value};
use std::sync::Arc;

fn game_at(folder: &Folder, hz: u32) -> Game {
    let revision = folder.open_with(&[("simulation.tick_hz", &hz.to_string())]);
    Game::new(Arc::new(revision.expect("a good folder")))
}

/// A hero of this model who gives these orders in one tick, when everything has come to rest.
fn ordering(model: &str, orders: &str) -> Folder {
    let script = format!("fn on_tick(me) {{ if world::tick() == 30 {{ {orders} }} }}");
    let folder = Folder::with_script(&script);
    let kind = format!("script = \"hero.rhai\"\nmodel = \"{model}\"\n");
    folder.write("config/entities/hero.toml", &kind);
    folder
}

#[test]
fn a_jump_is_not_lost_beside_other_orders_of_its_tick() {
    on_large_stack(|| {
        for model in ["platformer", "two_velocity"] {
            let beside = [
                format!("me.tune(\"{model}.max_fall_speed\", 650);"),
                "me.place(me.x, me.y);".into(),
                format!("me.set_model(\"{model}\");"),
                "me.facing = -1;".into(),
            ];
            for hz in RATES {
                let mut alone = game_at(&ordering(model, "me.jump();"), hz);
                alone.ticks(30);
                let happened = told(&mut alone, 3);
                let began = |e: &&hangtime::sim::Event| matches!(e.happening, Happening::Jump);
                assert_eq!(
                    happened.iter().filter(began).count(),
                    1,
                    "{model} at {hz} Hz"
                );
                assert!(alone.hero().vel.y > 0.0);
                for order in &beside {
                    for both in [format!("{order} me.jump();"), format!("me.jump(); {order}")] {
                        let mut game = game_at(&ordering(model, &both), hz);
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
fn a_jump_has_the_speed_that_was_tuned_in_its_tick() {
    on_large_stack(|| {
        for hz in RATES {
            let tuned = "me.tune(\"platformer.jump_speed\", 600); me.jump();";
            let mut game = game_at(&ordering("platformer", tuned), hz);
            let folder = ordering("platformer", "me.jump();");
            folder.write(
                "config/entities/hero.toml",
                "script = \"hero.rhai\"\n[platformer]\njump_speed = 600\n",
            );
            let mut same = game_at(&folder, hz);
            for tick in 0..33 {
                game.ticks(1);
                same.ticks(1);
                let (got, expected) = (game.hero(), same.hero());
                assert_eq!(
                    (got.pos, got.vel),
                    (expected.pos, expected.vel),
                    "{tick}, {hz} Hz"
                );
            }
            assert!(game.hero().vel.y > 0.0);
        }
    });
}

/// What a script sees of a key that is held from tick 5 on for 4 ticks: how often it is pressed,
/// let go, and held when its turn begins.
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
    folder.write(
        "config/entities/hero.toml",
        "script = \"hero.rhai\"\nvars = { pressed = 0, released = 0, held = 0 }\n",
    );
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
fn what_a_script_holds_and_lets_go_does_not_press_the_players_keys() {
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
fn a_key_that_a_script_keeps_from_the_model_begins_nothing_when_it_does_so_no_longer() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { if world::tick() < 40 { me.release(\"jump\"); } }";
        let mut game = Folder::with_script(script).game();
        game.ticks(20);
        game.input.held = [Action::Jump].into_iter().collect();
        let happened = told(&mut game, 40);
        let jumped = |e: &hangtime::sim::Event| matches!(e.happening, Happening::Jump);
        assert!(
            !happened.iter().any(jumped),
            "the press was 20 ticks before"
        );
    });
}

#[test]
fn a_key_that_a_script_holds_is_pressed_for_the_model_once() {
    on_large_stack(|| {
        for hz in RATES {
            // It is held on and on; a jump begins with a press.
            let mut game = game_at(
                &Folder::with_script("fn on_tick(me) { me.hold(\"jump\"); }"),
                hz,
            );
            let happened = told(&mut game, 2 * hz as usize);
            let jumped = |e: &&hangtime::sim::Event| matches!(e.happening, Happening::Jump);
            assert_eq!(happened.iter().filter(jumped).count(), 1, "{hz} Hz");
        }
    });
}
