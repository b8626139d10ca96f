//! Compiling the scripts of a revision.

use super::base_functions::{BaseFunctions, BelowLayer};
use super::behavior::{Behavior, BelowScript};
use super::functions::functions_of;
use super::hook_body::HookBody;
use super::units::{Units, variables_of};
use crate::api::{catalog, new_engine, register_behaviors};
use crate::bytecode::ScriptCode;
use crate::check::{
    AnsweredTunable, NamesInCalls, base_calls, check_closures, check_hooks, check_top_level, rule_answers,
};
use crate::engine::budget::top_level_budget;
use crate::engine::halt::source_too_large;
use crate::engine::nesting::parse;
use crate::engine::pricing::priced;
use crate::engine::printed::Printed;
use crate::engine::resolver::{PricedModules, SourceResolver, Sources};
use crate::messages::errors::{Explainer, parse_error};
use hangtime_core::sim::{ScriptId, Subscriptions, event_bit};
use hangtime_script::calls::Interest;
use hangtime_script::{
    BuildProgress, Diagnostic, Execution, Limits, ListedFunction, MOST_SOURCE, Place, RULES, SourceFile,
};
use rhai::{AST, Engine, GlobalRuntimeState, Module, Scope};
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

/// A compiled behavior.
pub struct Script {
    pub(crate) file: Arc<SourceFile>,
    pub(crate) global: GlobalRuntimeState,
    /// Its rules, by name.
    pub(crate) rules: BTreeMap<&'static str, HookFn>,
    /// Its event hooks, by the events' names.
    pub(crate) events: BTreeMap<Arc<str>, HookFn>,
    /// Its `on_tick`, which is also among the event hooks.
    pub(crate) on_tick: Option<HookFn>,
    /// The bodies of its hooks, by their indexes.
    bodies: Vec<Arc<HookBody>>,
    /// The tunables that its rules answer.
    answers: Vec<AnsweredTunable>,
    /// Its functions, in the order in which they are written.
    functions: Vec<ListedFunction>,
    /// When it, or a script below it, is called in the decide phase.
    pub(crate) subscriptions: Subscriptions,
    /// All scripts of an entity whose topmost script it is, the lowest one first. Empty if nothing is below it.
    pub(crate) layers: Vec<ScriptId>,
    /// Its compiled functions.
    pub(crate) code: ScriptCode,
}

impl Script {
    /// Its path below the game folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The names of its hooks.
    pub fn hook_names(&self) -> impl Iterator<Item = &str> + '_ {
        let all = self.rules.values().chain(self.events.values());
        all.map(|hook| &*hook.name)
    }

    /// The functions of its file, in the order in which they are written.
    #[must_use]
    pub fn functions(&self) -> &[ListedFunction] {
        &self.functions
    }

    /// The tunables that its rules answer instead of their numbers.
    #[must_use]
    pub fn rule_answers(&self) -> &[AnsweredTunable] {
        &self.answers
    }

    /// A script without hooks: a placeholder for one that has errors.
    fn without_hooks(file: &Arc<SourceFile>, global: GlobalRuntimeState) -> Self {
        Self {
            file: file.clone(),
            global,
            rules: BTreeMap::new(),
            events: BTreeMap::new(),
            on_tick: None,
            bodies: Vec::new(),
            answers: Vec::new(),
            functions: Vec::new(),
            subscriptions: Subscriptions::NONE,
            layers: Vec::new(),
            code: ScriptCode::default(),
        }
    }

    /// The bodies of its hooks, by their indexes.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &HookBody> {
        self.bodies.iter().map(|body| &**body)
    }

    /// Puts it above another script, as the topmost one of an entity.
    fn put_above(&mut self, (id, below): (ScriptId, &Self), own: ScriptId) {
        self.layers = match below.layers.as_slice() {
            [] => vec![id, own],
            layers => layers.iter().copied().chain([own]).collect(),
        };
        let Subscriptions { ticks, rules, events } = below.subscriptions;
        self.subscriptions.ticks |= ticks;
        self.subscriptions.rules |= rules;
        self.subscriptions.events |= events;
    }

    /// Finds the hooks among its functions. `priced` is the program `ast` with prices.
    fn with_hooks(mut self, ast: &AST, priced: &AST) -> Self {
        for function in ast.iter_functions() {
            let parameters = function.params.len();
            let rule = RULES.iter().find(|rule| rule.name == function.name);
            let event = function.name.strip_prefix("on_");
            let event = event.filter(|_| (1..=2).contains(&parameters));
            if rule.is_none() && event.is_none() {
                continue;
            }
            let index = self.bodies.len();
            let body = HookBody::find((ast, priced), index, function.name, &function.params);
            let body = body.map(Arc::new);
            self.bodies.extend(body.clone());
            let hook = HookFn { name: function.name.into(), parameters, code: None, body };
            if let Some(rule) = rule {
                self.rules.insert(rule.name, hook);
            } else if let Some(event) = event {
                self.events.insert(event.into(), hook);
            }
        }
        self.subscriptions = Subscriptions {
            ticks: self.events.contains_key("tick"),
            rules: self.rules.contains_key("model") || self.rules.contains_key("jump_windows"),
            events: self.events.keys().fold(0, |bits, name| bits | event_bit(name)),
        };
        self
    }

    /// Adds the code of its hooks.
    fn with_code(mut self, code: ScriptCode) -> Self {
        for hook in self.rules.values_mut().chain(self.events.values_mut()) {
            hook.code = code.number_of(&hook.name, hook.parameters);
        }
        self.on_tick = self.events.get("tick").cloned();
        self.code = code;
        self
    }
}

