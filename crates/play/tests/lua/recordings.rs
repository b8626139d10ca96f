//! Recordings and goldens of games in Lua.

use super::{Folder, on_large_stack, results};
use hangtime_game::{LevelCache, Live, Project, Track, recording::RecordingReader};
use hangtime_play::{Replay, ReplayOutcome, RunRecorder, find_cases, run, update_golden};
use std::{fs::File, sync::Arc};

/// A game whose hero walks, counts and draws lots.
fn folder() -> Folder {
    let folder = Folder::with_script("");
    folder.write("config/entities/hero.toml", "script = \"hero.luau\"\nvars = { n = 0 }\n");
    let script = "local steps = require('lib/steps')\n\
        function on_tick(me) vars.n += steps.size vars.luck = world.random() me:push(vars.luck * 30, 0) end";
    folder.write("scripts/hero.luau", script);
    folder.write("scripts/lib/steps.luau", "return { size = 2 }");
    folder
}

#[test]
fn a_recording_of_a_game_in_lua_is_replayed_from_itself_alone() {
    on_large_stack(|| {
        let folder = folder();
        let project = Project::load(folder.root()).expect("a game");
        let level = project.find_level("level").expect("a level");
        let mut live = Live::new(Arc::new(project.open(&level, &[]).expect("a good level")), 7);
        let file = folder.path("a.run");
        let mut recorder = RunRecorder::new(Box::new(File::create(&file).expect("a file")), Track::default());
        run(&mut live, &Track::default(), 60, &mut [&mut recorder]).expect("a run");
        recorder.finish(&live).expect("a whole recording");
        // The recording has the scripts.
        folder.write("scripts/hero.luau", "function on_tick(me) end");
        let mut replay = Replay::new(RecordingReader::open(&file).expect("a recording"), None);
        let outcome = replay.play(&mut []).expect("a replay");
        assert!(matches!(outcome, ReplayOutcome::Same { complete: true }), "{outcome:?}");
        assert_eq!(replay.ticks(), 60);
    });
}

#[test]
fn a_golden_trace_of_a_game_in_lua_is_written_and_holds() {
    on_large_stack(|| {
        let folder = folder();
        folder.write("levels/tests/walk.input", "level ../level.toml\n20 right\n");
        let project = Project::load(folder.root()).expect("a game");
        let cache = Arc::new(LevelCache::new(project.folder().clone()));
        let cases = find_cases(&project, &cache, &[], 1).expect("tests");
        assert_eq!(update_golden(&project, &cases[0]).expect("a trace"), Some(20));
        assert!(results(folder.root())[0].passed());
        folder.write("scripts/lib/steps.luau", "return { size = 3 }");
        let result = results(folder.root()).remove(0);
        let report = result.report(false);
        assert!(!result.passed() && report.contains("steps.luau"), "{report}");
    });
}
