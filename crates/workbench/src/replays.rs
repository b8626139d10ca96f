//! The last seconds of play as files: as a GIF, or as a recording.

use super::*;
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

/// The last seconds before a position.
pub struct LastSeconds {
    /// One part for each chapter of the timeline.
    parts: Vec<Excerpt>,
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
            parts.extend(Excerpt::within_chapter(line, start..end));
            start = end.max(start + 1);
        }
        let name = Path::new(&*stage.level.name).file_stem();
        Some(Self { parts, name: name.map(|stem| stem.to_string_lossy().into_owned()), hz: stage.hz.into() })
    }

    /// Starts to save a film with the ghosts that were shown, into a new file in `folder`.
    pub fn film(self, ghosts: GhostRecord, folder: &Path) -> Option<SavingJob> {
        self.save("film", OutputKind::Gif, folder, move |replay, file, canceled| {
            replay.write_film(file, &ghosts, canceled)
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

    fn write_film(&self, file: Box<dyn Write + Send>, ghosts: &GhostRecord, canceled: &AtomicBool) -> io::Result<()> {
        let first = self.parts.first().ok_or_else(nothing_played)?;
        let mut film = Film::new(file, &first.start(), FilmOptions::default())?;
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
            let mut live = part.start();
            for index in 0.. {
                check(canceled)?;
                let position = part.positions().start + index;
                let now = tick * 100 / self.hz;
                add(&mut film, &live, position, now)?;
                let Some(inputs) = part.tape().at(index) else {
                    // Ghosts may have appeared while time stood still at the end.
                    if number == self.parts.len() && ghosts.at(position).is_some() {
                        add(&mut film, &live, position, now + 100 / u64::from(FILM_FPS))?;
                        film.hold(LAST_PICTURE);
                    }
                    break;
                };
                live.step(inputs);
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
