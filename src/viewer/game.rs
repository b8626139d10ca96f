//! The game thread: ticks at a fixed rate, reloads between them.

use super::shared::SharedState;
use crate::project::terminal::{tell, tell_rendered};
use crate::project::{GameFolder, Live, Notice, Pace, Reloader, Revision, WhyPanel};
use crate::script::host::text::printable_name;
use crate::script::host::{Fault, STACK, Settings, Tally, render_all};
use crate::tuning::ErrorMode;
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
                let live = Live::new(revision, 0);
                let mut game = GameLoop {
                    live,
                    reloader,
                    shared: game_shared,
                    broken: None,
                    faults: Tally::default(),
                    paused: false,
                    why: None,
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

/// The largest number of disabled scripts that the banner lists.
const MAX_DISABLED: usize = 3;

/// The state of the thread.
struct GameLoop {
    live: Live,
    reloader: Reloader,
    shared: Arc<SharedState>,
    /// The errors in the files on disk, if the last reload failed.
    broken: Option<String>,
    /// The script errors under the current revision.
    faults: Tally,
    paused: bool,
    /// The panel that explains motion, if it is open.
    why: Option<WhyPanel>,
}

impl GameLoop {
    fn run(&mut self) {
        let mut pace = Pace::new(self.live.revision().stage.hz);
        self.publish();
        while !self.shared.stop.load(Ordering::Relaxed) {
            for _ in 0..pace.wait() {
                self.handle_requests();
                self.reload();
                self.step();
            }
        }
    }

    /// Handles the window's requests: restart, pause, panel.
    fn handle_requests(&mut self) {
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
            match self.why.take() {
                Some(panel) => panel.close(&mut self.live),
                None => self.why = Some(WhyPanel::open(&mut self.live)),
            }
            self.publish_why();
        }
    }

    /// Handles the reloader's notices: adopts a new revision or shows its errors.
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
                    let changed = changed_files(&changed);
                    tell(format_args!(
                        "revision {}: {changed}, {ms:.0} ms",
                        revision.number
                    ));
                    if !revision.warnings.is_empty() {
                        let color = io::stderr().is_terminal();
                        tell_rendered(&render_all(&revision.warnings, color));
                    }
                    self.live.adopt(revision);
                    self.broken = None;
                    if !self.faults.is_empty() && self.pauses_on_error() {
                        self.paused = false;
                    }
                    self.faults.clear();
                }
                Notice::Broken(wrong) => {
                    tell_rendered(&render_all(&wrong, io::stderr().is_terminal()));
                    let number = self.live.revision().number;
                    tell(format_args!("revision {number} keeps running"));
                    self.broken = Some(render_all(&wrong, false));
                }
                Notice::Reverted => {
                    let number = self.live.revision().number;
                    tell(format_args!(
                        "files reverted: revision {number} keeps running"
                    ));
                    self.broken = None;
                }
            }
            self.show_banner();
        }
    }

    fn step(&mut self) {
        let inputs = self.shared.latch().take(&self.live.revision().config.keys);
        if self.paused {
            // An overlay that is switched on now shows the tick that stands still.
            self.shared.published().spectacle.read(&self.live);
            return;
        }
        self.live.step(&inputs);
        if let Some(panel) = &mut self.why {
            panel.record(&self.live);
            self.publish_why();
        }
        for line in self.live.take_printed() {
            tell(line);
        }
        let faults = self.live.take_faults();
        self.faults.leave_out(self.live.take_left_out_faults());
        for line in self.live.newly_disabled() {
            tell(format_args!("warning: {line}"));
        }
        if !faults.is_empty() {
            self.report(&faults);
        }
        self.publish();
    }

    /// Prints script errors, the first one at each place, and updates the banner.
    fn report(&mut self, faults: &[Fault]) {
        for fault in faults {
            if self.faults.count(fault) {
                tell_rendered(&fault.render(io::stderr().is_terminal()));
                self.paused |= self.pauses_on_error();
            }
        }
        self.show_banner();
    }

    fn pauses_on_error(&self) -> bool {
        self.live.revision().config.scripts.on_error == ErrorMode::Pause
    }

    /// Updates the banner: errors in the files, or else errors of the running scripts.
    fn show_banner(&self) {
        let banner = self.broken.clone().unwrap_or_else(|| {
            let lines = self.faults.iter().map(|(fault, count)| {
                let text = fault.render(false);
                match count {
                    1 => text,
                    n => format!("{text}\n({n} times)"),
                }
            });
            let disabled = self.live.disabled().take(MAX_DISABLED);
            lines
                .chain(self.faults.left_out_text())
                .chain(disabled)
                .collect::<Vec<_>>()
                .join("\n")
        });
        let mut published = self.shared.published();
        published.banner = banner;
        published.paused = self.paused;
    }

    fn publish_why(&self) {
        let text = self.why.as_ref().map(|panel| panel.text(&self.live));
        self.shared.published().why = text.unwrap_or_default();
    }

    fn publish(&mut self) {
        let now: Vec<_> = self.live.views().collect();
        let mut published = self.shared.published();
        let panel = self.why.is_some();
        published.spectacle.see(&mut self.live, &now, panel);
        published.before = std::mem::replace(&mut published.now, now);
        published.time = self.live.time();
        published.absent = self.live.world().absent().clone();
        published.revision = self.live.revision().clone();
        published.at = Instant::now();
        published.paused = self.paused;
    }
}

/// The largest number of changed files that are listed.
const MAX_CHANGED: usize = 10;

/// The names of the first changed files, and the number of the others.
fn changed_files(names: &[String]) -> String {
    let listed = names.iter().take(MAX_CHANGED);
    let listed = listed.map(|name| printable_name(name)).collect::<Vec<_>>();
    let others = names.len() - listed.len();
    let others = if others > 0 {
        format!(" and {others} more")
    } else {
        String::new()
    };
    format!("{}{others}", listed.join(", "))
}
