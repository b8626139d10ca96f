//! Compiling the scripts of a revision.

use crate::script::host::{Diagnostic, Hook, Limits, MOST_SOURCE, Place, SourceFile, hooks};
use crate::script::rhai::api::outlook::Interest;
use crate::script::rhai::api::register_behaviours;
use crate::script::rhai::check::{check_closures, check_hooks, check_top_level};
use crate::script::rhai::engine::{Budget, Printed, new_engine};
use crate::script::rhai::errors::{Explainer, parse_error};
use crate::script::rhai::resolver::{SourceResolver, Sources};
use crate::sim::ScriptId;
use rhai::{AST, Dynamic, Engine, GlobalRuntimeState, Module, Scope};
use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};

/// A compiled behaviour.
pub struct Script {
    pub(in crate::script::rhai) file: Arc<SourceFile>,
    pub(in crate::script::rhai) global: GlobalRuntimeState,
    /// The hooks it has, each with its number of parameters.
    pub(in crate::script::rhai) hooks: BTreeMap<&'static str, usize>,
}

impl Script {
    /// Its path below the game folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The names of the hooks it has.
    pub fn hook_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.hooks.keys().copied()
    }
}

/// All compiled behaviours of a revision, with the engine that runs them. Immutable.
pub struct Scripts {
    pub(in crate::script::rhai) engine: Engine,
    pub(in crate::script::rhai) budget: Budget,
    pub(in crate::script::rhai) printed: Printed,
    pub(in crate::script::rhai) limits: Limits,
    pub(in crate::script::rhai) sources: Arc<Sources>,
    /// What of the world they look at.
    pub(in crate::script::rhai) interest: Interest,
    pub(in crate::script::rhai) scripts: Vec<Script>,
}

impl std::fmt::Debug for Scripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.scripts.iter().map(Script::name))
            .finish()
    }
}

impl Scripts {
    /// Compiles `behaviours`, paths below `scripts/`; the [`ScriptId`] of each is its place in
    /// the list. What is wrong is added to `diagnostics`; a file with errors has no hooks.
    #[must_use]
    pub fn compile(
        sources: Arc<Sources>,
        behaviours: &[String],
        limits: Limits,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let (mut engine, budget) = new_engine(&limits);
        engine.set_module_resolver(SourceResolver::new(sources.clone()));
        register_behaviours(&mut engine);
        let printed = Printed::default();
        printed.listen_to(&mut engine);
        let mut scripts = Vec::new();
        for path in behaviours {
            let Some(file) = sources.get(path) else {
                continue;
            };
            budget.grant(limits.operations);
            let compiled = compile_file(&engine, file, &sources, &limits, diagnostics);
            scripts.push(compiled.unwrap_or_else(|mut errors| {
                diagnostics.append(&mut errors);
                let global = engine.new_global_runtime_state();
                Script {
                    file: file.clone(),
                    global,
                    hooks: BTreeMap::new(),
                }
            }));
        }
        Self {
            engine,
            budget,
            printed,
            limits,
            interest: Interest::of(&sources),
            sources,
            scripts,
        }
    }

    /// The script with this id.
    #[must_use]
    pub fn get(&self, id: ScriptId) -> &Script {
        &self.scripts[id.0 as usize]
    }

    /// All scripts, by id.
    #[must_use]
    pub fn all(&self) -> &[Script] {
        &self.scripts
    }
}

/// Compiles a file with everything at its top level, and looks at it.
pub(in crate::script::rhai) fn compile_ast(
    engine: &Engine,
    file: &Arc<SourceFile>,
) -> Result<AST, Vec<Diagnostic>> {
    if file.text.len() > MOST_SOURCE {
        let why = format!(
            "a script may have {MOST_SOURCE} bytes; this has {}",
            file.text.len()
        );
        return Err(vec![Diagnostic::error(Place::new(file, 0..0), why)]);
    }
    let mut ast = engine
        .compile(&file.text)
        .map_err(|e| vec![parse_error(file, &e)])?;
    ast.set_source(file.name.as_str());
    let wrong = check_top_level(&ast, file);
    if wrong.is_empty() {
        Ok(ast)
    } else {
        Err(wrong)
    }
}

fn compile_file(
    engine: &Engine,
    file: &Arc<SourceFile>,
    sources: &Sources,
    limits: &Limits,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Script, Vec<Diagnostic>> {
    let ast = compile_ast(engine, file)?;
    let mut found = check_hooks(&ast, file);
    found.append(&mut check_closures(&ast, file));
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    warnings.append(&mut found);
    let global = evaluate_top_level(engine, &ast).map_err(|e| {
        let explainer = Explainer {
            file,
            sources,
            limits,
            names: &[],
        };
        vec![explainer.explain(&e, Place::new(file, 0..0))]
    })?;
    Ok(Script {
        file: file.clone(),
        global,
        hooks: hooks_of(&ast),
    })
}

/// The hooks among a script's functions.
fn hooks_of(ast: &AST) -> BTreeMap<&'static str, usize> {
    let known = |name: &str| hooks().find(|hook: &&'static Hook| hook.name == name);
    ast.iter_functions()
        .filter_map(|f| Some((known(f.name)?.name, f.params.len())))
        .collect()
}

/// Evaluates the top level once, and keeps what functions of the file may see: its constants, its
/// imports and each other.
pub(in crate::script::rhai) fn evaluate_top_level(
    engine: &Engine,
    ast: &AST,
) -> Result<GlobalRuntimeState, Box<rhai::EvalAltResult>> {
    let mut scope = Scope::new();
    engine.run_ast_with_scope(&mut scope, ast)?;
    let constants: BTreeMap<rhai::ImmutableString, Dynamic> = scope
        .iter()
        .map(|(name, _, value)| (name.into(), value))
        .collect();
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
