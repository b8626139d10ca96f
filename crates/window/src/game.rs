//! The game thread: frames at the level's tick rate, and what passes between the window and the workbench.

use super::{
    level_editing::LevelEditing,
    level_recordings::{LevelRecordings, end_recording},
    opening::{LevelOpening, RefusedLevel},
    speakers::Speakers,
    tuning_link::PanelStudies,
    *,
};
use hangtime_draw::TickCount;
use hangtime_game::{Notice, Pace, Reloader, ending_scripts, terminal::tell_rendered};
use hangtime_script::{STACK, Settings, render_all};
use hangtime_workbench::{FrameChanges, MomentFile, TerminalLine};
use std::{io::IsTerminal as _, thread::JoinHandle};

/// The handle of the running thread.
pub struct GameThread {
    thread: JoinHandle<GameEnd>,
    shared: Arc<SharedState>,
}

/// How a game has ended.
pub struct GameEnd {
    /// How it kept its pace, for people.
    pub pace: String,
    /// Whether something that should be recorded is in no recording.
    pub unrecorded: bool,
}

impl GameThread {
    pub fn start(
        folder: GameFolder,
        level: PathBuf,
        revision: Arc<Revision>,
        shared: Arc<SharedState>,
        files: SessionFiles,
        threads: Option<Arc<Threads>>,
    ) -> io::Result<Self> {
        let game_shared = shared.clone();
        let shared_ticks = threads.clone();
        let play = move || {
            let mut files = files;
            let is_recorded = files.recording.is_some();
            let mut game = GameLoop::new(folder, level, revision, game_shared, &mut files);
            game.use_threads(shared_ticks);
            if let Some(saves) = files.saves {
                game.bench.keep_for(saves);
            }
            if let Some(output) = files.recording {
                game.record(output);
            }
            let stop = game.shared.clone();
            let asked = move || stop.stop.load(Ordering::Relaxed);
            let (mut end, is_stopped) = ending_scripts(asked, || game.run());
            // The last tick of the recording cannot be played again.
            end.unrecorded |= is_stopped && is_recorded;
            end
        };
        let thread =
            std::thread::Builder::new()
                .name("game".into())
                .stack_size(STACK)
                .spawn(move || match threads {
                    Some(threads) => threads.run(play),
                    None => play(),
                })?;
        Ok(Self { thread, shared })
    }

    /// Stops the thread and waits for its end.
    pub fn stop(self) -> Option<GameEnd> {
        self.shared.stop.store(true, Ordering::Relaxed);
        // If the thread panicked, it has printed why. The window closes in any case.
        self.thread.join().ok()
    }
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
    /// The threads that share ticks.
    threads: Option<Arc<Threads>>,
    studies: PanelStudies,
    /// What is edited by hand.
    editing: LevelEditing,
    /// A level that is to replace the one that runs.
    opening: Option<LevelOpening>,
    /// Reads changed files; not while a recording plays, which has its own.
    reloader: Option<Reloader>,
    /// The level whose files are read once the recording is over.
    after_recording: Option<PathBuf>,
    speakers: Speakers,
    /// What editors show of a moment at which time stands still.
    moment: MomentFile,
    shared: Arc<SharedState>,
    frames: u64,
    ticks: TickCount,
    /// The recording of the session.
    recording: Option<LevelRecordings>,
    /// Whether a level could not be recorded, or not to its end.
    unrecorded: bool,
    /// The number of lost ticks that the log has reported, and the frame in which it last did.
    lost: (u64, u64),
}

impl GameLoop {
    fn new(
        folder: GameFolder,
        level: PathBuf,
        revision: Arc<Revision>,
        shared: Arc<SharedState>,
        files: &mut SessionFiles,
    ) -> Self {
        let replayed = files.replayed.take();
        let editing = LevelEditing::new(folder, level.clone());
        let folder = editing.folder();
        let color = io::stderr().is_terminal();
        let watch = || Reloader::new(folder.clone(), level.clone(), Settings::new(), &revision);
        let (reloader, live) = match &replayed {
            None => (Some(watch()), Live::new(revision, 0)),
            Some(replayed) => (None, replayed.live()),
        };
        let mut bench = Workbench::of(live, ".".into(), color);
        bench.use_game_folder(folder.clone());
        let after_recording = replayed.is_some().then_some(level);
        if let Some(replayed) = replayed {
            bench.play_recording(replayed);
        }
        Self {
            reloader,
            after_recording,
            bench,
            editing,
            threads: None,
            moment: MomentFile::new(folder.clone()),
            studies: PanelStudies::new(folder.clone()),
            folder,
            color,
            opening: None,
            speakers: Speakers::default(),
            shared,
            frames: 0,
            ticks: TickCount::default(),
            recording: None,
            unrecorded: false,
            lost: (0, 0),
        }
    }

