//! A level that is played: frames, keys, the mouse, gamepads, and files that are saved while it runs.

use super::*;
use core::time::Duration;
use hangtime_core::sim::{SavedWorld, World};
use hangtime_draw::TickCount;
use hangtime_game::TuningChange;
use hangtime_script::render_all;
use hangtime_workbench::{FrameChanges, KeyLatch, MOST_PADS, PadButton, PadChange, PadEvent, PadStick, Pads};

/// Frames after which texts are taken over in any case: lines of the log disappear after a time.
const TEXTS_AFTER: u64 = 16;

/// The mouse aims for this long after it was used, in seconds.
const AIMS_FOR: f64 = 2.0;

/// How far away the point is that a stick aims at, px: farther than any hook.
const FAR: f64 = 10_000.0;

/// At most this part of a second is played at once. A page that cannot keep up plays slowly, and nothing piles up.
const MOST_AT_ONCE: u32 = 15;

/// The buttons of the web's standard gamepad, in its order.
const PAD_BUTTONS: [PadButton; 16] = [
    PadButton::South,
    PadButton::East,
    PadButton::West,
    PadButton::North,
    PadButton::L1,
    PadButton::R1,
    PadButton::L2,
    PadButton::R2,
    PadButton::Select,
    PadButton::Start,
    PadButton::LeftStick,
    PadButton::RightStick,
    PadButton::Up,
    PadButton::Down,
    PadButton::Left,
    PadButton::Right,
];

/// Where the mouse is in the picture, and when it was last used.
#[derive(Default)]
struct PictureMouse {
    at: Option<(f64, f64)>,
    used: Option<f64>,
}

/// A level that is played.
pub struct PageSession {
    pub bench: Workbench,
    pub frame: BenchFrame,
    pub tuner: Tuner,
    /// The file of the level, in the folder.
    level: PathBuf,
    folder: GameFolder,
    latch: KeyLatch,
    pads: Pads,
    /// The buttons of each gamepad that are down, a bit each.
    pad_masks: [Option<u32>; MOST_PADS],
    pointer: PictureMouse,
    /// Keys of the workbench that were pressed since the last tick.
    pressed: Vec<WindowKey>,
    /// The changes that were last passed to the game.
    sent: Vec<TuningChange>,
    /// When the frame 0 was due, in seconds.
    began: f64,
    frames: u64,
    lost: u64,
    /// Whether the files on the page have errors that are shown.
    pub broken: bool,
    /// The last painted frame, if time stood still in it.
    shown: Option<BenchFrame>,
}

impl PageSession {
    /// Begins a level. `now` is the time in seconds since any moment, here and in all later calls.
    pub fn new(folder: GameFolder, level: PathBuf, revision: Arc<Revision>, now: f64) -> Self {
        let bench = Workbench::new(revision.clone(), PathBuf::new(), false);
        let mut session = Self {
            bench,
            frame: BenchFrame::new(revision.clone()),
            tuner: Tuner::new(revision),
            level,
            folder,
            latch: KeyLatch::default(),
            pads: Pads::default(),
            pad_masks: [None; MOST_PADS],
            pointer: PictureMouse::default(),
            pressed: Vec::new(),
            sent: Vec::new(),
            began: now,
            frames: 0,
            lost: 0,
            broken: false,
            shown: None,
        };
        session.publish(FrameChanges { world: true, texts: true }, now);
        session
    }

    /// Continues with another level. Keys that are down stay down.
    pub fn begin(&mut self, folder: GameFolder, level: PathBuf, live: Live, now: f64) {
        let mut next = Workbench::of(live, PathBuf::new(), false);
        next.continue_saving(&mut self.bench);
        self.bench = next;
        (self.folder, self.level, self.broken) = (folder, level, false);
        for line in self.tuner.open_level(self.bench.files_revision().clone()) {
            self.bench.note(line);
        }
        self.sent.clear();
        self.frame.begin_level();
        self.rest(now);
        self.publish(FrameChanges { world: true, texts: true }, now);
    }

