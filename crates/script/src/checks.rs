//! Checks of names that are the same in every language: text that must name an action, a kind, a level and so on, and
//! functions whose names are close to the name of a hook.

use crate::api::Names;
use crate::calls::{
    Arg, check_draw_option, check_own_jump_setting, check_spawn_setting, check_throw_setting, check_tunable,
};
use crate::names::{nearest, suggestion};
use crate::text::quoted_in;
use crate::{
    CallRefusal, DeclaredFunction, Diagnostic, EVENTS, GameNames, PLAIN_SURFACE, Severity, Sources, find_hook, hooks,
};
use hangtime_core::models::OwnActions;
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What is wrong with a text that must name something, as an argument of the call with the name `call`. Events depend on
/// the scripts of the game, so the checker of a language checks them.
pub fn check_named(names: Names, text: &str, call: &str, known: &GameNames) -> Option<(Severity, String)> {
    let error = |message: Option<String>| message.map(|message| (Severity::Error, message));
    let warning = |message: Option<String>| message.map(|message| (Severity::Warning, message));
    match names {
        Names::Action => error(unknown_action(text, known)),
        Names::PlayerAction => error(unknown_action(without_player(text), known)),
        Names::Axis | Names::Model => error(unknown_fixed(names, text)),
        Names::PlayerAxis => error(unknown_fixed(Names::Axis, without_player(text))),
        Names::Tunable => error(check_tunable(None, text).err().map(|refusal| refusal.to_string())),
        Names::Setting => error(unknown_setting(text)),
        Names::Level => warning(unknown_level(text, known)),
        Names::Picture | Names::Sound => error(unknown_name(names, text, known)),
        Names::Kind | Names::Entity | Names::Solid | Names::Zone => match unknown_name(names, text, known) {
            // Creating an unknown kind fails; looking for one finds nothing.
            Some(message) if call == "create" => Some((Severity::Error, message)),
            None if call == "set_solid" => warning(not_switchable(text, known)),
            message => warning(message),
        },
        _ => None,
    }
}

/// Checks a key in the map of settings that is the last argument of a call, and its value if that is known.
///
/// # Errors
/// Why the call refuses the key or the value.
pub fn check_call_setting(call: &str, key: &str, value: Option<Arg<'_>>) -> Result<(), CallRefusal> {
    match call {
        "create" => check_spawn_setting(key, value),
        "plan_throw" => check_throw_setting(key, value),
        "plan_own_jump" => check_own_jump_setting(key, value),
        _ => check_draw_option(call, key, value),
    }
}

fn did_you_mean(right: Option<&str>) -> String {
    right.map_or_else(String::new, |right| format!("; did you mean `{right}`?"))
}

/// The message about a name that is not among the names of all games.
fn unknown_fixed(names: Names, text: &str) -> Option<String> {
    let known = names.fixed().unwrap_or_default();
    if known.iter().any(|name| name == text) {
        return None;
    }
    let hint = suggestion(text, known.iter().map(String::as_str));
    let (_, what) = names.what().split_once(' ').unwrap_or_default();
    Some(format!("there is no {what} `{text}`{hint}"))
}

/// The message about an action that neither every game nor this game has.
fn unknown_action(text: &str, known: &GameNames) -> Option<String> {
    let own = OwnActions::new(known.actions.iter().map(String::as_str));
    let unknown = own.parse(text).is_none();
    unknown.then(|| format!("there is no action `{text}`{}", suggestion(text, own.all_names())))
}

/// The message about a level that a test plays. It may be in another folder.
fn unknown_level(name: &str, known: &GameNames) -> Option<String> {
    if known.may_be_level(name) {
        return None;
    }
    let whole = name.ends_with(".toml") || name.ends_with(".tmx");
    let files = known.levels.iter().map(|level| level.rsplit('/').next().unwrap_or_default());
    let shown = files.map(|file| match whole {
        true => file,
        false => file.trim_end_matches(".toml").trim_end_matches(".tmx"),
    });
    Some(format!("there is no level `{name}`{}", did_you_mean(nearest(name, shown))))
}

/// The message about a setting for a test's level, if it is a model's tunable.
fn unknown_setting(key: &str) -> Option<String> {
    let (root, _) = key.split_once('.').unwrap_or((key, ""));
    let models = Names::Model.fixed().unwrap_or_default();
    if models.iter().any(|model| model == root) {
        return check_tunable(None, key).err().map(|refusal| refusal.to_string());
    }
    let right = nearest(root, models.iter().map(String::as_str))?;
    Some(format!("there is no setting `{root}`; did you mean `{right}`?"))
}

/// The message about a solid that is switched, although it is always present.
fn not_switchable(name: &str, known: &GameNames) -> Option<String> {
    let fixed = known.solids.contains(name) && !known.switched.contains(name);
    let message = || format!("`{name}` cannot be switched; give the solid the key `present` in its level");
    (fixed && !known.unread).then(message)
}

