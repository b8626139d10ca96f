//! Whether a setting's key names a variable that a script reads.

use super::*;
use crate::files::content::script_variables::{ScriptVariables, outside, reads_of_others};
use hangtime_script::names::{did_you_mean, nearest};

/// The largest number of variables that a message lists.
const MOST_LISTED: usize = 20;

/// The files in which the variables of a game are.
pub(crate) struct VariableNames<'a> {
    pub sources: &'a SourceSet,
    pub trees: &'a FileTrees,
}

/// The variables of a kind or level.
struct OwnedVariables<'a> {
    names: BTreeSet<&'a str>,
    /// Whether a script may read any variable of it.
    any: bool,
}

impl VariableNames<'_> {
    /// Checks a key such as `entities.hero.vars.coins` or `level.vars.wave`; all others are correct.
    /// `option` is the option of the command line that the key comes from.
    ///
    /// # Errors
    /// If no file sets this variable and no script reads it.
    pub fn check(&self, option: &str, key: &str) -> Result<(), Diagnostic> {
        let parts: Vec<&str> = key.split('.').collect();
        let (owner, own, name, at) = match parts.as_slice() {
            ["entities", kind, "vars", name, ..] if self.trees.kinds.contains_key(*kind) => {
                let at = "entities..vars.".len() + kind.len();
                let owner = format!("`{}`", printable_name(kind));
                (owner, self.of_kind(kind), *name, at)
            }
            ["level", "vars", name, ..] => {
                let level = &self.trees.level;
                let own = self.of_tables(&[level]);
                ("the level".to_string(), own, *name, "level.vars.".len())
            }
            _ => return Ok(()),
        };
        let scripts = self.sources.scripts();
        let mut scripts = scripts.values();
        if own.names.contains(name) || scripts.any(|file| reads_of_others(&file.text, name, own.any)) {
            return Ok(());
        }
        let file = Arc::new(SourceFile { name: option.into(), text: key.into() });
        let mut message = format!("{owner} has no variable `{}`", printable_name(name));
        message.push_str(&self.hint(name, &own));
        Err(Diagnostic::error(Place::new(&file, at..at + name.len()), message))
    }

    /// Checks the variables that an expression reads, as in `hero.vars.coins`. Which entity that is, only a run
    /// can tell: one of the kinds, the level or a setting has to have each variable.
    ///
    /// # Errors
    /// At the first one that none of them has.
    pub fn check_expression(
        &self,
        (option, text): (&str, &str),
        settings: &[(String, String)],
    ) -> Result<(), Diagnostic> {
        const MEMBER: &str = ".vars.";
        let added = settings.iter().filter_map(|(key, _)| key.split_once(MEMBER));
        let added = added.filter_map(|(_, name)| name.split('.').next());
        let mut all = self.of_tables(&[&self.trees.level]);
        all.names.extend(added);
        for kind in self.trees.kinds.keys() {
            let own = self.of_kind(kind);
            all.names.extend(own.names);
            all.any |= own.any;
        }
        let scripts = self.sources.scripts();
        for (at, _) in text.match_indices(MEMBER) {
            let at = at + MEMBER.len();
            let name = text[at..].split(outside).next().unwrap_or_default();
            let mut scripts = scripts.values();
            if name.is_empty()
                || all.names.contains(name)
                || scripts.any(|file| reads_of_others(&file.text, name, all.any))
            {
                continue;
            }
            let near = nearest(name, all.names.iter().copied());
            let near = did_you_mean(near.map(printable_name));
            let message = format!("nothing in this level has a variable `{}`{near}", printable_name(name));
            let file = Arc::new(SourceFile { name: option.into(), text: text.into() });
            let place = Place::new(&file, at..at + name.len());
            return Err(Diagnostic::error(place, message));
        }
        Ok(())
    }

    /// The nearest right name, the kinds that have a variable of this name, and the list of right names.
    fn hint(&self, name: &str, own: &OwnedVariables<'_>) -> String {
        let mut hint = String::new();
        if let Some(right) = nearest(name, own.names.iter().copied()) {
            hint = did_you_mean(Some(printable_name(right)));
        } else {
            let kinds = self.trees.kinds.keys();
            let owners: Vec<&str> =
                kinds.filter(|kind| self.of_kind(kind).names.contains(name)).map(String::as_str).collect();
            if !owners.is_empty() {
                hint = format!("; it is a variable of {}", quoted(owners));
            }
        }
        let it = if hint.ends_with('?') { " It" } else { "; it" };
        let names: Vec<&str> = own.names.iter().copied().collect();
        let has = if names.is_empty() { "none".into() } else { quoted(names) };
        format!("{hint}{it} has {has}")
    }

    /// The variables of a kind: those that its file and its entities in the level set, and those that
    /// their scripts read.
    fn of_kind(&self, kind: &str) -> OwnedVariables<'_> {
        let file = self.trees.kinds.get(kind);
        let entities = self.trees.level.get("entity");
        let entities = entities.into_iter().flat_map(Node::tables);
        let entities = entities.filter(|entity| entity.text("kind") == Some(kind));
        let tables: Vec<&Table> = file.into_iter().chain(entities).collect();
        self.of_tables(&tables)
    }

    fn of_tables<'t>(&'t self, tables: &[&'t Table]) -> OwnedVariables<'t> {
        let mut own = OwnedVariables { names: BTreeSet::new(), any: false };
        let vars = tables.iter().filter_map(|table| table.get("vars"));
        for table in vars.flat_map(Node::tables) {
            own.names.extend(table.names());
        }
        let scripts = tables.iter().filter_map(|table| table.get("script"));
        // Entities of one kind have the same script, most often.
        let key = |node: &Node| self.sources.script_key(node.text()?, &node.place).ok();
        let scripts: BTreeSet<String> = scripts.filter_map(key).collect();
        for key in scripts {
            if let Some(file) = self.sources.script(&key) {
                let read = ScriptVariables::read_by(&file.text);
                own.names.extend(read.names);
                own.any |= read.any;
            }
        }
        own
    }
}

/// `` `a`, `b` and `c` ``, or the first ones of many.
fn quoted(names: Vec<&str>) -> String {
    let others = names.len().saturating_sub(MOST_LISTED);
    let shown = names.len() - others;
    let mut words: Vec<String> = names[..shown].iter().map(|name| format!("`{}`", printable_name(name))).collect();
    if others > 0 {
        words.push(format!("{others} others"));
    }
    match words.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}
