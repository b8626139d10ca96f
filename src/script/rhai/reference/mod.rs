//! The reference of all that scripts can use, made from what is registered: for people, for editors and
//! for programs.

mod definitions;
mod json;
mod language;
mod markdown;
mod phrases;
mod shapes;
mod ways;

pub use definitions::definitions;
pub use json::json;
pub use language::{LanguageItem, language};
pub use markdown::markdown;
pub use ways::{LanguageType, LanguageWay};
