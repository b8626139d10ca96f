//! Compiling the scripts of a revision.

use super::{
    functions::functions_of,
    lent_layers::base_module,
    units::{Units, variables_of},
    *,
};
use crate::{
    Rhai,
    api::register_behaviors,
    bytecode::{FunctionsBelow, ScriptCode},
    check::{NamesUsed, declared_functions, rule_answers},
    engine::{pricing::priced_cut, resolver::is_script},
    sequences::{Cut, check_imported, cut},
};
use hangtime_script::{
    BaseFunction, BuildProgress, CompileRequest, Compiled, Language as _, RULES, check_hooks, import_keys,
};
use std::sync::{PoisonError, RwLock};

/// A compiled behavior.
pub(crate) struct Script {
    /// What is known of it without running it.
    pub listed: ListedScript,
    pub global: GlobalRuntimeState,
    /// Its hooks, each at its place among those that are listed.
    pub hooks: Vec<HookFn>,
    /// The bodies of its hooks, by their indexes.
    bodies: Vec<Arc<HookBody>>,
    /// Its compiled functions.
    pub code: ScriptCode,
}

impl Script {
    /// A script without hooks: a placeholder for one that has errors or is in another language.
    fn without_hooks(file: &Arc<SourceFile>, global: GlobalRuntimeState) -> Self {
        Self {
            listed: ListedScript::without_hooks(file),
            global,
            hooks: Vec::new(),
            bodies: Vec::new(),
            code: ScriptCode::default(),
        }
    }

    /// The bodies of its hooks, by their indexes.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &HookBody> {
        self.bodies.iter().map(|body| &**body)
    }

    /// Finds the hooks among its functions. `priced` is the program `ast` with prices.
    fn with_hooks(mut self, ast: &AST, priced: &AST) -> Self {
        let (mut rules, mut events) = (BTreeMap::new(), BTreeMap::new());
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
            let name: Arc<str> = function.name.into();
            let hook = HookFn { function: name.clone(), name, parameters, code: None, observes_me: true, body };
            if let Some(rule) = rule {
                rules.insert(rule.name, hook);
            } else {
                events.insert(function.name, hook);
            }
        }
        self.hooks = rules.into_values().chain(events.into_values()).collect();
        let listed = |hook: &HookFn| ListedHook { name: hook.name.clone(), parameters: hook.parameters };
        self.listed = self.listed.with_hooks(self.hooks.iter().map(listed).collect());
        self
    }

    /// Adds the functions of its sequences.
    fn with_sequences(mut self, cut: &Cut, priced: &AST) -> Self {
        for step in &cut.steps {
            let (function, name) = (&cut.functions[step.hook], &step.point.sequence);
            let body = HookBody::of_cut(priced, self.bodies.len(), name, function);
            let body = body.map(Arc::new);
            self.bodies.extend(body.clone());
            self.hooks.push(HookFn {
                name: name.clone(),
                function: function.name.as_str().into(),
                parameters: function.parameters.len(),
                code: None,
                observes_me: true,
                body,
            });
        }
        self.listed = self.listed.with_steps(cut.steps.clone());
        self
    }

    /// Adds the code of its hooks.
    fn with_code(mut self, code: ScriptCode) -> Self {
        for hook in &mut self.hooks {
            hook.code = code.number_of(&hook.function, hook.parameters);
            hook.observes_me = hook.code.is_none_or(|number| code.code(number).observes_me());
        }
        self.code = code;
        self
    }

    /// Whether its constants are plain data. A closure in one could keep a variable that one run changes and the next one
    /// sees.
    fn is_plain(&self) -> bool {
        self.global.constants.as_ref().is_none_or(|constants| {
            let constants = constants.read().unwrap_or_else(PoisonError::into_inner);
            constants.values().all(|value| to_plain(value).is_ok())
        })
    }
}

