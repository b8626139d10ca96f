//! A kind's numbers at several tick rates, and the tunables that they depend on.

use super::*;
use hangtime_core::geometry::ColliderForm;
use hangtime_game::TuningGroup;

/// The tick rates at which contracts are checked, in addition to the game's own.
const RATES: [u32; 4] = [30, 60, 120, 240];

/// The tunables of the simulation that move a body.
const OF_SIMULATION: [&str; 2] = ["gravity", "external_damping"];

/// A kind's numbers under one model.
#[derive(Clone, Debug)]
pub struct ModelMeasure {
    /// The model.
    pub model: ModelName,
    /// The game's tick rate.
    pub game_hz: u32,
    /// The numbers at each tick rate, lowest rate first.
    pub sheets: Vec<FeelSheet>,
    /// The values of the tunables that the numbers depend on, by their names in a setting.
    pub tunables: BTreeMap<String, String>,
    /// Where each of them is set, such as `config/models/platformer.toml:10`.
    pub origins: BTreeMap<String, String>,
    /// The content hash of the kind's script; empty without one.
    pub script: String,
    /// The first script error while it was measured.
    pub fault: Option<Fault>,
}

impl ModelMeasure {
    /// A number at the game's own tick rate, if it was measured.
    pub fn at_home(&self, quantity: FeelQuantity) -> Option<f64> {
        let home = self.sheets.iter().find(|sheet| sheet.hz == self.game_hz)?;
        home.values.get(&quantity)?.ok()
    }

    /// A number at each tick rate. The shortest press is one tick of the game, so a hop is left out
    /// where a press cannot last exactly that long.
    pub fn of(&self, quantity: FeelQuantity) -> impl Iterator<Item = (u32, Measured)> {
        let sheets = self
            .sheets
            .iter()
            .filter(move |sheet| quantity != FeelQuantity::Hop || tap(sheet.hz, self.game_hz).is_some());
        sheets.filter_map(move |sheet| Some((sheet.hz, *sheet.values.get(&quantity)?)))
    }
}

/// The tick rates at which contracts are checked, the lowest first.
pub fn contract_rates(game_hz: u32) -> Vec<u32> {
    let mut rates: Vec<u32> = RATES.into_iter().chain([game_hz]).collect();
    rates.sort_unstable();
    rates.dedup();
    rates
}

/// The ticks of a press that lasts one tick of the game; `None` if that is not a whole number.
pub fn tap(hz: u32, game_hz: u32) -> Option<u64> {
    hz.is_multiple_of(game_hz).then(|| u64::from(hz / game_hz))
}

/// The ground that a kind is measured on. The default is level and plain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeelPlace {
    /// The name of its surface; `None` for plain ground.
    pub surface: Option<String>,
    /// How steep it is, degrees, −89 to 89; below 0 it leads down.
    pub slope: f64,
}

/// Which numbers of a kind to measure, and how.
pub struct MeasureOrder<'a> {
    /// The kind.
    pub kind: &'a KindFile,
    /// The numbers; empty for all, with the arcs of a plot.
    pub wanted: &'a [FeelQuantity],
    /// Settings that override the files.
    pub settings: &'a [(String, String)],
    /// The only tick rate; `None` for all of them.
    pub only: Option<u32>,
    /// How steep the ground is, degrees; below 0 it leads down.
    pub slope: f64,
}

/// Measures a kind under one model.
///
/// # Errors
/// If the kind cannot be played: the mistakes in its files.
pub fn measure_model(bench: &KindBench, model: ModelName, order: &MeasureOrder<'_>) -> Result<ModelMeasure, Error> {
    let home = bench.open(order.settings)?;
    let game_hz = order.only.unwrap_or(home.stage.hz);
    let rates = match order.only {
        Some(only) => vec![only],
        None => contract_rates(game_hz),
    };
    let mut measured = describe(&home, order.kind, model);
    measured.game_hz = game_hz;
    for hz in rates {
        let mut settings: Settings = order.settings.to_vec();
        settings.push(("simulation.tick_hz".into(), hz.to_string()));
        let subject = FeelSubject::new(bench.open(&settings)?, model, order.slope);
        let tap = tap(hz, game_hz);
        measured.sheets.push(measure(&subject, order.wanted, tap));
        measured.fault = measured.fault.or(subject.fault());
    }
    Ok(measured)
}

