//! `mods`: lists the mods of a game, and what they add and override.

use super::*;
use hangtime_game::{ModEffects, ModsReport};
use std::fmt::Write as _;

/// Arguments of `mods`.
#[derive(Args)]
pub struct ModsArguments {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command and returns the exit code.
pub fn mods(folder: GameFolder, arguments: &ModsArguments) -> Exit {
    let report = Project::load(folder)?.mods()?;
    if arguments.json {
        let left_out = report.left_out.iter();
        let left_out = left_out
            .map(|it| JsonLeftOut { folder: &it.folder, why: it.why.iter().map(Diagnostic::headline).collect() });
        say_json(&JsonMods { mods: &report.loaded, left_out: left_out.collect() });
        return Ok(SUCCESS);
    }
    say(text_of(&report).trim_end());
    warn(&report.warnings());
    Ok(SUCCESS)
}

fn text_of(report: &ModsReport) -> String {
    let mut text = String::new();
    if report.loaded.is_empty() {
        text.push_str("no mods are loaded; a mod is a folder in mods/ with a mod.toml\n");
    }
    for effects in &report.loaded {
        // Writing to a text does not fail.
        let _ = write_effects(&mut text, effects);
    }
    text
}

fn write_effects(text: &mut String, effects: &ModEffects) -> std::fmt::Result {
    let ModEffects { name, version, folder, needs, .. } = effects;
    write!(text, "{name} {version} ({folder})")?;
    for (at, (needed, wanted)) in needs.iter().enumerate() {
        let before = if at == 0 { ", needs" } else { " and" };
        write!(text, "{before} {needed} {wanted}")?;
    }
    writeln!(text)?;
    let added = [
        ("adds kinds", &effects.kinds),
        ("puts scripts", &effects.scripts),
        ("adds surfaces", &effects.surfaces),
        ("adds levels", &effects.levels),
        ("replaces", &effects.replaces),
        ("sets", &effects.sets),
    ];
    for (what, names) in added.iter().filter(|(_, names)| !names.is_empty()) {
        writeln!(text, "  {what} {}", names.join(", "))?;
    }
    for it in &effects.overrides {
        writeln!(text, "  overrides {} = {}   {}", it.key, it.value, it.at)?;
        writeln!(text, "    which was {}   {}", it.was, it.was_at)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonMods<'a> {
    mods: &'a [ModEffects],
    left_out: Vec<JsonLeftOut<'a>>,
}

#[derive(Serialize)]
struct JsonLeftOut<'a> {
    folder: &'a str,
    why: Vec<String>,
}
