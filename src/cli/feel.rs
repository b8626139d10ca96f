//! `feel`: measures how a kind feels.

use super::*;
use hangtime_core::{level::View, models::ModelName};
use hangtime_game::{
    KindFile,
    files::{ExpectLine, FeelQuantity, write_expect},
};
use hangtime_play::feel::{
    ArcPlot, DashPlot, FeelPlace, FeelSheet, ModelMeasure, Unmeasured, contracts_for, feel_sheet, measure_kind,
    plot_arcs, plot_dashes, spell_list, spell_place, spell_sheet,
};
use hangtime_script::names::suggestion;
use serde::Serializer;

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
    /// Measure it on ground of this surface, such as ice
    #[arg(long, value_name = "NAME")]
    surface: Option<String>,
    /// Measure it on ground that leads up at this angle, from -89 to 89; below 0 it leads down
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, value_parser = slope)]
    slope: Option<f64>,
    /// Output format
    #[arg(long, value_enum, default_value_t = SheetFormat::Text)]
    format: SheetFormat,
    /// Draw a full jump and a hop, with the apex; with --surface or --slope, the speed of a run and a stop
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the numbers as contracts into `[expect]` of the kind's file
    #[arg(long, conflicts_with_all = ["set", "hz", "surface", "slope"])]
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
        let hint = suggestion(name, names);
        format!("there is no model `{name}`{hint}")
    })
}

fn slope(degrees: &str) -> Result<f64, String> {
    let angle = degrees.parse().ok().filter(|angle: &f64| (-89.0..=89.0).contains(angle));
    angle.ok_or_else(|| format!("`{degrees}` is not an angle from -89 to 89 degrees"))
}

/// A kind under one model.
type MeasuredModel = (ModelName, FeelSheet);

/// Runs the command and returns the exit code.
pub fn feel(folder: GameFolder, arguments: &FeelArguments) -> Exit {
    let project = Project::load(folder)?;
    let kind = project.kind(&arguments.kind)?;
    let place = place_of(&project, &kind, arguments)?;
    let mut measured = Vec::new();
    for model in models_of(&kind, arguments)? {
        let (sheet, fault) = feel_sheet(&project, &kind, model, &arguments.set, arguments.hz, &place)?;
        if let Some(fault) = fault {
            tell_rendered(&fault.render(color_on_stderr()));
        }
        measured.push((model, sheet));
    }
    if arguments.model.is_empty() && place != FeelPlace::default() {
        warn_of_rule(&project, &kind, arguments)?;
    }
    if let Some(path) = &arguments.svg {
        draw(project.root(), path, &kind, (&measured, &place))?;
    }
    match arguments.format {
        SheetFormat::Text => {
            let sheets = measured.iter().map(|(model, sheet)| spell_sheet(&kind, *model, sheet, &place));
            say(sheets.collect::<Vec<_>>().join("\n\n"));
        }
        SheetFormat::Json => say_json(&JsonSheets(&measured)),
    }
    if arguments.write {
        let models = measured.iter().map(|(model, _)| *model);
        return write_contracts(&project, &kind, models);
    }
    Ok(SUCCESS)
}

/// Says that the script may choose another model on such ground than the one that was measured.
fn warn_of_rule(project: &Project, kind: &KindFile, arguments: &FeelArguments) -> Result<(), Error> {
    let revision = project.kind_bench(kind, kind.model(), None).open(&arguments.set)?;
    if let Some(script) = kind
        .script
        .as_ref()
        .filter(|_| revision.scripts.all().iter().any(|s| s.has_hook("model")))
    {
        let model = kind.model();
        tell(format_args!(
            "warning: this is how `{model}` moves; the rule `model` of {script} may choose another model there, which \
             `--model NAME` measures"
        ));
    }
    Ok(())
}

/// The models to measure.
fn models_of(kind: &KindFile, arguments: &FeelArguments) -> Result<Vec<ModelName>, Error> {
    let mut models = Vec::new();
    for model in &arguments.model {
        if !model.views().contains(&kind.view) {
            let (name, view) = (&kind.name, kind.view.name());
            let message = format!("`{model}` does not work in a {view} view, for which `{name}` is made");
            return Err(refused(&kind.file, message));
        }
        if !models.contains(model) {
            models.push(*model);
        }
    }
    Ok(if models.is_empty() { kind.models.clone() } else { models })
}

