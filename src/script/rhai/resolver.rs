//! `import`: modules come from the sources of a revision, never from the disk.

use crate::script::host::{MOST_SOURCE, SourceFile};
use rhai::{Engine, EvalAltResult, Module, ModuleResolver, Position, Scope, Shared};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The scripts of a revision, by their path below `scripts/`, such as `lib/patrol.rhai`.
pub type Sources = BTreeMap<String, Arc<SourceFile>>;

/// Finds modules among sources. Each is compiled once.
pub(super) struct SourceResolver {
    sources: Arc<Sources>,
    known: Mutex<BTreeMap<String, Shared<Module>>>,
    /// Those being compiled: one that turns up twice imports itself.
    open: Mutex<Vec<String>>,
}

impl SourceResolver {
    pub fn new(sources: Arc<Sources>) -> Self {
        Self {
            sources,
            known: Mutex::default(),
            open: Mutex::default(),
        }
    }

    fn compile(&self, engine: &Engine, path: &str) -> Result<Module, Box<EvalAltResult>> {
        let file = &self.sources[path];
        if file.text.len() > MOST_SOURCE {
            return Err(format!("`{path}` is longer than {MOST_SOURCE} bytes").into());
        }
        let mut ast = engine
            .compile(&file.text)
            .map_err(|e| Box::new(EvalAltResult::ErrorParsing(*e.0, e.1)))?;
        ast.set_source(file.name.as_str());
        Module::eval_ast_as_new(Scope::new(), &ast, engine)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl ModuleResolver for SourceResolver {
    fn resolve(
        &self,
        engine: &Engine,
        _importer: Option<&str>,
        path: &str,
        pos: Position,
    ) -> Result<Shared<Module>, Box<EvalAltResult>> {
        let file = if path.ends_with(".rhai") {
            path.to_string()
        } else {
            format!("{path}.rhai")
        };
        if let Some(module) = lock(&self.known).get(&file) {
            return Ok(module.clone());
        }
        let Some(source) = self.sources.get(&file) else {
            let names = self
                .sources
                .keys()
                .filter_map(|name| name.strip_suffix(".rhai"));
            let hint = crate::script::host::names::suggestion(path, names.collect::<Vec<_>>());
            let why = format!("there is no script `scripts/{file}` to import{hint}");
            return Err(EvalAltResult::ErrorRuntime(why.into(), pos).into());
        };
        if lock(&self.open).contains(&file) {
            let why = format!("`scripts/{file}` imports itself");
            return Err(EvalAltResult::ErrorRuntime(why.into(), pos).into());
        }
        lock(&self.open).push(file.clone());
        let module = self.compile(engine, &file);
        lock(&self.open).pop();
        let module: Shared<Module> = module
            .map_err(|e| EvalAltResult::ErrorInModule(source.name.clone(), e, pos))?
            .into();
        lock(&self.known).insert(file, module.clone());
        Ok(module)
    }
}
