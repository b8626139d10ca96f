//! A sound of the game folder, and what names it.

use std::{collections::BTreeMap, fmt, sync::Arc};

/// A sound: decoded, or an OGG file.
#[derive(Clone, PartialEq)]
pub struct Sound {
    /// Samples of a channel per second.
    pub rate: u32,
    /// The number of channels, 1 or 2.
    pub channels: u16,
    /// The samples, -1 to 1, with the channels interleaved.
    pub samples: Vec<f32>,
    /// The bytes of an OGG file with Vorbis, which is decoded while it plays: then there are no samples. Empty for
    /// others.
    pub ogg: Vec<u8>,
}

impl fmt::Debug for Sound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rate, channels, .. } = self;
        write!(f, "Sound({} s, {rate} Hz, {channels})", self.seconds())
    }
}

impl Sound {
    /// How long it is; 0 for an OGG file.
    pub fn seconds(&self) -> f64 {
        let frames = self.samples.len() as f64 / f64::from(self.channels.max(1));
        frames / f64::from(self.rate.max(1))
    }
}

/// What a table `[sounds]` says about a name.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundCue {
    /// The path of the file below `sounds/`.
    pub file: Box<str>,
    /// How loud it is, 0 to 1.
    pub volume: f64,
}

/// A table `[sounds]`: by the names of events or of sounds that scripts play.
pub type SoundCues = BTreeMap<Box<str>, SoundCue>;

/// Everything that can be heard in a level.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoundBank {
    /// The sounds that could be read, by their paths below `sounds/`.
    pub files: BTreeMap<Box<str>, Arc<Sound>>,
    /// The tables of kinds.
    pub kinds: BTreeMap<Box<str>, SoundCues>,
    /// The table of the game, for what a kind does not say and for the level.
    pub game: SoundCues,
}

impl SoundBank {
    /// Whether nothing can be heard.
    pub fn is_silent(&self) -> bool {
        self.kinds.is_empty() && self.game.is_empty()
    }

    /// What a name means for an entity of a kind, or for the level.
    pub fn cue(&self, kind: Option<&str>, name: &str) -> Option<&SoundCue> {
        let own = kind.and_then(|kind| self.kinds.get(kind)?.get(name));
        own.or_else(|| self.game.get(name))
    }
}
