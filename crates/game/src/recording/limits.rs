//! The sizes of what a recording holds. A recorder writes nothing larger, so a reader refuses it.

use super::rows::{MOST_ROWS, ROW_FIELDS};
use crate::files::LARGEST_SET;
pub(crate) use crate::files::content::settings::MOST_SETTINGS;

/// The most ticks of a line: a second at the highest tick rate.
pub(crate) const MOST_TICKS: usize = 1000;

/// The most numbers of the tuning panel of a revision.
pub(crate) const MOST_CHANGES: usize = 100_000;

/// The largest saved world with which a revision begins, bytes.
pub(crate) const MOST_WORLD: usize = 32 << 20;

/// The largest saved world after a stretch of ticks, bytes. A larger one is left out.
pub(crate) const MOST_STRETCH_WORLD: usize = 4 << 20;

/// The longest text of a number, with what is around it.
const NUMBER: usize = 26;

/// The longest text of the inputs of a tick.
const MOST_INPUT: usize = 13 << 10;

/// What a line of ticks takes at most without its world, bytes.
const MOST_TICKS_TEXT: usize = MOST_TICKS * (MOST_ROWS * (ROW_FIELDS.len() + 2) * NUMBER + MOST_INPUT + 64);

/// The longest line, bytes, by how it begins.
pub(crate) fn longest_line(start: &[u8]) -> u64 {
    match start {
        // JSON writes a line break or a quotation mark of a text as two bytes.
        _ if start.starts_with(REVISION) => 2 * LARGEST_SET + (MOST_WORLD as u64) + (8 << 20),
        _ if start.starts_with(TICKS) => (MOST_TICKS_TEXT + MOST_STRETCH_WORLD + 1024) as u64,
        _ => 64 << 10,
    }
}

/// How lines begin.
pub(crate) const REVISION: &[u8] = b"{\"revision\":";
pub(crate) const TICKS: &[u8] = b"{\"from\":";

/// No line has to be read further to know how it begins.
pub(crate) const LONGEST_START: u64 = REVISION.len() as u64;

#[cfg(test)]
mod tests {
    use super::{MOST_INPUT, MOST_ROWS, MOST_TICKS, NUMBER, ROW_FIELDS, TICKS, longest_line};
    use crate::recording::inputs::text_of;
    use glam::DVec2;
    use hangtime_core::models::Action;
    use hangtime_core::sim::{Inputs, MOST_PLAYERS};

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
}
