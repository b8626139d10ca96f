//! Symbols, references and renaming.

use crate::{
    client::{Editor, edited},
    folder::Folder,
};
use hangtime_game::check;
use hangtime_play::calls::calls_of_tests;
use hangtime_script::STACK;
use serde_json::{Value, json};

const HERO: &str = "scripts/hero.rhai";

const FILES: [(&str, &str); 9] = [
    (
        HERO,
        "import \"lib/tools\" as tools;\n\nconst REACH = 40.0;\n\nfn on_land(me, event) {\n    let speed = event.speed;\n    \
         this.hard(me, speed);\n    this.coins += 1;\n}\n\nfn hard(me, speed) {\n    if speed > REACH { tools::shout(me); }\n    \
         let all = [1, 2].filter(|coins| coins > 1);\n    world::emit(\"thud\", #{ coins: this.coins, speed: speed });\n}\n",
    ),
    ("scripts/lib/tools.rhai", "fn shout(me) {\n    whisper(me);\n}\n\nfn whisper(me) { me.note(\"thud\"); }\n"),
    (
        "scripts/bat.rhai",
        "fn on_thud(me, event) {\n    this.coins = 0;\n    let hero = world::entity(\"hero\");\n    \
         if hero != () && hero.x > 3 && event.entity == \"bruce\" { me.after(1, \"thud\"); }\n}\n\n\
         fn on_touch(me, event) {\n    if event.kind == \"bat\" { world::create(\"bat\", 0, 0); }\n    \
         switch event.kind { \"bat\" | \"hero\" => me.jump(), _ => () }\n}\n",
    ),
    ("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { coins = 0 }\n"),
    ("config/entities/bat.toml", "script = \"bat.rhai\"\n\n[vars]\ncoins = 2\n"),
    (
        "levels/den.toml",
        "[[solid]]\nname = \"floor\"\npoints = [[-900, -100], [900, -100], [900, 0], [-900, 0]]\n\n[[entity]]\nkind = \"hero\"\n\
         at = [0, 30]\nplayer = 1\nvars = { coins = 7 }\n\n[[entity]]\nkind = \"bat\"\nname = \"bruce\"\nat = [90, 60]\n\n[entity.vars]\ncoins = 1\n",
    ),
    (
        "levels/tests/den.rhai",
        "fn test_coins() {\n    let t = play(\"den\");\n    let hero = t.entity(\"hero\");\n    let bat = t.entity(\"bruce\");\n    t.run(1);\n    \
         expect(hero.vars.coins).equals(8);\n    expect(bat.vars.coins).equals(0);\n    expect(t.events(\"thud\").len()).equals(1);\n}\n",
    ),
    ("config/surfaces.toml", "[stone]\n[ice]\n"),
    ("scripts/idle.rhai", "fn helper(me) { let coins = 3; coins }\n"),
];

fn game() -> Folder {
    let folder = Folder::with_script("");
    std::fs::remove_file(folder.path("levels/level.toml")).expect("a file");
    FILES.iter().for_each(|(file, text)| folder.write(file, text));
    folder
}

/// A file with the cursor in the middle of the nth place of a text.
fn marked(file: &str, part: &str, nth: usize) -> String {
    let (_, text) = FILES.iter().find(|(name, _)| *name == file).expect("a file");
    let (at, _) = text.match_indices(part).nth(nth).expect("a place");
    let at = at + part.len().div_ceil(2);
    format!("{}§{}", &text[..at], &text[at..])
}

/// The places of a name, each as `file:line`, sorted.
fn found(editor: &mut Editor, file: &str, text: &str) -> Vec<String> {
    let root = editor.uri("");
    let more = json!({ "context": { "includeDeclaration": true } });
    let places = editor.try_at(file, text, "references", more).expect("places");
    let line = |place: &Value| {
        let line = place["range"]["start"]["line"].as_u64().expect("a line") + 1;
        format!("{}:{line}", place["uri"].as_str().expect("an address").replace(&root, ""))
    };
    let mut found: Vec<String> = places.as_array().expect("a list").iter().map(line).collect();
    found.sort();
    found
}

