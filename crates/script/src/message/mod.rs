//! Messages about the files that users write: what is wrong, the place in the file, and what was probably meant.
//! Nothing here knows scripts; every crate above reports errors and warnings with it.
//!
//! ```
//! use hangtime_script::message::{Diagnostic, Place, SourceFile, names::suggestion};
//! use std::sync::Arc;
//!
//! let file = Arc::new(SourceFile { name: "hero.toml".into(), text: "run_sped = 300\n".into() });
//! let hint = suggestion("run_sped", ["run_speed", "jump_speed"]);
//! let wrong = Diagnostic::error(Place::at(&file, 1, 1), format!("there is no key `run_sped`{hint}"));
//! assert_eq!(wrong.headline(), "hero.toml:1:1: error: there is no key `run_sped`; did you mean `run_speed`?");
//! println!("{}", wrong.render(true));
//! ```

mod diagnostic;
mod fixes;
mod mistakes;
pub mod names;
mod render;
pub mod text;

pub(crate) use diagnostic::grouped;
pub use diagnostic::{CallFrame, Diagnostic, Diagnostics, Place, Severity, SourceFile};
pub use fixes::{NameFix, fixes, in_word};
pub use mistakes::{MOST_SHOWN, Mistakes, count_mistakes};
pub use names::{did_you_mean, is_typo_of, nearest, nearest_few, suggestion};
pub use render::render_all;
