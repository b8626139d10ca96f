//! What chains such as `me.vel.x` are made of.

use super::*;

/// What the next step is taken from.
#[derive(Clone, Copy)]
pub enum Base {
    This,
    Me,
    About,
    Value(Reg),
}

/// What using a component of a vec costs, the step included.
pub const PER_PART: u32 = 3;

/// What using a member of `me` that needs a body costs in addition to its price.
const PER_BODY: u32 = 2;

/// A property of `me`: its place in the table, and its call.
pub fn property_of_me(name: &str) -> Option<(u16, &'static Call<CallMoment>)> {
    let place = ENTITY_PROPERTIES.iter().position(|p| p.name == name)?;
    let call = find_call(Owner::Me, name, 0)?;
    matches!(call.entry.kind, EntryKind::Property(_)).then_some((place as u16, call))
}

/// What reading a property of `me` costs in addition to the step.
pub fn cost_of(call: &Call<CallMoment>, name: &str) -> u32 {
    let body = if is_level_member(name) { 0 } else { PER_BODY };
    call.price as u32 + body
}

/// Methods of vecs, texts and arrays that compiled code has.
pub fn is_known_method(name: &str) -> bool {
    let known =
        "length length_squared angle dot distance normalized rotated lerp clamped starts_with ends_with contains";
    is_among(name, known)
}

/// Whether handling values of a type costs nothing.
pub fn is_light(holds: Type) -> bool {
    match holds {
        Type::Nothing | Type::Flag | Type::Whole | Type::Number | Type::Vec | Type::Me | Type::Entity => true,
        Type::Either(all) => all.iter().all(|one| is_light(*one)),
        _ => false,
    }
}
