//! What the functions of each file can refer to.

use super::*;
use crate::{bytecode::ScriptUnit, engine::resolver::with_ending};
use hangtime_script::import_keys;

/// The constants in a scope; all variables if they are wanted.
pub fn variables_of(scope: &Scope<'_>, all: bool) -> BTreeMap<ImmutableString, Dynamic> {
    let known = scope.iter().filter(|(_, constant, _)| all || *constant);
    known.map(|(name, _, value)| (name.into(), value)).collect()
}

/// What the functions of files can refer to, each file once.
pub struct Units<'e> {
    pub engine: &'e Engine,
    modules: &'e PricedModules,
    known: BTreeMap<String, Arc<ScriptUnit>>,
}

impl<'e> Units<'e> {
    pub fn new(engine: &'e Engine, modules: &'e PricedModules) -> Self {
        Self { engine, modules, known: BTreeMap::new() }
    }

    /// The unit of a priced program; `of_behavior` if the program is a behavior, which has been evaluated before.
    pub fn unit_of(&mut self, ast: &AST, of_behavior: bool) -> ScriptUnit {
        let mut scope = Scope::new();
        // What is wrong has been reported.
        let _ = self.engine.run_ast_with_scope(&mut scope, ast);
        let mut imports = BTreeMap::new();
        for statement in ast.statements() {
            if let Stmt::Import(import, _) = statement
                && let Expr::StringConstant(path, _) = &import.0
                && let Some(unit) = self.module(ast.source().unwrap_or_default(), path)
            {
                imports.insert(import.1.name.clone(), unit);
            }
        }
        ScriptUnit::new(ast, variables_of(&scope, of_behavior), imports)
    }

    /// What the functions of a module can refer to that a file imports.
    fn module(&mut self, from: &str, path: &str) -> Option<Arc<ScriptUnit>> {
        let modules = self.modules.lock();
        let file = import_keys(from, &with_ending(path)).find(|key| modules.contains_key(key))?;
        let ast = modules[&file].clone();
        drop(modules);
        if let Some(unit) = self.known.get(&file) {
            return Some(unit.clone());
        }
        let unit = Arc::new(self.unit_of(&ast, false));
        self.known.insert(file, unit.clone());
        Some(unit)
    }
}
