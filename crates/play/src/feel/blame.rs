//! Which edit moved a number, by trying each edit alone.

use super::*;

/// The largest number of edits that are tried.
const MOST_TRIED: usize = 12;

/// The largest number of edits that a message names.
const MOST_NAMED: usize = 3;

/// A number that differs by less than this share of it has not moved.
const MOVED: f64 = 1e-4;

/// A broken contract and everything that the search for its cause needs.
pub struct Suspects<'a> {
    pub kind: &'a KindFile,
    pub bench: &'a KindBench,
    pub quantity: FeelQuantity,
    pub now: &'a ModelMeasure,
    pub before: &'a FeelMemory,
}

/// A tunable with another value than when the contracts last held.
struct TunableEdit {
    key: String,
    was: String,
    text: String,
}

impl Suspects<'_> {
    /// The edits that moved the number, the strongest first, as the last part of a message; empty if
    /// the number has not moved or the reason is not known.
    pub fn name(&self) -> String {
        let model = self.now.model.as_str();
        let Some(before) = self.before.models.get(model) else {
            return String::new();
        };
        let name = self.quantity.name();
        let now = self.now.at_home(self.quantity);
        let Some(was) = before.values.get(name).copied() else {
            return String::new();
        };
        if now.is_some_and(|now| !moved(was, now)) {
            return String::new();
        }
        let edits = self.edits(before);
        let spelled = |value: f64| spell_number(self.quantity, value);
        let mut tried: Vec<(f64, String)> = Vec::new();
        for edit in edits.iter().take(MOST_TRIED) {
            let Some(alone) = self.with_only(edit, &edits) else {
                continue;
            };
            if moved(was, alone) {
                let (was_text, alone_text) = (spelled(was), spelled(alone));
                let text = format!("{} moved {name} {was_text} → {alone_text}", edit.text);
                tried.push(((alone - was).abs(), text));
            }
        }
        // Equally strong edits stay in the order of their names.
        tried.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut named: Vec<String> = tried.into_iter().map(|(_, text)| text).collect();
        named.truncate(MOST_NAMED);
        if !named.is_empty() {
            return spell_list(&named);
        }
        let was = format!("it was {} when the contracts last held", spelled(was));
        if !edits.is_empty() {
            let all: Vec<String> = edits.iter().map(|edit| edit.text.clone()).collect();
            let listed = spell_list(&all[..all.len().min(MOST_NAMED)]);
            return format!("{was}; none of the edits since moved it alone: {listed}");
        }
        match &self.kind.script {
            Some(script) if self.before.script != self.now.script => {
                format!("{was}; {script} has changed since")
            }
            _ => was,
        }
    }

    /// The tunables that have another value now.
    fn edits(&self, before: &RememberedModel) -> Vec<TunableEdit> {
        let now = &self.now.tunables;
        let changed = before.tunables.iter().filter_map(|(key, was)| {
            let value = now.get(key).filter(|value| *value != was)?;
            let origin = self.now.origins.get(key);
            let origin = origin.map_or_else(String::new, |origin| format!(" ({origin})"));
            Some(TunableEdit { key: key.clone(), was: was.clone(), text: format!("{key} {was} → {value}{origin}") })
        });
        changed.collect()
    }

    /// The number with one edit alone: all other tunables have the values they had.
    fn with_only(&self, edit: &TunableEdit, edits: &[TunableEdit]) -> Option<f64> {
        let others = edits.iter().filter(|other| other.key != edit.key);
        let settings: Settings = others.map(|other| (self.setting(&other.key), other.was.clone())).collect();
        let order = MeasureOrder {
            kind: self.kind,
            wanted: &[self.quantity],
            settings: &settings,
            only: Some(self.now.game_hz),
            slope: 0.0,
        };
        let measured = measure_model(self.bench, self.now.model, &order).ok()?;
        measured.at_home(self.quantity)
    }

    /// The key that sets a tunable for this kind alone.
    fn setting(&self, key: &str) -> String {
        if key.starts_with("simulation.") {
            key.into()
        } else {
            format!("entities.{}.{key}", self.kind.name)
        }
    }
}

fn moved(was: f64, now: f64) -> bool {
    (now - was).abs() > MOVED * was.abs().max(1e-2)
}
