//! The variables that scripts of a game have: those that files give an initial value, and those that scripts name.

use super::*;
use hangtime_core::sim::Profile;

/// Says that a variable does not exist, if that is certain, with the nearest name. With a `profile`, its scripts must
/// have the variable; without one, the scripts of any kind in the level.
///
/// # Errors
/// If no script has it.
pub fn check_variable(live: &Live, profile: Option<usize>, name: &str) -> Result<(), String> {
    let entities = live.world().entities().iter();
    let of_profile = |e: &&Entity| profile.is_none_or(|profile| live.world().profile_of(e) == profile);
    let has = |e: &Entity| e.vars.0.to_plain().contains_key(name);
    if entities.filter(of_profile).any(has) {
        return Ok(());
    }
    let known = NamedVariables::of(live, profile);
    if known.any || known.names.contains(name) {
        return Ok(());
    }
    let near = suggestion(name, known.names.iter().map(String::as_str));
    let near = if near.is_empty() { "; no script has variables".into() } else { near };
    Err(format!("there is no variable `{name}`{near}"))
}

/// The variables that entities can have.
#[derive(Default)]
struct NamedVariables {
    names: BTreeSet<String>,
    /// Whether a script computes names of variables, so that any may exist.
    any: bool,
}

impl NamedVariables {
    fn of(live: &Live, profile: Option<usize>) -> Self {
        let revision = live.revision();
        let profiles = &revision.stage.profiles;
        let mut variables = Self::default();
        match profile {
            Some(place) => variables.add_profile(revision, &profiles[place]),
            None => profiles.iter().for_each(|profile| variables.add_profile(revision, profile)),
        }
        variables
    }

    /// Adds the variables that a kind has at the start, and those that its scripts and their imports name.
    fn add_profile(&mut self, revision: &Revision, profile: &Profile) {
        self.names.extend(profile.vars.keys().cloned());
        let top = profile.script.map(|script| revision.scripts.get(script));
        let layers = top.into_iter().flat_map(|top| revision.scripts.layers_of(top));
        for path in revision.with_imports(layers.map(|script| script.name().to_string())) {
            if let Some(file) = revision.files.get(&path) {
                self.add_text(&file.text);
            }
        }
    }

    /// Adds the fields of `this` that a script names.
    fn add_text(&mut self, text: &str) {
        for (at, _) in text.match_indices("this") {
            let before = text[..at].chars().next_back();
            let rest = text[at + "this".len()..].trim_start();
            if before.is_some_and(is_in_names) {
                continue;
            }
            if rest.starts_with('[') {
                self.any = true;
            }
            let field = rest.strip_prefix('.').or(rest.strip_prefix("?."));
            let field = field.map_or("", str::trim_start);
            let end = field.find(|c| !is_in_names(c)).unwrap_or(field.len());
            if end > 0 {
                self.names.insert(field[..end].to_string());
            }
        }
    }
}

fn is_in_names(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
