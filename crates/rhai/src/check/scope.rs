//! The state that checks share: facts about the file and the function, the variables in scope,
//! and the findings.

use super::findings::Findings;
use super::source::{GameScripts, ParsedScript, ScriptFunction};
use super::syntax::{any_node, only_variable_of_this};
use super::vocabulary::Vocabulary;
use hangtime_script::api::{ApiSet, Type};
use hangtime_script::{GameNames, HookKind, ScriptHook, ScriptRole, find_hook};
use rhai::{ASTNode, Expr, Position, Stmt};
use std::collections::BTreeSet;

/// A file, with everything known about its game.
pub(super) struct FileContext<'a> {
    pub script: &'a ParsedScript,
    pub game: &'a GameScripts,
    pub known: &'a GameNames,
    pub vocabulary: &'static Vocabulary,
    pub role: ScriptRole,
}

impl FileContext<'_> {
    /// Whether a method call may run a function of the file, or one that a map holds.
    pub fn may_be_own_method(&self, name: &str) -> bool {
        self.script.has_function(name) || self.script.keys.contains(name) || self.game.keys.contains(name)
    }

    /// Whether it uses the names of behaviors rather than those of tests.
    pub fn in_behavior(&self) -> bool {
        self.vocabulary.api_set == ApiSet::Behavior
    }
}

/// Facts about the function that is checked.
#[derive(Default)]
pub(super) struct FunctionFacts {
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
    pub fn of(function: &ScriptFunction, file: &FileContext<'_>) -> Self {
        let script = file.script;
        let name = function.name.as_str();
        let rule = find_hook(name).filter(|hook| {
            let takes = hook.takes(function.parameters.len());
            hook.kind != HookKind::Event && takes && file.role.has_hooks()
        });
        let hooked = rule.is_some() || name.starts_with("on_");
        let parameters = function.parameters.iter().map(String::as_str);
        let parameters: Vec<&str> = ["me"].into_iter().chain(parameters).collect();
        Self {
            rule,
            event: function.parameters.get(1).filter(|_| hooked).cloned(),
            is_test: name.starts_with("test_"),
            this_is_variables: file.role.has_hooks()
                && !script.called_on_others.contains(name)
                && !script.mentioned.contains(name),
            with_me: format!("{name}({})", parameters.join(", ")),
            assigned: script.assigned_in(function),
            written_fields: script.fields_written_in(function),
            rewritten: rewritten(function),
        }
    }
}

fn rewritten(function: &ScriptFunction) -> BTreeSet<String> {
    let (mut once, mut more) = (BTreeSet::new(), BTreeSet::new());
    any_node(function.body(), |node| {
        if let ASTNode::Stmt(Stmt::Assignment(assignment)) = node
            && let Some(name) = only_variable_of_this(&assignment.1.lhs)
            && !once.insert(name.to_string())
        {
            more.insert(name.to_string());
        }
        false
    });
    more
}

/// A local variable or parameter.
#[derive(Clone)]
struct LocalVariable {
    name: String,
    holds: Type,
    /// Its value, if that is always the same integer.
    whole: Option<i64>,
    /// Whether it is certain to hold a floating-point number.
    floating: bool,
}

/// The variables visible at one point of a function.
#[derive(Clone)]
pub(super) struct Scope<'a> {
    pub file: &'a FileContext<'a>,
    pub function: &'a FunctionFacts,
    pub findings: &'a Findings,
    /// The innermost variable is last.
    locals: Vec<LocalVariable>,
    /// How many closures enclose this point.
    pub closures: usize,
}

impl<'a> Scope<'a> {
    /// The scope at the beginning of a function, without its parameters.
    pub fn new(file: &'a FileContext<'a>, function: &'a FunctionFacts, findings: &'a Findings) -> Self {
        Self { file, function, findings, locals: Vec::new(), closures: 0 }
    }

    /// The scope at the beginning of a closure, which sees only its parameters.
    pub fn of_closure(&self) -> Self {
        Self { locals: Vec::new(), closures: self.closures + 1, ..*self }
    }

    /// Reports an error at a position.
    pub fn error(&self, at: Position, message: impl Into<String>) {
        self.findings.error(at, message);
    }

    /// Reports a warning at a position.
    pub fn warn(&self, at: Position, message: impl Into<String>) {
        self.findings.warn(at, message);
    }

    /// Declares a variable. If the function assigns to it, its type and value are unknown.
    pub fn bind(&mut self, name: &str, holds: Type, whole: Option<i64>) {
        let constant = !self.function.assigned.contains(name);
        self.locals.push(LocalVariable {
            name: name.to_string(),
            holds: if constant { holds } else { Type::Any },
            whole: whole.filter(|_| constant),
            floating: false,
        });
    }

    /// Notes that the variable declared last holds a floating-point number.
    pub fn note_floating(&mut self) {
        if let Some(local) = self.locals.last_mut() {
            local.floating = local.holds == Type::Number;
        }
    }

    /// Whether a variable is certain to hold a floating-point number.
    pub fn is_floating(&self, name: &str) -> bool {
        match self.local(name) {
            Some(local) => local.floating,
            None => self.look_up(name) == Type::Number,
        }
    }

    /// The number of variables, for [`Self::leave`].
    pub fn depth(&self) -> usize {
        self.locals.len()
    }

    /// Removes the variables of a block, down to the depth before it.
    pub fn leave(&mut self, depth: usize) {
        self.locals.truncate(depth);
    }

    fn local(&self, name: &str) -> Option<&LocalVariable> {
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

    /// The names of all local variables.
    pub fn locals(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(|local| local.name.as_str())
    }

    /// Whether a bare name is that of a function of the file, and of nothing else.
    pub fn is_function(&self, name: &str) -> bool {
        !self.is_local(name) && !self.is_constant(name) && self.file.script.has_function(name)
    }

    /// The type of a variable, as far as it is known.
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
                None => self.file.script.constants.get(variable.1.as_str())?.whole,
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
                let constant = self.file.script.constants.get(variable.1.as_str())?;
                Some((constant.text.clone()?, *at))
            }
            _ => None,
        }
    }
}
