//! The workbench: a running game whose time can be stopped, turned back and repeated.

use super::dragged::Drag;
use super::excerpt::{Excerpt, PickedEntity};
use super::frame_changes::FrameChanges;
use super::ghost_record::GhostRecord;
use super::ghosts::GhostRace;
use super::heard::HeardSounds;
use super::keys::WindowKey;
use super::log::{LogKind, SessionLog};
use super::marks::Marks;
use super::panel::{LiveTuning, MotionSample, MotionTrace};
use super::session_outputs::SessionOutputs;
use super::speed::GameSpeed;
use super::tape::InputTape;
use super::timeline::{Timeline, discard_reports, restore};
use super::times::ScriptTimes;
use super::troubles::Troubles;
use hangtime_core::sim::{Executor, Inputs, World};
use hangtime_core::tuning::ErrorMode;
use hangtime_game::{KeyMap, Live, Revision, WhyPanel};
use hangtime_script::Fault;
use std::path::PathBuf;
use std::sync::Arc;

/// Seconds of the stretch that is played again after an edit, if no marks are set, and of the path behind the
/// picked entity.
pub const STRETCH_SECONDS: u64 = 3;

/// Ticks before the shown one whose decisions the `why` panel lists.
const WHY_TICKS: u64 = 30;

/// A message for the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalLine {
    /// Text whose control characters must be escaped.
    Plain(String),
    /// A rendered message with colors.
    Rendered(String),
}

/// Input that was recorded after the shown tick, before an edit changed what came after it.
pub(super) struct InputAhead {
    /// The position of its first tick.
    pub start: u64,
    pub tape: InputTape,
}

/// A game with everything that helps to judge an edit: its past, marks, ghosts, a log and the errors of
/// refused edits. It knows no window and no clock: keys, input, edits and the time are passed in.
///
/// It runs scripts, so its thread needs a stack of [`STACK`](hangtime_script::STACK) bytes.
pub struct Workbench {
    /// The game at the shown position.
    pub(super) live: Live,
    pub(super) line: Timeline,
    /// The shown position of the line.
    pub(super) at: u64,
    /// The newest revision that was accepted. Play continues under it.
    pub(super) latest: Arc<Revision>,
    /// What the tuning panel changes about the files.
    pub(super) tuning: LiveTuning,
    pub(super) ahead: Option<InputAhead>,
    pub(super) paused: bool,
    pub(super) speed: GameSpeed,
    /// Ticks to go in this frame: those that may make new ticks, and those that may not.
    pub(super) steps: i64,
    pub(super) scrub: i64,
    /// The time keys that are down, and since when.
    pub(super) held: Vec<(WindowKey, f64)>,
    pub(super) picked: Option<PickedEntity>,
    /// What the mouse holds.
    pub(super) drag: Option<Drag>,
    /// The motion of the picked entity, for plots.
    pub(super) motion: MotionTrace,
    pub(super) why: Option<WhyPanel>,
    /// How long scripts take, while that is shown.
    pub(super) times: Option<ScriptTimes>,
    pub(super) marks: Marks,
    pub(super) ghosts: GhostRace,
    /// The stretch of the last edit without marks.
    pub(super) last_stretch: Option<Arc<Excerpt>>,
    pub(super) ghosts_hidden: bool,
    /// When which ghosts were shown.
    pub(super) ghost_record: GhostRecord,
    pub(super) outputs: SessionOutputs,
    pub(super) log: SessionLog,
    pub(super) log_open: bool,
    pub(super) troubles: Troubles,
    /// What is wrong, as it is shown: rendering it in every frame would take too long.
    pub(super) banner: String,
    /// The last edit, and when it was made.
    pub(super) last_edit: Option<(String, f64)>,
    pub(super) terminal: Vec<TerminalLine>,
    /// Whether messages for the terminal have colors.
    pub(super) color: bool,
    /// Seconds since the start of the session.
    pub(super) now: f64,
    /// When the first frame was, in seconds since the start of the session.
    pub(super) opened_at: Option<f64>,
    /// Whether the shown world has changed since the last frame.
    pub(super) moved: bool,
    /// Whether texts or paths over it have changed.
    pub(super) changed: bool,
    pub(super) sounds: HeardSounds,
}