/// A function that the engine calls.
#[derive(Clone, Debug)]
pub(crate) struct HookFn {
    /// The function's name.
    pub name: Arc<str>,
    /// The number of its parameters.
    pub parameters: usize,
    /// The number of its code; none if it was not compiled.
    pub code: Option<usize>,
    /// Its body; none if Rhai has to find the function.
    pub body: Option<Arc<HookBody>>,
}

impl HookFn {
    /// Whether it is known to change no variables.
    pub fn only_reads(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.only_reads)
    }
}

/// All compiled behaviors of a revision, with the engine that runs them. Immutable.
pub struct Scripts {
    pub(crate) engine: Engine,
    pub(crate) printed: Printed,
    pub(crate) limits: Limits,
    pub(crate) execution: Execution,
    pub(crate) sources: Arc<Sources>,
    /// Which parts of the world they use.
    pub(crate) interest: Interest,
    pub(crate) scripts: Vec<Script>,
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.scripts.iter().map(Script::name)).finish()
    }
}

impl Scripts {
    /// Compiles `behaviors`. The [`ScriptId`] of each is its index in the list.
    /// Errors and warnings are added to `diagnostics`; a file with errors has no hooks.
    #[must_use]
    pub fn compile(
        sources: Arc<Sources>,
        behaviors: &[Behavior],
        limits: Limits,
        execution: Execution,
        diagnostics: &mut impl Extend<Diagnostic>,
    ) -> Self {
        let printed = Printed::default();
        // A level without scripts does without the API, which takes a millisecond to register.
        let (engine, modules) = match behaviors {
            [] => (Engine::new_raw(), PricedModules::default()),
            _ => behavior_engine(&sources, &limits, &printed),
        };
        let mut units = Units::new(&engine, &modules);
        let mut scripts: Vec<Script> = Vec::new();
        for behavior in behaviors {
            let Some(file) = sources.get(&behavior.key) else {
                continue;
            };
            let _count = top_level_budget(&limits);
            let base = BaseFunctions::of(behavior.below, layers_below(behavior.below, &scripts));
            let files = (file, &*sources);
            let compiled = compile_file(&mut units, files, &base, &limits, diagnostics);
            let mut script = compiled.unwrap_or_else(|errors| {
                diagnostics.extend(errors);
                let global = engine.new_global_runtime_state();
                Script::without_hooks(file, global)
            });
            if let BelowScript::Script(below) = behavior.below
                && let Some(below_it) = scripts.get(below.0 as usize)
            {
                script.put_above((below, below_it), ScriptId(scripts.len() as u32));
            }
            scripts.push(script);
        }
        Self { engine, printed, limits, execution, interest: interest_in(&sources), sources, scripts }
    }

    /// The script with this id.
    #[must_use]
    pub fn get(&self, id: ScriptId) -> &Script {
        &self.scripts[id.0 as usize]
    }

    /// All scripts of an entity with this topmost one, the lowest one first.
    pub fn layers_of<'s>(&'s self, top: &'s Script) -> impl DoubleEndedIterator<Item = &'s Script> + 's {
        let below = top.layers.len().saturating_sub(1);
        let below = top.layers[..below].iter();
        below.map(|id| self.get(*id)).chain([top])
    }

    /// How their calls are executed.
    #[must_use]
    pub fn execution(&self) -> Execution {
        self.execution
    }

    /// The bytes of all sources, those of tests included.
    #[must_use]
    pub fn source_bytes(&self) -> usize {
        self.sources.values().map(|file| file.text.len()).sum()
    }

    /// How many values the variables of an entity, or of the level, can hold.
    #[must_use]
    pub fn kept_values(&self) -> usize {
        self.limits.kept_values
    }

    /// All scripts, by id.
    #[must_use]
    pub fn all(&self) -> &[Script] {
        &self.scripts
    }
}

