//! Habits from other languages and engines: `check` and the running game both say what to write instead.

use crate::{
    check_table::Row,
    folder::{Folder, LEVEL, on_large_stack},
    program::{code, err, out, run},
};
use hangtime::{playtest::calls::calls_of_tests, project::check, script::host::Diagnostic};

/// Code of `on_tick`, what both messages about it say, and the right code.
type Habit = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const HABITS: &[Habit] = &[
    ("me.kill();", "; use `me.remove()`", "me.remove();"),
    ("let gone = me.destroy;", "use `me.remove()`", "me.remove();"),
    ("world::entity(\"hero\").queue_free();", "a script removes only its own entity, with `me.remove()`", "me.remove();"),
    ("if me.hp < 1 { me.jump(); }", "use `this.hp`: a script's own variables are in `this`", "this.hp = 2; if this.hp < 1 { me.jump(); }"),
    ("me.score = 3;", "use `this.score`: a script's own variables are in `this`", "this.score = 3;"),
    ("me.gravity = -1;", "use `me.tune(\"platformer.gravity_scale\", 0.5)` to change it, `world::gravity()` to read it", "me.tune(\"platformer.gravity_scale\", 0.5);"),
    ("me.gravity(2);", "use `me.tune(\"platformer.gravity_scale\", 0.5)`", "me.tune(\"platformer.gravity_scale\", 2);"),
    ("me.scale = 2;", "use `me.resize(width, height)` to change the size of a body", "me.resize(30, 57);"),
    ("let n = [1].size();", "; use `.len()`", "let n = [1].len(); this.n = n;"),
    ("let n = [1].length();", "; use `.len()`", "let n = [1].len(); this.n = n;"),
    ("let n = \"abc\".count();", "; use `.len()`", "let n = \"abc\".len(); this.n = n;"),
    ("let n = #{ a: 1 }.size();", "; use `.len()`", "let n = #{ a: 1 }.len(); this.n = n;"),
    ("let s = \"n: \" .. this.n;", "; join text with `+`, or write `${a} and ${b}` in backquotes", "this.s = \"n: \" + this.n;"),
    ("let s = \"n: \" . \"a\";", "; join text with `+`, or write `${a} and ${b}` in backquotes", "this.s = `n: ${this.n}`;"),
    ("print(f\"n is {this.n}\");", "; text with values in it is in backquotes, as in `n is ${n}`", "print(`n is ${this.n}`);"),
    ("print($\"n is {this.n}\");", "; text with values in it is in backquotes, as in `n is ${n}`", "print(`n is ${this.n}`);"),
    ("for i in range(3) { this.n += i; }", "; for 0, 1 and 2, write `0..3`", "for i in 0..3 { this.n += i; } for i in range(0, 3) { this.n += i; }"),
    ("this.at = (100, 200);", "numbers in parentheses are not a point; write `vec(100, 200)`", "this.at = vec(100, 200);"),
    ("me.vel = (me.vel.x * 2 + 1, 0);", "write `vec(me.vel.x * 2 + 1, 0)`", "me.vel = vec(me.vel.x * 2 + 1, 0);"),
    ("hud::text(\"a\", 1, 2, \"x\", color: \"red\");", "arguments have no names; write options as a map: `#{ color: \"red\" }`", "hud::text(\"a\", 1, 2, \"x\", #{ color: \"red\" });"),
    ("hud::text(\"a\", 1, 2, \"x\", size=2);", "arguments have no names; write options as a map: `#{ size: 2 }`", "hud::text(\"a\", 1, 2, \"x\", #{ size: 2 });"),
    ("me.after(0.5, boom);", "an event has a name in quotes: `me.after(0.5, \"boom\")` calls `fn on_boom(me)`", "me.after(0.5, \"boom\");"),
    ("me.after(0.5, || 3);", "an event has a name in quotes: `me.after(0.5, \"boom\")` calls `fn on_boom(me)`", "me.after(0.5, \"boom\");"),
    ("let d = me.distance_to(world::entity(\"hero\"));", "use `vec(me.x, me.y).distance(vec(other.x, other.y))`", "this.d = vec(me.x, me.y).distance(vec(0, 0));"),
    ("let d = me.distance(world::entity(\"hero\"));", "use `vec(me.x, me.y).distance(vec(other.x, other.y))`", "this.d = vec(me.x, me.y).distance(vec(0, 0));"),
    ("this.n = world::kept(\"best\") + 1; world::keep(\"best\", 1);", "write `(world::kept(\"best\") ?? 0)`", "this.n = (world::kept(\"best\") ?? 0) + 1; world::keep(\"best\", 1);"),
    ("world::restart;", "`world::restart()`", "if this.n > 90 { world::restart(); }"),
    ("this.n = world::gravity;", "`world::gravity()`", "this.n = world::gravity();"),
    ("this.friend = world::entity(\"hero\");", "`this.friend` cannot hold an entity", "this.friend = world::entity(\"hero\").name;"),
    ("me.color = 3;", "`", "me.color = \"gold\";"),
    ("me.color = \"rde\";", "there is no color `rde`; did you mean `red`?", "me.color = \"red\"; me.color = \"#aabbcc\"; me.color = ();"),
    ("me.color = \"#12\";", "a color is `#rrggbb`, `#rrggbbaa` with an opacity, or one of `white`", "me.color = \"#12345678\";"),
    ("hud::text(true);", "write `hud::text(name, x, y, text)`", "hud::text(\"a\", 1, 2, \"x\");"),
    ("hud::text(\"a\", 1, 2, \"x\", #{ colr: \"red\" });", "`text` has no option `colr`; did you mean `color`?", "hud::text(\"a\", 1, 2, \"x\", #{ color: \"red\" });"),
    ("me.text(\"a\", 1, 2, \"x\", #{ color: 3 });", "`color` of `text` must be text, such as \"gold\" or \"#ffcc00\", not a number", "me.text(\"a\", 1, 2, \"x\", #{ color: this.tint ?? \"red\" });"),
    ("world::circle(\"a\", 1, 2, 3, #{ width: 5000 });", "`width` of `circle` is 5000", "world::circle(\"a\", 1, 2, 3, #{ width: 5 });"),
    ("world::create(\"hero\", 50, 50, #{ vle: vec(1, 2) });", "`create` has no setting `vle`; did you mean `vel`?", "if this.n > 90 { world::create(\"hero\", 50, 50, #{ vel: vec(1, 2) }); }"),
    ("world::create(\"hero\", 50, 50, #{ lives: 3 });", "a script variable belongs in the map `vars`", "if this.n > 90 { world::create(\"hero\", 50, 50, #{ vars: #{ n: 3 } }); }"),
    ("world::create(\"hero\", 50, 50, #{ facing: \"left\" });", "`facing` of `create` must be a number, not text", "if this.n > 90 { world::create(\"hero\", 50, 50, #{ facing: -1 }); }"),
    ("this.n = round(this.n, 1);", "; for one decimal, write `round(x * 10) / 10`", "this.n = round(this.n * 10) / 10;"),
    ("this.n = 3.toBe(3);", "use `==`; only tests have `expect(…).equals(…)`", "this.n = 3 == 3;"),
    ("this.n = str(3);", "use `${…}` in backquotes, or `.to_string()`", "this.n = 3.to_string();"),
    ("world::entity(\"hero\").vel = vec(1, 2);", "a script can write only to its own entity, `me`", "me.vel = vec(1, 2);"),
];

