//! The timeline that one can grab: rows, scrubbing, marks, and edits of presses.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::{
    models::Action,
    sim::{Inputs, PlayerInput},
};
use hangtime_game::{
    files::{OutputFile, OutputKind},
    recording::RecordingReader,
};
use hangtime_play::{Replay, ReplayOutcome};
use hangtime_workbench::{LogKind, PressEdit, StripBar, StripOrder, StripRowKind, WindowKey};
use std::ops::Range;

const RATES: [u32; 4] = [30, 60, 120, 240];

/// The action with a number: to the right, or a jump.
fn action(name: &str) -> Action {
    Action::parse(name).expect("an action")
}

/// What is pressed when, in ticks.
type Presses<'a> = &'a [(&'a str, Range<u64>)];

/// A game in which these keys are pressed live, for some ticks; the hash at each position.
fn played(hz: u32, presses: Presses<'_>, ticks: u64) -> (Case, Vec<u64>) {
    let mut case = Case::at(hz);
    let mut hashes = vec![case.hash()];
    for tick in 0..ticks {
        let down = presses.iter().filter(|(_, ticks)| ticks.contains(&tick)).map(|(name, _)| action(name));
        let begins = presses.iter().filter(|(_, ticks)| ticks.start == tick).map(|(name, _)| action(name));
        // As the keys of a keyboard do.
        case.input.pressed = begins.collect();
        case.input.held = down.collect();
        hashes.extend(case.hashes(1));
    }
    case.hold(&[]);
    case.bench.press(WindowKey::Pause);
    (case, hashes)
}

/// Orders something, and plays frames until all of it has happened.
fn order(case: &mut Case, order: StripOrder) {
    let folder = case.folder.root().into();
    case.bench.order(order, &folder);
    assert!(case.bench.is_paused());
    let mut last = None;
    while last.replace(case.bench.position()) != Some(case.bench.position()) {
        case.frames(2);
    }
}

fn edit(case: &mut Case, name: &str, old: Option<Range<u64>>, new: Option<Range<u64>>) {
    order(case, StripOrder::Press(PressEdit { player: 1, action: action(name), old, new }));
}

/// The bars of an action of the first player, and whether each can be edited.
fn bars(case: &mut Case, name: &str, view: Range<u64>) -> Vec<(Range<u64>, bool)> {
    let facts = case.bench.strip(view);
    let is_it = |kind: &StripRowKind| matches!(kind, StripRowKind::Action(_, called) if **called == *name);
    let row = facts.rows.rows.iter().find(|row| row.player == 1 && is_it(&row.kind)).expect("a row");
    row.bars.iter().map(|StripBar { ticks, whole }| (ticks.clone(), *whole)).collect()
}

/// The hash at each position of the line.
fn hashes_of(case: &mut Case) -> Vec<u64> {
    let end = case.bench.timeline().end();
    let at = case.bench.position();
    let show = |case: &mut Case, position| {
        case.bench.show_position(position);
        case.hash()
    };
    let hashes = (0..=end).map(|position| show(case, position)).collect();
    show(case, at);
    hashes
}

#[test]
fn edited_presses_play_as_if_they_had_been_pressed_live_and_undo_brings_the_old_run_back() {
    on_large_stack(|| {
        for hz in RATES {
            let s = |seconds: f64| (seconds * f64::from(hz)) as u64;
            let end = s(2.0);
            let run = ("right", s(0.2)..s(1.5));
            let early = ("jump", s(0.5)..s(0.7));
            let late = ("jump", s(0.9)..s(1.3));
            let (mut case, start) = played(hz, &[run.clone(), early.clone()], end);
            // What is done with the jump, and the same as it is pressed live.
            type Edits<'a> = ([Option<Range<u64>>; 2], Vec<(&'a str, Range<u64>)>);
            let cases: [Edits<'_>; 6] = [
                ([None, Some(late.1.clone())], vec![run.clone(), early.clone(), late.clone()]),
                ([Some(early.1.clone()), Some(late.1.clone())], vec![run.clone(), late.clone()]),
                ([Some(early.1.clone()), None], vec![run.clone()]),
                (
                    [Some(early.1.clone()), Some(early.1.start..s(0.6))],
                    vec![run.clone(), ("jump", early.1.start..s(0.6))],
                ),
                (
                    [Some(early.1.clone()), Some(early.1.start..s(0.8))],
                    vec![run.clone(), ("jump", early.1.start..s(0.8))],
                ),
                ([Some(early.1.clone()), Some(s(0.4)..early.1.end)], vec![run.clone(), ("jump", s(0.4)..early.1.end)]),
            ];
            for ([old, new], live) in cases {
                edit(&mut case, "jump", old.clone(), new.clone());
                let (_, expected) = played(hz, &live, end);
                assert_eq!(case.bench.position(), end, "{hz} Hz: the shown tick stays");
                assert_eq!(case.hash(), expected[end as usize], "{hz} Hz, {old:?} to {new:?}");
                let mut jumps: Vec<_> =
                    live.iter().filter(|(name, _)| *name == "jump").map(|(_, at)| at.clone()).collect();
                jumps.sort_by_key(|at| at.start);
                let shown: Vec<_> = bars(&mut case, "jump", 0..end).into_iter().map(|(ticks, _)| ticks).collect();
                assert_eq!(shown, jumps, "{hz} Hz");
                assert_eq!(hashes_of(&mut case), expected, "{hz} Hz, {old:?} to {new:?}");
                assert_ne!(expected, start, "the edit has an effect");
                order(&mut case, StripOrder::Undo);
                assert_eq!(hashes_of(&mut case), start, "{hz} Hz: undo");
                order(&mut case, StripOrder::Redo);
                assert_eq!(hashes_of(&mut case), expected, "{hz} Hz: redo");
                order(&mut case, StripOrder::Undo);
                assert_eq!(hashes_of(&mut case), start, "{hz} Hz: undo again");
            }
        }
    });
}

