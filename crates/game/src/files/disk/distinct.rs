//! Outputs of one command are different files.

use super::output::real_target;
use crate::Error;
use hangtime_script::Diagnostic;
use std::path::{Path, PathBuf};

/// Refuses outputs of which two are the same file, in whatever spelling and through whatever links. Pipes and
/// devices can be named more than once.
///
/// # Errors
/// [`Error::Invalid`] with the later one of the two.
pub fn check_distinct<'p>(outputs: impl IntoIterator<Item = &'p Path>) -> Result<(), Error> {
    let mut earlier: Vec<(&Path, OutputIdentity)> = Vec::new();
    for path in outputs {
        let identity = OutputIdentity::of(path);
        let same = earlier.iter().find(|(_, other)| other.is_same(&identity));
        if let Some((other, _)) = same {
            let message = if *other == path {
                "two outputs cannot have the same name".into()
            } else {
                let other = other.display();
                format!("two outputs cannot be the same file: this one is also `{other}`")
            };
            return Err(Diagnostic::about_file(path.display().to_string(), message).into());
        }
        earlier.push((path, identity));
    }
    Ok(())
}

/// What makes a file the same as another one.
struct OutputIdentity {
    target: PathBuf,
    /// The device and number of a file that exists: a name that is a hard link has those of the others.
    inode: Option<(u64, u64)>,
    /// Whether it is neither a file nor a new one, such as `/dev/null`.
    special: bool,
}

impl OutputIdentity {
    fn of(path: &Path) -> Self {
        let target = real_target(path);
        let metadata = target.metadata().ok();
        Self {
            inode: metadata.as_ref().and_then(inode),
            special: metadata.is_some_and(|metadata| !metadata.is_file() && !metadata.is_dir()),
            target,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        !self.special && (self.target == other.target || (self.inode.is_some() && self.inode == other.inode))
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no such numbers")]
fn inode(metadata: &std::fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn inode(_: &std::fs::Metadata) -> Option<(u64, u64)> {
    None
}
