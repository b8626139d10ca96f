//! The reference of the script API, generated from what is registered: for readers, editors, and programs.

mod calls_page;
mod definitions;
mod hooks_page;
mod items;
mod json;
mod language;
mod markdown;
mod shapes;
mod text;
mod wishes;

pub use definitions::definitions;
pub(crate) use items::items;
pub use json::json;
pub use language::{LanguageItem, language};
pub use markdown::markdown;
pub use wishes::{sheet, wishes};
