//! The variables that scripts of a game have: those that files give an initial value, and those that scripts name.

use hangtime_core::sim::{Entity, Profile, ScriptId};
use hangtime_game::{Live, Revision};
use hangtime_script::names::suggestion;
use std::collections::BTreeSet;

/// Says that a variable does not exist, if that is certain, with the nearest name. With a `profile`, its scripts must have
/// the variable; otherwise, any script of the game.
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
    let near = match near.is_empty() {
        true => "; no script has variables".into(),
        false => near,
    };
    Err(format!("there is no variable `{name}`{near}"))
}

/// Whose scripts name variables.
enum ScriptChoice {
    /// All scripts of the game.
    All,
    /// That of a kind, if it has one, and those that it may import.
    Kind(Option<ScriptId>),
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
        // Above the lowest script of a kind are those of mods; whichever it is, it is one of the game.
        let own = profile.map(|place| &profiles[place]);
        let own_script = own.filter(|own| own.layers.is_empty());
        variables.add_files(revision, own_script.map_or(ScriptChoice::All, |own| ScriptChoice::Kind(own.script)));
        match own {
            Some(own) => variables.add_profile(own),
            None => profiles.iter().for_each(|p| variables.add_profile(p)),
        }
        variables
    }

    fn add_profile(&mut self, profile: &Profile) {
        self.names.extend(profile.vars.keys().cloned());
    }

    /// Adds what scripts name: all, or the one of a kind and those that it may import.
    fn add_files(&mut self, revision: &Revision, scripts_of: ScriptChoice) {
        let scripts = &revision.scripts;
        let name_of = |script: ScriptId| scripts.get(script).name().to_string();
        let of_kinds = revision.stage.profiles.iter().filter_map(|p| p.script);
        let of_kinds: BTreeSet<String> = of_kinds.map(name_of).collect();
        let own = match scripts_of {
            ScriptChoice::All => None,
            ScriptChoice::Kind(script) => Some(script.map(name_of).unwrap_or_default()),
        };
        for (path, file) in &revision.files {
            let is_script = scripts.languages().of(path).is_some();
            let is_other = own.as_ref().is_some_and(|own| of_kinds.contains(path) && own != path);
            if is_script && !is_other {
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
