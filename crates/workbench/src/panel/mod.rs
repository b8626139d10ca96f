//! The tuning panel, without its window: the numbers of the picked entity, edits that are not saved yet, and
//! where they take effect.
//!
//! * [`EntityFacts`] is what the panel shows of the picked entity;
//! * [`TuningSection`] groups its tunables; [`TuningRow`] is one with its value and where that comes from;
//! * [`MotionTrace`] keeps the entity's motion for plots, [`MotionRun`] is a stretch of it, and [`MotionPair`]
//!   the same stretch before and after an edit;
//! * [`Tuner`] holds the edits, with undo and a second set to compare with;
//! * `retune` makes a running game use them.

mod facts;
mod levels;
mod motion;
mod retune;
mod rows;
mod sample;
mod tuner;

pub(crate) use facts::short;
pub use facts::{EntityFacts, TimerFact, VariableFact};
pub use levels::tuning_path;
pub use motion::{MOTION_SECONDS, MotionPair, MotionRun, MotionTrace};
pub(super) use retune::LiveTuning;
pub use rows::{TuningRow, TuningSection, tuning_rows, tuning_sections};
pub use sample::{MotionBand, MotionCurve, MotionSample};
pub use tuner::{TunedValue, Tuner, TuningKey, rounded};

use super::*;
use hangtime_core::{models::ModelName, tuning::Setting};
use hangtime_game::{TuningGroup, TuningHome};
