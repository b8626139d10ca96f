//! What the window shows besides the state of the game: camera, effects and overlays. The game thread
//! sees every tick, so that no event is missed however slow the window is.

use glam::DVec2;
use hangtime_core::sim::EntityView;
use hangtime_core::sim::why::Watch;
use hangtime_draw::{Markers, Overlay, Overlays, Show, Spectator, key_pages, paint_keys};
use hangtime_game::{KeyMap, Live};
use hangtime_workbench::{WindowKey, described_keys, key_label};
use std::collections::VecDeque;
use std::sync::Arc;
use tiny_skia::Pixmap;

/// The number of frame times that are kept.
const FRAMES: usize = 160;

/// What to show. The window sets the switches, the game thread the rest.
#[derive(Clone, Debug)]
pub(super) struct Spectacle {
    spectator: Spectator,
    markers: Arc<Markers>,
    overlays: Overlays,
    effects: bool,
    /// The page of keys that is shown, counted from 1; 0 for none.
    help: usize,
    /// The size of the picture, pixels; `None` before the first one.
    size: Option<(u32, u32)>,
}

impl Default for Spectacle {
    fn default() -> Self {
        Self {
            spectator: Spectator::default(),
            markers: Arc::default(),
            overlays: Overlays::NONE,
            effects: true,
            help: 0,
            size: None,
        }
    }
}

impl Spectacle {
    /// The entities that the game has to watch for what is shown.
    pub fn watched(&self, bodies: &[EntityView]) -> Watch {
        // Refusals and ways within a tick are recorded only for watched entities.
        match self.overlays.has(Overlay::Sweeps) {
            true => Watch::All,
            false => players(bodies),
        }
    }

    /// Sees the current tick, given the views of all entities.
    pub fn see(&mut self, live: &Live, bodies: &[EntityView]) {
        let stage = &live.revision().stage;
        let size = self.size(live);
        self.spectator.watch(live.world(), stage, bodies, size);
        self.read(live);
    }

    /// Reads what the overlays show, if one is on.
    pub fn read(&mut self, live: &Live) {
        if self.overlays.is_empty() && self.markers.is_empty() {
            return;
        }
        let stage = &live.revision().stage;
        let (camera, size) = (self.spectator.camera(), self.size(live));
        let area = camera.map(|camera| camera.shows(size));
        let markers = Arc::make_mut(&mut self.markers);
        markers.read(live.world(), stage, self.overlays, area.as_ref());
    }

    /// The window draws pictures of this size.
    pub fn resize(&mut self, size: (u32, u32)) {
        self.size = Some(size);
    }

    fn size(&self, live: &Live) -> (u32, u32) {
        let window = &live.revision().config.window;
        self.size.unwrap_or((window.width, window.height))
    }

    /// The point of the level at a pixel of a picture of this size, px.
    pub fn level_at(&self, size: (u32, u32), (x, y): (f64, f64)) -> Option<DVec2> {
        let camera = self.spectator.camera()?;
        Some(camera.level_at(size, x, y))
    }

    /// Enlarges everything by a factor.
    pub fn zoom_by(&mut self, factor: f64) {
        if let Some(camera) = self.spectator.camera_mut() {
            camera.zoom_by(factor);
        }
    }

    /// Another level begins: nothing of the last one is seen.
    pub fn forget(&mut self) {
        self.spectator = Spectator::default();
    }

