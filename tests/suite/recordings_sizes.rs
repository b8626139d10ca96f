//! What takes room in a recording, and what is too large for one.

use crate::{
    folder::on_large_stack,
    program::{code, err, game, out, run},
    workbench_case::Case,
};
use glam::dvec2;
use hangtime::{
    playtest::{Replay, ReplayOutcome},
    project::{
        files::{OutputFile, OutputKind},
        recording::{Recorder, RecordingReader},
    },
    script::host::SourceFile,
    sim::World,
    workbench::WindowKey,
};
use std::sync::Arc;

#[test]
fn dragging_an_entity_writes_only_the_world_from_which_play_continues() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let path = case.folder.path("drag.run");
        let root = case.folder.root().to_path_buf();
        case.frames(5);
        let output = OutputFile::create(&root, &path, OutputKind::Recording);
        case.bench.record_into(output.expect("a file"));
        case.play_about(20);
        for drags in 0..3 {
            case.tap(WindowKey::Pause);
            let at = case.place();
            assert!(case.bench.grab(at));
            for step in 1..=200 {
                case.bench.drag_to(at + dvec2(0.0, f64::from(step) * 0.4));
                case.frames(1);
            }
            case.bench.drop_dragged();
            assert!((case.place().y - at.y - 80.0).abs() < 1e-6, "{drags}");
            case.tap(WindowKey::Pause);
            case.play_about(100);
        }
        let (_, ticks) = case.bench.end_recording().expect("one").expect("written");
        let text = std::fs::read_to_string(&path).expect("a file");
        // The first one, and one for each drag.
        assert_eq!(text.matches("{\"revision\":").count(), 4);
        let reader = RecordingReader::open(&path).expect("readable");
        let mut replay = Replay::new(reader, None);
        let outcome = replay.play(&mut []).expect("readable");
        assert_eq!(outcome, ReplayOutcome::Same { complete: true });
        assert_eq!(replay.ticks(), ticks);
        assert_eq!(replay.live().expect("a game").world().hash(), case.hash());
    });
}

#[test]
fn an_entity_that_was_dragged_last_is_in_the_recording() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let path = case.folder.path("drag.run");
        let root = case.folder.root().to_path_buf();
        let output = OutputFile::create(&root, &path, OutputKind::Recording);
        case.bench.record_into(output.expect("a file"));
        case.play_about(20);
        case.tap(WindowKey::Pause);
        let at = case.place();
        case.bench.grab(at);
        case.bench.drag_to(at + dvec2(0.0, 30.0));
        case.bench.drag_to(at + dvec2(0.0, 60.0));
        case.bench.end_recording().expect("one").expect("written");
        let reader = RecordingReader::open(&path).expect("readable");
        let mut replay = Replay::new(reader, None);
        let outcome = replay.play(&mut []).expect("readable");
        assert_eq!(outcome, ReplayOutcome::Same { complete: true });
        assert_eq!(replay.live().expect("a game").world().hash(), case.hash());
    });
}

#[test]
fn a_game_with_as_many_bytes_as_are_read_can_be_recorded_and_replayed() {
    let folder = game();
    // Input files are read with every level of their folder, and parsed only if they are its demo. The limits
    // are 16 MiB for a file and 64 MiB for all of them; the last one may exceed that.
    let line = format!("# {}\n", "\"in quotes\" ".repeat(8));
    let mut text = line.repeat((16 << 20) / line.len());
    text.push_str(&"#".repeat((16 << 20) - text.len()));
    for index in 1..=4 {
        folder.write(&format!("levels/large{index}.input"), &text);
    }
    let arguments = ["run", "level", "--ticks", "3", "--record", "large.run"];
    let recorded = run(folder.root(), &arguments);
    assert_eq!(code(&recorded), 0, "{}", err(&recorded));
    let replayed = run(folder.root(), &["replay", "large.run"]);
    assert_eq!(code(&replayed), 0, "{}{}", out(&replayed), err(&replayed));
    assert!(out(&replayed).starts_with("the same: 3 ticks"));
}

#[test]
fn what_is_too_large_for_a_reader_is_refused_by_the_recorder() {
    let folder = game();
    let mut revision = folder.open().expect("a good level");
    let world = World::new(&revision.stage, 0);
    // Each of these characters takes six bytes in JSON.
    let file = SourceFile { name: "levels/large.input".into(), text: "\u{1}".repeat(40 << 20) };
    revision.files.insert(file.name.clone(), Arc::new(file));
    let recorder = Recorder::start_with(std::io::sink(), &Arc::new(revision), &world);
    let error = recorder.err().expect("too large").to_string();
    assert!(error.contains("too large for a recording"), "{error}");
}