#[test]
fn rows_show_what_was_pressed_and_two_presses_that_meet_stay_two() {
    on_large_stack(|| {
        for hz in RATES {
            let presses = [("right", 5..40), ("jump", 12..18), ("jump", 18..25)];
            let (mut case, _) = played(hz, &presses, 60);
            assert_eq!(bars(&mut case, "right", 0..60), [(5..40, true)], "{hz} Hz");
            assert_eq!(bars(&mut case, "jump", 0..60), [(12..18, true), (18..25, true)]);
            assert_eq!(bars(&mut case, "left", 0..60), []);
            // A part of a press cannot be moved as if it were all of it.
            assert_eq!(bars(&mut case, "right", 10..30), [(10..30, false)]);
            // Moved to where another one ends, it stays a press.
            edit(&mut case, "jump", Some(12..18), Some(25..31));
            assert_eq!(bars(&mut case, "jump", 0..60), [(18..25, true), (25..31, true)]);
            let (_, expected) = played(hz, &[("right", 5..40), ("jump", 18..25), ("jump", 25..31)], 60);
            assert_eq!(hashes_of(&mut case), expected, "{hz} Hz");
            // And to where one begins.
            edit(&mut case, "jump", Some(25..31), Some(15..18));
            assert_eq!(bars(&mut case, "jump", 0..60), [(15..18, true), (18..25, true)]);
        }
    });
}

#[test]
fn an_edit_after_the_shown_tick_leaves_it_and_steps_forward_play_it() {
    on_large_stack(|| {
        for hz in RATES {
            let end = u64::from(hz);
            let (mut case, before) = played(hz, &[("right", 0..end)], end);
            case.bench.show_position(10);
            edit(&mut case, "jump", None, Some(20..26));
            assert_eq!((case.bench.position(), case.bench.timeline().end()), (10, 20), "{hz} Hz");
            assert_eq!(case.hash(), before[10]);
            let facts = case.bench.strip(0..end);
            assert_eq!((facts.end, facts.known), (20, end), "the rest is known, and not played yet");
            assert_eq!(bars(&mut case, "jump", 0..end), [(20..26, true)]);
            // A press in what is not played yet changes that only.
            edit(&mut case, "left", None, Some(24..28));
            assert_eq!(case.bench.position(), 10);
            order(&mut case, StripOrder::Show(end));
            let live = [("right", 0..end), ("jump", 20..26), ("left", 24..28)];
            let (_, expected) = played(hz, &live, end);
            assert_eq!(case.bench.position(), end, "scrubbing plays what is known");
            assert_eq!(hashes_of(&mut case), expected, "{hz} Hz");
            // Beyond what is known, a press makes it longer.
            edit(&mut case, "jump", None, Some(end + 5..end + 9));
            assert_eq!(case.bench.strip(0..end).known, end + 9);
            order(&mut case, StripOrder::Show(u64::MAX));
            assert_eq!(case.bench.position(), end + 9);
            assert_eq!(bars(&mut case, "jump", 0..end + 9).last(), Some(&(end + 5..end + 9, true)));
        }
    });
}

