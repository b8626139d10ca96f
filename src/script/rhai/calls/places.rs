//! Where a hook stands, for those who ask why.

use super::compile::Script;
use crate::script::host::{Diagnostic, Place, RULES};

impl Script {
    /// What is wrong with it as the script of a level.
    #[must_use]
    pub fn wrong_for_a_level(&self) -> Vec<Diagnostic> {
        let rules = RULES.iter();
        let asked = rules.filter_map(|rule| Some((self.place_of(rule.name)?, rule)));
        asked
            .map(|(place, rule)| Diagnostic::error(place, rule.not_of_levels()))
            .collect()
    }

    /// The place of a hook's name; none if the script lacks the hook.
    #[must_use]
    pub fn place_of(&self, hook: &str) -> Option<Place> {
        if !self.hook_names().any(|name| name == hook) {
            return None;
        }
        let text = self.file.text.as_str();
        let found = text.match_indices("fn").find_map(|(at, _)| {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let commented = text[line..at].contains("//");
            let rest = &text[at + 2..];
            let name = rest.trim_start();
            let after = name.strip_prefix(hook)?.trim_start();
            let written = !commented && name.len() < rest.len() && after.starts_with('(');
            written.then(|| at + 2 + rest.len() - name.len())
        });
        let start = found.unwrap_or(0);
        Some(Place::new(&self.file, start..start + hook.len()))
    }
}
