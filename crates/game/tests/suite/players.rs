//! What scripts hear of players that have no entity: in a level's script, in saved worlds, after restarts and reloads.

use crate::{
    common::{RATES, loaded},
    folder::{Folder, Game, on_large_stack},
};
use glam::DVec2;
use hangtime_core::{
    models::Action::{self, Jump, Up},
    sim::{Inputs, PlayerInput, Value},
};
use std::sync::Arc;

/// A level without entities whose script counts what it hears of the first player's jump key, and of the second's.
const COUNTS: &str = "fn on_tick(me) {\n\
    for player in 1..=2 {\n\
        if world::held(\"jump\", player) { this.held[player - 1] += 1; }\n\
        if world::pressed(\"jump\", player) { this.pressed[player - 1] += 1; }\n\
        if world::released(\"jump\", player) { this.released[player - 1] += 1; }\n\
    }\n\
}";

fn menu(script: &str) -> Folder {
    let folder = Folder::empty();
    folder.write(
        "levels/level.toml",
        "script = \"menu.rhai\"\nvars = { held = [0, 0], pressed = [0, 0], released = [0, 0], x = 0.0, y = 0.0, aim = \"\" }\n",
    );
    folder.write("scripts/menu.rhai", script);
    folder
}

fn var(game: &Game, name: &str) -> Value {
    let vars = game.live.world().level_vars().expect("a script").0.to_plain();
    vars.get(name).cloned().unwrap_or_default()
}

/// How often something was heard of both players.
fn heard(game: &Game) -> [[i64; 2]; 3] {
    ["held", "pressed", "released"].map(|name| match var(game, name) {
        Value::List(counts) => [0, 1].map(|place| match counts[place] {
            Value::Int(count) => count,
            ref other => panic!("{other:?}"),
        }),
        other => panic!("{other:?}"),
    })
}

fn keys(player: u8, actions: &[Action]) -> Inputs {
    let mut inputs = Inputs::none();
    inputs.player_mut(player).held = actions.iter().copied().collect();
    inputs
}

fn step(game: &mut Game, inputs: &Inputs, ticks: usize) {
    for _ in 0..ticks {
        game.live.step(inputs);
        game.note_report();
    }
}

#[test]
fn a_level_without_entities_hears_each_press_once() {
    on_large_stack(|| {
        for hz in RATES {
            let mut game = menu(COUNTS).game_at(hz);
            step(&mut game, &Inputs::none(), 3);
            step(&mut game, &keys(1, &[Jump]), 5);
            step(&mut game, &Inputs::none(), 2);
            step(&mut game, &keys(2, &[Jump, Up]), 4);
            assert_eq!(heard(&game), [[5, 4], [1, 1], [1, 0]], "at {hz} Hz");
            // A press that is too short to be held is heard as well, and again while the key is down.
            let mut short = Inputs::none();
            short.player_mut(2).pressed = [Jump].into_iter().collect();
            step(&mut game, &short, 1);
            step(&mut game, &Inputs::none(), 3);
            assert_eq!(heard(&game), [[5, 5], [1, 2], [1, 2]], "at {hz} Hz");
            assert_eq!(game.wrong(), [""; 0]);
        }
    });
}

#[test]
fn keys_that_are_down_are_saved_and_hashed() {
    on_large_stack(|| {
        let folder = menu(COUNTS);
        let (mut down, mut up) = (folder.game(), folder.game());
        // The counts are equal, the keys are not.
        step(&mut down, &keys(1, &[Up]), 3);
        step(&mut up, &Inputs::none(), 3);
        assert_ne!(down.live.world().hash(), up.live.world().hash());
        let mut down = folder.game();
        step(&mut down, &keys(1, &[Jump]), 3);
        let json = serde_json::to_string(down.live.world()).expect("plain data");
        let mut again = folder.game();
        again.live.restore(loaded(&json, &down.live.revision().stage));
        assert_eq!(again.live.world(), down.live.world());
        for game in [&mut down, &mut again] {
            step(game, &keys(1, &[Jump]), 2);
            assert_eq!(heard(game), [[5, 0], [1, 0], [0, 0]]);
        }
        assert_eq!(down.live.world().hash(), again.live.world().hash());
        // Nothing is saved of players without input.
        step(&mut up, &Inputs::none(), 1);
        assert!(!serde_json::to_string(up.live.world()).expect("plain data").contains("players"));
    });
}

