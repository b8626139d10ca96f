//! The mouse and the list of levels in the window.

use super::*;
use hangtime_draw::menu_row_at;
use hangtime_workbench::LevelMenu;
use winit::{dpi::PhysicalPosition, event::MouseScrollDelta};

/// Pixels of a touch pad's scrolling that count as a step of a wheel.
const PIXELS: f64 = 40.0;

/// The rows that the list of levels goes up or down by a page.
const PAGE: isize = 10;

/// The name of a mouse button in `[keys]`.
pub fn button_name(button: MouseButton) -> Option<&'static str> {
    match button {
        MouseButton::Left => Some("MouseLeft"),
        MouseButton::Right => Some("MouseRight"),
        MouseButton::Middle => Some("MouseMiddle"),
        _ => None,
    }
}

/// The mouse has moved in the window.
pub fn moved(screen: &mut Screen, shared: &SharedState, at: PhysicalPosition<f64>) {
    if screen.panel().takes_pointer() {
        shared.pointer.lock().leave();
        return;
    }
    let (at, picture) = (screen.pixel_at((at.x, at.y)), screen.picture());
    shared.pointer.lock().move_to(at, picture, Instant::now());
}

/// The wheel was turned.
pub fn wheel(screen: &mut Screen, shared: &SharedState, delta: MouseScrollDelta) {
    if screen.panel().takes_pointer() {
        return;
    }
    let steps = match delta {
        MouseScrollDelta::LineDelta(_, lines) => f64::from(lines),
        MouseScrollDelta::PixelDelta(by) => by.y / PIXELS,
    };
    let pointer = *shared.pointer.lock();
    let mut frame = shared.frame.lock();
    match (&mut frame.menu, pointer.at()) {
        (Some(menu), _) => menu.go(-(steps.round() as isize)),
        (None, Some(at)) => frame.zoom_at(steps, pointer.picture(), at),
        (None, None) => frame.zoom_by(steps),
    }
}

/// Opens the list of levels, or closes it.
pub fn toggle_levels(shared: &SharedState, folder: &GameFolder) {
    let mut frame = shared.frame.lock();
    frame.alert.clear();
    frame.menu = match frame.menu {
        Some(_) => None,
        None => {
            let levels = Project::load(folder.clone()).map(|project| project.levels());
            let running = &frame.revision.stage.level.name;
            Some(LevelMenu::new(levels.unwrap_or_default(), running))
        }
    };
}

/// Handles a key or a mouse button for the list of levels. Returns whether the list is open and the key is
/// for it.
pub fn choose(shared: &SharedState, key: &str, height: u32) -> bool {
    let mut frame = shared.frame.lock();
    let Some(menu) = &mut frame.menu else {
        return false;
    };
    let chosen = match key {
        "ArrowUp" | "PadUp" => return go(menu, -1),
        "ArrowDown" | "PadDown" => return go(menu, 1),
        "PageUp" => return go(menu, -PAGE),
        "PageDown" => return go(menu, PAGE),
        "Enter" | "NumpadEnter" | "PadSouth" => true,
        "MouseLeft" => {
            let at = shared.pointer.lock().at();
            let row = at.and_then(|(_, y)| menu_row_at(menu.rows().len(), menu.row(), height, y));
            row.is_some_and(|row| menu.choose(row))
        }
        _ => match key.strip_prefix("Digit").and_then(|d| d.parse().ok()) {
            Some(0_usize) | None => return false,
            Some(number) => menu.choose(number - 1),
        },
    };
    let level = menu.chosen().filter(|_| chosen);
    if let Some(level) = level.map(std::path::Path::to_path_buf) {
        frame.alert.clear();
        *shared.level.lock() = Some(level);
    }
    true
}

fn go(menu: &mut LevelMenu, rows: isize) -> bool {
    menu.go(rows);
    true
}
