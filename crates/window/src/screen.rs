//! The open window: its pictures, and how it survives a driver that cannot draw for a while.

use super::{
    gpu::{Gpu, SurfacePicture},
    hidden::{ASK, Hidden},
    presenter::{Presenter, REOPEN, RedrawStep},
    size::window_size,
    *,
};
use hangtime_script::text::{cut_name, printable_name};
use std::collections::VecDeque;
use winit::window::Fullscreen;

/// The number of frame times that are kept.
const FRAMES: usize = 160;

/// The shortest time between two pictures, if the screen does not limit it.
const FRAME: Duration = Duration::from_micros(8_300);

/// How often it is looked whether something has changed while time stands still.
const STILL: Duration = Duration::from_millis(16);

pub struct Screen {
    window: Arc<Window>,
    presenter: Presenter<Gpu>,
    hidden: Hidden,
    /// The size of the picture, pixels, without a panel that takes room from it.
    picture: Size,
    canvas: Pixmap,
    /// How long the last pictures took, ms.
    frames: VecDeque<f32>,
    /// When the last picture was shown.
    drawn: Instant,
    panel: PanelWindow,
    /// The scale of the picture in a window that has not been resized.
    scale: u32,
    /// When the next picture is due.
    next: Instant,
    /// The level in the title.
    titled: Arc<str>,
    /// What the last picture shows, if time stands still in it.
    shown: Option<BenchFrame>,
    /// Whether an event has arrived since the last picture.
    stirred: bool,
}

impl Screen {
    pub fn open(events: &ActiveEventLoop, revision: &Revision, mut panel: PanelWindow) -> Result<Self, WindowError> {
        let tuning = &revision.config.window;
        let picture = Size::new(tuning.width, tuning.height);
        let no_picture = || WindowError::Picture(picture.width, picture.height);
        let canvas = Pixmap::new(picture.width, picture.height).ok_or_else(no_picture)?;
        let monitor = events.primary_monitor();
        let monitor = monitor.or_else(|| events.available_monitors().next());
        let factor = monitor.as_ref().map_or(1.0, |m| m.scale_factor());
        let screen = monitor.map(|m| m.size());
        let size = window_size(picture, tuning.scale, factor, screen);
        let attributes = Window::default_attributes()
            .with_title(window_title(&revision.stage.level.name))
            .with_inner_size(size)
            .with_min_inner_size(picture);
        let window = events.create_window(attributes);
        let window = Arc::new(window.map_err(|e| WindowError::Window(super::error::reason(&e)))?);
        let gpu = Gpu::open(events.owned_display_handle(), &window, picture)?;
        panel.restart(&window, gpu.longest() as usize);
        Ok(Self {
            hidden: Hidden::new(&window),
            panel,
            window,
            presenter: Presenter::new(gpu),
            picture,
            canvas,
            frames: VecDeque::with_capacity(FRAMES),
            drawn: Instant::now(),
            scale: tuning.scale,
            next: Instant::now(),
            titled: revision.stage.level.name.clone(),
            shown: None,
            stirred: true,
        })
    }

    /// Asks the driver for a picture, once. If there is one, draws the state between the last two
    /// ticks on it. If there is none, the next redraw tries again.
    pub fn redraw(&mut self, events: &ActiveEventLoop, shared: &SharedState) -> Result<(), WindowError> {
        if self.hidden.check(&self.window) {
            return Ok(());
        }
        self.next = Instant::now() + FRAME;
        if self.presenter.driver().is_none() {
            return self.reopen(events);
        }
        match self.presenter.ask(|| self.window.inner_size())? {
            RedrawStep::Show(frame) => {
                self.show(frame, shared);
                self.presenter.shown(|| self.window.inner_size());
            }
            RedrawStep::Nothing => {}
            RedrawStep::Wait => self.next = Instant::now() + REOPEN,
        }
        Ok(())
    }

    /// Opens the driver again, for the same window.
    fn reopen(&mut self, events: &ActiveEventLoop) -> Result<(), WindowError> {
        let display = events.owned_display_handle();
        let opened = Gpu::open(display, &self.window, self.picture);
        match &opened {
            Ok(gpu) => self.panel.restart(&self.window, gpu.longest() as usize),
            Err(_) => self.next = Instant::now() + REOPEN,
        }
        self.presenter.reopened(opened)
    }