/// Whether a constant of this text may be a closure. Modules do not show the constants that they do not export, so their
/// texts are read: from a `const` to the next function or constant.
fn may_keep_closures(text: &str) -> bool {
    let mut constants = text.split("const ").skip(1);
    constants.any(|constant| {
        let end = constant
            .find("\nfn ")
            .or_else(|| constant.find("\nprivate fn "))
            .unwrap_or(constant.len());
        constant[..end].contains('|') || constant[..end].contains("Fn(")
    })
}

/// What is below a script.
struct Below<'s> {
    functions: BaseFunctions,
    /// The scripts of the layers, the lowest one first; those in other languages as placeholders.
    scripts: Vec<&'s Script>,
}

impl Below<'_> {
    /// Adds the module `base` to what the functions of a script can use, if it `uses` that. An import of this name by the
    /// script itself comes first.
    fn import_into(&self, mut global: GlobalRuntimeState, uses: bool, limits: &Limits) -> GlobalRuntimeState {
        if uses && self.functions.callable().next().is_some() {
            let functions = self.functions.callable().map(|function| {
                let script = self.scripts.get(function.layer).filter(|script| is_script(script.listed.name()));
                (function, script.map(|script| &script.global))
            });
            global.push_import("base", base_module(functions, limits));
        }
        global
    }

    /// The functions that can be compiled into those that call them. The units of other languages have none.
    fn compiled(&self) -> FunctionsBelow {
        let of = |function: &BaseFunction| {
            let unit = self.scripts.get(function.layer)?.code.unit.clone();
            Some(((function.name.as_str().into(), function.parameters), (function.layer, unit)))
        };
        self.functions.callable().filter_map(of).collect()
    }

    /// Calls with `base::` of functions that are not there.
    fn wrong_calls(&self, ast: &AST, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let calls = base_calls(ast, file).into_iter();
        let wrong = calls.filter_map(|call| {
            let why = self.functions.objection(&call.name, Some(call.arguments))?;
            Some(Diagnostic::error(call.place, why))
        });
        wrong.collect()
    }
}

/// A function that the engine calls.
#[derive(Clone, Debug)]
pub(crate) struct HookFn {
    /// The hook's name.
    pub name: Arc<str>,
    /// The function's name, which is another one in a sequence after a wait.
    pub function: Arc<str>,
    /// The number of its parameters.
    pub parameters: usize,
    /// The number of its code; none if it was not compiled.
    pub code: Option<usize>,
    /// Whether a call may read or change the state of the entity.
    pub observes_me: bool,
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
pub(crate) struct RhaiProgram {
    pub engine: Engine,
    pub limits: Limits,
    pub execution: Execution,
    pub sources: Arc<Sources>,
    pub scripts: Vec<Script>,
}

impl RhaiProgram {
    /// Compiles the behaviors of a request that are written in Rhai. Errors and warnings are added to `diagnostics`; a
    /// file with errors has no hooks.
    pub fn compile(request: &CompileRequest<'_>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let CompileRequest { sources, behaviors, limits, execution, .. } = request;
        let (engine, modules) = behavior_engine(sources, limits);
        let mut units = Units::new(&engine, &modules);
        let mut scripts: Vec<Script> = Vec::new();
        for behavior in *behaviors {
            let Some(file) = sources.get(&behavior.key) else {
                continue;
            };
            if !is_script(&behavior.key) {
                scripts.push(Script::without_hooks(file, engine.new_global_runtime_state()));
                continue;
            }
            let _count = top_level_budget(limits);
            let below = request.layers_below(behavior).into_iter().filter_map(|id| scripts.get(id.0 as usize));
            let listed = |id: ScriptId| {
                let script = scripts.get(id.0 as usize).map(|script| &script.listed);
                script.filter(|script| is_script(script.name()))
            };
            let functions = BaseFunctions::of(request, behavior, listed);
            let below = Below { functions, scripts: below.collect() };
            let compiled = compile_file(&mut units, (file, sources), &below, limits, diagnostics);
            let script = compiled.unwrap_or_else(|errors| {
                diagnostics.extend(errors);
                Script::without_hooks(file, engine.new_global_runtime_state())
            });
            scripts.push(script);
        }
        Self { engine, limits: *limits, execution: *execution, sources: sources.clone(), scripts }
    }

