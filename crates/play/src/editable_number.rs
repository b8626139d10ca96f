//! Numbers of a run that someone could edit, each at the place where its value comes from.

use super::*;
use hangtime_core::{
    models::ModelName,
    tuning::{Range as NumberRange, Setting},
};
use hangtime_game::{TuningChange, TuningGroup, TuningHome};

/// What a run has used: profiles of entities with the models that moved them, and surfaces that bodies were on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UsedTuning {
    profiles: BTreeMap<usize, BTreeSet<ModelName>>,
    surfaces: BTreeSet<Arc<str>>,
}

impl UsedTuning {
    /// What an entity with this profile uses under these models, on these surfaces.
    pub fn of(profile: usize, models: &BTreeSet<ModelName>, surfaces: &BTreeSet<Arc<str>>) -> Self {
        Self { profiles: BTreeMap::from([(profile, models.clone())]), surfaces: surfaces.clone() }
    }

    /// Notes what the entities of a tick use; only those with this name, if there is one.
    pub fn note(&mut self, live: &Live, only: Option<&str>) {
        let (world, stage) = (live.world(), &live.revision().stage);
        let entities = world.entities().iter();
        for entity in entities.filter(|entity| only.is_none_or(|only| *entity.name == *only)) {
            self.profiles.entry(world.profile_of(entity)).or_default().insert(entity.model);
            let surface = world.view(stage, entity).surface;
            if !surface.is_empty() && !self.surfaces.contains(&surface) {
                self.surfaces.insert(surface);
            }
        }
    }

    /// The numbers that they have in a revision, each once, and gravity.
    pub fn numbers(&self, revision: &Revision) -> Vec<EditableNumber> {
        let models = self
            .profiles
            .iter()
            .flat_map(|(profile, models)| models.iter().map(|model| (*profile, TuningGroup::Model(*model))));
        let surfaces = self.surfaces.iter().map(|name| (0, TuningGroup::Surface(name.to_string())));
        let mut numbers: Vec<EditableNumber> = Vec::new();
        for (profile, group) in models.chain([(0, TuningGroup::Simulation)]).chain(surfaces) {
            for tunable in group.tunables() {
                let of_simulation = group == TuningGroup::Simulation;
                if of_simulation && !["gravity", "external_damping"].contains(&tunable.name) {
                    continue;
                }
                let home = revision.tuning_home(profile, &group, tunable.name);
                if numbers.iter().any(|n| n.home == home && n.group == group && n.name == tunable.name) {
                    continue;
                }
                let value = revision.tuning_value(profile, &group, tunable.name);
                let default = match tunable.default {
                    Setting::Number(default) => default.abs(),
                    _ => 0.0,
                };
                if let Some(Setting::Number(value)) = value {
                    // A number that is 0 is varied in steps of what it usually is.
                    let size = if value == 0.0 { default } else { value.abs() };
                    numbers.push(EditableNumber {
                        origin: revision.tuning_origin(profile, &group, tunable.name),
                        value,
                        size,
                        unit: tunable.unit,
                        range: tunable.range,
                        home,
                        group: group.clone(),
                        name: tunable.name,
                    });
                }
            }
        }
        numbers
    }
}

/// A number at the place where its value comes from: a change there reaches all that take the value from there.
#[derive(Clone, Debug, PartialEq)]
pub struct EditableNumber {
    /// Where it is set: `config/models/platformer.toml:9`, or `default`.
    pub origin: String,
    /// Its value.
    pub value: f64,
    /// Its unit; empty for shares.
    pub unit: &'static str,
    /// What steps are a share of: the value without its sign, or the default of a number that is 0; 0 if that is 0 as well.
    size: f64,
    range: NumberRange,
    home: TuningHome,
    group: TuningGroup,
    name: &'static str,
}

impl EditableNumber {
    /// Its name with its group: `platformer.jump_speed`, `surfaces.ice.grip`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.group, self.name)
    }

    /// Its name as people find it: for the number of a kind or an entity, theirs comes first, as in
    /// `hero.platformer.jump_speed`.
    pub fn key(&self) -> String {
        match self.home.in_game() {
            TuningHome::Kind(owner) | TuningHome::Entity(owner) => format!("{}.{}", printable_name(owner), self.path()),
            TuningHome::Level => format!("level.{}", self.name),
            _ => self.path(),
        }
    }

    /// The group that it is in.
    pub const fn group(&self) -> &TuningGroup {
        &self.group
    }

    /// Its name in the group.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether another number is set at the same place.
    pub(crate) fn is_the_place_of(&self, other: &Self) -> bool {
        (&self.home, &self.group, self.name) == (&other.home, &other.group, other.name)
    }

    /// What steps are a share of; 0 if it has no size to vary it by.
    pub const fn size(&self) -> f64 {
        self.size
    }

    /// The range of values that it can have.
    pub const fn ends(&self) -> [f64; 2] {
        [self.range.min, self.range.max]
    }

    /// The change to another value; `None` if it cannot have that, or is that already.
    pub fn changed(&self, value: f64) -> Option<TuningChange> {
        if value == self.value || !(self.range.min..=self.range.max).contains(&value) {
            return None;
        }
        let value = Setting::Number(value);
        self.group.check(self.name, &value).ok()?;
        Some(TuningChange { home: self.home.clone(), group: self.group.clone(), name: self.name, value })
    }
}
