//! Tests of `src/recording/limits.rs`.

use super::{MOST_INPUT, MOST_ROWS, MOST_TICKS, NUMBER, ROW_FIELDS, TICKS, longest_line};
use crate::recording::inputs::text_of;
use glam::DVec2;
use hangtime_core::{
    models::Action,
    sim::{Inputs, MOST_PLAYERS},
};

/// A number whose text is as long as one can be.
const LONGEST: f64 = -2.225_073_858_507_201_4e-308;

#[test]
fn a_second_of_the_longest_ticks_is_not_too_long_to_be_read_again() {
    let number = serde_json::to_string(&LONGEST).expect("a number");
    assert_eq!(number.len() + 2, NUMBER, "{number} with a comma and a bracket");
    let mut inputs = Inputs::none();
    for player in 1..=MOST_PLAYERS {
        let input = inputs.player_mut(player);
        for action in Action::every() {
            input.held.insert(action);
            input.pressed.insert(action);
        }
        input.stick = DVec2::splat(LONGEST);
        input.aim = Some(DVec2::splat(f64::MIN));
    }
    let text = text_of(&inputs);
    assert!(text.len() <= MOST_INPUT, "{}", text.len());
    let row = vec![LONGEST; ROW_FIELDS.len() + 1];
    let tick = serde_json::to_string(&vec![row; MOST_ROWS]).expect("rows");
    let hash = 16;
    let all = MOST_TICKS * (tick.len() + text.len() + "[1,\"\"],".len() + hash);
    assert!((all as u64) < longest_line(TICKS), "{all}");
}

#[test]
fn only_lines_with_much_in_them_may_be_long() {
    let [revision, ticks, other] = [&b"{\"revision\":"[..], TICKS, b"{\"run\":1,\"h"].map(longest_line);
    assert!(other < 100_000 && ticks < 64 << 20, "{other} {ticks}");
    assert!(revision < 256 << 20, "{revision}");
}
