//! Where hooks are written in their files.

use super::compile::Script;
use super::functions::name_places;
use hangtime_script::{Diagnostic, Place, RULES};

impl Script {
    /// Errors if it is used as the script of a level: a level has no rules.
    #[must_use]
    pub fn wrong_for_a_level(&self) -> Vec<Diagnostic> {
        let rules = RULES.iter();
        let asked = rules.filter_map(|rule| Some((self.place_of(rule.name)?, rule)));
        asked.map(|(place, rule)| Diagnostic::error(place, rule.not_of_levels())).collect()
    }

    /// The place of a hook's name in the file; none if the script does not have the hook.
    #[must_use]
    pub fn place_of(&self, hook: &str) -> Option<Place> {
        if !self.hook_names().any(|name| name == hook) {
            return None;
        }
        let start = name_places(&self.file, hook).next().unwrap_or(0);
        Some(Place::new(&self.file, start..start + hook.len()))
    }
}
