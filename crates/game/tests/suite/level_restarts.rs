//! What a restart and another level take over, and what they leave.

use crate::{
    common::RATES,
    folder::{Folder, Game, LEVEL, on_large_stack},
};
use hangtime_core::{
    models::Action,
    sim::{EventKind, SavedWorld, Value},
};
use hangtime_game::{OtherLevels, Project};
use std::sync::Arc;

fn game(folder: &Folder, hz: u32) -> Game {
    let settings = vec![("simulation.tick_hz".to_string(), hz.to_string())];
    let revision = folder.open_with(&[("simulation.tick_hz", &hz.to_string())]);
    let project = Project::load(folder.root()).expect("a folder");
    let levels = OtherLevels::of_game(project.folder().clone(), settings);
    let mut game = Game::new(Arc::new(revision.expect("a good game")));
    game.live.use_levels(Some(Arc::new(levels)));
    game
}

/// Presses an action again and again, each time for n ticks, and counts the births of the hero.
fn births(script: &str, hz: u32, presses: usize, held: usize) -> usize {
    let folder = Folder::with_script(script);
    let mut game = game(&folder, hz);
    let mut births = 0;
    for tick in 0..presses * held * 2 {
        if tick % (held * 2) < held {
            game.input.held.insert(Action::Up);
        } else {
            game.input.held.remove(Action::Up);
        }
        game.ticks(1);
        births += usize::from(game.var("born") == Value::Int(game.live.world().ticks() as i64 - 1));
    }
    assert_eq!(game.wrong(), [""; 0]);
    births
}

#[test]
fn a_key_that_is_held_through_a_new_start_is_not_pressed_again() {
    on_large_stack(|| {
        for order in ["world::restart()", "world::play_level(\"level\")"] {
            let script = format!(
                "fn on_birth(me) {{ this.born = world::tick(); }}\n\
                 fn on_tick(me) {{ if me.pressed(\"up\") {{ {order}; }} }}"
            );
            for hz in RATES {
                for held in [1, 2, 13] {
                    let counted = births(&script, hz, 3, held);
                    assert_eq!(counted, 1 + 3, "{order}, {held} ticks at {hz} Hz");
                }
            }
        }
    });
}

#[test]
fn the_events_of_the_tick_that_ends_a_level_are_seen() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; if this.n == 3 { me.note(\"bye\"); world::restart(); } }";
        let mut game = game(&Folder::with_script(script), 60);
        let mut noted = Vec::new();
        for tick in 1..=8 {
            game.ticks(1);
            let events = game.live.world().events();
            let notes = events.iter().filter(|e| matches!(e.kind, EventKind::Note { .. }));
            noted.extend(notes.map(|_| tick));
        }
        assert_eq!(noted, [3, 6]);
    });
}

#[test]
fn a_level_with_thousands_of_entities_can_be_started_again() {
    on_large_stack(|| {
        let script = "fn on_tick(me) { this.n += 1; if me.name == \"hero\" && this.n == 2 { world::restart(); } }";
        let folder = Folder::with_script(script);
        let extra: String = (0..2_000)
            .map(|i| format!("[[entity]]\nkind = \"crate\"\nat = [{}, 500]\n", i * 40 - 40_000))
            .collect();
        folder.write("config/entities/crate.toml", "model = \"ballistic\"\n");
        folder.write("levels/level.toml", &format!("{LEVEL}{extra}"));
        let mut game = game(&folder, 60);
        game.ticks(3);
        assert_eq!(game.wrong(), [""; 0]);
        assert_eq!(game.var("n"), Value::Int(1));
    });
}

#[test]
fn worlds_that_were_saved_before_levels_could_change_are_read() {
    on_large_stack(|| {
        let mut game = game(&Folder::with_script("fn on_tick(me) { this.n += 1; }"), 60);
        game.ticks(5);
        let mut saved = serde_json::to_value(game.live.world()).expect("plain data");
        let fields = saved.as_object_mut().expect("a map");
        assert!(fields.remove("passage").is_some());
        let saved: SavedWorld = serde_json::from_value(saved).expect("a saved world");
        let read = saved.check(&game.live.revision().stage).expect("a good world");
        assert_eq!(&read, game.live.world());
    });
}

#[test]
fn what_timers_hold_counts_as_memory() {
    on_large_stack(|| {
        let memory = |script: &str| {
            let mut game = game(&Folder::with_script(script), 60);
            game.ticks(2);
            assert_eq!(game.wrong(), [""; 0]);
            game.live.world().extra_memory()
        };
        let text = |bytes: usize| {
            format!("fn on_birth(me) {{ for n in 0..40 {{ me.after(9.0, `t${{n}}`, \"{}\"); }} }}", "x".repeat(bytes))
        };
        let drawn = |bytes: usize| {
            format!("fn on_birth(me) {{ for n in 0..40 {{ me.text(`t${{n}}`, 0, n, \"{}\"); }} }}", "x".repeat(bytes))
        };
        assert_eq!(memory("fn on_birth(me) { }"), 0);
        for of in [text, drawn] {
            let (short, long) = (memory(&of(100)), memory(&of(400)));
            assert_eq!(long - short, 40 * 300);
            assert!(short > 40 * 100);
        }
    });
}
