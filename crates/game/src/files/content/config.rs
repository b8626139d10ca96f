//! `config/hangtime.toml`.

use super::*;
use crate::files::{CONFIG, GameFolder, KeyMap, ModStack, parse, read_text};
use hangtime_core::tuning::{ScriptTuning, WindowTuning};

/// The settings of a whole game: what `config/hangtime.toml` sets, and defaults for the rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The table `[simulation]`.
    pub simulation: SimulationTuning,
    /// The table `[scripts]`.
    pub scripts: ScriptTuning,
    /// The table `[window]`.
    pub window: WindowTuning,
    /// The table `[keys]`.
    pub keys: KeyMap,
    /// The table `[sounds]`.
    pub(crate) sounds: SoundTable,
}

impl Config {
    /// The settings of a game. Mistakes in the file are reported where it is built or checked, and leave the default in
    /// place.
    pub(crate) fn of(folder: &GameFolder) -> Self {
        let mut all = Table::empty(CONFIG);
        for layer in ModStack::read(folder).roots(folder) {
            let file = read_text(folder, &layer.join(CONFIG)).ok();
            if let Some(table) = file.and_then(|file| parse(&file).ok()) {
                lay_over(&mut all, table, CONFIG);
            }
        }
        Self::read(&all, &mut Mistakes::new())
    }

    /// Reads the file; mistakes are added to `out` and leave the default in place.
    pub(crate) fn read(table: &Table, out: &mut Mistakes) -> Self {
        let mut config = Self::default();
        let mut reader = TableReader::new(table, out);
        reader.tunables("simulation", &mut config.simulation);
        reader.tunables("scripts", &mut config.scripts);
        reader.tunables("window", &mut config.window);
        if let Some(table) = reader.table("keys") {
            config.keys = KeyMap::read(table, reader.out);
        }
        config.sounds = read_sounds(&mut reader);
        reader.finish();
        config
    }
}
