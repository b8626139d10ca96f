//! Completion by kind and in quotes, and signature help.

use crate::{client::Editor, folder::Folder};
use hangtime_script::calls::NAMED_COLORS;
use std::collections::{BTreeMap, BTreeSet};

const FILE: &str = "scripts/hero.rhai";

/// A game in which each script has variables of its kind only.
pub fn game() -> Folder {
    let folder = Folder::with_script("import \"lib/tools\" as tools;\nfn on_tick(me) { this.jumps = 0; }\n");
    folder.write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { coins = 0, \"hat\" = 1 }\n");
    folder.write("config/entities/bat.toml", "script = \"bat.rhai\"\n\n[vars]\nwings = 2\nprey = \"hero\"\n");
    folder.write("config/entities/stone.toml", "vars = { weight = 3 }\n");
    folder
        .write("scripts/bat.rhai", "fn on_thud(me) { this.flaps = 1; }\nfn state_fly(me) { }\nfn state_rest(me) { }\n");
    folder.write("scripts/rain.rhai", "fn on_tick(me) { }\n");
    folder.write("scripts/lib/tools.rhai", "fn shout(me) { me.note(\"ow\"); }\n");
    let level = folder.read("levels/level.toml");
    folder.write(
        "levels/level.toml",
        &format!(
            "script = \"rain.rhai\"\nvars = {{ drops = 4 }}\n{level}vars = {{ lives = 5 }}\n\
             [[entity]]\nkind = \"bat\"\nname = \"bruce\"\nat = [0, 90]\n[entity.vars]\nfangs = 6\n\
             [[zone]]\nname = \"pond\"\npoints = [[0, 0], [9, 0], [9, 9]]\n"
        ),
    );
    folder
}

#[test]
fn this_offers_the_variables_of_the_kind_and_the_script_only() {
    let mut editor = Editor::start(game());
    // By the files above: what each script names, and what its kind, its entities or its level set.
    let expected: BTreeMap<&str, &[&str]> = BTreeMap::from([
        (FILE, &["coins", "hat", "jumps", "lives"][..]),
        ("scripts/bat.rhai", &["fangs", "flaps", "prey", "wings"][..]),
        ("scripts/rain.rhai", &["drops"][..]),
        // A library may be called for each script that imports it.
        ("scripts/lib/tools.rhai", &["coins", "hat", "lives"][..]),
        ("scripts/new.rhai", &[][..]),
    ]);
    for (file, own) in expected {
        let text = std::fs::read_to_string(editor.folder.path(file)).unwrap_or_default();
        let found: BTreeSet<String> =
            editor.completed(file, &format!("{text}\nfn f(me) {{ this.§")).into_iter().collect();
        let functions = ["f", "on_thud", "state_fly", "state_rest", "shout"];
        let variables: Vec<&str> = found.iter().map(String::as_str).filter(|name| !functions.contains(name)).collect();
        assert_eq!(variables, own, "{file}");
    }
    // Those of an entity that a test plays are its kind's.
    let test = "levels/tests/a.rhai";
    for (entity, own) in [("hero", "coins hat lives"), ("bruce", "fangs prey wings")] {
        let code =
            format!("fn test_it() {{\nlet t = play(\"level\");\nlet x = t.entity(\"{entity}\");\nx.vars.§\n}}\n");
        assert_eq!(editor.completed(test, &code).join(" "), own, "{entity}");
    }
    editor.stop();
}

