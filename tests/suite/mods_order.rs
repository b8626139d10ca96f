//! The order in which a player has mods, and the versions of a game that they work with.

use crate::{
    folder::Folder,
    mods::{add_mod, add_speed, game, headlines, jump_speed, names, open},
    mods_live::mods_after,
    program::{code, err, out, run},
    watched::Watched,
};

/// All orders of these names.
fn orders(names: &[&'static str]) -> Vec<Vec<&'static str>> {
    if names.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, first) in names.iter().enumerate() {
        let rest = [&names[..at], &names[at + 1..]].concat();
        all.extend(orders(&rest).into_iter().map(|tail| [vec![*first], tail].concat()));
    }
    all
}

fn write_order(folder: &Folder, order: &[&str]) {
    folder.write("mods/mods.toml", &format!("order = {order:?}\n"));
}

#[test]
fn the_player_orders_mods_and_the_last_one_decides() {
    for order in orders(&["a", "b", "c"]) {
        for listed in 0..=3 {
            let folder = game();
            for (at, name) in ["a", "b", "c"].into_iter().enumerate() {
                add_speed(&folder, name, "", 510.0 + at as f64);
            }
            write_order(&folder, &order[..listed]);
            // Those that are not listed come first, by name.
            let mut expected: Vec<&str> = order[listed..].to_vec();
            expected.sort_unstable();
            expected.extend(&order[..listed]);
            let revision = open(&folder);
            assert_eq!(names(&revision), expected, "{order:?}[..{listed}]");
            let last = expected[2].as_bytes()[0] - b'a';
            assert_eq!(jump_speed(&revision).0, 510.0 + f64::from(last));
        }
    }
}

#[test]
fn a_mod_comes_after_those_that_it_needs_whatever_the_order_says() {
    for order in orders(&["a", "b", "c", "d"]) {
        let folder = game();
        for (name, needs) in [("a", "c = \"*\""), ("b", ""), ("c", "d = \"*\""), ("d", "")] {
            add_mod(&folder, name, needs);
        }
        write_order(&folder, &order);
        let revision = open(&folder);
        let found = names(&revision);
        let place = |name: &str| found.iter().position(|it| *it == name).expect("loaded");
        assert!(place("d") < place("c") && place("c") < place("a"), "{order:?}: {found:?}");
        // Nothing binds `b` and `d` but the order.
        let first =
            |list: &[&str]| list.iter().position(|name| *name == "b") < list.iter().position(|name| *name == "d");
        assert_eq!(first(&found), first(&order), "{order:?}: {found:?}");
    }
}

#[test]
fn a_wrong_order_is_a_warning_and_the_game_runs() {
    for (text, message) in [
        ("order = [\"speed\", \"sped\"]\n", "no mod `sped` is loaded; did you mean `speed`?"),
        ("order = [\"none\"]\n", "no mod `none` is loaded"),
        ("order = [1]\n", "`order` takes names of mods, not a number"),
        ("oder = [\"speed\"]\n", "needs `order`"),
        ("order = [\n", "mods/mods.toml:"),
        ("", "needs `order`"),
    ] {
        let folder = game();
        add_speed(&folder, "speed", "", 555.0);
        folder.write("mods/mods.toml", text);
        let revision = open(&folder);
        assert_eq!(names(&revision), ["speed"]);
        let warnings = headlines(&revision.warnings);
        assert!(warnings.contains("mods/mods.toml") && warnings.contains(message), "{text}: {warnings}");
        let ran = run(folder.root(), &["run", "level", "--ticks", "1"]);
        assert_eq!(code(&ran), 0, "{}", err(&ran));
    }
}

#[test]
fn the_order_is_recorded_and_takes_effect_while_the_game_runs() {
    let folder = game();
    add_speed(&folder, "a", "", 510.0);
    add_speed(&folder, "b", "", 520.0);
    let mut watched = Watched::new(folder);
    assert_eq!(mods_after(&mut watched, "mods/mods.toml", "order = [\"b\", \"a\"]\n"), ["b", "a"]);
    let folder = &watched.folder;
    assert_eq!(jump_speed(&open(folder)).0, 510.0);
    let file = folder.root().join("kept.run");
    let ran = run(folder.root(), &["run", "level", "--ticks", "2", "--record", &file.display().to_string()]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    std::fs::remove_dir_all(folder.root().join("mods")).expect("mods");
    let replayed = run(folder.root(), &["replay", &file.display().to_string()]);
    assert_eq!(code(&replayed), 0, "{}{}", out(&replayed), err(&replayed));
}

#[test]
fn a_mod_is_loaded_if_it_works_with_the_version_of_the_game() {
    for (version, wanted, loads) in [
        ("1.2.0", "1.2", true),
        ("1.2", ">=1.2, <3", true),
        ("1", ">=1.2", false),
        ("2.9.9", ">=1.2, <3", true),
        ("3.0.0", ">=1.2, <3", false),
        ("0.9.0-beta.1", "*", true),
        ("0.9.0-beta.1", "0.9", false),
    ] {
        let folder = game();
        folder.write("config/hangtime.toml", &format!("version = {version:?}\n"));
        add_speed(&folder, "a", "", 555.0);
        let manifest = folder.read("mods/a/mod.toml");
        folder.write("mods/a/mod.toml", &format!("{manifest}game_version = {wanted:?}\n"));
        add_mod(&folder, "b", "a = \"*\"");
        let revision = open(&folder);
        let expected: &[&str] = if loads { &["a", "b"] } else { &[] };
        assert_eq!(names(&revision), expected, "{version} and {wanted}");
        let warnings = headlines(&revision.warnings);
        assert_eq!(
            warnings.contains("mods/a/mod.toml:4:") && warnings.contains("config/hangtime.toml says"),
            !loads,
            "{warnings}"
        );
    }
    let folder = game();
    folder.write("config/hangtime.toml", "version = \"new\"\n");
    let checked = run(folder.root(), &["check"]);
    assert!(out(&checked).contains("config/hangtime.toml:1:11: error: `new` is not a version"), "{}", out(&checked));
}