    /// Shares ticks among threads.
    fn use_threads(&mut self, threads: Option<Arc<Threads>>) {
        self.bench.use_threads(threads.clone().map(|it| it as _));
        self.threads = threads;
    }

    /// Records everything from now on.
    fn record(&mut self, output: RecordingOutput) {
        self.recording = Some(LevelRecordings::of(output.0.path()));
        self.bench.record_into(output);
    }

    /// Plays until the window is closed.
    fn run(&mut self) -> GameEnd {
        let mut hz = self.bench.revision().stage.hz;
        let mut pace = Pace::new(hz);
        while !self.shared.stop.load(Ordering::Relaxed) {
            let made = pace.wait();
            self.ticks =
                TickCount { due: self.frames + u64::from(made) + pace.lost(), late: pace.late(), lost: pace.lost() };
            for _ in 0..made {
                self.frame();
            }
            self.tell_lost();
            let now = self.bench.revision().stage.hz;
            if now != hz {
                hz = now;
                pace.set_rate(hz);
            }
        }
        self.bench.save_kept(true);
        self.print();
        self.unrecorded |= !end_recording(&mut self.bench);
        for what in self.bench.unsaved() {
            tell(format_args!("warning: the window was closed before {what} was saved"));
        }
        let seconds = self.shared.now() as u64;
        let TickCount { due, late, lost } = self.ticks;
        GameEnd {
            pace: format!("closed after {seconds} s: {due} ticks, {lost} lost, {late} late"),
            unrecorded: self.unrecorded,
        }
    }

    /// Logs lost ticks, about once a second.
    fn tell_lost(&mut self) {
        let lost = self.ticks.lost;
        let hz = u64::from(self.bench.revision().stage.hz);
        if lost > self.lost.0 && self.frames >= self.lost.1 + hz {
            self.bench.report_lost(lost - self.lost.0);
            self.lost = (lost, self.frames);
        }
    }

    fn frame(&mut self) {
        self.switch_level();
        let (aim, mouse) = self.mouse();
        let pressed = mem::take(&mut *self.shared.pressed.lock());
        for key in pressed {
            match (key, mouse) {
                (WindowKey::Pick, Some(point)) => self.editing.grab(&mut self.bench, &self.shared, point),
                (WindowKey::Edit, _) => {
                    self.editing.open(&mut self.bench);
                    self.bench.press(key);
                }
                _ => self.bench.press(key),
            }
            if let (WindowKey::Restart, Some(reloader)) = (key, &self.reloader) {
                reloader.restarted();
            }
        }
        let drawn = mem::take(&mut *self.shared.drawn.lock());
        for order in drawn {
            self.bench.draw_order(order);
        }
        self.watch_after_recording();
        let notices: Vec<Notice> = self.reloader.iter().flat_map(Reloader::notices).collect();
        for notice in notices {
            self.bench.notice(notice);
        }
        self.shared.tuning.pass(&mut self.bench, &mut self.studies);
        self.shared.strip.pass(&mut self.bench, &self.folder);
        let down = self.shared.latch.lock().held(&self.bench.revision().config.keys);
        self.bench.hold(&down);
        match mouse.filter(|_| down.contains(&WindowKey::Pick)) {
            Some(point) => self.bench.drag_to(point),
            None => self.bench.drop_dragged(),
        }
        self.editing.follow(&mut self.bench, &self.shared, mouse, down.contains(&WindowKey::Pick));
        if let (true, Some(reloader)) = (self.bench.take_level_changed(), &self.reloader) {
            reloader.look();
        }
        self.aim(aim);
        let shared = &self.shared;
        let changes = self.bench.frame(shared.now(), &mut |keys| shared.latch.lock().take(keys));
        let shown = self.shared.frame.lock().shows();
        self.speakers.play(&mut self.bench, shown);
        self.moment.follow(&self.bench);
        self.print();
        self.frames += 1;
        self.publish(changes);
    }

    /// Begins to read changed files when a recording is over. If they differ from the recording's files, they take
    /// effect then.
    fn watch_after_recording(&mut self) {
        if self.bench.plays_recording() {
            return;
        }
        let Some(level) = self.after_recording.take() else {
            return;
        };
        if !level.is_file() {
            self.bench.note(format!("{} is not here, so saved files have no effect", level.display()));
            return;
        }
        let revision = self.bench.revision();
        let settings = revision.settings.clone();
        self.reloader = Some(Reloader::new(self.folder.clone(), level, settings, revision));
    }

