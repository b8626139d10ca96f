//! Layer 5: a game folder on disk and the revisions made from it. No other layer touches files.
//!
//! Start with [`Project::load`], which opens a folder with `config/`, `scripts/` and `levels/`, and
//! [`Project::open`], which reads, checks and compiles one level of it into a [`Revision`]. A
//! revision never changes. [`Live`] runs a world under a revision; [`Reloader`] watches the folder
//! and builds the next revision, which [`Live::adopt`] swaps in between two ticks.
//!
//! Every call that can fail returns [`Error`].
//!
//! The rooms, each using only those above it:
//!
//! * [`files`] reads: TOML files into typed tables, input files, key bindings, settings;
//! * `live` builds revisions, runs them and reloads them;
//! * `check` looks at files without running them;
//! * [`terminal`] prints messages;
//! * `scaffold` creates game folders and behaviors from templates.

mod check;
mod error;
pub mod files;
mod folder;
mod live;
mod scaffold;
pub mod terminal;

pub use check::{CheckReport, check};
pub use error::Error;
pub use files::{
    Config, GameFolder, InputScript, KEY_NAMES, KeyMap, PAD_BUTTONS, PAD_KEYS, Provenance,
    SaveError, SourceSet, Track, TuningChange, TuningEdit, TuningGroup, TuningHome, WindowKey,
    is_game_folder, save_tuning, unpack_playground,
};
pub use folder::Project;
pub use live::{
    Change, Live, Notice, Pace, Reloader, Revision, SetByScript, Variants, WhyHistory, WhyPanel,
    summary, within_deadline, within_time,
};
pub use scaffold::{Created, TEMPLATES, Template, create_from_template};