impl Workbench {
    /// A workbench for a level that begins now. GIFs are saved in the folder `films`.
    #[must_use]
    pub fn new(revision: Arc<Revision>, films: PathBuf, color: bool) -> Self {
        Self::of(Live::new(revision, 0), films, color)
    }

    /// A workbench for a game that continues as it is.
    #[must_use]
    pub fn of(live: Live, films: PathBuf, color: bool) -> Self {
        let revision = live.revision().clone();
        let mut bench = Self {
            line: Timeline::new(&live),
            at: 0,
            picked: PickedEntity::first(live.world()),
            drag: None,
            live,
            tuning: LiveTuning::new(revision.clone()),
            latest: revision,
            ahead: None,
            paused: false,
            speed: GameSpeed::default(),
            steps: 0,
            scrub: 0,
            held: Vec::new(),
            motion: MotionTrace::default(),
            why: None,
            times: None,
            marks: Marks::default(),
            ghosts: GhostRace::default(),
            last_stretch: None,
            ghosts_hidden: false,
            ghost_record: GhostRecord::default(),
            outputs: SessionOutputs::new(films),
            log: SessionLog::default(),
            log_open: false,
            troubles: Troubles::default(),
            banner: String::new(),
            last_edit: None,
            terminal: Vec::new(),
            color,
            now: 0.0,
            opened_at: None,
            moved: true,
            changed: true,
            sounds: HeardSounds::default(),
        };
        bench.record_motion();
        bench.hear();
        bench
    }

    /// Shares the ticks of worlds with many entities among threads.
    pub fn use_threads(&mut self, threads: Option<Arc<dyn Executor + Send + Sync>>) {
        self.live.use_threads(threads);
    }

    /// Makes the ticks of one frame; there is one frame for each tick of real time. `now` is the time in
    /// seconds since the session started. `input` takes the players' input of one tick; in slow motion it is
    /// called only in the frames that make a tick, so that no press is lost.
    pub fn frame(&mut self, now: f64, input: &mut dyn FnMut(&KeyMap) -> Inputs) -> FrameChanges {
        self.now = now;
        self.opened_at.get_or_insert(now);
        self.poll();
        self.repeat_held_keys();
        self.go(input);
        if self.paused {
            // Presses while the game stands still have no effect later.
            let _ = input(&self.latest.config.keys);
        } else {
            for _ in 0..self.speed.ticks() {
                let inputs = input(&self.latest.config.keys);
                self.play_tick(&inputs);
                self.hear();
                if self.paused {
                    break;
                }
            }
        }
        let shown = (!self.ghosts_hidden).then(|| self.ghosts.picture());
        self.ghost_record.note(self.at, shown);
        let world = std::mem::take(&mut self.moved);
        FrameChanges { world, texts: std::mem::take(&mut self.changed) || world }
    }

    /// Collects what threads have finished.
    fn poll(&mut self) {
        self.adopt_tuning();
        self.changed |= self.ghosts.poll();
        self.poll_saving();
    }

    /// Moves the shown position by the ticks that keys asked for.
    fn go(&mut self, input: &mut dyn FnMut(&KeyMap) -> Inputs) {
        let (steps, scrub) = (std::mem::take(&mut self.steps), std::mem::take(&mut self.scrub));
        let wanted = self.at.saturating_add_signed(steps + scrub);
        let recorded = self.line.end();
        let target = wanted.clamp(self.line.begin(), recorded.max(self.line.begin()));
        if target != self.at {
            self.seek(target);
        }
        let mut more = wanted.saturating_sub(recorded);
        while more > 0 && self.at == self.line.end() {
            let ahead = self.ahead.as_ref();
            let ahead = ahead.and_then(|a| a.tape.at(self.at.checked_sub(a.start)?)).cloned();
            let next = match ahead {
                Some(inputs) => inputs,
                None if steps > 0 => match self.loop_input() {
                    Some(inputs) => inputs,
                    None => input(&self.latest.config.keys),
                },
                None => return,
            };
            self.advance(&next);
            more -= 1;
        }
    }

