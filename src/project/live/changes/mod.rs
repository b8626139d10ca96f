//! What changed from one revision to another, in words.

mod change;
mod functions;
mod tables;

use super::revision::Revision;
use crate::script::host::SourceFile;
pub use change::{Change, summary};
use functions::changed_functions;
use std::collections::BTreeSet;
use tables::{changed_level, changed_numbers};

impl Revision {
    /// What changed since an older revision: values first, then levels and scripts, each in the order of
    /// their names. Comments and spaces do not count.
    ///
    /// ```no_run
    /// use hangtime::project::{Project, summary};
    ///
    /// # fn main() -> Result<(), hangtime::project::Error> {
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
    #[must_use]
    pub fn changes_from(&self, old: &Self) -> Vec<Change> {
        let names: BTreeSet<&String> = self.files.keys().chain(old.files.keys()).collect();
        let mut changes = Vec::new();
        for name in names {
            match (old.files.get(name), self.files.get(name)) {
                (Some(was), Some(is)) if was.text == is.text => {}
                (was, is) => {
                    let is_level = **name == *self.stage.level.name;
                    let mods = if is.is_some() { &self.mods } else { &old.mods };
                    changes.extend(changes_of(
                        (name, mods.local(name)),
                        is_level,
                        was.map(AsRef::as_ref),
                        is.map(AsRef::as_ref),
                    ));
                }
            }
        }
        changes
    }
}

/// The changes of one file.
fn changes_of(
    (name, local): (&str, &str),
    is_level: bool,
    old: Option<&SourceFile>,
    new: Option<&SourceFile>,
) -> Vec<Change> {
    let shown = name.strip_prefix("scripts/").unwrap_or(name);
    let part = |what: String| Change::Part {
        file: shown.to_string(),
        what,
    };
    if local.starts_with("config/") {
        let gone = new.is_none().then(|| part("removed".into()));
        let mut changes: Vec<Change> = gone.into_iter().collect();
        match changed_numbers(local, old, new) {
            Some(values) => changes.extend(values),
            None if changes.is_empty() => changes.push(part("changed".into())),
            None => {}
        }
        return changes;
    }
    let parts = match (old, new) {
        (None, _) => vec!["added".into()],
        (_, None) => vec!["removed".into()],
        (Some(old), Some(new)) if name.ends_with(".rhai") => {
            changed_functions(&old.text, &new.text)
        }
        (Some(old), Some(new)) if is_level => changed_level(old, new),
        _ => vec!["changed".into()],
    };
    parts.into_iter().map(part).collect()
}
