//! The rows of the panel: the tunables that matter for an entity.

use super::{tuner::fixed, *};
use hangtime_core::{
    level::{Level, SurfaceId},
    tuning::Tunable,
};

/// One tunable.
pub struct TuningRow {
    /// Which one it is.
    pub key: TuningKey,
    /// Its declaration.
    pub tunable: Tunable,
    /// The value that the panel sets or the files have.
    pub value: Setting,
    /// Where the files set it: `config/models/platformer.toml:8` or `default`.
    pub origin: String,
    /// Where a change of it is saved, and which entities it is for: `config/models/platformer.toml, for all of platformer`;
    /// empty if it cannot be saved.
    pub goes: String,
    /// Whether it is edited and not saved.
    pub edited: bool,
    /// The value that the files have now, if it was changed there as well.
    pub conflict: Option<Setting>,
    /// What replaces the value while the game runs, such as `3 by me.tune in hero.rhai`; empty if nothing
    /// does.
    pub replaced: String,
    /// Why it cannot be changed while the game runs; `None` if it can.
    pub fixed: Option<&'static str>,
}

impl TuningRow {
    /// The name with its group: `platformer.jump_speed`, `surfaces.ice.grip`.
    pub fn path(&self) -> String {
        format!("{}.{}", self.key.1, self.tunable.name)
    }
}

/// Rows of one group.
pub struct TuningSection {
    /// The group.
    pub group: TuningGroup,
    /// Whether the entity depends on it now: on its current model, and on the surface that it is on.
    pub current: bool,
    /// Its tunables that are shown.
    pub rows: Vec<TuningRow>,
}

/// The tunables that matter for an entity, by group: its current model, the level's surfaces and the
/// simulation. Tunables of other models are shown if they have an edit or match the search. The search
/// looks for all its words in names, units and descriptions.
pub fn tuning_sections(tuner: &Tuner, facts: &EntityFacts, search: &str) -> Vec<TuningSection> {
    let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
    let surfaces = used_surfaces(&tuner.base().stage.level);
    let surfaces = surfaces.map(|name| TuningGroup::Surface(name.to_string()));
    let others = ModelName::ALL.iter().filter(|model| **model != facts.model);
    let groups = std::iter::once(TuningGroup::Model(facts.model))
        .chain(surfaces)
        .chain([TuningGroup::Simulation])
        .chain(others.map(|model| TuningGroup::Model(*model)));
    let sections = groups.map(|group| section(tuner, facts, group, &words));
    sections.filter(|section| !section.rows.is_empty()).collect()
}

/// The names of the surfaces that something in a level has.
fn used_surfaces(level: &Level) -> impl Iterator<Item = &Arc<str>> {
    let names = level.surfaces.iter().zip(0..);
    let used = move |id: SurfaceId| {
        let of_solid = level.terrain.solids().iter().any(|solid| solid.surface == id);
        let of_zone = level.zones.list().iter().any(|zone| zone.surface == Some(id));
        of_solid || of_zone || level.view == View::Top && level.plain == id
    };
    names.filter(move |(_, id)| used(SurfaceId(*id))).map(|(name, _)| name)
}

fn section(tuner: &Tuner, facts: &EntityFacts, group: TuningGroup, words: &[String]) -> TuningSection {
    let other_model = matches!(&group, TuningGroup::Model(model) if *model != facts.model);
    let edited_only = other_model && words.is_empty();
    let tunables = group.tunables().into_iter();
    let found = tunables.filter(|tunable| matches(tunable, &group, words));
    let rows = found.filter_map(|tunable| row(tuner, facts, &group, tunable));
    TuningSection {
        current: match &group {
            TuningGroup::Model(model) => *model == facts.model,
            TuningGroup::Surface(name) => **name == *facts.surface,
            TuningGroup::Simulation => false,
        },
        rows: rows.filter(|row| row.edited || !edited_only).collect(),
        group,
    }
}

/// The rows of all sections.
pub fn tuning_rows(tuner: &Tuner, facts: &EntityFacts, search: &str) -> Vec<TuningRow> {
    let sections = tuning_sections(tuner, facts, search).into_iter();
    sections.flat_map(|section| section.rows).collect()
}

fn matches(tunable: &Tunable, group: &TuningGroup, words: &[String]) -> bool {
    let Tunable { name, unit, doc, .. } = tunable;
    let text = format!("{group}.{name} {unit} {doc}").to_lowercase();
    words.iter().all(|word| text.contains(word.as_str()))
}

fn row(tuner: &Tuner, facts: &EntityFacts, group: &TuningGroup, tunable: Tunable) -> Option<TuningRow> {
    let (base, profile, name) = (tuner.base(), facts.profile, tunable.name);
    let key = tuner.key(profile, group, name);
    let file = key.0.file(group, &base.stage.level.name);
    let edit = tuner.edit(&key);
    let saved = base.tuning_value(profile, group, name)?;
    Some(TuningRow {
        value: edit.map_or(saved, |edit| edit.value.clone()),
        origin: base.tuning_origin(profile, group, name),
        goes: file.map_or_else(String::new, |file| format!("{file}, {}", key.0.reach(group))),
        edited: edit.is_some(),
        conflict: edit.and_then(|edit| edit.conflict.clone()),
        replaced: replaced(base, facts, group, name),
        fixed: fixed(group, name),
        key,
        tunable,
    })
}

/// What replaces a tunable of an entity: an override of its script, or a rule that answers it.
fn replaced(base: &Revision, facts: &EntityFacts, group: &TuningGroup, name: &str) -> String {
    let TuningGroup::Model(model) = group else {
        return String::new();
    };
    let path = format!("{group}.{name}");
    if let Some(value) = facts.overrides.get(&path) {
        let profile = base.stage.profiles.get(facts.profile);
        let script = profile.and_then(|profile| profile.script);
        let by = script.map_or_else(String::new, |id| format!(" in {}", base.scripts.get(id).name()));
        return format!("{value} by me.tune{by}");
    }
    let rule = base.set_by_script(facts.profile, &path).filter(|_| *model == facts.model);
    rule.map_or_else(String::new, |rule| rule.to_string())
}
