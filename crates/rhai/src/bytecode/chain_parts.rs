//! Chains such as `me.vel.x`, taken apart.

use super::code::Reg;
use hangtime_script::api::{EntryKind, Owner, Type};
use hangtime_script::calls::{Call, ENTITY_PROPERTIES, find_call, is_level_member};
use rhai::{ASTFlags, Expr, FnCallExpr};

/// A step of a chain.
#[derive(Clone, Copy)]
pub(super) enum ChainPart<'e> {
    Property(&'e str),
    Method(&'e FnCallExpr),
    Index(&'e Expr),
}

/// A chain, taken apart.
pub(super) struct Chain<'e> {
    pub root: &'e Expr,
    pub steps: Vec<ChainPart<'e>>,
    /// Whether it stops at `()`.
    pub optional: bool,
}

/// What the next step is taken from.
#[derive(Clone, Copy)]
pub(super) enum Base {
    This,
    Me,
    About,
    Value(Reg),
}

/// What using a component of a vec costs, the step included.
pub(super) const PER_PART: u32 = 3;

/// What using a member of `me` that needs a body costs in addition to its price.
const PER_BODY: u32 = 2;

/// Takes a chain apart.
pub(super) fn taken_apart(chain: &Expr) -> Chain<'_> {
    let (root, mut rest, mut index, mut flags) = match chain {
        Expr::Dot(pair, flags, _) => (&pair.lhs, &pair.rhs, false, *flags),
        Expr::Index(pair, flags, _) => (&pair.lhs, &pair.rhs, true, *flags),
        other => (other, other, false, ASTFlags::BREAK),
    };
    let mut optional = flags.intersects(ASTFlags::NEGATED);
    let mut steps = Vec::new();
    loop {
        // An index may be a chain too, which is not part of this one.
        let open = !(index && flags.intersects(ASTFlags::BREAK));
        let (here, next) = match rest {
            Expr::Dot(pair, flags, _) if open => (&pair.lhs, Some((&pair.rhs, false, *flags))),
            Expr::Index(pair, flags, _) if open => (&pair.lhs, Some((&pair.rhs, true, *flags))),
            only => (only, None),
        };
        steps.push(match here {
            Expr::Property(property, _) if !index => ChainPart::Property(&property.2),
            Expr::MethodCall(call, _) if !index => ChainPart::Method(call),
            other => ChainPart::Index(other),
        });
        match next {
            Some(next) => (rest, index, flags) = next,
            None => {
                return Chain { root, steps, optional };
            }
        }
        optional |= flags.intersects(ASTFlags::NEGATED);
    }
}

/// A property of `me`: its place in the table, and its call.
pub(super) fn property_of_me(name: &str) -> Option<(u16, &'static Call)> {
    let place = ENTITY_PROPERTIES.iter().position(|p| p.name == name)?;
    let call = find_call(Owner::Me, name, 0)?;
    matches!(call.entry.kind, EntryKind::Property(_)).then_some((place as u16, call))
}

/// A property of `me` that can be written.
pub(super) fn writable_of_me(name: &str) -> Option<&'static Call> {
    find_call(Owner::Me, name, 0).filter(|call| call.is_writable())
}

/// What reading a property of `me` costs in addition to the step.
pub(super) fn cost_of(call: &Call, name: &str) -> u32 {
    let body = if is_level_member(name) { 0 } else { PER_BODY };
    call.price as u32 + body
}

/// Methods of vecs, texts and arrays that compiled code has.
pub(super) fn is_known_method(name: &str) -> bool {
    [
        "length",
        "length_squared",
        "angle",
        "dot",
        "distance",
        "normalized",
        "rotated",
        "lerp",
        "clamped",
        "starts_with",
        "ends_with",
        "contains",
        "len",
    ]
    .contains(&name)
}

/// Whether handling values of a type costs nothing.
pub(super) fn is_light(holds: Type) -> bool {
    match holds {
        Type::Nothing | Type::Flag | Type::Whole | Type::Number | Type::Vec | Type::Me | Type::Entity => true,
        Type::Either(all) => all.iter().all(|one| is_light(*one)),
        _ => false,
    }
}
