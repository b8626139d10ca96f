//! The frame: everything that a picture of the running game shows, from camera to menu.

use super::*;
use hangtime_core::{
    geometry::grid::Bounds,
    level::LevelChanges,
    sim::{Drawing, Joints},
};
use hangtime_draw::{
    Camera, Markers, NoteRoom, Overlays, Picture, Show, Spectator, TickCount, between, hud_line, key_pages, paint,
    paint_banner, paint_fan, paint_frames, paint_ghosts, paint_keys, paint_menu, paint_notes, paint_picked,
    paint_reach, paint_wishes,
};
use tiny_skia::Pixmap;

/// How much a step of the wheel enlarges.
const ZOOM_STEP: f64 = 1.15;

/// Everything that a picture of the running game shows. One thread plays and lets it [`follow`](Self::follow) each tick, so
/// that no event is missed; another may [`paint`](Self::paint) a copy as often as its screen asks, between two ticks, and
/// passes on the keys that choose what is shown.
#[derive(Clone)]
pub struct BenchFrame {
    /// The revision of the shown tick.
    pub revision: Arc<Revision>,
    /// The entities one tick ago, and now.
    before: Arc<Vec<EntityView>>,
    now: Arc<Vec<EntityView>>,
    /// Seconds since the level started.
    time: f64,
    /// What scripts have changed about the level.
    changes: LevelChanges,
    /// What scripts have drawn.
    drawing: Drawing,
    /// Ropes and springs.
    joints: Joints,
    /// When the shown tick was made, in seconds since the session started.
    pub at: f64,
    /// Texts and paths over the game.
    pub bench: BenchPicture,
    /// How well the game keeps its pace.
    pub ticks: TickCount,
    /// The list of levels, if it is open.
    pub menu: Option<LevelMenu>,
    /// Why the chosen level cannot be opened, or that numbers are not saved; empty if nothing is to be said.
    pub alert: String,
    spectator: Spectator,
    markers: Arc<Markers>,
    /// For which overlays the markers of this tick were read, and which part of the level.
    marked: Option<(Overlays, Option<Bounds>)>,
    overlays: Overlays,
    effects: bool,
    /// The page of keys that is shown, counted from 1; 0 for none.
    help: usize,
    /// The size of the picture, pixels.
    size: (u32, u32),
    /// The part of the level that a camera that stands still shows, and the size of its picture.
    fitted: Option<(Bounds, (u32, u32))>,
}

impl BenchFrame {
    /// The frame of a level whose first tick has not been seen.
    pub fn new(revision: Arc<Revision>) -> Self {
        let window = &revision.config.window;
        Self {
            size: (window.width, window.height),
            revision,
            before: Arc::default(),
            now: Arc::default(),
            time: 0.0,
            changes: LevelChanges::default(),
            drawing: Drawing::default(),
            joints: Joints::default(),
            at: 0.0,
            bench: BenchPicture::default(),
            ticks: TickCount::default(),
            menu: None,
            alert: String::new(),
            spectator: Spectator::default(),
            markers: Arc::default(),
            marked: None,
            overlays: Overlays::NONE,
            effects: true,
            help: 0,
            fitted: None,
        }
    }

    /// Sees the current tick, given the views of all entities and when it was made, in seconds since the session started. Returns the entities that the game has to watch for what is shown.
    pub fn follow(&mut self, live: &Live, bodies: Vec<EntityView>, at: f64) -> Watch {
        self.spectator.watch(live.world(), &live.revision().stage, &bodies, self.size);
        if let Some(camera) = self.spectator.camera_mut().filter(|_| !self.bench.paused) {
            camera.follow_again();
        }
        self.marked = None;
        self.read(live);
        self.revision = live.revision().clone();
        self.time = live.time();
        self.changes = live.world().changes().clone();
        self.drawing = live.world().drawing().clone();
        self.joints.clone_from(live.world().joints());
        self.at = at;
        self.before = mem::replace(&mut self.now, Arc::new(bodies));
        // Refusals and paths within a tick are recorded only for watched entities.
        if self.overlays.has(Overlay::Sweeps) { Watch::All } else { players(&self.now) }
    }

    /// Reads what the overlays show, if one is on: one that is switched on now shows the tick that stands still.
    pub fn read(&mut self, live: &Live) {
        if cfg!(feature = "disk") {
            self.stand_still();
        }
        if self.overlays.is_empty() && self.markers.is_empty() {
            return;
        }
        let area = self.spectator.camera().map(|camera| camera.shows(self.size));
        let marked = Some((self.overlays, area));
        if mem::replace(&mut self.marked, marked) == marked {
            return;
        }
        let markers = Arc::make_mut(&mut self.markers);
        markers.read(live.world(), &live.revision().stage, self.overlays, area.as_ref());
    }

