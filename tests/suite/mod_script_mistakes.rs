//! Mistakes in scripts of mods above the script of a kind.

use crate::{
    folder::Folder,
    mod_scripts::layered,
    mods::{headlines, names, open},
    program::{err, out, run},
};

/// What a mod's file of the hero says, its script if it matters, and the message.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("scripts = \"mine.rhai\"\n", "", "`scripts` takes a list, such as [\"angry.rhai\"], not text"),
    ("scripts = []\n", "", "`scripts` is empty; leave it out"),
    ("scripts = [3]\n", "", "`scripts` takes paths below scripts/, not a number"),
    ("scripts = [\"mine.rhai\", \"mine.rhai\"]\n", "", "`mine.rhai` is listed twice"),
    ("scripts = [\"mien.rhai\"]\n", "", "there is no scripts/mien.rhai; did you mean `mine.rhai`?"),
    ("replaces = true\n", "", "`replaces` needs `scripts`"),
    ("scripts = [\"mine.rhai\"]\nreplaces = 1\n", "", "`replaces` takes true or false, not a number"),
    ("script = \"mine.rhai\"\n", "", "`script` is the script of a new kind; write `scripts = [\"…\"]`"),
    ("scripts = [\"mine.rhai\"]\nvars = { n = nil }\n", "", ""),
    (
        "scripts = [\"mine.rhai\"]\n",
        "fn on_tick(me) { base::helpr(me, 1); }",
        "no layer below has a function `helpr`; did you mean `helper`?",
    ),
    (
        "scripts = [\"mine.rhai\"]\n",
        "fn on_tick(me) { base::helper(me); }",
        "`helper` in scripts/hero.rhai takes 2 arguments, not 1",
    ),
    (
        "scripts = [\"mine.rhai\"]\n",
        "fn on_tick(me) { base::on_tick(me); }",
        "`base::on_tick` cannot be called: hooks run in every layer by themselves",
    ),
    (
        "scripts = [\"mine.rhai\"]\nreplaces = true\n",
        "fn on_tick(me) { base::helper(me, 1); }",
        "there is no layer below for `base::helper`",
    ),
];

#[test]
fn mistakes_in_layers_are_named() {
    let script = "fn helper(me, x) { x } fn on_tick(me) { }";
    for (kind, above, message) in MISTAKES {
        let folder = layered(script, ["fn on_tick(me) { }", ""]);
        folder.write("mods/a/config/entities/hero.toml", kind);
        if !above.is_empty() {
            folder.write("mods/a/scripts/mine.rhai", above);
        }
        let revision = open(&folder);
        let warnings = headlines(&revision.warnings);
        assert_eq!(names(&revision), Vec::<&str>::new(), "{kind}{above}: {warnings}");
        assert!(warnings.contains(message), "{kind}{above}: {warnings}");
        let checked = run(folder.root(), &["check"]);
        let said = format!("{}{}", err(&checked), out(&checked));
        assert!(said.contains(message), "{kind}{above}: {said}");
    }
}

#[test]
fn scripts_are_for_mods_alone() {
    for (text, key) in [("scripts = [\"hero.rhai\"]\n", "scripts"), ("replaces = true\n", "replaces")] {
        let folder = Folder::with_script("fn on_tick(me) { }");
        folder.write("config/entities/hero.toml", &format!("script = \"hero.rhai\"\n{text}"));
        let wrong = folder.wrong().join("\n");
        assert!(wrong.contains(&format!("`{key}` is for the files of mods")), "{wrong}");
    }
    let folder = layered("fn on_tick(me) { }", ["", ""]);
    let level = folder
        .read("levels/level.toml")
        .replace("kind = \"hero\"", "kind = \"hero\"\nscripts = [\"hero.rhai\"]");
    folder.write("levels/level.toml", &level);
    let wrong = folder.wrong().join("\n");
    assert!(wrong.contains("only a mod's file of a kind has `scripts`"), "{wrong}");
    // A script of the game has nothing below it.
    let folder = Folder::with_script("fn on_tick(me) { base::f(me); }");
    let wrong = folder.wrong().join("\n");
    assert!(wrong.contains("there is no layer below for `base::f`"), "{wrong}");
}
