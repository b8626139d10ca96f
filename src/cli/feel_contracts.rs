//! `feel --write`: contracts in the file of a kind, and what they cover.

use super::output::{SUCCESS, UNUSABLE};
use hangtime_core::models::ModelName;
use hangtime_game::files::{ExpectLine, FeelQuantity, write_expect};
use hangtime_game::terminal::tell;
use hangtime_game::{Error, KindFile, Project};
use hangtime_play::feel::{ModelMeasure, Unmeasured, contracts_for, measure_kind, spell_list};
use hangtime_script::text::printable_name;

/// Measures a kind at every tick rate, writes contracts that hold, and says which, or why there are none.
pub(super) fn write_contracts(
    project: &Project,
    kind: &KindFile,
    models: impl Iterator<Item = ModelName>,
) -> Result<u8, Error> {
    let mut lines = Vec::new();
    let mut rates = String::new();
    for model in models {
        let measured = measure_kind(project, kind, model)?;
        let found = contracts_for(kind, &measured);
        tell_missing(kind, &measured, &found);
        lines.extend(found);
        rates = rates_of(&measured);
    }
    let file = printable_name(&kind.file);
    if lines.is_empty() {
        tell(format_args!(
            "nothing was written to {file}: `{}` has no number that exists at every one of these tick rates",
            printable_name(&kind.name)
        ));
        return Ok(SUCCESS);
    }
    let is_new = |line: &&ExpectLine| !is_in_file(kind, line);
    let new: Vec<&ExpectLine> = lines.iter().filter(is_new).collect();
    match write_expect(project.folder(), &kind.file, &lines) {
        Ok(true) => tell(format_args!("wrote to {file}: {}; {rates}", keys_of(&new))),
        Ok(false) => tell(format_args!("{file} has these contracts already; {rates}")),
        Err(error) => {
            tell(format_args!("error: {error}"));
            return Ok(UNUSABLE);
        }
    }
    Ok(SUCCESS)
}

/// Whether the kind's file says the same.
fn is_in_file(kind: &KindFile, line: &ExpectLine) -> bool {
    let mut expectations = kind.expectations.iter();
    expectations.any(|e| (e.model, e.quantity, e.bound) == (line.model, line.quantity, line.bound))
}

fn keys_of(lines: &[&ExpectLine]) -> String {
    let key = |line: &&ExpectLine| match line.model {
        Some(model) => format!("`expect.{model}.{}`", line.quantity.name()),
        None => format!("`expect.{}`", line.quantity.name()),
    };
    spell_list(&lines.iter().map(key).collect::<Vec<_>>())
}

/// The tick rates that the numbers and their tolerances are from.
fn rates_of(measured: &ModelMeasure) -> String {
    let rates: Vec<String> = measured.sheets.iter().map(|s| s.hz.to_string()).collect();
    format!("measured at {} Hz, with tolerances for {} Hz", measured.game_hz, spell_list(&rates))
}

/// Says which numbers have no contract, together where the reason is the same.
fn tell_missing(kind: &KindFile, measured: &ModelMeasure, found: &[ExpectLine]) {
    let mut reasons: Vec<(Unmeasured, Option<u32>, Vec<String>)> = Vec::new();
    for quantity in FeelQuantity::ALL {
        if found.iter().any(|line| line.quantity == quantity) {
            continue;
        }
        let mut numbers = measured.of(quantity);
        let Some((hz, why)) = numbers.find_map(|(hz, n)| Some((hz, n.err()?))) else {
            continue;
        };
        let somewhere = measured.of(quantity).any(|(_, number)| number.is_ok());
        let hz = somewhere.then_some(hz);
        let name = format!("`{}`", quantity.name());
        match reasons.iter_mut().find(|(w, at, _)| (*w, *at) == (why, hz)) {
            Some((_, _, names)) => names.push(name),
            None => reasons.push((why, hz, vec![name])),
        }
    }
    for (why, hz, names) in reasons {
        let at = hz.map_or_else(String::new, |hz| format!("at {hz} Hz "));
        tell(format_args!(
            "no contract for {} of `{}` under `{}`: {at}it {why}",
            spell_list(&names),
            printable_name(&kind.name),
            measured.model
        ));
    }
}
