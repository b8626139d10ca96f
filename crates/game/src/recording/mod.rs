//! Recordings: a game as it was played, with everything that it takes to play it again.
//!
//! A recording (`*.run`) is JSON Lines, so that a crash loses at most its last line. The first line says
//! what was played; then come, in the order of the session, revisions and stretches of ticks:
//!
//! ```json
//! {"run":1,"hangtime":"0.1.0","level":"levels/gap.toml","tick_hz":60,"seed":0}
//! {"revision":1,"tick":0,"hash":"0f…","start":"level","settings":[],"changes":[],"files":{"levels/gap.toml":{"blake3":"…","text":"…"}}}
//! {"from":0,"inputs":[[30,"right"],[1,"right jump"]],"hashes":"0f…","moved":[[[1,60.0,19.0,360.0]]]}
//! {"end":31,"hash":"3b…"}
//! ```
//!
//! * A revision holds the texts of the files that differ from the revision before it, so nothing is read from
//!   the game folder to play a recording. `start` says how it begins: `level` at the level's start,
//!   `adopt` with the running world, `world` with the saved world of the line.
//! * A stretch holds the inputs of its ticks, each with the number of ticks in a row that it lasts; the
//!   hash of the world after each tick, 16 hexadecimal digits each; and for each tick the numbers of the
//!   entities that have moved. About every ten seconds it also holds the world at its end.
//! * The last line says that the recording is complete.
//!
//! [`Recorder`] writes recordings, [`RecordingReader`] reads them.

mod bounded;
mod input_runs;
mod inputs;
mod limits;
mod line;
mod paths;
mod reader;
mod recorder;
mod rows;

pub use inputs::text_of;
pub use line::{
    RecordedRevision, RecordedTicks, RecordedWorld, RecordingHeader, RecordingLine, RevisionStart, from_hex, hex,
};
pub use reader::{RecordedFiles, RecordingReader};
pub use recorder::Recorder;
pub use rows::{EntityRow, ROW_FIELDS, TickRows, rows_of};
