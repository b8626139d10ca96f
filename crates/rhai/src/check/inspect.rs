//! Checks one script with everything that is known of its game.

use super::*;

/// After this many rounds, parameter types that still change count as unknown.
const MOST_ROUNDS: usize = 8;

/// Checks the scripts of one game without running them.
pub struct Inspector {
    engine: Engine,
    sources: Sources,
    game: GameScripts,
    known: GameNames,
    foreign: ForeignCalls,
}

impl Inspector {
    /// Reads all scripts of a game; `known` has the names that its other files define. Tests have the calls of `foreign`.
    pub fn new(sources: &Sources, known: GameNames, foreign: ForeignCalls) -> Self {
        let engine = new_engine(&Limits::of_tests());
        let game = GameScripts::parse(&engine, sources);
        Self { engine, sources: sources.clone(), game, known, foreign }
    }

    fn context<'a>(&'a self, script: &'a ParsedScript, role: ScriptRole) -> FileContext<'a> {
        let vocabulary = Vocabulary::of(role.api_set(), &self.foreign);
        FileContext { script, game: &self.game, known: &self.known, vocabulary, role }
    }
}

impl ScriptInspector for Inspector {
    fn inspect(&self, file: &Arc<SourceFile>, role: ScriptRole) -> Vec<Diagnostic> {
        let Some(mut script) = ParsedScript::parse(&self.engine, file) else {
            return Vec::new();
        };
        for (name, holds) in self.context(&script, role).constant_types() {
            if let Some(constant) = script.constants.get_mut(&name) {
                constant.holds = holds;
            }
        }
        let context = self.context(&script, role);
        let given = context.parameter_types();
        let findings = Findings::new(file);
        BuildProgress::at(&file.name);
        for function in script.functions.values() {
            if BuildProgress::is_cancelled() {
                break;
            }
            let unknown = vec![Type::Any; function.parameters.len()];
            let given = given.0.get(&function.key()).unwrap_or(&unknown);
            context.check_function(function, given, &findings);
        }
        let mut found = findings.finish();
        let (uses, any_event) = (|name: &str| script.used.uses(name), || self.game.emitted.any);
        let game = (&self.sources, &self.known);
        found.extend(check_functions((file, role), &script.declared(), game, uses, any_event));
        found.extend(context.unset_variables());
        found.extend(context.functions_without_state());
        found
    }

    fn states(&self, path: &str) -> Vec<&str> {
        let script = self.game.scripts.get(path);
        script.map_or_else(Vec::new, |script| states_of(script).into_iter().collect())
    }
}

