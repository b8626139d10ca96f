//! When the rules `model` and `jump_windows` are due: as soon as their answers could change.

use super::layer_state::LayerState;
use super::value::Vars;
use super::view::EntityView;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything that the answers of `model` and `jump_windows` may depend on. The values themselves
/// are stored, not a digest: two different states must never pass for the same one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    surface: Arc<str>,
    grounded: bool,
    zones: Arc<[Arc<str>]>,
    /// The script variables.
    pub vars: Vars,
    /// Those of the scripts above the lowest one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<Vars>,
}

impl Conditions {
    /// Whether an entity with this view, these variables and these layers is still under these conditions.
    pub fn hold(&self, view: &EntityView, vars: &Vars, layers: &[LayerState]) -> bool {
        let mut pairs = self.layers.iter().zip(layers);
        self.grounded == view.grounded
            && self.surface == view.surface
            && self.zones == view.zones
            && self.vars.0.same_as(&*vars.0)
            && self.layers.len() == layers.len()
            && pairs.all(|(known, layer)| known.0.same_as(&*layer.vars.0))
    }

    /// Makes these the conditions of an entity with this view, these variables and these layers. Only the
    /// variables that differ are copied.
    pub fn record(&mut self, view: &EntityView, vars: &Vars, layers: &[LayerState]) {
        self.grounded = view.grounded;
        self.surface.clone_from(&view.surface);
        self.zones.clone_from(&view.zones);
        vars.0.snapshot_into(&mut self.vars.0);
        self.layers.resize_with(layers.len(), Vars::default);
        for (known, layer) in self.layers.iter_mut().zip(layers) {
            layer.vars.0.snapshot_into(&mut known.0);
        }
    }
}

/// Under which conditions an entity's rules were last asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum LastAsked {
    /// Not since the entity spawned or its files changed: they are due.
    #[default]
    Never,
    /// Its script has no such rules.
    WithoutRules,
    /// Under these. The rules are due when they no longer hold.
    Under(Conditions),
}

impl LastAsked {
    /// Whether the rules are due in any case.
    pub const fn is_never(&self) -> bool {
        matches!(self, Self::Never)
    }
}
