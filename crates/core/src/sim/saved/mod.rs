//! Loading saved worlds: everything in them is checked against the stage first.

mod entity;
mod events;
mod script;
mod world;

use super::contacts::Contacts;
use super::drawing::Drawing;
use super::journal::Journal;
use super::kept::KeptValues;
use super::overrides::OverrideCache;
use super::passage::Passage;
use super::population::Population;
use super::script_state::LevelState;
use super::sounding::Sounding;
use super::stage::Stage;
use super::switches::Switches;
use super::timers::Timers;
use super::world::{TickBuffers, World};
use crate::models::saved::SavedError;
use serde::Deserialize;
pub use world::MOST_TICKS;

/// A world as it was saved. It may come from a stranger or another version of the game, so it can
/// only be played after [`check`](Self::check).
#[derive(Clone, Debug, Deserialize)]
pub struct SavedWorld(#[serde(with = "Fields")] World);

/// The fields of a [`World`]: worlds are only made by [`World::new`] and [`SavedWorld::check`].
#[derive(Deserialize)]
#[serde(remote = "World")]
struct Fields {
    tick: u64,
    seed: u64,
    population: Population,
    journal: Journal,
    level: LevelState,
    timers: Timers,
    switches: Switches,
    contacts: Contacts,
    #[serde(default)]
    kept: KeptValues,
    #[serde(default)]
    passage: Passage,
    surface_keys: Vec<u64>,
    #[serde(skip)]
    overrides: OverrideCache,
    #[serde(skip)]
    buffers: TickBuffers,
    #[serde(skip)]
    drawing: Drawing,
    #[serde(skip)]
    sounding: Sounding,
}

impl SavedWorld {
    /// The world, ready to be played under this stage: the one under which it was saved, or an
    /// equal one.
    ///
    /// # Errors
    /// The first field that does not fit the stage, or that no world has.
    pub fn check(self, stage: &Stage) -> Result<World, SavedError> {
        let mut world = self.0;
        world::check(&world, stage)?;
        // Points entities to their profiles.
        world.tuned_stage(stage);
        Ok(world)
    }
}