impl FileContext<'_> {
    /// The types of the constants of the file.
    fn constant_types(&self) -> Vec<(String, Type)> {
        let facts = FunctionFacts::default();
        let findings = Findings::new(&self.script.file);
        let scope = Scope::new(self, &facts, &findings);
        let statements = self.script.ast.statements().iter();
        let types = statements.filter_map(|statement| match statement {
            Stmt::Var(var, ..) => Some((var.0.name.to_string(), scope.type_of(&var.1))),
            _ => None,
        });
        types.collect()
    }

    /// The parameter types of the file's functions, where all callers agree on them: hangtime,
    /// and the file's other functions.
    fn parameter_types(&self) -> PassedTypes {
        let functions = self.script.functions.values();
        let outside = functions.filter_map(|f| Some((f.key(), self.types_from_outside(f)?)));
        let outside = PassedTypes(outside.collect());
        let mut types = outside.clone();
        for _ in 0..MOST_ROUNDS {
            let ignored = Findings::new(&self.script.file);
            for (key, given) in &types.0 {
                if BuildProgress::is_cancelled() {
                    break;
                }
                self.check_function(&self.script.functions[key], given, &ignored);
            }
            let mut next = outside.clone();
            for (key, given) in ignored.passed.take().0 {
                next.add(key, given);
            }
            if next == types {
                return types;
            }
            types = next;
        }
        PassedTypes::default()
    }

    /// The parameter types of a function that is called from outside of its file; none for one that
    /// only the file itself calls.
    fn types_from_outside(&self, function: &ScriptFunction) -> Option<Vec<Type>> {
        let (name, count) = (function.name.as_str(), function.parameters.len());
        if self.role.has_hooks()
            && let Some(given) = hook_parameters(name, count, self.game)
        {
            return Some(given);
        }
        let used = &self.script.used;
        let mentioned = used.mentioned.contains(name);
        let is_library = matches!(self.role, ScriptRole::Library | ScriptRole::TestLibrary);
        if used.called.contains(name) && !mentioned && !is_library {
            return None;
        }
        // By convention, a shared function calls the entity `me` too.
        let me = |name: &str| name == "me" && self.in_behavior() && !mentioned;
        let parameters = function.parameters.iter();
        let types = parameters.map(|name| if me(name) { Type::Me } else { Type::Any });
        Some(types.collect())
    }

    /// Warnings about variables of `this` that are read, and that nothing sets: neither a script, nor
    /// a level, an entity's file or a test. In doubt, a variable counts as set.
    fn unset_variables(&self) -> Vec<Diagnostic> {
        let (script, known) = (self.script, self.known);
        let name = &script.file.name;
        let path = name.strip_prefix("scripts/").unwrap_or(name);
        let used = match self.role {
            ScriptRole::Behavior => known.behaviors.contains(path),
            ScriptRole::Level => known.level_scripts.contains(path),
            _ => false,
        };
        if !used || known.unread || self.game.unread {
            return Vec::new();
        }
        let Some(uses) = ThisUses::of(script) else {
            return Vec::new();
        };
        let mut set = names_set(script);
        // Other scripts set them only for entities that they create.
        let of_files = known.vars_for(path).cloned().unwrap_or_default();
        let own: BTreeSet<String> = set.union(&of_files).cloned().collect();
        set.extend(self.game.scripts.values().flat_map(keys_in_maps));
        let is_set = |name: &str| {
            let elsewhere = of_files.contains(name) || known.words_in_tests.contains(name);
            set.contains(name) || uses.optional.contains(name) || elsewhere
        };
        let of_me = self.vocabulary.names_of(Owner::Me);
        let unset = uses.read.iter().filter(|(name, _)| !is_set(name));
        let warn = |(name, at): (&String, &Position)| {
            let hint = match nearest(name, own.iter().map(String::as_str)) {
                Some(right) => format!("did you mean `this.{right}`?"),
                None if of_me.contains(&name.as_str()) => format!("did you mean `me.{name}`?"),
                None => "give it an initial value in `vars`".into(),
            };
            Diagnostic::warning(place(&script.file, *at), format!("`this.{name}` is never set; {hint}"))
        };
        unset.map(warn).collect()
    }
}

/// The types that hangtime passes to a hook.
fn hook_parameters(name: &str, count: usize, game: &GameScripts) -> Option<Vec<Type>> {
    let about = match find_hook(name) {
        Some(hook) if hook.takes(count) => hook.about,
        Some(_) => return None,
        None if name.starts_with("on_") && (1..=2).contains(&count) => Some(&SIGNAL_EVENT),
        None => return None,
    };
    // The name of a misspelled hook is reported already, so its event is not checked.
    let event = name.trim_start_matches("on_");
    let misspelled = find_hook(name).is_none()
        && !game.emitted.names.contains(event)
        && nearest(name, hooks().map(|hook| hook.name)).is_some();
    let mut given = vec![Type::Me];
    given.extend(about.map(|shape| match misspelled {
        true => Type::Any,
        false => Type::Map(shape),
    }));
    given.truncate(count);
    Some(given)
}

