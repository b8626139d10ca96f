//! What the simulation has found, each as the steps that led to it.

use super::{
    actions::{FolderAction, SaveStyle, SimulationStep},
    dice::Temper,
    run::{RunCounts, play},
};
use std::{io::ErrorKind, time::Duration};

/// Indices of the files that are changed here.
const LEVEL_FILE: usize = 0;
const PLATFORMER: usize = 4;
const SCRIPT: usize = 5;
const TOOLS: usize = 7;

/// The number of the folder `config/models`, after the numbers of the files.
const MODELS: usize = 8 + 1;

/// The number of the folder `scripts` among the folders.
const SCRIPTS: usize = 3;

/// The number of the game folder among the folders.
const GAME: usize = 5;

const MILLISECOND: Duration = Duration::from_millis(1);

/// Plays actions that all begin at the same time, on a folder without any mischief.
fn play_together(actions: Vec<FolderAction>) -> RunCounts {
    play_apart(Duration::ZERO, actions)
}

/// Plays actions with so much time between any two.
fn play_apart(then: Duration, actions: Vec<FolderAction>) -> RunCounts {
    let step = |action| SimulationStep { action, then };
    let steps: Vec<SimulationStep> = actions.into_iter().map(step).collect();
    play(1, Temper::default(), false, &steps).unwrap_or_else(|broken| panic!("{broken}"))
}

fn save(file: usize, version: u64, style: SaveStyle, pause: Duration) -> FolderAction {
    FolderAction::Save { file, version, style, pause }
}

#[test]
fn a_file_that_is_removed_and_written_again_does_not_go_back_to_defaults() {
    for style in [SaveStyle::RemoveFirst, SaveStyle::WithBackup] {
        for pause in [5, 50, 200] {
            let counts = play_together(vec![save(PLATFORMER, 60, style, MILLISECOND * pause)]);
            // The saved file, and the repaired folder at the end.
            assert_eq!((counts.adopted, counts.reported), (2, 0), "{style:?} {pause}");
        }
    }
}

#[test]
fn a_file_that_is_emptied_while_another_is_saved_does_not_go_back_to_defaults() {
    for pause in [20, 200] {
        let counts = play_together(vec![
            save(PLATFORMER, 60, SaveStyle::InPlace, MILLISECOND * pause),
            // Its event arrives while the first file is empty.
            save(TOOLS, 60, SaveStyle::ByRename, MILLISECOND * pause / 3),
        ]);
        // Both files at once or one after the other, and the repaired folder.
        assert!(counts.adopted <= 3 && counts.reported == 0, "{counts:?}");
    }
}

#[test]
fn files_that_never_rest_are_reported_and_not_adopted_half() {
    // A new version every 300 µs: no two readings fit between two changes.
    let keep_writing = |times| {
        vec![FolderAction::KeepWriting {
            file: PLATFORMER,
            times,
            style: SaveStyle::ByRename,
            pause: Duration::from_micros(60),
        }]
    };
    // For half a second, then for more than six.
    assert_eq!(play_together(keep_writing(1_700)).reported, 0);
    assert_eq!(play_together(keep_writing(21_000)).reported, 1);
}

#[test]
fn a_folder_that_cannot_be_listed_is_reported_and_does_not_count_as_empty() {
    let counts = play_together(vec![FolderAction::Fail {
        path: MODELS,
        kind: ErrorKind::PermissionDenied,
        pause: Duration::ZERO,
    }]);
    // It is reported, and adopted once it is repaired.
    assert_eq!((counts.adopted, counts.reported), (1, 1));
}

#[test]
fn a_disk_that_does_not_answer_is_reported_and_read_when_it_does() {
    // Longer than a file may take, and longer than all files may take.
    for seconds in [20, 100] {
        let actions =
            vec![FolderAction::Hang(Duration::from_secs(seconds)), save(SCRIPT, 60, SaveStyle::ByRename, MILLISECOND)];
        let counts = play_together(actions);
        // The save is adopted after the end, then the repaired folder.
        assert_eq!((counts.adopted, counts.reported), (2, 1), "{seconds} s");
    }
    // A disk that answers in time is not reported.
    let actions = vec![FolderAction::Hang(Duration::from_secs(3)), save(SCRIPT, 60, SaveStyle::ByRename, MILLISECOND)];
    let counts = play_together(actions);
    assert_eq!((counts.adopted, counts.reported), (2, 0));
}

