//! Recordings: what was played plays again, tick by tick, and what differs is named.

use crate::{
    folder::on_large_stack,
    goldens::{GAMES, levels, root},
    program::game,
    workbench_case::{Case, hero},
};
use hangtime::{
    models::{Action, ModelName},
    playtest::{Replay, ReplayOutcome},
    project::{
        Live, Project, Track, TuningHome,
        files::{OutputFile, OutputKind},
        recording::{Recorder, RecordingReader},
    },
    sim::{Inputs, PlayerInput},
    tuning::Setting,
    workbench::{WindowKey, panel::Tuner},
};
use proptest::prelude::*;
use std::{io::Cursor, sync::Arc};

/// The script, config and level of a recording, as text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn reader(bytes: &[u8]) -> Result<RecordingReader, hangtime::Error> {
    RecordingReader::new("test.run", Box::new(Cursor::new(bytes.to_vec())))
}

fn replay(bytes: &[u8]) -> Result<(ReplayOutcome, u64), String> {
    let mut replay = Replay::new(reader(bytes).map_err(|e| e.to_string())?, None);
    let outcome = replay.play(&mut []).map_err(|e| e.to_string())?;
    Ok((outcome, replay.ticks()))
}

const SAME: ReplayOutcome = ReplayOutcome::Same { complete: true };

/// Records a level with the input of a track.
fn record(mut live: Live, track: &Track, ticks: u64) -> Vec<u8> {
    let mut recorder = Recorder::start(Vec::new(), &live).expect("written");
    for tick in 0..ticks {
        let inputs = track.at(tick);
        live.step(&inputs);
        recorder.step(&inputs, live.world()).expect("written");
    }
    recorder.finish(live.world()).expect("written")
}

/// The hero of a test folder, who runs right from tick 20 on if `runs`, and jumps in tick 50, at a tick rate.
fn recorded_jump(hz: u32, runs: bool) -> (Vec<u8>, Vec<u64>) {
    let folder = game();
    folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\n"));
    let mut live = Live::new(Arc::new(folder.open().expect("a good level")), 7);
    let mut recorder = Recorder::start(Vec::new(), &live).expect("written");
    let mut hashes = vec![live.world().hash()];
    for tick in 0..100 {
        let right = (runs && tick >= 20).then_some(Action::Right);
        let jump = (tick == 50).then_some(Action::Jump);
        let inputs =
            Inputs::of_first(PlayerInput { held: right.into_iter().chain(jump).collect(), ..PlayerInput::default() });
        live.step(&inputs);
        recorder.step(&inputs, live.world()).expect("written");
        hashes.push(live.world().hash());
    }
    (recorder.finish(live.world()).expect("written"), hashes)
}

#[test]
fn every_level_replays_tick_by_tick() {
    on_large_stack(|| {
        for game in GAMES {
            let folder = root().join(game);
            let project = Project::load(&folder).expect("a game folder");
            for level in levels(game) {
                let revision = project.open(&folder.join(&level), &[]).expect("a good level");
                let hz = revision.stage.hz;
                let track = revision.demo.as_ref().map(|demo| demo.track(hz));
                let track = track.unwrap_or_default();
                let ticks = 150;
                let recording = record(Live::new(Arc::new(revision), 3), &track, ticks);
                assert_eq!(replay(&recording), Ok((SAME, ticks)), "{level}");
            }
        }
    });
}

/// Good and bad edits of files, a slider, and a restart.
fn edits(case: &mut Case) {
    case.play_about(150);
    case.edit("config/entities/hero.toml", &hero("jump_speed = 430")).expect("good");
    case.play_about(40);
    let script = "fn on_tick(me) { this.n += 2; this.m = me.x; }";
    case.edit("scripts/hero.rhai", script).expect("good");
    case.play_about(40);
    assert!(case.edit("scripts/hero.rhai", "fn on_tick(me) { this.n += ").is_err());
    case.folder.write("scripts/hero.rhai", script);
    case.play_about(10);
    // A slider, which no file has.
    let mut tuner = Tuner::new(case.bench.files_revision().clone());
    let home = TuningHome::Kind("hero".into());
    let key = (home, ModelName::platformer.into(), "run_accel");
    tuner.set(&key, Setting::Number(700.0), false);
    case.bench.tune(tuner.changes());
    case.play_about(60);
    case.tap(WindowKey::Restart);
    case.play_about(50);
}

