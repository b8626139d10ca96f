//! The workbench: a running game whose time can be stopped, turned back and repeated.

use super::{
    comparison::EditComparison,
    drag::Drag,
    drawing::JumpDrawing,
    fan::Fan,
    fit::StretchFit,
    notices::{NoticeTime, Notices},
    outputs::SessionOutputs,
    reachable::ReachOverlay,
    sounds::HeardSounds,
    time::{GameSpeed, SessionTime, TimeMove},
    *,
};
#[cfg(feature = "disk")]
use super::{level_edits::LevelEdits, strip::Strip};
use hangtime_core::{
    sim::{Executor, LevelOrder},
    tuning::ErrorMode,
};

/// What a frame has changed.
#[derive(Clone, Copy)]
pub struct FrameChanges {
    /// The shown world.
    pub world: bool,
    /// Texts and paths over it.
    pub texts: bool,
}

/// A game with everything that helps to judge an edit: its past, marks, ghosts, a log and the errors of
/// refused edits. It knows no window and no clock: keys, input, edits and the time are passed in.
///
/// It runs scripts, so its thread needs a stack of [`STACK`](hangtime_script::STACK) bytes.
pub struct Workbench {
    pub(super) line: PlayedLine,
    pub(super) time: SessionTime,
    pub(super) comparison: EditComparison,
    pub(super) fan: Fan,
    pub(super) fit: StretchFit,
    pub(super) drawing: JumpDrawing,
    pub(super) reach: ReachOverlay,
    pub(super) notices: Notices,
    pub(super) outputs: SessionOutputs,
    pub(super) sounds: HeardSounds,
    /// How long scripts take, while that is shown.
    pub(super) times: Option<ScriptTimes>,
    /// What the mouse holds.
    pub(super) drag: Option<Drag>,
    /// What is edited of the level by hand.
    #[cfg(feature = "disk")]
    pub(super) edits: LevelEdits,
    /// A recording that plays before the player does.
    pub(super) recorded: Option<RecordedPlay>,
    /// Whether the user has picked an entity.
    pub(super) chosen: bool,
    /// Whether there is no keyboard, so that hints name no keys.
    pub(super) has_no_keys: bool,
    /// Whether there is no editor, so that hints name no files.
    pub(super) has_no_editor: bool,
    /// The timeline that one can grab.
    #[cfg(feature = "disk")]
    pub(super) strip: Strip,
}

impl Workbench {
    /// A workbench for a level that begins now. GIFs are saved in the folder `films`.
    pub fn new(revision: Arc<Revision>, films: PathBuf, color: bool) -> Self {
        Self::of(Live::new(revision, 0), films, color)
    }

    /// A workbench for a game that continues as it is.
    pub fn of(live: Live, films: PathBuf, color: bool) -> Self {
        let mut sounds = HeardSounds::default();
        sounds.add(&live);
        Self {
            line: PlayedLine::new(live),
            time: SessionTime::default(),
            comparison: EditComparison::default(),
            fan: Fan::default(),
            fit: StretchFit::default(),
            drawing: JumpDrawing::default(),
            reach: ReachOverlay::default(),
            notices: Notices::new(color),
            outputs: SessionOutputs::new(films),
            sounds,
            times: None,
            drag: None,
            #[cfg(feature = "disk")]
            edits: LevelEdits::default(),
            recorded: None,
            chosen: false,
            has_no_keys: false,
            has_no_editor: false,
            #[cfg(feature = "disk")]
            strip: Strip::default(),
        }
    }

    /// Says whether there is a keyboard: hints name keys only then.
    pub fn use_keyboard(&mut self, exists: bool) {
        self.has_no_keys = !exists;
    }

    /// Says whether the files can be edited: hints name lines of them only then.
    pub fn use_editor(&mut self, exists: bool) {
        self.has_no_editor = !exists;
    }

    /// Shares the ticks of worlds with many entities among threads.
    pub fn use_threads(&mut self, threads: Option<Arc<dyn Executor + Send + Sync>>) {
        self.line.live.use_threads(threads);
    }

    /// The game at the shown tick.
    pub fn live(&self) -> &Live {
        &self.line.live
    }

    /// The newest revision that was accepted.
    pub fn revision(&self) -> &Arc<Revision> {
        self.line.latest()
    }

    /// What the files say, without the numbers of the panel.
    pub fn files_revision(&self) -> &Arc<Revision> {
        self.line.tuning.base()
    }

