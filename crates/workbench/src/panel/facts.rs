//! What the panel shows of an entity besides its tunables.

use super::*;
use hangtime_core::sim::{InJson, Value};

/// The most variables and timers that are listed.
const MOST_LISTED: usize = 64;

/// The most characters of a variable's value.
const MOST_CHARACTERS: usize = 60;

/// A script variable.
#[derive(PartialEq)]
pub struct VariableFact {
    /// Its name in `this`.
    pub name: String,
    /// Its value as JSON, cut if it is long.
    pub value: String,
}

/// A running timer.
#[derive(PartialEq)]
pub struct TimerFact {
    /// The name of its event.
    pub name: String,
    /// Seconds until the event is emitted.
    pub left: f64,
}

/// A running sequence.
#[derive(PartialEq)]
pub struct SequenceFact {
    /// The name of its function.
    pub name: String,
    /// Where it waits: `scripts/boss.rhai:12`.
    pub place: String,
}

/// The state of an entity that its tunables depend on, and what its script remembers.
#[derive(PartialEq)]
pub struct EntityFacts {
    /// Its name.
    pub name: Arc<str>,
    /// Its kind.
    pub kind: Arc<str>,
    /// The model that moves it.
    pub model: ModelName,
    /// The surface that it is on; empty in the air.
    pub surface: Arc<str>,
    /// Index of its profile in the stage.
    pub profile: usize,
    /// What its script has set with `me.tune`, by model and name: `platformer.jump_speed`.
    pub overrides: BTreeMap<String, Setting>,
    /// Its script variables, by name: first the lowest script's, then each mod's. Names of a mod's variables begin
    /// with the layer's name, as in `angry: rage`.
    pub variables: Vec<VariableFact>,
    /// Its timers, in the order in which they were set.
    pub timers: Vec<TimerFact>,
    /// Its running sequences.
    pub sequences: Vec<SequenceFact>,
}

impl EntityFacts {
    /// The facts about the entity with this name; `None` if it does not exist.
    pub fn of(live: &Live, name: &str) -> Option<Self> {
        let world = live.world();
        let entity = world.entity(name)?;
        let hz = f64::from(live.revision().stage.hz);
        let mut variables: Vec<VariableFact> = Vec::new();
        let lowest = (String::new(), entity.vars.0.to_plain());
        let layers = entity.layers().iter();
        let layers = layers.map(|layer| (format!("{}: ", layer.name), layer.vars.0.to_plain()));
        for (of, vars) in std::iter::once(lowest).chain(layers) {
            variables.extend(vars.iter().map(|(name, value)| VariableFact {
                name: printable_name(&cut_name(&format!("{of}{name}"))).into_owned(),
                value: short(value),
            }));
        }
        variables.truncate(MOST_LISTED);
        let timers = world.timers_of(&live.revision().stage, entity).take(MOST_LISTED);
        let (revision, profile) = (live.revision(), world.profile_of(entity));
        let sequences = world.frames().of(entity.id).iter().map(|frame| SequenceFact {
            name: printable_name(&cut_name(&frame.at.sequence)).into_owned(),
            place: revision.place_of_wait(profile, &frame.at, &frame.layer),
        });
        Some(Self {
            name: entity.name.clone(),
            kind: entity.kind.clone(),
            model: entity.model,
            surface: world.view(&live.revision().stage, entity).surface,
            profile,
            overrides: world.overrides_of(entity).map(|(key, value)| (key.to_string(), value.clone())).collect(),
            variables,
            timers: timers
                .map(|(name, ticks)| TimerFact {
                    name: printable_name(&cut_name(name)).into_owned(),
                    left: ticks as f64 / hz,
                })
                .collect(),
            sequences: sequences.collect(),
        })
    }
}

/// A value as JSON, cut to a line.
pub fn short(value: &Value) -> String {
    // A value of plain data always has a JSON form.
    let text = serde_json::to_string(&InJson(value)).unwrap_or_default();
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(MOST_CHARACTERS).collect();
    let rest = if characters.next().is_some() { "…" } else { "" };
    printable_name(&format!("{start}{rest}")).into_owned()
}
