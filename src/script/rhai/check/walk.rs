//! The walk through the functions of a file: where it is, what is known there, and what was found.

use super::inspect::{Inspector, Role, rule};
use super::source::{Function, Key, Source, any_node};
use super::survey::keys_of;
use super::types::join;
use super::vocabulary::Vocabulary;
use crate::script::host::api::Type;
use crate::script::host::{Diagnostic, Place, ScriptHook};
use crate::script::rhai::messages::errors::place;
use rhai::{ASTNode, Expr, FnPtr, Position, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// What a function's parameters are given.
pub(super) type Signature = Vec<Type>;

/// A walk through the functions of a file.
pub(super) struct Walker<'a> {
    pub inspector: &'a Inspector,
    pub source: &'a Source,
    pub vocabulary: &'static Vocabulary,
    pub role: Role,
    /// What calls on the way have given to the file's functions.
    pub given: BTreeMap<Key, Signature>,
    /// Variables that are seen, the innermost last.
    pub locals: Vec<(String, Type)>,
    /// The whole numbers that some of them certainly are, by their places in that list.
    wholes: BTreeMap<usize, i64>,
    /// Names of which nothing is known here, as they are assigned to.
    pub assigned: BTreeSet<String>,
    /// Variables of `this` that this function writes in more than one place.
    pub rewritten: BTreeSet<String>,
    /// The rule that this function is.
    pub rule: Option<&'static ScriptHook>,
    /// The second parameter of this hook: what it is about.
    pub about: Option<String>,
    /// Fields that this function writes itself.
    pub written_fields: BTreeSet<String>,
    /// Keys of the maps that this file makes.
    pub keys: BTreeSet<String>,
    /// Whether nobody can have called this function on something.
    pub unbound: bool,
    /// Whether `this` are certainly the variables of the entity or level.
    pub on_variables: bool,
    /// This function as it would be written with `me`.
    pub with_me: String,
    /// How many closures the walk is in.
    pub closures: usize,
    found: Vec<Diagnostic>,
}

impl<'a> Walker<'a> {
    pub fn new(inspector: &'a Inspector, source: &'a Source, role: Role) -> Self {
        Self {
            inspector,
            source,
            vocabulary: Vocabulary::of(role.room()),
            role,
            given: BTreeMap::new(),
            locals: Vec::new(),
            wholes: BTreeMap::new(),
            assigned: BTreeSet::new(),
            rewritten: BTreeSet::new(),
            rule: None,
            about: None,
            written_fields: BTreeSet::new(),
            keys: keys_of(source),
            unbound: false,
            on_variables: false,
            with_me: String::new(),
            closures: 0,
            found: Vec::new(),
        }
    }

    /// Walks through a function.
    pub fn function(&mut self, function: &Function, given: &[Type]) {
        self.locals.clear();
        self.assigned = self.source.assigned_in(function);
        self.rewritten = rewritten(function);
        self.written_fields = self.source.fields_written_in(function);
        let parameters = function.parameters.iter().map(String::as_str);
        let parameters: Vec<&str> = ["me"].into_iter().chain(parameters).collect();
        self.with_me = format!("{}({})", function.name, parameters.join(", "));
        self.unbound = function.name.starts_with("test_");
        self.rule = rule(function).filter(|_| matches!(self.role, Role::Behavior | Role::Level));
        self.on_variables = matches!(self.role, Role::Behavior | Role::Level)
            && !self.source.called_on_others.contains(&function.name)
            && !self.source.pointed.contains(&function.name);
        let hooked = self.rule.is_some() || function.name.starts_with("on_");
        self.about = function.parameters.get(1).filter(|_| hooked).cloned();
        for (name, holds) in function.parameters.iter().zip(given) {
            self.bind(name, *holds);
        }
        self.bodiless_rule(function);
        self.block(&function.body);
        self.changed_copies(&function.body);
        self.this_in_called(&function.body);
        if self.unbound {
            self.bare_end(&function.body);
        }
        self.last_answer(&function.body);
    }

    /// Walks through a closure that is given these values first.
    pub fn closure(&mut self, pointer: &FnPtr, captured: usize, hints: &[Type]) {
        let Some(function) = self.source.closures.get(pointer.fn_name()) else {
            return;
        };
        let seen: Vec<Type> = function
            .parameters
            .iter()
            .map(|p| self.look_up(p))
            .collect();
        let outer = std::mem::take(&mut self.locals);
        let wholes = std::mem::take(&mut self.wholes);
        for (at, name) in function.parameters.iter().enumerate() {
            let holds = match at.checked_sub(captured) {
                None => seen[at],
                Some(own) => hints.get(own).copied().unwrap_or(Type::Any),
            };
            self.bind(name, holds);
        }
        self.closures += 1;
        self.block(&function.body);
        self.this_in_called(&function.body);
        self.closures -= 1;
        self.locals = outer;
        self.wholes = wholes;
    }

