//! The files that a session writes.

use super::job::SavingJob;
use hangtime_core::sim::KeptValues;
use hangtime_game::PlayerSaves;
use std::path::PathBuf;

/// The files that a session writes, besides its recording.
pub(super) struct SessionOutputs {
    /// Where GIFs and recordings of the last minute are saved.
    pub films: PathBuf,
    /// Files that are being saved.
    pub film: Option<SavingJob>,
    pub recorded: Option<SavingJob>,
    /// What the player has kept.
    pub kept: Option<KeptFile>,
}

/// The file of what a player has kept.
pub(super) struct KeptFile {
    pub saves: PlayerSaves,
    /// What was kept at the newest moment that was played, whichever one is shown.
    pub newest: KeptValues,
    /// Seconds since the start of the session when it may be written again.
    pub due: f64,
    /// Whether it has been reported that it cannot be written.
    pub failed: bool,
}

impl SessionOutputs {
    /// No files yet; GIFs are saved in the folder `films`.
    pub fn new(films: PathBuf) -> Self {
        Self { films, film: None, recorded: None, kept: None }
    }
}
