//! What scripts keep beyond the level.

use crate::{
    folder::{Folder, Game, on_large_stack},
    program::{code, err, out, run},
};
use hangtime::{
    project::{GameFolder, PlayerSaves, Project},
    sim::{KeptValues, MOST_KEPT, SavedWorld, Value},
    workbench::Workbench,
};
use std::fs;

/// Keeps the number of its ticks, and remembers what was kept when it began.
pub const SCRIPT: &str = "fn on_birth(me) { this.began = world::kept(\"n\"); }\n\
     fn on_tick(me) { this.n += 1; this.read = world::kept(\"n\"); world::keep(\"n\", this.n); }\n";

pub fn kept(values: &[(&str, Value)]) -> KeptValues {
    let mut kept = KeptValues::default();
    for (name, value) in values {
        assert!(kept.set(name, value.clone()));
    }
    kept
}

pub fn open(folder: &Folder, player: &str) -> (PlayerSaves, Option<String>) {
    PlayerSaves::open(&GameFolder::new(folder.root()), player).expect("a file")
}

#[test]
fn what_is_kept_is_read_from_the_next_tick_on() {
    on_large_stack(|| {
        let mut game = Folder::with_script(SCRIPT).game();
        for tick in 1..=5 {
            game.ticks(1);
            let before = if tick == 1 { Value::Unit } else { Value::Int(tick - 1) };
            assert_eq!(game.var("read"), before);
            assert_eq!(game.live.world().kept().get("n"), Some(&Value::Int(tick)));
        }
        assert_eq!(game.wrong(), [""; 0]);
    });
}

#[test]
fn a_restart_keeps_and_a_snapshot_goes_back() {
    on_large_stack(|| {
        let mut game = Folder::with_script(SCRIPT).game();
        game.ticks(3);
        let snapshot = game.live.world().clone();
        game.ticks(4);
        game.live.restart();
        game.ticks(1);
        assert_eq!(game.var("began"), Value::Int(7));
        game.live.restore(snapshot);
        assert_eq!(game.live.world().kept(), &kept(&[("n", Value::Int(3))]));
    });
}

#[test]
fn what_is_kept_is_part_of_the_state() {
    on_large_stack(|| {
        let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
        let mut games = [folder.game(), folder.game()];
        let [one, other] = games.each_mut().map(|game| game.ticks(1).live.world().hash());
        assert_eq!(one, other);
        games[1].live.set_kept(kept(&[("a", Value::Float(0.5))]));
        let world = games[1].live.world().clone();
        assert_ne!(world.hash(), one);
        assert_ne!(&world, games[0].live.world());
        let text = serde_json::to_string(&world).expect("json");
        let read: SavedWorld = serde_json::from_str(&text).expect("a world");
        let read = read.check(&games[1].live.revision().stage).expect("good");
        assert_eq!((read.hash(), &read), (world.hash(), &world));
        // Worlds that were saved before there was anything to keep have no such field.
        let empty = serde_json::to_value(games[0].live.world()).expect("json");
        assert!(empty.get("kept").is_none());
        let mut wrong = serde_json::to_value(&world).expect("json");
        wrong["kept"] = serde_json::json!({"": {"Int": 3}});
        let wrong: SavedWorld = serde_json::from_value(wrong).expect("readable");
        let error = wrong.check(&games[1].live.revision().stage).expect_err("refused");
        assert!(error.to_string().contains("kept"), "{error}");
    });
}

