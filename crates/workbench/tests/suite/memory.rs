//! What a session keeps has a bound in bytes, however long it is.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::{COUNTS, Case},
};
use glam::dvec2;
use hangtime_core::{
    models::Action,
    sim::{Inputs, MOST_PLAYERS, PlayerInput},
    tuning::Setting,
};
use hangtime_workbench::{
    Excerpt, Ghost, INPUT_BYTES, InputTape, KEYFRAME_BYTES, KEYFRAME_TICKS, MOST_GHOST_TICKS, PickedEntity,
    REVISION_BYTES, Timeline,
    panel::{EntityFacts, Tuner, tuning_rows},
};
use std::sync::atomic::AtomicBool;

/// What players hold whose sticks are never still.
fn restless(tick: u64, players: u8) -> Inputs {
    let mut inputs = Inputs::none();
    for player in 1..=players {
        *inputs.player_mut(player) =
            PlayerInput { stick: dvec2(0.0, tick as f64 % 1000.0 / 1000.0), ..PlayerInput::default() };
    }
    inputs
}

#[test]
fn sticks_that_are_never_still_take_bounded_memory_however_many_players_there_are() {
    on_large_stack(|| {
        for players in [1, MOST_PLAYERS] {
            let mut live = Folder::with_script("").game().live;
            let mut line = Timeline::new(&live);
            let of_tick = restless(0, players).memory();
            let ticks = 3 * INPUT_BYTES / (2 * of_tick);
            for tick in 0..ticks {
                line.record(&restless(tick, players), &live);
            }
            let most = INPUT_BYTES + 2 * KEYFRAME_TICKS * of_tick;
            assert!(line.input_bytes() <= most, "{players}: {}", line.input_bytes());
            let (begin, end) = (line.begin(), line.end());
            assert!(begin > 0 && line.input_bytes() > INPUT_BYTES / 2, "{players}: only the oldest part is dropped");
            // What is left can be shown, from its first tick on.
            assert!(end == ticks && line.input(begin).is_some() && line.input(begin - 1).is_none());
            assert!(line.seek(&mut live, begin + 100, 0, |_| ()));
            assert_eq!(live.world().ticks(), 100);
        }
    });
}

#[test]
fn a_tape_knows_how_much_memory_its_runs_take_after_every_change() {
    let mut whole = InputTape::default();
    (0..200).for_each(|tick| whole.push(&restless(tick / 3, 1 + (tick % 4) as u8)));
    let fresh = |tape: &InputTape, from: u64| {
        let mut fresh = InputTape::default();
        (from..tape.len()).filter_map(|tick| tape.at(tick)).for_each(|inputs| fresh.push(inputs));
        fresh.bytes()
    };
    assert!(whole.bytes() > 100 * restless(0, 1).memory());
    for at in [0, 1, 2, 57, 199, 200] {
        let (mut cut, mut forgotten, mut joined) = (whole.clone(), whole.clone(), whole.slice(0..at));
        cut.truncate(at);
        assert_eq!(cut.bytes(), fresh(&cut, 0), "..{at}");
        forgotten.forget_before(at);
        assert_eq!(forgotten.bytes(), fresh(&whole, at), "{at}..");
        joined.append(&whole.slice(at..200));
        assert_eq!(joined.bytes(), whole.bytes(), "joined at {at}");
    }
}

#[test]
fn the_ghost_of_a_very_long_stretch_ends_before_it_takes_much_memory() {
    on_large_stack(|| {
        let mut live = Folder::with_script("").game().live;
        let mut line = Timeline::new(&live);
        for _ in 0..MOST_GHOST_TICKS + 500 {
            live.step(&Inputs::none());
            line.record(&Inputs::none(), &live);
        }
        let stretch = Excerpt::of(&line, 0..line.end()).expect("all of it is kept");
        let picked = PickedEntity::first(live.world()).expect("the hero");
        let ghost = Ghost::run(&stretch, live.revision(), &picked, &AtomicBool::new(false)).expect("not canceled");
        // A place at the start, and one after each tick.
        let places = MOST_GHOST_TICKS as usize + 1;
        assert_eq!((ghost.path.len(), ghost.motion.samples.len()), (places, places));
    });
}

/// A hero whose script imports long modules, with a comment that makes it another script.
fn importing(edit: u64) -> String {
    format!("import \"long0\" as long0;\nimport \"long1\" as long1;\nimport \"long2\" as long2;\n{COUNTS}// {edit}\n")
}

#[test]
fn ghosts_and_the_timeline_keep_few_revisions_of_a_large_game() {
    on_large_stack(|| {
        let folder = Folder::with_script(&importing(0));
        let line = "// A comment as long as a line of a script that does something would be.\n";
        (0..3).for_each(|n| folder.write(&format!("scripts/long{n}.rhai"), &line.repeat(60_000 / line.len())));
        let mut case = Case::of(folder);
        case.hold(&[Action::Right]);
        for edit in 1..=8 {
            case.frames(30);
            case.edit("scripts/hero.rhai", &importing(edit)).expect("good");
            case.wait();
        }
        let of_one = case.bench.live().revision().memory();
        assert!(of_one > 4 << 20, "{of_one}");
        let ghosts: Vec<u64> = case.bench.ghosts().iter().map(|ghost| ghost.revision).collect();
        assert!(ghosts.len() >= 3 && ghosts.len() as u64 * of_one <= 32 << 20, "{ghosts:?} of {of_one}");
        // The game before the edits, and the newest two, are compared.
        let newest = case.bench.revision().number;
        assert_eq!((ghosts[0], &ghosts[ghosts.len() - 2..]), (1, &[newest - 1, newest][..]));
        assert!(case.bench.timeline().weight() <= KEYFRAME_BYTES + REVISION_BYTES);
    });
}

#[test]
fn undo_keeps_a_bounded_number_of_values() {
    on_large_stack(|| {
        let case = Case::at(60);
        let mut tuner = Tuner::new(case.bench.files_revision().clone());
        let rows = tuning_rows(&tuner, &EntityFacts::of(case.bench.live(), "hero").expect("a hero"), "");
        for round in 0..10 {
            for row in rows.iter().filter(|row| matches!(row.value, Setting::Number(_))) {
                let Setting::Number(now) = row.value else { continue };
                tuner.set(&row.key, Setting::Number(now + f64::from(round + 1) / 64.0), false);
            }
        }
        let mut values = 0;
        while tuner.can_undo_and_redo().0 {
            tuner.undo();
            values += tuner.count();
        }
        assert!(values > 10_000 && values <= 20_000, "{values}");
    });
}
