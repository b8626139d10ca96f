//! The contract of a movement model.

use super::saved::{Checked, SavedContext};
use super::{
    Action, Body, Climbing, Division, Flying, Hooked, Intent, Loadout, Mode, ModelTuning, Motion, MoveContext, Report,
    Rigid, Step, Surroundings, Unsteered, footing, plane, riding, travel,
};
use crate::level::View;
use serde::{Serialize, de::DeserializeOwned};

/// A way to move. The methods are the phases of a tick, in their order; the constants at the end
/// name the capabilities that only some models have.
///
/// The default phases suit a body that walks: it rides platforms, stands on ground and falls.
pub trait Model: Sized + 'static {
    /// The name in scripts, files, traces and docs.
    const NAME: &'static str;
    /// Every mode that [`mode`](Self::mode) can return.
    const MODES: &'static [Mode];
    /// The views in which the model works.
    const VIEWS: &'static [View];
    /// The views in which the jump key starts a jump.
    const JUMP_VIEWS: &'static [View] = Self::VIEWS;
    /// How players move a body, other than by jumping: the actions, and a word for hints on the screen.
    const MOVES: &'static [(&'static [Action], &'static str)] = &[(&[Action::Left, Action::Right], "run")];
    /// Whether bodies keep their angle; in other models they are upright.
    const TURNS: bool = false;
    /// Outline color of its bodies in pictures: red, green, blue.
    const OUTLINE: [u8; 3];
    /// State that the model keeps between ticks, besides the [`Body`] of every entity.
    type State: Clone + Default + PartialEq + Send + std::fmt::Debug + Serialize + DeserializeOwned;
    /// Tuning parameters.
    type Tuning: ModelTuning;

    /// Carries the body along with moving platforms, and out of their way.
    fn carry(_state: &mut Self::State, body: &mut Body, step: &Step<'_, Self::Tuning>, report: &mut Report) {
        riding::carry(body, true, step.context, report);
    }

    /// Finds out what the body stands on, unless that is known already. `pushed` says whether
    /// anything other than the model has changed its velocities.
    fn sense(
        _state: &mut Self::State,
        body: &mut Body,
        step: &Step<'_, Self::Tuning>,
        pushed: bool,
        report: &mut Report,
    ) {
        match step.context.around.level.view {
            View::Side => footing::sense(body, step.context, pushed, report),
            View::Top => plane::sense(body, step.context, pushed, report),
        }
    }

    /// Returns this tick's velocity and motion, as if nothing were in the way.
    fn drive(
        state: &mut Self::State,
        body: &mut Body,
        intent: &Intent,
        loadout: &Loadout<Self::Tuning>,
        around: &Surroundings<'_>,
        report: &mut Report,
    ) -> Motion;

    /// Moves the body by that motion, as far as the terrain allows.
    fn travel(
        _state: &mut Self::State,
        body: &mut Body,
        motion: &Motion,
        step: &Step<'_, Self::Tuning>,
        report: &mut Report,
    ) {
        match step.context.around.level.view {
            View::Side => travel::travel(body, motion, step.context, report, &Unsteered),
            View::Top => plane::travel(body, motion, step.context, report),
        }
    }

    /// Looks for ground under a body in the air, and reports landings and take-offs.
    fn settle(_state: &mut Self::State, body: &mut Body, step: &Step<'_, Self::Tuning>, report: &mut Report) {
        match step.context.around.level.view {
            View::Side => footing::settle(body, step.context, report),
            View::Top => plane::settle(body, step.context, report),
        }
    }

    /// How its tick is divided where it crosses the border of a zone.
    fn division(_state: &Self::State, body: &Body, context: &MoveContext<'_>) -> Division {
        Division::of_walker(body, context)
    }

    /// What the body is doing.
    fn mode(state: &Self::State, body: &Body) -> Mode;

    /// Checks a saved state.
    ///
    /// # Errors
    /// Its first field that is wrong.
    fn check(_state: &Self::State, _loadout: &Loadout<Self::Tuning>, _saved: &SavedContext<'_>) -> Checked {
        Ok(())
    }

    /// Feeds the state into a hash.
    fn digest(_state: &Self::State, _feed: &mut dyn FnMut(u64)) {}

    /// Set if bodies have a grappling hook.
    const HOOKED: Option<&'static dyn Hooked<Self::State, Self::Tuning>> = None;
    /// Set if bodies grab walls and roofs.
    const CLIMBING: Option<&'static dyn Climbing<Self::State, Self::Tuning>> = None;
    /// Set if bodies turn and collide as pieces.
    const RIGID: Option<&'static dyn Rigid<Self::State, Self::Tuning>> = None;
    /// Set if bodies follow a planned flight.
    const FLYING: Option<&'static dyn Flying<Self::State>> = None;
}
