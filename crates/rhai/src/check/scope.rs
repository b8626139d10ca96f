//! The state that checks share: facts about the file and the function, the variables in scope,
//! and the findings.

use super::*;

/// A file, with everything known about its game.
pub struct FileContext<'a> {
    pub script: &'a ParsedScript,
    pub game: &'a GameScripts,
    pub known: &'a GameNames,
    pub vocabulary: &'static Vocabulary,
    pub role: ScriptRole,
}

impl FileContext<'_> {
    /// Whether a method call may run a function of the file, or one that a map holds.
    pub fn may_be_own_method(&self, name: &str) -> bool {
        self.script.has_function(name) || self.script.used.keys.contains(name) || self.game.keys.contains(name)
    }

    /// Whether it uses the names that behaviors have rather than the names that tests have.
    pub fn in_behavior(&self) -> bool {
        self.vocabulary.api_set == ApiSet::Behavior
    }
}

/// Facts about the function that is checked.
#[derive(Default)]
pub struct FunctionFacts {
    /// The rule that it implements, such as `model`.
    pub rule: Option<&'static ScriptHook>,
    /// The name of the parameter that receives the event, or the subject of the rule.
    pub event: Option<String>,
    pub is_test: bool,
    /// Whether `this` is certain to be the variables of the entity or level.
    pub this_is_variables: bool,
    /// Its signature with `me` as an additional first parameter.
    pub with_me: String,
    /// Variables that it assigns to, whose types are therefore unknown.
    assigned: BTreeSet<String>,
    /// Fields that it assigns to.
    pub written_fields: BTreeSet<String>,
    /// Variables of `this` that it assigns to more than once.
    pub rewritten: BTreeSet<String>,
}

impl FunctionFacts {
    pub fn of(function: &ScriptFunction, file: &FileContext) -> Self {
        let script = file.script;
        let name = function.name.as_str();
        let rule = find_hook(name).filter(|hook| {
            let takes = hook.takes(function.parameters.len());
            hook.kind != HookKind::Event && takes && file.role.has_hooks()
        });
        let hooked = rule.is_some() || name.starts_with("on_");
        let parameters = function.parameters.iter().map(String::as_str);
        let parameters: Vec<&str> = ["me"].into_iter().chain(parameters).collect();
        let mut facts = Self {
            rule,
            event: function.parameters.get(1).filter(|_| hooked).cloned(),
            is_test: name.starts_with("test_"),
            this_is_variables: file.role.has_hooks()
                && !script.used.called_on_others.contains(name)
                && !script.used.mentioned.contains(name),
            with_me: format!("{name}({})", parameters.join(", ")),
            ..Self::default()
        };
        let mut once = BTreeSet::new();
        each_target(function.body(), |target| {
            if let Some(name) = only_variable_of_this(target)
                && !once.insert(name.to_string())
            {
                facts.rewritten.insert(name.to_string());
            }
        });
        // Assignments in all closures count, too, as they may have captured a variable.
        for function in script.closures.values().chain([function]) {
            each_target(function.body(), |target| match target {
                Expr::Variable(variable, ..) => drop(facts.assigned.insert(variable.1.to_string())),
                Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                    if let Expr::Property(..) | Expr::StringConstant(..) = pair.rhs {
                        assigned_names(&pair.rhs, &mut facts.written_fields);
                    }
                }
                _ => {}
            });
        }
        facts
    }
}

/// A local variable or parameter.
#[derive(Clone)]
pub struct LocalVariable {
    pub name: String,
    holds: Type,
    /// Its value, if that is always the same integer.
    whole: Option<i64>,
    /// Whether it is certain to hold a floating-point number.
    pub floating: bool,
}

/// The variables visible at one point of a function. Each check is a method that takes a node.
#[derive(Clone)]
pub struct Scope<'a> {
    pub file: &'a FileContext<'a>,
    pub function: &'a FunctionFacts,
    pub findings: &'a Findings,
    /// The innermost variable is last. Blocks remove theirs at their end.
    pub locals: Vec<LocalVariable>,
    /// How many closures enclose this point.
    pub closures: usize,
}

impl<'a> Scope<'a> {
    /// The scope at the beginning of a function, without its parameters.
    pub fn new(file: &'a FileContext<'a>, function: &'a FunctionFacts, findings: &'a Findings) -> Self {
        Self { file, function, findings, locals: Vec::new(), closures: 0 }
    }

    /// Reports an error at a position.
    pub fn error(&self, at: Position, message: impl Into<String>) {
        self.findings.add(Severity::Error, at, message.into());
    }

    /// Reports what a check refuses.
    pub fn report<T>(&self, at: Position, checked: Result<T, impl ToString>) {
        if let Err(wrong) = checked {
            self.error(at, wrong.to_string());
        }
    }

    /// Reports what a check has found, if it has found anything.
    pub fn add_found(&self, at: Position, found: Option<(Severity, String)>) {
        if let Some((severity, message)) = found {
            self.findings.add(severity, at, message);
        }
    }

    /// Reports a warning at a position.
    pub fn warn(&self, at: Position, message: impl Into<String>) {
        self.findings.add(Severity::Warning, at, message.into());
    }

    /// Declares a variable. If the function assigns to it, its type and value are unknown.
    pub fn bind(&mut self, name: &str, holds: Type) {
        self.locals.push(self.variable(name, holds));
    }

    /// Declares a variable with its value.
    pub fn bind_value(&mut self, name: &str, value: &Expr) {
        let mut variable = self.variable(name, self.type_of(value));
        if variable.holds != Type::Any {
            variable.whole = self.whole(value);
            variable.floating = variable.holds == Type::Number && self.is_float(value);
        }
        self.locals.push(variable);
    }

    fn variable(&self, name: &str, holds: Type) -> LocalVariable {
        let holds = if self.function.assigned.contains(name) { Type::Any } else { holds };
        LocalVariable { name: name.to_string(), holds, whole: None, floating: false }
    }

    /// The local variable with this name that was declared last.
    pub fn local(&self, name: &str) -> Option<&LocalVariable> {
        self.locals.iter().rev().find(|local| local.name == name)
    }

    /// Whether a local variable has this name.
    pub fn is_local(&self, name: &str) -> bool {
        self.local(name).is_some()
    }

    /// Whether a constant of the file has this name.
    pub fn is_constant(&self, name: &str) -> bool {
        self.file.script.constants.contains_key(name)
    }

    /// The type of a variable, or any type if it is not known.
    pub fn look_up(&self, name: &str) -> Type {
        let constant = || self.file.script.constants.get(name).map(|c| c.holds);
        let local = self.local(name).map(|local| local.holds);
        local.or_else(constant).unwrap_or(Type::Any)
    }

    /// The value of an expression that is always the same integer.
    pub fn whole(&self, expression: &Expr) -> Option<i64> {
        match expression {
            Expr::IntegerConstant(number, _) => Some(*number),
            Expr::Variable(variable, ..) if variable.2.is_empty() => match self.local(&variable.1) {
                Some(local) => local.whole,
                None => self.file.script.constants.get(variable.1.as_str())?.value.as_int().ok(),
            },
            _ => None,
        }
    }

    /// The value of an expression that is always the same text, and its position.
    pub fn text(&self, expression: &Expr) -> Option<(String, Position)> {
        match expression {
            Expr::StringConstant(text, at) => Some((text.to_string(), *at)),
            Expr::CharConstant(letter, at) => Some((letter.to_string(), *at)),
            Expr::Variable(variable, _, at) if !self.is_local(&variable.1) => {
                Some((self.file.script.constant_text(&variable.1)?, *at))
            }
            _ => None,
        }
    }
}
