//! Parsed scripts: the functions, constants and imports of a file, and the events of all files.

use super::syntax::{any_node, call_of, names_used, variable_of_this};
use crate::engine::nesting::parse;
use hangtime_script::api::Type;
use hangtime_script::{BuildProgress, MOST_SOURCE, SourceFile, Sources};
use rhai::{AST, ASTFlags, ASTNode, Engine, Expr, FnAccess, FnCallExpr, Position, Stmt};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// A function's name and number of parameters, which identify it within a file.
pub(super) type FnKey = (String, usize);

/// A function of a script.
pub(super) struct ScriptFunction {
    pub name: String,
    pub parameters: Vec<String>,
    /// A tree of this function only, which shares it with the tree of the file.
    alone: AST,
    /// Copied from the tree once it is needed: most functions of a game are never walked again.
    body: OnceLock<Vec<Stmt>>,
    private: bool,
}

impl ScriptFunction {
    /// Its name and number of parameters.
    pub fn key(&self) -> FnKey {
        (self.name.clone(), self.parameters.len())
    }

    /// Its statements.
    pub fn body(&self) -> &[Stmt] {
        self.body.get_or_init(|| body_of(&self.alone))
    }

    /// The position of the `}` that ends it.
    pub fn end(&self) -> Position {
        let mut all = self.alone.iter_fn_def();
        all.next().map_or(Position::NONE, |function| function.body.end_position())
    }

    /// Whether it uses `this`, apart from closures.
    fn uses_this(&self) -> bool {
        let mut found = false;
        self.alone.walk(&mut |path| {
            found |= matches!(path.last(), Some(ASTNode::Expr(Expr::ThisPtr(_))));
            !found
        });
        found
    }
}

/// A constant at the top level of a file.
#[derive(Clone, Debug)]
pub(super) struct ScriptConstant {
    pub holds: Type,
    /// Its value, if that is a text literal.
    pub text: Option<String>,
    /// Its value, if that is an integer literal.
    pub whole: Option<i64>,
}

/// A script that parses.
pub(super) struct ParsedScript {
    pub file: Arc<SourceFile>,
    pub ast: AST,
    pub functions: BTreeMap<FnKey, ScriptFunction>,
    /// Closures by the names that the parser gave them.
    pub closures: BTreeMap<String, ScriptFunction>,
    pub constants: BTreeMap<String, ScriptConstant>,
    /// Names of imported modules, with the paths of their files below `scripts/` where known.
    pub imports: BTreeMap<String, Option<String>>,
    /// Functions that use `this`.
    pub uses_this: BTreeSet<FnKey>,
    /// Functions that are called.
    pub called: BTreeSet<String>,
    /// Text and bare names, any of which may become a function pointer.
    pub mentioned: BTreeSet<String>,
    /// Functions that are called as methods of something other than `this`.
    pub called_on_others: BTreeSet<String>,
    /// Keys of map literals, and all property names. A map may hold a function under any of them.
    pub keys: BTreeSet<String>,
}

impl ParsedScript {
    /// Parses a file; none if it is too long or has a syntax error, which loading reports.
    pub fn parse(engine: &Engine, file: &Arc<SourceFile>) -> Option<Self> {
        if file.text.len() > MOST_SOURCE {
            return None;
        }
        let ast = parse(engine, &file.text).ok()?;
        let used = names_used(&ast);
        let mut script = Self {
            file: file.clone(),
            functions: BTreeMap::new(),
            closures: BTreeMap::new(),
            constants: BTreeMap::new(),
            imports: BTreeMap::new(),
            uses_this: BTreeSet::new(),
            called: used.called,
            mentioned: used.mentioned,
            called_on_others: called_on_others(&ast),
            keys: used.keys,
            ast,
        };
        script.read_functions();
        script.read_top_level();
        Some(script)
    }

