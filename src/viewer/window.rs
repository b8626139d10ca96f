//! The window: handles keys and draws pictures.

use super::error::WindowError;
use super::shared::{Published, SharedState};
use super::spectacle::FrameTimes;
use crate::draw::{Picture, hud_line, paint, paint_ghosts, paint_notes};
use crate::project::Revision;
use crate::script::host::text::{cut_name, printable_name};
use crate::sim::EntityView;
use pixels::{Pixels, SurfaceTexture};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tiny_skia::Pixmap;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

/// The shortest time between two pictures, if the screen does not limit it.
const FRAME: Duration = Duration::from_micros(8_300);

/// An entity that moved farther than this in a tick, px, was teleported: its motion is not interpolated.
const TELEPORTED: f64 = 200.0;

/// Opens the window and runs until it is closed.
pub(super) fn run(events: EventLoop<()>, shared: &Arc<SharedState>) -> Result<(), WindowError> {
    let mut app = App {
        shared: shared.clone(),
        screen: None,
        failed: None,
    };
    events.run_app(&mut app)?;
    app.failed.map_or(Ok(()), Err)
}

struct App {
    shared: Arc<SharedState>,
    screen: Option<Screen>,
    failed: Option<WindowError>,
}

struct Screen {
    window: Arc<Window>,
    pixels: Pixels<'static>,
    canvas: Pixmap,
    drawn: Instant,
    frames: FrameTimes,
}

impl Screen {
    fn open(events: &ActiveEventLoop, revision: &Revision) -> Result<Self, WindowError> {
        let tuning = &revision.config.window;
        let (width, height, scale) = (tuning.width, tuning.height, tuning.scale);
        let attributes = Window::default_attributes()
            .with_title(window_title(&revision.stage.level.name))
            .with_inner_size(PhysicalSize::new(width * scale, height * scale))
            .with_min_inner_size(PhysicalSize::new(width, height));
        let window = Arc::new(events.create_window(attributes)?);
        let size = window.inner_size();
        let surface = SurfaceTexture::new(size.width.max(1), size.height.max(1), window.clone());
        let mut pixels = Pixels::new(width, height, surface)?;
        pixels.clear_color(pixels::wgpu::Color::BLACK);
        let canvas = Pixmap::new(width, height).ok_or(WindowError::EmptyWindow)?;
        Ok(Self {
            window,
            pixels,
            canvas,
            drawn: Instant::now(),
            frames: FrameTimes::default(),
        })
    }

    /// Draws the state between the last two ticks and shows it.
    fn draw(&mut self, published: &Published) -> Result<(), WindowError> {
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
        let level = &published.revision.stage.level;
        let banner = published.banner.as_str();
        let picture = Picture {
            // Platforms are drawn between the two ticks as well.
            time: (published.time - (1.0 - share) / hz).max(0.0),
            level,
            absent: &published.absent,
            bodies: &bodies,
            hud: &hud,
            banner,
            why: &published.why,
            show: published.spectacle.show(share, &self.frames),
        };
        paint(&mut self.canvas, &picture);
        paint_ghosts(&mut self.canvas, &picture, &published.bench.ghosts);
        // The panel that explains motion is at the bottom.
        let at_top = !published.why.is_empty();
        paint_notes(&mut self.canvas, &published.bench.notes, at_top);
        self.pixels.frame_mut().copy_from_slice(self.canvas.data());
        let ms = self.drawn.elapsed().as_secs_f32() * 1000.0;
        self.frames.add(ms);
        self.drawn = Instant::now();
        Ok(self.pixels.render()?)
    }
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

impl App {
    fn fail(&mut self, events: &ActiveEventLoop, error: WindowError) {
        self.failed = Some(error);
        events.exit();
    }

    fn key(&mut self, events: &ActiveEventLoop, event: &KeyEvent) {
        let PhysicalKey::Code(code) = event.physical_key else {
            return;
        };
        if code == KeyCode::Escape && event.state.is_pressed() {
            events.exit();
            return;
        }
        let name = format!("{code:?}");
        if event.state == ElementState::Released {
            self.shared.latch().release(&name);
            return;
        }
        if event.repeat {
            return;
        }
        let revision = self.shared.published().revision.clone();
        let effects = self.shared.latch().press(&name, &revision.config.keys);
        for effect in effects {
            if !self.shared.published().spectacle.press(effect) {
                self.shared.press(effect);
            }
        }
    }

    fn redraw(&mut self, events: &ActiveEventLoop) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        // Drawing a copy keeps the game from waiting for the lock.
        let published = self.shared.published().clone();
        if let Err(error) = screen.draw(&published) {
            self.fail(events, error);
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        let revision = self.shared.published().revision.clone();
        match Screen::open(events, &revision) {
            Ok(screen) => {
                screen.window.request_redraw();
                self.screen = Some(screen);
            }
            Err(error) => self.fail(events, error),
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _id: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::KeyboardInput { event, .. } => self.key(events, &event),
            WindowEvent::Focused(false) => self.shared.latch().release_all(),
            WindowEvent::Resized(size) => {
                if let Some(screen) = &mut self.screen
                    && size.width > 0
                    && size.height > 0
                    && let Err(e) = screen.pixels.resize_surface(size.width, size.height)
                {
                    self.fail(events, e.into());
                }
            }
            WindowEvent::RedrawRequested => self.redraw(events),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(screen) = &self.screen else { return };
        let next = screen.drawn + FRAME;
        if Instant::now() >= next {
            screen.window.request_redraw();
        }
        events.set_control_flow(ControlFlow::WaitUntil(next));
    }
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
