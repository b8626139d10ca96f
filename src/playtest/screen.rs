//! The screen of a run without a window: what its pictures show.

use super::run::Observer;
use crate::draw::{DEFAULT_SIZE, Markers, Overlays, Picture, Show, Spectator, hud_line, paint};
use crate::project::Live;
use crate::sim::EntityView;
use std::io::{self, Write};
use tiny_skia::Pixmap;

/// Watches a run from tick to tick, for pictures with a moving camera, effects and overlays.
#[derive(Debug, Default)]
pub struct RunScreen {
    spectator: Spectator,
    markers: Markers,
    overlays: Overlays,
}

impl RunScreen {
    /// A screen with these overlays.
    #[must_use]
    pub fn new(overlays: Overlays) -> Self {
        Self {
            overlays,
            ..Self::default()
        }
    }

    /// The current tick as this screen shows it.
    pub(super) fn picture(&self, live: &Live) -> Pixmap {
        picture_of(
            live,
            Show {
                spectator: Some(&self.spectator),
                overlays: self.overlays,
                markers: Some(&self.markers),
                ..Show::default()
            },
        )
    }

    /// Writes a picture of the current tick as a PNG.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_png(&self, live: &Live, out: &mut dyn Write) -> io::Result<()> {
        write_pixels(&self.picture(live), out)
    }
}

impl RunScreen {
    /// Sees the current tick. The camera and the effects follow from all ticks seen.
    pub fn see(&mut self, live: &Live) {
        let bodies: Vec<EntityView> = live.views().collect();
        let stage = &live.revision().stage;
        self.spectator
            .watch(live.world(), stage, &bodies, DEFAULT_SIZE);
        let area = self.spectator.camera().map(|c| c.shows(DEFAULT_SIZE));
        self.markers
            .read(live.world(), stage, self.overlays, area.as_ref());
    }
}

impl Observer for RunScreen {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        self.see(live);
        Ok(())
    }
}

/// The current tick alone, with a settled camera.
pub(super) fn still(live: &Live) -> Pixmap {
    picture_of(live, Show::default())
}

fn picture_of(live: &Live, show: Show<'_>) -> Pixmap {
    let mut canvas = Pixmap::new(DEFAULT_SIZE.0, DEFAULT_SIZE.1).expect("a size above 0");
    let bodies: Vec<EntityView> = live.views().collect();
    let first = bodies.iter().find(|b| b.player == 1).or(bodies.first());
    let hud = hud_line(first, live.revision().number);
    let level = &live.revision().stage.level;
    paint(
        &mut canvas,
        &Picture {
            time: live.time(),
            absent: live.world().absent(),
            level,
            bodies: &bodies,
            hud: &hud,
            banner: "",
            why: "",
            show,
        },
    );
    canvas
}

/// Writes a picture of the current tick alone as a PNG, with a settled camera.
///
/// # Errors
/// When it cannot be written.
pub fn write_png(live: &Live, out: &mut dyn Write) -> io::Result<()> {
    write_pixels(&still(live), out)
}

fn write_pixels(canvas: &Pixmap, out: &mut dyn Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(canvas.data())?;
    Ok(())
}
