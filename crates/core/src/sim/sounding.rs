//! The sounds that scripts ask for in a tick. Like what they draw, they are for people who watch: nothing in a tick reads
//! them.

use super::*;

/// The most sounds that scripts can ask for in a tick.
pub const MOST_SOUNDS: usize = 64;

/// A sound that a script asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundOrder {
    /// Its name in a table `[sounds]`.
    pub name: Box<str>,
    /// How loud it is, 0 to 1 times as loud as the table says.
    pub volume: f64,
    /// How many times as fast it is played, and so how many times as high it sounds.
    pub pitch: f64,
    /// Where in the level it is heard, px; `None` for everywhere.
    pub at: Option<DVec2>,
    /// Whether it is the music: it begins again at its end, and takes the place of other music. One without a name ends
    /// it.
    pub music: bool,
}

/// A sound that a script has asked for in the last tick.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedSound {
    /// The entity whose script it was, or the level.
    pub entity: EntityId,
    /// Its kind; `None` for the level.
    pub kind: Option<Arc<str>>,
    /// The sound.
    pub order: SoundOrder,
}

/// What can be heard of a tick besides its events. It is cloned with the world, but it is not part of the state: it is neither saved nor
/// hashed nor compared.
#[derive(Clone, Debug, Default)]
pub struct Sounding {
    asked: Vec<AskedSound>,
    music: Option<AskedSound>,
    /// The kinds of the entities that have despawned.
    gone: Vec<(EntityId, Arc<str>)>,
    refused: Option<Arc<Unshown>>,
}

impl Sounding {
    /// What scripts have asked for in the last tick, in the order of entities; the level's script is the first.
    pub fn asked(&self) -> &[AskedSound] {
        &self.asked
    }

    /// The music, since a script has asked for it.
    pub fn music(&self) -> Option<&AskedSound> {
        self.music.as_ref()
    }

    /// The kind of an entity that has despawned in the last tick.
    pub fn kind_of_gone(&self, id: EntityId) -> Option<&Arc<str>> {
        let gone = self.gone.iter().find(|(of, _)| *of == id);
        gone.map(|(_, kind)| kind)
    }

    /// The first sound since the start or the last change of scripts that is not played because there are too many.
    pub fn refused(&self) -> Option<&Unshown> {
        self.refused.as_deref()
    }

    /// Forgets everything but the music, after a change of the scripts.
    pub(super) fn erase(&mut self) {
        *self = Self { music: self.music.take(), ..Self::default() };
    }

    /// Forgets the last tick.
    pub(super) fn begin_tick(&mut self) {
        self.asked.clear();
        self.gone.clear();
    }

    /// Carries out an order of an entity, or of the level.
    pub(super) fn follow(&mut self, entity: Option<&Entity>, order: &SoundOrder, tick: u64) {
        if order.music && order.name.is_empty() {
            self.music = None;
        } else if self.asked.len() < MOST_SOUNDS {
            let asked = AskedSound {
                entity: entity.map_or(EntityId::LEVEL, |entity| entity.id),
                kind: entity.map(|entity| entity.kind.clone()),
                order: order.clone(),
            };
            if order.music {
                self.music = Some(asked.clone());
            }
            self.asked.push(asked);
        } else if self.refused.is_none() {
            let (owner, name) = (owner_name(entity), &order.name);
            let text = format!(
                "{owner} does not play `{name}`: scripts can play at most {MOST_SOUNDS} sounds in a tick; play one when \
                 something happens, not in every tick"
            );
            self.refused = Some(Arc::new(Unshown { tick, text }));
        }
    }

    /// Remembers the kind of an entity that despawns.
    pub(super) fn leave(&mut self, entity: &Entity) {
        self.gone.push((entity.id, entity.kind.clone()));
    }
}
