//! Compiling a test script with the levels that its tests play.

use crate::game::TestLevels;
use crate::play_log::PlayLog;
use crate::test_recording::TestRecording;
use hangtime_game::{Error, LevelCache, Project, within_deadline};
use hangtime_script::{SourceFile, TestScript};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

/// Compiles a test script. Its levels report to the log that is returned with it, and the one that is opened
/// last is recorded if that is asked for.
///
/// # Errors
/// The mistakes in the script, or that compiling it takes too long.
pub(crate) fn compile_test(
    project: &Project,
    cache: &Arc<LevelCache>,
    file: &Arc<SourceFile>,
    heavy: bool,
    recording: Option<&TestRecording>,
) -> Result<(Box<dyn TestScript>, PlayLog), Error> {
    let folder = Path::new(&file.name).parent().unwrap_or(Path::new("")).to_path_buf();
    // A script in the game folder is named from there, any other as on the command line.
    let below = project.root().join(&folder);
    let folder = if below.join(file_part(&file.name)).is_file() { below } else { folder };
    let mut levels = TestLevels::new(project.clone(), folder).cached(cache.clone()).heavy(heavy);
    if let Some(recording) = recording {
        levels = levels.recorded(recording.clone());
    }
    let log = levels.log().clone();
    let languages = project.folder().languages();
    let language = languages.of(&file.name).unwrap_or(languages.first());
    let (file, cache) = (file.clone(), cache.clone());
    let script = within_deadline(move || language.compile_test(&file, cache.scripts(), Arc::new(levels)))??;
    Ok((script, log))
}

fn file_part(name: &str) -> &OsStr {
    Path::new(name).file_name().unwrap_or_default()
}
