//! The sounds of a frame.

use hangtime_game::{HeardSound, Sound};
use std::sync::Arc;

/// The sounds since they were last taken.
#[derive(Debug, Default)]
pub(super) struct HeardSounds {
    /// Each with its loudest volume.
    of_frame: Vec<(Arc<Sound>, f64)>,
    /// Whether nothing is heard.
    pub muted: bool,
}

impl HeardSounds {
    /// Adds a sound, unless it is there already.
    pub fn add(&mut self, heard: HeardSound) {
        let Some(sound) = heard.sound.filter(|_| heard.volume > 0.0) else {
            return;
        };
        let mut all = self.of_frame.iter_mut();
        match all.find(|(known, _)| Arc::ptr_eq(known, &sound)) {
            Some((_, volume)) => *volume = volume.max(heard.volume),
            None => self.of_frame.push((sound, heard.volume)),
        }
    }

    /// Takes all of them.
    pub fn take(&mut self) -> Vec<(Arc<Sound>, f64)> {
        std::mem::take(&mut self.of_frame)
    }
}
