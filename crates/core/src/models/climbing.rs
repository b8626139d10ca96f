//! The capability to grab walls and roofs.

use super::{Body, Intent, ModelTuning, Motion, Report, Step};

/// A model whose bodies grab walls and roofs. `S` is its state, `T` its tuning.
///
/// Its `travel` stops at something that can be grabbed and leaves that in [`ReportDetails::grasp`](super::ReportDetails::grasp). Once a
/// rule has decided, exactly one of [`grab`](Self::grab) and [`pass`](Self::pass) ends the motion.
pub trait Climbing<S, T: ModelTuning> {
    /// Grabs the surface that the motion stopped at.
    fn grab(&self, state: &mut S, body: &mut Body, step: &Step<'_, T>, report: &mut Report);

    /// Continues along the surface that the motion stopped at, without grabbing it.
    fn pass(&self, state: &mut S, body: &mut Body, motion: &Motion, step: &Step<'_, T>, report: &mut Report);

    /// Lets go of what the body holds. Keys that are held then do not grab it again until they are pressed again.
    fn let_go(&self, state: &mut S, intent: &Intent);

    /// Why the wall in front of the body is not grabbed; `None` if there is no wall, or if it is
    /// grabbed.
    fn refusal(&self, state: &S, body: &Body, motion: &Motion, step: &Step<'_, T>) -> Option<Refusal>;
}

/// A model's reason to refuse something, such as grabbing a wall.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The reason, as a sentence without a period.
    pub text: String,
    /// Names of the tunables that decided.
    pub keys: &'static [&'static str],
}
