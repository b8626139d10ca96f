//! Checking one script with everything that is known of its game.

use super::findings::Findings;
use super::functions::{uncalled_functions, unset_variables};
use super::scope::{FileContext, FunctionFacts, Scope, ScriptRole};
use super::source::{FnKey, GameScripts, ParsedScript, ScriptFunction};
use super::types::{join, type_of};
use super::vocabulary::Vocabulary;
use super::walk::{PassedTypes, check_function};
use crate::script::host::api::{Room, Type};
use crate::script::host::names::nearest;
use crate::script::host::{
    Diagnostic, GameNames, Limits, SIGNAL_EVENT, SourceFile, find_hook, hooks,
};
use crate::script::rhai::api::new_engine;
use crate::script::rhai::engine::resolver::Sources;
use rhai::{Engine, Stmt};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rounds after which parameter types that still change are given up as unknown.
const MOST_ROUNDS: usize = 8;

/// Checks the scripts of one game without running them.
pub struct Inspector {
    engine: Engine,
    game: GameScripts,
    known: GameNames,
}

impl Inspector {
    /// Reads all scripts of a game; `known` has the names that its other files define.
    #[must_use]
    pub fn new(sources: &Sources, known: GameNames) -> Self {
        let engine = new_engine(&Limits::of_tests());
        let game = GameScripts::parse(&engine, sources);
        Self {
            engine,
            game,
            known,
        }
    }

    /// Errors and warnings about the functions of a script, which need not be one of the game's.
    /// There are none if it does not parse; compiling reports that.
    #[must_use]
    pub fn inspect(&self, file: &Arc<SourceFile>, role: ScriptRole) -> Vec<Diagnostic> {
        let Some(mut script) = ParsedScript::parse(&self.engine, file) else {
            return Vec::new();
        };
        for (name, holds) in constant_types(&self.context(&script, role)) {
            if let Some(constant) = script.constants.get_mut(&name) {
                constant.holds = holds;
            }
        }
        let context = self.context(&script, role);
        let given = parameter_types(&context);
        let findings = Findings::new(file);
        let mut passed = PassedTypes::new();
        for function in script.functions.values() {
            let unknown = vec![Type::Any; function.parameters.len()];
            let given = given.get(&function.key()).unwrap_or(&unknown);
            check_function(function, given, &context, &findings, &mut passed);
        }
        let mut found = findings.finish();
        found.append(&mut unset_variables(&context));
        found.append(&mut uncalled_functions(&context));
        found
    }

    fn context<'a>(&'a self, script: &'a ParsedScript, role: ScriptRole) -> FileContext<'a> {
        FileContext {
            script,
            game: &self.game,
            known: &self.known,
            vocabulary: Vocabulary::of(role.room()),
            role,
        }
    }
}

/// The types of the constants of a file.
fn constant_types(file: &FileContext<'_>) -> Vec<(String, Type)> {
    let facts = FunctionFacts::default();
    let findings = Findings::new(&file.script.file);
    let scope = Scope::new(file, &facts, &findings);
    let statements = file.script.ast.statements().iter();
    let types = statements.filter_map(|statement| match statement {
        Stmt::Var(var, ..) => Some((var.0.name.to_string(), type_of(&var.1, &scope))),
        _ => None,
    });
    types.collect()
}

/// The parameter types of the functions of a file, as far as all callers agree on them: hangtime,
/// and the file's other functions.
fn parameter_types(file: &FileContext<'_>) -> BTreeMap<FnKey, Vec<Type>> {
    let functions = file.script.functions.values();
    let outside = functions.filter_map(|f| Some((f.key(), types_from_outside(f, file)?)));
    let outside: BTreeMap<FnKey, Vec<Type>> = outside.collect();
    let mut types = outside.clone();
    for _ in 0..MOST_ROUNDS {
        let mut passed = PassedTypes::new();
        let ignored = Findings::new(&file.script.file);
        for (key, given) in &types {
            let function = &file.script.functions[key];
            check_function(function, given, file, &ignored, &mut passed);
        }
        let mut next = outside.clone();
        for (key, given) in passed {
            let known = next.entry(key).or_insert_with(|| given.clone());
            for (a, b) in known.iter_mut().zip(given) {
                *a = join(*a, b);
            }
        }
        if next == types {
            return types;
        }
        types = next;
    }
    BTreeMap::new()
}

/// The parameter types of a function that is called from outside of its file; none for one that
/// only the file itself calls.
fn types_from_outside(function: &ScriptFunction, file: &FileContext<'_>) -> Option<Vec<Type>> {
    let (name, count) = (function.name.as_str(), function.parameters.len());
    let script = file.script;
    if file.role.has_hooks()
        && let Some(given) = hook_parameters(name, count, &file.game)
    {
        return Some(given);
    }
    let mentioned = script.mentioned.contains(name);
    let is_library = matches!(file.role, ScriptRole::Library | ScriptRole::TestLibrary);
    if script.called.contains(name) && !mentioned && !is_library {
        return None;
    }
    // By convention, a shared function calls the entity `me` too.
    let me = |name: &str| name == "me" && file.role.room() == Room::Behavior && !mentioned;
    let parameters = function.parameters.iter();
    let types = parameters.map(|name| if me(name) { Type::Me } else { Type::Any });
    Some(types.collect())
}

/// The types that hangtime passes to a hook.
fn hook_parameters(name: &str, count: usize, game: &GameScripts) -> Option<Vec<Type>> {
    let about = match find_hook(name) {
        Some(hook) if hook.takes(count) => hook.about,
        Some(_) => return None,
        None if name.starts_with("on_") && (1..=2).contains(&count) => Some(&SIGNAL_EVENT),
        None => return None,
    };
    // Nothing is said about the event of a misspelled hook, as its name is reported already.
    let event = name.trim_start_matches("on_");
    let misspelled = find_hook(name).is_none()
        && !game.emitted.include(event)
        && nearest(name, hooks().map(|hook| hook.name)).is_some();
    let mut given = vec![Type::Me];
    given.extend(about.map(|shape| match misspelled {
        true => Type::Any,
        false => Type::Map(shape),
    }));
    given.truncate(count);
    Some(given)
}
