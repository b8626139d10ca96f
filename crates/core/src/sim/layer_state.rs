//! The scripts of mods above an entity's lowest one: each has its own variables, random stream and failures.

use super::Digest;
use super::failure_count::FailureCount;
use super::value::{Value, Vars};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A script above the lowest one of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct ScriptLayer {
    /// The layer's name: that of its mod.
    pub name: Arc<str>,
    /// Initial values of its variables.
    pub vars: BTreeMap<String, Value>,
}

/// The state that an entity has because of a script above the lowest one. During a call it is in the
/// [`Decision`](super::Decision).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerState {
    /// The layer's name.
    pub name: Arc<str>,
    /// Its variables.
    pub vars: Vars,
    /// How many numbers have been drawn from its random stream.
    #[serde(default)]
    pub random: u64,
    /// In how many ticks in a row it has failed.
    #[serde(default)]
    pub(super) failures: FailureCount,
    /// What the running call has done with this layer.
    #[serde(skip)]
    pub outcome: LayerOutcome,
}

/// Whether a hook of a script was called, and whether one failed. This is no state: between two calls it means nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayerOutcome {
    /// Whether a hook was called.
    pub called: bool,
    /// Whether a hook failed.
    pub failed: bool,
}

impl PartialEq for LayerOutcome {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl LayerState {
    fn new(layer: &ScriptLayer) -> Self {
        Self {
            name: layer.name.clone(),
            vars: Vars::plain(layer.vars.clone()),
            random: 0,
            failures: FailureCount::default(),
            outcome: LayerOutcome::default(),
        }
    }

    /// Whether its script is disabled until the next reload because it failed too often.
    pub fn is_disabled(&self) -> bool {
        self.failures.quarantined
    }

    /// The layer as tests read it: a map with its `vars`.
    pub(super) fn to_value(&self) -> Value {
        let vars = Value::Map(self.vars.0.to_plain());
        Value::Map(BTreeMap::from([("vars".to_string(), vars)]))
    }

    /// Feeds the layer into a hash.
    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.text(&self.name);
        self.vars.0.digest(digest);
        digest.word(self.random);
        self.failures.digest(digest);
    }
}

/// The initial state of a kind's layers.
pub(super) fn new_layers(layers: &[ScriptLayer]) -> Vec<LayerState> {
    layers.iter().map(LayerState::new).collect()
}

/// Continues with the layers of a changed kind: each keeps its state by its name, and those that failed are tried again.
pub(super) fn adopt_layers(states: &mut Vec<LayerState>, layers: &[ScriptLayer]) {
    let mut known = std::mem::take(states);
    for layer in layers {
        let place = known.iter().position(|state| state.name == layer.name);
        let mut state = place.map_or_else(|| LayerState::new(layer), |at| known.swap_remove(at));
        state.vars.0.fill(&layer.vars);
        state.failures.forgive();
        states.push(state);
    }
}