#[test]
fn a_slow_build_that_has_lost_a_hook_is_adopted_when_it_is_done() {
    // Version 6 has two hooks. Version 8 has one of them and takes eight seconds to build.
    let saves = [6, 8].map(|version| save(SCRIPT, version, SaveStyle::ByRename, MILLISECOND));
    let counts = play_apart(MILLISECOND * 500, saves.into());
    // Both versions are adopted, then the repaired folder. The slow build is reported once.
    assert_eq!((counts.adopted, counts.reported), (3, 1));
}

#[test]
fn a_slow_build_is_made_again_after_its_files_were_gone_for_a_moment() {
    let actions = vec![
        save(SCRIPT, 8, SaveStyle::ByRename, MILLISECOND),
        FolderAction::MoveFolder { folder: SCRIPTS, pause: MILLISECOND * 500 },
    ];
    let counts = play_apart(MILLISECOND * 5_500, actions);
    // The script that takes eight seconds, and the repaired folder.
    assert_eq!(counts.adopted, 2);
}

#[test]
fn files_that_are_copied_one_after_the_other_become_at_most_two_revisions() {
    for apart in [1, 5, 20, 30] {
        for files in [vec![2, 3, 4, 5, 6], vec![4, 2], vec![0, 4, 7]] {
            let most = MILLISECOND * apart;
            let counts = play_apart(
                MILLISECOND * 3_000,
                vec![FolderAction::CopySome { files: files.clone(), version: 60, apart: most }],
            );
            // All at once if they are close together; else the first one alone. Then the repaired folder.
            let together = usize::from(apart < 10);
            assert!(
                counts.adopted as usize <= 3 - together && counts.reported == 0,
                "{files:?} {apart} ms apart: {counts:?}"
            );
        }
    }
}

#[test]
fn a_level_that_loses_its_entities_for_a_moment_keeps_them() {
    // Version 10 has no entities.
    let saves = [10, 60].map(|version| save(LEVEL_FILE, version, SaveStyle::ByRename, MILLISECOND));
    let counts = play_apart(MILLISECOND * 700, saves.into());
    // Only the second version, and the repaired folder.
    assert_eq!((counts.adopted, counts.reported), (2, 0));
}

#[test]
fn a_file_that_is_cut_for_a_moment_is_not_adopted() {
    for (file, percent) in [(LEVEL_FILE, 60), (PLATFORMER, 40), (SCRIPT, 50), (LEVEL_FILE, 0)] {
        let actions = vec![FolderAction::Cut { file, percent }, save(file, 60, SaveStyle::ByRename, MILLISECOND)];
        let counts = play_apart(MILLISECOND * 800, actions);
        assert_eq!((counts.adopted, counts.reported), (2, 0), "{file} {percent} %");
    }
}

#[test]
fn a_file_that_is_gone_is_adopted_while_others_are_saved() {
    // Another file is saved every 400 ms, so that the folder never rests for a second.
    let mut actions = vec![FolderAction::Remove { file: PLATFORMER }];
    actions.extend((60..68).map(|version| save(TOOLS, version * 6, SaveStyle::ByRename, MILLISECOND)));
    let counts = play_apart(MILLISECOND * 400, actions);
    // The saves after the first second, and the repaired folder.
    assert!(counts.adopted >= 4 && counts.reported == 0, "{counts:?}");
}

#[test]
fn a_game_folder_that_is_renamed_is_reported_and_continues_when_it_is_back() {
    for (seconds, reported) in [(0, 0), (10, 1)] {
        let counts = play_together(vec![FolderAction::MoveFolder {
            folder: GAME,
            pause: MILLISECOND * 500 + Duration::from_secs(seconds),
        }]);
        // Only the repaired folder is adopted.
        assert_eq!((counts.adopted, counts.reported), (1, reported), "{seconds} s");
    }
}
