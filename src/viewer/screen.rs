//! The open window: its pictures, and how it survives a driver that cannot draw for a while.

use super::error::WindowError;
use super::gpu::{Gpu, SurfacePicture};
use super::hidden::{ASK, Hidden};
use super::panel::PanelWindow;
use super::presenter::{Presenter, REOPEN, RedrawStep};
use super::shared::{Published, SharedState};
use super::size::{Placement, Size, window_size};
use super::spectacle::FrameTimes;
use crate::draw::{Picture, hud_line, paint, paint_banner, paint_ghosts, paint_menu, paint_notes};
use crate::project::Revision;
use crate::script::host::text::{cut_name, printable_name};
use crate::sim::EntityView;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tiny_skia::Pixmap;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Window};

/// The shortest time between two pictures, if the screen does not limit it.
const FRAME: Duration = Duration::from_micros(8_300);

/// An entity that moved farther than this in a tick, px, was teleported: its motion is not interpolated.
const TELEPORTED: f64 = 200.0;

pub(super) struct Screen {
    window: Arc<Window>,
    presenter: Presenter<Gpu>,
    hidden: Hidden,
    canvas: Pixmap,
    frames: FrameTimes,
    /// When the last picture was shown.
    drawn: Instant,
    panel: PanelWindow,
    /// The scale of the picture in a window that has not been resized.
    scale: u32,
    /// When the next picture is due.
    next: Instant,
    /// The level in the title.
    titled: Arc<str>,
}

impl Screen {
    pub fn open(
        events: &ActiveEventLoop,
        revision: &Revision,
        mut panel: PanelWindow,
    ) -> Result<Self, WindowError> {
        let tuning = &revision.config.window;
        let picture = Size::new(tuning.width, tuning.height);
        let no_picture = || WindowError::Picture(picture.width, picture.height);
        let canvas = Pixmap::new(picture.width, picture.height).ok_or_else(no_picture)?;
        let monitor = events.primary_monitor();
        let monitor = monitor.or_else(|| events.available_monitors().next());
        let factor = monitor.as_ref().map_or(1.0, |m| m.scale_factor());
        let screen = monitor.map(|m| Size::new(m.size().width, m.size().height));
        let size = window_size(picture, tuning.scale, factor, screen);
        let attributes = Window::default_attributes()
            .with_title(window_title(&revision.stage.level.name))
            .with_inner_size(physical(size))
            .with_min_inner_size(physical(picture));
        let window = events.create_window(attributes);
        let window = Arc::new(window.map_err(|e| WindowError::Window(super::error::reason(&e)))?);
        let gpu = Gpu::open(events.owned_display_handle(), &window, picture)?;
        panel.restart(&window, gpu.longest() as usize);
        Ok(Self {
            hidden: Hidden::new(&window),
            panel,
            window,
            presenter: Presenter::new(gpu),
            canvas,
            frames: FrameTimes::default(),
            drawn: Instant::now(),
            scale: tuning.scale,
            next: Instant::now(),
            titled: revision.stage.level.name.clone(),
        })
    }

    /// Asks the driver for a picture, once. If there is one, draws the state between the last two
    /// ticks on it. If there is none, the next redraw tries again.
    pub fn redraw(
        &mut self,
        events: &ActiveEventLoop,
        shared: &SharedState,
    ) -> Result<(), WindowError> {
        if self.hidden.check(&self.window) {
            return Ok(());
        }
        self.next = Instant::now() + FRAME;
        if self.presenter.is_closed() {
            return self.reopen(events);
        }
        match self.presenter.ask(|| size_of(&self.window))? {
            RedrawStep::Show(frame) => {
                self.show(frame, shared);
                self.presenter.shown(|| size_of(&self.window));
            }
            RedrawStep::Nothing => {}
            RedrawStep::Wait => self.next = Instant::now() + REOPEN,
        }
        Ok(())
    }

    /// Opens the driver again, for the same window.
    fn reopen(&mut self, events: &ActiveEventLoop) -> Result<(), WindowError> {
        let picture = Size::new(self.canvas.width(), self.canvas.height());
        let display = events.owned_display_handle();
        let opened = Gpu::open(display, &self.window, picture);
        match &opened {
            Ok(gpu) => self.panel.restart(&self.window, gpu.longest() as usize),
            Err(_) => self.next = Instant::now() + REOPEN,
        }
        self.presenter.reopened(opened)
    }

    fn show(&mut self, frame: SurfacePicture, shared: &SharedState) {
        // Drawing a copy keeps the game from waiting for the lock.
        let published = shared.published().clone();
        draw(&mut self.canvas, &published, &self.frames);
        self.frames.add(self.drawn.elapsed().as_secs_f32() * 1000.0);
        self.drawn = Instant::now();
        let level = &published.revision.stage.level.name;
        if *level != self.titled {
            self.window.set_title(&window_title(level));
            self.titled = level.clone();
        }
        let panel = self.panel.run(&self.window, shared, &published);
        if let Some(gpu) = self.presenter.driver() {
            gpu.show(frame, &self.canvas, panel.as_ref(), &self.window);
        }
    }

