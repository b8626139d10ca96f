//! Time in the workbench: pause, steps, scrubbing, slow motion, restarts.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::models::Action;
use hangtime_game::{KEY_NAMES, KeyMap, KeyUse};
use hangtime_workbench::{DENSE_SECONDS, KEYFRAME_BYTES, KEYFRAME_TICKS, LogKind, REVISION_BYTES, WindowKey};

/// Plays with edits and a restart in between; the hash at each position, from 0 on.
fn eventful(case: &mut Case, seconds: u64, hz: u64) -> Vec<u64> {
    let part = seconds * hz / 4;
    let mut hashes = vec![case.hash()];
    hashes.extend(case.play_about(part));
    case.edit("config/entities/hero.toml", &hero("jump_speed = 300")).expect("good");
    // The state at this position is that under the new revision.
    *hashes.last_mut().expect("a tick") = case.hash();
    hashes.extend(case.play_about(part));
    case.bench.press(WindowKey::Restart);
    *hashes.last_mut().expect("a tick") = case.hash();
    hashes.extend(case.play_about(part));
    let script = COUNTS.replace("1.0", "5.0");
    case.edit("scripts/hero.rhai", &script).expect("good");
    *hashes.last_mut().expect("a tick") = case.hash();
    hashes.extend(case.play_about(part));
    hashes
}

#[test]
fn every_tick_of_the_last_minute_can_be_shown_again_bit_for_bit() {
    on_large_stack(|| {
        for hz in [30, 60, 144] {
            let mut case = Case::at(hz);
            let hashes = eventful(&mut case, 64, u64::from(hz));
            let end = case.bench.position();
            assert_eq!(end + 1, hashes.len() as u64);
            case.tap(WindowKey::Pause);
            let mut shown = 0;
            // Back to the start, one step or a stretch at a time, then forward again.
            for key in [WindowKey::ScrubBack, WindowKey::ScrubForward] {
                loop {
                    let before = case.bench.position();
                    case.tap(WindowKey::StepBack);
                    assert_eq!(case.hash(), hashes[case.bench.position() as usize]);
                    case.hold_key(key, 3 * u64::from(hz));
                    let now = case.bench.position();
                    assert_eq!(case.hash(), hashes[now as usize], "{hz} Hz, {now}");
                    shown += 1;
                    if now == 0 || now == end || now == before {
                        break;
                    }
                }
            }
            assert!(shown > 4 && case.bench.position() == end);
            assert_eq!(case.bench.timeline().end(), end, "scrubbing drops nothing");
        }
    });
}

#[test]
fn steps_back_and_forward_visit_every_tick() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let hashes = eventful(&mut case, 4, 60);
        let end = case.bench.position();
        for position in (0..end).rev() {
            case.tap(WindowKey::StepBack);
            assert_eq!(case.bench.position(), position);
            assert_eq!(case.hash(), hashes[position as usize], "{position}");
        }
        for position in 1..=end {
            case.tap(WindowKey::StepForward);
            assert_eq!(case.hash(), hashes[position as usize], "{position}");
        }
        assert!(case.bench.picture().paused);
    });
}

#[test]
fn any_position_can_be_shown_and_time_stands_still_there() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            let mut case = Case::at(hz);
            let hashes = eventful(&mut case, 4, u64::from(hz));
            let end = case.bench.position();
            for (wanted, shown) in [(end / 2, end / 2), (0, 0), (u64::MAX, end), (end - 1, end - 1)] {
                case.bench.show_position(wanted);
                assert_eq!(case.bench.position(), shown, "{hz} Hz");
                case.frames(3);
                assert_eq!(case.hash(), hashes[shown as usize], "{hz} Hz, {shown}");
            }
            assert!(case.bench.is_paused() && case.bench.timeline().end() == end, "nothing is dropped");
        }
    });
}

#[test]
fn a_step_at_the_newest_tick_plays_on_with_the_keys_that_are_down() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(30);
        case.tap(WindowKey::Pause);
        let place = case.place();
        case.frames(10);
        assert_eq!(case.place(), place, "time stands still");
        case.hold(&[Action::Right]);
        for _ in 0..5 {
            case.tap(WindowKey::StepForward);
        }
        assert_eq!(case.bench.position(), 35);
        assert!(case.place().x > place.x);
        // Held, the key repeats: 60 frames less the third of a second before it does.
        case.hold_key(WindowKey::StepForward, 60);
        let made = case.bench.position() - 35;
        assert!((40..=60).contains(&made), "{made}");
    });
}