    /// The page was not seen until `now`: nothing of that time is played.
    pub fn rest(&mut self, now: f64) {
        self.began = now;
        self.frames = 0;
    }

    /// Makes the ticks that are due, and paints if the picture has changed. Returns whether it has.
    pub fn play(&mut self, now: f64, canvas: &mut Pixmap) -> bool {
        let hz = self.bench.revision().stage.hz;
        let due = ((now - self.began) * f64::from(hz)).max(0.0) as u64;
        let most = u64::from(hz / MOST_AT_ONCE).max(2);
        let mut ticks = due.saturating_sub(self.frames);
        if ticks > most {
            self.lost += ticks - most;
            self.began += (ticks - most) as f64 / f64::from(hz);
            ticks = most;
        }
        for _ in 0..ticks {
            self.tick(self.began + (self.frames + 1) as f64 / f64::from(hz));
        }
        self.paint(now, canvas)
    }

    /// One frame of the workbench.
    pub fn tick(&mut self, now: f64) {
        self.open_ordered_level(now);
        let (aim, mouse) = self.mouse(now);
        for key in std::mem::take(&mut self.pressed) {
            match (key, mouse) {
                (WindowKey::Pick, Some(point)) => _ = self.bench.grab(point),
                _ => self.bench.press(key),
            }
        }
        self.pass_tuning();
        let down = self.latch.held(&self.bench.revision().config.keys);
        self.bench.hold(&down);
        match mouse.filter(|_| down.contains(&WindowKey::Pick)) {
            Some(point) => self.bench.drag_to(point),
            None => self.bench.drop_dragged(),
        }
        self.aim(aim);
        let latch = &mut self.latch;
        let changes = self.bench.frame(now, &mut |keys| latch.take(keys));
        // The page shows messages next to the file.
        drop(self.bench.take_terminal());
        self.frames += 1;
        self.publish(changes, now);
    }

    /// One frame of the workbench with input that was recorded.
    pub fn replay(&mut self, inputs: &hangtime_core::sim::Inputs, now: f64) {
        let changes = self.bench.frame(now, &mut |_| inputs.clone());
        drop(self.bench.take_terminal());
        self.publish(changes, now);
    }

    fn paint(&mut self, now: f64, canvas: &mut Pixmap) -> bool {
        if self.shown.as_ref().is_some_and(|shown| self.frame.looks_like(shown)) {
            return false;
        }
        self.frame.paint(canvas, &[], now - self.frame.at);
        self.shown = self.frame.bench.paused.then(|| self.frame.clone());
        true
    }

    /// Takes over what a frame has changed.
    fn publish(&mut self, changes: FrameChanges, now: f64) {
        if changes.texts || self.frames.is_multiple_of(TEXTS_AFTER) {
            self.frame.bench = self.bench.picture();
            self.frame.ticks = TickCount { due: self.frames + self.lost, late: 0, lost: self.lost };
        }
        let live = self.bench.live();
        if changes.world {
            let bodies = live.views().collect();
            let wanted = self.frame.follow(live, bodies, now);
            self.bench.watch(wanted);
        } else {
            self.frame.read(live);
        }
    }

    /// Passes the numbers of the panel on to the game.
    fn pass_tuning(&mut self) {
        self.tuner.rebase(self.bench.files_revision().clone());
        let changes = self.tuner.changes();
        if changes != self.sent {
            self.bench.tune(changes.clone());
            self.sent = changes;
        }
    }

