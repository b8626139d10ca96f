//! Actions that a game defines in `[keys]`.

use crate::folder::{Folder, Game, on_large_stack};
use hangtime::{
    models::{Action, OwnActions},
    playtest::calls::calls_of_tests,
    project::{InputScript, KeyUse, check},
    script::host::{Diagnostic, SourceFile},
    sim::{Inputs, SavedWorld, Value},
    workbench::described_keys,
};
use std::sync::Arc;

const KEYS: &str = "[keys]\nthrow = \"KeyE\"\ndash = [\"ShiftLeft\", \"PadEast\"]\n[keys.p2]\nthrow = \"KeyU\"\n";

/// Counts what it sees of `throw`.
const COUNTS: &str = "fn on_tick(me) {\n\
     if me.pressed(\"throw\") { this.presses += 1; }\n\
     if me.held(\"throw\") { this.ticks += 1; }\n\
     if me.released(\"throw\") { this.releases += 1; }\n\
     if me.held(\"dash\") { this.dashes += 1; }\n}\n";

fn folder(keys: &str, script: &str) -> Folder {
    let folder = Folder::with_script(script);
    folder.write("config/hangtime.toml", keys);
    folder.write(
        "config/entities/hero.toml",
        "script = \"hero.rhai\"\nvars = { presses = 0, ticks = 0, releases = 0, dashes = 0 }\n",
    );
    folder
}

fn own(game: &Game, name: &str) -> Action {
    let actions = &game.live.revision().stage.actions;
    actions.own(name).expect("an action of the game")
}

fn counts(game: &Game) -> [Value; 3] {
    ["presses", "ticks", "releases"].map(|name| game.var(name))
}

