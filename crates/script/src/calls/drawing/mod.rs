//! What is on the screen: texts, bars and shapes, and how an entity looks. Scripts cannot read it back.

mod colors;
mod looks;
mod options;
mod orders;
mod shapes;

pub use colors::{NAMED_COLORS, check_color, color_text};
pub(super) use options::DrawOptions;

use super::{CallTable, Topic};

/// Adds the topic.
pub fn add(table: &mut CallTable) {
    table.topic(Topic::Screen);
    shapes::add(table);
    looks::add(table);
}