/// The scripts below one of an entity, the lowest one first.
fn layers_below<'s>(below: BelowScript, scripts: &'s [Script]) -> Vec<BelowLayer<'s>> {
    let BelowScript::Script(top) = below else {
        return Vec::new();
    };
    let Some(script) = scripts.get(top.0 as usize) else {
        return Vec::new();
    };
    let layers = match script.layers.as_slice() {
        [] => vec![top],
        layers => layers.to_vec(),
    };
    let layers = layers.iter().map(|id| &scripts[id.0 as usize]);
    let layer = |script: &'s Script| {
        let Script { file, functions, global, events, .. } = script;
        BelowLayer { file: &file.name, functions, global, events: events.keys().map(|event| &**event).collect() }
    };
    layers.map(layer).collect()
}

/// The parts of the world that these scripts may read.
fn interest_in(sources: &Sources) -> Interest {
    Interest::of(|word| sources.values().any(|file| file.text.contains(word)))
}

/// An engine for behaviors that import these sources.
fn behavior_engine(sources: &Arc<Sources>, limits: &Limits, printed: &Printed) -> (Engine, PricedModules) {
    let mut engine = new_engine(limits);
    let resolver = SourceResolver::new(sources.clone(), check_top_level);
    let modules = resolver.priced_modules();
    engine.set_module_resolver(resolver);
    register_behaviors(&mut engine);
    printed.listen_to(&mut engine);
    (engine, modules)
}

/// Compiles a file and checks its top level.
pub(crate) fn compile_ast(engine: &Engine, file: &Arc<SourceFile>) -> Result<AST, Vec<Diagnostic>> {
    if file.text.len() > MOST_SOURCE {
        let why = source_too_large(file.text.len());
        return Err(vec![Diagnostic::error(Place::new(file, 0..0), why)]);
    }
    BuildProgress::at(&file.name);
    if BuildProgress::is_cancelled() {
        return Err(Vec::new());
    }
    let mut ast = parse(engine, &file.text).map_err(|e| vec![parse_error(file, &e)])?;
    ast.set_source(file.name.as_str());
    let wrong = check_top_level(engine, &ast, file);
    if wrong.is_empty() { Ok(ast) } else { Err(wrong) }
}

fn compile_file(
    units: &mut Units<'_>,
    (file, sources): (&Arc<SourceFile>, &Sources),
    base: &BaseFunctions<'_>,
    limits: &Limits,
    warnings: &mut impl Extend<Diagnostic>,
) -> Result<Script, Vec<Diagnostic>> {
    let engine = units.engine;
    let ast = compile_ast(engine, file)?;
    let emits = || NamesInCalls::emitted_by(engine, sources).may_be_any();
    let mut found = check_hooks(&ast, file, sources, emits);
    found.append(&mut check_closures(&ast, file));
    let calls_base = !base_calls(&ast, file).is_empty();
    found.append(&mut base.wrong_calls(&ast, file));
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    warnings.extend(found);
    let priced = priced(&ast);
    let global = evaluate_priced(engine, &priced).map_err(|e| {
        let explainer = Explainer { file, sources, limits, api_set: hangtime_script::api::ApiSet::Behavior, catalog };
        vec![explainer.explain(&e, Place::new(file, 0..0))]
    })?;
    let global = base.import_into(global, calls_base, limits);
    let (code, functions) = ScriptCode::compile(&units.unit_of(&priced, true), limits);
    let script = Script::without_hooks(file, global).with_hooks(&ast, &priced);
    let mut script = script.with_code(code);
    script.answers = rule_answers(&ast, file);
    script.functions = functions_of(&ast, file, &functions);
    Ok(script)
}

/// Evaluates the top level of a program with prices once. The result is what functions of the file can access: its
/// constants, its imports and each other.
pub(crate) fn evaluate_priced(engine: &Engine, ast: &AST) -> Result<GlobalRuntimeState, Box<rhai::EvalAltResult>> {
    let mut scope = Scope::new();
    engine.run_ast_with_scope(&mut scope, ast)?;
    let constants = variables_of(&scope, true);
    let module = Module::eval_ast_as_new(Scope::new(), ast, engine)?;
    let mut global = engine.new_global_runtime_state();
    global.lib.push(ast.shared_lib().clone());
    for (name, imported) in module.iter_sub_modules() {
        global.push_import(name, imported.clone());
    }
    global.constants = Some(Arc::new(RwLock::new(constants)));
    global.source = ast.source().map(Into::into);
    Ok(global)
}
