//! The game's thread: ticks at a fixed rate, reloads between them.

use super::shared::Shared;
use crate::project::{Live, Notice, Pace, Reloader, Revision, WhyPanel};
use crate::script::host::{Fault, STACK, Settings, Tally, render_all};
use crate::tuning::ErrorMode;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Instant;

/// The running thread.
pub(super) struct GameThread {
    thread: JoinHandle<()>,
    shared: Arc<Shared>,
}

impl GameThread {
    pub fn start(
        root: PathBuf,
        level: PathBuf,
        revision: Arc<Revision>,
        shared: Arc<Shared>,
    ) -> io::Result<Self> {
        let its = shared.clone();
        let reloader = Reloader::new(root, level, Settings::new(), &revision);
        let thread = std::thread::Builder::new()
            .name("game".into())
            .stack_size(STACK)
            .spawn(move || {
                let live = Live::new(revision, 0);
                let mut game = Game {
                    live,
                    reloader,
                    shared: its,
                    broken: None,
                    faults: Tally::default(),
                    paused: false,
                    why: None,
                };
                game.run();
            })?;
        Ok(Self { thread, shared })
    }

    /// Ends it and waits for that.
    pub fn stop(self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // If it panicked it has said so; the window closes all the same.
        let _ = self.thread.join();
    }
}

struct Game {
    live: Live,
    reloader: Reloader,
    shared: Arc<Shared>,
    /// What is wrong with the files as they are on disk.
    broken: Option<String>,
    /// Script errors under this revision.
    faults: Tally,
    paused: bool,
    /// Why the first player's entity moves as it does, while that is asked.
    why: Option<WhyPanel>,
}

impl Game {
    fn run(&mut self) {
        let mut pace = Pace::new(self.live.revision().stage.hz);
        self.publish();
        while !self.shared.stop.load(Ordering::Relaxed) {
            for _ in 0..pace.wait() {
                self.obey();
                self.reload();
                self.step();
            }
        }
    }

    /// What the window has asked for.
    fn obey(&mut self) {
        if self.shared.restart.swap(false, Ordering::Relaxed) {
            self.live.restart();
            if let Some(panel) = &mut self.why {
                *panel = WhyPanel::open(&mut self.live);
            }
            self.faults.clear();
            self.publish();
        }
        if self.shared.toggle_pause.swap(false, Ordering::Relaxed) {
            self.paused = !self.paused;
            self.shared.published().paused = self.paused;
        }
        if self.shared.toggle_why.swap(false, Ordering::Relaxed) {
            self.why = match self.why.take() {
                Some(panel) => panel.close(&mut self.live),
                None => Some(WhyPanel::open(&mut self.live)),
            };
            self.publish_why();
        }
    }

    /// Takes over what the reloader has made.
    fn reload(&mut self) {
        let notices: Vec<Notice> = self.reloader.notices().collect();
        for notice in notices {
            match notice {
                Notice::Ready {
                    revision,
                    changed,
                    took,
                } => {
                    let ms = took.as_secs_f64() * 1000.0;
                    let changed = changed.join(", ");
                    eprintln!("revision {}: {changed}, {ms:.0} ms", revision.number);
                    if !revision.warnings.is_empty() {
                        eprintln!(
                            "{}",
                            render_all(&revision.warnings, io::stderr().is_terminal())
                        );
                    }
                    self.live.adopt(revision);
                    self.broken = None;
                    if !self.faults.is_empty() && self.pauses_on_error() {
                        self.paused = false;
                    }
                    self.faults.clear();
                }
                Notice::Broken(wrong) => {
                    eprintln!("{}", render_all(&wrong, io::stderr().is_terminal()));
                    eprintln!("revision {} runs on", self.live.revision().number);
                    self.broken = Some(render_all(&wrong, false));
                }
                Notice::Mended => {
                    eprintln!("mended: revision {} runs on", self.live.revision().number);
                    self.broken = None;
                }
            }
            self.show_banner();
        }
    }

    fn step(&mut self) {
        let inputs = self.shared.latch().take(&self.live.revision().config.keys);
        if self.paused {
            return;
        }
        self.live.step(&inputs);
        if let Some(panel) = &mut self.why {
            panel.keep(&self.live);
            self.publish_why();
        }
        for line in self.live.take_printed() {
            eprintln!("{line}");
        }
        let faults = self.live.take_faults();
        if !faults.is_empty() {
            self.tell(&faults);
        }
        self.publish();
    }

    /// Tells of script errors: of the first at each place.
    fn tell(&mut self, faults: &[Fault]) {
        for fault in faults {
            if self.faults.count(fault) {
                eprintln!("{}", fault.render(io::stderr().is_terminal()));
                self.paused |= self.pauses_on_error();
            }
        }
        self.show_banner();
    }

    fn pauses_on_error(&self) -> bool {
        self.live.revision().config.scripts.on_error == ErrorMode::Pause
    }

    /// The banner: what is wrong with the files, else what is wrong with the scripts that run.
    fn show_banner(&self) {
        let banner = self.broken.clone().unwrap_or_else(|| {
            let lines = self.faults.iter().map(|(fault, count)| {
                let text = fault.render(false);
                match count {
                    1 => text,
                    n => format!("{text}\n({n} times)"),
                }
            });
            lines.collect::<Vec<_>>().join("\n")
        });
        let mut published = self.shared.published();
        published.banner = banner;
        published.paused = self.paused;
    }

    fn publish_why(&self) {
        let text = self.why.as_ref().map(|panel| panel.text(&self.live));
        self.shared.published().why = text.unwrap_or_default();
    }

    fn publish(&self) {
        let now: Vec<_> = self.live.views().collect();
        let mut published = self.shared.published();
        published.before = std::mem::replace(&mut published.now, now);
        published.time = self.live.time();
        published.absent = self.live.world().absent().clone();
        published.revision = self.live.revision().clone();
        published.at = Instant::now();
        published.paused = self.paused;
    }
}