    /// Carries out a key. Returns whether it was for the spectacle.
    pub fn press(&mut self, key: WindowKey) -> bool {
        match key {
            WindowKey::Overlay(overlay) => self.overlays.toggle(overlay),
            WindowKey::Overlays if self.overlays.is_empty() => self.overlays = Overlays::all(),
            WindowKey::Overlays => self.overlays = Overlays::NONE,
            // The next page, and after the last one none. The picture knows which one is the last.
            WindowKey::Help => self.help += 1,
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

    /// The page of keys that is open, counted from 0, and how many pages there are.
    fn help_page(&self, rows: usize, size: (u32, u32)) -> Option<(usize, usize)> {
        let pages = key_pages(rows, size);
        let page = self.help.checked_sub(1)? % (pages + 1);
        (page < pages).then_some((page, pages))
    }

    /// Closes the page of keys. Returns whether one was open.
    pub fn close_help(&mut self, keys: &KeyMap, size: (u32, u32)) -> bool {
        let open = self.help_page(described_keys(keys).len(), size).is_some();
        self.help = 0;
        open
    }

    /// Paints the page of keys, if one is open.
    pub fn paint_help(&self, canvas: &mut Pixmap, keys: &KeyMap) {
        let rows = described_keys(keys);
        let size = (canvas.width(), canvas.height());
        if let Some((page, pages)) = self.help_page(rows.len(), size) {
            let title = match pages {
                1 => "Keys".to_string(),
                _ => format!("Keys, page {} of {pages}", page + 1),
            };
            let more = keys.keys_for(WindowKey::Help).next().map(key_label);
            let title = match more {
                Some(key) if page + 1 == pages => format!("{title} - {key} closes"),
                Some(key) => format!("{title} - {key} continues"),
                None => title,
            };
            paint_keys(canvas, &title, &rows, page);
        }
    }

    /// What a picture shows, at this share of the way from the last tick to this one.
    pub fn show<'a>(&'a self, share: f64, frames: &'a FrameTimes) -> Show<'a> {
        Show {
            spectator: Some(&self.spectator),
            share,
            effects: self.effects,
            drawing: None,
            art: None,
            overlays: self.overlays,
            markers: Some(&self.markers),
            frames: frames.list(),
            ticks: None,
        }
    }
}

/// The entities that players control.
fn players(bodies: &[EntityView]) -> Watch {
    let players = bodies.iter().filter(|body| body.player > 0);
    let names: Vec<_> = players.map(|body| body.name.clone()).collect();
    if names.is_empty() { Watch::Off } else { Watch::Named(names) }
}

/// How long the last pictures took, ms.
#[derive(Debug, Default)]
pub(super) struct FrameTimes(VecDeque<f32>);

impl FrameTimes {
    pub fn add(&mut self, ms: f32) {
        if self.0.len() == FRAMES {
            self.0.pop_front();
        }
        self.0.push_back(ms);
        self.0.make_contiguous();
    }

    fn list(&self) -> &[f32] {
        self.0.as_slices().0
    }
}

#[cfg(test)]
mod tests {
    use super::Spectacle;
    use hangtime_draw::{Overlay, Overlays, key_pages};
    use hangtime_game::KeyMap;
    use hangtime_workbench::{WindowKey, described_keys};
    use tiny_skia::Pixmap;

    #[test]
    fn a_key_switches_one_overlay_and_another_one_all_of_them() {
        let mut spectacle = Spectacle::default();
        assert!(spectacle.press(WindowKey::Overlay(Overlay::Velocity)));
        assert_eq!(spectacle.overlays, Overlays::only(Overlay::Velocity));
        assert!(spectacle.press(WindowKey::Overlays));
        assert!(spectacle.overlays.is_empty());
        assert!(spectacle.press(WindowKey::Overlays));
        assert_eq!(spectacle.overlays, Overlays::all());
        assert!(!spectacle.press(WindowKey::Pause));
    }

    #[test]
    fn the_page_of_keys_covers_the_game_until_its_key_is_pressed_after_the_last_page() {
        let keys = KeyMap::default();
        for size in [(640, 360), (320, 180)] {
            let mut spectacle = Spectacle::default();
            let shot = |spectacle: &Spectacle| {
                let mut canvas = Pixmap::new(size.0, size.1).expect("a size above 0");
                spectacle.paint_help(&mut canvas, &keys);
                canvas
            };
            let plain = shot(&spectacle);
            let mut seen = vec![plain.clone()];
            loop {
                assert!(spectacle.press(WindowKey::Help));
                let next = shot(&spectacle);
                if next == plain {
                    break;
                }
                assert!(!seen.contains(&next), "a page twice");
                seen.push(next);
            }
            assert_eq!(seen.len(), key_pages(described_keys(&keys).len(), size) + 1);
            // Escape closes any page.
            assert!(!spectacle.close_help(&keys, size));
            assert!(spectacle.press(WindowKey::Help));
            assert!(spectacle.close_help(&keys, size));
            assert_eq!(shot(&spectacle), plain);
        }
    }
}