    fn show(&mut self, surface: SurfacePicture, shared: &SharedState) {
        let place = self.make_room();
        // Drawing a copy keeps the game from waiting for the lock.
        let frame = {
            let mut frame = shared.frame.lock();
            frame.resize(self.picture());
            frame.clone()
        };
        frame.paint(&mut self.canvas, self.frames.make_contiguous(), shared.now() - frame.at);
        if self.frames.len() == FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back(self.drawn.elapsed().as_secs_f32() * 1000.0);
        self.drawn = Instant::now();
        let level = &frame.revision.stage.level.name;
        if *level != self.titled {
            self.window.set_title(&window_title(level));
            self.titled = level.clone();
        }
        self.shown = frame.bench.paused.then_some(frame);
        self.stirred = false;
        let panel = self.panel.run(&self.window, shared);
        if let Some(gpu) = self.presenter.driver() {
            gpu.show(surface, (&self.canvas, place), panel, &self.window);
        }
    }

    /// Adapts the picture to the room next to the panel. Returns its place in the window.
    fn make_room(&mut self) -> Placement {
        let (size, place) = self.placed();
        if (size.width, size.height) != self.picture() {
            // A size that cannot be had keeps the old one, which is scaled.
            if let Some(canvas) = Pixmap::new(size.width, size.height) {
                self.canvas = canvas;
            }
        }
        place
    }

    /// The size and place of the picture next to the panel.
    fn placed(&self) -> (Size, Placement) {
        let window = self.presenter.size();
        let window = window.unwrap_or_else(|| self.window.inner_size());
        let covered = self.panel.covered(&self.window);
        Placement::next_to_panel(self.picture, window, covered)
    }

    /// The size of the picture, pixels.
    pub fn picture(&self) -> (u32, u32) {
        (self.canvas.width(), self.canvas.height())
    }

    /// The pixel of the picture at a point of the window.
    pub fn pixel_at(&self, point: (f64, f64)) -> (f64, f64) {
        let (picture, place) = self.placed();
        place.pixel_at(picture, point)
    }

    /// The tuning panel.
    pub fn panel(&mut self) -> &mut PanelWindow {
        &mut self.panel
    }

    /// Passes an event on to the panel.
    pub fn event(&mut self, event: &WindowEvent) {
        self.stirred |= !matches!(event, WindowEvent::RedrawRequested);
        self.panel.event(&self.window, event);
    }

    /// Handles a new size of the window.
    pub fn resized(&mut self, size: Size) {
        self.presenter.resized(size);
    }

    /// The window's size after the scale factor has changed.
    pub fn rescaled(&self, factor: f64) -> Option<Size> {
        if self.window.fullscreen().is_some() || self.window.is_maximized() {
            return None;
        }
        let picture = self.picture;
        let monitor = self.window.current_monitor();
        let screen = monitor.map(|m| m.size());
        Some(window_size(picture, self.scale, factor, screen))
    }

    /// Handles that other windows cover this one, or no longer do.
    pub fn covered(&mut self, covered: bool) {
        self.hidden.covered = covered;
    }

    /// Fills the screen with the window, or makes it a window again.
    pub fn toggle_full_screen(&self) {
        let now = match self.window.fullscreen() {
            Some(_) => None,
            None => Some(Fullscreen::Borderless(None)),
        };
        self.window.set_fullscreen(now);
    }

    /// Whether the next picture would be the same as the last one.
    fn is_still(&self, shared: &SharedState, now: Instant) -> bool {
        let shown = self.shown.as_ref().filter(|_| !self.stirred);
        shown.is_some_and(|shown| shared.frame.lock().looks_like(shown)) && self.panel.is_still(shared, now)
    }

    /// Requests the next picture if it is due and shows something else than the last one. Returns when to ask again.
    pub fn request(&mut self, shared: &SharedState) -> Instant {
        let now = Instant::now();
        if self.hidden.check(&self.window) {
            return now + ASK;
        }
        if now >= self.next && self.is_still(shared, now) {
            // The frame graph shows how long pictures take, not how long none was needed.
            self.drawn = now;
            return now + STILL;
        }
        if now >= self.next {
            self.window.request_redraw();
            return now + FRAME;
        }
        self.next
    }
}

/// The title for a level. The level's name comes from its file.
fn window_title(level: &str) -> String {
    format!("hangtime – {}", printable_name(&cut_name(level)))
}

#[cfg(test)]
#[path = "../tests/unit/screen.rs"]
mod tests;
