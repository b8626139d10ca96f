//! The example of docs/mods.md: a mod over another one's enemy.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};

/// The files of the example in docs/mods.md: each block after its name in the first line.
fn example() -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { }");
    let page = include_str!("../../docs/mods.md");
    for block in page.split("```").skip(1).step_by(2) {
        let text = block.split_once('\n').expect("a language").1;
        let name = text.lines().next().unwrap_or_default();
        let name = name.trim_start_matches(['#', '/', ' ']);
        if name.starts_with("mods/") && name.contains('.') && !text.contains("needs = { enemies = \"1.2\" }") {
            folder.write(name, text);
        }
    }
    folder.write("mods/enemies/mod.toml", "name = \"enemies\"\nversion = \"1.0.0\"\n");
    let level = folder.read("levels/level.toml");
    let bat = "[[entity]]\nkind = \"bat\"\nname = \"bat\"\nat = [0, 300]\n";
    folder.write("levels/level.toml", &format!("{level}{bat}"));
    folder
}

#[test]
fn the_mod_over_anothers_enemy_does_what_the_docs_say() {
    let folder = example();
    let test = "fn test_it() {
        let t = play(\"level\");
        let bat = t.entity(\"bat\");
        t.run(0.5);
        expect(bat.vel.x).near(60.0, 0.001);
        t.run(1.0);
        expect(bat.vel.x).near(-90.0, 0.001);
        expect(bat.layers.angry.vars.rage).equals(1.5);
        expect(bat.vars.turns).equals(1);
        expect(\"rage\" in bat.vars).equals(false);
    }";
    folder.write("levels/tests/it.rhai", test);
    for way in ["--both-ways", "--interpret"] {
        let ran = run(folder.root(), &["test", way]);
        assert_eq!(code(&ran), 0, "{}{}", out(&ran), err(&ran));
    }
    let checked = run(folder.root(), &["check"]);
    assert_eq!(code(&checked), 0, "{}{}", out(&checked), err(&checked));
    let listed = out(&run(folder.root(), &["mods"]));
    assert!(listed.contains("puts scripts angry.rhai above bat"), "{listed}");
    assert!(listed.contains("sets entities.bat.layers.angry.vars.rage"), "{listed}");
}

#[test]
fn traces_show_the_variables_of_mods_as_layers() {
    let folder = example();
    let ran = run(folder.root(), &["run", "level", "--ticks", "2", "--trace", "-"]);
    let line = out(&ran).lines().last().map(str::to_string).unwrap_or_default();
    let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let bat = value["entities"].as_array().and_then(|all| all.iter().find(|it| it["name"] == "bat"));
    let bat = bat.expect("a bat");
    assert_eq!(bat["vars"], serde_json::json!({ "speed": 60, "turns": 0 }));
    assert_eq!(bat["layers"], serde_json::json!({ "angry": { "vars": { "rage": 1.0 } } }));
}