#[test]
fn a_key_that_is_down_through_a_new_start_or_a_reload_is_not_pressed_again() {
    on_large_stack(|| {
        // What is counted is handed over.
        let script = "fn on_tick(me) { if world::pressed(\"jump\") { world::restart((world::handed() ?? 0) + 1); } }";
        let folder = menu(script);
        let mut game = folder.game();
        for _ in 0..3 {
            step(&mut game, &keys(1, &[Jump]), 7);
            step(&mut game, &Inputs::none(), 1);
        }
        assert_eq!(*game.live.world().handed(), Value::Int(3));
        assert_eq!(game.wrong(), [""; 0]);
        // An action that the game defines moves to another place as another one is added.
        let asks = COUNTS.replace("jump", "use");
        let folder = menu(&asks);
        folder.write("config/hangtime.toml", "[keys]\nuse = \"KeyE\"\n");
        let mut game = folder.game();
        let use_key = |game: &Game| game.live.revision().stage.actions.parse("use").expect("an action");
        let first = use_key(&game);
        step(&mut game, &keys(1, &[first]), 3);
        folder.write("config/hangtime.toml", "[keys]\nuse = \"KeyE\"\nbuy = \"KeyB\"\n");
        game.live.adopt(Arc::new(folder.open().expect("a good game")));
        let second = use_key(&game);
        assert_ne!(first, second);
        step(&mut game, &keys(1, &[second]), 3);
        assert_eq!(heard(&game), [[6, 0], [1, 0], [0, 0]]);
    });
}

#[test]
fn a_level_hears_sticks_and_aims_in_their_range() {
    on_large_stack(|| {
        let script = "fn on_tick(me) {\n\
            let stick = world::axis(\"move\"); this.x = stick.x; this.y = stick.y;\n\
            let aim = world::axis(\"aim\"); this.aim = if aim == () { \"none\" } else { `${aim.x} ${aim.y}` };\n\
        }";
        let mut game = menu(script).game();
        for (stick, aim, expected) in [
            (DVec2::new(0.5, -1.0), Some(DVec2::new(3.0, -4.0)), (0.5, -1.0, "3.0 -4.0")),
            (DVec2::new(4.0, 0.0), None, (1.0, 0.0, "none")),
            (DVec2::new(f64::NAN, 1.0), Some(DVec2::NAN), (0.0, 0.0, "none")),
        ] {
            step(&mut game, &Inputs::of_first(PlayerInput { stick, aim, ..PlayerInput::default() }), 1);
            let found = [var(&game, "x"), var(&game, "y"), var(&game, "aim")];
            let (x, y, aim) = expected;
            assert_eq!(found, [Value::Float(x), Value::Float(y), Value::Text(aim.into())]);
        }
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn an_entity_hears_a_player_as_the_keys_are_not_as_scripts_change_them() {
    on_large_stack(|| {
        let hero = "fn on_tick(me) { me.release(\"jump\"); me.hold(\"up\");\n\
            this.n += 1; this.own = me.held(\"jump\"); this.keys = world::held(\"jump\"); this.up = world::held(\"up\"); }";
        let mut game = Folder::with_script(hero).game();
        game.input.held.insert(Jump);
        game.ticks(3);
        let found = ["own", "keys", "up"].map(|name| game.var(name));
        assert_eq!(found, [false, true, false].map(Value::Bool));
    });
}

#[test]
fn wrong_players_and_actions_are_refused_with_the_right_ones() {
    on_large_stack(|| {
        for (call, message) in [
            ("world::held(\"jump\", 0)", "there is no player 0; players are 1 to 8"),
            ("world::pressed(\"jump\", 9)", "there is no player 9; players are 1 to 8"),
            ("world::axis(\"move\", -1)", "there is no player -1; players are 1 to 8"),
            ("world::released(\"jump\", 1.5)", "`player` of `released` is 1.5; it must be a whole number"),
            ("let it = \"jmp\"; world::held(it)", "there is no action `jmp`; did you mean `jump`?"),
            ("let it = \"stick\"; world::axis(it)", "there is no axis `stick`; it can be `move` or `aim`"),
        ] {
            let mut game = menu(&format!("fn on_tick(me) {{ {call}; }}")).game();
            step(&mut game, &Inputs::none(), 1);
            let wrong = game.wrong();
            assert!(wrong.len() == 1 && wrong[0].ends_with(message), "{call}: {wrong:?}");
        }
    });
}
