//! The rows of the panel: tunables with their sliders, by group.

use super::{colors::REPLACED, *};
use egui::{CollapsingHeader, Id, Key, Slider, SliderClamping};
use hangtime_core::tuning::{Setting, Tunable};
use hangtime_game::TuningGroup;
use hangtime_workbench::panel::{TuningRow, TuningSection, rounded};

/// Shows the rows of a group and edits their tunables. A group that matters now or has edits is open
/// initially, and all are during a search.
pub fn show_section(ui: &mut Ui, section: &TuningSection, searched: bool, tuner: &mut Tuner) {
    let edited = section.rows.iter().filter(|row| row.edited).count();
    let is_surface = matches!(section.group, TuningGroup::Surface(_));
    let mut title = section.group.to_string();
    if is_surface && section.current {
        title.push_str(" (on it now)");
    }
    if edited > 0 {
        title.push_str(&format!(", {edited} edited"));
    }
    let text = match edited {
        0 => RichText::new(title),
        _ => RichText::new(title).color(EDITED),
    };
    CollapsingHeader::new(text)
        .id_salt(section.group.to_string())
        .default_open(edited > 0 || section.current && !is_surface)
        .open(searched.then_some(true))
        .show(ui, |ui| {
            for row in &section.rows {
                show(ui, row, tuner);
            }
        });
}

/// Shows a row and edits its tunable.
fn show(ui: &mut Ui, row: &TuningRow, tuner: &mut Tuner) {
    let path = row.path();
    ui.push_id(&path, |ui| {
        ui.horizontal(|ui| {
            let text = RichText::new(row.tunable.name);
            let text = if row.edited { text.color(EDITED) } else { text };
            let about = format!("{path}\n{}", about(&row.tunable));
            ui.label(text).on_hover_text(about);
            if row.edited && ui.small_button("reset").clicked() {
                tuner.reset(&row.key);
            }
        });
        if row.fixed.is_some() {
            ui.label(format!("{}{}", row.value, unit(&row.tunable)));
        } else if let Some((value, continues)) = value(ui, row) {
            tuner.set(&row.key, value, continues);
        }
        origin(ui, row, tuner);
        ui.add_space(4.0);
    });
}

/// The declaration of a tunable: what it does, its unit, range and default.
fn about(tunable: &Tunable) -> String {
    let mut facts = vec![format!("default {}", tunable.default)];
    if tunable.range.min.is_finite() {
        facts.push(format!("{} to {}", tunable.range.min, tunable.range.max));
    }
    if !tunable.unit.is_empty() {
        facts.push(tunable.unit.to_string());
    }
    format!("{}\n\n{}", tunable.doc, facts.join(", "))
}

/// The widget for the value. Returns the new value if it has changed, and whether a drag continues.
fn value(ui: &mut Ui, row: &TuningRow) -> Option<(Setting, bool)> {
    match &row.value {
        Setting::Number(now) => {
            let mut x = *now;
            let (low, high) = span(&row.tunable, x);
            let range = row.tunable.range;
            let slider = Slider::from_get_set(low..=high, |new| {
                if let Some(new) = new {
                    x = new;
                }
                x
            });
            let slider = slider.clamping(SliderClamping::Never);
            drop_escaped(ui);
            // A typed number acts once it is complete: on the way to 612 are 6 and 61.
            let slider = slider.update_while_editing(false);
            let response = ui.add(slider.suffix(unit(&row.tunable)).max_decimals(4));
            let changed = response.changed() && x != *now;
            // Typed numbers are taken as they are, dragged ones are rounded.
            let x = if response.dragged() { rounded(x) } else { x };
            let x = x.clamp(range.min, range.max);
            changed.then(|| (Setting::Number(x), continues(&response)))
        }
        Setting::Flag(now) => {
            let mut x = *now;
            ui.checkbox(&mut x, "");
            (x != *now).then_some((Setting::Flag(x), false))
        }
        Setting::Word(word) => {
            ui.monospace(word);
            None
        }
    }
}

/// Drops what was typed into a field that Escape has left: egui would take it in the next picture.
fn drop_escaped(ui: &Ui) {
    let typing = Id::new("typed into");
    let escaped = ui.input(|input| input.key_pressed(Key::Escape));
    if let Some(field) = ui.data(|data| data.get_temp::<Id>(typing)).filter(|_| escaped) {
        ui.data_mut(|data| data.remove::<String>(field));
    }
    if let Some(field) = ui.memory(egui::Memory::focused) {
        ui.data_mut(|data| data.insert_temp(typing, field));
    }
}

/// Whether a change belongs to a drag that has changed the value before.
fn continues(response: &Response) -> bool {
    response.dragged() && !response.drag_started()
}

fn unit(tunable: &Tunable) -> String {
    match tunable.unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    }
}

/// The part of a tunable's range that its slider covers: up to four times the default or the value. Other
/// values can be typed.
fn span(tunable: &Tunable, value: f64) -> (f64, f64) {
    let range = tunable.range;
    let default = match tunable.default {
        Setting::Number(x) => x,
        _ => 0.0,
    };
    let size = match default.abs().max(value.abs() / 2.0) {
        0.0 => 10.0,
        size => size * 4.0,
    };
    let low = if range.min < 0.0 { -size } else { 0.0 };
    (low.max(range.min), size.min(range.max))
}

/// Where the value comes from, what replaces it, and whether the files have another one by now.
fn origin(ui: &mut Ui, row: &TuningRow, tuner: &mut Tuner) {
    let from = if row.edited {
        format!("not saved; in the files: {}", row.origin)
    } else {
        row.origin.clone()
    };
    ui.label(RichText::new(from).small().weak());
    if row.fixed.is_none() && !row.goes.is_empty() {
        ui.label(RichText::new(format!("saved in {}", row.goes)).small().weak());
    }
    if let Some(reason) = row.fixed {
        ui.label(RichText::new(reason).small().color(REPLACED));
    }
    if !row.replaced.is_empty() {
        ui.label(RichText::new(&row.replaced).small().color(REPLACED));
    }
    if let Some(found) = &row.conflict {
        let text = format!("edited on disk as well: {found}");
        ui.label(RichText::new(text).small().color(CONFLICT));
        choose(ui, &row.key, tuner);
    }
}

/// Asks which value counts: the panel's or the one on disk.
pub fn choose(ui: &mut Ui, key: &TuningKey, tuner: &mut Tuner) {
    ui.horizontal(|ui| {
        if ui.small_button("keep mine").clicked() {
            tuner.keep_mine(key);
        }
        if ui.small_button("use theirs").clicked() {
            tuner.reset(key);
        }
    });
}

#[cfg(test)]
#[path = "../../tests/unit/panel/rows.rs"]
mod tests;
