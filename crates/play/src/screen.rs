//! The screen of a run without a window: what its pictures show.

use super::{moment::followed, *};
use hangtime_core::{geometry::grid::Bounds, sim::EntityView};
use hangtime_draw::{Camera, LevelMap, Markers, Show, Spectator, hud_line, paint, paint_map};

/// Watches a run from tick to tick, for pictures with a moving camera, effects and overlays.
#[derive(Debug)]
pub struct RunScreen {
    spectator: Spectator,
    markers: Markers,
    overlays: Overlays,
    size: (u32, u32),
}

impl RunScreen {
    /// A screen of this size, px, with these overlays.
    pub fn new(overlays: Overlays, size: (u32, u32)) -> Self {
        Self { spectator: Spectator::default(), markers: Markers::default(), overlays, size }
    }

    /// Shows this part of the level whole from now on, instead of following the players.
    pub fn stand_still(&mut self, part: &Bounds) {
        self.spectator.stand_still(Some(Camera::around(part, self.size)));
    }

    /// The current tick as this screen shows it, with something painted over it.
    pub(super) fn picture_over(&self, live: &Live, over: impl FnOnce(&mut Pixmap, &Picture<'_>)) -> Pixmap {
        let show = Show {
            spectator: Some(&self.spectator),
            overlays: self.overlays,
            markers: Some(&self.markers),
            ..Show::default()
        };
        picture_of(live, self.size, show, over)
    }

    /// Sees the current tick. The camera and the effects follow from all ticks seen.
    pub fn see(&mut self, live: &Live) {
        let bodies: Vec<EntityView> = live.views().collect();
        let stage = &live.revision().stage;
        self.spectator.watch(live.world(), stage, &bodies, self.size);
        let area = self.spectator.camera().map(|c| c.shows(self.size));
        self.markers.read(live.world(), stage, self.overlays, area.as_ref());
    }
}

/// The picture of a run: of its last tick, or of a moment.
#[derive(Debug)]
pub struct RunPicture {
    screen: RunScreen,
    /// The moment, and the picture as far as the run has come.
    moment: Option<(RunMoment, MomentFinder)>,
    taken: Option<Pixmap>,
}

impl RunPicture {
    /// A picture with these overlays; without a moment, of the last tick.
    pub fn new(overlays: Overlays, moment: Option<RunMoment>) -> Self {
        let screen = RunScreen::new(overlays, DEFAULT_SIZE);
        Self { screen, moment: moment.map(|moment| (moment, MomentFinder::new(moment))), taken: None }
    }

    fn take(&self, live: &Live) -> Pixmap {
        self.screen.picture_over(live, |_, _| {})
    }

    /// Writes the picture as a PNG at the end of the run.
    ///
    /// # Errors
    /// When the run has not come to the moment, or it cannot be written.
    pub fn write_png(&self, live: &Live, out: &mut dyn Write) -> io::Result<()> {
        match (&self.moment, &self.taken) {
            (None, _) => write_pixels(&self.take(live), out),
            (Some(_), Some(taken)) => write_pixels(taken, out),
            (Some((moment, _)), None) => Err(io::Error::other(moment.missed(live.world().ticks()))),
        }
    }
}

impl Observer for RunPicture {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        self.screen.see(live);
        if let Some((_, finder)) = &mut self.moment {
            let bodies: Vec<EntityView> = live.views().collect();
            let (tick, view) = (live.world().ticks(), live.revision().stage.level.view);
            if followed(&bodies).is_some_and(|body| finder.sees(tick, view, body)) {
                self.taken = Some(self.take(live));
            }
        }
        Ok(())
    }
}

/// The current tick alone, with a settled camera.
pub fn still(live: &Live, size: (u32, u32)) -> Pixmap {
    picture_of(live, size, Show::default(), |_, _| {})
}

fn picture_of(live: &Live, size: (u32, u32), show: Show<'_>, over: impl FnOnce(&mut Pixmap, &Picture<'_>)) -> Pixmap {
    let mut canvas = Pixmap::new(size.0, size.1).expect("a size above 0");
    picturing(live, show, |picture| {
        paint(&mut canvas, picture);
        over(&mut canvas, picture);
    });
    canvas
}

/// The whole level at the current tick, with a map over it.
pub fn picture_of_level(live: &Live, map: &LevelMap) -> Pixmap {
    let mut canvas = None;
    picturing(live, Show::default(), |picture| canvas = Some(paint_map(picture, map)));
    canvas.expect("painted above")
}

fn picturing(live: &Live, show: Show<'_>, paints: impl FnOnce(&Picture<'_>)) {
    let bodies: Vec<EntityView> = live.views().collect();
    let hud = hud_line(followed(&bodies), live.revision().number);
    let world = live.world();
    let level = world.level(&live.revision().stage);
    let (drawing, joints) = (Some(world.drawing()), Some(world.joints()));
    let show = Show { drawing, joints, art: Some(&live.revision().art), ..show };
    paints(&Picture {
        time: live.time(),
        changes: live.world().changes(),
        level,
        bodies: &bodies,
        hud: &hud,
        banner: "",
        why: "",
        show,
    });
}

/// Writes a picture of the current tick alone as a PNG, with a settled camera.
///
/// # Errors
/// When it cannot be written.
pub fn write_png(live: &Live, out: &mut dyn Write) -> io::Result<()> {
    write_pixels(&still(live, DEFAULT_SIZE), out)
}

/// A picture of the current tick alone, with a settled camera: its width and height, px, and three bytes for each pixel, row
/// after row from the top.
pub fn rgb_picture(live: &Live) -> ((u32, u32), Vec<u8>) {
    let canvas = still(live, DEFAULT_SIZE);
    let pixels = canvas.data().chunks_exact(4);
    let bytes = pixels.flat_map(|pixel| pixel[..3].iter().copied()).collect();
    ((canvas.width(), canvas.height()), bytes)
}

/// Writes a picture as a PNG.
///
/// # Errors
/// When it cannot be written.
pub fn write_pixels(canvas: &Pixmap, out: &mut dyn Write) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(canvas.data())?;
    Ok(())
}
