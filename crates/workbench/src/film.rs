//! Saving the last seconds as a GIF, in the background.

use super::excerpt::Excerpt;
use super::ghost_record::GhostRecord;
use super::job::SavingJob;
use super::timeline::{Timeline, discard_reports};
use hangtime_draw::paint_ghosts;
use hangtime_game::files::{NumberedFile, OutputKind};
use hangtime_game::{Error, Live, Revision};
use hangtime_play::{FILM_FPS, Film, FilmOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// How much longer the last picture is shown if it has ghosts, in hundredths of a second.
const LAST_PICTURE: u64 = 200;

/// Starts to film the last `seconds` before a position, with the ghosts that were shown then, into a new
/// file in `folder`.
pub(super) fn start_film(
    (line, ghosts): (&Timeline, GhostRecord),
    position: u64,
    seconds: u64,
    folder: &Path,
) -> Option<SavingJob> {
    let parts = parts_before(line, position, seconds);
    let revision = line.revision_at(position)?;
    let hz = revision.stage.hz;
    let name = file_name_of(revision, "film");
    let folder = folder.to_path_buf();
    SavingJob::start("film", move |canceled| {
        FilmWriter { folder: &folder, name: &name, hz: u64::from(hz), ghosts: &ghosts, canceled }.write(&parts)
    })
}

/// What files about a level are called: like the level.
pub(super) fn file_name_of(revision: &Revision, otherwise: &str) -> String {
    let stem = Path::new(&*revision.stage.level.name).file_stem();
    stem.map_or_else(|| otherwise.into(), |stem| stem.to_string_lossy().into_owned())
}

/// The last seconds before a position, one part for each chapter of the line.
pub(super) fn parts_before(line: &Timeline, position: u64, seconds: u64) -> Vec<Excerpt> {
    let hz = line.revision_at(position).map_or(1, |r| r.stage.hz);
    let first = position.saturating_sub(seconds * u64::from(hz)).max(line.begin());
    let mut parts = Vec::new();
    let mut start = first;
    while start < position {
        let end = line.chapter_end(start).min(position);
        parts.extend(Excerpt::within_chapter(line, start..end));
        start = end.max(start + 1);
    }
    parts
}

struct FilmWriter<'a> {
    folder: &'a Path,
    name: &'a str,
    hz: u64,
    ghosts: &'a GhostRecord,
    canceled: &'a AtomicBool,
}

impl FilmWriter<'_> {
    fn write(&self, parts: &[Excerpt]) -> Result<PathBuf, Error> {
        let (output, file) = NumberedFile::create(self.folder, self.name, OutputKind::Gif)?;
        self.film(parts, file)
            .map_err(|source| Error::Write { file: self.folder.join(self.name).display().to_string(), source })?;
        output.complete()
    }

    fn film(&self, parts: &[Excerpt], file: Box<dyn Write + Send>) -> io::Result<()> {
        let Some(first) = parts.first() else {
            return Err(io::Error::other("nothing has been played yet"));
        };
        let mut film = Film::new(file, &first.start(), FilmOptions::default())?;
        let mut tick = 0;
        for (number, part) in (1..).zip(parts) {
            let mut live = part.start();
            for index in 0.. {
                if self.canceled.load(Ordering::Relaxed) {
                    return Err(io::Error::other("the window was closed"));
                }
                let position = part.positions().start + index;
                self.add(&mut film, &live, position, tick * 100 / self.hz)?;
                let Some(inputs) = part.tape().at(index) else {
                    // Ghosts may have appeared while time stood still at the end.
                    if number == parts.len() && self.ghosts.at(position).is_some() {
                        let next = tick * 100 / self.hz + 100 / u64::from(FILM_FPS);
                        self.add(&mut film, &live, position, next)?;
                        film.hold(LAST_PICTURE);
                    }
                    break;
                };
                live.step(inputs);
                discard_reports(&mut live);
                tick += 1;
            }
        }
        film.finish()
    }

    /// Adds what the window showed at a position.
    fn add(&self, film: &mut Film, live: &Live, position: u64, now: u64) -> io::Result<()> {
        film.add_over(live, now, |canvas, picture| {
            if let Some(ghosts) = self.ghosts.at(position) {
                paint_ghosts(canvas, picture, ghosts);
            }
        })
    }
}
