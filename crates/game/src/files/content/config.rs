//! `config/hangtime.toml`.

use super::{level::warn_of_weak_gravity, *};
use crate::files::{CONFIG, GameFolder, KeyMap, ModStack, mods::read_version, parse, read_text};
use hangtime_core::tuning::{ScriptTuning, WindowTuning};
use hangtime_script::{Diagnostic, text::printable_name};
use semver::Version;

/// The version of hangtime that a game made with this program is made for.
pub(crate) const HANGTIME: &str = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));

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
        if let Some((text, place)) = reader.text_at("version").filter(|(text, _)| read_version(text).is_none()) {
            reader.error(&place, format!("`{}` is not a version, such as \"1.0.0\"", printable_name(&text)));
        }
        reader.get("hangtime");
        if let Err(wrong) = made_for(table) {
            reader.out.push(wrong);
        }
        reader.tunables("simulation", &mut config.simulation);
        if let Some(table) = table.table("simulation") {
            warn_of_weak_gravity(&mut TableReader::new(table, reader.out), Some(config.simulation.gravity));
        }
        reader.tunables("scripts", &mut config.scripts);
        warn_of_long_ticks(&mut reader, &config.scripts);
        reader.tunables("window", &mut config.window);
        if let Some(table) = reader.table("keys") {
            config.keys = KeyMap::read(table, reader.out);
        }
        config.sounds = read_sounds(&mut reader);
        reader.finish();
        config
    }
}

/// The version of hangtime that a game says it is made for; none if it says none, which means the oldest.
///
/// # Errors
/// If this is not a version, or a later one than this program's.
pub(crate) fn made_for(config: &Table) -> Result<Option<Version>, Diagnostic> {
    let Some(node) = config.get("hangtime") else {
        return Ok(None);
    };
    let wrong = |message: String| Err(Diagnostic::error(node.place.clone(), message));
    let Some(made) = node.text().and_then(read_version) else {
        return wrong(format!("`hangtime` is the version that the game is made for, such as \"{HANGTIME}\""));
    };
    let own = env!("CARGO_PKG_VERSION");
    if read_version(own).is_some_and(|own| made > own) {
        return wrong(format!(
            "this game is made for hangtime {made}, and this is hangtime {own}; install a newer one"
        ));
    }
    Ok(Some(made))
}

/// How many operations take about a second.
const IN_A_SECOND: f64 = 20_000_000.0;

/// Warns of budgets with which a single tick can take seconds: everything waits for it.
fn warn_of_long_ticks(reader: &mut TableReader<'_, '_>, scripts: &ScriptTuning) {
    let Some(table) = reader.table("scripts") else {
        return;
    };
    let most = scripts.tick_operations.max(scripts.operations);
    let seconds = f64::from(most) / IN_A_SECOND;
    let key = if scripts.operations >= scripts.tick_operations {
        "operations"
    } else {
        "tick_operations"
    };
    if seconds > 1.0
        && let Some(node) = table.get(key)
    {
        let message =
            format!("with `{key}` = {most}, a single tick can take about {seconds:.0} s, and the game stands still");
        reader.warn(&node.place, message);
    }
}
