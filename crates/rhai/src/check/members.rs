//! Checks of properties and fields that are read, and of everything that is assigned to.

use super::literals;
use super::names::{self, did_you_mean};
use super::numbers::is_floating;
use super::scope::Scope;
use super::syntax::{ChainStep, any_node, chain, chain_text, source_text, variable_of_this};
use super::types::{closed, fits, is_plain, owner, present, spoken, type_of};
use crate::messages::elsewhere::{self, Holder, LENGTHS};
use crate::messages::errors::NOT_WHOLE;
use hangtime_script::ScriptRole;
use hangtime_script::api::{Access, ApiEntry, ApiSet, EntryKind, Names, Owner, Shape, Type};
use hangtime_script::calls::{is_level_member, no_level_member};
use hangtime_script::names::{nearest, suggestion};
use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

/// A property of a value with the type `of`; `path` is the chain up to and including it.
pub(super) fn property(of: Type, path: (&Expr, &[ChainStep<'_>]), writes: bool, scope: &Scope<'_>) {
    let (root, [before @ .., ChainStep::Property(name, at)]) = path else {
        return;
    };
    let of = present(of);
    if is_plain(of) && !scope.file.vocabulary.has_plain_property(name) {
        let hint = plain_hint(of, name, (root, before), scope);
        return scope.error(*at, format!("{} has no `{name}`{hint}", spoken(of)));
    }
    if let Some(shape) = closed(of) {
        if !writes {
            field(shape, name, *at, scope);
        }
        return;
    }
    let Some(owner) = owner(of) else {
        return;
    };
    let entry = scope.file.vocabulary.property(owner, name);
    let message = match entry.map(|entry| entry.kind) {
        None => missing_property(owner, name, scope),
        Some(_) if owner == Owner::Me && scope.file.role == ScriptRole::Level && !is_level_member(name) => {
            no_level_member(name)
        }
        Some(EntryKind::Property(Access::ReadOnly(why))) if writes => match owner {
            Owner::Me => format!("`me.{name}` is read-only; {why}"),
            Owner::Entity => format!("`{name}` of another entity is read-only; {why}"),
            _ => format!("`{name}` is read-only; {why}"),
        },
        Some(EntryKind::Property(Access::WriteOnly(why))) if !writes => {
            format!("`me.{name}` can only be written; {why}")
        }
        Some(_) => return,
    };
    scope.error(*at, message);
}

/// `event["speed"]` or `list[0]`.
pub(super) fn index(of: Type, index: &Expr, scope: &Scope<'_>) {
    if !matches!(present(of), Type::Map(_)) && is_floating(index, scope) {
        scope.error(index.start_position(), NOT_WHOLE);
    }
    if let (Some(shape), Expr::StringConstant(name, at)) = (closed(present(of)), index) {
        field(shape, name, *at, scope);
    }
}

/// A field of a map whose fields are known. The function may have added it itself.
fn field(shape: &'static Shape, name: &str, at: Position, scope: &Scope<'_>) {
    if shape.field(name).is_some() || scope.function.written_fields.contains(name) {
        return;
    }
    let names: Vec<&str> = shape.fields().map(|f| f.name).collect();
    let (whose, hint) = (shape.name, suggestion(name, names));
    let message = format!("the {whose} has no field `{name}`, so this is `()`{hint}");
    scope.error(at, message);
}

fn missing_property(owner: Owner, name: &str, scope: &Scope<'_>) -> String {
    let vocabulary = scope.file.vocabulary;
    let whose = match owner {
        Owner::Me => "`me`".into(),
        _ => owner.of_type().map_or_else(String::new, |t| t.spoken()),
    };
    let near = nearest(name, vocabulary.names_of(owner));
    let method = vocabulary.calls(name).find(|e| e.owner == owner);
    let hint = match method {
        Some(entry) => format!("; call it as `{}`", entry.signature()),
        None => match Holder::of(owner) {
            Some(body) if let Some(right) = elsewhere::property(name, body, near.is_some()) => {
                format!("; use {right}")
            }
            _ => did_you_mean(near),
        },
    };
    format!("{whose} has no `{name}`{hint}")
}

/// The hint about a property that a number, text or array does not have.
fn plain_hint(of: Type, name: &str, (root, before): (&Expr, &[ChainStep<'_>]), scope: &Scope<'_>) -> String {
    let vocabulary = scope.file.vocabulary;
    if LENGTHS.contains(&name) && matches!(of, Type::Text | Type::Name(_) | Type::Array(_)) {
        return "; write `.len()`".into();
    }
    let (owner, look_up) = match vocabulary.api_set {
        ApiSet::Test => (Owner::Live, "t.entity"),
        _ => (Owner::Entity, "world::entity"),
    };
    if of == Type::Name(Names::Entity) && vocabulary.names_of(owner).contains(&name) {
        let path = chain_text(root, before).unwrap_or_else(|| "…".into());
        return format!("; this is the name of an entity, so write `{look_up}({path}).{name}`");
    }
    let mut calls = vocabulary.calls(name);
    let entry = calls.find(|e| e.owner == Owner::Free);
    entry.map_or_else(String::new, |e| format!("; write `{}`", e.signature()))
}

/// A method of `me` that is called on `this`.
pub(super) fn call_on_this(root: &Expr, steps: &[ChainStep<'_>], scope: &Scope<'_>) {
    let (Expr::ThisPtr(_), Some(ChainStep::Method(call, at))) = (root, steps.first()) else {
        return;
    };
    let (file, name, count) = (scope.file, call.name.as_str(), call.args.len());
    let variables = scope.function.this_is_variables && scope.closures == 0;
    let ours = file.vocabulary.only_ours(name, count + 1);
    if !variables || !ours || file.may_be_own_method(name) {
        return;
    }
    let of_me = |e: &&ApiEntry| e.owner == Owner::Me && e.parameters.len() == count;
    if let Some(entry) = file.vocabulary.calls(name).find(of_me) {
        let right = entry.signature();
        let message = format!("`this` holds variables and has no `{name}`; write `{right}`");
        scope.error(*at, message);
    }
}

/// Methods that add their last argument to a list.
const ADDING: [&str; 3] = ["push", "insert", "append"];

/// Methods of arrays and maps that change them.
#[rustfmt::skip]
const CHANGING: [&str; 20] = [
    "append", "chop", "clear", "dedup", "drain", "fill_with", "for_each", "insert", "mixin", "pad",
    "pop", "push", "remove", "retain", "reverse", "set", "shift", "sort", "splice", "truncate",
];

/// An assignment to a variable.
pub(super) fn assigned_variable(name: &str, resolved: bool, at: Position, scope: &Scope<'_>) {
    if resolved || scope.is_local(name) {
        return;
    }
    if scope.is_constant(name) {
        scope.error(at, is_constant(name));
    } else {
        names::assigned(name, at, scope);
    }
}

fn is_constant(name: &str) -> String {
    format!("`{name}` is a constant; store values that change in `this`")
}

/// An assignment to `this`, unless it may be a map with the new variables.
pub(super) fn whole_this(value: &Expr, at: Position, scope: &Scope<'_>) {
    use Type as T;
    let given = type_of(value, scope);
    let may_be_map = matches!(given, T::Any | T::Data | T::Either(_) | T::Map(_));
    if scope.function.this_is_variables && scope.closures == 0 && !may_be_map {
        let message = "this replaces all variables; write `this.name = …`";
        scope.error(at, message);
    }
}

/// An assignment to a property, which takes values of the type `wanted`.
pub(super) fn assigned(target: &Expr, value: &Expr, wanted: Type, scope: &Scope<'_>) {
    let given = type_of(value, scope);
    let (root, steps) = chain(target);
    if let [ChainStep::Property("facing", _)] = steps.as_slice()
        && wanted != Type::Any
        && type_of(root, scope) == Type::Me
        && is_zero(value)
    {
        scope.error(value.start_position(), "`me.facing` must be 1 or -1, not 0");
    }
    if let [ChainStep::Property("color", _)] = steps.as_slice()
        && type_of(root, scope) == Type::Me
    {
        literals::color(value, scope);
    }
    if let Some(name) = steps.last().and_then(ChainStep::property)
        && !fits(given, wanted)
    {
        let (wanted, given) = (spoken(wanted), spoken(given));
        let message = format!("`{name}` must be {wanted}, not {given}");
        scope.error(value.start_position(), message);
    }
    if let Some((name, _)) = variable_of_this(target) {
        stored(name, value, scope);
    }
}

fn is_zero(value: &Expr) -> bool {
    match value {
        Expr::IntegerConstant(number, _) => *number == 0,
        Expr::FloatConstant(number, _) => **number == 0.0,
        _ => false,
    }
}

/// An assignment to a field of the event, which is a copy.
pub(super) fn event_copy(root: &Expr, steps: &[ChainStep<'_>], scope: &Scope<'_>) {
    let (Expr::Variable(variable, ..), Some(ChainStep::Property(field, at))) = (root, steps.first()) else {
        return;
    };
    let name = variable.1.as_str();
    let shape = closed(type_of(root, scope));
    let (Some(shape), true) = (shape, scope.function.event.as_deref() == Some(name)) else {
        return;
    };
    let of_body = scope.file.vocabulary.property(Owner::Me, field).is_some();
    if shape.field(field).is_some() {
        let message = format!("`{name}` is a copy; writing to it changes nothing else");
        scope.warn(*at, message);
    } else if of_body {
        let message = format!(
            "`{name}` is the event, not an entity, so this changes nothing; a script writes only to its own entity, \
             as in `me.{field} = …`"
        );
        scope.warn(*at, message);
    }
}

/// A change of a constant, or of a part of it.
pub(super) fn constant(root: &Expr, steps: &[ChainStep<'_>], writes: bool, scope: &Scope<'_>) {
    let Expr::Variable(variable, _, at) = root else {
        return;
    };
    let name = variable.1.as_str();
    let declared = variable.0.is_some() || !variable.2.is_empty() || scope.is_local(name);
    if declared || !scope.is_constant(name) {
        return;
    }
    if writes {
        return scope.error(*at, is_constant(name));
    }
    let first_call = steps.iter().find_map(|step| match step {
        ChainStep::Method(call, at) => Some((call.name.as_str(), *at)),
        _ => None,
    });
    let Some((method, at)) = first_call else {
        return;
    };
    let holds_parts = matches!(scope.look_up(name), Type::Array(_) | Type::Map(_));
    if holds_parts && CHANGING.contains(&method) && !scope.file.may_be_own_method(method) {
        let message = format!("`{method}` cannot change the constant `{name}`; copy it with `let` first");
        scope.error(at, message);
    }
}

/// A value that a method adds to a list in `this`.
pub(super) fn added(list: &Expr, call: &FnCallExpr, scope: &Scope<'_>) {
    if ADDING.contains(&call.name.as_str())
        && let (Some((name, _)), Some(value)) = (variable_of_this(list), call.args.last())
    {
        stored(name, value, scope);
    }
}

/// A value that is stored in a variable of `this`, unless another assignment replaces it.
fn stored(name: &str, value: &Expr, scope: &Scope<'_>) {
    if scope.function.rewritten.contains(name) {
        return;
    }
    if let Some((what, hint, at)) = not_storable(value, scope) {
        let message = format!("`this.{name}` cannot hold {what}; {hint}");
        scope.error(at, message);
    }
}

/// The part of a value that cannot be stored, what to store instead, and its position.
fn not_storable(value: &Expr, scope: &Scope<'_>) -> Option<(String, &'static str, Position)> {
    match value {
        Expr::Array(parts, _) => parts.iter().find_map(|part| not_storable(part, scope)),
        Expr::Map(map, _) => map.0.iter().find_map(|(_, part)| not_storable(part, scope)),
        Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") => {
            let at = call.args.first().unwrap_or(value).start_position();
            Some(("a range".into(), "store its two ends", at))
        }
        _ => {
            let what = not_storable_type(type_of(value, scope))?;
            let hint = match what {
                Type::Entity => "store its name",
                Type::Me => "every hook receives `me`",
                _ => "variables hold numbers, text, true or false, `()`, vecs, and arrays and maps of these",
            };
            Some((what.spoken(), hint, value.start_position()))
        }
    }
}

fn not_storable_type(of: Type) -> Option<Type> {
    match of {
        Type::Me | Type::Entity | Type::Function => Some(of),
        Type::Array(each) => not_storable_type(*each),
        Type::Either(types) => types.iter().find_map(|t| not_storable_type(*t)),
        _ => None,
    }
}

/// Copies that are changed and never read: `let v = me.vel; v.y = 300;` has no effect.
pub(super) fn unused_copies(body: &[Stmt], scope: &Scope<'_>) {
    let mut declared: Vec<(String, String)> = Vec::new();
    // A closure may read what it captures.
    let captures = any_node(body, |node| {
        if let ASTNode::Stmt(Stmt::Var(var, ..)) = node
            && let Some(source) = source_text(&var.1)
            && is_writable_vec(&source, scope)
        {
            declared.push((var.0.name.to_string(), source));
        }
        matches!(node, ASTNode::Stmt(Stmt::Share(..)))
    });
    if captures {
        return;
    }
    for (name, source) in &declared {
        if let Some((part, at)) = only_written(body, name) {
            let message = format!(
                "`{name}` is a copy of `{source}` that is never read; write `{source}.{part} = …`, or add \
                 `{source} = {name};`"
            );
            scope.warn(at, message);
        }
    }
}

/// Whether it is the path of a vec that scripts can assign to, such as `me.vel`.
fn is_writable_vec(path: &str, scope: &Scope<'_>) -> bool {
    let property = |name| scope.file.vocabulary.property(Owner::Me, name);
    let entry = path.strip_prefix("me.").and_then(property);
    entry.is_some_and(|e| e.returns == Type::Vec && e.kind == EntryKind::Property(Access::Write))
}

/// The first part of a variable that is assigned to, if nothing else is done with the variable.
fn only_written(body: &[Stmt], name: &str) -> Option<(String, Position)> {
    let (mut declared, mut uses) = (0, 0);
    let mut writes: Vec<(String, Position)> = Vec::new();
    any_node(body, |node| {
        match node {
            ASTNode::Stmt(Stmt::Var(var, ..)) => declared += usize::from(var.0.name == name),
            ASTNode::Stmt(Stmt::Assignment(set)) => {
                if let (Expr::Variable(variable, ..), steps) = chain(&set.1.lhs)
                    && variable.1 == name
                    && let [ChainStep::Property(part, _)] = steps.as_slice()
                {
                    writes.push(((*part).to_string(), set.1.lhs.start_position()));
                }
            }
            ASTNode::Expr(Expr::Variable(variable, ..)) => uses += usize::from(variable.1 == name),
            _ => {}
        }
        false
    });
    (declared == 1 && uses == writes.len()).then(|| writes.into_iter().next()).flatten()
}
