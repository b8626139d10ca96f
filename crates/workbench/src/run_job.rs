//! Saving what was played in the last minute as a recording, in the background.

use super::excerpt::Excerpt;
use super::film::{file_name_of, parts_before};
use super::job::SavingJob;
use super::timeline::{Timeline, discard_reports};
use hangtime_game::Error;
use hangtime_game::files::{NumberedFile, OutputKind};
use hangtime_game::recording::Recorder;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Starts to save the last `seconds` before a position as a recording, into a new file in `folder`.
pub(super) fn start_recording(line: &Timeline, position: u64, seconds: u64, folder: &Path) -> Option<SavingJob> {
    let parts = parts_before(line, position, seconds);
    let name = file_name_of(line.revision_at(position)?, "run");
    let folder = folder.to_path_buf();
    SavingJob::start("recording", move |canceled| save(&parts, &folder, &name, canceled))
}

fn save(parts: &[Excerpt], folder: &Path, name: &str, canceled: &AtomicBool) -> Result<PathBuf, Error> {
    let (output, file) = NumberedFile::create(folder, name, OutputKind::Recording)?;
    record(parts, file, canceled)
        .map_err(|source| Error::Write { file: folder.join(name).display().to_string(), source })?;
    output.complete()
}

fn record(parts: &[Excerpt], file: Box<dyn Write + Send>, canceled: &AtomicBool) -> io::Result<()> {
    let mut file = Some(file);
    let mut recorder: Option<Recorder<Box<dyn Write + Send>>> = None;
    let mut end = None;
    for part in parts {
        let mut live = part.start();
        let mut recording = match (recorder.take(), file.take()) {
            (Some(mut recording), _) => {
                recording.resume(live.revision(), live.world())?;
                recording
            }
            (None, Some(file)) => Recorder::start(file, &live)?,
            (None, None) => break,
        };
        for inputs in (0..part.ticks()).filter_map(|index| part.tape().at(index)) {
            if canceled.load(Ordering::Relaxed) {
                return Err(io::Error::other("the window was closed"));
            }
            live.step(inputs);
            discard_reports(&mut live);
            recording.step(inputs, live.world())?;
        }
        recorder = Some(recording);
        end = Some(live);
    }
    match (recorder, end) {
        (Some(recorder), Some(live)) => recorder.finish(live.world())?.flush(),
        _ => Err(io::Error::other("nothing has been played yet")),
    }
}
