//! Mods at the edges: folders that cannot be one, names that several have, and mods that come and go.

use crate::{
    folder::{Folder, Game},
    mods::{add_mod, add_speed, game, headlines, jump_speed, names, open},
    program::{code, err, out, run},
};
use hangtime::project::{Project, SourceSet};

/// The level of the game with its hero at another x.
fn level_at(folder: &Folder, x: i32) -> String {
    let level = folder.read("levels/level.toml");
    level.replace("at = [-200, 19]", &format!("at = [{x}, 19]"))
}

/// Where the hero starts in a level that is found by its name.
fn start_in(folder: &Folder, level: &str) -> f64 {
    let project = Project::load(folder.root()).expect("a game");
    let path = project.find_level(level).expect("a level");
    let revision = project.open(&path, &[]).expect("valid");
    revision.stage.starts[0].at.x
}

#[test]
fn folders_of_the_game_cannot_be_mods() {
    let folder = game();
    let root = folder.root();
    let before = std::fs::read_dir(root).expect("a folder").count();
    for option in [".", "..", "config", "config/x", "levels/zz", "scripts", "mods", "./levels/../config"] {
        let made = run(root, &["new", "bat", "--mod", option]);
        assert_eq!(code(&made), 2, "{option}: {}", out(&made));
        assert!(
            err(&made).contains("a mod is another folder") || err(&made).contains("mods/NAME"),
            "{option}: {}",
            err(&made)
        );
    }
    assert_eq!(std::fs::read_dir(root).expect("a folder").count(), before);
    assert!(!std::path::Path::new("/mod.toml").exists());
    for option in [".", "config", "levels"] {
        for command in [&["mods"][..], &["check"], &["run", "level"]] {
            let arguments = [command, &["--mod", option]].concat();
            let ran = run(root, &arguments);
            assert_eq!(code(&ran), 2, "{arguments:?}: {}", out(&ran));
            assert!(err(&ran).contains("mods/NAME"), "{arguments:?}: {}", err(&ran));
        }
    }
}

#[test]
fn a_mod_inside_of_another_one_is_left_out_with_a_reason() {
    let folder = game();
    add_mod(&folder, "a", "");
    folder.write("mods/a/levels/b/mod.toml", "name = \"b\"\nversion = \"1\"\n");
    let listed = run(folder.root(), &["mods", "--mod", "mods/a/levels/b"]);
    assert!(err(&listed).contains("a mod cannot be inside of"), "{}", err(&listed));
}

#[test]
fn a_level_of_a_mod_lies_over_that_of_the_mod_it_needs_whatever_their_folders_are_called() {
    for (needing, needed) in [("a_top", "z_base"), ("z_top", "a_base")] {
        let folder = game();
        add_mod(&folder, needed, "");
        add_mod(&folder, needing, &format!("{needed} = \"1\""));
        let of_needed = level_at(&folder, -300).replace("[[entity]]", "[[entity]]\nname = \"star\"");
        folder.write(&format!("mods/{needed}/levels/new.toml"), &of_needed);
        let over = "[[entity]]\nname = \"star\"\nat = [-400, 19]\n";
        folder.write(&format!("mods/{needing}/levels/new.toml"), over);
        assert_eq!(start_in(&folder, "new"), -400.0, "{needing}");
    }
}

#[test]
fn a_level_of_a_mod_that_is_left_out_hides_no_other() {
    let folder = game();
    add_mod(&folder, "a", "nope = \"1\"");
    add_mod(&folder, "b", "");
    folder.write("mods/a/levels/den.toml", &level_at(&folder, -300));
    folder.write("mods/b/levels/den.toml", &level_at(&folder, -400));
    folder.write("mods/a/levels/lost.toml", &level_at(&folder, -300));
    assert_eq!(start_in(&folder, "den"), -400.0);
    let missing = run(folder.root(), &["run", "nowhere"]);
    assert!(err(&missing).contains("den") && !err(&missing).contains("lost"), "{}", err(&missing));
}