    /// Shows another position of the line.
    pub(super) fn seek(&mut self, position: u64) {
        let direct =
            position > self.at && position - self.at < WHY_TICKS && self.line.is_same_chapter(self.at, position);
        if direct {
            for index in self.at..position {
                let Some(inputs) = self.line.input(index) else {
                    break;
                };
                self.live.step(inputs);
                discard_reports(&mut self.live);
                if let Some(panel) = &mut self.why {
                    panel.record(&self.live);
                }
            }
        } else {
            // The panel lists what was decided shortly before the shown tick.
            let mut panel = self.why.take();
            let mut lead = 0;
            if let Some(panel) = &mut panel {
                *panel = WhyPanel::open(&mut self.live, panel.name().clone());
                lead = WHY_TICKS;
            }
            let record = |live: &Live| {
                if let Some(panel) = &mut panel {
                    panel.record(live);
                }
            };
            self.line.seek(&mut self.live, position, lead, record);
            self.why = panel;
        }
        self.at = position;
        self.moved = true;
        self.update_banner();
    }

    /// Makes a new tick, with the players' input or that of the loop.
    fn play_tick(&mut self, inputs: &Inputs) {
        self.ahead = None;
        if self.marks.looping.is_some() {
            let in_round = self.marks.looping.as_ref().is_some_and(|l| l.began <= self.at);
            if !in_round {
                self.begin_round();
            }
        }
        self.continue_here();
        let looped = self.loop_input();
        self.advance(looped.as_ref().unwrap_or(inputs));
    }

    /// Makes the shown position the end of the line, under the newest revision.
    fn continue_here(&mut self) {
        let later = self.line.end() - self.at;
        if later > 0 {
            let (tick, time) = (self.live.world().ticks(), self.seconds(later));
            self.cut();
            self.note(format!("resumed from tick {tick}: the next {time:.1} s was dropped"));
        }
        if !Arc::ptr_eq(self.live.revision(), &self.latest) {
            self.live.adopt(self.latest.clone());
            let world = Arc::new(self.live.world().clone());
            self.line.open_chapter(self.latest.clone(), world, true);
            self.find_picked();
        }
    }

    /// Drops everything after the shown position.
    pub(super) fn cut(&mut self) {
        self.line.cut(self.at, &self.live);
        self.marks.cut(self.at);
        self.motion.cut(self.at);
    }

    /// The input of the loop for the next tick; at its end the next round begins. `None` without a loop.
    fn loop_input(&mut self) -> Option<Inputs> {
        let looping = self.marks.looping.as_ref()?;
        let index = self.at.checked_sub(looping.began);
        if index.is_none_or(|index| index >= looping.excerpt.ticks()) {
            self.begin_round();
        }
        let looping = self.marks.looping.as_ref()?;
        let index = self.at.checked_sub(looping.began)?;
        looping.excerpt.input_under(index, &self.latest)
    }

    /// Restores the start of the loop under the newest revision.
    fn begin_round(&mut self) {
        let Some(looping) = &mut self.marks.looping else {
            return;
        };
        let latest = &self.latest;
        let known = looping.opening.as_ref();
        let known = known.filter(|(revision, _)| Arc::ptr_eq(revision, latest));
        let world = match known {
            Some((_, world)) => world.clone(),
            None => Arc::new(looping.excerpt.start_under(latest).world().clone()),
        };
        looping.opening = Some((latest.clone(), world.clone()));
        looping.rounds += 1;
        looping.began = self.line.end();
        self.restore_at_end(world);
    }

    /// Continues the end of the line with a world of the newest revision.
    pub(super) fn restore_at_end(&mut self, world: Arc<World>) {
        let watched = self.live.world().watched();
        restore(&mut self.live, &self.latest, World::clone(&world), watched);
        self.begin_chapter(world);
    }

    /// The game was restarted, or a marked world was restored: the line continues with it.
    pub(super) fn begin_chapter(&mut self, world: Arc<World>) {
        self.at = self.line.end();
        self.ahead = None;
        self.line.open_chapter(self.latest.clone(), world, false);
        self.find_picked();
        if let Some(panel) = &mut self.why {
            *panel = WhyPanel::open(&mut self.live, panel.name().clone());
        }
        self.record_motion();
        self.moved = true;
        self.update_banner();
    }

    /// Makes a tick at the end of the line.
    pub(super) fn advance(&mut self, inputs: &Inputs) {
        self.live.step(inputs);
        self.line.record(inputs, &self.live);
        self.at = self.line.end();
        self.note_kept();
        if let Some(panel) = &mut self.why {
            panel.record(&self.live);
        }
        self.record_motion();
        let times = self.times.iter_mut();
        times.for_each(|times| times.tick(&mut self.live));
        self.report();
        self.moved = true;
    }

