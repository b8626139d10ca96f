//! Recordings of sessions that cannot be written, and levels that are opened while one is saved.

use crate::{
    folder::on_large_stack,
    workbench_case::{Case, hero},
};
use hangtime_core::{
    models::Action,
    sim::{Inputs, PlayerInput},
};
use hangtime_game::{
    files::{OutputFile, OutputKind},
    recording::RecordingReader,
};
use hangtime_play::{RecordedPlay, Replay, ReplayOutcome};
use hangtime_script::Execution;
use hangtime_workbench::{LogKind, WindowKey, Workbench};
use std::{
    io::{self, Write},
    sync::Arc,
    time::{Duration, Instant},
};

/// A disk with room for some bytes.
struct Disk {
    room: usize,
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.room {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"));
        }
        self.room -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_reported_when_it_happens_and_again_at_the_end_of_the_recording() {
    on_large_stack(|| {
        for room in [0, 100, 5000, 9000] {
            let mut case = Case::at(60);
            let path = case.folder.path("full.run");
            let output = OutputFile::create(case.folder.root(), &path, OutputKind::Recording);
            let (file, _) = output.expect("a file");
            case.bench.record_into((file, Box::new(Disk { room })));
            case.play_about(600);
            let warnings = case.logged(LogKind::Warning);
            let told = warnings.iter().filter(|line| line.contains("nothing more is recorded"));
            assert_eq!(told.count(), 1, "{room}: {warnings:?}");
            let ended = case.bench.end_recording().expect("a recording");
            let why = ended.expect_err("it is not complete");
            assert!(why.contains("cannot write") && why.contains("full"), "{room}: {why}");
            assert!(!path.exists());
        }
    });
}

#[test]
fn a_recording_whose_folder_vanished_is_an_error_at_its_end() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let folder = case.folder.path("runs");
        std::fs::create_dir(&folder).expect("a folder");
        let output = OutputFile::create(case.folder.root(), &folder.join("a.run"), OutputKind::Recording);
        case.bench.record_into(output.expect("a file"));
        case.play_about(90);
        std::fs::remove_dir_all(&folder).expect("removed");
        case.play_about(90);
        let ended = case.bench.end_recording().expect("a recording");
        let why = ended.expect_err("it is in no folder");
        assert!(why.contains("a.run"), "{why}");
    });
}

#[test]
fn opening_another_level_finishes_saving_the_last_minute() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.play_about(62 * 60);
        case.bench.press(WindowKey::SaveRun);
        let revision = Arc::new(case.folder.open().expect("a good level"));
        let mut next = Workbench::new(revision, case.films(), false);
        next.continue_saving(&mut case.bench);
        assert_eq!(case.bench.unsaved().count(), 0);
        assert_eq!(next.unsaved().collect::<Vec<_>>(), ["the last minute"]);
        let films = case.films();
        // Drops the workbench of the old level.
        let Case { bench, folder, .. } = case;
        drop(bench);
        let started = Instant::now();
        while next.unsaved().count() > 0 {
            next.frame(started.elapsed().as_secs_f64(), &mut |_| Inputs::none());
            assert!(started.elapsed() < Duration::from_secs(300), "still saving");
            std::thread::sleep(Duration::from_millis(1));
        }
        let notes = next.log().filter(|line| line.text.starts_with("saved "));
        assert_eq!(notes.count(), 1);
        let reader = RecordingReader::open(&films.join("level-1.run")).expect("a recording");
        let mut replay = Replay::new(reader, None);
        let outcome = replay.play(&mut []).expect("readable");
        assert_eq!(outcome, ReplayOutcome::Same { complete: true });
        assert_eq!(replay.ticks(), 3600);
        drop(folder);
    });
}

/// A recording of a session with an edit and a restart, 90 ticks each, and the hash after every tick.
fn recorded_session() -> (Case, RecordingReader, Vec<u64>) {
    let mut case = Case::at(60);
    let path = case.folder.path("a.run");
    let output = OutputFile::create(case.folder.root(), &path, OutputKind::Recording);
    case.bench.record_into(output.expect("a file"));
    let mut hashes = case.play_about(90);
    case.edit("config/entities/hero.toml", &hero("run_speed_max = 400")).expect("a good file");
    hashes.extend(case.play_about(90));
    case.bench.press(WindowKey::Restart);
    hashes.extend(case.play_about(90));
    case.bench.end_recording().expect("a recording").expect("a complete one");
    let reader = RecordingReader::open(&path).expect("a recording");
    (case, reader, hashes)
}

#[test]
fn a_recording_plays_in_the_workbench_and_hands_over_at_its_end() {
    on_large_stack(|| {
        let (case, reader, hashes) = recorded_session();
        let recording = RecordedPlay::open(reader, Execution::Compiled).expect("readable");
        let mut bench = Workbench::of(recording.live(), case.films(), false);
        bench.play_recording(recording);
        // Keys that are held meanwhile have no effect.
        let left =
            Inputs::of_first(PlayerInput { held: [Action::Left].into_iter().collect(), ..PlayerInput::default() });
        for (frame, hash) in (1..).zip(&hashes) {
            bench.frame(f64::from(frame) / 60.0, &mut |_| left.clone());
            assert!(bench.plays_recording());
            assert_eq!(bench.live().world().hash(), *hash, "frame {frame}");
        }
        let mut runs_left = false;
        for frame in 0..60 {
            bench.frame(10.0 + f64::from(frame) / 60.0, &mut |_| left.clone());
            runs_left |= bench.live().views().next().is_some_and(|hero| hero.vel.x < 0.0);
        }
        assert!(!bench.plays_recording());
        assert!(runs_left, "the keys of the player work");
        assert!(bench.log().any(|line| line.text.contains("the recording is over: you play from here")));
    });
}

#[test]
fn a_player_who_turns_a_recording_back_takes_over() {
    on_large_stack(|| {
        let (case, reader, _) = recorded_session();
        let recording = RecordedPlay::open(reader, Execution::Compiled).expect("readable");
        let mut bench = Workbench::of(recording.live(), case.films(), false);
        bench.play_recording(recording);
        let frame = |bench: &mut Workbench| bench.frame(0.0, &mut |_| Inputs::none());
        (0..40).for_each(|_| _ = frame(&mut bench));
        bench.press(WindowKey::Pause);
        bench.press(WindowKey::StepForward);
        frame(&mut bench);
        bench.hold(&[]);
        assert_eq!(bench.position(), 41);
        assert!(bench.plays_recording(), "a step forward plays it");
        bench.press(WindowKey::StepBack);
        frame(&mut bench);
        bench.hold(&[]);
        assert!(bench.plays_recording(), "looking back does not end it");
        bench.press(WindowKey::Pause);
        frame(&mut bench);
        assert!(!bench.plays_recording());
        assert_eq!(bench.position(), 41, "the player's tick replaces the recorded one");
    });
}
