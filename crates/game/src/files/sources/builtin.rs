//! The playground that is built into the program.

use super::*;
use include_dir::{Dir, include_dir};

static CONFIG: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/playground/config");
static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/playground/scripts");
static LEVELS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/playground/levels");

/// Whether a folder is a game folder, that is, whether it has a folder `levels`.
pub fn is_game_folder(root: &Path) -> bool {
    root.join("levels").is_dir()
}

/// Copies the built-in playground into a new temporary folder and returns its path. The folder is
/// not removed when the program ends.
///
/// # Errors
/// [`Error::Write`] if the copy cannot be written.
pub fn unpack_playground() -> Result<PathBuf, Error> {
    let failed = |source: io::Error| Error::Write { file: std::env::temp_dir().display().to_string(), source };
    let folder = tempfile::Builder::new().prefix("hangtime-").tempdir().map_err(failed)?.keep();
    for (name, contents) in [("config", &CONFIG), ("scripts", &SCRIPTS), ("levels", &LEVELS)] {
        let target = folder.join(name);
        std::fs::create_dir_all(&target).map_err(failed)?;
        contents.extract(&target).map_err(failed)?;
    }
    Ok(folder)
}
