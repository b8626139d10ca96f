//! Layer 6: the workbench, where an edit can be judged. It has no window and no clock.
//!
//! A [`Workbench`] runs a level and keeps its past: every input, every revision, and worlds from which each tick
//! of the last minute can be played again, bit for bit. So time can be stopped, stepped and turned back, a
//! stretch between two marks can repeat while files change, and after each edit the stretch is played under
//! the old and the new revision, to compare both paths.
//!
//! The rooms, each using only those above it:
//!
//! * [`InputTape`] holds inputs;
//! * `keyframes` decides which worlds are kept, and [`Timeline`] plays from them;
//! * [`Excerpt`] is a stretch that can be played under any revision;
//! * `measures` measures jumps, and [`Ghost`] is a path with its measures, computed in the background;
//! * `film`, `run_job` and `session_recording` save what was played: as a GIF, and as recordings;
//! * `kept` saves what scripts keep beyond the level;
//! * `log` and `troubles` collect messages; `times` measures scripts;
//! * `heard` and `hearing` collect what is heard of a frame;
//! * [`LevelMenu`] lists the levels of a game;
//! * [`Pads`] turns what gamepads report into keys and sticks;
//! * [`panel`] holds the numbers of the tuning panel;
//! * [`Workbench`] holds everything together: `controls` are its keys, `drag` is its mouse, `edits` adopts revisions, `shown` is what
//!   the window draws.

mod bench;
mod controls;
mod drag;
mod dragged;
mod edits;
mod excerpt;
mod film;
mod frame_changes;
mod ghost_record;
mod ghosts;
mod heard;
mod hearing;
mod hints;
mod job;
mod kept;
mod keyframes;
mod keys;
mod latch;
mod level_menu;
mod level_orders;
mod log;
mod marks;
mod measures;
mod pads;
pub mod panel;
mod run_job;
mod saving;
mod session_outputs;
mod session_recording;
mod shown;
mod speed;
mod tape;
mod timeline;
mod times;
mod troubles;
mod tune;

pub use bench::{STRETCH_SECONDS, TerminalLine, Workbench};
pub use excerpt::{Excerpt, PickedEntity};
pub use frame_changes::FrameChanges;
pub use ghosts::{Ghost, MOST_GHOSTS, PARTED};
pub use keyframes::{DENSE_SECONDS, KEYFRAME_BYTES, KEYFRAME_TICKS, MOST_CHAPTERS, REVISION_BYTES};
pub use keys::{WindowKey, described_keys, key_label, key_labels};
pub use latch::KeyLatch;
pub use level_menu::LevelMenu;
pub use log::{LogKind, LogLine};
pub use measures::{JumpMeasures, JumpPoint, compared};
pub use pads::{MOST_PADS, PadButton, PadChange, PadEvent, PadStick, Pads};
pub use saving::{FILM_SECONDS, RUN_SECONDS};
pub use session_recording::{RecordingOutput, SessionFiles};
pub use shown::BenchPicture;
pub use tape::InputTape;
pub use timeline::Timeline;
