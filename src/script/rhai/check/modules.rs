//! Modules: `world::`, and what is imported.

use super::calls::{count_of, given_to};
use super::source::{Key, Source};
use super::types::fits;
use super::walk::Walker;
use crate::script::host::api::{ApiEntry, ApiSet, EntryKind, Owner, Type};
use crate::script::host::names::nearest;
use rhai::{Expr, FnCallExpr, Namespace, Position};

impl Walker<'_> {
    /// A call of a module's function.
    pub fn module_call(&mut self, call: &FnCallExpr, at: Position) -> Type {
        let types: Vec<Type> = call.args.iter().map(|a| self.expression(a)).collect();
        let name = call.name.as_str();
        let [module] = call.namespace.path.as_slice() else {
            return Type::Any;
        };
        let module = module.name.as_str();
        if module == "world" && self.vocabulary.api_set == ApiSet::Behavior {
            return self.world_call(call, &types, at);
        }
        if !self.is_module(module) {
            self.no_module(module, call.namespace.path[0].pos);
            return Type::Any;
        }
        if let Some(imported) = self.imported(module) {
            let key: Key = (name.to_string(), types.len());
            if !imported.exports(&key) {
                let what = missing(imported, module, name, types.len());
                self.error(at, what);
            } else if imported.uses_this.contains(&key) {
                let what = format!(
                    "`{name}` uses `this`, which functions of modules are not given: give it what it \
                     needs as a parameter"
                );
                self.error(at, what);
            }
        }
        Type::Any
    }

    /// The name that `Fn` is given: a function of a module has none that could be pointed to.
    pub fn pointer(&mut self, name: &Expr) {
        if let Some((text, at)) = self.text(name)
            && text.contains("::")
        {
            let what =
                format!("`Fn` knows no functions of modules: write a closure, `|| {text}()`");
            self.error(at, what);
        }
    }

    fn world_call(&mut self, call: &FnCallExpr, types: &[Type], at: Position) -> Type {
        let name = call.name.as_str();
        let of_world = |e: &&ApiEntry| e.owner == Owner::World && e.kind == EntryKind::Function;
        let named: Vec<&ApiEntry> = self.vocabulary.entries(name).filter(of_world).collect();
        if named.is_empty() {
            let names = self.vocabulary.names_of(Owner::World);
            let hint = match nearest(name, names.iter().copied()) {
                Some(right) => format!("; did you mean `world::{right}`?"),
                None => {
                    let mut named = self.vocabulary.entries(name);
                    named.next().map_or_else(String::new, |e| {
                        format!("; did you mean `{}`?", e.signature())
                    })
                }
            };
            self.error(at, format!("there is no function `world::{name}`{hint}"));
            return Type::Any;
        }
        let accepts = |e: &&&ApiEntry| {
            let wanted = given_to(e);
            let mut pairs = types.iter().zip(&wanted);
            wanted.len() == types.len() && pairs.all(|(given, wanted)| fits(*given, *wanted))
        };
        let Some(entry) = named.iter().find(accepts) else {
            self.wrong_arguments(name, types, &named, at);
            return Type::Any;
        };
        self.deed(name, Owner::World, at);
        let arguments: Vec<&Expr> = call.args.iter().collect();
        self.named_arguments(entry, &arguments);
        entry.returns
    }

    /// A variable of a module.
    pub fn module_variable(&mut self, namespace: &Namespace, name: &str, at: Position) {
        let [module] = namespace.path.as_slice() else {
            return;
        };
        let (module, place) = (module.name.as_str(), module.pos);
        if module == "world" && self.vocabulary.api_set == ApiSet::Behavior {
            let mut named = self.vocabulary.entries(name);
            let entry = named.find(|e| e.owner == Owner::World);
            let what = match entry {
                Some(entry) => format!("`{name}` is called: `{}`", entry.signature()),
                None => format!("there is no `world::{name}`"),
            };
            self.error(at, what);
        } else if !self.is_module(module) {
            self.no_module(module, place);
        } else if self
            .imported(module)
            .is_some_and(|imported| !imported.gives_variables())
        {
            let what = format!(
                "`{module}::{name}` is not seen: of an imported file only its functions are; write one that answers it"
            );
            self.error(at, what);
        }
    }

    /// Imports of files that are not there are told where they are compiled.
    fn is_module(&self, name: &str) -> bool {
        name == "global" || self.source.imports.contains_key(name)
    }

    fn imported(&self, name: &str) -> Option<&Source> {
        let path = self.source.imports.get(name)?.as_ref()?;
        self.inspector.survey.scripts.get(path)
    }

    fn no_module(&mut self, name: &str, at: Position) {
        let hint = if name == "world" {
            ": it is there in behaviors only".to_string()
        } else {
            let own = self.source.imports.keys().map(String::as_str);
            let known = own.chain((self.vocabulary.api_set == ApiSet::Behavior).then_some("world"));
            nearest(name, known).map_or_else(
                || "; `import \"lib/…\" as …;` at the top of the file brings one in".into(),
                |right| format!("; did you mean `{right}`?"),
            )
        };
        self.error(at, format!("there is no module `{name}`{hint}"));
    }
}

/// Why a module's function cannot be called so.
fn missing(imported: &Source, module: &str, name: &str, given: usize) -> String {
    if let Some(parameters) = imported.parameters_of(name).first() {
        if imported.functions.contains_key(&(name.to_string(), given)) {
            return format!("`{module}::{name}` is private to its file");
        }
        return format!(
            "`{module}::{name}` takes {}, and this call gives {}",
            count_of(*parameters),
            if given == 0 {
                "none".into()
            } else {
                given.to_string()
            }
        );
    }
    let names = imported.functions.keys().map(|(name, _)| name.as_str());
    let file = &imported.file.name;
    match nearest(name, names) {
        Some(right) => {
            format!("there is no function `{name}` in {file}; did you mean `{module}::{right}`?")
        }
        None => format!("there is no function `{name}` in {file}"),
    }
}
