//! The tuning panel as JSON: the page draws its rows.

use super::*;
use hangtime_core::tuning::Setting;
use hangtime_game::{TuningScope, save_tuning_with};
use hangtime_workbench::panel::{EntityFacts, TuningRow, rounded, tuning_rows, tuning_sections};

/// The panel for the picked entity.
#[derive(Serialize)]
struct PanelPage {
    entity: String,
    kind: String,
    model: String,
    /// Whether the second set of numbers, B, takes effect.
    second: bool,
    undo: bool,
    redo: bool,
    unsaved: usize,
    /// Whether the user has to say first what changed numbers are for, and what was said.
    asks_scope: bool,
    scope: &'static str,
    variables: Vec<[String; 2]>,
    sections: Vec<PanelSection>,
}

#[derive(Serialize)]
struct PanelSection {
    group: String,
    current: bool,
    rows: Vec<PanelRow>,
}

#[derive(Serialize)]
struct PanelRow {
    path: String,
    name: &'static str,
    about: &'static str,
    unit: &'static str,
    /// A number, a flag, or a word that cannot be changed here.
    value: PanelValue,
    /// The ends of the slider, and of the range.
    slider: [f64; 2],
    range: [f64; 2],
    origin: String,
    goes: String,
    edited: bool,
    conflict: Option<String>,
    replaced: String,
    fixed: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum PanelValue {
    Number(f64),
    Flag(bool),
    Word(String),
}

/// What a save of numbers has written, and why it did not write others.
#[derive(Serialize)]
pub struct SavedNumbers {
    files: Vec<String>,
    wrong: Vec<String>,
}

impl PanelRow {
    fn of(row: TuningRow) -> Self {
        let range = row.tunable.range;
        // What is not limited is not a number in JSON.
        let range = [range.min.max(-1e9), range.max.min(1e9)];
        let slider = match row.value {
            Setting::Number(x) => span(&row.tunable.default, x, range),
            _ => range,
        };
        Self {
            path: row.path(),
            name: row.tunable.name,
            about: row.tunable.doc,
            unit: row.tunable.unit,
            value: match row.value {
                Setting::Number(x) => PanelValue::Number(x),
                Setting::Flag(x) => PanelValue::Flag(x),
                Setting::Word(x) => PanelValue::Word(x),
            },
            slider,
            range,
            origin: row.origin,
            goes: row.goes,
            edited: row.edited,
            conflict: row.conflict.map(|found| found.to_string()),
            replaced: row.replaced,
            fixed: row.fixed.unwrap_or_default(),
        }
    }
}

/// The part of a tunable's range that its slider covers: up to four times the default or the value.
fn span(default: &Setting, value: f64, [min, max]: [f64; 2]) -> [f64; 2] {
    let default = if let Setting::Number(x) = default { *x } else { 0.0 };
    let size = match default.abs().max(value.abs() / 2.0) {
        0.0 => 10.0,
        size => size * 4.0,
    };
    let low = if min < 0.0 { -size } else { 0.0 };
    [low.max(min), size.min(max)]
}

impl PageSession {
    fn facts(&self) -> Option<EntityFacts> {
        EntityFacts::of(self.bench.live(), self.bench.picked()?)
    }

    /// The panel with the rows that a search finds; `null` if no entity is picked.
    pub fn panel(&mut self, search: &str) -> String {
        self.tuner.rebase(self.bench.files_revision().clone());
        let page = self.facts().map(|facts| {
            let (undo, redo) = self.tuner.can_undo_and_redo();
            let sections = tuning_sections(&self.tuner, &facts, search).into_iter();
            PanelPage {
                entity: facts.name.to_string(),
                kind: facts.kind.to_string(),
                model: facts.model.to_string(),
                second: self.tuner.is_second(),
                undo,
                redo,
                unsaved: self.tuner.unsaved_count(),
                asks_scope: self.tuner.asks_scope(),
                scope: match self.tuner.scope() {
                    Some(TuningScope::Kind) => "kind",
                    Some(TuningScope::Model) => "model",
                    None => "",
                },
                variables: facts.variables.iter().map(|it| [it.name.clone(), it.value.clone()]).collect(),
                sections: sections
                    .map(|section| PanelSection {
                        group: section.group.to_string(),
                        current: section.current,
                        rows: section.rows.into_iter().map(PanelRow::of).collect(),
                    })
                    .collect(),
            }
        });
        json(&page)
    }

    /// Changes a number of the panel. `None` for the value drops the edit. While a slider is dragged, `continues` is set
    /// after the first change, and the number is rounded.
    pub fn tune(&mut self, path: &str, value: Option<f64>, continues: bool, dragged: bool) {
        let Some(facts) = self.facts() else {
            return;
        };
        let rows = tuning_rows(&self.tuner, &facts, path);
        let Some(row) = rows.into_iter().find(|row| row.path() == path) else {
            return;
        };
        match (value, &row.value) {
            (None, _) => self.tuner.reset(&row.key),
            (Some(x), Setting::Flag(_)) => self.tuner.set(&row.key, Setting::Flag(x != 0.0), false),
            (Some(x), Setting::Number(_)) => {
                let x = if dragged { rounded(x) } else { x };
                self.tuner.set(&row.key, Setting::Number(x), continues);
            }
            (Some(_), Setting::Word(_)) => {}
        }
    }

    /// A button of the panel.
    pub fn panel_button(&mut self, button: &str) {
        let scope = |of: &str| if of == "kind" { TuningScope::Kind } else { TuningScope::Model };
        match button {
            "undo" => self.tuner.undo(),
            "redo" => self.tuner.redo(),
            "reset" => self.tuner.reset_all(),
            "swap" => self.tuner.swap(),
            "copy" => self.tuner.copy_to_other(),
            "kind" | "model" => {
                if let Some(facts) = self.facts() {
                    self.tuner.choose_scope(scope(button), facts.profile);
                }
            }
            _ => {}
        }
    }

    /// Keeps a number of the panel although its file has another one by now.
    pub fn keep_mine(&mut self, path: &str) {
        let Some(facts) = self.facts() else {
            return;
        };
        let rows = tuning_rows(&self.tuner, &facts, path);
        if let Some(row) = rows.into_iter().find(|row| row.path() == path) {
            self.tuner.keep_mine(&row.key);
        }
    }

    /// Writes the numbers of the panel into the texts of the files. They take effect with the next save.
    pub fn save_numbers(&mut self, files: &mut GameFiles, host: &mut dyn PageHost) -> SavedNumbers {
        let level = self.tuner.base().stage.level.name.to_string();
        let edits = self.tuner.save();
        let (saved, wrong) = save_tuning_with(&level, &edits, |file, change| {
            let bytes = files.0.get(file).ok_or_else(|| format!("{file} cannot be found"))?;
            let text = String::from_utf8(bytes.clone()).map_err(|_| format!("{file} is not text"))?;
            let bytes = change(&text)?.into_bytes();
            host.keep(file, Some(&bytes))?;
            files.0.insert(file.to_string(), bytes);
            Ok(())
        });
        SavedNumbers { files: saved, wrong }
    }
}