/// What only `check` can say, with `§` at its place.
#[rustfmt::skip]
const CHECKED: &[Row] = &[
    ("hud::bar(\"a\", 1, 2, §50);", "warning", "a bar is full at 1, and this is 50; divide by the largest value", "hud::bar(\"a\", 1, 2, 0.5); hud::bar(\"b\", 1, 2, 1); hud::bar(\"c\", 1, 2, this.n / 50.0);"),
    ("this.n = world::kept(§\"bset\") ?? 0; world::keep(\"best\", 1);", "warning", "no script keeps `bset`, so this never has a value; did you mean `best`?", "this.n = world::kept(\"best\") ?? 0; world::keep(\"best\", 1);"),
    ("let name = \"b\" + this.n; world::keep(name, 1); this.n = world::§kept(\"b1\") * 2;", "warning", "is `()` until something is kept", "let name = \"b\" + this.n; world::keep(name, 1); this.n = world::kept(\"b1\") ?? 0;"),
    ("world::send(\"lift\", §2);", "warning", "`lift` has no point 2; its path has the points 0 to 1", "world::send(\"lift\", 1); world::send(\"lift\", 0); world::send(\"lift\", to_int(this.n));"),
    ("world::send(\"lift\", §-1);", "warning", "`lift` has no point -1", "world::stop(\"lift\");"),
    ("world::send(§\"floor\", 1);", "warning", "`floor` cannot be sent; give it a `path` with `loop = \"called\"` in its level", "world::send(\"lift\", 1);"),
    ("world::§send(\"lift\", \"top\");", "error", "`point` is the place of a point in the platform's `path`, from 0", "world::send(\"lift\", 1);"),
];

const LIFT: &str = "[[solid]]\nname = \"lift\"\npoints = [[300, 40], [360, 40], [360, 50], [300, 50]]\n\
                    path = { points = [[0, 0], [0, 100]], speed = 50, loop = \"called\" }\n";