    /// Begins the level that a script wants to play.
    fn open_ordered_level(&mut self, now: f64) {
        let Some(order) = self.bench.level_order().cloned() else {
            return;
        };
        let name = order.level.clone().unwrap_or_default();
        let opened = Project::load(self.folder.clone()).and_then(|project| {
            let level = project.find_level_from(&project.root().join("levels"), &name)?;
            let revision = project.open(&level, &[])?;
            Ok((level, revision))
        });
        match opened {
            Ok((level, revision)) => {
                let live = self.bench.live();
                let world = live.world();
                let handed = order.data.unwrap_or_default();
                let mut next = World::begin(&revision.stage, world.seed(), world.ticks(), handed);
                next.take_over(world, &live.revision().stage.actions, &revision.stage.actions);
                let live = Live::resume(Arc::new(revision), next);
                self.begin(self.folder.clone(), level, live, now);
            }
            Err(error) => self.bench.refuse_level(&name, &render_all(&error.diagnostics(), false)),
        }
    }

    /// The files are these from now on. They take effect, with the state kept, or the messages say why not.
    pub fn save(&mut self, folder: GameFolder, host: &dyn PageHost) -> Vec<FileMessage> {
        let began = host.now();
        let sources = SourceSet::read(&folder, &self.level);
        self.folder = folder;
        let running = self.bench.files_revision().clone();
        let Some(next) = running.next(&sources, self.bench.revision().number + 1) else {
            if std::mem::take(&mut self.broken) {
                self.notice(Notice::Reverted);
            }
            return messages(&running.warnings);
        };
        match next {
            Ok(revision) => {
                let hashes = &revision.hashes;
                let names: BTreeSet<&String> = hashes.keys().chain(running.hashes.keys()).collect();
                let changed = names.into_iter().filter(|name| hashes.get(*name) != running.hashes.get(*name));
                let changed = changed.cloned().collect();
                let found = messages(&revision.warnings);
                let took = Duration::from_secs_f64((host.now() - began).max(0.0));
                self.broken = false;
                self.notice(Notice::Ready { revision: Arc::new(revision), changed, took, kept: Vec::new() });
                found
            }
            Err(error) => {
                let diagnostics = error.diagnostics();
                let found = messages(&diagnostics);
                self.broken = true;
                self.notice(Notice::Broken(diagnostics));
                found
            }
        }
    }

    fn notice(&mut self, notice: Notice) {
        self.bench.notice(notice);
        self.pass_tuning();
        let at = self.frame.at;
        self.publish(FrameChanges { world: true, texts: true }, at);
        self.shown = None;
    }