    /// The script with this id.
    pub fn get(&self, id: ScriptId) -> &Script {
        &self.scripts[id.0 as usize]
    }

    /// What explains errors in a script.
    pub fn explainer<'a>(&'a self, file: &'a Arc<SourceFile>) -> Explainer<'a> {
        let catalog = Box::new(behavior_catalog);
        Explainer { file, sources: &self.sources, limits: &self.limits, api_set: ApiSet::Behavior, catalog }
    }

    /// All files that its scripts import, directly or through others.
    fn imported(&self) -> Vec<&SourceFile> {
        let mut found: Vec<&SourceFile> = Vec::new();
        let mut open: Vec<&SourceFile> = self.scripts.iter().map(|script| &*script.listed.file).collect();
        while let Some(file) = open.pop() {
            let paths = Rhai.imports(&file.text).into_iter();
            let keys = paths.flat_map(|path| import_keys(&file.name, &path));
            for imported in keys.filter_map(|key| self.sources.get(&key)) {
                if !found.iter().any(|known| known.name == imported.name) {
                    found.push(imported);
                    open.push(imported);
                }
            }
        }
        found
    }

    /// What others can know of it.
    pub fn compiled(self) -> Compiled {
        let scripts = self.scripts.iter();
        let mut imported = self.imported().into_iter();
        Compiled {
            scripts: scripts.clone().map(|script| script.listed.clone()).collect(),
            is_plain: scripts.clone().all(Script::is_plain) && !imported.any(|file| may_keep_closures(&file.text)),
            program: Arc::new(self),
        }
    }
}

/// An engine for behaviors that import these sources.
fn behavior_engine(sources: &Arc<Sources>, limits: &Limits) -> (Engine, PricedModules) {
    let mut engine = new_engine(limits);
    let resolver = SourceResolver::new(sources.clone(), |engine, ast, file| {
        let mut wrong = check_top_level(engine, ast, file);
        wrong.append(&mut check_imported(ast, file));
        wrong
    });
    let modules = resolver.priced.clone();
    engine.set_module_resolver(resolver);
    register_behaviors(&mut engine);
    record_prints(&mut engine);
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
    below: &Below<'_>,
    limits: &Limits,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Script, Vec<Diagnostic>> {
    let engine = units.engine;
    let ast = compile_ast(engine, file)?;
    let emits = || NamesInCalls::emitted_by(engine, sources).any;
    let used = NamesUsed::of(&ast);
    let mut found = check_hooks(&declared_functions(&ast, file), sources, None, |name| used.uses(name), emits);
    found.append(&mut check_closures(&ast, file));
    let calls_base = !base_calls(&ast, file).is_empty();
    found.append(&mut below.wrong_calls(&ast, file));
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    warnings.extend(found);
    let cut = cut(&ast, file)?;
    let priced = priced_cut(&ast, &cut.functions);
    let global = evaluate_priced(engine, &priced).map_err(|e| {
        let catalog = Box::new(behavior_catalog);
        let explainer = Explainer { file, sources, limits, api_set: ApiSet::Behavior, catalog };
        vec![explainer.explain(&e, Place::new(file, 0..0))]
    })?;
    let global = below.import_into(global, calls_base, limits);
    let unit = units.unit_of(&priced, true);
    let (code, functions) = ScriptCode::compile(unit, below.compiled(), limits, |name| cut.is_called(name));
    let script = Script::without_hooks(file, global)
        .with_hooks(&ast, &priced)
        .with_sequences(&cut, &priced);
    let mut script = script.with_code(code);
    script.listed.answers = rule_answers(&ast, file);
    script.listed.functions = functions_of(&ast, file, &functions);
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
