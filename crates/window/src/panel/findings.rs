//! What is found out for the panel while the game runs: the contracts of the kind, and what a stretch depends on.

use super::{
    colors::{HOLDS, NEAR},
    *,
};
use egui::{CollapsingHeader, Grid};
use hangtime_workbench::{BlameFacts, ContractFacts, ContractRow, ContractState};

/// The most of the panel's height that the list of contracts takes, in points.
const CONTRACTS: f32 = 150.0;

/// The least height for the list and what is below it, in points. With less, only the line above the list is shown.
const LEAST: f32 = CONTRACTS + LEAST_PLOTS + LEAST_ROWS;

/// Shows the contracts of the picked entity's kind: a line that says whether they hold, and below it each of them.
pub fn show_contracts(ui: &mut Ui, shown: &PanelFacts) {
    let rows = match shown.contracts.as_deref() {
        None | Some(ContractFacts::Reading) => return,
        Some(ContractFacts::None) => {
            let text = format!("no contracts; `hangtime feel {} --write` writes some", shown.entity.kind);
            ui.label(RichText::new(text).small().weak());
            return;
        }
        Some(ContractFacts::Wrong(wrong)) => {
            ui.label(RichText::new(format!("contracts are not measured: {wrong}")).small().color(CONFLICT));
            return;
        }
        Some(ContractFacts::Rows(rows)) => rows,
    };
    let (title, color) = summary(rows);
    if ui.available_height() < LEAST {
        let line = |row: &ContractRow| format!("{} {}: {}, {}", sign(row.state).0, row.name, row.measured, row.allowed);
        let all: Vec<String> = rows.iter().map(line).collect();
        ui.label(RichText::new(title).small().color(color)).on_hover_text(all.join("\n"));
        return;
    }
    CollapsingHeader::new(RichText::new(title).color(color))
        .id_salt("contracts")
        .default_open(true)
        .show(ui, |ui| {
            ScrollArea::vertical().id_salt("contract rows").max_height(CONTRACTS).show(ui, |ui| {
                ui.spacing_mut().interact_size.y = 0.0;
                Grid::new("contracts").spacing([8.0, 1.0]).show(ui, |ui| {
                    for row in rows {
                        let (sign, color) = sign(row.state);
                        let text = |text: &str| RichText::new(text).small().color(color);
                        for part in [&format!("{sign} {}", row.name), &row.measured, &row.allowed] {
                            ui.label(text(part)).on_hover_text(&row.about);
                        }
                        ui.end_row();
                    }
                });
            });
        });
}

/// `1 of 9 contracts broken`, and the color of that.
fn summary(rows: &[ContractRow]) -> (String, Color32) {
    let count = |state: ContractState| rows.iter().filter(|row| row.state == state).count();
    let (broken, measuring) = (count(ContractState::Broken), count(ContractState::Measuring));
    let all = rows.len();
    if broken > 0 {
        return (format!("✖ {broken} of {all} contracts broken"), CONFLICT);
    }
    if measuring > 0 {
        return (format!("… measuring {measuring} of {all} contracts"), Color32::GRAY);
    }
    match count(ContractState::Near) {
        0 => (format!("✔ all {all} contracts hold"), HOLDS),
        near => (format!("✔ all {all} contracts hold, {near} only just"), NEAR),
    }
}

/// The sign and the color of a state.
fn sign(state: ContractState) -> (&'static str, Color32) {
    match state {
        ContractState::Measuring => ("…", Color32::GRAY),
        ContractState::Holds => ("✔", HOLDS),
        ContractState::Near => ("!", NEAR),
        ContractState::Broken => ("✖", CONFLICT),
    }
}

/// Shows what the marked stretch depends on. Returns the number that was clicked, for the search. `chosen` is the moment
/// that is shown, by its name.
pub fn show_blame(ui: &mut Ui, shown: &PanelFacts, chosen: &mut &'static str) -> Option<String> {
    let moments = match shown.blame.as_deref()? {
        BlameFacts::Playing => {
            ui.label(
                RichText::new("… what the stretch depends on is being played")
                    .small()
                    .color(Color32::GRAY),
            );
            return None;
        }
        BlameFacts::TooLong => {
            ui.label(RichText::new("the stretch is too long to say what it depends on").small().weak());
            return None;
        }
        BlameFacts::Moments(moments) => moments,
    };
    let moment = moments.iter().find(|moment| moment.name == *chosen).or(moments.first())?;
    let mut clicked = None;
    CollapsingHeader::new(format!("this {} depends on", moment.name))
        .id_salt("blame")
        .default_open(true)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                for other in moments {
                    if ui.selectable_label(other.name == moment.name, other.name).clicked() {
                        *chosen = other.name;
                    }
                }
                let [x, y] = moment.at;
                ui.weak(format!("at ({x:.1}, {y:.1})"));
            });
            if moment.rows.is_empty() {
                ui.weak("no number of it");
            }
            ui.spacing_mut().interact_size.y = 0.0;
            Grid::new("blame").spacing([8.0, 1.0]).show(ui, |ui| {
                for row in &moment.rows {
                    if ui.link(RichText::new(&row.name).small()).on_hover_text(&row.about).clicked() {
                        clicked = Some(row.path.clone());
                    }
                    ui.label(RichText::new(&row.text).small());
                    ui.end_row();
                }
            });
        });
    clicked
}
