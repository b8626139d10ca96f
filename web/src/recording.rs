//! Recordings that other JavaScript plays: the package for game libraries.

use super::*;
use hangtime_game::recording::{RecordingReader, hex};
use hangtime_play::{Replay, ReplayOutcome};
use std::io::Cursor;

/// Plays a recording again, with the files in it, and compares the world after each tick. Returns the number of its ticks and
/// the hash at its end, as JSON.
///
/// # Errors
/// The first difference, or why it cannot be played to its end.
#[wasm_bindgen]
pub fn replay(recording: Vec<u8>) -> Result<String, JsError> {
    let reader = RecordingReader::new("recording", Box::new(Cursor::new(recording)))?;
    let mut replay = Replay::new(reader, None);
    let outcome = replay.play(&mut [])?;
    let ticks = replay.ticks();
    match outcome {
        ReplayOutcome::Same { complete: true } => {
            let hash = replay.live().map_or(0, |live| live.world().hash());
            Ok(json(&(ticks, hex(hash))))
        }
        ReplayOutcome::Same { complete: false } => {
            Err(JsError::new(&format!("recording: it was cut after {ticks} ticks; until there it is the same")))
        }
        ReplayOutcome::Differs(difference) => Err(difference.into()),
    }
}
