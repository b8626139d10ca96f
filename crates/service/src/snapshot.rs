//! Saved worlds, as bytes that a client keeps.

use super::*;
use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use hangtime_core::sim::{SavedWorld, Vars, World};
use hangtime_script::calls::{MAX_ALL_TIMERS, MOST_TIMER_DATA};
use std::io::Read as _;

/// The version of the format.
const VERSION: u32 = 1;

/// The largest saved world, before compression, in bytes. It bounds the memory that a snapshot takes while it is read.
const MOST_BYTES: u64 = 64 << 20;

/// A snapshot, with the inputs and the world as they are written, or as they are read, before they are checked.
#[derive(Serialize, Deserialize)]
pub struct WorldSnapshot<I, W> {
    snapshot: u32,
    hangtime: String,
    /// The level that the world was created with.
    pub start: String,
    /// The level that it plays.
    pub level: String,
    /// Its tick rate.
    pub tick_hz: u32,
    /// Its settings.
    pub settings: Settings,
    inputs: Vec<(u64, I)>,
    /// The world.
    pub world: W,
}

/// A snapshot before it is checked.
pub type SavedSnapshot = WorldSnapshot<SavedInputs, SavedWorld>;

/// The inputs of all players, as `Inputs` are written.
#[derive(Deserialize)]
pub struct SavedInputs {
    players: Vec<PlayerInput>,
}

/// The beginning of every snapshot, so that another format is recognized before it is read.
#[derive(Deserialize)]
struct SnapshotVersion {
    snapshot: u32,
    hangtime: String,
}

/// Saves a world that was created with the level `start`, with the inputs that it has yet to play.
pub fn write(
    start: &str,
    settings: &Settings,
    revision: &Revision,
    world: &World,
    queue: &InputQueue,
) -> Result<Vec<u8>, ServiceError> {
    let written = WorldSnapshot {
        snapshot: VERSION,
        hangtime: env!("CARGO_PKG_VERSION").into(),
        start: start.into(),
        level: revision.stage.level.name.to_string(),
        tick_hz: revision.stage.hz,
        settings: settings.clone(),
        inputs: queue.rest(world.ticks()).map(|(ticks, inputs)| (ticks, inputs.in_range())).collect(),
        world,
    };
    let failed = |error: &dyn std::fmt::Display| ServiceError::Snapshot(format!("the world cannot be saved: {error}"));
    let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
    serde_json::to_writer(&mut out, &written).map_err(|error| failed(&error))?;
    out.finish().map_err(|error| failed(&error))
}

/// Reads a snapshot.
pub fn read(bytes: &[u8]) -> Result<SavedSnapshot, ServiceError> {
    let wrong = |why: String| ServiceError::Snapshot(format!("this is not a snapshot: {why}"));
    let mut text = Vec::new();
    let mut decoder = ZlibDecoder::new(bytes).take(MOST_BYTES + 1);
    let read = decoder.read_to_end(&mut text);
    read.map_err(|error| wrong(format!("it is damaged ({error})")))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(ServiceError::Limit(format!("the snapshot is larger than {} MB", MOST_BYTES >> 20)));
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
    let own = env!("CARGO_PKG_VERSION");
    serde_json::from_slice(&text).map_err(|error| match version.hangtime == own {
        true => damaged(error),
        false => ServiceError::Snapshot(format!(
            "this snapshot is of hangtime {}, and hangtime {own} cannot read its world ({error})",
            printable_name(&cut_name(&version.hangtime))
        )),
    })
}

/// Checks that what scripts keep in a saved world is as small as they can make it.
///
/// # Errors
/// What is larger.
pub fn check_sizes(world: &World, revision: &Revision) -> Result<(), ServiceError> {
    let most = revision.scripts.kept_values() as u64;
    let check_vars = |vars: &Vars, owner: &str| {
        let count: u64 = vars.0.to_plain().values().map(Value::weight).sum();
        if count <= most {
            Ok(())
        } else {
            Err(too_large(&format!(
                "the variables of {owner} hold {count} values; `kept_values` in `[scripts]` allows {most}"
            )))
        }
    };
    for entity in world.entities() {
        let name = cut_name(&entity.name);
        check_vars(&entity.vars, &printable_name(&name))?;
        for layer in entity.layers() {
            let mod_name = cut_name(&layer.name);
            let owner = format!("{} in the mod `{}`", printable_name(&name), printable_name(&mod_name));
            check_vars(&layer.vars, &owner)?;
        }
    }
    let level = world.level_vars();
    level.map_or(Ok(()), |vars| check_vars(vars, "the level"))?;
    check_timers(world)
}

fn check_timers(world: &World) -> Result<(), ServiceError> {
    let (most_values, most_text) = MOST_TIMER_DATA;
    let count = world.timer_count();
    if count > MAX_ALL_TIMERS {
        return Err(too_large(&format!("it has {count} timers; there can be at most {MAX_ALL_TIMERS}")));
    }
    for data in world.timer_data() {
        let (values, text) = (data.count(), data.text());
        if values > most_values as u64 || text > most_text as u64 {
            return Err(too_large(&format!(
                "the data of a timer has {values} values and {text} bytes of text; it can have at most {most_values} \
                 values and {most_text} bytes"
            )));
        }
    }
    Ok(())
}

fn too_large(why: &str) -> ServiceError {
    ServiceError::Snapshot(format!("the snapshot does not fit: {why}"))
}

impl SavedSnapshot {
    /// The inputs that it has yet to play, from tick 0 on.
    pub fn queue(&mut self) -> Result<InputQueue, ServiceError> {
        let inputs = mem::take(&mut self.inputs).into_iter();
        let inputs = inputs.map(|(ticks, inputs)| (ticks, inputs.players));
        InputQueue::restored(inputs.collect()).map_err(|why| ServiceError::Snapshot(format!("the snapshot {why}")))
    }
}
