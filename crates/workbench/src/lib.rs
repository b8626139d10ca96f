//! The workbench, where an edit can be judged: live tools for a running game.
//!
//! A [`Workbench`] plays a level and keeps its past: every input, every revision, and worlds from which each tick
//! of the last minute can be played again, bit for bit. So time can be stopped, stepped and turned back, a
//! stretch between two marks can repeat while files change, and after each edit the stretch is played under
//! the old and the new revision, to compare both paths.
//!
//! It knows no window, no device and no clock. Keys, inputs, notices of the reloader and the time are passed in; a
//! [`BenchFrame`] holds everything that a picture shows, and texts for the terminal and sounds are taken out.
//!
//! ```
//! # fn main() {
//! # let stack = std::thread::Builder::new().stack_size(hangtime_script::STACK);
//! # stack.spawn(play).unwrap().join().unwrap();
//! # }
//! # fn play() {
//! use hangtime_core::sim::Inputs;
//! use hangtime_workbench::{WindowKey, Workbench};
//! use std::sync::Arc;
//!
//! let root = hangtime_game::unpack_playground().expect("a copy of the playground");
//! let project = hangtime_game::Project::load(&*root).expect("a game folder");
//! let level = project.find_level("playground").expect("its level");
//! let revision = Arc::new(project.open(&level, &[]).expect("good files"));
//! let mut bench = Workbench::new(revision, root.clone(), false);
//! for frame in 0..60 {
//!     bench.frame(f64::from(frame) / 60.0, &mut |_keys| Inputs::none());
//! }
//! // Time stops, and goes back a tick.
//! bench.press(WindowKey::StepBack);
//! bench.frame(1.0, &mut |_keys| Inputs::none());
//! assert_eq!((bench.position(), bench.timeline().end()), (59, 60));
//! # std::fs::remove_dir_all(root).expect("the copy can be removed");
//! # }
//! ```
//!
//! Start with `bench`: a workbench has a part each for the played line (`played`), time (`time`), what an edit is
//! compared by (`comparison`), what it says (`notices`), and files (`outputs`). Below them, `timeline` plays any tick again
//! from keyframes and the input tape, `ghosts` plays a stretch in the background, `measures` says what happened in it, and
//! `reference` what it is compared with. `fan` plays what could follow, `reachable` searches what can be reached, and `drawing`
//! numbers for a drawn jump. `strip` is the timeline as it is shown and edited, `level_editor` changes the level by hand. [`panel`]
//! holds the numbers of the tuning panel; `contract_watch` and `stretch_blame` find out what it says about them. `keys`, `latch`
//! and `pads` turn devices into keys and inputs.

mod bench;
mod comparison;
mod contract_watch;
mod drag;
mod drawing;
mod drawn_rows;
mod edits;
mod excerpt;
mod fan;
mod fit;
mod frame;
mod ghosts;
#[cfg(feature = "disk")]
mod grips;
mod hints;
mod job;
mod keyframes;
mod keys;
mod latch;
#[cfg(feature = "disk")]
mod level_editor;
#[cfg(feature = "disk")]
mod level_edits;
mod level_menu;
mod log;
mod measures;
mod moment;
mod notices;
mod outlines;
mod outputs;
mod pads;
pub mod panel;
mod played;
#[cfg(feature = "disk")]
mod presses;
mod reachable;
mod reference;
mod replays;
mod sentence;
mod session_recording;
mod shown;
#[cfg(feature = "disk")]
mod snapping;
mod sounds;
mod stretch_blame;
#[cfg(feature = "disk")]
mod strip;
#[cfg(feature = "disk")]
mod strip_files;
#[cfg(feature = "disk")]
mod strip_rows;
mod tape;
mod time;
mod timeline;
mod times;
mod watched_recording;

pub use bench::{FrameChanges, Workbench};
pub use contract_watch::{ContractFacts, ContractRow, ContractState, ContractWatch};
pub use drawing::{DrawingOrder, DrawnBreaks, MOST_ANSWERS, WishedNumbers};
pub use excerpt::{Excerpt, PickedEntity};
pub use fan::{FanKeys, FanPath, FanStart};
pub use frame::BenchFrame;
pub use ghosts::{Ghost, MOST_GHOST_TICKS, MOST_GHOSTS, PARTED};
pub use job::BackgroundJob;
pub use keyframes::{DENSE_SECONDS, INPUT_BYTES, KEYFRAME_BYTES, KEYFRAME_TICKS, MOST_CHAPTERS, REVISION_BYTES};
pub use keys::{WindowKey, described_keys, key_label, key_labels};
pub use latch::KeyLatch;
#[cfg(feature = "disk")]
pub use level_editor::{EditOrder, EditView};
pub use level_menu::LevelMenu;
pub use log::{LogKind, LogLine};
pub use measures::{Measure, MotionPoint, compared, measures};
pub use moment::MomentFile;
pub use notices::TerminalLine;
pub use outlines::BodyOutline;
pub use outputs::{FILM_SECONDS, MARKED_SECONDS, RUN_SECONDS};
pub use pads::{MOST_PADS, PadButton, PadChange, PadEvent, PadStick, Pads};
pub use played::STRETCH_SECONDS;
#[cfg(feature = "disk")]
pub use presses::PressEdit;
pub use reachable::{ReachProgress, ReachStart};
pub use reference::CompareWith;
pub use session_recording::{RecordingOutput, SessionFiles};
pub use shown::BenchPicture;
pub use sounds::AudibleSound;
pub use stretch_blame::{BlameFacts, BlameRow, MomentBlame, StretchBlame};
#[cfg(feature = "disk")]
pub use strip::StripOrder;
#[cfg(feature = "disk")]
pub use strip_rows::{StripBar, StripFacts, StripRow, StripRowKind, StripRows, StripSign};
pub use tape::InputTape;
pub use timeline::Timeline;

use ghosts::GhostRecord;
use glam::DVec2;
use hangtime_core::{
    level::View,
    models::{Action, Actions, OwnActions},
    sim::{Entity, EntityId, EntityView, Inputs, World, why::Watch},
};
use hangtime_draw::{FanPicture, GhostOutline, GhostPicture, GhostShape, NoteRow, NoteTone, Overlay, WishPicture};
use hangtime_game::{
    HeardSound, KeyMap, KeyUse, Live, PlayerSaves, Revision, Sound, TickProfile, TuningChange, recording::Recorder,
};
use hangtime_play::RecordedPlay;
use hangtime_script::{
    Diagnostic, render_all,
    text::{cut_name, printable_name},
};
use keyframes::revision_weight;
use outlines::{outline_ticks, outlines_apart};
use panel::{MotionPair, MotionRun, MotionSample};
use played::PlayedLine;
use reference::ReferenceRevision;
use std::{
    collections::{BTreeMap, VecDeque},
    io,
    io::Write,
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::TryRecvError,
    },
};
use times::ScriptTimes;
