//! Looking at one script with all that is known of its game.

use super::source::{Constant, Function, Key, Source};
use super::survey::Survey;
use super::types::{OWN_MAP, SOME_ARRAY};
use super::vocabulary::parser;
use super::walk::{Signature, Walker};
use crate::script::host::api::{Room, Type};
use crate::script::host::names::nearest;
use crate::script::host::{
    Diagnostic, GameNames, HookKind, SIGNAL_EVENT, SourceFile, find_hook, hooks,
};
use crate::script::rhai::engine::resolver::Sources;
use rhai::{Engine, Expr, Stmt};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a script is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Rules of entities, and perhaps of levels, too.
    Behavior,
    /// A level's own rules, and no entity's.
    Level,
    /// Functions that others import.
    Library,
    /// Functions that tests import.
    TestLibrary,
    /// Tests.
    Test,
}

impl Role {
    pub(super) fn room(self) -> Room {
        match self {
            Self::Test | Self::TestLibrary => Room::Test,
            _ => Room::Behavior,
        }
    }
}

/// Looks at scripts of a game without running them.
pub struct Inspector {
    pub(super) engine: Engine,
    pub(super) survey: Survey,
    pub(super) known: GameNames,
}

/// Most rounds until it is clear what functions are given; what is not clear by then is unknown.
const MOST_ROUNDS: usize = 8;

impl Inspector {
    /// One for a game with these scripts.
    #[must_use]
    pub fn new(scripts: &Sources, known: GameNames) -> Self {
        let engine = parser();
        let survey = Survey::of(&engine, scripts);
        Self {
            engine,
            survey,
            known,
        }
    }

    /// What is wrong inside the functions of a script. One that cannot be parsed is left to those who
    /// compile it.
    #[must_use]
    pub fn look_at(&self, file: &Arc<SourceFile>, role: Role) -> Vec<Diagnostic> {
        let Some(mut source) = Source::read(&self.engine, file) else {
            return Vec::new();
        };
        self.know_constants(&mut source, role);
        let signatures = self.signatures(&source, role);
        let mut walker = Walker::new(self, &source, role);
        for function in source.functions.values() {
            let unknown = vec![Type::Any; function.parameters.len()];
            let given = signatures.get(&function.key()).unwrap_or(&unknown);
            walker.function(function, given);
        }
        let mut found = walker.finish();
        found.append(&mut self.valueless(&source, role));
        found.append(&mut self.uncalled(&source, role));
        found
    }

    /// What the constants of a file hold, where it can be seen.
    fn know_constants(&self, source: &mut Source, role: Role) {
        let mut known: Vec<(String, Type)> = Vec::new();
        let mut walker = Walker::new(self, source, role);
        for statement in source.ast.statements() {
            if let Stmt::Var(var, ..) = statement {
                let holds = match &var.1 {
                    Expr::Array(..) => SOME_ARRAY,
                    Expr::Map(..) => OWN_MAP,
                    value => walker.expression(value),
                };
                known.push((var.0.name.to_string(), holds));
            }
        }
        for (name, holds) in known {
            source
                .constants
                .entry(name)
                .and_modify(|c: &mut Constant| c.holds = holds);
        }
    }

    /// What every function of a file is given, as far as it is known: by hangtime, and by those in the
    /// file that call it.
    fn signatures(&self, source: &Source, role: Role) -> BTreeMap<Key, Signature> {
        let functions = source.functions.values();
        let entries = functions.filter_map(|f| Some((f.key(), self.entry(f, source, role)?)));
        let entries: BTreeMap<Key, Signature> = entries.collect();
        let mut signatures = entries.clone();
        for _ in 0..MOST_ROUNDS {
            let mut walker = Walker::new(self, source, role);
            for (key, given) in &signatures {
                walker.function(&source.functions[key], given);
            }
            let mut next = entries.clone();
            for (key, given) in walker.given {
                let known = next.entry(key).or_insert_with(|| given.clone());
                for (a, b) in known.iter_mut().zip(given) {
                    *a = super::types::join(*a, b);
                }
            }
            if next == signatures {
                return signatures;
            }
            signatures = next;
        }
        BTreeMap::new()
    }

    /// What a function is given that somebody outside of its file may call; none for one that only the
    /// file itself calls.
    fn entry(&self, function: &Function, source: &Source, role: Role) -> Option<Signature> {
        let (name, count) = (function.name.as_str(), function.parameters.len());
        if matches!(role, Role::Behavior | Role::Level)
            && let Some(given) = self.given_to_hook(name, count)
        {
            return Some(given);
        }
        let unknown = function.parameters.iter().map(|parameter| {
            // Whoever shares a function calls the entity what everybody calls it.
            if parameter == "me" && role.room() == Room::Behavior {
                Type::Me
            } else {
                Type::Any
            }
        });
        let inside = source.called.contains(name) && !source.pointed.contains(name);
        if inside && !matches!(role, Role::Library | Role::TestLibrary) {
            return None;
        }
        if source.pointed.contains(name) {
            return Some(vec![Type::Any; count]);
        }
        Some(unknown.collect())
    }

    fn given_to_hook(&self, name: &str, count: usize) -> Option<Signature> {
        let about = match find_hook(name) {
            Some(hook) if hook.takes(count) => hook.about,
            Some(_) => return None,
            None if name.starts_with("on_") && (1..=2).contains(&count) => Some(&SIGNAL_EVENT),
            None => return None,
        };
        let mut given = vec![Type::Me];
        // What a misspelt hook is about is told by its right name only.
        let event = name.trim_start_matches("on_");
        let misspelt = find_hook(name).is_none()
            && !self.survey.tells.names(event)
            && nearest(name, hooks().map(|hook| hook.name)).is_some();
        given.extend(about.map(|shape| {
            if misspelt {
                Type::Any
            } else {
                Type::Map(shape)
            }
        }));
        given.truncate(count);
        Some(given)
    }
}

/// The rule that a function is, if hangtime asks it.
pub(super) fn rule(function: &Function) -> Option<&'static crate::script::host::ScriptHook> {
    let hook = find_hook(&function.name)?;
    (hook.kind != HookKind::Event && hook.takes(function.parameters.len())).then_some(hook)
}