#[test]
fn values_of_every_kind_are_kept_and_saved_bit_for_bit() {
    on_large_stack(|| {
        let values = "#{ a: 1, b: 0.1 + 0.2, c: \"ä\\n\", d: true, e: [1, 2.5, ()], f: vec(1, -0.0, 3), g: -9223372036854775807 }";
        let folder = Folder::with_script(&format!(
            "fn on_birth(me) {{ world::keep(\"all\", {values}); world::keep(\"gone\", 1); }}\n\
             fn on_tick(me) {{ this.n += 1; if this.n == 2 {{ world::keep(\"gone\", ()); }} }}"
        ));
        let mut game = folder.game();
        game.ticks(2);
        assert_eq!(game.wrong(), [""; 0]);
        let kept = game.live.world().kept().clone();
        assert_eq!(kept.len(), 1);
        let (mut saves, warning) = open(&folder, "ann");
        assert!(warning.is_none() && saves.kept().is_empty());
        saves.save(&kept).expect("saved");
        let (again, warning) = open(&folder, "ann");
        assert_eq!((again.kept(), warning), (&kept, None));
        assert_eq!(open(&folder, "bob").0.kept(), &KeptValues::default());
        // Nothing else is left in the folder.
        let files = fs::read_dir(folder.path("saves")).expect("a folder").count();
        assert_eq!(files, 1);
    });
}

#[test]
fn damaged_and_later_saves_are_put_aside_and_never_overwritten() {
    let folder = Folder::empty();
    for (text, message) in [
        ("", "this save is damaged"),
        ("{\"saves\":1,\"kept\":{}}", "this save is damaged"),
        ("{\"saves\":1,\"hangtime\":\"0.1.0\",\"kept\":{\"a\":{\"Float\":null}}}", "this save is damaged"),
        ("{\"saves\":1,\"hangtime\":\"0.1.0\",\"kept\":{\"\":{\"Int\":1}}}", "this save is damaged"),
        ("[1]", "this save is damaged (it has no version)"),
        (
            "{\"saves\":7,\"new\":true}",
            "this save is from a later version of hangtime (format 7; this version reads 1)",
        ),
    ] {
        folder.write("saves/ann.json", text);
        let (mut saves, warning) = open(&folder, "ann");
        let warning = warning.expect("a warning");
        assert!(warning.contains(message), "{warning}");
        let (_, aside) = warning.split_once("it is now ").expect("its new name");
        let (aside, _) = aside.split_once(',').expect("its new name");
        assert_eq!(fs::read_to_string(aside).expect("it is there"), text);
        saves.save(&kept(&[("a", Value::Int(1))])).expect("saved");
        assert_eq!(fs::read_to_string(aside).expect("it is still there"), text);
    }
    let huge = "x".repeat(17 << 20);
    folder.write("saves/ann.json", &huge);
    assert!(open(&folder, "ann").1.expect("a warning").contains("too large"));
}