    fn read_functions(&mut self) {
        for definition in self.ast.iter_fn_def() {
            let function = ScriptFunction {
                name: definition.name.to_string(),
                parameters: definition.params.iter().map(|p| p.to_string()).collect(),
                alone: function_alone(&self.ast, &definition.name, definition.params.len()),
                body: OnceLock::new(),
                private: definition.access == FnAccess::Private,
            };
            if function.name.starts_with("anon$") {
                self.closures.insert(function.name.clone(), function);
                continue;
            }
            if function.uses_this() {
                self.uses_this.insert(function.key());
            }
            self.functions.insert(function.key(), function);
        }
    }

    fn read_top_level(&mut self) {
        for statement in self.ast.statements() {
            match statement {
                Stmt::Var(var, flags, _) if flags.intersects(ASTFlags::CONSTANT) => {
                    let (mut text, mut whole) = (None, None);
                    match &var.1 {
                        Expr::StringConstant(value, _) => text = Some(value.to_string()),
                        Expr::IntegerConstant(value, _) => whole = Some(*value),
                        _ => {}
                    }
                    let holds = Type::Any;
                    let constant = ScriptConstant { holds, text, whole };
                    self.constants.insert(var.0.name.to_string(), constant);
                }
                Stmt::Import(import, _) => {
                    let path = match &import.0 {
                        Expr::StringConstant(path, _) => Some(format!("{}.rhai", path.trim_end_matches(".rhai"))),
                        _ => None,
                    };
                    self.imports.insert(import.1.name.to_string(), path);
                }
                _ => {}
            }
        }
    }

    /// The variables of `this` that it assigns to.
    pub fn own_variables(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        self.ast.walk(&mut |path| {
            if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last() {
                let variable = variable_of_this(&assignment.1.lhs);
                names.extend(variable.map(|(name, _)| name.to_string()));
            }
            true
        });
        names
    }

    /// The numbers of parameters of its functions with this name.
    pub fn parameters_of(&self, name: &str) -> Vec<usize> {
        let named = self.functions.keys().filter(|(n, _)| n == name);
        named.map(|(_, parameters)| *parameters).collect()
    }

    /// Whether it has a function with this name.
    pub fn has_function(&self, name: &str) -> bool {
        self.functions.keys().any(|(n, _)| n == name)
    }

    /// Whether scripts that import it may see variables of it.
    pub fn exports_variables(&self) -> bool {
        let mut statements = self.ast.statements().iter();
        statements.any(|statement| matches!(statement, Stmt::Export(..)))
    }

    /// Whether scripts that import it can call this function.
    pub fn exports(&self, key: &FnKey) -> bool {
        let function = self.functions.get(key);
        function.is_some_and(|f| !f.private)
    }

    /// The variables that a function assigns to. Those of all closures count too, as they may
    /// have captured one.
    pub fn assigned_in(&self, function: &ScriptFunction) -> BTreeSet<String> {
        self.targets_in(function, |target| match target {
            Expr::Variable(variable, ..) => Some(variable.1.to_string()),
            _ => None,
        })
    }

    /// The fields that a function, or any closure, assigns to.
    pub fn fields_written_in(&self, function: &ScriptFunction) -> BTreeSet<String> {
        self.targets_in(function, |target| match target {
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => match &pair.rhs {
                Expr::Property(property, _) => Some(property.2.to_string()),
                Expr::StringConstant(text, _) => Some(text.to_string()),
                _ => None,
            },
            _ => None,
        })
    }

    fn targets_in(&self, function: &ScriptFunction, name: impl Fn(&Expr) -> Option<String>) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for function in self.closures.values().chain([function]) {
            any_node(function.body(), |node| {
                if let ASTNode::Stmt(Stmt::Assignment(assignment)) = node {
                    names.extend(name(&assignment.1.lhs));
                }
                false
            });
        }
        names
    }
}

pub(super) fn function_alone(ast: &AST, name: &str, parameters: usize) -> AST {
    let mut alone = ast.clone_functions_only();
    alone.retain_functions(|_, _, n, p| n == name && p == parameters);
    alone
}

/// The statements of the only function of a tree, which gives access to them only by walking.
pub(super) fn body_of(alone: &AST) -> Vec<Stmt> {
    let mut statements = Vec::new();
    alone.walk(&mut |path| {
        if let [ASTNode::Stmt(statement)] = path {
            statements.push((*statement).clone());
        }
        true
    });
    statements
}