    /// Lets the camera stand over the part of the level that the workbench shows whole, if there is one.
    fn stand_still(&mut self) {
        let fitted = self.bench.fit.map(|part| (part, self.size));
        if self.fitted != fitted {
            self.fitted = fitted;
            self.spectator.stand_still(fitted.map(|(part, size)| Camera::around(&part, size)));
        }
    }

    /// Whether a picture of this frame is the same as one of another frame: time stands still in both, and nothing that is
    /// shown differs.
    pub fn looks_like(&self, other: &Self) -> bool {
        let same_tick = Arc::ptr_eq(&self.now, &other.now)
            && Arc::ptr_eq(&self.before, &other.before)
            && Arc::ptr_eq(&self.revision, &other.revision)
            && self.time == other.time;
        let same_view = self.spectator.camera() == other.spectator.camera()
            && self.size == other.size
            && self.overlays == other.overlays
            && Arc::ptr_eq(&self.markers, &other.markers)
            && self.effects == other.effects;
        let same_count = self.ticks == other.ticks || !self.overlays.has(Overlay::Frames);
        let same_texts = self.bench == other.bench
            && self.help == other.help
            && self.menu == other.menu
            && self.alert == other.alert;
        self.bench.paused && same_tick && same_view && same_count && same_texts
    }

    /// Another level begins: nothing of the last one is seen.
    pub fn begin_level(&mut self) {
        self.spectator = Spectator::default();
        self.fitted = None;
        self.menu = None;
        self.alert.clear();
        // Its entities have nothing to do with the last level's.
        self.now = Arc::default();
    }

    /// The size of pictures, pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Pictures have this size from now on, pixels.
    pub fn resize(&mut self, size: (u32, u32)) {
        self.size = size;
    }

    /// The part of the level that is shown, px; `None` before the first tick.
    pub fn shows(&self) -> Option<Bounds> {
        Some(self.spectator.camera()?.shows(self.size))
    }

    /// The point of the level at a pixel of a picture of this size, px.
    pub fn level_at(&self, size: (u32, u32), (x, y): (f64, f64)) -> Option<DVec2> {
        Some(self.spectator.camera()?.level_at(size, x, y))
    }

    /// Enlarges everything by a number of steps of the wheel.
    pub fn zoom_by(&mut self, steps: f64) {
        if let Some(camera) = self.spectator.camera_mut() {
            camera.zoom_by(libm::pow(ZOOM_STEP, steps));
        }
    }

    /// Enlarges what is at a pixel of a picture of this size by a number of steps of the wheel, and keeps it there while time
    /// stands still.
    pub fn zoom_at(&mut self, steps: f64, size: (u32, u32), (x, y): (f64, f64)) {
        match self.spectator.camera_mut() {
            Some(camera) if self.bench.paused => {
                let point = camera.level_at(size, x, y);
                camera.zoom_at(libm::pow(ZOOM_STEP, steps), point);
            }
            _ => self.zoom_by(steps),
        }
    }

    /// Moves the view by some px of the level while time stands still. It returns with [`WindowKey::ResetZoom`], or when time
    /// runs.
    pub fn pan_by(&mut self, by: DVec2) {
        if let Some(camera) = self.spectator.camera_mut().filter(|_| self.bench.paused) {
            camera.pan_by(by);
        }
    }

    /// Pixels of the picture per px of the level.
    pub fn scale(&self) -> f64 {
        self.spectator.camera().map_or(1.0, hangtime_draw::Camera::zoom)
    }

    /// Carries out a key that chooses what is shown. Returns whether it was one.
    pub fn press(&mut self, key: WindowKey) -> bool {
        match key {
            WindowKey::Overlay(overlay) => self.overlays.toggle(overlay),
            WindowKey::Overlays if self.overlays.is_empty() => self.overlays = Overlays::all(),
            WindowKey::Overlays => self.overlays = Overlays::NONE,
            // The next page, and after the last one none.
            WindowKey::Help => self.help = self.help_page().map_or(1, |(page, pages)| (page + 2) % (pages + 1)),
            WindowKey::ResetZoom => {
                if let Some(camera) = self.spectator.camera_mut() {
                    camera.reset_zoom();
                }
            }
            WindowKey::Effects => self.effects = !self.effects,
            _ => return false,
        }
        true
    }

