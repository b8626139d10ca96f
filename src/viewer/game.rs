//! The game thread: frames at the level's tick rate, and what passes between the window and the workbench.

use super::shared::SharedState;
use crate::project::terminal::{tell, tell_rendered};
use crate::project::{GameFolder, Notice, Pace, Reloader, Revision};
use crate::script::host::{STACK, Settings};
use crate::workbench::{TerminalLine, Workbench};
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Instant;

/// The handle of the running thread.
pub(super) struct GameThread {
    thread: JoinHandle<()>,
    shared: Arc<SharedState>,
}

impl GameThread {
    pub fn start(
        folder: GameFolder,
        level: PathBuf,
        revision: Arc<Revision>,
        shared: Arc<SharedState>,
    ) -> io::Result<Self> {
        let game_shared = shared.clone();
        let reloader = Reloader::new(folder, level, Settings::new(), &revision);
        let thread = std::thread::Builder::new()
            .name("game".into())
            .stack_size(STACK)
            .spawn(move || {
                let color = io::stderr().is_terminal();
                // Films are saved where the program was started.
                let bench = Workbench::new(revision, PathBuf::from("."), color);
                let mut game = GameLoop {
                    bench,
                    reloader,
                    shared: game_shared,
                    started: Instant::now(),
                    frames: 0,
                };
                game.run();
            })?;
        Ok(Self { thread, shared })
    }

    /// Stops the thread and waits for its end.
    pub fn stop(self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // If the thread panicked, it has printed why. The window closes in any case.
        let _ = self.thread.join();
    }
}

/// Frames after which texts are published in any case: lines of the log disappear after a time.
const TEXTS_AFTER: u64 = 16;

/// The state of the thread.
struct GameLoop {
    bench: Workbench,
    reloader: Reloader,
    shared: Arc<SharedState>,
    started: Instant,
    frames: u64,
}

impl GameLoop {
    fn run(&mut self) {
        let mut pace = Pace::new(self.bench.revision().stage.hz);
        while !self.shared.stop.load(Ordering::Relaxed) {
            for _ in 0..pace.wait() {
                self.frame();
            }
        }
    }

    fn frame(&mut self) {
        for key in self.shared.take_pressed() {
            self.bench.press(key);
        }
        let notices: Vec<Notice> = self.reloader.notices().collect();
        for notice in notices {
            self.bench.notice(notice);
        }
        self.shared.tuning.pass(&mut self.bench);
        let down = self.shared.latch().held(&self.bench.revision().config.keys);
        self.bench.hold(&down);
        let now = self.started.elapsed().as_secs_f64();
        let shared = &self.shared;
        let changes = self.bench.frame(now, &mut |keys| shared.latch().take(keys));
        self.print();
        self.frames += 1;
        if changes.world {
            self.publish_world();
        } else {
            // An overlay that is switched on now shows the tick that stands still.
            self.shared.published().spectacle.read(self.bench.live());
        }
        if changes.texts || self.frames.is_multiple_of(TEXTS_AFTER) {
            self.publish_texts();
        }
    }

    fn print(&mut self) {
        for line in self.bench.take_terminal() {
            match line {
                TerminalLine::Plain(text) => tell(text),
                TerminalLine::Rendered(text) => tell_rendered(&text),
            }
        }
    }

    fn publish_world(&mut self) {
        let now: Vec<_> = self.bench.live().views().collect();
        let wanted = self.shared.published().spectacle.watched(&now);
        self.bench.watch(wanted);
        let live = self.bench.live();
        let mut published = self.shared.published();
        published.spectacle.see(live, &now);
        published.before = std::mem::replace(&mut published.now, now);
        published.time = live.time();
        published.absent = live.world().absent().clone();
        published.revision = live.revision().clone();
        published.at = Instant::now();
    }

    fn publish_texts(&self) {
        let (why, picture) = (self.bench.why(), self.bench.picture());
        let mut published = self.shared.published();
        published.banner.clear();
        published.banner.push_str(self.bench.banner());
        published.why = why;
        published.paused = self.bench.is_paused();
        published.bench = picture;
    }
}