#[test]
fn slow_motion_makes_fewer_ticks_and_loses_no_press() {
    on_large_stack(|| {
        for (presses, ticks) in [(1, 480), (2, 240), (4, 60), (9, 60)] {
            let mut case = Case::at(60);
            case.frames(30);
            for _ in 0..presses {
                case.bench.press(WindowKey::Slower);
            }
            let start = case.bench.position();
            // The latch of the window keeps a press until the next tick takes it.
            let mut latched = true;
            let mut highest: f64 = 0.0;
            for frame in 0..960 {
                let now = case.now() + f64::from(frame) / 60.0;
                case.bench.frame(now, &mut |_| {
                    let mut input = hangtime_core::sim::PlayerInput::default();
                    if std::mem::take(&mut latched) {
                        input.pressed.insert(Action::Jump);
                    }
                    hangtime_core::sim::Inputs::of_first(input)
                });
                highest = highest.max(case.place().y);
            }
            assert_eq!(case.bench.position() - start, ticks);
            assert!(!latched);
            assert!(highest > 20.0, "1/{}", 1 << presses);
        }
    });
}

#[test]
fn fast_forward_makes_more_ticks_per_frame() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.bench.press(WindowKey::Faster);
        case.frames(10);
        assert_eq!(case.bench.position(), 20);
        case.bench.press(WindowKey::Faster);
        case.frames(10);
        assert_eq!(case.bench.position(), 60);
        case.bench.press(WindowKey::NormalSpeed);
        case.frames(10);
        assert_eq!(case.bench.position(), 70);
    });
}

#[test]
fn playing_on_from_an_earlier_tick_drops_the_later_ones_and_says_so() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let hashes = case.play_about(300);
        case.hold_key(WindowKey::ScrubBack, 60);
        let back = case.bench.position();
        assert!(back < 250);
        assert_eq!(case.bench.timeline().end(), 300);
        case.hold(&[]);
        case.tap(WindowKey::Pause);
        assert_eq!(case.bench.timeline().end(), back + 1);
        assert!(case.logged(LogKind::Note)[0].contains("was dropped"));
        case.frames(20);
        case.tap(WindowKey::Pause);
        // The past before it is still there.
        case.hold_key(WindowKey::ScrubBack, 30);
        let now = case.bench.position() as usize;
        assert_eq!(case.hash(), hashes[now - 1]);
    });
}

#[test]
fn playing_on_from_a_tick_of_an_older_revision_continues_under_the_newest() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.play_about(120);
        case.edit("config/entities/hero.toml", &hero("run_speed_min = 100")).expect("good");
        case.play_about(60);
        case.hold_key(WindowKey::ScrubBack, 40);
        assert!(case.bench.position() < 120);
        assert_eq!(case.bench.live().revision().number, 1);
        case.tap(WindowKey::Pause);
        assert_eq!(case.bench.live().revision().number, 2);
    });
}

#[test]
fn a_restart_begins_the_level_again_and_keeps_the_past() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let first = case.hash();
        let played = case.play_about(100);
        case.tap(WindowKey::Pause);
        case.tap(WindowKey::Restart);
        assert_eq!((case.hash(), case.bench.live().world().ticks()), (first, 0));
        case.tap(WindowKey::StepBack);
        assert_eq!(case.hash(), played[98]);
        // A restart while an earlier tick is shown.
        case.tap(WindowKey::Restart);
        assert_eq!(case.hash(), first);
        assert_eq!(case.bench.timeline().end(), 100);
    });
}

