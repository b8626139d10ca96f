//! What changed from one revision to another, in words.

mod change;
mod tables;

use crate::{
    files::{content::settings::key_prefix, level_file},
    live::build::revision::Revision,
};
pub use change::{Change, summary};
use hangtime_script::{Language, SourceFile};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use tables::{changed_level, changed_values, values_of};

impl Revision {
    /// What changed since an older revision: values first, then levels and scripts, each in the order of
    /// their names. Comments and spaces do not count.
    ///
    /// ```no_run
    /// use hangtime_game::{Project, summary};
    ///
    /// # fn main() -> Result<(), hangtime_game::Error> {
    /// let project = Project::load("mygame")?;
    /// let level = project.find_level("first")?;
    /// let old = project.open(&level, &[])?;
    /// // The user saves a file.
    /// let new = project.open(&level, &[])?;
    /// let changes = new.changes_from(&old);
    /// // revision 1: platformer.jump_speed 540 → 560, hero.rhai: fn on_jump changed and 2 more
    /// println!("revision {}: {}", new.number, summary(&changes, 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn changes_from(&self, old: &Self) -> Vec<Change> {
        let names: BTreeSet<&String> = self.files.keys().chain(old.files.keys()).collect();
        let mut changes = Vec::new();
        let mut known = BTreeSet::new();
        for name in names {
            let (was, is) = (old.files.get(name), self.files.get(name));
            if was.map(|file| &file.text) == is.map(|file| &file.text) {
                continue;
            }
            let mods = if is.is_some() { &self.mods } else { &old.mods };
            let local = mods.local(name);
            if local.starts_with("config/") {
                let is_new = known.insert(local.to_string());
                changes.extend(self.changes_of_config(old, (name, local), is_new));
                continue;
            }
            let language = self.scripts.languages().of(name);
            let is_level = **name == *level_file(&self.stage.level.name);
            changes.extend(changes_of((name, language), is_level, was, is));
        }
        changes
    }

    /// The values in each file of `config/` that this level plays with, by their keys as in settings, from all layers
    /// together. Keys, the window and models that no entity has do not count.
    pub fn used_values(&self) -> BTreeMap<String, BTreeMap<String, String>> {
        let used = self.used_files();
        let locals: BTreeSet<&str> = used.iter().map(|name| self.mods.local(name)).collect();
        let models: Vec<String> = self
            .stage
            .profiles
            .iter()
            .map(|profile| format!("config/models/{}.toml", profile.model.as_str()))
            .collect();
        let plays = |local: &&str| !local.starts_with("config/models/") || models.iter().any(|file| file == local);
        let mut values = BTreeMap::new();
        for local in locals.into_iter().filter(plays) {
            let of_file = key_prefix(local).and_then(|prefix| values_of(&self.layers_of(local), local, &prefix));
            let mut of_file = of_file.unwrap_or_default();
            of_file.retain(|key, _| !key.starts_with("keys.") && !key.starts_with("window."));
            if !of_file.is_empty() {
                values.insert(local.to_string(), of_file);
            }
        }
        values
    }

    /// The changes of a file in `config/`. The values are from all layers together, and are listed with the first
    /// changed file of this path.
    fn changes_of_config(&self, old: &Self, (name, local): (&str, &str), is_new: bool) -> Vec<Change> {
        let part = |what: &str| Change::Part { file: name.to_string(), what: what.into() };
        let gone = (!self.files.contains_key(name)).then(|| part("removed"));
        let mut changes: Vec<Change> = gone.into_iter().collect();
        let values = changed_values((old.layers_of(local), self.layers_of(local)), local);
        match values {
            Some(values) if values.is_empty() && name == local && changes.is_empty() => {
                let alone = |of: &Self| of.files.get(name).cloned().into_iter().collect();
                let own = changed_values((alone(old), alone(self)), local);
                let hidden = own.is_none_or(|own| !own.is_empty());
                changes.extend(hidden.then(|| part("changed; mods override it")));
            }
            Some(values) if is_new => changes.extend(values),
            None if changes.is_empty() => changes.push(part("changed")),
            _ => {}
        }
        changes
    }

    /// The files with this path in all layers, the lowest one first.
    fn layers_of(&self, local: &str) -> Vec<Arc<SourceFile>> {
        let layers = self.mods.layers.iter();
        let names = layers.map(|layer| format!("{}/{local}", layer.folder));
        let names = [local.to_string()].into_iter().chain(names);
        names.filter_map(|name| self.files.get(&name).cloned()).collect()
    }
}

/// The changes of one file outside of `config/`.
fn changes_of(
    (name, language): (&str, Option<&dyn Language>),
    is_level: bool,
    old: Option<&Arc<SourceFile>>,
    new: Option<&Arc<SourceFile>>,
) -> Vec<Change> {
    let shown = name.strip_prefix("scripts/").unwrap_or(name);
    let parts = match (old, new, language) {
        (None, ..) => vec!["added".into()],
        (_, None, _) => vec!["removed".into()],
        (Some(old), Some(new), Some(language)) => language.changes(&old.text, &new.text),
        (Some(old), Some(new), None) if is_level => changed_level(old, new),
        _ => vec!["changed".into()],
    };
    let part = |what: String| Change::Part { file: shown.to_string(), what };
    parts.into_iter().map(part).collect()
}
