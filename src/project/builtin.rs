//! The playground that comes with the program.

use crate::script::host::Diagnostic;
use include_dir::{Dir, include_dir};
use std::path::{Path, PathBuf};

static CONFIG: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/config");
static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scripts");
static LEVELS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/levels");

/// Whether a folder looks like a game: whether it has levels.
#[must_use]
pub fn is_game_folder(root: &Path) -> bool {
    root.join("levels").is_dir()
}

/// Copies the built-in game into a new temporary folder, which stays, and returns the folder.
///
/// # Errors
/// When it cannot be written.
pub fn unpack_playground() -> Result<PathBuf, Diagnostic> {
    let failed = |e: std::io::Error| {
        let place = std::env::temp_dir().display().to_string();
        Diagnostic::about_file(place, format!("the playground cannot be copied here: {e}"))
    };
    let folder = tempfile::Builder::new()
        .prefix("hangtime-")
        .tempdir()
        .map_err(failed)?
        .keep();
    for (name, contents) in [
        ("config", &CONFIG),
        ("scripts", &SCRIPTS),
        ("levels", &LEVELS),
    ] {
        let place = folder.join(name);
        std::fs::create_dir_all(&place).map_err(failed)?;
        contents.extract(&place).map_err(failed)?;
    }
    Ok(folder)
}