    /// A key or a button of the mouse went down, by its name in `[keys]`. Returns what the page itself has to do about it.
    pub fn press(&mut self, key: &str) -> Vec<&'static str> {
        let keys = self.bench.revision().config.keys.clone();
        let effects = self.latch.press(key, &keys);
        effects.into_iter().filter_map(|effect| self.act(effect)).collect()
    }

    /// A key or a button of the mouse came up.
    pub fn release(&mut self, key: &str) {
        self.latch.release(key);
    }

    /// The page has lost the focus.
    pub fn release_all(&mut self) {
        self.latch.release_all();
        self.pad_masks = [None; MOST_PADS];
    }

    /// Carries out an effect of a key. Returns its name if it is the page's own.
    pub fn act(&mut self, effect: WindowKey) -> Option<&'static str> {
        match effect {
            WindowKey::FullScreen | WindowKey::Tuning | WindowKey::Levels | WindowKey::Mute => {
                return Some(effect.name());
            }
            WindowKey::SwapTuning => self.tuner.swap(),
            other if self.frame.press(other) => {
                if let Some(line) = self.frame.log_line(other) {
                    self.bench.note(line);
                }
                self.frame.read(self.bench.live());
            }
            other => self.pressed.push(other),
        }
        None
    }

    /// Closes a page over the game. Returns whether one was open.
    pub fn close_page(&mut self) -> bool {
        self.frame.close_page()
    }

    /// The mouse has moved to a pixel of the picture, or left it.
    pub fn point(&mut self, at: Option<(f64, f64)>, now: f64) {
        match at {
            Some(at) => (self.pointer.at, self.pointer.used) = (Some(at), Some(now)),
            None => self.pointer.used = None,
        }
    }

    /// The wheel was turned by a number of steps.
    pub fn zoom(&mut self, steps: f64) {
        self.frame.zoom_by(steps);
        self.shown = None;
    }

    /// The points of the level, px, that the mouse aims at and that it is at.
    fn mouse(&mut self, now: f64) -> (Option<DVec2>, Option<DVec2>) {
        if self.latch.has_mouse_down() {
            self.pointer.used = Some(now);
        }
        let at = self.pointer.at.and_then(|at| self.frame.level_at(self.frame.size(), at));
        let aims = self.pointer.used.is_some_and(|used| now - used < AIMS_FOR);
        (at.filter(|_| aims), at)
    }

    /// Players aim with the sticks of their gamepads, and the first one at the `point` of the mouse if it is used.
    fn aim(&mut self, point: Option<DVec2>) {
        for (player, way) in (1..).zip(self.latch.aiming_sticks()) {
            let world = self.bench.live().world();
            let entity = world.entities().iter().find(|entity| entity.player == Some(player));
            let aimed = entity.filter(|_| way != DVec2::ZERO).map(|entity| world.body(entity).pos + way * FAR);
            let at = point.filter(|_| player == 1).or(aimed);
            let heard = entity.is_none() && self.bench.live().revision().scripts.hears_players();
            self.latch.aim(player, at, heard);
        }
    }

    /// How a gamepad of the web's standard layout is: the buttons that are down, a bit each, and its four axes, y down. Returns
    /// what the page itself has to do about it.
    pub fn pad(&mut self, device: usize, mask: Option<u32>, axes: &[f64]) -> Vec<&'static str> {
        let Some(before) = self.pad_masks.get_mut(device) else {
            return Vec::new();
        };
        let before = std::mem::replace(before, mask);
        let mut events = Vec::new();
        match mask {
            None if before.is_some() => events.push(PadEvent::Disconnected(device)),
            None => {}
            Some(mask) => {
                if before.is_none() {
                    events.push(PadEvent::Connected(device));
                }
                let was = before.unwrap_or(0);
                for (bit, button) in PAD_BUTTONS.into_iter().enumerate() {
                    let (is, was) = (mask >> bit & 1 == 1, was >> bit & 1 == 1);
                    if is != was {
                        events.push(PadEvent::Button(device, button, is));
                    }
                }
                for (stick, at) in [PadStick::Left, PadStick::Right].into_iter().zip(axes.chunks_exact(2)) {
                    events.push(PadEvent::Stick(device, stick, DVec2::new(at[0], -at[1])));
                }
            }
        }
        let mut own = Vec::new();
        for event in events {
            match self.pads.handle(event) {
                Some(PadChange::Press(name)) => own.extend(self.press(name)),
                Some(PadChange::Release(names)) => names.iter().for_each(|name| self.latch.release(name)),
                None => {}
            }
        }
        let dead_zone = self.frame.revision.config.window.stick_dead_zone;
        self.latch.set_sticks(self.pads.sticks(dead_zone));
        own
    }

    /// Pictures have this size from now on.
    pub fn resize(&mut self, size: (u32, u32)) {
        self.frame.resize(size);
        self.shown = None;
    }

    /// Puts a saved world into the game, and continues from there.
    ///
    /// # Errors
    /// Why the text is not a world of this level.
    pub fn restore(&mut self, world: &str, now: f64) -> Result<(), String> {
        self.restore_world(serde_json::from_str(world).map_err(|error| error.to_string())?, now)
    }

    /// Puts a saved world into the game, and continues from there.
    ///
    /// # Errors
    /// Why it is not a world of this level.
    pub fn restore_world(&mut self, saved: SavedWorld, now: f64) -> Result<(), String> {
        let mut live = Live::new(self.bench.revision().clone(), 0);
        live.load(saved).map_err(|error| error.to_string())?;
        self.begin(self.folder.clone(), self.level.clone(), live, now);
        Ok(())
    }
}