/// The functions that have more method calls than calls on `this`.
fn called_on_others(ast: &AST) -> BTreeSet<String> {
    let mut others: BTreeMap<String, isize> = BTreeMap::new();
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(Expr::MethodCall(call, _))) => {
                *others.entry(call.name.to_string()).or_default() += 1;
            }
            Some(ASTNode::Expr(Expr::Dot(pair, ..))) if matches!(pair.lhs, Expr::ThisPtr(_)) => {
                let first = match &pair.rhs {
                    Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
                    only => only,
                };
                if let Expr::MethodCall(call, _) = first {
                    *others.entry(call.name.to_string()).or_default() -= 1;
                }
            }
            _ => {}
        }
        true
    });
    others.retain(|_, count| *count > 0);
    others.into_keys().collect()
}

/// Names in calls of scripts: the events that they emit or set timers for, or what they keep.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamesInCalls {
    names: BTreeSet<String>,
    /// Whether any name is computed at run time, or some script does not parse.
    any: bool,
}

impl NamesInCalls {
    /// The events that all these scripts emit or set timers for.
    pub fn emitted_by(engine: &Engine, sources: &Sources) -> Self {
        GameScripts::parse(engine, sources).emitted
    }

    /// Whether scripts may use this name.
    pub fn may_include(&self, name: &str) -> bool {
        self.any || self.names.contains(name)
    }

    /// Whether a script uses this name literally.
    pub fn include(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The names that scripts use literally.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Whether scripts may use any name.
    pub fn may_be_any(&self) -> bool {
        self.any
    }

    fn add_events(&mut self, script: &ParsedScript) {
        self.add_arguments(script, |call| match call.name.as_str() {
            "emit" => call.args.first(),
            // `me.after(seconds, event)` or `after(me, seconds, event)`.
            "after" => call.args.last(),
            _ => None,
        });
    }

    /// Adds the text of an argument of each call.
    fn add_arguments(&mut self, script: &ParsedScript, argument: impl Fn(&FnCallExpr) -> Option<&Expr>) {
        script.ast.walk(&mut |path| {
            let call = path.last().and_then(call_of);
            let name = call.and_then(&argument);
            let text = |name: &Expr| match name {
                Expr::StringConstant(text, _) => Some(text.to_string()),
                Expr::Variable(variable, ..) => script.constants.get(variable.1.as_str())?.text.clone(),
                _ => None,
            };
            match name.map(text) {
                Some(Some(text)) => {
                    self.names.insert(text);
                }
                Some(None) => self.any = true,
                None => {}
            }
            true
        });
    }
}

/// All scripts of a game.
#[derive(Default)]
pub(super) struct GameScripts {
    /// The scripts that parse, by their paths below `scripts/`.
    pub scripts: BTreeMap<String, ParsedScript>,
    pub emitted: NamesInCalls,
    /// What `world::keep` keeps.
    pub kept: NamesInCalls,
    /// Events that some script has a hook for.
    pub handled: BTreeSet<String>,
    /// The keys of all scripts; see [`ParsedScript::keys`].
    pub keys: BTreeSet<String>,
    /// Whether some script does not parse, and so may handle any event.
    pub unread: bool,
}

impl GameScripts {
    /// Parses all scripts.
    pub fn parse(engine: &Engine, sources: &Sources) -> Self {
        let mut game = Self::default();
        for (path, file) in sources {
            if BuildProgress::is_cancelled() {
                break;
            }
            BuildProgress::at(&file.name);
            let Some(script) = ParsedScript::parse(engine, file) else {
                game.unread = true;
                game.emitted.any = true;
                game.kept.any = true;
                continue;
            };
            game.emitted.add_events(&script);
            game.kept.add_arguments(&script, |call| match call.name.as_str() {
                "keep" => call.args.first(),
                _ => None,
            });
            let hooks = script.functions.keys();
            let handled = hooks.filter_map(|(name, _)| name.strip_prefix("on_"));
            game.handled.extend(handled.map(String::from));
            game.keys.extend(script.keys.iter().cloned());
            game.scripts.insert(path.clone(), script);
        }
        game
    }
}