    /// The size of the picture, pixels.
    pub fn picture(&self) -> (u32, u32) {
        (self.canvas.width(), self.canvas.height())
    }

    /// The pixel of the picture at a point of the window.
    pub fn pixel_at(&self, point: (f64, f64)) -> (f64, f64) {
        let (window, (width, height)) = (self.window.inner_size(), self.picture());
        let picture = Size::new(width, height);
        Placement::of(picture, Size::new(window.width, window.height)).pixel_at(picture, point)
    }

    /// The tuning panel.
    pub fn panel(&mut self) -> &mut PanelWindow {
        &mut self.panel
    }

    /// Passes an event on to the panel.
    pub fn event(&mut self, event: &WindowEvent) {
        self.panel.event(&self.window, event);
    }

    /// Handles a new size of the window.
    pub fn resized(&mut self, size: PhysicalSize<u32>) {
        self.presenter.resized(Size::new(size.width, size.height));
    }

    /// The window's size after the scale factor has changed.
    pub fn rescaled(&self, factor: f64) -> Option<PhysicalSize<u32>> {
        if self.window.fullscreen().is_some() || self.window.is_maximized() {
            return None;
        }
        let picture = Size::new(self.canvas.width(), self.canvas.height());
        let monitor = self.window.current_monitor();
        let screen = monitor.map(|m| Size::new(m.size().width, m.size().height));
        Some(physical(window_size(picture, self.scale, factor, screen)))
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

    /// Requests the next picture if it is due. Returns when to ask again.
    pub fn request(&mut self) -> Instant {
        let now = Instant::now();
        if self.hidden.check(&self.window) {
            return now + ASK;
        }
        if now >= self.next {
            self.window.request_redraw();
            return now + FRAME;
        }
        self.next
    }
}

/// The size that the window has now.
fn size_of(window: &Window) -> Size {
    let size = window.inner_size();
    Size::new(size.width, size.height)
}

fn physical(size: Size) -> PhysicalSize<u32> {
    PhysicalSize::new(size.width, size.height)
}

/// Draws the state between the last two ticks.
fn draw(canvas: &mut Pixmap, published: &Published, frames: &FrameTimes) {
    let hz = f64::from(published.revision.stage.hz);
    let pace = hz * published.bench.speed.min(1.0);
    let share = (published.at.elapsed().as_secs_f64() * pace).clamp(0.0, 1.0);
    let share = if published.paused { 1.0 } else { share };
    let bodies = between(&published.before, &published.now, share);
    let first = published
        .now
        .iter()
        .find(|b| b.player == 1)
        .or(published.now.first());
    let mut hud = hud_line(first, published.revision.number);
    hud.push_str("   ");
    hud.push_str(&published.bench.status);
    let picture = Picture {
        // Platforms are drawn between the two ticks as well.
        time: (published.time - (1.0 - share) / hz).max(0.0),
        level: &published.revision.stage.level,
        absent: &published.absent,
        bodies: &bodies,
        hud: &hud,
        banner: published.banner.as_str(),
        why: &published.why,
        show: published.spectacle.show(share, frames),
    };
    paint(canvas, &picture);
    paint_ghosts(canvas, &picture, &published.bench.ghosts);
    // The panel that explains motion is at the bottom.
    let at_top = !published.why.is_empty();
    paint_notes(canvas, &published.bench.notes, at_top);
    let keys = &published.revision.config.keys;
    published.spectacle.paint_help(canvas, keys);
    if let Some(menu) = &published.menu {
        let title = "Levels - arrow keys and Enter, a number, or a click";
        paint_menu(canvas, title, &menu.rows(), menu.row());
    }
    paint_banner(canvas, &published.not_opened);
}

/// The title for a level. The level's name comes from its file.
fn window_title(level: &str) -> String {
    format!("hangtime – {}", printable_name(&cut_name(level)))
}

/// Interpolates entities between two ticks; `share` is 0 at the first and 1 at the second.
fn between(before: &[EntityView], now: &[EntityView], share: f64) -> Vec<EntityView> {
    let mut bodies = now.to_vec();
    for body in &mut bodies {
        let last = before.iter().find(|b| b.id == body.id);
        if let Some(last) = last.filter(|l| l.pos.distance(body.pos) < TELEPORTED) {
            let mix = |from: f64, to: f64| from + (to - from) * share;
            body.pos = last.pos.lerp(body.pos, share);
            body.z = mix(last.z, body.z);
            // Angles do not wrap at full turns, so mixing them never turns the wrong way.
            body.angle = mix(last.angle, body.angle);
            for (foot, last) in body.feet.iter_mut().zip(&last.feet) {
                *foot = mix(*last, *foot);
            }
        }
    }
    bodies
}

#[cfg(test)]
mod tests {
    use super::window_title;

    #[test]
    fn the_name_of_a_level_does_not_steer_the_title_of_the_window() {
        let title = window_title("levels/\u{1b}]0;x\u{7}\u{202e}\n.toml");
        assert_eq!(
            title,
            "hangtime – levels/\\u{1b}]0;x\\u{7}\\u{202e}\\n.toml"
        );
        assert!(window_title(&"x".repeat(31_000)).len() < 200);
    }
}
