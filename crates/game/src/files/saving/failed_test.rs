//! Recordings of failed tests: `.hangtime/failed/TEST.run` in the game folder.

use crate::Error;
use crate::files::disk::new_file::check_output;
use crate::files::disk::output::{OutputFile, OutputKind, write_error};
use crate::files::disk::root::GameFolder;
use hangtime_script::text::plain_file_name;
use std::io::Write as _;
use std::path::Path;

/// The folder of these recordings, below the game folder. Its name begins with a dot, so no game reads it.
const FOLDER: &str = ".hangtime/failed";

/// Writes the recording of a failed test in place of an earlier one. Returns its path below the game folder.
///
/// # Errors
/// [`Error::LeadsOut`] if the folder is a link that leads out of the game folder, [`Error::Write`] if it
/// cannot be written.
pub fn save_failed_test(folder: &GameFolder, test: &str, recording: &[u8]) -> Result<String, Error> {
    let mut plain = plain_file_name(test);
    if plain != test {
        // Other names look the same without what was replaced or cut.
        let hash = blake3::hash(test.as_bytes()).to_hex();
        plain = format!("{plain}-{}", &hash[..8]);
    }
    let name = format!("{FOLDER}/{plain}.run");
    let path = folder.path().join(&name);
    let own = folder.path().join(".hangtime");
    check_output(folder, &path, &[])?;
    let failed = |source| write_error(Path::new(&name), source);
    let is_new = !own.exists();
    std::fs::create_dir_all(folder.path().join(FOLDER)).map_err(failed)?;
    if is_new {
        // What is kept there belongs to one working copy.
        std::fs::write(own.join(".gitignore"), "*\n").map_err(failed)?;
    }
    let (file, mut out) = OutputFile::create(folder.path(), &path, OutputKind::Recording)?;
    out.write_all(recording).and_then(|()| out.flush()).map_err(failed)?;
    drop(out);
    file.complete()?;
    Ok(name)
}
