//! The tuning panel, without its window: the numbers of the picked entity, edits that are not saved yet, and
//! where they take effect.
//!
//! * [`EntityFacts`] is what the panel shows of the picked entity;
//! * [`TuningRow`] is one tunable with its value and where that comes from;
//! * [`MotionTrace`] keeps the entity's last seconds for plots;
//! * [`Tuner`] holds the edits, with undo and a second set to compare with;
//! * `retune` makes a running game use them.

mod facts;
mod motion;
mod retune;
mod rows;
mod tuner;

pub use facts::{EntityFacts, TimerFact, VariableFact};
pub use motion::{MOTION_SECONDS, MotionSample, MotionTrace};
pub(super) use retune::LiveTuning;
pub use rows::{TuningRow, tuning_rows};
pub use tuner::{TunedValue, Tuner, TuningKey, rounded};
