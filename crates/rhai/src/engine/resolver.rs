//! `import`: modules come from the sources of a revision, never from the disk.

use super::{
    halt::{Fallible, position_of, source_too_large},
    nesting::parse,
    pricing::priced,
};
use hangtime_script::{BuildProgress, Diagnostic, MOST_SOURCE, SourceFile, Sources, import_keys, names::suggestion};
use parking_lot::Mutex;
use rhai::{AST, Engine, EvalAltResult, Module, ModuleResolver, Position, Scope, Shared};
use std::{collections::BTreeMap, sync::Arc};

/// The ending of scripts, with its dot.
const ENDING: &str = ".rhai";

/// Whether the name of a file, or its key, says that it is a script.
pub(crate) fn is_script(name: &str) -> bool {
    name.ends_with(ENDING)
}

/// The path of an import with its ending, which may be left out.
pub(crate) fn with_ending(path: &str) -> String {
    format!("{}{ENDING}", path.strip_suffix(ENDING).unwrap_or(path))
}

/// The largest number of modules that the scripts of a level may import together.
pub(crate) const MOST_MODULES: usize = 64;

/// Deepest nesting of imports. Every level costs stack while modules are compiled.
const MOST_OPEN: usize = 16;

/// Finds statements that may not be at the top level of a script.
type TopLevelCheck = fn(&Engine, &AST, &Arc<SourceFile>) -> Vec<Diagnostic>;

/// The priced programs of the modules that have been compiled, by their files.
pub(crate) type PricedModules = Arc<Mutex<BTreeMap<String, AST>>>;

/// Finds modules among the sources of a revision and compiles each once.
pub(crate) struct SourceResolver {
    sources: Arc<Sources>,
    known: Mutex<BTreeMap<String, Shared<Module>>>,
    /// The modules being compiled, outermost first: one that is needed again imports itself.
    open: Mutex<Vec<String>>,
    check: TopLevelCheck,
    /// The priced programs of the modules that it has compiled.
    pub priced: PricedModules,
}

impl SourceResolver {
    /// `check` looks at every module before it is evaluated; its first complaint is the module's error.
    pub fn new(sources: Arc<Sources>, check: TopLevelCheck) -> Self {
        Self { sources, known: Mutex::default(), open: Mutex::default(), check, priced: PricedModules::default() }
    }

    fn compile(&self, engine: &Engine, path: &str) -> Fallible<Module> {
        let file = &self.sources[path];
        if file.text.len() > MOST_SOURCE {
            return refuse(source_too_large(file.text.len()), Position::new(1, 1));
        }
        BuildProgress::at(&file.name);
        let mut ast = parse(engine, &file.text).map_err(|e| Box::new(EvalAltResult::ErrorParsing(*e.0, e.1)))?;
        ast.set_source(file.name.as_str());
        if let Some(wrong) = (self.check)(engine, &ast, file).into_iter().next() {
            let at = wrong.place.map_or(Position::new(1, 1), |place| position_of(&place));
            return refuse(wrong.message, at);
        }
        let ast = priced(&ast);
        let module = Module::eval_ast_as_new(Scope::new(), &ast, engine)?;
        self.priced.lock().insert(path.to_string(), ast);
        Ok(module)
    }

    /// The key of a script to import.
    ///
    /// # Errors
    /// Why there is none.
    fn key_of(&self, from: &str, path: &str) -> Result<String, String> {
        let outside = path.starts_with('/') || path.contains(['\\', ':']);
        if outside || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return Err(format!(
                "`{path}` is not a path inside scripts/; for scripts/lib/patrol.rhai write `lib/patrol`"
            ));
        }
        // Others cannot import a script in a mod by its whole name.
        let is_foreign = |key: &String| *key == path && key.contains("/scripts/");
        let mut keys = import_keys(from, &with_ending(path)).filter(|key| !is_foreign(key));
        if let Some(key) = keys.find(|key| self.sources.contains_key(key)) {
            return Ok(key);
        }
        let names = self.sources.keys();
        let names = names.filter_map(|name| name.strip_suffix(ENDING));
        let bare = path.trim_end_matches(ENDING);
        let hint = suggestion(bare, names.collect::<Vec<_>>());
        Err(format!("there is no script `scripts/{bare}.rhai` to import{hint}"))
    }

    /// Why a module cannot be imported; none if it can.
    fn objection(&self, file: &str) -> Option<String> {
        let name = &self.sources[file].name;
        let open = self.open.lock();
        if let Some(first) = open.iter().position(|name| name == file) {
            let round = open[first..].iter().map(String::as_str).chain([file]);
            let round = round.collect::<Vec<_>>().join(" → ");
            return Some(format!("`{name}` imports itself: {round}"));
        }
        if open.len() >= MOST_OPEN {
            return Some(format!("imports are nested more than {MOST_OPEN} deep"));
        }
        (self.known.lock().len() >= MOST_MODULES)
            .then(|| format!("the scripts of a level may import at most {MOST_MODULES} modules"))
    }
}

fn refuse<T>(why: String, at: Position) -> Fallible<T> {
    Err(EvalAltResult::ErrorRuntime(why.into(), at).into())
}

impl ModuleResolver for SourceResolver {
    fn resolve(&self, engine: &Engine, importer: Option<&str>, path: &str, pos: Position) -> Fallible<Shared<Module>> {
        let file = self.key_of(importer.unwrap_or_default(), path).or_else(|why| refuse(why, pos))?;
        if let Some(module) = self.known.lock().get(&file) {
            return Ok(module.clone());
        }
        if let Some(why) = self.objection(&file) {
            return refuse(why, pos);
        }
        let source = &self.sources[&file];
        self.open.lock().push(file.clone());
        let module = self.compile(engine, &file);
        self.open.lock().pop();
        let module: Shared<Module> =
            module.map_err(|e| EvalAltResult::ErrorInModule(source.name.clone(), e, pos))?.into();
        self.known.lock().insert(file, module.clone());
        Ok(module)
    }
}
