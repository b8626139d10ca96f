//! What can be heard of a tick.

use super::session::Live;
use crate::files::{Sound, SoundCue};
use glam::DVec2;
use hangtime_core::sim::{AskedSound, EntityId, Event, SoundOrder};
use std::sync::Arc;

/// A sound of a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct HeardSound {
    /// Its name in a table `[sounds]`.
    pub name: Box<str>,
    /// What is played; `None` if its file cannot be read.
    pub sound: Option<Arc<Sound>>,
    /// How loud it is, 0 to 1.
    pub volume: f64,
    /// How many times as fast it is played.
    pub pitch: f64,
    /// Where in the level it is heard, px; `None` for everywhere.
    pub at: Option<DVec2>,
    /// Whether it is the music, which begins again at its end.
    pub music: bool,
}

impl Live {
    /// What can be heard of the last tick: the sounds of its events, and sounds that scripts have asked for. They are
    /// not part of the game.
    pub fn heard(&self) -> Vec<HeardSound> {
        let bank = &self.revision().sounds;
        if bank.is_silent() {
            return Vec::new();
        }
        let world = self.world();
        let of_events = world.events().iter().filter_map(|event| self.sound_of(event));
        let asked = world.sounding().asked().iter().filter_map(|asked| self.asked_sound(asked));
        of_events.chain(asked).collect()
    }

    /// The music that plays.
    pub fn music(&self) -> Option<HeardSound> {
        self.asked_sound(self.world().sounding().music()?)
    }

    fn asked_sound(&self, asked: &AskedSound) -> Option<HeardSound> {
        let SoundOrder { name, volume, pitch, at, music } = &asked.order;
        let cue = self.revision().sounds.cue(asked.kind.as_deref(), name)?;
        let sound = self.heard_sound(name, cue);
        Some(HeardSound { volume: sound.volume * volume, pitch: *pitch, at: *at, music: *music, ..sound })
    }

    /// The sound of an event; `None` if it has none.
    pub fn sound_of(&self, event: &Event) -> Option<HeardSound> {
        let bank = &self.revision().sounds;
        let name = event.kind.name();
        let cue = bank.cue(self.kind_of(event.entity), name)?;
        Some(self.heard_sound(name, cue))
    }

    fn heard_sound(&self, name: &str, cue: &SoundCue) -> HeardSound {
        HeardSound {
            name: name.into(),
            sound: self.revision().sounds.files.get(&cue.file).cloned(),
            volume: cue.volume,
            pitch: 1.0,
            at: None,
            music: false,
        }
    }

    /// The kind of an entity, even if it has despawned in the last tick; `None` for the level.
    fn kind_of(&self, id: EntityId) -> Option<&str> {
        if id == EntityId::LEVEL {
            return None;
        }
        let entities = self.world().entities();
        match entities.binary_search_by_key(&id, |entity| entity.id) {
            Ok(index) => Some(&entities[index].kind),
            Err(_) => self.world().sounding().kind_of_gone(id).map(|kind| &**kind),
        }
    }
}
