//! A game folder and the revisions made from it: mods, maps of Tiled and LDtk, recordings and hot reload. It knows no windows and no
//! sockets, and uses real disks, watchers and threads only with the feature `disk`.
//!
//! Start with [`Project::load`], which opens a folder with `config/`, `scripts/` and `levels/`, and
//! [`Project::open`], which reads, checks and compiles one level of it into a [`Revision`]. A
//! revision never changes. [`Live`] runs a world under a revision; [`Reloader`] watches the folder
//! and builds the next revision, which [`Live::adopt`] swaps in between two ticks. Every call that can fail returns
//! [`Error`].
//!
//! ```
//! use hangtime_core::sim::Inputs;
//! use hangtime_game::{GameFolder, Live, MemoryFiles, Project};
//! use std::sync::Arc;
//!
//! # fn main() -> Result<(), hangtime_game::Error> {
//! let mut files = MemoryFiles::default();
//! files.write("game/levels/first.toml", "script = \"first.rhai\"\n");
//! files.write("game/scripts/first.rhai", "fn on_tick(me) { print(\"tick\"); }");
//! let project = Project::load(GameFolder::of_files("game", Arc::new(files)))?;
//! let revision = project.open(&project.find_level("first")?, &[])?;
//! let mut game = Live::new(Arc::new(revision), 0);
//! let report = game.step(&Inputs::none());
//! assert_eq!(report.printed.lines, ["tick"]);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to start reading
//!
//! The rooms, each using only those above it:
//!
//! * `languages` lists the script languages: the only file here that names one. A script's ending chooses its language;
//! * [`files`] reads: TOML files into typed tables, input files, key bindings, settings;
//! * `live` builds revisions, runs them and reloads them;
//! * [`recording`] writes down what was played, and reads it back;
//! * `check` looks at files without running them;
//! * `export` writes levels in other formats;
//! * [`terminal`] prints messages;
//! * `scaffold` creates game folders and behaviors from templates;
//! * `upgrade` rewrites a game that was made for an earlier version.

mod background;
mod check;
mod error;
mod export;
pub mod files;
mod folder;
mod kinds;
mod languages;
mod live;
mod mods_report;
pub mod recording;
mod scaffold;
pub mod terminal;
#[cfg(feature = "disk")]
mod upgrade;
#[cfg(not(feature = "lua"))]
mod without_lua;

pub use background::{ending_scripts, now, scripts_were_stopped, spawn};
pub use check::{CheckReport, GameCheck, check};
pub use error::Error;
pub use export::{ExportedLevel, LevelFormat, export_level};
pub use files::{
    Config, FileSystem, FolderEntry, GameFolder, InputScript, KEY_NAMES, KeyMap, KeyUse, LeftOutMod, MemoryFiles,
    ModLayer, ModStack, OVERLAY_KEYS, PAD_KEYS, PathKind, PlayerSaves, Provenance, ShownMoment, Sound, SoundBank,
    SoundCue, SoundCues, SourceSet, Track, TuningChange, TuningEdit, TuningGroup, TuningHome, TuningScope,
    USUAL_PLAYER, WINDOW_KEYS, is_game_folder, is_of_map, players, save_tuning, save_tuning_with, unpack_playground,
};
#[cfg(feature = "disk")]
pub use files::{
    Drafts, EditedLevel, GameListing, LevelItem, LevelList, LevelText, PageFiles, game_files, is_source_file,
    read_game_file, write_game_file,
};
pub use folder::Project;
pub use kinds::{KindBench, KindFile};
pub use languages::{LANGUAGES, WITHOUT_LUA};
pub use live::{
    Change, HeardSound, HookTimes, LevelCache, Live, MANY_ENTITIES, Notice, OtherLevels, PhaseTimes, Revision,
    SetByScript, SettingsFrom, StepReport, TickProfile, Variants, WhyHistory, WhyPanel, reloading, summary,
    within_deadline, within_time,
};
#[cfg(feature = "disk")]
pub use live::{GameWatch, Pace, Reloader, Threads};
pub use mods_report::{ModEffects, ModOverride, ModsReport};
pub use scaffold::{
    Created, TEMPLATES, Template, create_from_template, create_in_mod, create_level, create_level_in_mod,
};
#[cfg(feature = "disk")]
pub use scaffold::{StartTest, save_start_test};
#[cfg(feature = "disk")]
pub use upgrade::{Upgrade, UpgradedFile};
