//! Checks of properties and fields: whether they exist, and can be assigned to.

use super::scope::{Scope, ScriptRole};
use super::syntax::{ChainStep, chain_text};
use super::types::{closed, is_plain, owner, present, spoken};
use crate::script::host::api::{Access, Entry, Kind, Names, Owner, Room, Shape, Type};
use crate::script::host::names::{nearest, suggestion};
use crate::script::rhai::api::bodiless;
use crate::script::rhai::messages::elsewhere;
use rhai::{Expr, Position};

/// Names that other languages have for the number of letters or elements.
const LENGTHS: [&str; 4] = ["length", "size", "count", "Length"];

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
        Some(_)
            if owner == Owner::Me && scope.file.role == ScriptRole::Level && !bodiless(name) =>
        {
            format!("a level has no `{name}`")
        }
        Some(Kind::Property(Access::ReadOnly(why))) if writes => match owner {
            Owner::Me => format!("`me.{name}` is read-only; {why}"),
            Owner::Entity => format!("`{name}` of another entity is read-only; {why}"),
            _ => format!("`{name}` is read-only; {why}"),
        },
        Some(_) => return,
    };
    scope.error(*at, message);
}

/// `event["speed"]`.
pub(super) fn index(of: Type, index: &Expr, scope: &Scope<'_>) {
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
    let moves = matches!(owner, Owner::Me | Owner::Entity | Owner::Live);
    let method = vocabulary.calls(name).find(|e| e.owner == owner);
    let hint = match method {
        Some(entry) => format!("; call it as `{}`", entry.signature()),
        None if moves && let Some(right) = elsewhere::property(name) => format!("; use {right}"),
        None => nearest(name, vocabulary.names_of(owner))
            .map_or_else(String::new, |right| format!("; did you mean `{right}`?")),
    };
    format!("{whose} has no `{name}`{hint}")
}

/// The hint about a property that a number, text or array does not have.
fn plain_hint(
    of: Type,
    name: &str,
    (root, before): (&Expr, &[ChainStep<'_>]),
    scope: &Scope<'_>,
) -> String {
    let vocabulary = scope.file.vocabulary;
    if LENGTHS.contains(&name) && matches!(of, Type::Text | Type::Name(_) | Type::Array(_)) {
        return "; write `.len()`".into();
    }
    let (owner, look_up) = match vocabulary.room {
        Room::Test => (Owner::Live, "t.entity"),
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
    let of_me = |e: &&Entry| e.owner == Owner::Me && e.parameters.len() == count;
    if let Some(entry) = file.vocabulary.calls(name).find(of_me) {
        let right = entry.signature();
        let message = format!("`this` holds variables and has no `{name}`; write `{right}`");
        scope.error(*at, message);
    }
}
