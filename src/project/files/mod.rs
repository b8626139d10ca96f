//! Reading a game's files, and the files named on a command line.
//!
//! `source` reads texts and `tree` parses TOML into values that know their places. `reader` takes
//! tables apart key by key; the other files each read one kind of file or table with it.

mod body;
mod builtin;
mod config;
mod distinct;
mod double_keys;
pub(in crate::project) mod endings;
mod entities;
mod expect;
mod failed_test;
mod feel_memory;
pub(in crate::project) mod file_system;
mod fingerprints;
mod game_hash;
mod input;
mod input_notes;
mod key_names;
mod keys;
pub(in crate::project) mod kind;
pub(in crate::project) mod kind_layers;
pub(in crate::project) mod level;
pub(in crate::project) mod level_names;
mod misplaced;
pub(in crate::project) mod mod_sources;
pub(in crate::project) mod mods;
pub(in crate::project) mod naming;
mod new_file;
mod numbered;
mod output;
mod paths;
pub(in crate::project) mod picture_files;
pub(in crate::project) mod pictures;
pub(in crate::project) mod png;
mod points;
pub(in crate::project) mod provenance;
mod reader;
mod referred;
pub(in crate::project) mod root;
mod saves;
pub(in crate::project) mod script_variables;
pub(in crate::project) mod settings;
pub(in crate::project) mod source;
pub(in crate::project) mod sprites;
pub(in crate::project) mod surfaces;
pub(in crate::project) mod tiled;
mod tolerance;
pub(in crate::project) mod tree;
mod tuning_home;
pub(in crate::project) mod walk;
mod write_back;
mod write_expect;
mod zones;

pub use builtin::{is_game_folder, unpack_playground};
pub use config::Config;
pub use distinct::check_distinct;
pub(in crate::project) use entities::{ENTITY_KEYS, EntityEntry};
pub use expect::{FeelBound, FeelExpectation, FeelQuantity};
pub use failed_test::save_failed_test;
pub use feel_memory::{FeelMemory, RememberedModel};
pub(in crate::project) use fingerprints::Fingerprints;
pub use game_hash::game_hash;
pub use input::{InputScript, Track};
pub use key_names::{KEY_NAMES, PAD_BUTTONS, PAD_KEYS, key_label};
pub use keys::{KeyMap, WindowKey};
pub use mods::{LeftOutMod, ModLayer, ModStack};
pub use new_file::{check_output, remove_new, write_new};
pub use numbered::NumberedFile;
pub use output::{OutputFile, OutputKind};
pub use paths::{
    TestFile, find, find_test, find_tests, name_of_existing, read, read_from, read_output,
};
pub use provenance::Provenance;
pub(in crate::project) use provenance::location;
pub use root::GameFolder;
pub use saves::{KeepError, PlayerSaves, USUAL_PLAYER, players};
pub use source::SourceSet;
pub use tolerance::{TOLERANCE_KEYS, Tolerances};
pub use tuning_home::{TuningChange, TuningGroup, TuningHome};
pub use write_back::{SaveError, TuningEdit, save_tuning};
pub use write_expect::{ExpectLine, write_expect};