    /// Logs what scripts printed in the last tick, and their errors.
    pub(super) fn report(&mut self) {
        for line in self.live.take_printed() {
            self.add_line(LogKind::Print, &line);
            self.terminal.push(TerminalLine::Plain(line));
        }
        let faults = self.live.take_faults();
        let left_out = self.live.take_left_out_faults();
        self.troubles.leave_out(left_out);
        let disabled: Vec<String> = self.live.newly_disabled().collect();
        let wrong = !faults.is_empty() || left_out > 0 || !disabled.is_empty();
        let unshown: Vec<String> = self.live.newly_unshown().collect();
        for line in disabled.into_iter().chain(unshown) {
            self.warn(line);
        }
        for fault in &faults {
            self.report_fault(fault);
        }
        if wrong {
            self.update_banner();
        }
    }

    pub(super) fn update_banner(&mut self) {
        self.banner = self.troubles.banner(&self.live);
        self.changed = true;
    }

    fn report_fault(&mut self, fault: &Fault) {
        if !self.troubles.count(fault) {
            return;
        }
        let rendered = fault.render(self.color);
        self.terminal.push(TerminalLine::Rendered(rendered));
        self.add_line(LogKind::Error, &fault.diagnostic.headline());
        self.paused |= self.pauses_on_error();
    }

    pub(super) fn pauses_on_error(&self) -> bool {
        self.latest.config.scripts.on_error == ErrorMode::Pause
    }

    /// Finds the picked entity again, or picks the first one.
    pub(super) fn find_picked(&mut self) {
        let world = self.live.world();
        let index = self.picked.as_ref().and_then(|p| p.index_in(world));
        let found = index.map(|index| &world.entities()[index]);
        let found = found.map(|entity| PickedEntity { id: entity.id, name: entity.name.clone() });
        let picked = found.or_else(|| PickedEntity::first(world));
        if picked != self.picked {
            self.pick(picked);
        }
    }

    /// Picks an entity, whose path is drawn and whose motion is explained.
    pub(super) fn pick(&mut self, picked: Option<PickedEntity>) {
        self.picked = picked;
        self.motion.clear();
        self.record_motion();
        if self.why.is_some() {
            self.open_why();
        }
        self.changed = true;
    }

    /// Opens the panel that explains motion, at the shown position.
    pub(super) fn open_why(&mut self) {
        let name = self.picked.as_ref().map(|p| p.name.clone());
        self.why = Some(WhyPanel::open(&mut self.live, name.unwrap_or_default()));
        if self.paused {
            // The shown tick was played without the log that explains it.
            self.seek(self.at);
        }
    }

    /// Records the motion of the picked entity.
    pub(super) fn record_motion(&mut self) {
        let world = self.live.world();
        let index = self.picked.as_ref().and_then(|p| p.index_in(world));
        match index.map(|index| &world.entities()[index]) {
            Some(entity) => {
                let sample = MotionSample::of(&self.live, entity, self.at);
                self.motion.put(sample);
            }
            None => self.motion.cut(self.at.saturating_sub(1)),
        }
    }

    /// Logs something that the workbench or its user did.
    pub fn note(&mut self, text: impl AsRef<str>) {
        self.add_line(LogKind::Note, text.as_ref());
    }

    /// Logs that ticks were lost, because the computer was too slow to make them in time.
    pub fn report_lost(&mut self, ticks: u64) {
        self.warn(format!("{ticks} ticks were lost: the computer could not keep up"));
    }

    /// Logs a warning, also in the terminal.
    pub(super) fn warn(&mut self, text: String) {
        self.add_line(LogKind::Warning, &text);
        let text = format!("warning: {text}");
        self.terminal.push(TerminalLine::Plain(text));
    }

    pub(super) fn add_line(&mut self, kind: LogKind, text: &str) {
        let tick = self.live.world().ticks();
        self.log.add(kind, tick, text, self.now);
        self.changed = true;
    }

    /// A number of ticks in seconds.
    pub(super) fn seconds(&self, ticks: u64) -> f64 {
        ticks as f64 / f64::from(self.latest.stage.hz)
    }
}
