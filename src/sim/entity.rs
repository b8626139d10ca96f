//! What the world knows of an entity beside its motion.

use super::Vars;
use super::script_state::ScriptState;
use crate::models::ModelName;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An entity's number: from 1, in the order of creation, never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EntityId(pub u32);

impl EntityId {
    /// The level itself, whose script has turns and events of its own but no body.
    pub const LEVEL: Self = Self(0);
}

/// One entity. Its motion lies in the lane of its model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entity {
    /// Its number.
    pub id: EntityId,
    /// Its name, unique in the world.
    pub name: Arc<str>,
    /// Its kind's name.
    pub kind: Arc<str>,
    /// The player who controls it, from 1.
    pub player: Option<u8>,
    /// Which model moves it.
    pub model: ModelName,
    /// Its place in the lane of that model.
    pub(super) place: u32,
    /// Index into the stage's profiles.
    pub(super) profile: u32,
    /// Index into the stage's starts.
    pub(super) start: u32,
    /// The tick at which it was born.
    pub born: u64,
    /// The model that its script has set, which wins over the rule.
    pub set_model: Option<ModelName>,
    /// The last answer of its rule `model`.
    pub ruled_model: Option<ModelName>,
    /// Its own variables.
    pub vars: Vars,
    /// What it has because of its script, if it has one.
    pub(super) script_state: Option<Box<ScriptState>>,
    /// Whether its model may have to change.
    pub(super) model_due: bool,
    /// The model change that was refused and already told of.
    pub(super) refused: Option<ModelName>,
    /// Whether it is outside the level's bounds.
    pub(super) outside: bool,
    /// Whether its script has removed it; it is taken out when the phase ends.
    pub(super) removed: bool,
    /// Whether it is on its way to where a jump was aimed.
    pub(super) jumping: bool,
    /// The zones that its center is in, in the order of the level file.
    pub(super) zones: Box<[u16]>,
}

impl Entity {
    /// Whether a script has brought it into the world, so that it has no start in the level.
    #[must_use]
    pub fn is_created(&self) -> bool {
        self.script_state
            .as_ref()
            .is_some_and(|own| own.created.is_some())
    }

    /// Whether its script has failed so often that it is not called any more until the next reload.
    #[must_use]
    pub fn quarantined(&self) -> bool {
        self.script_state
            .as_ref()
            .is_some_and(|own| own.quarantined)
    }

    /// What it has because of its script; from now on it has some.
    pub(super) fn script_state_mut(&mut self) -> &mut ScriptState {
        let base = self.profile;
        self.script_state.get_or_insert_with(|| {
            Box::new(ScriptState {
                base,
                ..ScriptState::default()
            })
        })
    }

    /// The model it should have: on its way to where a jump was aimed that which flies; else set by
    /// its script, else ruled by its script, else `default`.
    #[must_use]
    pub(super) fn wanted_model(&self, default: ModelName) -> ModelName {
        if self.jumping {
            return ModelName::ballistic;
        }
        self.set_model.or(self.ruled_model).unwrap_or(default)
    }
}
