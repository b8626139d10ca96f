//! Heavy mode: a twin of the game is saved and loaded before every tick, and must not differ.

use super::difference::first_value_difference;
use glam::DVec2;
use hangtime_core::sim::{EntityId, Inputs, KeptValues, SavedWorld, Value, World};
use hangtime_game::{Live, Revision};
use std::sync::Arc;

/// A twin of a running level that is saved before every tick, loaded into a new game, and played
/// on from there. The level itself is not disturbed.
pub struct HeavyTwin {
    twin: Live,
    /// The saved world of a tick; keeps its memory.
    saved: Vec<u8>,
}

/// The first difference that saving and loading has made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tick {tick}: {problem}")]
pub struct Divergence {
    /// The number of ticks that both had played.
    pub tick: u64,
    /// The field that differs, with both values, or why the world cannot be saved or loaded.
    pub problem: String,
}

impl HeavyTwin {
    /// A twin of this level as it is now.
    pub fn new(live: &Live) -> Self {
        let mut twin = Live::resume(live.revision().clone(), live.world().clone());
        twin.use_levels(live.levels().cloned());
        Self { twin, saved: Vec::new() }
    }

    /// Makes one tick of both, after the twin was saved and loaded, and compares them.
    ///
    /// # Errors
    /// The first difference. The level itself has made its tick in any case.
    pub fn step(&mut self, live: &mut Live, inputs: &Inputs) -> Result<(), Divergence> {
        let reloaded = self.reload();
        if reloaded.is_ok() {
            self.twin.step(inputs);
        }
        live.step(inputs);
        reloaded?;
        compare("without saving", live.world(), self.twin.world())
    }

    /// Switches the twin to another revision, like the level itself.
    pub fn adopt(&mut self, revision: Arc<Revision>) {
        self.twin.adopt(revision);
    }

    /// Moves an entity of the twin, like that of the level itself.
    pub fn place(&mut self, id: EntityId, at: DVec2) {
        self.twin.place(id, at);
    }

    /// Emits an event in the twin, as in the level itself.
    pub fn emit(&mut self, name: Arc<str>, data: Value) {
        self.twin.emit(name, data);
    }

    /// Keeps values in the twin, as in the level itself.
    pub fn set_kept(&mut self, kept: KeptValues) {
        self.twin.set_kept(kept);
    }

    /// Saves the twin's world and loads it.
    fn reload(&mut self) -> Result<(), Divergence> {
        let before = self.twin.world();
        let tick = before.ticks();
        let fail = |problem: String| Divergence { tick, problem };
        self.saved.clear();
        let written = serde_json::to_writer(&mut self.saved, before);
        written.map_err(|error| fail(format!("the world cannot be saved: {error}")))?;
        let read = serde_json::from_slice::<SavedWorld>(&self.saved);
        let read = read.map_err(|error| fail(format!("the world cannot be loaded: {error}")))?;
        let revision = self.twin.revision().clone();
        let world = read.check(&revision.stage);
        let world = world.map_err(|error| fail(error.to_string()))?;
        compare("when it was saved", before, &world)?;
        self.twin.resume_with(revision, world);
        Ok(())
    }
}

/// Compares two worlds that must be equal.
fn compare(expected_when: &str, expected: &World, got: &World) -> Result<(), Divergence> {
    if expected.hash() == got.hash() && expected == got {
        return Ok(());
    }
    let json = |world: &World| serde_json::to_value(world).unwrap_or_default();
    let problem = match first_value_difference(&json(expected), &json(got)) {
        None => "the hashes differ, although all fields are equal".into(),
        Some((field, [expected, got])) => {
            format!("`{field}` is {got} after loading; {expected_when} it is {expected}")
        }
    };
    Err(Divergence { tick: expected.ticks(), problem })
}
