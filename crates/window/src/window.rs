//! The window's events: keys, sizes, and when to draw.

use super::{error::reason, level_editing, *};
use winit::{
    application::ApplicationHandler,
    event::{ElementState, KeyEvent},
    event_loop::ControlFlow,
    keyboard::{KeyCode, PhysicalKey},
    window::WindowId,
};

/// Opens the window and runs until it is closed.
pub fn run(
    events: EventLoop<()>,
    shared: &Arc<SharedState>,
    (panel, folder): (PanelWindow, GameFolder),
) -> Result<(), WindowError> {
    let mut app = App {
        #[cfg(feature = "gamepad")]
        pads: super::gamepads::Gamepads::open(),
        shared: shared.clone(),
        folder,
        panel: Some(panel),
        screen: None,
        asked_to_quit: false,
        failed: None,
    };
    let ended = events.run_app(&mut app);
    match app.failed {
        Some(error) => Err(error),
        None => ended.map_err(|error| WindowError::Window(reason(&error))),
    }
}

struct App {
    #[cfg(feature = "gamepad")]
    pads: super::gamepads::Gamepads,
    shared: Arc<SharedState>,
    /// The game, whose levels are listed.
    folder: GameFolder,
    /// The tuning panel, until the screen has it.
    panel: Option<PanelWindow>,
    screen: Option<Screen>,
    /// Whether the user has just been asked whether to lose numbers that are not saved.
    asked_to_quit: bool,
    failed: Option<WindowError>,
}

impl App {
    fn fail(&mut self, events: &ActiveEventLoop, error: WindowError) {
        self.failed = Some(match self.screen {
            Some(_) => WindowError::Closed(Box::new(error)),
            None => error,
        });
        events.exit();
    }

    fn key(&mut self, events: &ActiveEventLoop, event: &KeyEvent) {
        let PhysicalKey::Code(code) = event.physical_key else {
            return;
        };
        if code == KeyCode::Escape {
            if event.state.is_pressed() && !event.repeat {
                self.escape(events);
            }
            return;
        }
        if event.state.is_pressed() {
            self.stay();
        }
        let name = format!("{code:?}");
        if event.state == ElementState::Released {
            self.shared.latch.lock().release(&name);
            return;
        }
        let screen = self.screen.as_mut();
        if screen.is_some_and(|screen| screen.panel().takes_keys())
            || self.choose(&name)
            || self.shared.draw(&name)
            || level_editing::take_key(&self.shared, &name, event.repeat)
        {
            return;
        }
        let screen = self.screen.as_mut();
        if screen.is_some_and(|screen| screen.panel().edit_presses(&name, &self.shared)) {
            return;
        }
        if !event.repeat {
            self.press(&name);
        }
    }

    /// Closes what is open over the game; if nothing is, the window. Numbers of the panel that are not saved
    /// take a second press.
    fn escape(&mut self, events: &ActiveEventLoop) {
        if self.asked_to_quit {
            return events.exit();
        }
        let Some(screen) = &mut self.screen else {
            return events.exit();
        };
        let panel = screen.panel();
        let closed =
            panel.leave_text() || self.shared.frame.lock().close_page() || self.shared.draw("Escape") || panel.close();
        if !closed && !level_editing::leave(&self.shared) {
            self.close(events);
        }
    }

    /// Closes the window. While numbers of the panel are not saved, the first call only says so.
    fn close(&mut self, events: &ActiveEventLoop) {
        let screen = self.screen.as_mut();
        let unsaved = screen.map_or(0, |screen| screen.panel().unsaved());
        let edited = self.shared.unsaved.load(Ordering::Relaxed) > 0;
        if unsaved == 0 && !edited || mem::replace(&mut self.asked_to_quit, true) {
            return events.exit();
        }
        let numbers = if unsaved == 1 { "number is" } else { "numbers are" };
        if edited {
            let also = if unsaved == 0 {
                String::new()
            } else {
                format!(", and {unsaved} {numbers} not saved")
            };
            self.shared.frame.lock().alert = format!(
                "the level has edits that are not saved{also}. Close again to quit without them; Ctrl+S saves edits"
            );
            return;
        }
        self.shared.frame.lock().alert =
            format!("{unsaved} {numbers} not saved. Close again to quit without them; F2 opens the tuning panel");
    }

    /// Any key other than Escape, or a click: the user stays.
    fn stay(&mut self) {
        if mem::take(&mut self.asked_to_quit) {
            self.shared.frame.lock().alert.clear();
        }
    }