    /// The line of the log for a key that was pressed, if the picture may not show at once what it has changed.
    pub fn log_line(&self, key: WindowKey) -> Option<&'static str> {
        (key == WindowKey::Effects).then_some(if self.effects { "effects on" } else { "effects off" })
    }

    /// Closes what covers the game: the list of levels, a message, or the page of keys. Returns whether there was
    /// something.
    pub fn close_page(&mut self) -> bool {
        if self.menu.take().is_some() || !self.alert.is_empty() {
            self.alert.clear();
            return true;
        }
        let open = self.help_page().is_some();
        self.help = 0;
        open
    }

    /// The page of keys that is open, counted from 0, and how many pages there are.
    fn help_page(&self) -> Option<(usize, usize)> {
        let pages = key_pages(&described_keys(&self.revision.config.keys), self.size);
        // In a picture of another size there may be fewer pages.
        let page = self.help.checked_sub(1)?;
        Some((page.min(pages - 1), pages))
    }

    /// Paints the state between the last two ticks, `since` seconds after the last one. `frames` are the times of the last
    /// pictures, ms, for the frame graph.
    pub fn paint(&self, canvas: &mut Pixmap, frames: &[f32], since: f64) {
        let Self { revision, bench, .. } = self;
        let hz = f64::from(revision.stage.hz);
        let share = if bench.paused {
            1.0
        } else {
            (since * hz * bench.speed.min(1.0)).clamp(0.0, 1.0)
        };
        let bodies = between(&self.before, &self.now, share);
        let first = self.now.iter().find(|b| b.player == 1).or(self.now.first());
        let hud = format!("{}   {}", hud_line(first, revision.number), bench.status);
        let picture = Picture {
            // Platforms are drawn between the two ticks as well.
            time: (self.time - (1.0 - share) * self.changes.rate() / hz).max(0.0),
            level: self.changes.level(&revision.stage.level),
            changes: &self.changes,
            bodies: &bodies,
            hud: &hud,
            banner: &bench.banner,
            why: &bench.why,
            show: Show {
                spectator: Some(&self.spectator),
                share,
                effects: self.effects,
                drawing: Some(&self.drawing),
                joints: Some(&self.joints),
                art: Some(&revision.art),
                overlays: self.overlays,
                markers: Some(&self.markers),
                frames,
                ticks: Some(self.ticks),
            },
        };
        paint(canvas, &picture);
        paint_fan(canvas, &picture, &bench.fan);
        if cfg!(feature = "disk") {
            paint_reach(canvas, &picture, &bench.reach);
        }
        #[cfg(feature = "disk")]
        if let Some(edited) = &bench.edited {
            hangtime_draw::paint_edited(canvas, &picture, edited);
        }
        paint_ghosts(canvas, &picture, &bench.ghosts);
        if cfg!(feature = "disk") && bench.is_drawing() {
            paint_wishes(canvas, &picture, &bench.drawing);
        }
        if let Some(picked) = bench.picked {
            paint_picked(canvas, &picture, picked);
        }
        let room = NoteRoom::of(canvas, &picture, &bench.ghosts.lines);
        paint_notes(canvas, &bench.notes, room);
        paint_frames(canvas, &picture);
        self.paint_help(canvas);
        if let Some(menu) = &self.menu {
            let title = "Levels - arrow keys and Enter, a number, or a click; Escape closes";
            paint_menu(canvas, title, &menu.rows(), menu.row());
        }
        paint_banner(canvas, &picture, &self.alert);
    }

    /// Paints the page of keys, if one is open.
    fn paint_help(&self, canvas: &mut Pixmap) {
        let Some((page, pages)) = self.help_page() else {
            return;
        };
        let keys = &self.revision.config.keys;
        let title = match pages {
            1 => "Keys".to_string(),
            _ => format!("Keys, page {} of {pages}", page + 1),
        };
        let title = match keys.keys_for(WindowKey::Help).next().map(key_label) {
            Some(key) if page + 1 == pages => format!("{title} - {key} closes"),
            Some(key) => format!("{title} - {key} continues"),
            None => title,
        };
        paint_keys(canvas, &title, &described_keys(keys), page);
    }
}

/// The entities that players control.
fn players(bodies: &[EntityView]) -> Watch {
    let players = bodies.iter().filter(|body| body.player > 0);
    let names: Vec<_> = players.map(|body| body.name.clone()).collect();
    if names.is_empty() { Watch::Off } else { Watch::Named(names) }
}
