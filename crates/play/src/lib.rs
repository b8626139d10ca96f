//! Playing games without a window: runs, tests, and measurements of how a game feels.
//!
//! This crate plays the revisions of [`hangtime_game`] tick by tick and writes down what happens: traces, pictures,
//! recordings, results of tests, tables and plots. It knows neither windows nor sockets, and reads and writes files only
//! through the game crate. What a command prints and its exit code belong to the program.
//!
//! # Where to start
//!
//! * [`run`] plays a level, and each [`Observer`] sees every tick: [`Trace`], [`Film`], [`RunRecorder`], [`WhyWriter`].
//! * [`collect`] finds the tests of a game, [`TestPlan`] chooses some, and [`run_plan`] runs them on several threads. A test
//!   is a function of a script, an input with its golden trace, or a contract in the file of a kind ([`feel`]). Parts of a
//!   run on several machines ([`Partition`]) write [`ResultsFile`]s, and [`merge`] joins them.
//! * [`ParameterSweep`] plays a level once for each combination of some settings, and [`play_sweep`] all of them.
//! * Two runs that should be equal differ in a [`Divergence`]: a [`Replay`] from its recording, a golden trace from its run,
//!   a level from its [`HeavyTwin`], which is saved and loaded before every tick.
//! * [`profile_table`] and [`speed_table`] say how long scripts take.
//!
//! # Example
//!
//! The first second of a level as a trace, a line of JSON for each tick:
//!
//! ```
//! use hangtime_game::{Live, Project, Track};
//! use hangtime_play::{Trace, TraceOptions, run};
//! use std::sync::Arc;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let project = Project::load("../..")?;
//!     let level = project.find_level("playground")?;
//!     let mut live = Live::new(Arc::new(project.open(&level, &[])?), 0);
//!     let mut trace = Trace::new(Box::new(std::io::stdout()), TraceOptions::default());
//!     run(&mut live, &Track::default(), 60, &mut [&mut trace])?;
//!     assert_eq!(live.world().ticks(), 60);
//!     Ok(trace.finish()?)
//! }
//! ```
//!
//! Scripts need a thread with a stack of [`STACK`](hangtime_script::STACK) bytes.

pub mod calls;
mod command_line;
mod dependence;
mod divergence;
mod editable_number;
pub mod feel;
mod film;
#[cfg(feature = "disk")]
mod flame_graph;
mod game;
mod golden;
mod heavy;
mod in_order;
mod merge;
mod moment;
mod numbers;
mod open_error;
mod outcome;
mod partition;
mod place_blame;
mod play_log;
mod plot;
mod profile;
mod reachable;
mod recorded_input;
mod recorded_play;
mod recorded_run;
mod replay;
mod reports;
mod results;
mod run;
mod runner;
mod screen;
mod shared_bytes;
mod speeds;
mod suite;
mod sweep;
mod test_blame;
mod test_progress;
mod test_recording;
mod test_script;
mod text_table;
mod trace;
mod trace_lines;
mod tuned_number;
mod why;
mod wish;

pub use dependence::{Dependence, MomentPlace, MomentRun, PlaceTracker};
pub use divergence::Divergence;
pub use editable_number::{EditableNumber, UsedTuning};
pub use film::{FILM_FPS, FILM_SIDES, Film, FilmOptions};
#[cfg(feature = "disk")]
pub use flame_graph::flame_graph;
pub use game::TestLevels;
pub use heavy::HeavyTwin;
pub use merge::{MergedResults, merge};
pub use moment::{MomentFinder, RunMoment};
pub use outcome::{GoldenFailure, TestOutcome, TestResult};
pub use partition::{MOST_SLICES, Partition};
pub use place_blame::{PlaceSlope, place_slopes};
pub use play_log::{PlayLog, PlayedLevels};
pub use profile::{hook_cells, nanoseconds, percent, profile_json, profile_table, tick_shares};
pub use reachable::*;
pub use recorded_input::RecordedInput;
pub use recorded_play::{RecordedPlay, RecordedStep};
pub use recorded_run::RunRecorder;
pub use replay::{Replay, ReplayError, ReplayOutcome};
pub use reports::*;
pub use results::{
    CaseOutcome, CaseRecord, RESULTS_VERSION, ResultsCommand, ResultsEnd, ResultsFile, ResultsHeader, ResultsWriter,
    fold_hashes, hex, plan_hash,
};
pub use run::{Observer, run, run_heavy};
pub use runner::*;
pub use screen::{RunPicture, RunScreen, rgb_picture, write_pixels, write_png};
pub use shared_bytes::SharedBytes;
pub use speeds::*;
pub use suite::{TestCase, collect, collect_with, find_cases, update_golden};
pub use sweep::*;
pub use test_blame::{BlamedNumber, TestBlame, TestMiss};
pub use test_recording::TestRecording;
pub use test_script::{KnownFailure, PlayedScript};
pub use text_table::aligned;
pub use trace::{Trace, TraceOptions};
pub use trace_lines::{EntityLine, EventLine, HookLine, KineticsLine, PlainJson, TickLine, VarsLine, WhyLine};
pub use tuned_number::TunedNumber;
pub use why::{WhyTarget, WhyWriter};
pub use wish::*;

use divergence::{FieldDifference, world_difference, world_value};
use glam::DVec2;
use hangtime_core::sim::{Event, Inputs, World, why::Watch};
use hangtime_draw::{DEFAULT_SIZE, Overlays, Picture};
use hangtime_game::{
    Error, HookTimes, InputScript, LevelCache, Live, OtherLevels, Project, Revision, SettingsFrom, TickProfile, Track,
    files,
    recording::{RecordedFiles, Recorder, RecordingLine, RecordingReader, RevisionStart},
};
use hangtime_script::{
    CallRefusal, Diagnostic, Execution, Failure, Fault, Mistakes, Place, Reason, Settings, SourceFile, TestFunction,
    refuse, render_all,
    text::{cut, cut_name, printable_json, printable_name},
};
use heavy::step;
use numbers::rounded;
use parking_lot::Mutex;
use schemars::JsonSchema;
use serde::Serialize;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    io,
    io::Write,
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tiny_skia::Pixmap;
