//! Wishes: a point of a path is to be elsewhere, and the smallest changes of a body's numbers that bring it there are
//! searched by playing the same input again.
//!
//! * [`WishPath`] is what was played, with the points of it that can be wished elsewhere;
//! * `numbers` are the numbers that may change, and `search` varies them;
//! * [`broken_by`] finds the tests that an answer breaks.

mod breaks;
mod numbers;
mod path;
mod search;
mod solve;

pub use breaks::{BreakNews, broken_by};
pub use path::{PathEntity, PathSpot, WishPath, WishPoint};
pub use search::{Wish, WishAnswer, WishAnswers, WishSearch, WishedChange};

use super::{
    editable_number::{EditableNumber, UsedTuning},
    in_order::in_order,
    *,
};
use crate::feel::{FeelArc, FeelSample};
use hangtime_core::{
    level::View,
    models::{HookState, Mode, ModelName},
    sim::{EntityView, EventKind},
};
use hangtime_game::{TuningChange, TuningEdit, TuningGroup, save_tuning_with};
use numbers::{number_text, wish_numbers};
use solve::least_step;