/// Steps back in time, an edit in the past, and a loop between two marks.
fn steps_back(case: &mut Case) {
    // Back in time, and on from there under the newest revision.
    case.hold_key(WindowKey::StepBack, 1);
    for _ in 0..30 {
        case.tap(WindowKey::StepBack);
    }
    case.tap(WindowKey::Pause);
    case.play_about(45);
    // An edit in the past.
    for _ in 0..20 {
        case.tap(WindowKey::StepBack);
    }
    case.edit("config/entities/hero.toml", &hero("jump_speed = 600")).expect("good");
    for _ in 0..10 {
        case.tap(WindowKey::StepForward);
    }
    // A loop between two marks.
    case.tap(WindowKey::MarkA);
    case.tap(WindowKey::Pause);
    case.play_about(25);
    case.tap(WindowKey::MarkB);
    case.play_about(70);
}

#[test]
fn a_session_with_edits_sliders_restarts_and_steps_back_replays() {
    on_large_stack(|| {
        for hz in [30, 60, 144] {
            let mut case = Case::at(hz);
            let path = case.folder.path("session.run");
            let root = case.folder.root().to_path_buf();
            case.frames(5);
            let output = OutputFile::create(&root, &path, OutputKind::Recording);
            case.bench.record_into(output.expect("a file"));
            edits(&mut case);
            steps_back(&mut case);
            let (ended, ticks) = case.bench.end_recording().expect("a recording").expect("written");
            assert_eq!(ended, path);
            let recording = std::fs::read(&path).expect("a file");
            let (outcome, replayed) = replay(&recording).expect("readable");
            assert_eq!((outcome, replayed), (SAME, ticks), "{hz} Hz");
            assert!(text(&recording).matches("{\"revision\":").count() > 8, "{hz} Hz");
        }
    });
}

#[test]
fn a_session_whose_folder_is_gone_replays() {
    on_large_stack(|| {
        let folder = game();
        let live = Live::new(Arc::new(folder.open().expect("a good level")), 1);
        let recording = record(live, &Track::default(), 30);
        drop(folder);
        assert_eq!(replay(&recording), Ok((SAME, 30)));
    });
}

#[test]
fn a_changed_input_is_found_in_the_tick_in_which_it_acts() {
    on_large_stack(|| {
        for hz in [30, 60, 120, 240] {
            let (recording, _) = recorded_jump(hz, false);
            let changed = text(&recording).replace("[1,\"jump\"]", "[1,\"\"]");
            let (outcome, _) = replay(changed.as_bytes()).expect("readable");
            let ReplayOutcome::Differs(difference) = outcome else {
                panic!("{hz} Hz: {outcome:?}");
            };
            // The step from tick 50 to 51 makes the jump, with the speed of a jump.
            assert_eq!((difference.tick, difference.shown_at), (51, 51), "{hz} Hz");
            assert_eq!(difference.field, "hero.pos.y", "{hz} Hz");
            assert_eq!(difference.got, "19", "{hz} Hz");
            let rise: f64 = difference.expected.parse().expect("a number");
            let expected = 540.0 / f64::from(hz);
            assert!((rise - 19.0 - expected).abs() < 0.2 * expected, "{hz} Hz: {rise}");
        }
    });
}

#[test]
fn a_changed_number_of_the_game_is_found_and_named() {
    on_large_stack(|| {
        let (recording, _) = recorded_jump(60, true);
        // The hash has to match the changed text, or the file is refused.
        let old = "fn on_tick(me) { this.n += 1; }";
        let new = "fn on_tick(me) { this.n += 2; }";
        let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex().to_string();
        let torn = text(&recording).replace(old, new);
        let wrong = replay(torn.as_bytes()).expect_err("another text");
        assert!(wrong.contains("the text of `scripts/hero.rhai`"), "{wrong}");
        let changed = torn.replace(&hash(old), &hash(new));
        let (outcome, _) = replay(changed.as_bytes()).expect("readable");
        let ReplayOutcome::Differs(difference) = outcome else {
            panic!("{outcome:?}");
        };
        // Variables are not among the numbers of each tick: the world at the end shows them.
        assert_eq!((difference.tick, difference.shown_at), (1, 100));
        assert!(difference.field.contains("vars"), "{difference}");
        assert_eq!((difference.expected.as_str(), difference.got.as_str()), ("100", "200"));
    });
}

#[test]
fn a_changed_hash_is_found_in_its_tick() {
    on_large_stack(|| {
        let (recording, hashes) = recorded_jump(60, true);
        for tick in [1, 2, 59, 60, 61, 99, 100] {
            let known = format!("{:016x}", hashes[tick]);
            let other = format!("{:016x}", hashes[tick] ^ 1);
            let changed = text(&recording).replacen(&known, &other, 1);
            let (outcome, _) = replay(changed.as_bytes()).expect("readable");
            let ReplayOutcome::Differs(difference) = outcome else {
                panic!("tick {tick}: {outcome:?}");
            };
            assert_eq!(difference.tick, tick as u64);
            assert_eq!((difference.expected, difference.got), (other, known));
        }
    });
}

