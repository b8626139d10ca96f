//! What is heard of the game: only new ticks at normal speed, so that going through time is silent.

use super::*;

/// The sounds since they were last taken, each once with its loudest volume.
#[derive(Default)]
pub struct HeardSounds {
    heard: Vec<(Arc<Sound>, f64)>,
    muted: bool,
}

impl HeardSounds {
    /// Adds what is heard of a tick.
    pub fn add(&mut self, live: &Live) {
        if self.muted {
            return;
        }
        for heard in live.heard().into_iter().filter(|heard| heard.volume > 0.0) {
            let Some(sound) = heard.sound else { continue };
            match self.heard.iter_mut().find(|(known, _)| Arc::ptr_eq(known, &sound)) {
                Some((_, volume)) => *volume = volume.max(heard.volume),
                None => self.heard.push((sound, heard.volume)),
            }
        }
    }

    /// Takes all of them, at this volume.
    pub fn take(&mut self, volume: f64) -> Vec<(Arc<Sound>, f64)> {
        self.heard.iter_mut().for_each(|(_, own)| *own *= volume);
        mem::take(&mut self.heard)
    }

    pub fn is_muted(&self) -> bool {
        self.muted
    }

    /// Hears nothing from now on, or everything.
    pub fn mute(&mut self, muted: bool) {
        self.muted = muted;
        if muted {
            self.heard.clear();
        }
    }
}
