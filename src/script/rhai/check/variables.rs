//! Variables of `this` that are read, and that nobody ever gives a value.

use super::inspect::{Inspector, Role};
use super::source::{Source, any_node};
use super::vocabulary::Vocabulary;
use crate::script::host::api::Owner;
use crate::script::host::names::nearest;
use crate::script::host::{Diagnostic, GameNames};
use crate::script::rhai::messages::errors::place;
use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// How a file uses `this`.
#[derive(Default)]
struct Uses {
    /// Where each variable is first read.
    read: BTreeMap<String, Position>,
    /// Those that are asked whether they are there.
    doubted: BTreeSet<String>,
    /// How often `this` stands before a dot and a name; elsewhere anything may be done to it.
    plain: usize,
    /// How often it stands anywhere.
    all: usize,
}

impl Inspector {
    /// Warnings about variables that are read and never have a value. In doubt they have one: any script
    /// that writes such a name, any map with such a key and any test that has such a word may give it.
    pub(super) fn valueless(&self, source: &Source, role: Role) -> Vec<Diagnostic> {
        let known = &self.known;
        let name = &source.file.name;
        let below = name.strip_prefix("scripts/").unwrap_or(name);
        let used = match role {
            Role::Behavior => known.behaviors.contains(below),
            Role::Level => known.level_scripts.contains(below),
            _ => false,
        };
        if !used || known.unread || self.survey.unread {
            return Vec::new();
        }
        let uses = uses(source);
        if uses.plain != uses.all {
            return Vec::new();
        }
        let mut given = written(source);
        let own: BTreeSet<String> = given.union(&known.vars).cloned().collect();
        for other in self.survey.scripts.values() {
            given.extend(written(other));
        }
        let valueless = |name: &&String| {
            !given.contains(*name) && !uses.doubted.contains(*name) && !is_told(known, name)
        };
        let names = uses.read.keys().filter(valueless);
        let of_me = Vocabulary::of(role.room()).names_of(Owner::Me);
        let warn = |name: &String| {
            let hint = match nearest(name, own.iter().map(String::as_str)) {
                Some(right) => format!("did you mean `this.{right}`?"),
                None if of_me.contains(&name.as_str()) => format!("did you mean `me.{name}`?"),
                None => "give it a first value in `vars`".into(),
            };
            let what = format!("nothing ever gives `this.{name}` a value; {hint}");
            Diagnostic::warning(place(&source.file, uses.read[name]), what)
        };
        names.map(warn).collect()
    }
}

/// Whether a file of the game that is no script of `scripts/` may give it a value.
fn is_told(known: &GameNames, name: &str) -> bool {
    known.vars.contains(name) || known.test_words.contains(name)
}

/// The fields and keys that a script gives values to, of whatever it may be.
fn written(source: &Source) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    source.ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment)))
                if !assignment.0.is_op_assignment() || may_be_text(&assignment.1.rhs) =>
            {
                properties(&assignment.1.lhs, &mut names);
            }
            Some(ASTNode::Expr(Expr::Map(map, _))) => {
                names.extend(map.0.iter().map(|(key, _)| key.name.to_string()));
            }
            _ => {}
        }
        true
    });
    names
}

/// Whether what is added to a variable may be text, which can be added to nothing, too. With anything else a
/// variable has to have a value before.
fn may_be_text(added: &Expr) -> bool {
    match added {
        Expr::IntegerConstant(..) | Expr::FloatConstant(..) | Expr::BoolConstant(..) => false,
        Expr::FnCall(call, _) => {
            !call.is_operator_call() || !matches!(call.name.as_str(), "-" | "*" | "/" | "%")
        }
        _ => true,
    }
}

/// All names behind dots on the left of an assignment.
pub(super) fn properties(target: &Expr, names: &mut BTreeSet<String>) {
    match target {
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
            properties(&pair.lhs, names);
            properties(&pair.rhs, names);
        }
        Expr::Property(property, _) => {
            names.insert(property.2.to_string());
        }
        Expr::StringConstant(text, _) => {
            names.insert(text.to_string());
        }
        _ => {}
    }
}

fn uses(source: &Source) -> Uses {
    let mut uses = Uses::default();
    // To a closure `this` is something else.
    for function in source.functions.values() {
        any_node(&function.body, |node| {
            note(node, source, &mut uses);
            false
        });
    }
    uses
}

fn note(node: &ASTNode<'_>, source: &Source, uses: &mut Uses) {
    match node {
        ASTNode::Expr(Expr::ThisPtr(_)) => uses.all += 1,
        ASTNode::Expr(Expr::Coalesce(parts, _)) => {
            uses.doubted.extend(parts.iter().filter_map(variable));
        }
        // What is handed on as it is may be asked there.
        ASTNode::Stmt(statement) if !matches!(statement, Stmt::FnCall(..)) => {
            uses.doubted.extend(handed_on(statement).and_then(variable));
        }
        ASTNode::Expr(Expr::Array(parts, _)) => {
            uses.doubted.extend(parts.iter().filter_map(variable));
        }
        ASTNode::Expr(Expr::Map(map, _)) => {
            let values = map.0.iter().map(|(_, value)| value);
            uses.doubted.extend(values.filter_map(variable));
        }
        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
        | ASTNode::Stmt(Stmt::FnCall(call, _)) => doubt(call, uses),
        ASTNode::Expr(whole @ Expr::Dot(pair, ..)) => {
            if let Expr::ThisPtr(_) = pair.lhs {
                uses.note(whole, source);
            }
        }
        _ => {}
    }
}

/// The value that a statement keeps or answers.
fn handed_on(statement: &Stmt) -> Option<&Expr> {
    match statement {
        Stmt::Var(var, ..) => Some(&var.1),
        Stmt::Assignment(assignment) => Some(&assignment.1.rhs),
        Stmt::Switch(switch, _) => Some(&switch.0),
        Stmt::Return(value, ..) => value.as_deref(),
        Stmt::Expr(value) => Some(value),
        _ => None,
    }
}

/// What is compared, or given to a call, may well be ().
fn doubt(call: &FnCallExpr, uses: &mut Uses) {
    if matches!(call.name.as_str(), "==" | "!=") || !call.is_operator_call() {
        uses.doubted.extend(call.args.iter().filter_map(variable));
    }
}

impl Uses {
    /// `this` with a dot behind it.
    fn note(&mut self, whole: &Expr, source: &Source) {
        let Expr::Dot(pair, ..) = whole else {
            return;
        };
        let first = match &pair.rhs {
            Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
            only => only,
        };
        match first {
            Expr::Property(property, at) => {
                self.plain += 1;
                self.read.entry(property.2.to_string()).or_insert(*at);
            }
            // What the file's own functions do with it is seen there.
            Expr::MethodCall(call, _) if !source.parameters_of(&call.name).is_empty() => {
                self.plain += 1;
            }
            _ => {}
        }
    }
}

/// The name of `this.name`.
fn variable(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Dot(pair, ..) => match (&pair.lhs, &pair.rhs) {
            (Expr::ThisPtr(_), Expr::Property(property, _)) => Some(property.2.to_string()),
            _ => None,
        },
        _ => None,
    }
}