fn game(code: &str) -> Folder {
    let mut script = format!("fn on_tick(me) {{\n    {code}\n}}\n");
    if code.contains("after(") {
        script += "fn on_boom(me) { boom(); }\nfn boom() { print(1); }\n";
    }
    let folder = Folder::with_script(&script);
    folder.write("levels/level.toml", &format!("{LEVEL}{LIFT}"));
    folder
}

fn checked(folder: &Folder) -> Vec<String> {
    let found = check(folder.root(), &[], &calls_of_tests()).expect("a game").diagnostics;
    found.iter().map(Diagnostic::headline).collect()
}

/// What loading the level, or its first tick, says.
fn said_by_the_game(folder: &Folder) -> Vec<String> {
    match folder.open() {
        Err(wrong) => wrong.iter().map(Diagnostic::headline).collect(),
        Ok(_) => {
            let mut game = folder.game();
            game.ticks(1);
            game.wrong()
        }
    }
}

#[test]
fn habits_get_the_right_words_from_the_check_and_from_the_game() {
    on_large_stack(|| {
        let mut failed = String::new();
        for (wrong, said, right) in HABITS {
            let folder = game(wrong);
            for (by, found) in [("check", checked(&folder)), ("game", said_by_the_game(&folder))] {
                if !found.iter().any(|headline| headline.contains(said)) {
                    failed += &format!("{by}: {wrong}\n  wanted {said}\n  got {found:?}\n");
                }
            }
            let folder = game(right);
            let found = [checked(&folder), said_by_the_game(&folder)].concat();
            if !found.is_empty() {
                failed += &format!("{right}\n  said {found:?}\n");
            }
        }
        assert!(failed.is_empty(), "{failed}");
    });
}

#[test]
fn an_assignment_in_a_condition_is_no_option_of_a_call() {
    for code in ["if (this.n = 3) { }", "while (n = 3) { }", "let a = (b = 3);", "let a = [b = 3, c];"] {
        let found = said_by_the_game(&game(code));
        assert!(found.len() == 1 && !found[0].contains("arguments have no names"), "{code}: {found:?}");
    }
}

#[test]
fn the_check_looks_at_literals_and_names_in_calls() {
    on_large_stack(|| {
        let mut failed = String::new();
        for (marked, severity, said, right) in CHECKED {
            let column = marked.chars().position(|c| c == '§').map_or(0, |at| at + 5);
            let wanted = format!("scripts/hero.rhai:2:{column}: {severity}: ");
            let found = checked(&game(&marked.replace('§', "")));
            let [only] = found.as_slice() else {
                failed += &format!("{marked}\n  got {found:?}\n");
                continue;
            };
            if !only.starts_with(&wanted) || !only.contains(said) {
                failed += &format!("{marked}\n  wanted {wanted}{said}\n  got {found:?}\n");
            }
            let found = checked(&game(right));
            if !found.is_empty() {
                failed += &format!("{right}\n  said {found:?}\n");
            }
        }
        assert!(failed.is_empty(), "{failed}");
    });
}

#[test]
fn writing_to_the_event_as_if_it_were_the_other_entity_warns() {
    on_large_stack(|| {
        for (name, field) in [("other", "vel"), ("event", "color"), ("hit", "x")] {
            let folder = game("");
            folder.write("scripts/hero.rhai", &format!("fn on_touch(me, {name}) {{ {name}.{field} = 3; }}\n"));
            let found = checked(&folder);
            let said = format!("`{name}` is the event, not an entity, so this changes nothing");
            assert!(found.len() == 1 && found[0].contains(&said) && found[0].contains("warning"), "{found:?}");
        }
        // Notes on an event are the script's own.
        let folder = game("");
        folder.write("scripts/hero.rhai", "fn on_touch(me, event) { event.mine = 3; this.n = event.mine; }\n");
        assert_eq!(checked(&folder), [""; 0]);
    });
}

#[test]
fn a_script_of_a_mod_that_nothing_names_warns() {
    on_large_stack(|| {
        let folder = game("");
        folder.write("mods/a/mod.toml", "name = \"a\"\nversion = \"1\"\n");
        folder.write("mods/a/scripts/angry.rhai", "fn on_tick(me) { this.n = 1; }\n");
        let said = "mods/a/scripts/angry.rhai:1:1: warning: nothing names this script";
        let found = checked(&folder);
        assert!(found.len() == 1 && found[0].starts_with(said), "{found:?}");
        folder.write("mods/a/config/entities/hero.toml", "scripts = [\"angry.rhai\"]\n");
        folder.write(
            "mods/a/scripts/angry.rhai",
            "import \"lib/help\" as help;\nfn on_tick(me) { this.n = help::one(); }\n",
        );
        folder.write("mods/a/scripts/lib/help.rhai", "fn one() { 1 }\n");
        assert_eq!(checked(&folder), [""; 0]);
        folder.write("scripts/later.rhai", "fn on_tick(me) { this.n = 1; }\n");
        let said =
            "scripts/later.rhai: warning: nothing names this script; a kind or a level does so with its key `script`";
        assert_eq!(checked(&folder), [said]);
    });
}