/// The tunables that a kind's numbers depend on, before anything is measured.
fn describe(revision: &Revision, kind: &KindFile, model: ModelName) -> ModelMeasure {
    let profile = revision.stage.starts[0].profile;
    let mut tunables = BTreeMap::new();
    let mut origins = BTreeMap::new();
    let mut note = |group: &TuningGroup, name: &str| {
        let key = format!("{group}.{name}");
        if let Some(value) = revision.tuning_value(profile, group, name) {
            origins.insert(key.clone(), revision.tuning_origin(profile, group, name));
            tunables.insert(key, value.to_string());
        }
    };
    // Planned jumps follow the tunables of a model for flights.
    let models = [model, PlannedJump::MODEL];
    let models = &models[..if model == PlannedJump::MODEL { 1 } else { 2 }];
    for model in models {
        for tunable in model.tunables() {
            note(&TuningGroup::Model(*model), tunable.name);
        }
    }
    for name in OF_SIMULATION {
        note(&TuningGroup::Simulation, name);
    }
    let shape = revision.stage.profiles[profile].loadouts.shape(model);
    let (half, full) = (shape.half, shape.half * 2.0);
    let body = match shape.form {
        ColliderForm::Ellipse => format!("{{ ellipse = [{}, {}] }}", half.x, half.y),
        ColliderForm::Box => format!("{{ box = [{}, {}] }}", full.x, full.y),
        ColliderForm::Capsule => format!("{{ capsule = [{}, {}] }}", full.x, full.y),
    };
    tunables.insert(format!("{model}.body"), body);
    let script = kind.script.as_ref().and_then(|name| revision.hashes.get(name));
    let script = script.map(|hash| hash.iter().map(|byte| format!("{byte:02x}")).collect());
    ModelMeasure {
        model,
        game_hz: revision.stage.hz,
        sheets: Vec::new(),
        tunables,
        origins,
        script: script.unwrap_or_default(),
        fault: None,
    }
}

/// The sheet of a kind under one of its models: all numbers at one tick rate, the game's own unless
/// another is given, on the ground of a place, with what plots show. Settings override the files. The calling thread needs a
/// stack of [`STACK`](hangtime_script::STACK) bytes.
///
/// # Errors
/// If the kind cannot be played: the mistakes in its files.
pub fn feel_sheet(
    project: &Project,
    kind: &KindFile,
    model: ModelName,
    settings: &[(String, String)],
    hz: Option<u32>,
    place: &FeelPlace,
) -> Result<(FeelSheet, Option<Fault>), Error> {
    let bench = project.kind_bench(kind, model, place.surface.as_deref());
    let hz = match hz {
        Some(hz) => hz,
        None => bench.open(settings)?.stage.hz,
    };
    let order = MeasureOrder { kind, wanted: &[], settings, only: Some(hz), slope: place.slope };
    let mut measured = measure_model(&bench, model, &order)?;
    let sheet = measured.sheets.remove(0);
    Ok((sheet, measured.fault))
}

/// All numbers of a kind under one of its models, at every tick rate of contracts. The calling thread
/// needs a stack of [`STACK`](hangtime_script::STACK) bytes.
///
/// # Errors
/// If the kind cannot be played: the mistakes in its files.
pub fn measure_kind(project: &Project, kind: &KindFile, model: ModelName) -> Result<ModelMeasure, Error> {
    let order = MeasureOrder { kind, wanted: &FeelQuantity::ALL, settings: &[], only: None, slope: 0.0 };
    measure_model(&project.kind_bench(kind, model, None), model, &order)
}
