//! Reading a game's files, and the files named on a command line.
//!
//! The rooms, each using only rooms above it:
//!
//! * `disk` finds files below a game's folder and writes outputs;
//! * `tables` parses TOML into values that know their places, and takes tables apart key by key;
//! * `input` reads input files and the names of keys;
//! * `mods` orders mods and lays their tables over the game's;
//! * `media` decodes pictures and sounds, and reads the tables that name them;
//! * `maps` turns maps of Tiled and projects of LDtk into the tables of a level;
//! * `sources` reads all texts of a game once;
//! * `content` reads what they say: settings, kinds, levels, expectations;
//! * `saving` writes to files of the game or next to it.

pub(crate) mod content;
pub(crate) mod disk;
pub(crate) mod input;
pub(crate) mod maps;
pub(crate) mod media;
pub(crate) mod mods;
pub(crate) mod saving;
pub(crate) mod sources;
pub(crate) mod tables;

pub(crate) use content::config::{HANGTIME, made_for};
pub(crate) use content::entities::{ENTITY_KEYS, EntityEntry};
pub use content::{
    config::Config,
    expect::{FeelBound, FeelExpectation, FeelQuantity},
    tuning_home::{TuningChange, TuningGroup, TuningHome, TuningScope},
};
pub use disk::file_system::{FileSystem, FolderEntry, MemoryFiles, PathKind};

#[cfg(feature = "disk")]
pub use disk::drafts::Drafts;
pub use disk::endings::is_of_map;
pub(crate) use disk::{
    endings::{CONFIG, GAME_FOLDERS, KINDS, MODS, SURFACES, level_file, split_level},
    root::name_in,
    walk::FileWalk,
};
pub use disk::{
    numbered::NumberedFile,
    output::{CERTIFICATE, OutputFile, OutputKind, check_distinct, check_output, remove_new, write_new},
    root::GameFolder,
};
pub use input::{
    input_script::{InputScript, Track},
    keys::{KEY_NAMES, KeyMap, KeyUse, OVERLAY_KEYS, PAD_KEYS, WINDOW_KEYS},
    tolerance::{TOLERANCE_KEYS, Tolerances},
};
pub(crate) use maps::{DrawnLayer, MOST_REFERENCES, MapParts, is_map, levels_in, referred_files, unsaved_in};
pub use media::sound::{Sound, SoundBank, SoundCue, SoundCues};
pub(crate) use media::{
    media_files::{Media, MediaFiles, Medium},
    sounds::{SoundTable, read_sounds},
    sprites::{SpriteTable, TilesTable},
};
pub use mods::{LeftOutMod, ModLayer, ModStack};
pub(crate) use mods::{MANIFEST, ORDER, all_roots, lay_over, mod_folders};
#[cfg(feature = "disk")]
pub use saving::page_folder::{GameListing, PageFiles, game_files, is_source_file, read_game_file, write_game_file};
#[cfg(feature = "disk")]
pub use saving::{
    edited_level::EditedLevel,
    level_text::{LevelItem, LevelList, LevelText},
};
pub use saving::{
    own_folder::{FeelMemory, RememberedModel, last_failed, note_failed, save_failed_test},
    saves::{PlayerSaves, USUAL_PLAYER, players},
    shown_moment::ShownMoment,
    write_back::{TuningEdit, save_tuning, save_tuning_with},
    write_expect::{ExpectLine, write_expect},
};
pub(crate) use sources::source::{LARGEST_SET, MOST_FILES_OF_A_SET, read_text};
pub use sources::{
    builtin::{is_game_folder, unpack_playground},
    game_hash::game_hash,
    paths::{TestFile, find, find_test, find_tests, name_of_existing, read, read_from, read_output},
    source::SourceSet,
};
pub use tables::provenance::Provenance;
pub(crate) use tables::{
    points::{MOST_LISTED, SurfaceNames, read_name, read_points, read_surface},
    provenance::location,
    reader::TableReader,
    tree::{Data, Node, Table, TableKey, parse, parse_value},
};
