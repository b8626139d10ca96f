//! Which of several scripts of an entity runs.

use super::*;

/// Where the running script is among several of one entity.
#[derive(Clone, Copy, Debug, Default)]
pub struct LayerPlace<'a> {
    /// All scripts of the entity that is called, the lowest one first. Empty if there is only one.
    pub layers: &'a [ScriptId],
    /// The one that runs, if it was entered.
    pub entered: Option<usize>,
    /// Whether the tick had operations left when the first of them was called. Then all of them are: an event goes to
    /// all layers or to none.
    pub begun: bool,
}

impl<'a> LayerPlace<'a> {
    /// The place before any of these is entered.
    pub fn among(layers: &'a [ScriptId]) -> Self {
        Self { layers, ..Self::default() }
    }

    /// The number of scripts below the one that runs.
    pub fn layer(&self) -> usize {
        self.entered.unwrap_or(0)
    }

    /// Whether the entity has several scripts.
    pub fn is_stacked(&self) -> bool {
        !self.layers.is_empty()
    }
}
