//! Saved worlds, as bytes that a client keeps.

use super::error::ServiceError;
use super::input_queue::InputQueue;
use crate::project::Revision;
use crate::script::host::Settings;
use crate::script::host::text::{cut_name, printable_name};
use crate::sim::{Inputs, PlayerInput, SavedWorld, Value, Vars, World};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};
use std::io::Read as _;

/// The version of the format.
const VERSION: u32 = 1;

/// The largest saved world, before compression, in bytes. It bounds the memory that a snapshot takes while it is read.
const MOST_BYTES: u64 = 64 << 20;

/// What is written. The names are those of [`SavedSnapshot`].
#[derive(Serialize)]
struct WrittenSnapshot<'a> {
    snapshot: u32,
    hangtime: &'a str,
    start: &'a str,
    level: &'a str,
    tick_hz: u32,
    settings: &'a Settings,
    inputs: Vec<(u64, &'a Inputs)>,
    world: &'a World,
}

/// What is read, before the world is checked against its level.
#[derive(Deserialize)]
pub(super) struct SavedSnapshot {
    /// The level that the world was created with.
    pub start: String,
    /// The level that it plays.
    pub level: String,
    /// Its tick rate.
    pub tick_hz: u32,
    /// Its settings.
    pub settings: Settings,
    inputs: Vec<(u64, SavedInputs)>,
    /// The world.
    pub world: SavedWorld,
}

/// The inputs of all players, as [`Inputs`] are written.
#[derive(Deserialize)]
struct SavedInputs {
    players: Vec<PlayerInput>,
}

/// The beginning of every snapshot, so that another format is recognized before it is read.
#[derive(Deserialize)]
struct SnapshotVersion {
    snapshot: u32,
    hangtime: String,
}

/// Saves a world that was created with the level `start`, with the inputs that it has yet to play.
pub(super) fn write(
    start: &str,
    settings: &Settings,
    revision: &Revision,
    world: &World,
    queue: &InputQueue,
) -> Result<Vec<u8>, ServiceError> {
    let written = WrittenSnapshot {
        snapshot: VERSION,
        hangtime: env!("CARGO_PKG_VERSION"),
        start,
        level: &revision.stage.level.name,
        tick_hz: revision.stage.hz,
        settings,
        inputs: queue.rest(world.ticks()).collect(),
        world,
    };
    let failed = |error: &dyn std::fmt::Display| {
        ServiceError::Snapshot(format!("the world cannot be saved: {error}"))
    };
    let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
    serde_json::to_writer(&mut out, &written).map_err(|error| failed(&error))?;
    out.finish().map_err(|error| failed(&error))
}

/// Reads a snapshot.
pub(super) fn read(bytes: &[u8]) -> Result<SavedSnapshot, ServiceError> {
    let wrong = |why: String| ServiceError::Snapshot(format!("this is not a snapshot: {why}"));
    let mut text = Vec::new();
    let mut decoder = ZlibDecoder::new(bytes).take(MOST_BYTES + 1);
    let read = decoder.read_to_end(&mut text);
    read.map_err(|error| wrong(format!("it is damaged ({error})")))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(ServiceError::Limit(format!(
            "the snapshot is larger than {} MB",
            MOST_BYTES >> 20
        )));
    }
    let damaged = |error: serde_json::Error| wrong(format!("it is damaged ({error})"));
    let version: SnapshotVersion = serde_json::from_slice(&text).map_err(damaged)?;
    if version.snapshot != VERSION {
        let from = cut_name(&version.hangtime);
        return Err(ServiceError::Snapshot(format!(
            "the snapshot has format {}, of hangtime {}; this hangtime reads format {VERSION}",
            version.snapshot,
            printable_name(&from)
        )));
    }
    serde_json::from_slice(&text).map_err(damaged)
}

/// Checks that the variables of a saved world are as small as scripts can make them.
///
/// # Errors
/// Whose are larger.
pub(super) fn check_vars(world: &World, revision: &Revision) -> Result<(), ServiceError> {
    let most = revision.scripts.kept_values() as u64;
    let count = |vars: &Vars| -> u64 { vars.0.to_plain().values().map(Value::count).sum() };
    let entities = world.entities().iter().map(|e| (&*e.name, &e.vars));
    let level = world.level_vars().map(|vars| ("the level", vars));
    for (name, vars) in entities.chain(level) {
        let count = count(vars);
        if count > most {
            return Err(ServiceError::Snapshot(format!(
                "the snapshot does not fit: the variables of {} hold {count} values; `kept_values` in `[scripts]` allows \
                 {most}",
                printable_name(&cut_name(name))
            )));
        }
    }
    Ok(())
}

impl SavedSnapshot {
    /// The inputs that it has yet to play, from tick 0 on.
    pub(super) fn queue(&mut self) -> Result<InputQueue, ServiceError> {
        let inputs = std::mem::take(&mut self.inputs).into_iter();
        let inputs = inputs.map(|(ticks, inputs)| (ticks, inputs.players));
        InputQueue::restored(inputs.collect())
            .map_err(|why| ServiceError::Snapshot(format!("the snapshot {why}")))
    }
}