#[test]
fn keys_of_other_formats_get_the_right_ones() {
    let entity = "[[entity]]\nkind = \"hero\"\nat = [0, 40]\n";
    let solid = "[[solid]]\npoints = [[0, 200], [9, 200], [9, 209]]\n";
    let lift = "path = { points = [[0, 0], [0, 9]], speed = 5, ";
    for (text, said) in [
        (format!("{entity}x = 3\n"), "unknown key `x`; write `at = [100, 50]`"),
        (format!("{entity}position = [1, 2]\n"), "unknown key `position`; write `at = [100, 50]`"),
        (format!("{entity}type = \"hero\"\n"), "unknown key `type`; write `kind = \"…\"`"),
        (format!("{entity}size = [1, 2]\n"), "unknown key `size`; an entity gets its size from its `body`"),
        (format!("{entity}rotation = 3\n"), "unknown key `rotation`; write `angle_deg = 90`"),
        (format!("{solid}x = 3\n"), "unknown key `x`; write its corners: `points = [[0, 0]"),
        (format!("{solid}size = [1, 2]\n"), "unknown key `size`; write its corners"),
        (format!("{solid}loop = \"called\"\n"), "unknown key `loop`; it is a key of `path`"),
        (
            format!("{solid}{lift}loop = true }}\n"),
            "`loop` takes \"ping_pong\", \"circle\", \"once\", \"called\" or \"free\"",
        ),
        (
            "[[zone]]\nname = \"z\"\npoints = [[0, 0], [9, 0], [9, 9]]\nwidth = 3\n".into(),
            "unknown key `width`; write its corners",
        ),
        ("[[platform]]\nname = \"p\"\n".into(), "unknown key `platform`; write `[[solid]]`, with a `path` if it moves"),
        ("[[enemy]]\nname = \"p\"\n".into(), "unknown key `enemy`; write `[[entity]]` with its `kind`"),
    ] {
        let folder = game("");
        folder.write("levels/level.toml", &format!("{LEVEL}{text}"));
        let found = folder.wrong();
        assert!(found.len() == 1 && found[0].contains(said), "{text}\nwanted {said}\ngot {found:?}");
    }
}

#[test]
fn short_names_of_keys_get_their_full_ones() {
    for (short, full) in [
        ("F", "KeyF"),
        ("q", "KeyQ"),
        ("1", "Digit1"),
        ("Up", "ArrowUp"),
        ("left", "ArrowLeft"),
        ("Shift", "ShiftLeft"),
        ("space", "Space"),
        ("Ctrl", "ControlLeft"),
        ("Return", "Enter"),
    ] {
        let folder = game("");
        folder.write("config/hangtime.toml", &format!("[keys]\npunch = \"{short}\"\n"));
        let found = folder.wrong();
        let said = format!("there is no key `{short}`; did you mean `{full}`?");
        assert!(found.len() == 1 && found[0].contains(&said), "{found:?}");
    }
}

#[test]
fn the_name_of_a_level_a_kind_or_a_test_is_no_path_of_tests() {
    let folder = game("");
    for (name, said) in [
        ("level", "`level` is a level, but `test` takes files and folders"),
        ("hero", "`hero` is a kind, but `test` takes files and folders"),
        ("test_it_jumps", "to choose tests by their names, write `--filter test_it_jumps`"),
    ] {
        let tested = run(folder.root(), &["test", name]);
        assert_eq!(code(&tested), 2);
        assert!(err(&tested).contains(said), "{}", err(&tested));
    }
    folder.write("levels/tests/air.rhai", "fn test_it() { expect(1).equals(1); }\n");
    let tested = run(folder.root(), &["test", "airr.rhai"]);
    assert_eq!(err(&tested), "airr.rhai: error: no such file; did you mean `levels/tests/air.rhai`?\n");
    let tested = run(folder.root(), &["test", "nope.rhai"]);
    assert_eq!(err(&tested), "nope.rhai: error: no such file\n");
    let looked_up = run(folder.root(), &["api", "jump_hieght"]);
    assert!(err(&looked_up).contains("is it one of `") && err(&looked_up).contains("jump"), "{}", err(&looked_up));
    let saves = run(folder.root(), &["saves", "--player", "ann"]);
    assert_eq!(code(&saves), 0);
    assert_eq!((out(&saves).as_str(), err(&saves).as_str()), ("", "ann has kept nothing\n"));
}
