//! `[stances]`: other sizes of a body, taken while an action is held or because a script says so.

use super::{body::read_size, *};
use crate::files::tables::reader::read_tunable;
use hangtime_core::{
    models::OwnActions,
    sim::{BODY_SIZE, Stance},
    tuning::Setting,
};

/// The largest number of stances of a kind, and the longest name of one.
const MOST_STANCES: usize = 16;
const LONGEST_NAME: usize = 32;

/// A stance as a file sets it.
#[derive(Clone, Debug)]
pub(crate) struct StanceEntry {
    name: Arc<str>,
    size: DVec2,
    /// The name of its action.
    pub action: Option<(String, Place)>,
    tuning: Vec<(ModelName, String, Setting)>,
}

/// Reads the stances of a kind over those that are set so far.
pub(crate) fn read_stances(known: &mut Vec<StanceEntry>, reader: &mut TableReader<'_, '_>) {
    let Some(table) = reader.table("stances") else { return };
    for (key, node) in &table.entries {
        let name = key.name.as_str();
        if name.is_empty() || name.len() > LONGEST_NAME {
            reader.error(&key.place, format!("the name of a stance has 1 to {LONGEST_NAME} bytes"));
            continue;
        }
        let Some(inner) = node.table() else {
            let message = format!(
                "a stance takes a table, such as {{ size = [20, 24], action = \"down\" }}, not {}",
                node.kind()
            );
            reader.error(&node.place, message);
            continue;
        };
        let Some(stance) = read_stance(name, inner, reader.out) else { continue };
        match known.iter().position(|other| other.name == stance.name) {
            Some(place) => known[place] = stance,
            None if known.len() == MOST_STANCES => {
                reader.error(&key.place, format!("a kind has at most {MOST_STANCES} stances"));
                return;
            }
            None => known.push(stance),
        }
    }
}

fn read_stance(name: &str, table: &Table, out: &mut Mistakes) -> Option<StanceEntry> {
    let mut reader = TableReader::new(table, out);
    let size = match reader.require("size", "a stance") {
        Some(_) => read_size(&mut reader, "size", "full widths, [w, h]", BODY_SIZE),
        None => None,
    };
    let action = reader.text_at("action");
    let mut tuning = Vec::new();
    for model in ModelName::ALL {
        let Some(overrides) = reader.table(model.as_str()) else { continue };
        for (key, node) in &overrides.entries {
            let set = |setting: &Setting| {
                ModelTunings::default().set(*model, &key.name, setting)?;
                tuning.push((*model, key.name.clone(), setting.clone()));
                Ok(())
            };
            let near = || suggestion(&key.name, model.tunables().iter().map(|t| t.name));
            read_tunable(key, node, reader.out, set, near);
        }
    }
    reader.finish();
    let [width, height] = size?;
    Some(StanceEntry { name: name.into(), size: DVec2::new(width, height), action, tuning })
}

/// The stances of a kind in a game with these actions.
pub(crate) fn stances_of(entries: &[StanceEntry], actions: &OwnActions, out: &mut Mistakes) -> Arc<[Stance]> {
    let stances = entries.iter().map(|StanceEntry { name, size, action, tuning, .. }| {
        let action = action.as_ref().and_then(|(action, place)| {
            let found = actions.parse(action);
            if found.is_none() {
                let hint = suggestion(action, actions.all_names());
                out.error(place, format!("there is no action `{action}`{hint}"));
            }
            found
        });
        Stance { name: name.clone(), size: *size, action, tuning: tuning.clone() }
    });
    stances.collect()
}
