//! The modder's guide: its code works, and its table lists the gallery.

use crate::{
    folder::Folder,
    program::{code, err, out, run},
};
use std::{collections::BTreeSet, path::Path};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn guide() -> String {
    read("scripts/README.md")
}

/// The fenced blocks of a page in this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let after = page.split(fence.as_str()).skip(1);
    after
        .map(|rest| {
            let end = rest.find("```").expect("a block ends");
            rest[..end].to_string()
        })
        .collect()
}

/// The text below a heading, up to the next heading of its level.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let from = page.find(heading).expect("the heading is there") + heading.len();
    let rest = &page[from..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

/// The file named in a block's first line.
fn labelled(block: &str) -> Option<&str> {
    let line = block.lines().next()?;
    let name = line.strip_prefix("// ").or_else(|| line.strip_prefix("# "))?;
    let ends = name.ends_with(".rhai") || name.ends_with(".toml");
    (ends && name.contains('/')).then_some(name)
}

/// A game folder with the guide's behavior, as `new` creates it.
fn begun() -> Folder {
    let folder = Folder::empty();
    let made = run(folder.root(), &["new", "mygame"]);
    assert_eq!(code(&made), 0, "{}{}", out(&made), err(&made));
    let made = run(&folder.path("mygame"), &["new", "glider"]);
    assert_eq!(code(&made), 0, "{}{}", out(&made), err(&made));
    folder
}

fn expect_good(game: &Path, arguments: &[&str]) {
    let output = run(game, arguments);
    assert_eq!(code(&output), 0, "{arguments:?}: {}{}", out(&output), err(&output));
}

#[test]
fn the_guides_first_behavior_works_at_every_step() {
    let (page, folder) = (guide(), begun());
    let game = folder.path("mygame");
    let put = |name: &str, text: &str| folder.write(&format!("mygame/{name}"), text);
    let level = "levels/tests/glider.toml";
    let page = section(&page, "## Your first behavior in five minutes");
    let steps: Vec<String> = blocks(page, "rust").into_iter().filter(|block| labelled(block).is_some()).collect();
    assert_eq!(steps.len(), 3, "two scripts and a test");
    for step in &steps {
        let name = labelled(step).expect("a file's name");
        put(name, step);
        if name == "scripts/glider.rhai" {
            expect_good(&game, &["check"]);
            expect_good(&game, &["run", level, "--ticks", "60", "--strict"]);
        }
        // The new variables replace the line that `new` wrote.
        if step.contains("this.tired") {
            let vars = &blocks(page, "toml")[0];
            let kind = folder.path("mygame/config/entities/glider.toml");
            let text = std::fs::read_to_string(kind).expect("the kind is there");
            let line = text.lines().find(|line| line.starts_with("vars ="));
            let text = text.replace(line.expect("new has made vars"), vars.trim());
            put("config/entities/glider.toml", &text);
        }
    }
    let tests = ["test", "levels/tests/glider.rhai"];
    expect_good(&game, &["check"]);
    expect_good(&game, &tests);

    // The guide says how to make the test fail and shows a mistake's message.
    let last = &steps[1];
    put("scripts/glider.rhai", &last.replace("GLIDE_TIME = 1.0", "GLIDE_TIME = 10.0"));
    assert_eq!(code(&run(&game, &tests)), 100, "it can fail");
    put("scripts/glider.rhai", &last.replace("me.grounded", "me.grouned"));
    let mistaken = run(&game, &["run", level, "--ticks", "3", "--strict"]);
    let said = err(&mistaken);
    assert_ne!(code(&mistaken), 0, "{said}");
    assert!(said.contains("scripts/glider.rhai:"), "{said}");
    assert!(said.contains("did you mean `grounded`?"), "{said}");

    // The behavior fits into a level of the game, whose tests still pass.
    put("scripts/glider.rhai", last);
    let first = folder.path("mygame/levels/first.toml");
    let text = std::fs::read_to_string(first).expect("a first level");
    put("levels/first.toml", &format!("{text}\n{}", blocks(page, "toml")[1]));
    expect_good(&game, &["check"]);
    expect_good(&game, &["test"]);
}

/// The guide's level with rules: its files as printed, and its test can fail.
#[test]
fn the_guides_level_with_rules_works_and_its_test_can_fail() {
    let (page, folder) = (guide(), begun());
    let page = section(&page, "## Level scripts");
    let game = folder.path("mygame");
    let mut files = 0;
    for block in [blocks(page, "toml"), blocks(page, "rust")].concat() {
        let name = labelled(&block).expect("a file's name");
        folder.write(&format!("mygame/{name}"), &block);
        files += 1;
    }
    assert_eq!(files, 5, "the guide says five");
    let tests = ["test", "levels/tests/coins.rhai"];
    expect_good(&game, &["check"]);
    expect_good(&game, &tests);
    let rules = std::fs::read_to_string(game.join("scripts/three_coins.rhai")).expect("rules");
    let more = rules.replace("COINS_NEEDED = 3", "COINS_NEEDED = 4");
    folder.write("mygame/scripts/three_coins.rhai", &more);
    assert_eq!(code(&run(&game, &tests)), 100, "it can fail");
}

/// The guide's lift, checkpoint and ball: their files as printed, and the lift's test can fail.
#[test]
fn the_guides_lift_works_and_what_its_passenger_throws_flies() {
    let (page, folder) = (guide(), begun());
    let page = section(&page, "## Checkpoints, lifts, and things that spawn");
    let game = folder.path("mygame");
    let mut throws = String::new();
    for block in [blocks(page, "toml"), blocks(page, "rust")].concat() {
        match labelled(&block) {
            Some(_) if block.contains("world::create") => throws = block,
            Some(name) => folder.write(&format!("mygame/{name}"), &block),
            None => {}
        }
    }
    let tests = ["test", "levels/tests/lift.rhai"];
    expect_good(&game, &["check"]);
    expect_good(&game, &tests);
    let passenger = folder.read("mygame/scripts/passenger.rhai");
    folder.write("mygame/scripts/passenger.rhai", &passenger.replace("\"lift\", 1", "\"lift\", 0"));
    assert_eq!(code(&run(&game, &tests)), 100, "it can fail");
    folder.write("mygame/scripts/passenger.rhai", &throws);
    folder.write(
        "mygame/levels/tests/lift.rhai",
        "fn test_it_throws() {\n    let t = play(\"lift.toml\");\n    t.run(0.2);\n    t.press(\"jump\");\n    t.run(0.1);\n\
         \x20   let ball = t.all(\"ball\")[0];\n    expect(ball.vel.x).equals(300);\n\
         \x20   expect(t.entity(\"passenger\").vars.last).equals(ball.name);\n}\n",
    );
    expect_good(&game, &["check"]);
    expect_good(&game, &tests);
}

/// The guide's state machine: it works, and `check` finds a misspelled state wherever it is.
#[test]
fn the_guides_state_machine_works_and_misspelled_states_are_found() {
    let (page, folder) = (guide(), begun());
    let page = section(&page, "## State machines");
    let game = folder.path("mygame");
    for block in [blocks(page, "toml"), blocks(page, "rust")].concat() {
        let name = labelled(&block).expect("a file's name");
        folder.write(&format!("mygame/{name}"), &block);
    }
    let level = "[[solid]]\npoints = [[-900, -50], [900, -50], [900, 0], [-900, 0]]\n\
                 [[entity]]\nkind = \"door_guard\"\nname = \"guard\"\nat = [0, 19]\n\
                 [[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [500, 19]\nplayer = 1\n";
    folder.write("mygame/levels/tests/door.toml", level);
    let test = "fn test_it_raises_the_alarm_and_calms_down() {\n\
                let t = play(\"door.toml\");\nlet guard = t.entity(\"guard\");\nt.run(0.5);\n\
                expect(guard.vars.state).equals(\"watch\");\nt.place(\"hero\", 100, 19);\nt.ticks(3);\n\
                expect(guard.vars.state).equals(\"alarm\");\nt.place(\"hero\", 500, 19);\nt.run(2.1);\n\
                expect(guard.vars.state).equals(\"watch\");\nlet said = t.events(\"note\").map(|e| e.text);\n\
                expect(said).equals([\"who's there?\", \"all quiet\"]);\n}\n";
    folder.write("mygame/levels/tests/door.rhai", test);
    expect_good(&game, &["check"]);
    expect_good(&game, &["test", "levels/tests/door.rhai"]);
    let script = folder.read("mygame/scripts/door_guard.rhai");
    let kind = folder.read("mygame/config/entities/door_guard.toml");
    for (file, good, from, to, message) in [
        (
            "scripts/door_guard.rhai",
            &script,
            "this.become(me, \"alarm\")",
            "this.become(me, \"alram\")",
            "error: there is no state `alram`, as there is no `fn state_alram`; did you mean `alarm`?",
        ),
        (
            "scripts/door_guard.rhai",
            &script,
            "fn enter_alarm",
            "fn enter_alram",
            "warning: nothing calls `enter_alram`, as there is no state `alram`; did you mean `enter_alarm`?",
        ),
        (
            "scripts/door_guard.rhai",
            &script,
            "me.note(\"who's there?\");",
            "if this.state == \"wtach\" { me.jump(); }",
            "error: there is no state `wtach`, as there is no `fn state_wtach`; did you mean `watch`?",
        ),
        (
            "config/entities/door_guard.toml",
            &kind,
            "state = \"watch\"",
            "state = \"wtach\"",
            "warning: scripts/door_guard.rhai has no state `wtach`; did you mean `watch`?",
        ),
    ] {
        let file = format!("mygame/{file}");
        folder.write(&file, &good.replace(from, to));
        let said = out(&run(&game, &["check"]));
        assert!(said.contains(message), "{said}");
        assert_eq!(said.matches(": error: ").count() + said.matches(": warning: ").count(), 1, "{said}");
        folder.write(&file, good);
    }
}

/// All other blocks: tests run; behaviors play in a level and receive landings and touches.
#[test]
fn every_code_block_of_the_guide_runs() {
    let (page, folder) = (guide(), begun());
    let mut level = "script = \"level.rhai\"\n[[solid]]\n\
                     points = [[-900, -50], [900, -50], [900, 0], [-900, 0]]\n"
        .to_string();
    let mut behaviors = 0;
    for (index, block) in blocks(&page, "rust").iter().enumerate() {
        if labelled(block).is_some() {
            continue;
        }
        if block.contains("fn test_") {
            let name = format!("mygame/levels/tests/block_{index}.rhai");
            folder.write(&name, block);
            continue;
        }
        assert!(block.contains("fn on_"), "what would run this? {block}");
        behaviors += 1;
        folder.write(&format!("mygame/scripts/block_{index}.rhai"), block);
        folder.write(
            &format!("mygame/config/entities/block_{index}.toml"),
            &format!("script = \"block_{index}.rhai\"\n"),
        );
        // It falls onto the floor next to another entity, jumps, and lands again.
        for x in [0, 12] {
            level += &format!("[[entity]]\nkind = \"block_{index}\"\nat = [{}, 60]\nplayer = 1\n", x + 100 * behaviors);
        }
    }
    assert!(behaviors >= 3, "{behaviors} behaviors are shown");
    folder.write("mygame/levels/blocks.toml", &level);
    folder.write("mygame/scripts/level.rhai", "");
    folder.write("mygame/jumps.input", &"20\n20 jump\n40\n".repeat(12));
    for picture in ["hero", "torch"] {
        folder.write_png(&format!("mygame/pictures/{picture}.png"), (16, 24), &[[255; 4]; 16 * 24]);
    }
    let sound = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures/sounds/jump.wav"));
    folder.write_bytes("mygame/sounds/ping.wav", &sound.expect("a sound"));
    let config = folder.read("mygame/config/hangtime.toml");
    folder.write("mygame/config/hangtime.toml", &format!("{config}\n[sounds]\nping = \"ping.wav\"\n"));
    let game = folder.path("mygame");
    expect_good(&game, &["check"]);
    expect_good(&game, &["test"]);
    let ran = run(&game, &["run", "blocks", "--input", "jumps.input", "--strict"]);
    assert_eq!(code(&ran), 0, "{}{}", out(&ran), err(&ran));
    let said = format!("{}{}", out(&ran), err(&ran));
    assert!(said.contains("has landed 10 times"), "the block that counts landings says so: {said}");
}

/// The names of files in a folder with this ending, without the ending.
fn stems(folder: &str, ending: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(path).expect("a folder");
    let name = |file: std::io::Result<std::fs::DirEntry>| {
        let name = file.expect("a file").file_name();
        name.to_string_lossy().strip_suffix(ending).map(String::from)
    };
    files.filter_map(name).collect()
}

#[test]
fn the_gallery_table_lists_every_script_with_its_hooks() {
    let page = guide();
    let table = &page[page.find("## The gallery").expect("a table")..];
    for script in stems("scripts/gallery", ".rhai") {
        let row = format!("| [{script}](gallery/{script}.rhai) |");
        let line = table.lines().find(|line| line.starts_with(&row));
        let line = line.unwrap_or_else(|| panic!("scripts/README.md has no row {row}"));
        // The row of the all-in-one example describes it instead.
        if script == "visitor" {
            continue;
        }
        let source = read(&format!("scripts/gallery/{script}.rhai"));
        let named: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
        for hook in hangtime::script::host::hooks() {
            let has = source.contains(&format!("\nfn {}(", hook.name));
            assert_eq!(has, named.contains(&hook.name), "{script}: {}", hook.name);
        }
        for call in named.iter().filter(|name| name.contains('.') || name.contains(':')) {
            assert!(source.contains(&format!("{call}(")), "{script}: {call}");
        }
    }
}

#[test]
fn every_gallery_behavior_is_explained_short_and_tested() {
    let tests = stems("levels/tests/gallery", ".rhai");
    let scripts = stems("scripts/gallery", ".rhai");
    assert!(scripts.len() >= 14, "{scripts:?}");
    for script in &scripts {
        let source = read(&format!("scripts/gallery/{script}.rhai"));
        let opening: String = source.lines().take_while(|line| line.starts_with("//")).collect();
        assert!(opening.contains("Play with: "), "{script} has no numbers");
        let what_is_new = opening.contains("New here: ") || script == "visitor";
        assert!(what_is_new, "{script} does not say what is new");
        let code = source.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
        let most = if script == "visitor" { 80 } else { 50 };
        assert!(code.count() <= most, "{script} is long");
        // Items are tested with their wearer, projectiles with their thrower.
        let test = match script.as_str() {
            "boots" => "ice_boots",
            "shot" => "turret",
            "thrower" => "boomerang",
            other => other,
        };
        assert!(tests.contains(test), "{script} has no test");
        let source = read(&format!("levels/tests/gallery/{test}.rhai"));
        assert!(source.matches("fn test_").count() >= 2, "{test}");
    }
}
