//! The last seconds of play as files: as a GIF, or as a recording.

use super::*;
use hangtime_core::{geometry::grid::Bounds, sim::Stage};
use hangtime_draw::paint_ghosts;
use hangtime_game::{
    Error,
    files::{NumberedFile, OutputKind},
};
use hangtime_play::{FILM_FPS, Film, FilmOptions};

/// How much longer the last picture of a film is shown if it has ghosts, in hundredths of a second.
const LAST_PICTURE: u64 = 200;

/// A file that a thread writes: its path, or why it could not be written. Dropping it stops the thread, which removes the
/// unfinished file.
pub type SavingJob = BackgroundJob<Result<PathBuf, String>>;

/// The last seconds before a position, or a marked stretch.
pub struct LastSeconds {
    /// One part for each chapter of the timeline.
    parts: Vec<Arc<Excerpt>>,
    /// The revision under which they are played; without one, as they were.
    under: Option<Arc<Revision>>,
    /// How many ticks are played at most.
    most: u64,
    /// What files about the level are called: like the level.
    name: Option<String>,
    hz: u64,
}

impl LastSeconds {
    pub fn before(line: &Timeline, position: u64, seconds: u64) -> Option<Self> {
        let stage = &line.revision_at(position)?.stage;
        let first = position.saturating_sub(seconds * u64::from(stage.hz)).max(line.begin());
        let mut parts = Vec::new();
        let mut start = first;
        while start < position {
            let end = line.chapter_end(start).min(position);
            parts.extend(Excerpt::within_chapter(line, start..end).map(Arc::new));
            start = end.max(start + 1);
        }
        Some(Self { parts, under: None, most: u64::MAX, name: name_of(stage), hz: stage.hz.into() })
    }

    /// A stretch as it is under a revision, or its first seconds if it is longer.
    pub fn stretch(excerpt: &Arc<Excerpt>, revision: &Arc<Revision>, seconds: u64) -> Self {
        let stage = &revision.stage;
        let hz = u64::from(stage.hz);
        Self {
            parts: vec![excerpt.clone()],
            under: Some(revision.clone()),
            most: seconds.saturating_mul(hz),
            name: name_of(stage),
            hz,
        }
    }

    /// Starts to save a film with the ghosts that were shown, into a new file in `folder`. It shows this part of the level all
    /// the time, or follows the players.
    pub fn film(self, ghosts: GhostRecord, part: Option<Bounds>, folder: &Path) -> Option<SavingJob> {
        self.save("film", OutputKind::Gif, folder, move |replay, file, canceled| {
            replay.write_film(file, &ghosts, part, canceled)
        })
    }

    /// Starts to save a recording, into a new file in `folder`.
    pub fn recording(self, folder: &Path) -> Option<SavingJob> {
        self.save("run", OutputKind::Recording, folder, Self::write_recording)
    }

    fn save(
        self,
        otherwise: &str,
        kind: OutputKind,
        folder: &Path,
        write: impl FnOnce(&Self, Box<dyn Write + Send>, &AtomicBool) -> io::Result<()> + Send + 'static,
    ) -> Option<SavingJob> {
        let name = self.name.clone().unwrap_or_else(|| otherwise.into());
        let folder = folder.to_path_buf();
        let saved = move |canceled: &AtomicBool| {
            let (output, file) = NumberedFile::create(&folder, &name, kind)?;
            write(&self, file, canceled)
                .map_err(|source| Error::Write { file: folder.join(&name).display().to_string(), source })?;
            output.complete()
        };
        let job = SavingJob::start_awaited(otherwise, move |post, canceled| {
            // The window may have been closed.
            let _ = post.send(saved(canceled).map_err(|error| error.to_string()));
        });
        job.ok()
    }

    fn write_film(
        &self,
        file: Box<dyn Write + Send>,
        ghosts: &GhostRecord,
        shown: Option<Bounds>,
        canceled: &AtomicBool,
    ) -> io::Result<()> {
        let first = self.parts.first().ok_or_else(nothing_played)?;
        let start = |part: &Excerpt| self.under.as_ref().map_or_else(|| part.start(), |under| part.start_under(under));
        let mut film = Film::new(file, &start(first), FilmOptions::default())?;
        if let Some(shown) = &shown {
            film.stand_still(shown);
        }
        let mut tick = 0;
        // What the window showed at a position.
        let add = |film: &mut Film, live: &Live, position: u64, now: u64| {
            film.add_over(live, now, |canvas, picture| {
                if let Some(ghosts) = ghosts.at(position) {
                    paint_ghosts(canvas, picture, ghosts);
                }
            })
        };
        for (number, part) in (1..).zip(&self.parts) {
            let mut live = start(part);
            for index in 0.. {
                check(canceled)?;
                let position = part.positions().start + index;
                let now = tick * 100 / self.hz;
                add(&mut film, &live, position, now)?;
                let inputs = match &self.under {
                    Some(under) => part.input_under(index, under),
                    None => part.tape().at(index).cloned(),
                };
                let Some(inputs) = inputs.filter(|_| tick < self.most) else {
                    // Ghosts may have appeared while time stood still at the end.
                    if number == self.parts.len() && ghosts.at(position).is_some() {
                        add(&mut film, &live, position, now + 100 / u64::from(FILM_FPS))?;
                        film.hold(LAST_PICTURE);
                    }
                    break;
                };
                live.step(&inputs);
                tick += 1;
            }
        }
        film.finish()
    }

    fn write_recording(&self, file: Box<dyn Write + Send>, canceled: &AtomicBool) -> io::Result<()> {
        let mut live = self.parts.first().ok_or_else(nothing_played)?.start();
        let mut recorder = Recorder::start(file, &live)?;
        for (number, part) in self.parts.iter().enumerate() {
            if number > 0 {
                live = part.start();
                recorder.resume(live.revision(), live.world())?;
            }
            for inputs in (0..part.ticks()).filter_map(|index| part.tape().at(index)) {
                check(canceled)?;
                live.step(inputs);
                recorder.step(inputs, live.world())?;
            }
        }
        recorder.finish(live.world())?.flush()
    }
}

/// What files about a level are called: like the level.
fn name_of(stage: &Stage) -> Option<String> {
    let stem = Path::new(&*stage.level.name).file_stem();
    stem.map(|stem| stem.to_string_lossy().into_owned())
}

fn nothing_played() -> io::Error {
    io::Error::other("nothing has been played yet")
}

fn check(canceled: &AtomicBool) -> io::Result<()> {
    if canceled.load(Ordering::Relaxed) {
        Err(io::Error::other("the window was closed"))
    } else {
        Ok(())
    }
}