#[test]
fn input_files_press_the_actions_of_the_mods_that_are_loaded() {
    // One mod is left out for what it needs, another one because it breaks the level.
    for broken in [false, true] {
        let folder = game();
        folder.write("config/hangtime.toml", "[keys]\nfire = \"KeyQ\"\nzoom = \"KeyJ\"\n");
        folder.write(
            "scripts/hero.rhai",
            "fn on_tick(me) { if me.held(\"fire\") { print(\"fire\"); } if me.held(\"zoom\") { print(\"zoom\"); } }",
        );
        add_mod(&folder, "m", if broken { "" } else { "nope = \"1\"" });
        folder.write("mods/m/config/hangtime.toml", "[keys]\naaa = \"KeyA\"\n");
        if broken {
            folder.write("mods/m/config/models/platformer.toml", "jump_speed = \"much\"\n");
        }
        folder.write("a.input", "2 fire\n");
        let ran = run(folder.root(), &["run", "level", "--input", "a.input"]);
        let said = format!("{}{}", out(&ran), err(&ran));
        assert_eq!(code(&ran), 0, "{said}");
        assert!(said.contains("fire") && !said.contains("zoom"), "{said}");
    }
}

#[test]
fn variables_and_keys_named_like_a_body_delete_no_others() {
    for name in ["box", "ellipse", "pieces"] {
        let folder = game();
        folder.write("config/hangtime.toml", "[keys]\nfire = \"KeyQ\"\n");
        folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { n = 0, other = 5 }\n");
        add_mod(&folder, "m", "");
        folder.write("mods/m/config/hangtime.toml", &format!("[keys]\n{name} = \"KeyB\"\n"));
        folder.write("mods/m/config/entities/hero.toml", &format!("vars = {{ {name} = 7 }}\n"));
        let revision = open(&folder);
        let actions: Vec<&str> = revision.stage.actions.names().collect();
        let mut expected = ["fire", name];
        expected.sort_unstable();
        assert_eq!(actions, expected);
        let vars = format!("{:?}", revision.stage.profiles[0].vars);
        assert!(vars.contains("Int(5)") && vars.contains("Int(7)"), "{vars}");
    }
}

#[test]
fn two_entities_of_one_name_in_a_mod_s_level_are_an_error() {
    let folder = game();
    let level = level_at(&folder, -300).replace("[[entity]]", "[[entity]]\nname = \"twin\"");
    for of_game in ["star", "twin"] {
        folder.write("levels/level.toml", &level.replace("twin", of_game));
        add_mod(&folder, "m", "");
        let twin = "[[entity]]\nname = \"twin\"\nkind = \"hero\"\nat = [-400, 19]\n";
        folder.write("mods/m/levels/level.toml", &twin.repeat(2));
        let revision = open(&folder);
        assert_eq!(names(&revision), [""; 0]);
        let wrong = headlines(&revision.warnings);
        assert!(wrong.contains("twin"), "{of_game}: {wrong}");
        folder.write("mods/m/levels/level.toml", twin);
        assert_eq!(names(&open(&folder)), ["m"]);
    }
}

#[test]
fn files_of_a_mod_that_is_left_out_are_not_recorded() {
    let folder = game();
    add_mod(&folder, "m", "");
    folder.write("mods/m/config/hangtime.toml", "[simulation]\ngravity = 10\n");
    std::fs::create_dir_all(folder.path("mods/m/config/entities")).expect("a folder");
    std::fs::write(folder.path("mods/m/config/entities/hero.toml"), [0xff, 0xfe]).expect("a file");
    let record = run(folder.root(), &["run", "level", "--ticks", "60", "--record", "a.run"]);
    assert_eq!(code(&record), 0, "{}", err(&record));
    let replay = run(folder.root(), &["replay", "a.run"]);
    assert_eq!(code(&replay), 0, "{}{}", out(&replay), err(&replay));
    let revision = open(&folder);
    assert!(revision.files.keys().all(|name| !name.starts_with("mods/")));
}

#[test]
fn what_keeps_a_mod_from_being_loaded_counts_as_a_change() {
    let folder = game();
    let level = folder.path("levels/level.toml");
    let hashes = || SourceSet::read(folder.root(), &level).hashes();
    let mut before = hashes();
    assert_eq!(before, open(&folder).hashes);
    let mut step = |change: &dyn Fn()| {
        change();
        let after = hashes();
        assert_ne!(before, after);
        // A game that starts now sees no change either.
        assert_eq!(after, open(&folder).hashes);
        before = after;
    };
    step(&|| folder.write("mods/m/config/readme.md", "no mod.toml"));
    step(&|| folder.write("mods/m/mod.toml", "name = \"m\"\nversion = \"1\"\n"));
    step(&|| std::fs::remove_file(folder.path("mods/m/mod.toml")).expect("it is there"));
    step(&|| std::fs::remove_dir_all(folder.path("mods")).expect("it is there"));
}

