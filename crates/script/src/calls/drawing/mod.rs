//! What is on the screen: texts, bars and shapes, and how an entity looks. Scripts cannot read it back.

mod colors;
mod looks;
mod options;
mod orders;
mod shapes;

pub(super) use colors::color_text;
pub use colors::{NAMED_COLORS, check_color};
pub use options::check_draw_option;

use super::table::CallTable;
use crate::api::Topic;

/// Adds the topic.
pub(super) fn add(table: &mut CallTable) {
    table.topic(Topic::Screen);
    shapes::add(table);
    looks::add(table);
}