#[test]
fn a_save_that_is_damaged_at_every_start_leaves_ten_files() {
    let folder = Folder::empty();
    folder.write("saves/ann.aside-x.json", "");
    folder.write("saves/bob.aside-1.json", "");
    for start in 1..=25 {
        folder.write("saves/ann.json", &format!("damaged {start}"));
        let warning = open(&folder, "ann").1.expect("a warning");
        assert!(warning.contains(&format!("ann.aside-{start}.json")), "{warning}");
    }
    let mut left: Vec<String> = fs::read_dir(folder.path("saves"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    let mut expected: Vec<String> = (16..=25).map(|start| format!("ann.aside-{start}.json")).collect();
    expected.extend(["ann.aside-x.json".into(), "bob.aside-1.json".into()]);
    assert_eq!(left, expected);
    assert_eq!(folder.read("saves/ann.aside-25.json"), "damaged 25");
}

#[test]
fn names_of_players_are_names_of_files() {
    let folder = Folder::empty();
    let open = |player: &str| PlayerSaves::open(&GameFolder::new(folder.root()), player);
    for player in ["", "../up", "a/b", "a.b", "ä", "a b", &"x".repeat(33)] {
        let error = open(player).expect_err(player).to_string();
        assert!(error.contains("cannot be the name of a player"), "{error}");
    }
    for player in ["a", "A-1_b", &"x".repeat(32)] {
        open(player).expect(player);
    }
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink(outside.path(), folder.path("saves")).expect("a link");
        assert!(open("a").expect_err("it leads out").to_string().contains("leads out of the game folder"));
        let trusted = GameFolder::new(folder.root()).follow_links(true);
        PlayerSaves::open(&trusted, "a").expect("allowed");
    }
}

#[test]
fn what_cannot_be_kept_is_refused() {
    on_large_stack(|| {
        for (call, message) in [
            ("world::keep(\"\", 1)", "a name for what is kept has 1 to 64 bytes; this one has 0"),
            ("let n = \"\"; n.pad(65, \"n\"); world::keep(n, 1)", "this one has 65"),
            ("world::keep(\"a\", me)", "what is kept cannot contain"),
            ("world::keep(\"a\", 0.0 / 0.0)", "what is kept cannot contain NaN"),
            (
                "let a = []; for i in 0..64 { a.push(i); } world::keep(\"a\", a)",
                "what is kept can have at most 64 values",
            ),
            ("for i in 0..300 { world::keep(`a${i}`, i); }", "a game can keep at most 256 values; forget some"),
        ] {
            let mut game = Folder::with_script(&format!("fn on_tick(me) {{ {call}; }}")).game();
            game.ticks(1);
            let wrong = game.wrong();
            assert!(wrong.len() == 1 && wrong[0].contains(message), "{call}: {wrong:?}");
            assert!(game.live.world().kept().is_empty(), "{call}");
        }
        let mut game = Folder::with_script(
            "fn on_tick(me) { for i in 0..100 { world::keep(`a${this.n}_${i}`, i); } this.n += 1; }",
        )
        .game();
        game.ticks(4);
        assert_eq!(game.live.world().kept().len(), 200);
        assert!(game.wrong().iter().all(|wrong| wrong.contains("at most 256 values")));
        assert!(game.live.world().kept().len() <= MOST_KEPT);
    });
}

#[test]
fn the_window_s_session_saves_what_was_played_and_begins_with_it() {
    on_large_stack(|| {
        let folder = Folder::with_script(SCRIPT);
        let play = |seconds: f64| -> Value {
            let project = Project::load(folder.root()).expect("a game");
            let revision = project.open(&folder.path("levels/level.toml"), &[]).expect("a level");
            let mut bench = Workbench::new(revision.into(), folder.root().into(), false);
            bench.keep_for(open(&folder, "ann").0);
            let frames = (seconds * 60.0) as u32;
            for frame in 0..frames {
                bench.frame(f64::from(frame) / 60.0, &mut |_| Default::default());
            }
            bench.save_kept(true);
            let entities = bench.live().world().entities();
            entities[0].vars.0.to_plain().get("began").cloned().unwrap_or_default()
        };
        assert_eq!(play(0.5), Value::Unit);
        assert_eq!(open(&folder, "ann").0.kept(), &kept(&[("n", Value::Int(30))]));
        assert_eq!(play(2.0), Value::Int(30));
        assert_eq!(open(&folder, "ann").0.kept(), &kept(&[("n", Value::Int(120))]));
        // Without a player nothing is saved.
        let project = Project::load(folder.root()).expect("a game");
        let revision = project.open(&folder.path("levels/level.toml"), &[]).expect("a level");
        let mut bench = Workbench::new(revision.into(), folder.root().into(), false);
        bench.frame(0.0, &mut |_| Default::default());
        bench.save_kept(true);
        assert_eq!(open(&folder, "ann").0.kept(), &kept(&[("n", Value::Int(120))]));
    });
}

#[test]
fn runs_keep_for_a_player_and_saves_lists_it() {
    let folder = Folder::with_script(SCRIPT);
    let root = folder.root();
    let without = run(root, &["run", "level", "--ticks", "5"]);
    assert_eq!(code(&without), 0, "{}", err(&without));
    assert!(!folder.path("saves").exists());
    for expected in [5, 9] {
        let ticks = expected.to_string();
        let played = run(root, &["run", "level", "--ticks", &ticks, "--player", "ann"]);
        assert_eq!(code(&played), 0, "{}", err(&played));
        let listed = run(root, &["saves"]);
        assert!(out(&listed).contains(&format!("n = {expected}")), "{}", out(&listed));
        assert!(out(&listed).starts_with("ann ("), "{}", out(&listed));
    }
    let recorded = run(root, &["run", "level", "--ticks", "70", "--player", "ann", "--record", "a.run"]);
    assert_eq!(code(&recorded), 0, "{}", err(&recorded));
    let replayed = run(root, &["replay", "a.run"]);
    assert_eq!(code(&replayed), 0, "{}", err(&replayed));
    let wrong = run(root, &["saves", "--player", "../x"]);
    assert_eq!(code(&wrong), 2);
    assert!(err(&wrong).contains("cannot be the name of a player"), "{}", err(&wrong));
}

#[test]
fn tests_begin_with_nothing_and_may_keep() {
    let folder = Folder::with_script(SCRIPT);
    let root = folder.root();
    run(root, &["run", "level", "--ticks", "5", "--player", "player"]);
    folder.write(
        "levels/tests/kept.rhai",
        "fn test_keeps() {\n    let t = play(\"level\");\n    expect(t.kept(\"n\")).equals(());\n    t.ticks(3);\n    \
         expect(t.kept(\"n\")).equals(3);\n    t.keep(\"n\", 40);\n    t.ticks(1);\n    \
         expect(t.entity(\"hero\").vars.read).equals(40);\n}\n",
    );
    for more in [&["test"][..], &["test", "--heavy"], &["test", "--both-ways"]] {
        let tested = run(root, more);
        assert_eq!(code(&tested), 0, "{more:?}: {}{}", out(&tested), err(&tested));
    }
}

#[test]
fn a_rule_that_is_asked_while_scripts_decide_may_keep() {
    on_large_stack(|| {
        let mut game: Game = Folder::with_script("fn model(me) { world::keep(\"a\", 1); () }").game();
        game.ticks(1);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.live.world().kept().len(), 1);
    });
}

