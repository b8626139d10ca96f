//! What an engine belongs to.

use super::*;

/// What an engine belongs to: a page that plays by itself, or a service with a game folder.
pub trait PageHost: Send {
    /// The time in seconds since any moment.
    fn now(&self) -> f64;

    /// The files of the game that is played unless the page brings one, by their paths below the game folder.
    ///
    /// # Errors
    /// The first file that cannot be read.
    fn files(&mut self) -> Result<BTreeMap<String, Vec<u8>>, Error>;

    /// Keeps a file that the page has changed, or removed if there are no `bytes`.
    ///
    /// # Errors
    /// Why it cannot be kept. The page does not change it then.
    fn keep(&mut self, path: &str, bytes: Option<&[u8]>) -> Result<(), String>;

    /// Whether files may have been saved elsewhere since the last call.
    fn has_saved_files(&mut self) -> bool;

    /// The worlds that others play: numbers, and the levels that they began with.
    fn worlds(&self) -> Vec<(u64, String)>;

    /// One of these worlds as it is now; `None` once it has ended.
    fn world(&mut self, number: u64) -> Option<Live>;
}