/// All fields and keys that a script sets, of any value.
fn names_set(script: &ParsedScript) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each_node(&script.ast, |node| match node {
        ASTNode::Stmt(Stmt::Assignment(set)) if !set.0.is_op_assignment() || may_be_text(&set.1.rhs) => {
            assigned_names(&set.1.lhs, &mut names);
        }
        ASTNode::Expr(Expr::Map(map, _)) => names.extend(map.0.iter().map(|(key, _)| key.name.to_string())),
        _ => {}
    });
    names
}

/// All keys of maps that a script writes.
fn keys_in_maps(script: &ParsedScript) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    each_node(&script.ast, |node| {
        if let ASTNode::Expr(Expr::Map(map, _)) = node {
            names.extend(map.0.iter().map(|(key, _)| key.name.to_string()));
        }
    });
    names
}

/// Whether the right side of `+=` may be text, which can be added to `()`. Anything else needs a
/// variable that is set.
fn may_be_text(added: &Expr) -> bool {
    match added {
        Expr::IntegerConstant(..) | Expr::FloatConstant(..) | Expr::BoolConstant(..) => false,
        Expr::FnCall(call, _) => !call.is_operator_call() || !matches!(call.name.as_str(), "-" | "*" | "/" | "%"),
        _ => true,
    }
}

/// How the functions of a script use the variables of `this`.
#[derive(Default)]
struct ThisUses {
    /// The first position of each variable.
    read: BTreeMap<String, Position>,
    /// Variables that the script may expect to be `()`.
    optional: BTreeSet<String>,
}

impl ThisUses {
    /// None if `this` is also used as a whole, so that anything may set its variables. Closures
    /// do not count, as they have another `this`.
    fn of(script: &ParsedScript) -> Option<Self> {
        let mut uses = Self::default();
        let (mut all, mut named) = (0, 0);
        for function in script.functions.values() {
            any_node(function.body(), |node| {
                match node {
                    ASTNode::Expr(Expr::ThisPtr(_)) => all += 1,
                    ASTNode::Expr(expression @ Expr::Dot(..)) => {
                        named += usize::from(uses.reads_variable(expression, script));
                    }
                    _ => uses.note_optional(node),
                }
                false
            });
        }
        (all == named).then_some(uses)
    }

    /// Notes a chain that starts with `this.name` or a call of the script's own function, which
    /// is searched itself. Returns whether it is one.
    fn reads_variable(&mut self, expression: &Expr, script: &ParsedScript) -> bool {
        match first_of_this(expression) {
            Some((ChainStep::Property(name, at), _)) => {
                self.read.entry(name.to_string()).or_insert(at);
                true
            }
            // A function that `this` calls by its name is searched itself, too.
            Some((ChainStep::Method(call, _), _)) => call.name == "call" || script.has_function(&call.name),
            _ => false,
        }
    }

    /// Notes variables whose value is compared, replaced by `??`, or passed on as it is.
    fn note_optional(&mut self, node: &ASTNode<'_>) {
        let values: Vec<&Expr> = match node {
            ASTNode::Expr(Expr::Coalesce(parts, _)) => parts.iter().collect(),
            ASTNode::Expr(Expr::Array(parts, _)) => parts.iter().collect(),
            ASTNode::Expr(Expr::Map(map, _)) => map.0.iter().map(|(_, value)| value).collect(),
            ASTNode::Stmt(Stmt::Var(var, ..)) => vec![&var.1],
            ASTNode::Stmt(Stmt::Assignment(set)) => vec![&set.1.rhs],
            ASTNode::Stmt(Stmt::Switch(switch, _)) => vec![&switch.0],
            ASTNode::Stmt(Stmt::Return(Some(value), ..) | Stmt::Expr(value)) => vec![value],
            _ => match call_of(node) {
                Some(call) if matches!(call.name.as_str(), "==" | "!=") || !call.is_operator_call() => {
                    call.args.iter().collect()
                }
                _ => return,
            },
        };
        let variables = values.into_iter().filter_map(only_variable_of_this);
        self.optional.extend(variables.map(String::from));
    }
}
