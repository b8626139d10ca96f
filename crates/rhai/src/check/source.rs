//! Parsed scripts: the functions, constants and imports of a file, and the events of all files.

use super::*;

/// A function's name and number of parameters, which identify it within a file.
pub type FnKey = (String, usize);

/// A function of a script.
pub struct ScriptFunction {
    pub name: String,
    pub parameters: Vec<String>,
    /// The position of the `}` that ends it.
    pub end: Position,
    /// A tree of this function only, which shares it with the tree of the file.
    alone: AST,
    /// Copied from the tree once it is needed: most functions of a game are never walked again.
    body: OnceLock<Vec<Stmt>>,
    /// Whether only its own file can call it.
    pub private: bool,
    /// Whether it uses `this`, apart from closures.
    pub uses_this: bool,
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
}

/// A constant at the top level of a file.
#[derive(Clone, Debug)]
pub struct ScriptConstant {
    pub holds: Type,
    /// Its value; `()` unless that is a literal.
    pub value: Dynamic,
}

/// A script that parses.
pub struct ParsedScript {
    pub file: Arc<SourceFile>,
    pub ast: AST,
    pub functions: BTreeMap<FnKey, ScriptFunction>,
    /// Closures by the names that the parser gave them.
    pub closures: BTreeMap<String, ScriptFunction>,
    pub constants: BTreeMap<String, ScriptConstant>,
    /// Names of imported modules, with the paths of their files below `scripts/` where known.
    pub imports: BTreeMap<String, Option<String>>,
    pub used: NamesUsed,
}

impl ParsedScript {
    /// Parses a file; none if it is too long or has a syntax error, which loading reports.
    pub fn parse(engine: &Engine, file: &Arc<SourceFile>) -> Option<Self> {
        if file.text.len() > MOST_SOURCE {
            return None;
        }
        let ast = parse(engine, &file.text).ok()?;
        let mut script = Self {
            file: file.clone(),
            functions: BTreeMap::new(),
            closures: BTreeMap::new(),
            constants: BTreeMap::new(),
            imports: BTreeMap::new(),
            used: NamesUsed::of(&ast),
            ast,
        };
        script.read_functions();
        script.read_top_level();
        Some(script)
    }

    fn read_functions(&mut self) {
        for definition in self.ast.iter_fn_def() {
            let alone = function_alone(&self.ast, &definition.name, definition.params.len());
            let mut uses_this = false;
            each_node(&alone, |node| uses_this |= matches!(node, ASTNode::Expr(Expr::ThisPtr(_))));
            let function = ScriptFunction {
                name: definition.name.to_string(),
                parameters: definition.params.iter().map(|p| p.to_string()).collect(),
                end: definition.body.end_position(),
                alone,
                body: OnceLock::new(),
                private: definition.access == FnAccess::Private,
                uses_this,
            };
            if function.name.starts_with("anon$") {
                self.closures.insert(function.name.clone(), function);
            } else {
                self.functions.insert(function.key(), function);
            }
        }
    }

    fn read_top_level(&mut self) {
        for statement in self.ast.statements() {
            match statement {
                Stmt::Var(var, flags, _) if flags.intersects(ASTFlags::CONSTANT) => {
                    let value = var.1.get_literal_value(None).unwrap_or_default();
                    self.constants.insert(var.0.name.to_string(), ScriptConstant { holds: Type::Any, value });
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

    /// Its functions in their order, with the places of their names.
    pub fn declared(&self) -> Vec<DeclaredFunction> {
        declared_functions(&self.ast, &self.file)
    }

    /// The function with a name and a number of parameters.
    pub fn function(&self, name: &str, parameters: usize) -> Option<&ScriptFunction> {
        self.functions.get(&(name.to_string(), parameters))
    }

    /// The numbers of parameters of its functions with this name.
    pub fn parameters_of(&self, name: &str) -> impl Iterator<Item = usize> {
        self.functions.keys().filter(move |(n, _)| n == name).map(|(_, parameters)| *parameters)
    }

    /// Whether it has a function with this name.
    pub fn has_function(&self, name: &str) -> bool {
        self.parameters_of(name).next().is_some()
    }

    /// Whether it assigns to a variable of `this`.
    pub fn assigns_to(&self, variable: &str) -> bool {
        let mut assigns = false;
        for function in self.functions.values().chain(self.closures.values()) {
            each_target(function.body(), |target| {
                assigns |= variable_of_this(target).is_some_and(|(name, _)| name == variable);
            });
        }
        assigns
    }

    /// The text of a constant.
    pub fn constant_text(&self, name: &str) -> Option<String> {
        let constant = self.constants.get(name)?;
        Some(constant.value.as_immutable_string_ref().ok()?.to_string())
    }

    /// Whether scripts that import it may see variables of it.
    pub fn exports_variables(&self) -> bool {
        let mut statements = self.ast.statements().iter();
        statements.any(|statement| matches!(statement, Stmt::Export(..)))
    }
}

/// Names in calls of scripts: the events that they emit or set timers for, or what they keep.
#[derive(Clone, Debug, Default)]
pub struct NamesInCalls {
    /// The names that scripts use literally.
    pub names: BTreeSet<String>,
    /// Whether any name is computed at run time, or some script does not parse.
    pub any: bool,
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

    /// Adds the text of an argument of each call.
    fn add_arguments(&mut self, script: &ParsedScript, argument: impl Fn(&FnCallExpr) -> Option<&Expr>) {
        each_node(&script.ast, |node| {
            let Some(name) = call_of(node).and_then(&argument) else {
                return;
            };
            let text = match name {
                Expr::StringConstant(text, _) => Some(text.to_string()),
                Expr::Variable(variable, ..) => script.constant_text(&variable.1),
                _ => None,
            };
            self.any |= text.is_none();
            self.names.extend(text);
        });
    }
}

/// All scripts of a game.
#[derive(Default)]
pub struct GameScripts {
    /// The scripts that parse, by their paths below `scripts/`.
    pub scripts: BTreeMap<String, ParsedScript>,
    pub emitted: NamesInCalls,
    /// Events that some script has a hook or waits for.
    pub handled: BTreeSet<String>,
    /// The keys of all scripts; see [`NamesUsed::keys`].
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
                continue;
            };
            game.emitted.add_arguments(&script, |call| match call.name.as_str() {
                "emit" => call.args.first(),
                // `me.after(seconds, event)` or `after(me, seconds, event)`.
                "after" => call.args.last(),
                _ => None,
            });
            let hooks = script.functions.keys();
            let handled = hooks.filter_map(|(name, _)| name.strip_prefix("on_"));
            game.handled.extend(handled.map(String::from));
            let mut awaited = NamesInCalls::default();
            awaited.add_arguments(&script, |call| call.args.first().filter(|_| call.name == "wait_for"));
            game.handled.append(&mut awaited.names);
            game.keys.extend(script.used.keys.iter().cloned());
            game.scripts.insert(path.clone(), script);
        }
        game
    }
}
