//! A run as a GIF.

use super::{screen::still, *};
use color_quant::NeuQuant;
use gif::{Encoder, Frame, Repeat};
use hangtime_core::geometry::grid::Bounds;
use hangtime_draw::{Color, colors};
use std::{collections::HashMap, ops::RangeInclusive};

/// Records a run as a looping GIF.
pub struct Film {
    encoder: Encoder<Box<dyn Write + Send>>,
    palette: GifPalette,
    screen: RunScreen,
    /// The ticks that were observed. The world's own count goes back where a recording was restarted.
    observed: u64,
    last: Vec<u8>,
    /// The shortest time from one frame to the next, in hundredths of a second.
    frame: u64,
    /// The time of the last picture that was drawn, in hundredths of a second.
    shown_until: u64,
    /// The last changed frame and its start. Its duration is known when the next one begins.
    waiting: Option<(u64, Frame<'static>)>,
}

/// The color index of pixels that do not change. Long runs of it keep the file small.
const SAME: u8 = 255;

/// Default frames per second of a GIF.
pub const FILM_FPS: u16 = 25;

/// The width and the height that a GIF can have, px.
pub const FILM_SIDES: RangeInclusive<u32> = 16..=4096;

/// How a GIF looks.
#[derive(Clone, Copy, Debug)]
pub struct FilmOptions {
    /// Frames per second, 1 to 50.
    pub fps: u16,
    /// Width and height, px, each within [`FILM_SIDES`].
    pub size: (u32, u32),
    /// What is drawn over the pictures.
    pub overlays: Overlays,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self { fps: FILM_FPS, size: DEFAULT_SIZE, overlays: Overlays::NONE }
    }
}

impl Film {
    /// Starts a GIF of this game, written to `out`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn new(out: Box<dyn Write + Send>, live: &Live, options: FilmOptions) -> io::Result<Self> {
        let (least, most) = FILM_SIDES.into_inner();
        let (width, height) = options.size;
        let size = (width.clamp(least, most), height.clamp(least, most));
        let canvas = still(live, size);
        let revision = live.revision();
        let known = colors(&revision.stage.level, &revision.art);
        let palette = GifPalette::of(canvas.data(), &known);
        let (width, height) = (canvas.width() as u16, canvas.height() as u16);
        let mut encoder = Encoder::new(out, width, height, &palette.table).map_err(io::Error::other)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        Ok(Self {
            encoder,
            palette,
            screen: RunScreen::new(options.overlays, size),
            observed: 0,
            last: Vec::new(),
            frame: 100 / u64::from(options.fps.clamp(1, 50)),
            shown_until: 0,
            waiting: None,
        })
    }

    /// Shows this part of the level whole from now on, instead of following the players.
    pub fn stand_still(&mut self, part: &Bounds) {
        self.screen.stand_still(part);
    }

    /// Writes the last frame and flushes the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        let end = self.shown_until + self.frame;
        self.write_waiting(end)?;
        let mut out = self.encoder.into_inner().map_err(io::Error::other)?;
        out.flush()
    }

    /// Writes the waiting frame, shown until the given time.
    fn write_waiting(&mut self, until: u64) -> io::Result<()> {
        let Some((began, mut frame)) = self.waiting.take() else {
            return Ok(());
        };
        frame.delay = (until - began).min(u64::from(u16::MAX)) as u16;
        self.encoder.write_frame(&frame).map_err(io::Error::other)
    }

    /// Draws the game at a time, in hundredths of a second since the film started, if the next frame is due.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, live: &Live, now: u64) -> io::Result<()> {
        self.add_over(live, now, |_, _| {})
    }

    /// Shows the last picture for longer, in hundredths of a second.
    pub fn hold(&mut self, time: u64) {
        self.shown_until += time;
    }

    /// The same as [`add`](Self::add), with something painted over the picture.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add_over(&mut self, live: &Live, now: u64, over: impl FnOnce(&mut Pixmap, &Picture<'_>)) -> io::Result<()> {
        // The camera and the effects see every tick, also those without a picture.
        self.screen.see(live);
        if self.waiting.is_some() && now < self.shown_until + self.frame {
            return Ok(());
        }
        let canvas = self.screen.picture_over(live, over);
        let indexed = self.palette.indexed(canvas.data());
        let frame = changed_part(&self.last, &indexed, canvas.width());
        self.last = indexed;
        self.shown_until = now;
        // Nothing changed: the waiting frame is shown for longer.
        let Some(frame) = frame else { return Ok(()) };
        self.write_waiting(now)?;
        self.waiting = Some((now, frame));
        Ok(())
    }
}

impl Observer for Film {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let now = self.observed * 100 / u64::from(live.revision().stage.hz);
        self.observed += 1;
        self.add(live, now)
    }
}

/// The 255 colors of a GIF, chosen from its first picture and the colors that may appear later.
struct GifPalette {
    quantizer: NeuQuant,
    table: Vec<u8>,
    /// The index of each color seen so far.
    known: HashMap<[u8; 4], u8>,
}

impl GifPalette {
    fn of(picture: &[u8], others: &[Color]) -> Self {
        // Each later color counts as much as the pixels of a body, so that the quantizer keeps it.
        let mut pixels = picture.to_vec();
        for Color(r, g, b) in others {
            pixels.extend([*r, *g, *b, 255].repeat(1500));
        }
        let quantizer = NeuQuant::new(3, usize::from(SAME), &pixels);
        let mut table = quantizer.color_map_rgb();
        table.extend([0; 3]);
        Self { quantizer, table, known: HashMap::new() }
    }

    fn indexed(&mut self, pixels: &[u8]) -> Vec<u8> {
        let (known, quantizer) = (&mut self.known, &self.quantizer);
        let mut index = |pixel: [u8; 4]| *known.entry(pixel).or_insert_with(|| quantizer.index_of(&pixel) as u8);
        // Most pixels have the color of the one before, which needs no search.
        let mut run = ([0; 4], index([0; 4]));
        let pixels = pixels.as_chunks::<4>().0.iter();
        pixels
            .map(|pixel| {
                if *pixel != run.0 {
                    run = (*pixel, index(*pixel));
                }
                run.1
            })
            .collect()
    }
}

/// The smallest frame that turns one picture into the next; none if they are equal.
fn changed_part(last: &[u8], next: &[u8], width: u32) -> Option<Frame<'static>> {
    // Nothing is the same as in the picture before the first one.
    let last = if last.is_empty() { &vec![SAME; next.len()] } else { last };
    let width = width as usize;
    let rows = || last.chunks(width).zip(next.chunks(width));
    let changed = || rows().enumerate().filter(|(_, (last, next))| last != next);
    let (top, bottom) = (changed().next()?.0, changed().next_back()?.0);
    let differs = |x: &usize, (last, next): (&[u8], &[u8])| last[*x] != next[*x];
    let left = changed().filter_map(|(_, row)| (0..width).find(|x| differs(x, row))).min()?;
    let right = changed().filter_map(|(_, row)| (0..width).rfind(|x| differs(x, row))).max()?;
    let pixels = rows().take(bottom + 1).skip(top).flat_map(|(last, next)| {
        let pairs = last[left..=right].iter().zip(&next[left..=right]);
        pairs.map(|(last, next)| if last == next { SAME } else { *next })
    });
    let pixels = pixels.collect();
    Some(Frame {
        left: left as u16,
        top: top as u16,
        width: (right - left + 1) as u16,
        height: (bottom - top + 1) as u16,
        buffer: Cow::Owned(pixels),
        transparent: Some(SAME),
        ..Frame::default()
    })
}
