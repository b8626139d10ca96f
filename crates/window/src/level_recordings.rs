//! The recordings of a session: one for each level that is opened.

use super::*;
use hangtime_game::files::{OutputFile, OutputKind};
use std::path::Path;

/// The names of the recordings of a session: `walk.run`, `walk-2.run`, …
pub struct LevelRecordings {
    first: PathBuf,
    count: u32,
}

impl LevelRecordings {
    /// The first recording has this path.
    pub fn of(path: &Path) -> Self {
        Self { first: path.to_path_buf(), count: 1 }
    }

    /// Starts the file of the next recording.
    pub fn next(&mut self, root: &Path) -> Result<RecordingOutput, Error> {
        let mut path = self.numbered();
        // A recording of an earlier session stays.
        while path.exists() {
            path = self.numbered();
        }
        OutputFile::create(root, &path, OutputKind::Recording)
    }

    /// The next name.
    fn numbered(&mut self) -> PathBuf {
        self.count += 1;
        let stem = self.first.file_stem().unwrap_or_default();
        let mut name = stem.to_os_string();
        name.push(format!("-{}", self.count));
        if let Some(ending) = self.first.extension() {
            name.push(".");
            name.push(ending);
        }
        self.first.with_file_name(name)
    }
}

/// Completes the recording of a level, and says where it is. Returns whether everything is in it that should be.
pub fn end_recording(bench: &mut Workbench) -> bool {
    match bench.end_recording() {
        None => true,
        Some(Ok((path, ticks))) => {
            tell(format_args!("recorded {ticks} ticks in {}", path.display()));
            true
        }
        Some(Err(why)) => {
            tell(format_args!("error: {why}"));
            false
        }
    }
}