    /// Passes on what a frame has changed.
    fn publish(&mut self, changes: FrameChanges) {
        let live = self.bench.live();
        let bodies = changes.world.then(|| live.views().collect());
        let texts = changes.texts || self.frames.is_multiple_of(TEXTS_AFTER);
        let texts = texts.then(|| self.bench.picture());
        let mut frame = self.shared.frame.lock();
        if let Some(texts) = texts {
            (frame.bench, frame.ticks) = (texts, self.ticks);
        }
        match bodies {
            Some(bodies) => {
                let wanted = frame.follow(live, bodies, self.shared.now());
                self.bench.watch(wanted);
            }
            None => frame.read(live),
        }
    }

    /// Players aim with the sticks of their gamepads, and the first one at the `point` of the mouse if it is
    /// used.
    fn aim(&self, point: Option<DVec2>) {
        let mut latch = self.shared.latch.lock();
        for (player, way) in (1..).zip(latch.aiming_sticks()) {
            let world = self.bench.live().world();
            let entity = world.entities().iter().find(|entity| entity.player == Some(player));
            let aimed = entity.filter(|_| way != DVec2::ZERO).map(|entity| world.body(entity).pos + way * FAR);
            let at = point.filter(|_| player == 1).or(aimed);
            let heard = entity.is_none() && self.bench.live().revision().scripts.hears_players();
            latch.aim(player, at, heard);
        }
    }

    /// The points of the level, px, that the mouse aims at and that it is at. The camera moves, so a mouse that
    /// stands still aims elsewhere in each tick.
    fn mouse(&self) -> (Option<DVec2>, Option<DVec2>) {
        let used = self.shared.latch.lock().has_mouse_down();
        let now = Instant::now();
        let pointer = {
            let mut pointer = self.shared.pointer.lock();
            if used {
                pointer.use_at(now);
            }
            *pointer
        };
        let frame = self.shared.frame.lock();
        let point = |at| frame.level_at(pointer.picture(), at);
        let (aim, at) = (pointer.aim(now), pointer.at());
        (aim.and_then(point), at.and_then(point))
    }

    /// Starts to open another level, or continues with one that is ready. Until then, and if its files have
    /// errors, the old one runs.
    fn switch_level(&mut self) {
        let chosen = self.shared.level.lock().take();
        if let Some(level) = chosen {
            let opening = LevelOpening::start(self.folder.clone(), level);
            if let Err(error) = &opening {
                self.shared.frame.lock().alert = format!("cannot open the level: {error}");
            }
            self.opening = opening.ok();
        } else if self.opening.is_none()
            && let Some(order) = self.bench.level_order().cloned()
        {
            let name = order.level.clone().unwrap_or_default();
            match LevelOpening::ordered(self.folder.clone(), order) {
                Ok(opening) => self.opening = Some(opening),
                Err(error) => self.bench.refuse_level(&name, &error.to_string()),
            }
        }
        let live = self.bench.live();
        let Some(opened) = self.opening.as_ref().and_then(|o| o.poll(live)) else {
            return;
        };
        self.opening = None;
        match opened {
            Ok((level, live)) => self.begin(level, live),
            Err(RefusedLevel { name: Some(name), errors }) => self.bench.refuse_level(&name, &errors),
            Err(RefusedLevel { name: None, errors }) => self.shared.frame.lock().alert = errors,
        }
    }

    /// Continues with another level.
    fn begin(&mut self, level: PathBuf, live: Live) {
        let revision = live.revision().clone();
        if !revision.warnings.is_empty() {
            tell_rendered(&render_all(&revision.warnings, self.color));
        }
        let kept = self.editing.leave(&mut self.bench, &level);
        let folder = self.folder.clone();
        let next = Reloader::new(folder, level, Settings::new(), &revision);
        self.after_recording = None;
        let old = self.reloader.replace(next);
        // It may be in the middle of a build, for which the game does not wait.
        let _ = std::thread::Builder::new().spawn(move || drop(old));
        self.unrecorded |= !end_recording(&mut self.bench);
        // Films are saved where the program was started.
        let mut next = Workbench::of(live, ".".into(), self.color);
        next.use_threads(self.threads.clone().map(|it| it as _));
        next.continue_saving(&mut self.bench);
        next.use_game_folder(self.folder.clone());
        self.bench = next;
        if let Some(kept) = kept {
            self.bench.note(kept);
        }
        if let Some(recording) = &mut self.recording {
            match recording.next(self.folder.path()) {
                Ok(output) => self.bench.record_into(output),
                Err(error) => {
                    self.unrecorded = true;
                    tell(format_args!("error: {error}; this level is not recorded"));
                }
            }
        }
        self.shared.tuning.open_level(&self.bench);
        self.shared.strip.open_level();
        self.shared.frame.lock().begin_level();
        self.publish(FrameChanges { world: true, texts: true });
    }

    fn print(&mut self) {
        for line in self.bench.take_terminal() {
            match line {
                TerminalLine::Plain(text) => tell(text),
                TerminalLine::Rendered(text) => tell_rendered(&text),
            }
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/game.rs"]
mod tests;