#[test]
fn playing_on_drops_the_kept_presses_and_their_undo() {
    on_large_stack(|| {
        let (mut case, _) = played(60, &[("right", 0..60)], 60);
        edit(&mut case, "jump", None, Some(40..45));
        case.bench.show_position(20);
        assert_eq!(case.bench.strip(0..60).undo_and_redo, (true, false));
        case.tap(WindowKey::Pause);
        case.frames(30);
        assert_eq!(case.bench.strip(0..60).undo_and_redo, (false, false), "its tick was dropped");
        assert_eq!(bars(&mut case, "jump", 0..60), []);
        case.bench.press(WindowKey::Pause);
        order(&mut case, StripOrder::Undo);
        let end = case.bench.timeline().end();
        assert_eq!(case.bench.position(), end, "nothing is left to undo");
        assert!(case.logged(LogKind::Note).iter().any(|note| note.contains("no edit of a press")));
    });
}

#[test]
fn edits_between_restarts_stay_there_and_drop_what_follows() {
    on_large_stack(|| {
        for hz in RATES {
            let (mut case, _) = played(hz, &[("right", 0..30)], 30);
            case.bench.press(WindowKey::Restart);
            case.bench.press(WindowKey::Pause);
            case.hold(&[Action::Left]);
            case.frames(30);
            case.bench.press(WindowKey::Pause);
            case.hold(&[]);
            assert_eq!(case.bench.strip(0..60).rows.restarts, [0, 30]);
            assert_eq!(bars(&mut case, "left", 0..60), [(30..60, true)]);
            // A press that is moved over the restart is cut off there, and one that is moved past it stays where it is.
            edit(&mut case, "left", Some(30..60), Some(0..10));
            assert_eq!(bars(&mut case, "left", 0..60), [(30..60, true)]);
            edit(&mut case, "left", Some(30..60), Some(20..50));
            assert_eq!(bars(&mut case, "left", 0..60), [(30..50, true)]);
            // In the run before the restart, a press ends with it at the latest.
            case.bench.show_position(25);
            edit(&mut case, "jump", None, Some(10..40));
            assert_eq!((case.bench.position(), case.bench.timeline().end()), (25, 25));
            assert_eq!(bars(&mut case, "jump", 0..60), [(10..30, true)]);
            let (_, expected) = played(hz, &[("right", 0..30), ("jump", 10..30)], 30);
            order(&mut case, StripOrder::Show(30));
            assert_eq!(hashes_of(&mut case), expected, "{hz} Hz");
            assert!(case.logged(LogKind::Note).iter().any(|note| note.contains("after the restart")));
            // Undo after a restart would drop what was played since, unless a tick before it is shown.
            case.bench.press(WindowKey::Restart);
            case.tap(WindowKey::Pause);
            case.frames(9);
            case.bench.press(WindowKey::Pause);
            let end = case.bench.timeline().end();
            order(&mut case, StripOrder::Undo);
            assert_eq!(case.bench.timeline().end(), end, "nothing is dropped");
            case.bench.show_position(29);
            order(&mut case, StripOrder::Undo);
            assert_eq!(bars(&mut case, "jump", 0..30), []);
        }
    });
}

#[test]
fn an_edit_of_files_and_an_edit_of_presses_go_together() {
    on_large_stack(|| {
        for hz in RATES {
            let end = u64::from(hz);
            let (mut case, _) = played(hz, &[("right", 0..end)], end);
            case.edit("config/entities/hero.toml", &hero("jump_speed = 300")).expect("good");
            case.tap(WindowKey::Pause);
            case.frames(20);
            case.bench.press(WindowKey::Pause);
            let edits = case.bench.strip(0..2 * end).rows.edits.clone();
            assert_eq!(edits.len(), 1);
            assert_eq!(edits[0].position, end);
            assert!(edits[0].text.contains("jump_speed"), "{}", edits[0].text);
            // From the press on, the run is under the newest files.
            edit(&mut case, "jump", None, Some(10..20));
            assert_eq!(case.bench.strip(0..2 * end).rows.edits.first().map(|edit| edit.position), Some(10));
            assert!(std::sync::Arc::ptr_eq(case.bench.live().revision(), case.bench.revision()));
            assert!(case.bench.is_paused() && case.bench.position() > end);
            // A file is saved while a press is held by the mouse, at an earlier tick.
            case.bench.show_position(15);
            case.edit("config/entities/hero.toml", &hero("jump_speed = 500")).expect("good");
            edit(&mut case, "jump", Some(10..20), Some(12..18));
            assert_eq!(bars(&mut case, "jump", 0..end), [(12..18, true)]);
            assert_eq!(case.bench.position(), 15);
        }
    });
}

