//! `on_start` of a level's own script, in both languages.

use super::{Folder, on_large_stack};
use crate::folder::{Game, LEVEL};
use hangtime_core::sim::{EventKind, Inputs};
use hangtime_game::check;
use hangtime_script::calls::ForeignCalls;
use std::sync::Arc;

/// The level's script in Rhai and in Lua. Every hook logs its name; the level starts again in tick `restart`.
fn scripts(restart: u64) -> [(&'static str, String); 2] {
    [
        (
            "rhai",
            format!(
                "fn on_tick(me) {{ me.note(\"tick\"); if world::tick() == {restart} {{ world::restart(); }} }}\n\
                 fn on_birth(me, event) {{ me.note(`birth ${{event.entity}}`); }}\n\
                 fn on_start(me, event) {{ me.note(`${{event.event}} ${{event.entity}}`); this.n += 1; }}\n"
            ),
        ),
        (
            "luau",
            format!(
                "function on_tick(me) me:note('tick') if world.tick() == {restart} then world.restart() end end\n\
                 function on_birth(me, event) me:note('birth ' .. event.entity) end\n\
                 function on_start(me, event) me:note(event.event .. ' ' .. event.entity) vars.n += 1 end\n"
            ),
        ),
    ]
}

fn folder(ending: &str, script: &str) -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { this.n += 1; }");
    folder.write("levels/level.toml", &format!("script = \"rules.{ending}\"\nvars = {{ n = 0 }}\n{LEVEL}"));
    folder.write(&format!("scripts/rules.{ending}"), script);
    folder
}

/// What the level's script logs in the next tick.
fn notes(game: &mut Game) -> Vec<String> {
    game.live.step(&Inputs::default());
    game.note_report();
    let events = game.live.world().events().iter();
    let notes = events.filter_map(|event| match &event.kind {
        EventKind::Note { text } => Some(text.to_string()),
        _ => None,
    });
    notes.collect()
}

const FIRST: [&str; 4] = ["start level", "birth level", "birth hero", "tick"];

#[test]
fn a_level_starts_once_before_all_other_hooks_and_again_with_each_restart() {
    on_large_stack(|| {
        for restart in 1..6 {
            for (ending, script) in scripts(restart) {
                let folder = folder(ending, &script);
                let mut game = folder.game();
                let first = game.live.world().clone();
                for tick in 0..9 {
                    // The restart is carried out as the next tick begins.
                    let starts = tick == 0 || tick == restart + 1;
                    let expected = if starts { FIRST.as_slice() } else { &["tick"] };
                    assert_eq!(notes(&mut game), expected, "{ending}, restart in {restart}, tick {tick}");
                    if tick % 2 == 0 {
                        // Neither a saved world nor a reload starts it.
                        let world = game.live.world().clone();
                        game.live.restore(world);
                    } else if tick != restart {
                        game.live.adopt(Arc::new(folder.open().expect("a good game")));
                    }
                }
                assert!(game.faults.is_empty(), "{:?}", game.wrong());
                game.live.restore(first);
                assert_eq!(notes(&mut game), FIRST, "a world that has not begun starts when it does");
                game.live.restart();
                assert_eq!(notes(&mut game), FIRST);
            }
        }
    });
}

#[test]
fn a_level_that_another_one_plays_starts() {
    on_large_stack(|| {
        for (ending, script) in scripts(99) {
            let folder = folder(ending, &script);
            folder.write("levels/two.toml", &folder.read("levels/level.toml"));
            folder
                .write("scripts/hero.rhai", "fn on_tick(me) { if world::tick() == 3 { world::play_level(\"two\"); } }");
            let project = hangtime_game::Project::load(folder.root()).expect("a game");
            let mut game = folder.game();
            game.live
                .use_levels(Some(Arc::new(hangtime_game::OtherLevels::of_game(project.folder().clone(), Vec::new()))));
            let all: Vec<Vec<String>> = (0..8).map(|_| notes(&mut game)).collect();
            for (tick, notes) in all.iter().enumerate() {
                let expected = if [0, 4].contains(&tick) { FIRST.as_slice() } else { &["tick"] };
                assert_eq!(notes, expected, "{ending} in tick {tick}: {:?}", game.wrong());
            }
        }
    });
}

#[test]
fn a_start_that_uses_all_operations_of_its_tick_is_not_repeated() {
    on_large_stack(|| {
        for operations in [500, 1_000, 5_000] {
            let script = "fn on_start(me) { this.n += 1; loop { this.m = 1; } }\nfn on_birth(me, event) { this.born = event.entity; }";
            let folder = folder("rhai", script);
            let limits = format!("[scripts]\noperations = {operations}\ntick_operations = {operations}\n");
            folder.write("config/hangtime.toml", &limits);
            let mut game = folder.game();
            game.ticks(5);
            let vars = serde_json::to_value(game.live.world()).expect("plain data")["level"]["vars"].clone();
            assert_eq!(vars["n"]["Int"], 1, "{operations}: {vars}");
        }
    });
}

#[test]
fn the_name_start_is_taken_and_entities_do_not_start() {
    on_large_stack(|| {
        for (ending, emit) in [
            ("rhai", "fn on_tick(me) { world::emit(\"start\"); }"),
            ("luau", "function on_tick(me) world.emit('start') end"),
        ] {
            let mut game = folder(ending, emit).game();
            game.ticks(1);
            assert!(game.wrong()[0].contains("`start` is a built-in event; choose another name"), "{:?}", game.wrong());
        }
        let warnings = Folder::with_script("fn on_start(me) { }").wrong();
        let said = "warning: `on_start` is only called in a level's own script; an entity has `on_birth`";
        assert!(warnings.len() == 1 && warnings[0].contains(said), "{warnings:?}");
        assert!(folder("rhai", "fn on_start(me) { }").wrong().is_empty());
    });
}

#[test]
fn only_a_birth_in_a_level_is_taken_for_its_start() {
    on_large_stack(|| {
        for (hook, is_start) in [("on_birth", true), ("on_land", false), ("on_death", false)] {
            for (ending, script) in [
                ("rhai", format!("fn {hook}(me) {{ this.n += 1; }}")),
                ("luau", format!("function {hook}(me) vars.n += 1 end")),
            ] {
                let found = check(folder(ending, &script).root(), &[], &ForeignCalls::none())
                    .expect("a game")
                    .diagnostics;
                let found: Vec<String> = found.iter().map(|found| found.headline()).collect();
                let about = format!("in a level's script `{hook}` runs for every entity");
                let said = found.iter().filter(|line| line.contains(&about));
                let said: Vec<bool> = said.map(|line| line.contains("on_start")).collect();
                assert_eq!(said, [is_start], "{found:?}");
            }
        }
    });
}
