//! What scripts keep beyond the level, for the player of the session.

use super::bench::Workbench;
use super::session_outputs::KeptFile;
use super::timeline::Timeline;
use hangtime_game::PlayerSaves;

/// Seconds between two writes of the file.
const BETWEEN: f64 = 1.0;

impl Workbench {
    /// Begins the level with what a player has kept, and saves what changes about it from now on. Call it before the first
    /// frame.
    pub fn keep_for(&mut self, saves: PlayerSaves) {
        self.live.set_kept(saves.kept().clone());
        self.line = Timeline::new(&self.live);
        self.outputs.kept = Some(KeptFile { newest: saves.kept().clone(), saves, due: 0.0, failed: false });
    }

    /// Continues with what was kept in another level.
    pub(super) fn keep_like(&mut self, other: &mut Self) {
        other.save_kept(true);
        if let Some(file) = other.outputs.kept.take() {
            self.keep_for(file.saves);
            // It may be that the file could not be written.
            self.live.set_kept(file.newest);
            self.line = Timeline::new(&self.live);
            self.note_kept();
        }
    }

    /// Notes what is kept after a tick that was played, and not only looked at again, as in a loop.
    pub(super) fn note_kept(&mut self) {
        if self.marks.looping.is_none()
            && let Some(file) = &mut self.outputs.kept
        {
            file.newest = self.live.world().kept().clone();
        }
    }

    /// Saves what is kept if it has changed: at most once a second, or `now`.
    pub fn save_kept(&mut self, now: bool) {
        let Some(file) = &mut self.outputs.kept else {
            return;
        };
        if file.saves.kept().is_shared_with(&file.newest) || (!now && self.now < file.due) {
            return;
        }
        file.due = self.now + BETWEEN;
        match file.saves.save(&file.newest) {
            Ok(()) => file.failed = false,
            Err(_) if file.failed => {}
            Err(error) => {
                file.failed = true;
                self.warn(format!("what scripts keep is not saved: {error}"));
            }
        }
    }
}
