//! The capability to grab walls and roofs.

use super::{Body, ModelTuning, Motion, Report, Step};

/// A model whose bodies grab walls and roofs. `S` is its state, `T` its tuning.
///
/// Its `travel` stops at something that can be grabbed and leaves that in [`Report::grasp`]. Once
/// a rule has decided, exactly one of [`grab`](Self::grab) and [`pass`](Self::pass) ends the motion.
pub trait Climbing<S, T: ModelTuning> {
    /// Grabs what the motion stopped at.
    fn grab(&self, state: &mut S, body: &mut Body, step: &Step<'_, T>, report: &mut Report);

    /// Does not grab what the motion stopped at, and continues along it.
    fn pass(
        &self,
        state: &mut S,
        body: &mut Body,
        motion: &Motion,
        step: &Step<'_, T>,
        report: &mut Report,
    );

    /// Why the wall in front of the body is not grabbed; none if there is no wall, or if it is.
    fn refusal(
        &self,
        state: &S,
        body: &Body,
        motion: &Motion,
        step: &Step<'_, T>,
    ) -> Option<Refusal>;
}

/// Why a model refuses something that could have happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The reason, as a sentence without a period.
    pub text: String,
    /// Names of the tunables that decided.
    pub keys: &'static [&'static str],
}