#[test]
fn the_marked_tick_can_be_restored_again_and_again() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.play_about(100);
        case.bench.press(WindowKey::MarkA);
        let marked = case.hash();
        let first = case.play_about(50);
        for _ in 0..3 {
            case.bench.press(WindowKey::RestartAtMark);
            assert_eq!(case.hash(), marked);
            assert_eq!(case.play_about(50), first);
        }
        // Even if that part of the past was dropped.
        case.bench.press(WindowKey::Restart);
        case.play_about(10);
        case.bench.press(WindowKey::RestartAtMark);
        assert_eq!(case.hash(), marked);
        let log = case.logged(LogKind::Note);
        assert_eq!(log, ["mark A"]);
    });
}

#[test]
fn an_hour_is_kept_in_bounded_memory_and_the_last_minute_stays_dense() {
    on_large_stack(|| {
        let folder = crate::folder::Folder::with_script("");
        folder.write("config/hangtime.toml", "[simulation]\ntick_hz = 30\n");
        let mut case = Case::of(folder);
        case.bench.press(WindowKey::Faster);
        case.bench.press(WindowKey::Faster);
        case.frames(3600 * 30 / 4);
        let line = case.bench.timeline();
        let end = line.end();
        assert_eq!((end, line.begin()), (3600 * 30, 0));
        assert!(line.weight() <= KEYFRAME_BYTES + REVISION_BYTES);
        let mut distinct = std::collections::BTreeSet::new();
        for position in 0..=end {
            let (from, ..) = line.keyframe_before(position, 0).expect("it is kept");
            distinct.insert(from);
            let gap = position - from;
            let dense = position + DENSE_SECONDS * 30 >= end;
            assert!(!dense || gap <= KEYFRAME_TICKS, "{gap} at {position}");
            assert!(gap <= (end - from) / 8 + KEYFRAME_TICKS, "{gap} at {position}");
        }
        // Dense ones, and then eight for each time that the age is multiplied by e.
        let dense = DENSE_SECONDS * 30 / KEYFRAME_TICKS;
        assert!((distinct.len() as u64) < dense + 100, "{}", distinct.len());
    });
}

#[test]
fn the_why_panel_shows_the_chosen_tick_and_stays_steady() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.bench.press(WindowKey::Why);
        case.play_about(200);
        case.tap(WindowKey::Pause);
        let newest = case.bench.why();
        case.frames(30);
        assert_eq!(case.bench.why(), newest);
        assert!(newest.starts_with("why hero moves, tick 200\n"), "{newest}");
        case.hold_key(WindowKey::ScrubBack, 10);
        let back = case.bench.position();
        let text = case.bench.why();
        assert!(text.starts_with(&format!("why hero moves, tick {back}\n")));
        assert!(text.lines().count() > 1, "{text}");
        // The motion of that tick, from wherever it is reached.
        case.hold_key(WindowKey::ScrubBack, 30);
        while case.bench.position() < back {
            case.tap(WindowKey::StepForward);
        }
        let last = |text: &str| text.lines().last().map(String::from);
        assert_eq!(last(&case.bench.why()), last(&text));
        // Opened while paused, it explains the shown tick as well.
        case.tap(WindowKey::Why);
        assert_eq!(case.bench.why(), "");
        case.tap(WindowKey::Why);
        assert_eq!(last(&case.bench.why()), last(&text));
    });
}

#[test]
fn large_worlds_are_kept_less_often_and_every_tick_is_still_shown_exactly() {
    on_large_stack(|| {
        // 19 entities with 2,000 values each: 60 such worlds would take more than they may.
        let folder = crate::folder::Folder::with_script(COUNTS);
        let values = vec!["1.5"; 2000].join(", ");
        let kind = format!("vars = {{ list = [{values}] }}\n");
        folder.write("config/entities/box.toml", &kind);
        let mut level = crate::folder::LEVEL.to_string();
        for i in 0..19 {
            let x = -900 + i * 40;
            level += &format!("[[entity]]\nkind = \"box\"\nname = \"b{i}\"\nat = [{x}, 19]\n");
        }
        folder.write("levels/level.toml", &level);
        let mut case = Case::of(folder);
        let mut hashes = vec![case.hash()];
        case.hold(&[Action::Right]);
        for tick in 0..60 * KEYFRAME_TICKS {
            case.frames(1);
            // Hashing all ticks would take long.
            hashes.push(if tick % 100 == 99 { case.hash() } else { 0 });
        }
        let line = case.bench.timeline();
        assert!(line.weight() <= KEYFRAME_BYTES + REVISION_BYTES);
        let kept = line.keyframes();
        assert!((8..60).contains(&kept), "{kept}");
        case.tap(WindowKey::Pause);
        let mut compared = 0;
        while case.bench.position() > 100 {
            case.tap(WindowKey::ScrubBack);
            let position = case.bench.position() as usize;
            if position.is_multiple_of(100) {
                assert_eq!(case.hash(), hashes[position], "{position}");
                compared += 1;
            }
        }
        assert!(compared > 4, "{compared}");
    });
}

