//! Mistakes that people bring along from other engines and languages, in `habits.txt`: what `check`, the level when it is
//! read, its first ticks or its tests say about each, and that they say nothing about its right twin.

use super::{Folder, on_large_stack, results};
use hangtime_core::sim::Inputs;
use hangtime_game::{Live, Project, check};
use hangtime_play::{TestOutcome, calls::calls_of_tests};
use hangtime_script::Diagnostic;
use std::sync::Arc;

const LEVEL: &str = r#"[[solid]]
name = "floor"
points = [[0, -20], [800, -20], [800, 0], [0, 0]]
[[solid]]
name = "door"
points = [[600, 0], [620, 0], [620, 90], [600, 90]]
present = true
[[zone]]
name = "exit"
points = [[700, 0], [760, 0], [760, 90], [700, 90]]
[[entity]]
kind = "hero"
at = [60, 30]
player = 1
[[entity]]
kind = "slime"
at = [300, 30]
"#;

const HERO: &str = "vars = { n = 0, f = 0.0, list = [1, 2, 3], names = [\"a\"], map = { a = 1 }, on = false }\n";

/// The scripts of the game, each in Rhai and in Lua.
#[rustfmt::skip]
const SCRIPTS: [(&str, [&str; 2]); 4] = [
    ("hero", ["fn on_tick(me) { this.n += 1; }\n", "function on_tick(me) vars.n += 1 end\n"]),
    ("slime", [
        "fn on_land(me) { world::emit(\"slam\", #{ amount: 3 }); world::sound(\"ping\"); me.sprite(\"a\", 0, 0, \"hero.png\"); }\nfn on_slam(me) { this.n += 1; }\n",
        "function on_land(me) world.emit('slam', { amount = 3 }) world.sound('ping') me:sprite('a', 0, 0, 'hero.png') end\nfunction on_slam(me) vars.n += 1 end\n",
    ]),
    ("rules", [
        "fn on_fall_out(me, event) { if event.entity == \"hero\" { this.n += 1; } }\n",
        "function on_fall_out(me, event) if event.entity == 'hero' then vars.n += 1 end end\n",
    ]),
    ("lib/help", ["fn one() { 1 }\n", "local help = {}\nfunction help.one() return 1 end\nreturn help\n"]),
];

/// Files by name.
type Files<'t> = Vec<(&'t str, String)>;

/// The files after lines that begin with `--- `.
fn files(text: &str) -> Files<'_> {
    let parts = text.split("\n--- ").filter_map(|part| part.trim_start_matches("--- ").split_once('\n'));
    parts.map(|(name, text)| (name, text.to_string())).collect()
}

/// A game with these files.
fn game(files: &Files<'_>) -> Folder {
    let folder = Folder::empty();
    let in_lua = files.iter().any(|(name, text)| name.ends_with(".luau") || text.contains(".luau"));
    let ending = if in_lua { "luau" } else { "rhai" };
    let uses_help = files.iter().any(|(_, text)| text.contains("lib/help"));
    for (name, texts) in SCRIPTS.iter().filter(|(name, _)| uses_help || *name != "lib/help") {
        folder.write(&format!("scripts/{name}.{ending}"), texts[usize::from(in_lua)]);
    }
    folder.write("levels/level.toml", LEVEL);
    folder.write("levels/two.toml", &format!("script = \"rules.{ending}\"\nvars = {{ n = 0 }}\n{LEVEL}"));
    folder.write("config/entities/hero.toml", &format!("script = \"hero.{ending}\"\n{HERO}"));
    folder.write("config/entities/slime.toml", &format!("script = \"slime.{ending}\"\nvars = {{ n = 0 }}\n"));
    folder.write("config/surfaces.toml", "[stone]\n[ice]\ngrip = 0.1\n");
    folder.write("config/hangtime.toml", "[sounds]\nping = \"ping.wav\"\n");
    folder.write_png("pictures/hero.png", (1, 1), &[[255; 4]]);
    folder.write_bytes("sounds/ping.wav", &wav());
    for (name, text) in files {
        folder.write(name, text);
    }
    folder
}

/// A tenth of a second of silence.
fn wav() -> Vec<u8> {
    let samples = [0; 1600];
    let size = samples.len() as u32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + size).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend([8_000_u32, 16_000].map(u32::to_le_bytes).as_flattened());
    bytes.extend(b"\x02\0\x10\0data");
    bytes.extend(size.to_le_bytes());
    bytes.extend(samples);
    bytes
}

/// Everything that is said about a game.
fn said(folder: &Folder, files: &Files<'_>) -> Vec<String> {
    let found = check(folder.root(), &[], &calls_of_tests()).expect("a game").diagnostics;
    let mut said: Vec<String> = found.iter().map(Diagnostic::headline).collect();
    let has = |part: &str| files.iter().any(|(name, _)| name.contains(part));
    let level = ["more", "rules"].into_iter().position(has).map_or("level", |at| ["more", "two"][at]);
    let Ok(project) = Project::load(folder.root()) else {
        return said;
    };
    match project.open(&folder.path(&format!("levels/{level}.toml")), &[]) {
        Err(wrong) => said.extend(wrong.diagnostics().iter().map(Diagnostic::headline)),
        Ok(revision) => {
            said.extend(revision.warnings.iter().map(Diagnostic::headline));
            let mut live = Live::new(Arc::new(revision), 0);
            for _ in 0..90 {
                let report = live.step(&Inputs::default());
                said.extend(report.faults.first.iter().map(|fault| fault.diagnostic.headline()));
                said.extend(report.unshown.iter().cloned());
            }
        }
    }
    if has("levels/tests") && !said.iter().any(|line| line.contains("error:")) {
        let failed = results(folder.root())
            .into_iter()
            .filter(|result| !matches!(result.outcome, TestOutcome::Passed));
        said.extend(failed.map(|result| format!("{:?}", result.outcome)));
    }
    said.dedup();
    said
}

#[test]
fn mistakes_are_answered_and_right_twins_are_not() {
    on_large_stack(|| {
        let (mut wrong, mut silent) = (String::new(), [0, 0]);
        for mistake in include_str!("habits.txt").split("\n=== ") {
            let (title, rest) = mistake.split_once('\n').expect("a title");
            for case in rest.split("!!! ").filter(|case| !case.is_empty()) {
                let (part, case) = case.split_once('\n').expect("what is said");
                let (mistaken, right) = case.split_once("\n+++\n").expect("a right twin");
                let (mistaken, right) = (files(mistaken), files(right));
                let found = said(&game(&mistaken), &mistaken);
                let answered = match part {
                    "silent" => found.is_empty(),
                    part => found.iter().any(|line| line.contains(part)),
                };
                if part == "silent" {
                    silent[usize::from(mistaken.iter().any(|(name, _)| name.ends_with(".luau")))] += 1;
                }
                if !answered {
                    wrong += &format!("{title}: wanted {part}, got {found:#?}\n");
                }
                let found = said(&game(&right), &right);
                if !found.is_empty() {
                    wrong += &format!("the right twin of {title}: {found:#?}\n");
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
        assert!(silent.iter().all(|count| *count <= 3), "{silent:?}");
    });
}
