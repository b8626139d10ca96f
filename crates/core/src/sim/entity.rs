//! An entity's state, except its motion.

use super::*;

/// An entity's id: counted from 1 in the order of creation, never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityId(pub u32);

impl EntityId {
    /// The level itself. Its script is called and receives events, but it has no body.
    pub const LEVEL: Self = Self(0);

    /// The index of its entity among some that are sorted by id, if it is one of them.
    #[inline]
    pub(super) fn among(self, entities: &[Entity]) -> Option<usize> {
        // Its place as long as none between the first one and it has despawned.
        let place = self.0.wrapping_sub(entities.first()?.id.0) as usize;
        if entities.get(place).is_some_and(|entity| entity.id == self) {
            return Some(place);
        }
        entities.binary_search_by_key(&self, |entity| entity.id).ok()
    }
}

/// The index of an entity's profile in the stage of a tick: its kind's profile or, if it has overrides, its own behind
/// all of these. It follows from the entity's overrides. Nothing depends on which
/// index it is, so it is not state: it is neither saved nor compared nor hashed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot(u32);

impl Slot {
    /// The slot of the profile with this index.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Index into the profiles of the stage.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl PartialEq for Slot {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// One entity. Its motion is stored in the lane of its model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// Its id, never used again in this world.
    pub id: EntityId,
    /// Its name, unique in the world.
    pub name: Arc<str>,
    /// Its kind's name.
    pub kind: Arc<str>,
    /// The player who controls it, counted from 1.
    pub player: Option<u8>,
    /// The model that moves it.
    pub model: ModelName,
    /// Index into the lane of that model.
    pub(super) place: u32,
    /// The profile that the files define for it, an index into the stage's profiles.
    pub(super) profile: u32,
    /// Its profile with its overrides.
    #[serde(skip)]
    pub(super) slot: Slot,
    /// Index into the stage's starts.
    pub(super) start: u32,
    /// When it spawned, on its clock.
    pub born: ClockTick,
    /// The model set by `me.set_model`, which takes precedence over the rule `model`.
    pub set_model: Option<ModelName>,
    /// The last answer of its rule `model`.
    pub ruled_model: Option<ModelName>,
    /// How it differs in size from its kind, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) posture: Option<Box<Posture>>,
    /// Its script variables.
    pub vars: Vars,
    /// The state that the world stores for its script, if it has one.
    pub(super) script_state: Option<Box<ScriptState>>,
    /// Whether its model may have to change.
    pub(super) model_due: bool,
    /// The model change that was refused and already reported.
    pub(super) refused: Option<ModelName>,
    /// Whether its center is outside the level's bounds.
    pub(super) outside: bool,
    /// Whether its script has despawned it. It leaves the world at the end of the phase.
    pub(super) removed: bool,
    /// Whether it is flying to the destination of a planned jump.
    pub(super) jumping: bool,
    /// The zones that contain its center, in the order of the level file.
    pub(super) zones: Box<[u16]>,
}

impl Entity {
    /// Whether a script spawned it. It then has no start in the level.
    pub fn is_created(&self) -> bool {
        self.script_state.as_ref().is_some_and(|state| state.spawned_at.is_some())
    }

    /// Whether its scripts are disabled until the next reload because they failed too often.
    pub fn quarantined(&self) -> bool {
        self.script_state.as_ref().is_some_and(|state| state.is_disabled())
    }

    /// Whether its lowest script is disabled. Mods' scripts above it may still run.
    pub fn lowest_disabled(&self) -> bool {
        let state = self.script_state.as_ref();
        state.is_some_and(|state| state.failures.quarantined)
    }

    /// What it has because of scripts of mods above the lowest one, the lowest of these first.
    pub fn layers(&self) -> &[LayerState] {
        self.script_state.as_ref().map_or(&[], |state| state.layers.as_slice())
    }

    /// Its running sequences.
    pub fn frames(&self) -> &[SequenceFrame] {
        self.script_state.as_ref().map_or(&[], |state| state.frames.as_slice())
    }

    /// The layers as tests read them: by name, a map with `vars` each.
    pub fn layer_values(&self) -> BTreeMap<String, Value> {
        let layers = self.layers().iter();
        layers.map(|layer| (layer.name.to_string(), layer.to_value())).collect()
    }

    /// Whether it has to be looked at as a tick begins, although no script has decided anything about it.
    #[inline]
    pub(super) fn is_pending(&self) -> bool {
        self.outside || self.removed || self.model_due
    }

    /// Its script state, which is added if it has none.
    pub(super) fn script_state_mut(&mut self) -> &mut ScriptState {
        self.script_state.get_or_insert_default()
    }

    /// The model it should have: `ballistic` during a planned jump, else the one its script has
    /// set, else its rule's answer, else `default`.
    pub(super) fn wanted_model(&self, default: ModelName) -> ModelName {
        if self.jumping {
            return ModelName::ballistic;
        }
        self.set_model.or(self.ruled_model).unwrap_or(default)
    }
}
