//! What bodies of some models do not have, although their scripts ask for it.

use crate::GameNames;
use hangtime_core::models::{Mode, ModelName};

/// Whether bodies of a model have something.
type Has = fn(ModelName) -> bool;

/// Hooks, rules and calls of `me` that are for bodies of some models only.
const OF_SOME: [(&str, Has); 4] = [
    ("on_hit", ModelName::turns),
    ("on_grab on_drop can_grab let_go", |model| model.modes().contains(&Mode::Wall)),
    ("on_hook on_unhook grapple_snaps fire_hook release_hook", ModelName::hooks),
    ("on_jump jump jump_windows", ModelName::jumps),
];

/// The message about a hook, a rule or a call of `me` that no entity with this script can have any use for, because of its
/// model. `argument` is the first one of a call.
pub fn check_moved(script: &str, name: &str, argument: Option<&str>, known: &GameNames) -> Option<String> {
    let own = known.moved_by.get(script.strip_prefix("scripts/").unwrap_or(script))?;
    let tuned = argument
        .and_then(|key| key.split_once('.'))
        .and_then(|(model, _)| ModelName::parse(model));
    let has = |model: ModelName| match name {
        "tune" | "tuned" | "untune" => tuned.is_none_or(|tuned| tuned == model),
        // Scripts may look at the keys of a model that has none, but these hold them for the model.
        "hold" | "steer" => model.jumps() || !model.moves().is_empty(),
        _ => {
            let found = OF_SOME.iter().find(|(names, _)| names.split(' ').any(|it| it == name));
            found.is_none_or(|(_, has)| has(model))
        }
    };
    if own.is_empty() || own.iter().copied().any(has) {
        return None;
    }
    let list = |models: &mut dyn Iterator<Item = ModelName>| {
        models.map(|model| format!("`{model}`")).collect::<Vec<_>>().join(" and ")
    };
    let (own, others) =
        (list(&mut own.iter().copied()), list(&mut ModelName::ALL.iter().copied().filter(|it| has(*it))));
    let what = if name.starts_with("on_") { "is never called" } else { "has no effect" };
    Some(format!("`{name}` {what}: entities with this script move by {own}; it is for {others}"))
}