#[test]
fn references_are_the_places_that_mean_the_same_thing() {
    let mut editor = Editor::start(game());
    for (file, part, nth, places) in [
        // A variable of a kind: in its script, its file, its entities and tests, and not another kind's.
        (
            HERO,
            "coins",
            0,
            "config/entities/hero.toml:2 levels/den.toml:9 levels/tests/den.rhai:6 scripts/hero.rhai:14 scripts/hero.rhai:8",
        ),
        (
            "config/entities/bat.toml",
            "coins",
            0,
            "config/entities/bat.toml:4 levels/den.toml:17 levels/tests/den.rhai:7 scripts/bat.rhai:2",
        ),
        // A parameter of a closure, and a variable of a function.
        (HERO, "coins", 1, "scripts/hero.rhai:13 scripts/hero.rhai:13"),
        (HERO, "speed", 0, "scripts/hero.rhai:6 scripts/hero.rhai:7"),
        (HERO, "hard", 0, "scripts/hero.rhai:11 scripts/hero.rhai:7"),
        (HERO, "REACH", 0, "scripts/hero.rhai:12 scripts/hero.rhai:3"),
        ("scripts/lib/tools.rhai", "shout", 0, "scripts/hero.rhai:12 scripts/lib/tools.rhai:1"),
        // An event: emitted, handled, set as a timer and asked for in a test. A note is only text.
        (HERO, "thud", 0, "levels/tests/den.rhai:8 scripts/bat.rhai:1 scripts/bat.rhai:4 scripts/hero.rhai:14"),
        (
            "scripts/bat.rhai",
            "on_thud",
            0,
            "levels/tests/den.rhai:8 scripts/bat.rhai:1 scripts/bat.rhai:4 scripts/hero.rhai:14",
        ),
        // A kind: created, compared, in a case, and placed.
        ("levels/den.toml", "bat", 0, "levels/den.toml:12 scripts/bat.rhai:8 scripts/bat.rhai:8 scripts/bat.rhai:9"),
        ("levels/den.toml", "bruce", 0, "levels/den.toml:13 levels/tests/den.rhai:4 scripts/bat.rhai:4"),
        ("levels/den.toml", "floor", 0, "levels/den.toml:2"),
        ("scripts/lib/tools.rhai", "note", 0, ""),
    ] {
        assert_eq!(found(&mut editor, file, &marked(file, part, nth)).join(" "), places, "{part} in {file}");
    }
    editor.stop();
}

/// Writes what an edit of the workspace says.
fn apply(editor: &Editor, edit: &Value) {
    let local = |uri: &Value| uri.as_str().expect("an address").replace(&editor.uri(""), "");
    for change in edit["documentChanges"].as_array().expect("a list") {
        if change["kind"] == "rename" {
            let path = |key: &str| editor.folder.path(&local(&change[key]));
            std::fs::rename(path("oldUri"), path("newUri")).expect("it is renamed");
        } else {
            let file = local(&change["textDocument"]["uri"]);
            editor.folder.write(&file, &edited(&editor.folder.read(&file), &change["edits"]));
        }
    }
}