/// The message about a name that no file of the game defines. Files that cannot be read may
/// define any name.
pub fn unknown_name(names: Names, text: &str, known: &GameNames) -> Option<String> {
    let (message, sets) = match names {
        Names::Surface => ("this game has no surface", vec![&known.surfaces]),
        Names::Solid => ("no level has a solid", vec![&known.solids]),
        Names::Zone => ("no level has a zone", vec![&known.zones]),
        Names::Kind => ("there is no kind", vec![&known.kinds]),
        Names::Picture => ("there is no picture", vec![&known.pictures]),
        Names::Sound => ("there is no sound", vec![&known.sounds]),
        Names::Entity => ("no level has an entity", vec![&known.entities, &known.kinds]),
        _ => return None,
    };
    let all = || sets.iter().flat_map(|set| set.iter()).map(String::as_str);
    let unread = known.unread && !matches!(names, Names::Kind | Names::Picture);
    let defined = all().any(|name| name == text)
        || (names == Names::Surface && text == PLAIN_SURFACE)
        || (names == Names::Entity && known.may_be_entity(text));
    if unread || defined || text.is_empty() || all().next().is_none() {
        return None;
    }
    let all: Vec<&str> = all().collect();
    let hint = match names {
        Names::Surface | Names::Kind | Names::Picture | Names::Sound => suggestion(text, all),
        _ => did_you_mean(nearest(text, all)),
    };
    Some(format!("{message} `{text}`{hint}"))
}

/// `p2.jump` without the player.
fn without_player(text: &str) -> &str {
    match text.split_once('.') {
        Some((player, rest)) if player.starts_with('p') => rest,
        _ => text,
    }
}

/// Functions that are called like a hook but have a wrong number of parameters, and functions
/// whose names are close to a hook's. The latter are correct if they may handle a custom
/// event: if some script has the event's name in quotes. `uses` says whether the file itself uses a function with a name.
/// `any_event` says whether scripts compute the names of events; if they do, a misspelled `on_…` is only a warning.
pub fn check_hooks(
    functions: &[DeclaredFunction],
    sources: &Sources,
    uses: impl Fn(&str) -> bool,
    any_event: impl Fn() -> bool,
) -> Vec<Diagnostic> {
    // Parsing all scripts takes time, and most have no such function.
    let known = OnceCell::new();
    let any_event = || *known.get_or_init(&any_event);
    // Some script has the name of this hook's event in quotes, as a script that emits it does.
    let mentioned: OnceCell<BTreeSet<&str>> = OnceCell::new();
    let quoted = || sources.values().flat_map(|file| quoted_in(&file.text)).collect();
    let mut wrong = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for function in functions {
        let (name, parameters) = (function.name.as_str(), function.parameters.len());
        let event = name.strip_prefix("on_");
        let may_be_event = || event.is_some() && any_event();
        // A function that the file itself uses may well exist twice.
        let own = uses(name);
        // Many words are near a short one.
        let (sure, why) = if is_hook(function) && !own && !seen.insert(name) {
            (true, format!("`{name}` is defined twice, and only one of the two is called"))
        } else if let Some(hook) = find_hook(name) {
            if hook.takes(parameters) {
                continue;
            }
            let has = match parameters {
                0 => "no parameters".into(),
                1 => "1 parameter".into(),
                n => format!("{n} parameters"),
            };
            (true, format!("`{name}` has {has}; write `{}`", hook.signature()))
        } else if own || event.is_some_and(|event| mentioned.get_or_init(quoted).contains(event)) {
            continue;
        } else if let Some(hook) = nearest(name, hooks().map(|hook| hook.name)).and_then(find_hook) {
            let right = hook.signature();
            let sure = !may_be_event() && hook.name.len() >= SURE;
            (sure, format!("nothing calls `{name}`; did you mean `{right}`?"))
        } else if may_be_event() {
            continue;
        } else if let Some(right) = hook_for(name).filter(|_| parameters <= 2) {
            (false, format!("nothing calls `{name}`; did you mean the hook `{right}`?"))
        } else if event.is_some() {
            (false, format!("nothing calls `{name}`, as no event has this name"))
        } else {
            continue;
        };
        let new = if sure { Diagnostic::error } else { Diagnostic::warning };
        wrong.push(new(function.place.clone(), why));
    }
    wrong
}

/// A name near the name of a hook with fewer letters than this may be intended.
const SURE: usize = 5;

/// Whether hangtime may call it.
fn is_hook(function: &DeclaredFunction) -> bool {
    match find_hook(&function.name) {
        Some(hook) => hook.takes(function.parameters.len()),
        None => function.name.starts_with("on_") && (1..=2).contains(&function.parameters.len()),
    }
}

/// Names that other engines have for some hooks.
const IN_OTHER_ENGINES: [(&str, &str); 3] = [
    ("on_tick", "update process physics_process physics_update fixed_update late_update step frame main loop"),
    ("on_birth", "init ready start awake setup create load begin"),
    ("on_touch", "collide collision collision_enter trigger_enter"),
];

/// The hook that a function was probably meant to be.
fn hook_for(name: &str) -> Option<&'static str> {
    let plain = snake_case(name);
    let plain = plain.trim_start_matches('_');
    let plain = plain.strip_prefix("on_").unwrap_or(plain);
    let event = EVENTS.iter().find(|hook| hook.event() == Some(plain));
    let other = IN_OTHER_ENGINES.iter().find(|(_, names)| names.split(' ').any(|name| name == plain));
    event.map(|hook| hook.name).or_else(|| other.map(|(hook, _)| *hook))
}

/// A name in lower case, with `_` between its words.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}
