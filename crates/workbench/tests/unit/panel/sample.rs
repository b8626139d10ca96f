//! Tests of `src/panel/sample.rs`.

use super::{MotionBand, MotionSample};
use hangtime_core::{
    models::{Action, Actions},
    sim::EntityView,
};

#[test]
fn presses_of_jump_and_hook_are_named_and_directions_are_not() {
    let view = EntityView::empty();
    let sample = |pressed: &[Action]| {
        let pressed: Actions = pressed.iter().copied().collect();
        MotionSample::of_view(&view, 8, pressed)
    };
    let both = [Action::Jump, Action::Hook, Action::Left];
    assert_eq!(sample(&both).active(), "press of jump and hook");
    assert!(!sample(&[Action::Right]).has(MotionBand::Press));
}