    /// A variable is there from now on.
    pub fn bind(&mut self, name: &str, holds: Type) {
        let holds = if self.assigned.contains(name) {
            Type::Any
        } else {
            holds
        };
        self.wholes.remove(&self.locals.len());
        self.locals.push((name.to_string(), holds));
    }

    /// The variable that has just come into sight is this number, if it stays so.
    pub fn bind_whole(&mut self, number: i64) {
        if let Some((name, _)) = self.locals.last()
            && !self.assigned.contains(name)
        {
            self.wholes.insert(self.locals.len() - 1, number);
        }
    }

    /// The whole number that an expression certainly is.
    pub fn whole(&self, expression: &Expr) -> Option<i64> {
        match expression {
            Expr::IntegerConstant(number, _) => Some(*number),
            Expr::Variable(variable, ..) if variable.2.is_empty() => {
                let name = variable.1.as_str();
                match self.locals.iter().rposition(|(local, _)| local == name) {
                    Some(place) => self.wholes.get(&place).copied(),
                    None => self.source.constants.get(name)?.whole,
                }
            }
            _ => None,
        }
    }

    /// What is known of a variable.
    pub fn look_up(&self, name: &str) -> Type {
        let local = self.locals.iter().rev().find(|(local, _)| local == name);
        match (local, self.source.constants.get(name)) {
            (Some((_, holds)), _) => *holds,
            (None, Some(constant)) => constant.holds,
            (None, None) => Type::Any,
        }
    }

    /// Whether a variable of this name is seen.
    pub fn is_local(&self, name: &str) -> bool {
        self.locals.iter().any(|(local, _)| local == name)
    }

    /// Takes note of what a call gives to a function of the file.
    pub fn note_given(&mut self, key: Key, arguments: &[Type]) {
        match self.given.get_mut(&key) {
            Some(known) => {
                for (a, b) in known.iter_mut().zip(arguments) {
                    *a = join(*a, *b);
                }
            }
            None => {
                self.given.insert(key, arguments.to_vec());
            }
        }
    }

    /// An error at a place.
    pub fn error(&mut self, at: Position, what: impl Into<String>) {
        let place = self.place(at);
        self.found.push(Diagnostic::error(place, what));
    }

    /// An error at a place that is known already.
    pub fn error_at(&mut self, place: Place, what: impl Into<String>) {
        self.found.push(Diagnostic::error(place, what));
    }

    /// A warning at a place.
    pub fn warn(&mut self, at: Position, what: impl Into<String>) {
        let place = self.place(at);
        self.found.push(Diagnostic::warning(place, what));
    }

    /// The place of a word, or of the text that begins there.
    fn place(&self, at: Position) -> Place {
        let file = &self.source.file;
        let word = place(file, at);
        let rest = &file.text[word.span.start..];
        let text = rest.strip_prefix('"').and_then(|rest| rest.find('"'));
        match text {
            Some(length) => Place::new(file, word.span.start..word.span.start + length + 2),
            None => word,
        }
    }

    /// Whether a text stands there in ordinary quotes.
    pub fn is_quoted(&self, at: Position) -> bool {
        let word = place(&self.source.file, at);
        self.source.file.text[word.span.start..].starts_with('"')
    }

    /// How much was found so far.
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// Does something without saying what is found.
    pub fn quietly<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.found.len();
        let answer = look(self);
        self.found.truncate(before);
        answer
    }

    /// All that was found, in the order of the file, each once.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.found
            .sort_by_key(|d| d.place.as_ref().map_or(0, |p| p.span.start));
        self.found.dedup();
        self.found
    }
}

/// Variables of `this` that are assigned in more than one place of a function.
fn rewritten(function: &Function) -> BTreeSet<String> {
    let (mut once, mut more) = (BTreeSet::new(), BTreeSet::new());
    any_node(&function.body, |node| {
        if let ASTNode::Stmt(Stmt::Assignment(assignment)) = node
            && let Expr::Dot(dot, ..) = &assignment.1.lhs
            && let (Expr::ThisPtr(_), Expr::Property(property, _)) = (&dot.lhs, &dot.rhs)
            && !once.insert(property.2.to_string())
        {
            more.insert(property.2.to_string());
        }
        false
    });
    more
}
