//! The rules that are asked within a tick.

use super::*;

/// The rules that are asked within a tick, by questions.
pub const WITHIN_TICKS: [&str; 2] = [SNAPS, GRABS];

const SNAPS: &str = "grapple_snaps";
const GRABS: &str = "can_grab";

/// The rule that answers a question.
pub fn rule_for(question: &Question) -> &'static str {
    match question {
        Question::Snaps(_) => SNAPS,
        Question::Grabs(_) => GRABS,
    }
}