#[test]
fn a_recording_that_was_cut_replays_as_far_as_it_goes() {
    on_large_stack(|| {
        let (recording, _) = recorded_jump(30, true);
        let mut last = 0;
        let mut played = 0;
        for end in (0..recording.len()).step_by(97) {
            let Ok((outcome, ticks)) = replay(&recording[..end]) else {
                assert_eq!(played, 0, "cut at {end}: what was readable is no longer");
                continue;
            };
            played += 1;
            assert_eq!(outcome, ReplayOutcome::Same { complete: false }, "cut at {end}");
            assert!(ticks >= last && ticks % 30 == 0 || ticks == 100, "cut at {end}: {ticks}");
            last = ticks;
        }
        assert!(played > 0 && last >= 90, "{last}");
    });
}

#[test]
fn replaying_ends_at_the_asked_tick() {
    on_large_stack(|| {
        let (recording, hashes) = recorded_jump(60, true);
        for until in [0, 1, 59, 60, 61, 100, 5000] {
            let mut replay = Replay::new(reader(&recording).expect("readable"), Some(until));
            let outcome = replay.play(&mut []).expect("readable");
            let ticks = until.min(100);
            assert_eq!(replay.ticks(), ticks);
            let hash = replay.live().expect("a game").world().hash();
            assert_eq!(hash, hashes[ticks as usize], "{until}");
            assert_eq!(outcome, ReplayOutcome::Same { complete: until >= 5000 });
        }
    });
}

#[test]
fn a_second_of_input_takes_less_than_100_bytes() {
    on_large_stack(|| {
        let project = Project::load(root()).expect("a game folder");
        for level in ["playground", "swing", "five", "lagoon"] {
            let path = project.find_level(level).expect("a level");
            let revision = project.open(&path, &[]).expect("a good level");
            let hz = u64::from(revision.stage.hz);
            let demo = revision.demo.as_ref().expect("a demo");
            let track = demo.track(revision.stage.hz);
            let ticks = track.length() / hz * hz;
            let recording = record(Live::new(Arc::new(revision), 0), &track, ticks);
            let bytes: usize = text(&recording)
                .lines()
                .filter_map(|line| {
                    let inputs = line.strip_prefix("{\"from\":")?;
                    let (_, inputs) = inputs.split_once("\"inputs\":")?;
                    Some(inputs.split_once(",\"hashes\"")?.0.len())
                })
                .sum();
            let seconds = (ticks / hz) as usize;
            assert!(bytes <= 100 * seconds, "{level}: {bytes} bytes in {seconds} s");
        }
    });
}

#[test]
fn the_last_minute_can_be_saved_and_replayed() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.play_about(65 * 60);
        case.edit("config/entities/hero.toml", &hero("jump_speed = 430")).expect("good");
        case.play_about(120);
        case.tap(WindowKey::Restart);
        case.play_about(120);
        let hash = case.hash();
        case.tap(WindowKey::SaveRun);
        case.wait();
        let recording = std::fs::read(case.films().join("level-1.run")).expect("a recording");
        let mut replay = Replay::new(reader(&recording).expect("readable"), None);
        assert_eq!(replay.play(&mut []).expect("readable"), SAME);
        // The key acts before the tick of its frame.
        assert_eq!(replay.ticks(), 3600);
        assert_eq!(replay.live().expect("a game").world().hash(), hash);
    });
}

#[test]
fn damaged_recordings_are_refused_without_a_panic() {
    let (recording, _) = {
        let mut made = None;
        let slot = &mut made;
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(16 << 20);
            let handle = thread.spawn_scoped(scope, || recorded_jump(60, true)).expect("a thread");
            *slot = handle.join().ok();
        });
        made.expect("recorded")
    };
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases: 10_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let places = (0..recording.len(), any::<u8>(), 0..40_usize, any::<bool>());
    let mutated = |(at, byte, length, cuts): (usize, u8, usize, bool)| {
        let mut bytes = recording.clone();
        if cuts {
            bytes.drain(at..(at + length).min(recording.len()));
        } else {
            bytes[at] = byte;
        }
        bytes
    };
    let result = runner.run(&places, |mutation| {
        let bytes = mutated(mutation);
        let Ok(mut reader) = reader(&bytes) else {
            return Ok(());
        };
        while let Ok(Some(_)) = reader.next_line() {}
        Ok(())
    });
    result.expect("no panic");
    on_large_stack(move || {
        let mut dice = 1_usize;
        for _ in 0..150 {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (dice >> 33) % recording.len();
            let mut bytes = recording.clone();
            bytes[at] = bytes[at].wrapping_add(1 + (dice >> 20) as u8 % 7);
            let _ = replay(&bytes);
        }
    });
}