#[test]
fn no_default_key_has_two_effects_and_every_one_can_be_changed() {
    let keys = KeyMap::default();
    for key in KEY_NAMES.split(' ') {
        assert!(keys.of(key).count() <= 1, "{key}");
    }
    let folder = crate::folder::Folder::with_script("");
    let config = "[keys]\nstep_back = \"KeyB\"\nmark_a = [\"Digit1\", \"Numpad1\"]\nsave_gif = []\n";
    folder.write("config/hangtime.toml", config);
    let keys = folder.open().expect("good").config.keys;
    let bound = |effect: WindowKey| keys.keys_for(effect).collect::<Vec<_>>();
    assert_eq!(bound(WindowKey::StepBack), ["KeyB"]);
    assert_eq!(bound(WindowKey::MarkA), ["Digit1", "Numpad1"]);
    assert!(bound(WindowKey::SaveGif).is_empty());
    assert_eq!(bound(WindowKey::StepForward), ["Period"]);
}

#[test]
fn keys_in_a_file_leave_the_buttons_of_gamepads_bound() {
    let jump = KeyUse::Play(1, Action::Jump);
    for (line, keys) in [
        ("", &["Space", "PadSouth"][..]),
        ("jump = \"KeyJ\"", &["KeyJ", "PadSouth"]),
        ("jump = [\"KeyJ\", \"PadEast\"]", &["KeyJ", "PadEast"]),
        ("jump = []", &[]),
    ] {
        let folder = Folder::with_script(COUNTS);
        folder.write("config/hangtime.toml", &format!("[keys]\n{line}\n"));
        let revision = folder.open().expect("good keys");
        let bound = |key: &str| revision.config.keys.of(key).any(|effect| effect == jump);
        for key in ["Space", "KeyJ", "PadSouth", "PadEast"] {
            // Only builds with gamepads bind their buttons unasked.
            let unasked = key == "PadSouth" && !cfg!(feature = "gamepad");
            let expected = keys.contains(&key) && !unasked;
            assert_eq!(bound(key), expected, "{line}: {key}");
        }
    }
}

/// The plain sentence of the open `why` panel: its second line.
fn sentence(case: &Case) -> String {
    case.bench.why().lines().nth(1).unwrap_or_default().to_string()
}

#[test]
fn the_why_panel_has_a_plain_sentence_for_every_tick_and_also_at_rest() {
    on_large_stack(|| {
        for hz in [30, 60, 144] {
            let mut case = Case::at(hz);
            case.frames(u64::from(hz));
            case.tap(WindowKey::Why);
            assert_eq!(sentence(&case), "at rest on floor (stone): no direction is held", "{hz}");
            case.hold(&[Action::Jump]);
            case.frames(1);
            let live = case.bench.live();
            let entity = &live.world().entities()[0];
            let open = live.world().countdowns(&live.revision().stage, entity);
            let left = open.iter().find(|window| &*window.name == "hold").expect("it is held").left;
            let speed = live.world().view_of(&live.revision().stage, "hero").expect("a hero").vel.y;
            let expected = format!("rising at {speed:.0} px/s: Space held, {left:.2} s left");
            assert_eq!(sentence(&case), expected, "{hz}");
            case.hold(&[Action::Right]);
            let mut said = std::collections::BTreeSet::new();
            for _ in 0..3 * hz {
                case.frames(1);
                let text = sentence(&case);
                assert!(!text.is_empty());
                said.insert(text.split(' ').next().unwrap_or_default().to_string());
            }
            for word in ["falling", "moving"] {
                assert!(said.contains(word), "{hz}: {said:?}");
            }
        }
    });
}