    /// Everything since the start.
    pub fn timeline(&self) -> &Timeline {
        &self.line.timeline
    }

    /// The shown position of the timeline.
    pub fn position(&self) -> u64 {
        self.line.at()
    }

    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.time.paused
    }

    /// The name of the picked entity.
    pub fn picked(&self) -> Option<&Arc<str>> {
        self.line.picked().map(|picked| &picked.name)
    }

    /// The last seconds of the picked entity's motion before the shown tick.
    pub fn motion(&self) -> MotionRun {
        self.line.motion()
    }

    /// The motion of the last stretch under the newest revision and the one before it; `None` until both
    /// are ready.
    pub fn compared_motion(&self) -> Option<&Arc<MotionPair>> {
        self.comparison.race.compared()
    }

    /// The paths of the last stretch that are ready, by ascending number of their revision.
    pub fn ghosts(&self) -> &[Ghost] {
        self.comparison.race.ghosts()
    }

    /// What could happen from the shown tick; empty while the fan is closed.
    pub fn fan(&self) -> &[FanPath] {
        self.fan.paths()
    }

    /// What can be reached from the shown tick, as far as it is known; `None` while that is not shown.
    pub fn reachable(&self) -> Option<&ReachProgress> {
        self.reach.progress()
    }

    /// Whether ghosts, answers for a drawn jump, a film, a view of a whole stretch or, while time stands still, a fan or a search are
    /// being made in the background.
    pub fn is_busy(&self) -> bool {
        let plays_ahead = self.time.paused && (self.fan.is_running() || self.reach.is_running());
        #[cfg(feature = "disk")]
        let plays_ahead = plays_ahead || self.strip.is_saving();
        let draws = self.drawing.is_running() || self.fit.is_running();
        self.comparison.race.is_running() || plays_ahead || draws || self.outputs.is_saving()
    }

    /// All lines of the log that are kept, oldest first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &LogLine> {
        self.notices.log()
    }

    /// Takes the messages for the terminal since the last call.
    pub fn take_terminal(&mut self) -> Vec<TerminalLine> {
        self.notices.take_terminal()
    }

    /// Takes the sounds since the last call.
    pub fn take_heard(&mut self) -> Vec<AudibleSound> {
        let volume = self.line.latest().config.window.volume;
        self.sounds.take(volume)
    }

    /// The music that plays now; `None` for none, and while time does not run forward at normal speed.
    pub fn music(&self) -> Option<AudibleSound> {
        let runs = !self.time.paused && self.time.speed.is_normal();
        let volume = self.line.latest().config.window.volume;
        self.sounds.music(&self.line.live, volume).filter(|_| runs)
    }

    /// What was measured over the last second of the game, while it is shown how long scripts take.
    pub fn script_times(&self) -> Option<&TickProfile> {
        self.times.as_ref()?.shown()
    }

    /// Chooses the entities for which the game records what moves them. While the panel that explains motion is
    /// open, it chooses.
    pub fn watch(&mut self, wanted: Watch) {
        if self.line.why().is_none() && self.line.live.world().watched() != wanted {
            self.line.live.watch(wanted);
        }
    }

    /// The level that a script wants to play from here on. None while time stands still, an earlier tick is shown or a
    /// recording plays.
    pub fn level_order(&self) -> Option<&LevelOrder> {
        let plays = !self.time.paused && self.line.later() == 0 && !self.plays_recording();
        self.line.live.world().level_order().filter(|_| plays)
    }

    /// Continues without the level that a script wants to play, and reports why.
    pub fn refuse_level(&mut self, name: &str, reason: &str) {
        self.line.live.refuse_level(name, reason);
        self.begin_chapter(self.line.shared_world());
        self.report();
    }

    /// Makes the ticks of one frame; there is one frame for each tick of real time. `now` is the time in
    /// seconds since the session started. `input` takes the players' input of one tick; in slow motion it is
    /// called only in the frames that make a tick, so that no press is lost.
    pub fn frame(&mut self, now: f64, input: &mut dyn FnMut(&KeyMap) -> Inputs) -> FrameChanges {
        self.time.begin_frame(now);
        #[cfg(feature = "disk")]
        self.follow_editing();
        let player = self.line.picked_entity().and_then(|entity| entity.player);
        let mut aim = None;
        let input: &mut dyn FnMut(&KeyMap) -> Inputs = &mut |keys| {
            let inputs = input(keys);
            aim = player.and_then(|player| inputs.player(player).aim);
            inputs
        };
        self.adopt_tuning();
        self.notices.changed |= self.comparison.race.poll();
        self.poll_saving();
        if cfg!(feature = "disk") {
            self.poll_fit();
        }
        self.go(input);
        #[cfg(feature = "disk")]
        self.follow_strip();
        if self.time.paused {
            // Presses while the game stands still have no effect later.
            let _ = input(&self.line.latest().config.keys);
        } else {
            for _ in 0..self.time.speed.ticks() {
                let inputs = self.next_input(input);
                self.play_tick(&inputs);
                self.hear();
                if self.time.paused {
                    break;
                }
            }
        }
        self.comparison.note_shown(self.line.at());
        let world = mem::take(&mut self.line.moved);
        self.notices.changed |= self.fan.follow(&self.line, world, aim);
        self.notices.changed |= self.drawing.follow(&self.line, self.time.paused);
        if cfg!(feature = "disk") {
            self.leave_drawn_view();
        }
        let looping = self.comparison.looping().is_some();
        self.notices.changed |= self.reach.follow(&self.line, world, self.time.paused, looping);
        FrameChanges { world, texts: mem::take(&mut self.notices.changed) || world }
    }

    /// Moves the shown position by the ticks that keys asked for.
    fn go(&mut self, input: &mut dyn FnMut(&KeyMap) -> Inputs) {
        let TimeMove { steps, scrub } = self.time.take_move();
        let wanted = self.line.at().saturating_add_signed(steps + scrub);
        let (begin, recorded) = (self.line.timeline.begin(), self.line.timeline.end());
        let target = wanted.clamp(begin, recorded.max(begin));
        #[cfg(feature = "disk")]
        if wanted != self.line.at() {
            self.strip.stop();
        }
        if target != self.line.at() {
            self.seek(target);
        }
        for _ in recorded..wanted {
            if self.line.later() > 0 {
                return;
            }
            let next = match self.line.input_ahead() {
                Some(inputs) => inputs,
                None if steps > 0 => match self.loop_input() {
                    Some(inputs) => inputs,
                    None => self.next_input(input),
                },
                None => return,
            };
            self.advance(&next);
        }
    }

    /// Shows another position of the timeline, or the nearest that it has. Time stands still from then on.
    pub fn show_position(&mut self, position: u64) {
        self.time.paused = true;
        let (begin, end) = (self.line.timeline.begin(), self.line.timeline.end());
        self.seek(position.clamp(begin, end.max(begin)));
    }

    /// Shows another position of the line.
    pub(super) fn seek(&mut self, position: u64) {
        self.line.seek(position);
        self.notices.update_banner(&self.line.live);
    }

    /// Makes a new tick, with the players' input or the loop's.
    fn play_tick(&mut self, inputs: &Inputs) {
        self.line.drop_input_ahead();
        #[cfg(feature = "disk")]
        self.strip.play_from(self.line.at());
        if self.comparison.looping().is_some_and(|looping| looping.began > self.line.at()) {
            self.begin_round();
        }
        self.continue_here();
        let looped = self.loop_input();
        self.advance(looped.as_ref().unwrap_or(inputs));
    }

    /// Makes the shown position the end of the line, under the newest revision.
    fn continue_here(&mut self) {
        let later = self.line.later();
        if later > 0 {
            let (tick, time) = (self.line.live.world().ticks(), self.line.seconds(later));
            self.cut();
            self.note(format!("resumed from tick {tick}: the next {time:.1} s was dropped"));
        }
        if !self.line.is_latest() {
            self.line.adopt(self.line.latest().clone());
            self.find_picked();
        }
    }

    /// Drops everything after the shown position.
    pub(super) fn cut(&mut self) {
        self.take_over();
        self.line.cut();
        self.comparison.cut(self.line.at());
        #[cfg(feature = "disk")]
        self.strip.notes.cut(self.line.at());
    }

    /// The input of the loop for the next tick; at its end the next round begins. `None` without a loop.
    fn loop_input(&mut self) -> Option<Inputs> {
        if self.comparison.looping()?.place(self.line.at()).is_none() {
            self.begin_round();
        }
        self.comparison.looping()?.input(self.line.at(), self.line.latest())
    }

    /// Restores the start of the loop under the newest revision.
    fn begin_round(&mut self) {
        if let Some(world) = self.comparison.begin_round(&self.line) {
            self.line.restore(&self.line.latest().clone(), &world);
            self.begin_chapter(world);
        }
    }

    /// The game was restarted, or another world was put into it: the line continues with it.
    pub(super) fn begin_chapter(&mut self, world: Arc<World>) {
        self.take_over();
        // Input that was kept ahead is forgotten.
        #[cfg(feature = "disk")]
        self.strip.play_from(self.line.timeline.end());
        self.line.begin_chapter(world);
        self.find_picked();
        self.line.reopen_why();
        self.line.record_motion();
        self.notices.update_banner(&self.line.live);
    }

    /// Makes a tick at the end of the line.
    pub(super) fn advance(&mut self, inputs: &Inputs) {
        self.line.advance(inputs);
        // Rounds of a loop are looked at again, not played.
        if self.comparison.looping().is_none() {
            self.outputs.note_kept(self.line.live.world().kept());
        }
        if let Some(times) = &mut self.times {
            times.tick(&mut self.line.live);
        }
        #[cfg(feature = "disk")]
        self.strip.notes.tick(&self.line);
        self.report();
    }

    /// Hears the shown tick, which is new.
    pub(super) fn hear(&mut self) {
        if self.time.speed.is_normal() {
            self.sounds.add(&self.line.live);
        }
    }

    /// Logs what scripts printed in the last tick, and their errors.
    fn report(&mut self) {
        let is_new = self.notices.report(&self.line.live, self.time.now());
        self.time.paused |= is_new && self.pauses_on_error();
    }

    pub(super) fn pauses_on_error(&self) -> bool {
        self.line.latest().config.scripts.on_error == ErrorMode::Pause
    }

    /// Finds the picked entity again, or picks the first one.
    pub(super) fn find_picked(&mut self) {
        let found = self.line.found_again();
        if found.as_ref() != self.line.picked() {
            self.pick(found);
        }
    }

    /// Picks an entity, whose path is drawn and whose motion is explained.
    fn pick(&mut self, picked: Option<PickedEntity>) {
        self.line.pick(picked);
        if self.line.why().is_some() {
            self.open_why();
        }
        self.notices.changed = true;
    }

    /// Picks an entity because the user says so.
    pub(super) fn pick_by_hand(&mut self, picked: PickedEntity) {
        self.chosen = true;
        self.notices.changed = true;
        if self.line.picked() == Some(&picked) {
            return;
        }
        let text = format!("picked {}", picked.name);
        self.comparison.race.clear();
        self.pick(Some(picked));
        self.line.rebuild_motion();
        self.note(text);
    }

    fn toggle_why(&mut self) {
        if !self.line.close_why() {
            self.open_why();
        }
    }

    /// Opens the panel that explains motion, at the shown position.
    fn open_why(&mut self) {
        self.line.open_why();
        if self.time.paused {
            // The shown tick was played without the log that explains it.
            self.seek(self.line.at());
        }
    }

    /// A key of the window went down. Playing keys and keys of the window itself have no effect here.
    pub fn press(&mut self, key: WindowKey) {
        self.notices.changed = true;
        match key {
            WindowKey::Restart => self.restart(),
            WindowKey::Pause => self.time.toggle_pause(),
            WindowKey::Why => self.toggle_why(),
            WindowKey::Times => self.toggle_times(),
            WindowKey::StepBack | WindowKey::StepForward | WindowKey::ScrubBack | WindowKey::ScrubForward => {
                self.time.press(key, self.line.hz());
            }
            WindowKey::Slower => self.time.speed.change(-1),
            WindowKey::Faster => self.time.speed.change(1),
            WindowKey::NormalSpeed => self.time.speed = GameSpeed::default(),
            WindowKey::MarkA => {
                self.comparison.mark_a(&self.line);
                self.note("mark A");
            }
            WindowKey::MarkB => match self.comparison.mark_b(&self.line) {
                Ok(ticks) => {
                    self.note(format!("mark B: looping {:.2} s", self.line.seconds(ticks)));
                    self.start_loop();
                }
                Err(why) => self.note(why),
            },
            WindowKey::Loop => self.toggle_loop(),
            WindowKey::RestartAtMark => self.restart_at_mark(),
            WindowKey::Ghosts => self.comparison.hidden = !self.comparison.hidden,
            WindowKey::Compare if cfg!(feature = "disk") => {
                self.comparison.compare_with_next(&self.line);
                self.note_comparison();
            }
            WindowKey::Fan => self.fan.toggle(),
            WindowKey::Fit if cfg!(feature = "disk") => self.toggle_fit(),
            // The camera that follows the players has got its own size back.
            WindowKey::ResetZoom if cfg!(feature = "disk") => _ = self.fit.close(),
            WindowKey::Draw if cfg!(feature = "disk") => self.toggle_drawing(),
            WindowKey::Reachable if cfg!(feature = "disk") => self.reach.toggle(),
            WindowKey::PickNext => {
                if let Some(next) = self.line.next_entity() {
                    self.pick_by_hand(next);
                }
            }
            WindowKey::Log => self.notices.log_open = !self.notices.log_open,
            // Without a disk there are no files to save them in.
            WindowKey::SaveGif | WindowKey::SaveRun if cfg!(not(feature = "disk")) => {}
            WindowKey::SaveGif => self.save_film(),
            WindowKey::SaveRun => self.save_run(),
            #[cfg(feature = "disk")]
            WindowKey::Edit => self.toggle_editing(),
            WindowKey::Mute => {
                self.sounds.mute(!self.sounds.is_muted());
                self.note(match self.sounds.is_muted() {
                    _ if !cfg!(feature = "sound") => {
                        "this hangtime was built without sound; `cargo build --features sound` has it"
                    }
                    true => "sound off",
                    false => "sound on",
                });
            }
            // The window's own picture.
            _ => {}
        }
    }

    /// The keys of the window that are down now: time keys repeat while they are held.
    pub fn hold(&mut self, down: &[WindowKey]) {
        self.time.hold(down);
    }

    /// Pins the version that is played now: it stays to compare with, however many edits follow.
    pub fn pin(&mut self) {
        self.comparison.pin(&self.line);
        self.note_comparison();
    }

    fn note_comparison(&mut self) {
        let pinned = self.comparison.pinned().unwrap_or(0);
        self.note(match self.comparison.compares_with() {
            CompareWith::LastEdit => "ghosts compare with the version before the last edit".to_string(),
            CompareWith::SavedFiles => "ghosts compare with the saved files".into(),
            CompareWith::Pinned => format!("ghosts compare with the pinned version, revision {pinned}"),
        });
    }

    /// Shows or hides how long scripts take.
    fn toggle_times(&mut self) {
        self.times = self.times.is_none().then(ScriptTimes::default);
        self.line.live.measure(self.times.is_some());
    }

    /// Restarts the level. The past before it stays.
    fn restart(&mut self) {
        self.comparison.end_loop();
        self.line.adopt_latest();
        self.line.live.restart();
        self.notices.clear_faults();
        self.comparison.race.clear();
        self.begin_chapter(self.line.shared_world());
        self.hear();
    }

    fn toggle_loop(&mut self) {
        if !self.comparison.end_loop() {
            self.start_loop();
        }
    }

    fn start_loop(&mut self) {
        if self.comparison.start_loop() {
            self.time.paused = false;
        } else {
            self.note("mark A and B first");
        }
    }

    /// Continues from mark A under the newest revision.
    fn restart_at_mark(&mut self) {
        let Some(mark) = self.comparison.mark().cloned() else {
            return self.note("mark A first");
        };
        self.comparison.end_loop();
        self.line.restore(&mark.revision, &mark.world);
        self.line.adopt_latest();
        self.begin_chapter(self.line.shared_world());
        self.comparison.move_mark(self.line.at());
    }

    /// Logs something that the workbench or its user did.
    pub fn note(&mut self, text: impl AsRef<str>) {
        self.add_line(LogKind::Note, text.as_ref());
    }

    /// Logs that ticks were lost, because the computer was too slow to make them in time.
    pub fn report_lost(&mut self, ticks: u64) {
        #[cfg(feature = "disk")]
        if !self.time.paused {
            self.strip.notes.lost(self.line.at(), ticks);
        }
        self.warn(&format!("{ticks} ticks were lost: the computer could not keep up"));
    }

    /// Logs a warning, also in the terminal.
    pub(super) fn warn(&mut self, text: &str) {
        self.notices.warn(text, self.notice_time());
    }

    pub(super) fn add_line(&mut self, kind: LogKind, text: &str) {
        self.notices.add(kind, text, self.notice_time());
    }

    pub(super) fn notice_time(&self) -> NoticeTime {
        NoticeTime { tick: self.line.live.world().ticks(), now: self.time.now() }
    }
}