#[test]
fn a_recording_of_the_session_has_the_branch() {
    on_large_stack(|| {
        for hz in RATES {
            let mut case = Case::at(hz);
            let path = case.folder.path("a.run");
            let output = OutputFile::create(case.folder.root(), &path, OutputKind::Recording);
            case.bench.record_into(output.expect("a file"));
            case.hold(&[Action::Right]);
            case.frames(60);
            case.bench.press(WindowKey::Pause);
            edit(&mut case, "jump", None, Some(20..30));
            edit(&mut case, "jump", Some(20..30), Some(40..45));
            order(&mut case, StripOrder::Undo);
            case.tap(WindowKey::Pause);
            case.frames(20);
            case.bench.end_recording().expect("a recording").expect("a complete one");
            let reader = RecordingReader::open(&path).expect("a recording");
            let mut replay = Replay::new(reader, None);
            let outcome = replay.play(&mut []).expect("readable");
            assert_eq!(outcome, ReplayOutcome::Same { complete: true }, "{hz} Hz");
        }
    });
}

#[test]
fn marks_are_dragged_and_scrubbing_pauses() {
    on_large_stack(|| {
        for hz in RATES {
            let (mut case, before) = played(hz, &[("right", 0..60), ("jump", 30..40)], 60);
            order(&mut case, StripOrder::MarkA(10));
            order(&mut case, StripOrder::MarkB(50));
            let facts = case.bench.strip(0..60);
            assert_eq!((facts.mark, facts.marked, facts.at), (Some(10), Some(10..50), 50));
            order(&mut case, StripOrder::MarkA(25));
            let facts = case.bench.strip(0..60);
            assert_eq!((facts.mark, facts.marked, facts.at), (Some(25), Some(25..50), 25), "B stays");
            order(&mut case, StripOrder::MarkB(20));
            assert!(case.logged(LogKind::Note).iter().any(|note| note.contains("must be after mark A")));
            // An edit within the stretch moves on without the mark; one before A without both.
            edit(&mut case, "jump", Some(30..40), Some(32..42));
            let facts = case.bench.strip(0..60);
            assert_eq!((facts.mark, facts.marked), (Some(25), None));
            edit(&mut case, "jump", None, Some(5..8));
            assert_eq!(case.bench.strip(0..60).mark, None);
            // While the game runs, scrubbing stops it.
            case.tap(WindowKey::Pause);
            case.frames(5);
            order(&mut case, StripOrder::Show(4));
            assert!(case.bench.is_paused());
            assert_eq!((case.bench.position(), case.hash()), (4, before[4]));
        }
    });
}

#[test]
fn other_players_and_sticks_have_rows_only_if_they_are_used() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let mut now = 0.0;
        let mut frame = |case: &mut Case, inputs: Inputs| {
            now += 1.0 / 60.0;
            case.bench.frame(now, &mut |_| inputs.clone());
        };
        let players = |case: &mut Case| {
            let rows = case.bench.strip(0..100).rows.clone();
            rows.rows.iter().map(|row| row.player).collect::<std::collections::BTreeSet<_>>()
        };
        frame(&mut case, Inputs::none());
        assert_eq!(players(&mut case), [1].into());
        for tick in 0..40 {
            let mut inputs = Inputs::none();
            for player in 2..=8_u8 {
                if tick % u32::from(player) == 0 {
                    inputs.player_mut(player).held.insert(Action::Jump);
                }
            }
            let stick = glam::dvec2(f64::from(tick) / 64.0, -0.25);
            *inputs.player_mut(3) = PlayerInput { stick, ..inputs.player(3) };
            inputs.player_mut(4).aim = Some(glam::dvec2(10.0, 20.0));
            frame(&mut case, inputs);
        }
        let all: std::collections::BTreeSet<u8> = (1..=8).collect();
        assert_eq!(players(&mut case), all);
        let rows = case.bench.strip(0..100).rows.clone();
        let stick = rows.rows.iter().find_map(|row| match &row.kind {
            StripRowKind::Stick(points) => Some((row.player, points.clone())),
            _ => None,
        });
        let (player, points) = stick.expect("a stick");
        assert_eq!((player, points.len()), (3, 41));
        assert_eq!(points[40], (40, [39.0 / 64.0, -0.25]));
        let aim = rows.rows.iter().find(|row| row.kind == StripRowKind::Aim).expect("an aim");
        assert_eq!((aim.player, aim.bars[0].ticks.clone()), (4, 1..41));
    });
}