#[test]
fn many_scripts_may_keep_the_same_name_in_one_tick() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { for n in 0..300 { world::keep(\"seen\", n); } }";
        let mut game = Folder::with_script(script).game();
        game.ticks(2);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.live.world().kept().get("seen"), Some(&Value::Int(299)));
    });
}

#[test]
fn a_name_that_is_forgotten_makes_room_in_the_same_tick() {
    on_large_stack(|| {
        let script = format!(
            "fn on_tick(me) {{ this.n += 1;\n\
             if this.n == 1 {{ for n in 0..{MOST_KEPT} {{ world::keep(`k${{n}}`, n); }} }}\n\
             if this.n == 2 {{ world::keep(\"unknown\", ()); world::keep(\"k7\", ()); world::keep(\"other\", 1); }}\n\
             if this.n == 3 {{ world::keep(\"more\", 1); }} }}"
        );
        let mut game = Folder::with_script(&script).game();
        game.ticks(2);
        assert_eq!(game.wrong(), [""; 0]);
        let kept = game.live.world().kept().clone();
        assert_eq!((kept.len(), kept.get("k7")), (MOST_KEPT, None));
        assert_eq!(kept.get("other"), Some(&Value::Int(1)));
        game.ticks(1);
        assert_eq!(game.wrong().len(), 1, "{:?}", game.wrong());
        assert_eq!(game.live.world().kept(), &kept);
    });
}

#[test]
fn what_a_failed_call_has_kept_leaves_room_for_others() {
    on_large_stack(|| {
        let script = format!(
            "fn on_birth(me) {{ for n in 0..{MOST_KEPT} {{ world::keep(`a${{n}}`, n); }} throw \"no\"; }}\n\
             fn on_tick(me) {{ if world::tick() == 0 {{ for n in 0..{MOST_KEPT} {{ world::keep(`b${{n}}`, n); }} }} }}"
        );
        let mut game = Folder::with_script(&script).game();
        game.ticks(1);
        assert_eq!(game.wrong().len(), 1, "{:?}", game.wrong());
        let kept = game.live.world().kept();
        assert_eq!((kept.len(), kept.get("a0")), (MOST_KEPT, None));
    });
}
