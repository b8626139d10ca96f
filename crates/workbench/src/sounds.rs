//! What is heard of the game: only new ticks at normal speed, so that going through time is silent.

use super::*;
use hangtime_core::geometry::grid::Bounds;

/// A sound that is heard.
#[derive(Clone, Debug)]
pub struct AudibleSound {
    /// What is played.
    pub sound: Arc<Sound>,
    /// How loud it is, 0 to 1.
    pub volume: f64,
    /// How many times as fast it is played.
    pub pitch: f64,
    /// Where in the level it is heard, px; `None` for everywhere.
    pub at: Option<DVec2>,
}

impl PartialEq for AudibleSound {
    /// Sounds are compared by where they are in memory, which says the same and takes no time.
    fn eq(&self, other: &Self) -> bool {
        let Self { sound, volume, pitch, at } = self;
        Arc::ptr_eq(sound, &other.sound) && (*volume, *pitch, *at) == (other.volume, other.pitch, other.at)
    }
}

impl AudibleSound {
    /// How loud it is on the left and on the right for a person who sees this part of the level, 0 to 1. In the picture
    /// a sound is as loud as it is; a picture's width or height beyond its edge it is silent.
    pub fn sides(&self, shown: &Bounds) -> [f64; 2] {
        let Some(at) = self.at else {
            return [self.volume; 2];
        };
        let half = ((shown.max - shown.min) * 0.5).max(DVec2::splat(f64::MIN_POSITIVE));
        let away = (at - (shown.min + shown.max) * 0.5) / half;
        let beyond = (away.abs() - 1.0).max_element().max(0.0);
        let volume = self.volume * (1.0 - beyond * 0.5).max(0.0);
        [-away.x, away.x].map(|side| volume * (1.0 + side.clamp(-1.0, 0.0)))
    }
}

/// The sounds since they were last taken. One that is heard several times in the same way is heard once, as loud as the
/// loudest.
#[derive(Default)]
pub struct HeardSounds {
    heard: Vec<AudibleSound>,
    muted: bool,
}

impl HeardSounds {
    /// Adds what is heard of a tick.
    pub fn add(&mut self, live: &Live) {
        if self.muted {
            return;
        }
        for heard in live.heard().into_iter().filter(|heard| heard.volume > 0.0 && !heard.music) {
            let Some(sound) = heard.sound else { continue };
            let HeardSound { volume, pitch, at, .. } = heard;
            let is_same =
                |known: &&mut AudibleSound| Arc::ptr_eq(&known.sound, &sound) && (known.pitch, known.at) == (pitch, at);
            match self.heard.iter_mut().find(is_same) {
                Some(known) => known.volume = known.volume.max(volume),
                None => self.heard.push(AudibleSound { sound, volume, pitch, at }),
            }
        }
    }

    /// Takes all of them, at this volume.
    pub fn take(&mut self, volume: f64) -> Vec<AudibleSound> {
        self.heard.iter_mut().for_each(|own| own.volume *= volume);
        mem::take(&mut self.heard)
    }

    /// The music that plays at this volume.
    pub fn music(&self, live: &Live, volume: f64) -> Option<AudibleSound> {
        let HeardSound { sound, volume: own, pitch, .. } = live.music().filter(|_| !self.muted)?;
        Some(AudibleSound { sound: sound?, volume: own * volume, pitch, at: None })
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
