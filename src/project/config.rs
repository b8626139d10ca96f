//! `config/hangtime.toml`.

use super::keys::KeyMap;
use super::reader::{Fields, read_tunables};
use super::tree::Table;
use crate::script::host::Diagnostic;
use crate::tuning::{ScriptTuning, SimulationTuning, WindowTuning};

/// What holds for the whole game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// `[simulation]`.
    pub simulation: SimulationTuning,
    /// `[scripts]`.
    pub scripts: ScriptTuning,
    /// `[window]`.
    pub window: WindowTuning,
    /// `[keys]`.
    pub keys: KeyMap,
}

impl Config {
    /// Reads the file.
    pub(super) fn read(table: &Table, out: &mut Vec<Diagnostic>) -> Self {
        let mut config = Self::default();
        let mut fields = Fields::new(table, out);
        if let Some(table) = fields.table("simulation") {
            read_tunables(&mut config.simulation, table, &[], fields.out);
        }
        if let Some(table) = fields.table("scripts") {
            read_tunables(&mut config.scripts, table, &[], fields.out);
        }
        if let Some(table) = fields.table("window") {
            read_tunables(&mut config.window, table, &[], fields.out);
        }
        if let Some(table) = fields.table("keys") {
            config.keys = KeyMap::read(table, fields.out);
        }
        fields.finish();
        config
    }
}
