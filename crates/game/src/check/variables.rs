//! Misspelled variables in levels: names that no script reads but that resemble one that is read.

use super::*;
use crate::files::content::script_variables::{ScriptVariables, outside};
use hangtime_script::names::{did_you_mean, suggestion};
use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

/// What has been read so far. A level may have thousands of entities of one kind.
#[derive(Default)]
pub struct Seen {
    /// The tables of kinds, by their names; none for those that cannot be read.
    kinds: RefCell<BTreeMap<String, Option<Rc<Table>>>>,
    /// The variables that each script reads, by its path; none for one that may read any.
    read: RefCell<BTreeMap<String, Option<Rc<BTreeSet<String>>>>>,
    /// All words in scripts.
    words: OnceCell<BTreeSet<String>>,
}

impl GameCheck<'_> {
    /// Warns of misspelled variables of a level and its entities. A name that occurs anywhere in a script
    /// or test may be read there, and a script that uses `this` as a whole may read any variable.
    pub(super) fn check_variables(&self, level: &Table, found: &mut Mistakes) {
        self.check_vars(level, &Table::empty(""), found);
        let entities = level.entries.iter().filter(|(key, _)| key.name == "entity");
        for entity in entities.flat_map(|(_, node)| node.tables()) {
            let kind = entity.text("kind");
            if entity.table("vars").is_none() || BuildProgress::is_cancelled() {
                continue;
            }
            if let Some(kind) = kind.and_then(|kind| self.kind(kind)) {
                self.check_vars(entity, &kind, found);
            }
        }
    }

    /// Warns of a first state, in the `vars` of a kind, that its script does not have.
    pub(super) fn check_first_state(&self, kind: &Table, found: &mut Mistakes) {
        let key = |node: &Node| self.shared.script_key(node.text()?, &node.place).ok();
        if let Some(script) = kind.get("script").and_then(key) {
            self.check_state(kind, &script, found);
        }
    }

    fn check_state(&self, table: &Table, script: &str, found: &mut Mistakes) {
        let Some(node) = table.table("vars").and_then(|vars| vars.get("state")) else {
            return;
        };
        let states = self.inspectors.of(script).states(script);
        if let Some(name) = node.text()
            && !states.is_empty()
            && !states.contains(&name)
        {
            let hint = suggestion(name, states);
            let message = format!("scripts/{script} has no state `{name}`{hint}");
            found.push(Diagnostic::warning(node.place.clone(), message));
        }
    }

    /// Checks the variables of a level or entity. Those that the kind sets, too, are correct.
    fn check_vars(&self, table: &Table, kind: &Table, found: &mut Mistakes) {
        let Some(vars) = table.table("vars") else {
            return;
        };
        let script = table.get("script").or_else(|| kind.get("script"));
        let key = |node: &Node| self.shared.script_key(node.text()?, &node.place).ok();
        let Some(script) = script.and_then(key) else {
            return;
        };
        self.check_state(table, &script, found);
        let Some(read) = self.read_by(&script) else {
            return;
        };
        let mut read: BTreeSet<&str> = read.iter().map(String::as_str).collect();
        read.extend(kind.table("vars").into_iter().flat_map(Table::names));
        let set: BTreeSet<&str> = vars.names().collect();
        for (key, _) in &vars.entries {
            let name = key.name.as_str();
            let here = read.iter().copied().filter(|other| !set.contains(other));
            // The properties of maps may be for other programs.
            let of_toml = key.place.file.name.ends_with(".toml") && table.get("kind").is_some();
            if !read.contains(name) && !self.is_word(name) {
                let right = nearest(name, here);
                if right.is_some() || of_toml {
                    let message = format!("no script reads `{name}`{}", did_you_mean(right));
                    found.push(Diagnostic::warning(key.place.clone(), message));
                }
            }
        }
    }

    fn kind(&self, name: &str) -> Option<Rc<Table>> {
        let mut known = self.seen.kinds.borrow_mut();
        let read = || self.read_kind(name).map(Rc::new);
        known.entry(name.to_string()).or_insert_with(read).clone()
    }

    fn read_kind(&self, name: &str) -> Option<Table> {
        self.shared.kind_file(name)?;
        let mut out = Mistakes::new();
        let table = self.shared.layered_kind(name, &mut out);
        (!out.has_errors()).then_some(table)
    }

    /// Whether a script or test contains this word anywhere.
    fn is_word(&self, name: &str) -> bool {
        let words = || {
            let scripts = self.scripts.values();
            let words = scripts.flat_map(|file| file.text.split(outside));
            words.map(String::from).collect()
        };
        self.known.words_in_tests.contains(name) || self.seen.words.get_or_init(words).contains(name)
    }

    /// The variables that a script reads; none if it does not exist or may read any.
    fn read_by(&self, path: &str) -> Option<Rc<BTreeSet<String>>> {
        let mut known = self.seen.read.borrow_mut();
        let read = || {
            let found = ScriptVariables::read_by(&self.scripts.get(path)?.text);
            let names = found.names.into_iter().map(String::from);
            (!found.any).then(|| Rc::new(names.collect()))
        };
        known.entry(path.to_string()).or_insert_with(read).clone()
    }
}