#[test]
fn an_edit_in_a_mod_names_the_values_of_all_layers() {
    let folder = game();
    let versions = [None, Some(900.0), Some(905.0), None];
    let mut last = open(&folder);
    for version in versions.into_iter().skip(1) {
        match version {
            Some(speed) => add_speed(&folder, "m", "", speed),
            None => std::fs::remove_dir_all(folder.path("mods")).expect("it is there"),
        }
        let next = open(&folder);
        let (was, is) = (jump_speed(&last).0, jump_speed(&next).0);
        let changes: Vec<String> = next.changes_from(&last).iter().map(ToString::to_string).collect();
        let expected = format!("platformer.jump_speed {was} → {is}");
        assert!(changes.contains(&expected), "{expected}: {changes:?}");
        last = next;
    }
}

#[test]
fn a_change_that_a_mod_overrides_is_named_as_one() {
    let folder = game();
    add_speed(&folder, "m", "", 900.0);
    let before = open(&folder);
    folder.write("config/models/platformer.toml", "jump_speed = 600\n");
    let changes: Vec<String> = open(&folder).changes_from(&before).iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["config/models/platformer.toml: changed; mods override it"]);
}

#[test]
fn hundreds_of_mods_that_need_each_other_are_left_out_in_no_time() {
    let folder = game();
    for number in 0..300 {
        add_mod(&folder, &format!("m{number:03}"), &format!("m{:03} = \"1\"", number + 1));
    }
    let revision = open(&folder);
    assert_eq!(names(&revision), [""; 0]);
    assert_eq!(revision.mods.left_out.len(), 300);
    let many: String = (0..300).map(|n| format!("x{n} = \"1\", ")).collect();
    add_mod(&folder, "m000", many.trim_end_matches(", "));
    let revision = open(&folder);
    let why = headlines(&revision.mods.left_out[0].why);
    assert!(why.contains("at most 256 mods"), "{why}");
}

#[test]
fn erases_the_drawing_of_a_mod_s_script_that_is_edited() {
    let folder = game();
    add_mod(&folder, "m", "");
    folder.write("mods/m/config/entities/hero.toml", "scripts = [\"mine.rhai\"]\n");
    let draws = "fn on_birth(me) { world::text(\"a\", 0, 0, \"drawn\"); }\nfn on_tick(me) { this.n += 1; }";
    folder.write("mods/m/scripts/mine.rhai", draws);
    let mut game = Game::new(open(&folder).into());
    game.ticks(2);
    assert!(!game.live.world().drawing().is_empty());
    folder.write("mods/m/scripts/mine.rhai", "fn on_tick(me) { this.n += 2; }");
    game.live.adopt(open(&folder).into());
    game.ticks(1);
    assert!(game.live.world().drawing().is_empty());
}

#[test]
fn a_new_level_has_a_kind_that_can_be_used() {
    let folder = Folder::empty();
    folder.write("config/hangtime.toml", "");
    folder.write("scripts/readme.md", "");
    folder.write("levels/readme.md", "");
    folder.write("config/entities/.bak.toml", "");
    folder.write("config/entities/a.toml/readme.md", "");
    let none = run(folder.root(), &["new", "level", "one"]);
    assert!(err(&none).contains("this game has no kinds"), "{}", err(&none));
    add_mod(&folder, "m", "");
    folder.write("mods/m/config/entities/bat.toml", "");
    for (level, kind) in [("two", "bat"), ("three", "animals/ant")] {
        if kind != "bat" {
            folder.write(&format!("config/entities/{kind}.toml"), "");
        }
        let made = run(folder.root(), &["new", "level", level]);
        assert_eq!(code(&made), 0, "{}", err(&made));
        let text = folder.read(format!("levels/{level}.toml"));
        assert!(text.contains(&format!("kind = \"{kind}\"")), "{text}");
        let played = run(folder.root(), &["run", level, "--ticks", "2"]);
        assert_eq!(code(&played), 0, "{}", err(&played));
    }
    #[cfg(unix)]
    {
        let outside = tempfile::tempdir().expect("a folder");
        std::fs::remove_dir_all(folder.path("levels")).expect("it is there");
        std::os::unix::fs::symlink(outside.path(), folder.path("levels")).expect("a link");
        let made = run(folder.root(), &["new", "level", "four"]);
        assert_eq!(code(&made), 2, "{}", out(&made));
        assert_eq!(std::fs::read_dir(outside.path()).expect("a folder").count(), 0);
    }
}
