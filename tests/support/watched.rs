//! A running game whose files may change, for tests.

use crate::folder::{Folder, Game};
use hangtime_game::{Notice, Reloader};
use std::time::{Duration, Instant};

/// A running game whose folder is watched.
pub struct Watched {
    pub folder: Folder,
    pub game: Game,
    pub reloader: Reloader,
}

impl Watched {
    pub fn new(folder: Folder) -> Self {
        let game = folder.game();
        let reloader =
            Reloader::new(folder.root().to_path_buf(), folder.path("levels/level.toml"), vec![], game.live.revision());
        Self { folder, game, reloader }
    }

    /// Plays until a change has a result.
    pub fn wait(&mut self) -> Notice {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(120) {
            let notice = self.reloader.notices().next();
            if let Some(notice) = notice {
                if let Notice::Ready { revision, .. } = &notice {
                    self.game.live.adopt(revision.clone());
                }
                return notice;
            }
            self.game.ticks(1);
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("the change had no effect");
    }

    /// Asserts that no notice arrives for a while.
    pub fn expect_nothing(&mut self, time: Duration) {
        let started = Instant::now();
        while started.elapsed() < time {
            assert!(self.reloader.notices().next().is_none());
            self.game.ticks(1);
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub fn wait_ready(&mut self) -> u64 {
        match self.wait() {
            Notice::Ready { revision, .. } => revision.number,
            other => panic!("{other:?}"),
        }
    }
}