#[test]
fn an_hour_of_input_has_few_bars_and_scrubbing_far_back_shows_the_right_tick() {
    on_large_stack(|| {
        // Ten minutes at the highest rate: as much as an hour at 40 Hz.
        let hz = 240;
        let mut case = Case::at(hz);
        let ticks = 600 * u64::from(hz);
        let mut noted = Vec::new();
        for tick in 0..ticks {
            let down = [(tick % 7 < 3, Action::Left), (tick % 50 < 12, Action::Jump)];
            case.input.held = down.into_iter().filter(|(down, _)| *down).map(|(_, action)| action).collect();
            case.frames(1);
            if tick % 9973 == 0 {
                noted.push((case.bench.position(), case.hash()));
            }
        }
        let rows = case.bench.strip(0..ticks).rows.clone();
        let most = rows.rows.iter().map(|row| row.bars.len()).max();
        assert!(most.is_some_and(|most| (1..=3_100).contains(&most)), "{most:?}");
        let near = bars(&mut case, "jump", ticks / 2..ticks / 2 + 500);
        assert!(near.len() >= 9 && near[1].1 && near[1].0.end - near[1].0.start == 12, "{near:?}");
        let begin = case.bench.timeline().begin();
        for (position, hash) in noted.into_iter().filter(|(position, _)| *position >= begin) {
            order(&mut case, StripOrder::Show(position));
            assert_eq!(case.hash(), hash, "{position}");
        }
    });
}

#[test]
fn events_of_the_picked_entity_and_lost_ticks_are_shown_where_they_were() {
    on_large_stack(|| {
        for hz in RATES {
            let (mut case, _) = played(hz, &[("jump", 10..16)], u64::from(2 * hz));
            let rows = case.bench.strip(0..u64::from(2 * hz)).rows.clone();
            let at = |name: &str| rows.events.iter().find(|sign| &*sign.text == name).map(|sign| sign.position);
            // The press is in the step from position 10 to 11.
            assert_eq!(at("jump"), Some(11), "{hz} Hz: {:?}", rows.events);
            assert!(at("land").is_some_and(|land| land > 11));
            case.tap(WindowKey::Pause);
            case.bench.report_lost(7);
            case.frames(10);
            let rows = case.bench.strip(0..u64::from(3 * hz)).rows.clone();
            assert_eq!(&*rows.lost[0].text, "7 ticks lost");
            case.bench.press(WindowKey::Pause);
            // What comes after an edit of a press is dropped with its events, and happens again.
            edit(&mut case, "jump", Some(10..16), None);
            assert_eq!(
                case.bench
                    .strip(0..u64::from(3 * hz))
                    .rows
                    .events
                    .iter()
                    .filter(|s| &*s.text == "jump")
                    .count(),
                0
            );
        }
    });
}

#[test]
fn a_level_without_entities_has_a_timeline() {
    on_large_stack(|| {
        let folder = Folder::with_script(COUNTS);
        folder.write("levels/level.toml", "[[solid]]\nname = \"floor\"\npoints = [[0, -9], [9, -9], [9, 0], [0, 0]]\n");
        let mut case = Case::of(folder);
        case.frames(20);
        case.bench.press(WindowKey::Pause);
        edit(&mut case, "jump", None, Some(5..9));
        assert_eq!(bars(&mut case, "jump", 0..20), [(5..9, true)]);
        assert_eq!(case.bench.position(), 20);
        let folder = case.folder.root().into();
        case.bench.order(StripOrder::SaveTest, &folder);
        case.wait();
        let warnings = case.logged(LogKind::Warning);
        assert!(warnings.iter().any(|line| line.contains("picked entity")), "{warnings:?}");
    });
}
