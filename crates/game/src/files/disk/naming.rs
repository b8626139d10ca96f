//! The names of files in messages.

use super::file_system::FileSystem;
use std::path::Path;

/// A file's name in messages: its path below a folder with `/`, or its full path.
pub(crate) fn name_in(fs: &dyn FileSystem, root: &Path, path: &Path) -> String {
    let resolved = || {
        let (root, path) = (fs.resolve(root).ok()?, fs.resolve(path).ok()?);
        path.strip_prefix(root).ok().map(Path::to_path_buf)
    };
    let below = path.strip_prefix(root).map(Path::to_path_buf).ok().or_else(resolved);
    let name = below.unwrap_or_else(|| path.to_path_buf()).display().to_string();
    if cfg!(windows) { name.replace('\\', "/") } else { name }
}
