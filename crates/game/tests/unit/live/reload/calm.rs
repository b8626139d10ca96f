//! Tests of `src/live/reload/calm.rs`.

use super::{ALONE, CALM, CalmFiles, ContentHashes, JOIN, SETTLE};
use std::time::Duration;

const TICK: Duration = Duration::from_millis(1);

/// A folder whose files are looked at in every millisecond, and adopted when they are calm.
struct Clock {
    calm: CalmFiles,
    files: ContentHashes,
    adopted: ContentHashes,
    now: Duration,
    /// The numbers of files that have changed in each revision, and when.
    revisions: Vec<(usize, Duration)>,
}

impl Clock {
    fn new() -> Self {
        let name = |i: u8| (format!("{i}.toml"), [0; 32]);
        let files: ContentHashes = (0..9).map(name).collect();
        Self {
            calm: CalmFiles::new(files.clone()),
            adopted: files.clone(),
            files,
            now: Duration::from_secs(100),
            revisions: Vec::new(),
        }
    }

    fn save(&mut self, file: u8) {
        let content = self.files.entry(format!("{file}.toml")).or_default();
        content[0] = content[0].wrapping_add(1);
    }

    fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.now += TICK;
            self.calm.note(&self.files, self.now);
            if self.files != self.adopted && self.calm.left(self.now).is_zero() {
                let changed = super::changed_files(&self.adopted, &self.files).len();
                self.adopted = self.files.clone();
                self.calm.accepted(self.now);
                self.revisions.push((changed, self.now));
            }
        }
    }

    /// Saves files with a pause after each, and returns how many files each revision has.
    fn copy(&mut self, files: &[u8], pause: Duration) -> Vec<usize> {
        let known = self.revisions.len();
        for file in files {
            self.save(*file);
            self.pass(pause);
        }
        self.pass(Duration::from_secs(1));
        self.revisions[known..].iter().map(|(n, _)| *n).collect()
    }
}

#[test]
fn files_that_are_copied_30_ms_apart_are_one_revision() {
    let mut clock = Clock::new();
    for pause in [1, 5, 7, 20, 30, 39] {
        let pause = Duration::from_millis(pause);
        assert_eq!(clock.copy(&[0, 1, 2, 3, 4], pause), [5], "{pause:?}");
        assert_eq!(clock.copy(&[4, 2, 0], pause), [3], "{pause:?}");
    }
}

#[test]
fn the_last_of_several_files_waits_for_half_of_the_90_ms_in_which_it_takes_effect() {
    let mut clock = Clock::new();
    for pause in [1, 20, 30] {
        let pause = Duration::from_millis(pause);
        clock.copy(&[0, 1], pause);
        let written = clock.now;
        assert_eq!(clock.copy(&[2, 3, 4], pause), [3]);
        let waited = clock.revisions.last().map(|(_, at)| *at - written - 2 * pause - TICK);
        assert_eq!(waited, Some(CALM), "{pause:?}");
    }
    assert!(CALM <= Duration::from_millis(90) / 2);
}

#[test]
fn a_file_that_is_edited_again_takes_effect_at_once() {
    let mut clock = Clock::new();
    // Three files in turns, as a person edits them.
    for round in 0..5 {
        for file in [0, 1, 2] {
            let saved = clock.now;
            assert_eq!(clock.copy(&[file], TICK), [1]);
            let waited = clock.revisions.last().map(|(_, at)| *at - saved - TICK);
            let expected = if round < ALONE { CALM } else { SETTLE };
            assert_eq!(waited, Some(expected), "round {round}");
        }
    }
}

#[test]
fn a_copy_that_begins_with_an_edited_file_is_torn_at_most_once() {
    let mut clock = Clock::new();
    let pause = Duration::from_millis(30);
    assert!(pause < JOIN);
    for _ in 0..ALONE {
        assert_eq!(clock.copy(&[0], TICK), [1]);
    }
    assert_eq!(clock.copy(&[0, 1, 2, 3, 4], pause), [1, 4]);
    assert_eq!(clock.copy(&[0, 1, 2, 3, 4], pause), [5]);
    assert_eq!(clock.copy(&[0, 1, 2, 3, 4], pause), [5]);
}

#[test]
fn a_copy_that_was_stopped_after_its_first_file_does_not_tear_the_next_one() {
    let mut clock = Clock::new();
    let pause = Duration::from_millis(30);
    for _ in 0..5 {
        assert_eq!(clock.copy(&[0], CALM + TICK), [1]);
        assert_eq!(clock.copy(&[1, 2, 3, 4], pause), [4]);
        assert_eq!(clock.copy(&[0, 1, 2, 3, 4], pause), [5]);
    }
}
