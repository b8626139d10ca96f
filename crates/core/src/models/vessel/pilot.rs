//! The pilot's input.

use crate::models::{Action, Intent};

/// The pilot's input: thrust, 0..=1, and turn, −1..=1, where 1 is counterclockwise. Keys win over
/// the stick.
pub(super) fn pilot(intent: &Intent) -> (f64, f64) {
    let held = |action| intent.held.has(action);
    let thrust = if held(Action::Up) { 1.0 } else { intent.stick.y.clamp(0.0, 1.0) };
    let turn = if held(Action::Left) || held(Action::Right) {
        f64::from(i8::from(held(Action::Left)) - i8::from(held(Action::Right)))
    } else {
        -intent.stick.x.clamp(-1.0, 1.0)
    };
    (thrust, turn)
}