#[test]
fn texts_offer_the_names_that_fit() {
    let mut editor = Editor::start(game());
    let colors: Vec<&str> = NAMED_COLORS.iter().map(|(name, _)| *name).collect();
    let colors = colors.join(" ");
    // An argument, an option, a comparison, an assignment, a case, an import, and a call over several lines.
    for (code, wanted) in [
        ("world::create(\"§\", 0, 0);", "bat hero stone"),
        ("world::create(\n        \"b§\",\n        0,", "bat"),
        ("world::create(\"§", "bat hero stone"),
        ("me.color = \"§\";", &colors),
        ("me.color = \"g§ld\";", "gray gold green"),
        ("me.text(\"a\", 0, 1, \"b\", #{ size: 2, color: \"§\" });", &colors),
        ("me.text(\"a\", 0, 1, \"§\");", ""),
        ("me.note(\"§\");", ""),
        ("if \"x\" == me.kind && me.kind == \"§\" { }", "bat hero stone"),
        ("switch me.kind { \"bat\" => 1, \"h§\" => 2 }", "hero"),
        ("if event.surface != \"i§\" { }", "ice"),
        ("me.set_model(\"top§\");", "topdown"),
        ("me.tune(\"platformer.jump_sp§\", 1);", "platformer.jump_speed"),
        ("world::emit(\"§\");", "thud"),
        ("world::zone(\"§\")", "pond"),
        ("world::entity(\"§\")", "bruce hero"),
        ("this.kind = \"§\";", ""),
        ("let x = `${world::create(\"b§\")}`;", "bat"),
        ("let c = '\"'; world::create(\"b§\");", "bat"),
        ("/* \" */ world::create(\"b§\");", "bat"),
    ] {
        let found = editor.completed(FILE, &format!("fn on_land(me, event) {{\n    {code}\n}}\n"));
        let (mut found, mut wanted): (Vec<&str>, Vec<&str>) =
            (found.iter().map(String::as_str).collect(), wanted.split(' ').filter(|it| !it.is_empty()).collect());
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{code}");
    }
    let bat = "scripts/bat.rhai";
    let text = editor.folder.read(bat);
    assert_eq!(editor.completed(bat, &format!("{text}fn f(me) {{ this.become(me, \"§\"); }}")), ["fly", "rest"]);
    assert_eq!(editor.completed(FILE, "import \"lib/§\" as x;"), ["lib/tools"]);
    for (file, code, wanted) in [
        ("levels/level.toml", "[[entity]]\nkind = \"b§\"\n", "bat"),
        ("levels/level.toml", "surface = \"i§", "ice"),
        ("levels/level.toml", "[[solid]]\n\"surface\" = 's§'\n", "stone"),
        ("levels/level.toml", "[[entity]]\nkind = \"bat\"\nvars = { kind = \"§\" }\n", ""),
        ("config/entities/bat.toml", "script = \"ba§\"\n", "bat.rhai"),
        ("config/entities/bat.toml", "model = \"ves§\"\n", "vessel"),
        ("config/entities/bat.toml", "# \"\nmodel = \"ves§\"\n", "vessel"),
    ] {
        assert_eq!(editor.completed(file, code).join(" "), wanted, "{code}");
    }
    editor.stop();
}

#[test]
fn signatures_show_parameters_with_units() {
    let mut editor = Editor::start(game());
    for (code, label, active) in [
        ("me.after(§", "me.after(seconds: a number (s), name: a custom event name)", 0),
        ("me.after(1.0, §\"a\")", "me.after(seconds: a number (s), name: a custom event name)", 1),
        (
            "me.after(max(1, 2), [3, 4][0], §)",
            "me.after(seconds: a number (s), name: a custom event name, data: plain data)",
            2,
        ),
        ("this.hard(me,\n    §)", "fn hard(me, speed)", 1),
        ("tools::shout(§)", "fn shout(me)", 0),
        ("let x = [floor(§", "floor(x: a number) → a number", 0),
        (
            "world::create(\"(\", // (\n  §",
            "world::create(kind: a kind, x: a number (px), y: a number (px)) → an entity name",
            1,
        ),
    ] {
        let text = format!(
            "import \"lib/tools\" as tools;\nfn hard(me, speed) {{ }}\nfn on_land(me, event) {{\n    {code}\n}}\n"
        );
        let help = editor.at(FILE, &text, "signatureHelp");
        let shown =
            &help["signatures"][help["activeSignature"].as_u64().unwrap_or_else(|| panic!("{code}: {help}")) as usize];
        assert_eq!((shown["label"].as_str(), help["activeParameter"].as_u64()), (Some(label), Some(active)), "{code}");
        // Each parameter is a part of the label, which the editor highlights.
        for parameter in shown["parameters"].as_array().expect("a list") {
            assert!(label.contains(parameter["label"].as_str().expect("a text")), "{parameter}");
        }
    }
    for code in ["§", "me.jump();§", "fn f(§", "if (me.x) § { }", "nothing(§)"] {
        assert!(editor.at(FILE, &format!("fn on_tick(me) {{ {code}"), "signatureHelp").is_null(), "{code}");
    }
    editor.stop();
}