/// The messages about a game, and how its tests end.
fn messages(root: std::path::PathBuf) -> Vec<String> {
    let work = move || {
        let found = check(root.as_path(), &[], &calls_of_tests()).expect("a game").diagnostics;
        // `idle.rhai` is there to show that no renaming changes it.
        let headlines = found.iter().map(|wrong| wrong.headline());
        headlines.filter(|line| !line.contains("nothing names this script")).collect()
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.expect("a thread").join().expect("no panic")
}

#[test]
fn a_renamed_game_is_as_right_as_before() {
    for (file, part, nth, new) in [
        (HERO, "coins", 0, "gold"),
        ("levels/den.toml", "coins", 1, "teeth"),
        ("levels/tests/den.rhai", "coins", 1, "gold"),
        (HERO, "coins", 1, "each"),
        (HERO, "speed", 2, "fast"),
        (HERO, "hard", 1, "harder"),
        (HERO, "REACH", 1, "FAR"),
        (HERO, "shout", 0, "cry"),
        (HERO, "tools", 1, "kit"),
        (HERO, "thud", 0, "bump"),
        ("scripts/bat.rhai", "bat", 0, "big_bat"),
        ("levels/den.toml", "hero", 0, "runner"),
        ("levels/den.toml", "bruce", 0, "old bruce"),
        ("levels/den.toml", "floor", 0, "ground"),
    ] {
        let mut editor = Editor::start(game());
        assert_eq!(messages(editor.folder.root().into()), [""; 0]);
        let text = marked(file, part, nth);
        let places = found(&mut editor, file, &text).len();
        let range = editor.at(file, &text, "prepareRename");
        assert!(!range.is_null(), "{part}");
        let edit = editor.try_at(file, &text, "rename", json!({ "newName": new })).expect("an edit");
        apply(&editor, &edit);
        assert_eq!(messages(editor.folder.root().into()), [""; 0], "{part} to {new}");
        // Under the new name, it is in as many places.
        let texts = FILES.iter().filter_map(|(name, _)| {
            let moved = name.replace("/bat.toml", "/big_bat.toml").replace("/hero.toml", "/runner.toml");
            let read = |name: &str| std::fs::read_to_string(editor.folder.path(name)).ok();
            read(name).or_else(|| read(&moved))
        });
        let renamed: usize = texts.map(|text| text.matches(new).count()).sum();
        assert!(renamed >= places, "{part} to {new}: {renamed} of {places}");
        editor.stop();
    }
}

#[test]
fn names_that_cannot_be_changed_say_why() {
    let folder = game();
    folder.write("config/entities/boss.toml", "vars = { prey = \"bruce\" }\n");
    folder.write("levels/map.tmx", "<map><object name=\"floor\"/></map>\n");
    let mut editor = Editor::start(folder);
    for (file, part, nth, new, why) in [
        (HERO, "on_land", 0, "on_fall", "`land` is an event of hangtime"),
        (HERO, "hard", 0, "on hard", "cannot be a name"),
        (HERO, "hard", 0, "", "cannot be a name"),
        (HERO, "hard", 0, "3d", "cannot be a name"),
        (HERO, "hard", 0, "REACH", "there is a `REACH` already"),
        (HERO, "coins", 0, "speed", "there is a `speed` already"),
        (HERO, "thud", 0, "land", "there is a `land` already"),
        ("levels/den.toml", "bat", 0, "hero", "there is a `hero` already"),
        ("levels/den.toml", "bat", 0, "a\"b", "cannot be a name"),
        ("levels/den.toml", "bruce", 0, "b", "config/entities/boss.toml:1 may mean `bruce`, too"),
        ("levels/den.toml", "floor", 0, "b", "levels/map.tmx:1 may mean `floor`, too"),
        ("scripts/lib/tools.rhai", "note", 0, "log", "nothing here has a name that can be changed"),
    ] {
        let said = editor.try_at(file, &marked(file, part, nth), "rename", json!({ "newName": new }));
        let said = said.expect_err(part);
        assert!(said.contains(why), "{part} to {new}: {said}");
    }
    editor.stop();
}

#[test]
fn symbols_are_functions_constants_and_tables() {
    let mut editor = Editor::start(game());
    for (file, names) in [
        (HERO, "REACH 14, on_land 24, hard 12"),
        ("levels/den.toml", "solid floor 23, entity hero 23, entity bruce 23, entity.vars 23"),
        ("config/entities/bat.toml", "vars 23"),
    ] {
        let shown = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": editor.uri(file) } }));
        let shown = shown.as_array().expect("a list").iter();
        let shown: Vec<String> = shown
            .map(|it| format!("{} {}", it["name"].as_str().expect("a name"), it["kind"]))
            .collect();
        assert_eq!(shown.join(", "), names);
    }
    let shown = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": editor.uri(HERO) } }));
    // The parts of a file do not overlap, and each name is in its part.
    let line = |range: &Value, end: &str| range[end]["line"].as_u64().expect("a line");
    let (range, name) = (&shown[1]["range"], &shown[1]["selectionRange"]);
    assert_eq!((line(range, "start"), line(range, "end"), line(name, "start")), (4, 8, 4));
    for (query, files) in [
        ("ba", "config/entities/bat.toml"),
        ("HARD", "scripts/hero.rhai"),
        ("bruce", "levels/den.toml"),
        ("whis", "scripts/lib/tools.rhai"),
        ("nothing at all", ""),
    ] {
        let found = editor.ask("workspace/symbol", json!({ "query": query }));
        let files_found = found
            .as_array()
            .expect("a list")
            .iter()
            .map(|it| it["containerName"].as_str().expect("a file"));
        assert_eq!(files_found.collect::<Vec<_>>().join(" "), files, "{query}");
    }
    editor.stop();
}
