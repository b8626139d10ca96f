//! The game thread: frames at the level's tick rate, and what passes between the window and the workbench.

use super::opening::LevelOpening;
use super::shared::SharedState;
use crate::project::terminal::{tell, tell_rendered};
use crate::project::{GameFolder, Notice, Pace, Reloader, Revision, WindowKey};
use crate::script::host::{STACK, Settings, render_all};
use crate::workbench::{TerminalLine, Workbench};
use glam::DVec2;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::Instant;

/// The handle of the running thread.
pub(super) struct GameThread {
    thread: JoinHandle<String>,
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
        let reloader = Reloader::new(folder.clone(), level, Settings::new(), &revision);
        let thread = std::thread::Builder::new()
            .name("game".into())
            .stack_size(STACK)
            .spawn(move || {
                let color = io::stderr().is_terminal();
                let mut game = GameLoop {
                    bench: workbench(revision, color),
                    folder,
                    color,
                    opening: None,
                    reloader,
                    shared: game_shared,
                    started: Instant::now(),
                    frames: 0,
                    lost: (0, 0),
                };
                game.run()
            })?;
        Ok(Self { thread, shared })
    }

    /// Stops the thread and waits for its end. Returns how it kept its pace.
    pub fn stop(self) -> Option<String> {
        self.shared.stop.store(true, Ordering::Relaxed);
        // If the thread panicked, it has printed why. The window closes in any case.
        self.thread.join().ok()
    }
}

/// A workbench for a level. Films are saved where the program was started.
fn workbench(revision: Arc<Revision>, color: bool) -> Workbench {
    Workbench::new(revision, PathBuf::from("."), color)
}

/// Frames after which texts are published in any case: lines of the log disappear after a time.
const TEXTS_AFTER: u64 = 16;

/// How far away the point is that a stick aims at, px: farther than any hook.
const FAR: f64 = 10_000.0;

/// The state of the thread.
struct GameLoop {
    bench: Workbench,
    folder: GameFolder,
    /// Whether messages for the terminal have colors.
    color: bool,
    /// A level that is to replace the one that runs.
    opening: Option<LevelOpening>,
    reloader: Reloader,
    shared: Arc<SharedState>,
    started: Instant,
    frames: u64,
    /// Ticks that were lost, as far as the log has them, and the frame when it was told.
    lost: (u64, u64),
}

impl GameLoop {
    /// Plays until the window is closed. Returns how many ticks were lost, for people.
    fn run(&mut self) -> String {
        let mut hz = self.bench.revision().stage.hz;
        let mut pace = Pace::new(hz);
        while !self.shared.stop.load(Ordering::Relaxed) {
            for _ in 0..pace.wait() {
                self.frame();
            }
            self.tell_lost(pace.lost());
            let now = self.bench.revision().stage.hz;
            if now != hz {
                hz = now;
                pace.set_rate(hz);
            }
        }
        let seconds = self.started.elapsed().as_secs();
        let due = self.frames + pace.lost();
        format!(
            "closed after {seconds} s: {due} ticks, {} lost",
            pace.lost()
        )
    }

    /// Logs lost ticks, about once a second.
    fn tell_lost(&mut self, lost: u64) {
        let hz = u64::from(self.bench.revision().stage.hz);
        if lost > self.lost.0 && self.frames >= self.lost.1 + hz {
            self.bench.report_lost(lost - self.lost.0);
            self.lost = (lost, self.frames);
        }
    }

    fn frame(&mut self) {
        self.switch_level();
        let (aim, mouse) = self.mouse();
        for key in self.shared.take_pressed() {
            match (key, mouse) {
                (WindowKey::Pick, Some(point)) => _ = self.bench.grab(point),
                _ => self.bench.press(key),
            }
        }
        let notices: Vec<Notice> = self.reloader.notices().collect();
        for notice in notices {
            self.bench.notice(notice);
        }
        self.shared.tuning.pass(&mut self.bench);
        let down = self.shared.latch().held(&self.bench.revision().config.keys);
        self.bench.hold(&down);
        match mouse.filter(|_| down.contains(&WindowKey::Pick)) {
            Some(point) => self.bench.drag_to(point),
            None => self.bench.drop_dragged(),
        }
        self.aim(aim);
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

    /// Players aim with the sticks of their gamepads, and the first one at the `point` of the mouse if it is
    /// used.
    fn aim(&self, point: Option<DVec2>) {
        let mut latch = self.shared.latch();
        for (player, way) in (1..).zip(latch.aiming_sticks()) {
            let world = self.bench.live().world();
            let place = || {
                let entity = world.entities().iter().find(|e| e.player == Some(player))?;
                Some(world.body(entity).pos + way * FAR)
            };
            let aimed = match way == DVec2::ZERO {
                true => None,
                false => place(),
            };
            let at = point.filter(|_| player == 1).or(aimed);
            latch.aim(player, at);
        }
    }

    /// The points of the level, px, that the mouse aims at and that it is at. The camera moves, so a mouse that
    /// stands still aims elsewhere in each tick.
    fn mouse(&self) -> (Option<DVec2>, Option<DVec2>) {
        let used = self.shared.latch().has_mouse_down();
        let now = Instant::now();
        let pointer = {
            let mut pointer = self.shared.pointer();
            if used {
                pointer.use_at(now);
            }
            *pointer
        };
        let published = self.shared.published();
        let point = |at| published.spectacle.level_at(pointer.picture(), at);
        let (aim, at) = (pointer.aim(now), pointer.at());
        (aim.and_then(point), at.and_then(point))
    }

    /// Starts to open another level, or continues with one that is ready. Until then, and if its files have
    /// mistakes, the old one runs.
    fn switch_level(&mut self) {
        if let Some(level) = self.shared.take_level() {
            let opening = LevelOpening::start(self.folder.clone(), level);
            if let Err(error) = &opening {
                self.shared.published().not_opened = format!("cannot open the level: {error}");
            }
            self.opening = opening.ok();
        }
        let Some(opened) = self.opening.as_ref().and_then(LevelOpening::poll) else {
            return;
        };
        self.opening = None;
        match opened {
            Ok((level, revision)) => self.begin(level, Arc::new(revision)),
            Err(wrong) => self.shared.published().not_opened = wrong,
        }
    }

    /// Continues with another level.
    fn begin(&mut self, level: PathBuf, revision: Arc<Revision>) {
        if !revision.warnings.is_empty() {
            tell_rendered(&render_all(&revision.warnings, self.color));
        }
        let folder = self.folder.clone();
        let next = Reloader::new(folder, level, Settings::new(), &revision);
        let old = std::mem::replace(&mut self.reloader, next);
        // It may be in the middle of a build, for which the game does not wait.
        let _ = std::thread::Builder::new().spawn(move || drop(old));
        self.bench = workbench(revision, self.color);
        {
            let mut published = self.shared.published();
            published.spectacle.forget();
            published.menu = None;
            published.not_opened.clear();
            // Its entities have nothing to do with those of the last level.
            published.now.clear();
        }
        self.publish_world();
        self.publish_texts();
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