    fn button(&mut self, button: MouseButton, state: ElementState) {
        let Some(name) = mouse::button_name(button) else {
            return;
        };
        if state.is_pressed() {
            self.stay();
        }
        let screen = self.screen.as_mut();
        if state == ElementState::Released {
            self.shared.latch.lock().release(name);
        } else if screen.is_some_and(|screen| !screen.panel().takes_pointer()) && !self.choose(name) {
            self.press(name);
        }
    }

    /// Whether a key is for the list of levels.
    fn choose(&self, name: &str) -> bool {
        let height = self.screen.as_ref().map_or(0, |screen| screen.picture().1);
        mouse::choose(&self.shared, name, height)
    }

    /// A key or a button of the mouse went down.
    fn press(&mut self, name: &str) {
        let revision = self.shared.frame.lock().revision.clone();
        let effects = self.shared.latch.lock().press(name, &revision.config.keys);
        for effect in effects {
            self.act(effect);
        }
    }

    /// Passes on what gamepads have reported.
    #[cfg(feature = "gamepad")]
    fn poll_pads(&mut self) {
        use hangtime_workbench::PadChange;
        for change in self.pads.poll() {
            if matches!(change, PadChange::Press(_)) {
                self.stay();
            }
            match change {
                PadChange::Press(name) if self.choose(name) => {}
                PadChange::Press(name) => self.press(name),
                PadChange::Release(names) => {
                    names.iter().for_each(|name| self.shared.latch.lock().release(name));
                }
            }
        }
        let dead_zone = self.shared.frame.lock().revision.config.window.stick_dead_zone;
        self.shared.latch.lock().set_sticks(self.pads.sticks(dead_zone));
    }

    fn act(&mut self, effect: WindowKey) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        match effect {
            WindowKey::FullScreen => screen.toggle_full_screen(),
            WindowKey::Tuning => screen.panel().toggle(),
            WindowKey::Timeline => screen.panel().toggle_strip(),
            WindowKey::SwapTuning => screen.panel().swap(),
            WindowKey::Levels => mouse::toggle_levels(&self.shared, &self.folder),
            other => {
                let mut frame = self.shared.frame.lock();
                let line = frame.press(other).then(|| frame.log_line(other));
                drop(frame);
                if other == WindowKey::ResetZoom {
                    // It also ends the view of a whole stretch.
                    self.shared.press(other);
                }
                match line {
                    Some(line) => self.shared.tuning.say(line.into_iter().map(String::from).collect()),
                    None => self.shared.press(other),
                }
            }
        }
    }

    fn redraw(&mut self, events: &ActiveEventLoop) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        if let Err(error) = screen.redraw(events, &self.shared) {
            self.fail(events, error);
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        let Some(panel) = self.panel.take() else {
            return;
        };
        let revision = self.shared.frame.lock().revision.clone();
        match Screen::open(events, &revision, panel) {
            Ok(screen) => self.screen = Some(screen),
            Err(error) => self.fail(events, error),
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _id: WindowId, event: WindowEvent) {
        if let Some(screen) = &mut self.screen {
            screen.event(&event);
        }
        match event {
            WindowEvent::CloseRequested => self.close(events),
            WindowEvent::KeyboardInput { event, .. } => self.key(events, &event),
            WindowEvent::MouseInput { state, button, .. } => self.button(button, state),
            WindowEvent::CursorMoved { position, .. } => {
                if let Some(screen) = &mut self.screen {
                    mouse::moved(screen, &self.shared, position);
                }
            }
            WindowEvent::CursorLeft { .. } => self.shared.pointer.lock().leave(),
            WindowEvent::MouseWheel { delta, .. } => {
                if let Some(screen) = &mut self.screen {
                    mouse::wheel(screen, &self.shared, delta);
                }
            }
            WindowEvent::Focused(focused) => {
                #[cfg(feature = "gamepad")]
                self.pads.set_focus(focused);
                if !focused {
                    self.shared.latch.lock().release_all();
                }
            }
            WindowEvent::RedrawRequested => self.redraw(events),
            other => {
                if let Some(screen) = &mut self.screen {
                    resize(screen, other);
                }
            }
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        #[cfg(feature = "gamepad")]
        self.poll_pads();
        if let Some(screen) = &mut self.screen {
            events.set_control_flow(ControlFlow::WaitUntil(screen.request(&self.shared)));
        }
    }
}

/// Handles events about the window's size and visibility.
fn resize(screen: &mut Screen, event: WindowEvent) {
    match event {
        WindowEvent::Resized(size) => screen.resized(size),
        WindowEvent::Occluded(covered) => screen.covered(covered),
        WindowEvent::ScaleFactorChanged { scale_factor, mut inner_size_writer } => {
            if let Some(size) = screen.rescaled(scale_factor) {
                // If the system has gone on already, it reports another size.
                let _ = inner_size_writer.request_inner_size(size);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "../tests/unit/window.rs"]
mod tests;
