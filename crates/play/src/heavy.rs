//! Heavy mode: a twin of the game is saved and loaded before every tick, and must not differ.

use super::*;
use hangtime_core::sim::SavedWorld;

/// A twin of a running level that is saved before every tick, loaded into a new game, and played
/// on from there. The level itself is not disturbed.
pub struct HeavyTwin {
    twin: Live,
    /// The saved world of a tick; keeps its memory.
    saved: Vec<u8>,
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

    /// The twin, for what changes the level itself between two ticks.
    pub fn twin(&mut self) -> &mut Live {
        &mut self.twin
    }

    /// Saves the twin's world and loads it.
    fn reload(&mut self) -> Result<(), Divergence> {
        let before = self.twin.world();
        let fail = |problem: String| diverged(before.ticks(), FieldDifference::default(), &problem);
        self.saved.clear();
        let written = serde_json::to_writer(&mut self.saved, before);
        written.map_err(|error| fail(format!("the world cannot be saved: {error}")))?;
        // Worlds are read from texts everywhere: code that reads them from bytes would be another copy of all of it.
        let text = str::from_utf8(&self.saved).unwrap_or_default();
        let read = serde_json::from_str::<SavedWorld>(text);
        let read = read.map_err(|error| fail(format!("the world cannot be loaded: {error}")))?;
        let revision = self.twin.revision().clone();
        let world = read.check(&revision.stage).map_err(|error| fail(error.to_string()))?;
        compare("when it was saved", before, &world)?;
        self.twin.resume_with(revision, world);
        Ok(())
    }
}

/// Makes one tick, with the twin if there is one.
///
/// # Errors
/// The first difference of the twin.
pub fn step(live: &mut Live, twin: &mut Option<HeavyTwin>, inputs: &Inputs) -> Result<(), Divergence> {
    match twin {
        Some(twin) => twin.step(live, inputs),
        None => {
            live.step(inputs);
            Ok(())
        }
    }
}

/// Compares two worlds that must be equal.
fn compare(expected_when: &str, expected: &World, got: &World) -> Result<(), Divergence> {
    if expected.hash() == got.hash() && expected == got {
        return Ok(());
    }
    let found = world_difference(&world_value(expected), got).unwrap_or_default();
    let problem = match found.field.as_str() {
        "" => "the hashes differ, although all fields are equal".into(),
        field => format!("`{field}` is {} after loading; {expected_when} it is {}", found.got, found.expected),
    };
    Err(diverged(expected.ticks(), found, &problem))
}

fn diverged(tick: u64, found: FieldDifference, problem: &str) -> Divergence {
    Divergence::new(tick, found, format!("the saved world played on differently: tick {tick}: {problem}"))
}