#[test]
fn a_key_of_an_own_action_is_pressed_held_and_released() {
    on_large_stack(|| {
        let mut game = folder(KEYS, COUNTS).game();
        for (presses, held) in [(1, 5), (2, 1), (3, 9)] {
            game.input.held = [own(&game, "throw")].into_iter().collect();
            game.ticks(held);
            game.input.held = [own(&game, "dash")].into_iter().collect();
            game.ticks(3);
            assert_eq!(game.var("presses"), Value::Int(presses));
            assert_eq!(game.var("releases"), Value::Int(presses));
        }
        assert_eq!(game.var("ticks"), Value::Int(15));
        assert_eq!(game.var("dashes"), Value::Int(9));
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn keys_and_buttons_play_own_actions_for_their_player() {
    let revision = folder(KEYS, "").open().expect("a game");
    let keys = &revision.config.keys;
    let action = |name: &str| keys.own_actions().own(name).expect("defined");
    for (key, player, name) in
        [("KeyE", 1, "throw"), ("ShiftLeft", 1, "dash"), ("PadEast", 1, "dash"), ("KeyU", 2, "throw")]
    {
        let played: Vec<_> = keys.of(key).collect();
        assert_eq!(played, [KeyUse::Play(player, action(name))], "{key}");
    }
    let described = described_keys(keys);
    assert!(described.contains(&("E".into(), "throw (player 2: U)".into())), "{described:?}");
    // The names are in alphabetical order, wherever they are in the file.
    assert_eq!(keys.own_actions().names().collect::<Vec<_>>(), ["dash", "throw"]);
}

#[test]
fn scripts_hold_and_release_own_actions() {
    on_large_stack(|| {
        let script = format!("{COUNTS}fn on_birth(me) {{ me.hold(\"throw\"); }}\n");
        let mut game = folder(KEYS, &script).game();
        game.ticks(3);
        assert_eq!(counts(&game), [1, 1, 0].map(Value::Int));
    });
}

#[test]
fn orders_are_shown_with_the_games_name_of_an_own_action() {
    let folder = folder(KEYS, "fn on_tick(me) { me.hold(\"throw\"); me.release(\"dash\"); }");
    let ran = crate::program::run(folder.root(), &["run", "level", "--ticks", "2", "--why", "hero"]);
    let said = crate::program::out(&ran);
    for order in ["me.hold(\"throw\")", "me.release(\"dash\")"] {
        assert!(said.contains(order), "{said}");
    }
    assert!(!said.contains("own"), "{said}");
}

#[test]
fn input_files_hold_own_actions() {
    on_large_stack(|| {
        let folder = folder(KEYS, COUNTS);
        let mut game = folder.game();
        let file =
            Arc::new(SourceFile { name: "a.input".into(), text: "4 throw\n2\n3 throw !throw\n1 right\n".into() });
        let actions = &game.live.revision().stage.actions;
        let track = InputScript::parse_with(&file, actions).expect("good").track(60);
        for tick in 0..track.length() {
            game.live.step(&track.at(tick));
        }
        // A press in each of three ticks, and before the second and the third one a release.
        assert_eq!(counts(&game), [4, 7, 4].map(Value::Int));
        let unknown = InputScript::parse(&file).expect_err("no game").to_string();
        assert!(unknown.contains("there is no action `throw`"), "{unknown}");
        // Names that do not depend on the game are for recordings.
        let [dash, throw] = ["own1", "own2"].map(|name| Action::parse(name).expect("a name"));
        assert_eq!([own(&game, "dash"), own(&game, "throw")], [dash, throw]);
    });
}

#[test]
fn tests_hold_own_actions() {
    let folder = folder(KEYS, COUNTS);
    folder.write(
        "levels/tests/throw.rhai",
        "fn test_throws() {\n    let t = play(\"level\");\n    t.hold(\"throw\");\n    t.ticks(5);\n    t.release(\"throw\");\n    \
         t.press(\"dash\");\n    t.ticks(2);\n    let hero = t.entity(\"hero\");\n    expect(hero.vars.ticks).equals(5);\n    \
         expect(hero.vars.dashes).equals(1);\n    t.input(\"throw.input\");\n    expect(hero.vars.ticks).equals(8);\n}\n",
    );
    folder.write("levels/tests/throw.input", "3 throw\n");
    let output = crate::program::run(folder.root(), &["test"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_action_that_is_held_during_a_reload_stays_held_under_its_name() {
    on_large_stack(|| {
        let folder = folder("[keys]\nthrow = \"KeyE\"\n", &COUNTS.replace("dash", "jump"));
        let mut game = folder.game();
        game.input.held = [own(&game, "throw")].into_iter().collect();
        game.ticks(3);
        // Before it in the alphabet, so that it gets another place.
        folder.write("config/hangtime.toml", "[keys]\nbow = \"KeyQ\"\nthrow = \"KeyE\"\n");
        let was = own(&game, "throw");
        game.live.adopt(Arc::new(folder.open().expect("a game")));
        let now = own(&game, "throw");
        assert_ne!(was, now);
        game.input.held = [now].into_iter().collect();
        game.ticks(3);
        assert_eq!(counts(&game), [1, 6, 0].map(Value::Int));
        // An action that is gone is released.
        folder.write("config/hangtime.toml", "[keys]\nbow = \"KeyQ\"\n");
        folder.write("scripts/hero.rhai", "fn on_tick(me) { this.bows = me.held(\"bow\"); }");
        game.live.adopt(Arc::new(folder.open().expect("a game")));
        game.input.held = [].into_iter().collect();
        game.ticks(1);
        assert_eq!(game.var("bows"), Value::Bool(false));
    });
}

#[test]
fn hashes_of_games_without_own_actions_do_not_know_of_them() {
    on_large_stack(|| {
        let hashes = |keys: &str| -> Vec<u64> {
            let mut game = folder(keys, "fn on_tick(me) { if me.held(\"left\") { me.hold(\"jump\"); } }").game();
            let mut hash = |held: &[Action]| {
                game.input.held = held.iter().copied().collect();
                game.ticks(1).live.world().hash()
            };
            let held = [&[][..], &[Action::Left], &[Action::Left, Action::Hook], &[Action::Right]];
            held.iter().flat_map(|held| (0..10).map(|_| hash(held)).collect::<Vec<_>>()).collect()
        };
        assert_eq!(hashes(""), hashes(KEYS));
        // And what is held is part of the state.
        let mut games = [folder(KEYS, "").game(), folder(KEYS, "").game()];
        let throw = own(&games[0], "throw");
        games[0].input.held = [throw].into_iter().collect();
        let [one, other] = games.each_mut().map(|game| game.ticks(1).live.world().hash());
        assert_ne!(one, other);
        let saved = serde_json::to_string(games[0].live.world()).expect("json");
        let read: SavedWorld = serde_json::from_str(&saved).expect("a world");
        let read = read.check(&games[0].live.revision().stage).expect("a good world");
        assert_eq!(read.hash(), one);
    });
}

#[test]
fn wrong_actions_are_refused_with_a_reason() {
    let many: String = (0..9).map(|i| format!("a{i} = \"KeyE\"\n")).collect();
    for (keys, message) in [
        ("throw = \"KeyEE\"", "there is no key `KeyEE`"),
        ("throw = 3", "`throw` takes the name of a key"),
        ("Throw = \"KeyE\"", "`Throw` cannot name an action"),
        ("move = \"KeyE\"", "an action cannot have the name `move`"),
        ("own3 = \"KeyE\"", "an action cannot have the name `own3`"),
        ("\"\" = \"KeyE\"", "cannot name an action"),
        ("p9 = { jump = \"KeyE\" }", "`p9` takes the name of a key"),
        (&many, "a game can define at most 8 actions"),
    ] {
        let wrong = folder(&format!("[keys]\n{keys}\n"), "").wrong();
        assert!(wrong.iter().any(|wrong| wrong.contains(message)), "{keys}: {wrong:?}");
    }
    let mut game = folder(KEYS, "fn on_tick(me) { me.hold(\"thrw\"); }").game();
    on_large_stack(|| {
        game.ticks(1);
        assert!(game.wrong()[0].contains("there is no action `thrw`; did you mean `throw`?"), "{:?}", game.wrong());
    });
}

#[test]
fn check_knows_the_actions_of_the_game() {
    on_large_stack(|| {
        let found = |keys: &str, script: &str| -> Vec<String> {
            let report = check(folder(keys, script).root(), &[], &calls_of_tests()).expect("a folder");
            report.diagnostics.iter().map(Diagnostic::headline).collect()
        };
        assert_eq!(found(KEYS, COUNTS), [""; 0]);
        let wrong = found(KEYS, &COUNTS.replace("pressed(\"throw\")", "pressed(\"trow\")"));
        assert!(wrong.len() == 1 && wrong[0].contains("there is no action `trow`; did you mean `throw`?"), "{wrong:?}");
        let unused = found("[keys]\njmup = \"KeyE\"\n", "fn on_tick(me) { me.hold(\"jump\"); }");
        assert!(
            unused.len() == 1
                && unused[0]
                    .contains("this defines the action `jmup`, but no script asks for it; did you mean `jump`?"),
            "{unused:?}"
        );
    });
}

#[test]
fn sets_of_actions_are_translated_by_name() {
    let [old, new] = [["dash", "throw"], ["bow", "throw"]].map(OwnActions::new);
    let held = [Action::Jump, old.own("dash").expect("dash"), old.own("throw").expect("throw")];
    let translated = old.translated(held.into_iter().collect(), &new);
    let expected = [Action::Jump, new.own("throw").expect("throw")];
    assert_eq!(translated, expected.into_iter().collect());
    assert_eq!(Inputs::none(), Inputs::default());
}

#[test]
fn a_key_that_does_two_things_is_a_warning() {
    for (keys, message) in [
        ("throw = \"KeyE\"\ndash = \"KeyE\"\n", "`KeyE` does two things"),
        (
            "throw = \"KeyP\"\n",
            "`KeyP` does two things: `pause` and `throw`; free letters: KeyE KeyI KeyJ KeyK KeyQ KeyU",
        ),
        ("throw = [\"KeyE\", \"Space\"]\n", "`Space` does two things: `jump` and `throw`"),
        ("throw = \"KeyP\"\npause = \"KeyJ\"\n", ""),
        ("throw = \"KeyE\"\n[keys.p2]\nthrow = \"KeyU\"\n", ""),
    ] {
        let folder = folder(&format!("[keys]\n{keys}"), COUNTS);
        let wrong: Vec<_> = folder.wrong();
        let found = wrong.iter().any(|said| said.contains("does two things"));
        assert_eq!(found, !message.is_empty(), "{keys}: {wrong:?}");
        assert!(wrong.iter().any(|said| said.contains(message)) || message.is_empty(), "{wrong:?}");
    }
}