/// The ground to measure on.
fn place_of(project: &Project, kind: &KindFile, arguments: &FeelArguments) -> Result<FeelPlace, Error> {
    let slope = arguments.slope.unwrap_or(0.0);
    if slope != 0.0 && kind.view == View::Top {
        let message = format!("`{}` is measured in a top view, which has no slopes", printable_name(&kind.name));
        return Err(refused("--slope", message));
    }
    if let Some(name) = arguments.surface.as_deref().filter(|name| *name != PLAIN) {
        let surfaces = project.surfaces();
        if !surfaces.iter().any(|surface| surface == name) {
            let hint = suggestion(name, surfaces.iter().map(String::as_str).chain([PLAIN]));
            return Err(refused("--surface", format!("there is no surface `{}`{hint}", printable_name(name))));
        }
    }
    Ok(FeelPlace { surface: arguments.surface.clone().filter(|name| name != PLAIN), slope })
}

/// The surface of ground that names none.
const PLAIN: &str = "plain";

/// The sheets by the names of their models.
struct JsonSheets<'a>(&'a [MeasuredModel]);

impl Serialize for JsonSheets<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(self.0.iter().map(|(model, sheet)| (model.as_str(), JsonSheet(sheet))))
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

/// Draws the arcs of all models that jump; on special ground, their runs and stops.
fn draw(
    root: &Path,
    path: &Path,
    kind: &KindFile,
    (measured, place): (&[MeasuredModel], &FeelPlace),
) -> Result<(), Error> {
    let picture = match *place == FeelPlace::default() {
        true => arcs(kind, measured)?,
        false => dashes(kind, measured, place)?,
    };
    let picture = picture.map_err(|source| not_written(path, source))?;
    OutputFile::write_text(root, path, OutputKind::Svg, &picture)?;
    tell(format_args!("wrote {}", path.display()));
    Ok(())
}

/// Runs and stops, as SVG.
fn dashes(kind: &KindFile, measured: &[MeasuredModel], place: &FeelPlace) -> Result<io::Result<String>, Error> {
    let plot = |(model, sheet): &'_ MeasuredModel| {
        let title = format!("{}, {model}, {} Hz{}", kind.name, sheet.hz, spell_place(place));
        Some((title, sheet.dash.clone()?))
    };
    let found: Vec<_> = measured.iter().filter_map(plot).collect();
    if found.is_empty() {
        return Err(refused(&kind.file, "nothing to draw: this kind does not run to a top speed on this ground"));
    }
    let plots: Vec<_> = found.iter().map(|(title, dash)| DashPlot { title: title.clone(), dash }).collect();
    Ok(plot_dashes(&plots))
}

/// Jumps, as SVG.
fn arcs(kind: &KindFile, measured: &[MeasuredModel]) -> Result<io::Result<String>, Error> {
    let plots: Vec<ArcPlot<'_>> = measured
        .iter()
        .filter_map(|(model, sheet)| {
            Some(ArcPlot { title: format!("{}, {model}, {} Hz", kind.name, sheet.hz), arcs: sheet.arcs.as_ref()? })
        })
        .collect();
    if plots.is_empty() {
        let message = "nothing to draw: this kind does not jump, or not as shortly as a tick of the game";
        return Err(refused(&kind.file, message));
    }
    Ok(plot_arcs(&plots))
}

/// Measures a kind at every tick rate, writes contracts that hold, and says which, or why there are none.
fn write_contracts(project: &Project, kind: &KindFile, models: impl Iterator<Item = ModelName>) -> Exit {
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
    // Whether the kind's file says the same.
    let known = |line: &ExpectLine| {
        let mut expectations = kind.expectations.iter();
        expectations.any(|e| (e.model, e.quantity, e.bound) == (line.model, line.quantity, line.bound))
    };
    let key = |line: &ExpectLine| match line.model {
        Some(model) => format!("`expect.{model}.{}`", line.quantity.name()),
        None => format!("`expect.{}`", line.quantity.name()),
    };
    let new: Vec<String> = lines.iter().filter(|line| !known(line)).map(key).collect();
    match write_expect(project.folder(), &kind.file, &lines) {
        Ok(true) => tell(format_args!("wrote to {file}: {}; {rates}", spell_list(&new))),
        Ok(false) => tell(format_args!("{file} has these contracts already; {rates}")),
        Err(error) => {
            tell(format_args!("error: {error}"));
            return Ok(UNUSABLE);
        }
    }
    Ok(SUCCESS)
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
        let at = hz.map(|hz| format!("at {hz} Hz ")).unwrap_or_default();
        tell(format_args!(
            "no contract for {} of `{}` under `{}`: {at}it {why}",
            spell_list(&names),
            printable_name(&kind.name),
            measured.model
        ));
    }
}
