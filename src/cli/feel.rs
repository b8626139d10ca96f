//! `feel`: measures how a kind feels.

use super::feel_contracts::write_contracts;
use super::output::{SUCCESS, color_on_stderr, say, setting, unusable, whole};
use clap::{Args, ValueEnum};
use hangtime_core::models::ModelName;
use hangtime_game::files::{FeelQuantity, OutputFile, OutputKind};
use hangtime_game::terminal::{tell, tell_rendered};
use hangtime_game::{Error, GameFolder, KindFile, Project};
use hangtime_play::feel::{ArcPlot, FeelSheet, feel_sheet, plot_arcs, spell_measure};
use hangtime_script::text::{printable_json, printable_name};
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};

/// Arguments of `feel`.
#[derive(Args)]
pub struct FeelArguments {
    /// Kind to measure: the name of a file in config/entities
    kind: String,
    /// Measure it under this model; can be repeated [default: its own, and those that its file has
    /// tables for]
    #[arg(long, value_name = "NAME", value_parser = model)]
    model: Vec<ModelName>,
    /// Ticks per second [default: the game's]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole::<u32>(10, 1000))]
    hz: Option<u32>,
    /// Override a setting, such as platformer.jump_speed=600; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Output format
    #[arg(long, value_enum, default_value_t = SheetFormat::Text)]
    format: SheetFormat,
    /// Draw a full jump and a hop, with the apex
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the numbers as contracts into `[expect]` of the kind's file
    #[arg(long, conflicts_with_all = ["set", "hz"])]
    write: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum SheetFormat {
    /// A table for each model
    Text,
    /// A JSON object with one object per model; numbers in px and s, null where there is none
    Json,
}

fn model(name: &str) -> Result<ModelName, String> {
    ModelName::parse(name).ok_or_else(|| {
        let names: Vec<&str> = ModelName::ALL.iter().map(|m| m.as_str()).collect();
        let hint = hangtime_script::names::suggestion(name, names);
        format!("there is no model `{name}`{hint}")
    })
}

/// A kind under one model.
struct MeasuredModel {
    model: ModelName,
    sheet: FeelSheet,
}

/// Runs the command and returns the exit code.
pub fn feel(folder: GameFolder, arguments: &FeelArguments) -> u8 {
    match run(folder, arguments) {
        Ok(code) => code,
        Err(error) => unusable(&error),
    }
}

fn run(folder: GameFolder, arguments: &FeelArguments) -> Result<u8, Error> {
    let project = Project::load(folder)?;
    let kind = project.kind(&arguments.kind)?;
    let models = models_of(&kind, arguments)?;
    let mut measured = Vec::new();
    for model in models {
        let (sheet, fault) = feel_sheet(&project, &kind, model, &arguments.set, arguments.hz)?;
        if let Some(fault) = fault {
            tell_rendered(&fault.render(color_on_stderr()));
        }
        measured.push(MeasuredModel { model, sheet });
    }
    if let Some(path) = &arguments.svg {
        draw(project.root(), path, &kind, &measured)?;
    }
    match arguments.format {
        SheetFormat::Text => show_text(&kind, &measured),
        SheetFormat::Json => show_json(&measured),
    }
    if arguments.write {
        let models = measured.iter().map(|measured| measured.model);
        return write_contracts(&project, &kind, models);
    }
    Ok(SUCCESS)
}

/// The models to measure.
fn models_of(kind: &KindFile, arguments: &FeelArguments) -> Result<Vec<ModelName>, Error> {
    let mut models = Vec::new();
    for model in &arguments.model {
        if !model.views().contains(&kind.view) {
            let (name, view) = (&kind.name, kind.view.name());
            let message = format!("`{model}` does not work in a {view} view, for which `{name}` is made");
            return Err(hangtime_script::Diagnostic::about_file(&kind.file, message).into());
        }
        if !models.contains(model) {
            models.push(*model);
        }
    }
    Ok(if models.is_empty() { kind.models.clone() } else { models })
}

fn show_text(kind: &KindFile, measured: &[MeasuredModel]) {
    for (i, MeasuredModel { model, sheet }) in measured.iter().enumerate() {
        if i > 0 {
            say("");
        }
        let name = printable_name(&kind.name);
        let (view, hz) = (kind.view.name(), sheet.hz);
        say(format_args!("{name}, {model}, {view} view, {hz} Hz"));
        for quantity in FeelQuantity::ALL {
            let number = match sheet.values.get(&quantity) {
                Some(Ok(number)) => spell_measure(quantity, *number),
                _ => "-".into(),
            };
            let about = match sheet.values.get(&quantity) {
                Some(Err(why)) => format!("none: it {why}"),
                _ => quantity.about().into(),
            };
            say(format_args!("  {:<14} {number:>12}   {about}", quantity.name()));
        }
    }
}

fn show_json(measured: &[MeasuredModel]) {
    match serde_json::to_string_pretty(&JsonSheets(measured)) {
        Ok(text) => say(printable_json(&text)),
        Err(e) => tell(format_args!("error: cannot write the sheet as JSON: {e}")),
    }
}

/// The sheets by the names of their models.
struct JsonSheets<'a>(&'a [MeasuredModel]);

impl Serialize for JsonSheets<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|m| (m.model.as_str(), JsonSheet(&m.sheet))))
    }
}

/// A sheet in its own order.
struct JsonSheet<'a>(&'a FeelSheet);

impl Serialize for JsonSheet<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let number = |quantity: FeelQuantity| {
            let number = self.0.values.get(&quantity).and_then(|n| n.ok());
            (quantity.name(), number.map(rounded))
        };
        out.collect_map(FeelQuantity::ALL.map(number))
    }
}

/// A number without the noise of rounding: to a millionth.
fn rounded(x: f64) -> f64 {
    // The sum turns -0 into 0.
    (x * 1e6).round() / 1e6 + 0.0
}

/// Draws the arcs of all models that jump.
fn draw(root: &Path, path: &Path, kind: &KindFile, measured: &[MeasuredModel]) -> Result<(), Error> {
    let plots: Vec<ArcPlot<'_>> = measured
        .iter()
        .filter_map(|MeasuredModel { model, sheet }| {
            Some(ArcPlot { title: format!("{}, {model}, {} Hz", kind.name, sheet.hz), arcs: sheet.arcs.as_ref()? })
        })
        .collect();
    if plots.is_empty() {
        let message = "nothing to draw: this kind does not jump, or not as shortly as a tick of the game";
        return Err(hangtime_script::Diagnostic::about_file(&kind.file, message).into());
    }
    let picture = plot_arcs(&plots).map_err(|source| Error::Write { file: path.display().to_string(), source })?;
    OutputFile::write_text(root, path, OutputKind::Svg, &picture)?;
    tell(format_args!("wrote {}", path.display()));
    Ok(())
}
