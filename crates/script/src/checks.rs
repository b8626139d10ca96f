//! Checks of names that are the same in every language: text that must name an action, a kind, a level and so on.

use crate::{
    GameNames, PLAIN_SURFACE, Severity, Spelling,
    api::{Names, Owner},
    calls::{Arg, check_tunable},
    known::without_ending,
    names::{did_you_mean, nearest, suggestion},
};
use hangtime_core::models::OwnActions;

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
        Names::Kind | Names::Entity | Names::Solid | Names::Zone | Names::Stance => {
            match unknown_name(names, text, known) {
                // Creating an unknown kind fails; looking for one finds nothing.
                Some(message) if call == "create" => Some((Severity::Error, message)),
                None if call == "set_solid" => warning(not_switchable(text, known)),
                message => warning(message),
            }
        }
        _ => None,
    }
}

/// What is wrong with a text that is compared with a name.
pub fn check_compared(names: Names, text: &str, known: &GameNames) -> Option<String> {
    match names {
        // A level's own events have this kind.
        Names::Kind if text == "level" => None,
        // Bodies stand on bodies, too.
        Names::Solid if known.may_be_entity(text) => None,
        Names::Model | Names::Mode | Names::HookState => {
            let known = names.fixed().unwrap_or_default();
            let hint = || suggestion(text, known.iter().map(String::as_str));
            (!known.iter().any(|name| name == text)).then(|| format!("this is never `{text}`{}", hint()))
        }
        _ => unknown_name(names, text, known),
    }
}

/// The message about a whole number, the first argument of a call or what a property gets, that is most likely in degrees,
/// milliseconds or ticks instead of radians or seconds. Written with a decimal point it is taken as it is.
pub fn check_unit(owner: Owner, call: &str, number: i64, spelling: Spelling) -> Option<String> {
    let is_other = match (owner, call) {
        (Owner::Free, "sin" | "cos" | "tan") | (Owner::Me, "angle") | (Owner::Vec, "rotated") => {
            number >= 10 && number % 5 == 0
        }
        (Owner::Me, "after") | (Owner::Free, "wait") => number >= 100 && number % 50 == 0,
        (Owner::Test, "run") => number >= 100 || (number >= 30 && number % 30 == 0),
        _ => false,
    };
    let (in_rhai, method) = (spelling.scope == "::", spelling.method);
    is_other.then(|| match (owner, call) {
        (Owner::Test, _) => format!(
            "`run` takes seconds; for {number} ticks, write `t{method}ticks({number})`, for {number} s `t{method}run({number}.0)`"
        ),
        (_, "after" | "wait") => {
            let seconds = number as f64 / 1000.0;
            format!("`{call}` takes seconds; for {number} ms, write `{seconds:?}`, for {number} s `{number}.0`")
        }
        _ => {
            let angle = if in_rhai { format!("{number} * PI() / 180") } else { format!("math.rad({number})") };
            let right = match owner {
                Owner::Free if in_rhai => format!("{call}({angle})"),
                Owner::Free => format!("math.{call}({angle})"),
                _ => angle,
            };
            let what = match owner {
                Owner::Me => format!("`me.{call}` is in radians"),
                _ => format!("`{call}` takes radians"),
            };
            format!("{what}; for {number} degrees, write `{right}`, for radians `{number}.0`")
        }
    })
}

/// The message about a share of more than 1, which is an argument of a call at this place.
pub fn check_share(call: &str, place: usize, share: f64) -> Option<String> {
    let right = match (call, place) {
        ("bar", 3) => "a bar is full at 1, and this is",
        ("sound", 1) => "a sound is at full volume at 1, and this is",
        _ => return None,
    };
    let example = if call == "bar" {
        "health / 100.0".into()
    } else {
        format!("{}", share / 100.0)
    };
    (share > 1.0).then(|| match call {
        "bar" => format!("{right} {share}; divide by the largest value, as in `{example}`"),
        _ => format!("{right} {share}; write `{example}` for {share} %"),
    })
}

/// The message about a value in the map of settings of a call, if it is one that the call takes.
pub fn check_setting_value(call: &str, key: &str, value: Arg<'_>, known: &GameNames) -> Option<String> {
    match (key, value) {
        ("volume", Arg::Whole(share)) => check_share("sound", 1, share as f64),
        ("volume", Arg::Number(share)) => check_share("sound", 1, share),
        ("surface", Arg::Text(name)) if call == "create_solid" => check_compared(Names::Surface, name, known),
        _ => None,
    }
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
    let plain = without_ending(name);
    let files = known.levels.iter().map(|level| level.rsplit('/').next().unwrap_or_default());
    let shown: Vec<String> = match plain == name {
        true => files.map(without_ending).collect(),
        false => files.map(String::from).collect(),
    };
    let right = nearest(name, shown.iter().map(String::as_str));
    Some(format!("there is no level `{name}`{}", did_you_mean(right)))
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
        Names::Stance => ("no kind has a stance", vec![&known.stances]),
        Names::Kind => ("there is no kind", vec![&known.kinds]),
        Names::Picture => ("there is no picture", vec![&known.pictures]),
        Names::Sound => ("there is no sound", vec![&known.sounds]),
        Names::Entity => ("no level has an entity", vec![&known.entities, &known.kinds]),
        _ => return None,
    };
    let all = || sets.iter().flat_map(|set| set.iter()).map(String::as_str);
    let unread = known.unread && !matches!(names, Names::Kind | Names::Picture)
        || names == Names::Solid && known.computed_solids;
    let defined = all().any(|name| name == text)
        || (names == Names::Surface && text == PLAIN_SURFACE)
        || (names == Names::Entity && known.may_be_entity(text));
    let is_medium = matches!(names, Names::Picture | Names::Sound);
    if unread || defined || text.is_empty() || (all().next().is_none() && !is_medium) {
        return None;
    }
    let all: Vec<&str> = all().collect();
    let stem = text.strip_suffix(".wav").or_else(|| text.strip_suffix(".ogg")).unwrap_or(text);
    let hint = match names {
        Names::Picture if all.is_empty() => "; put the file into `pictures/`".into(),
        Names::Sound if all.contains(&stem) => format!("; a sound is played by its name: `{stem}`"),
        Names::Sound if all.is_empty() => {
            format!("; name it in config/hangtime.toml: `{stem} = \"{stem}.wav\"` below `[sounds]`")
        }
        Names::Surface | Names::Kind | Names::Picture | Names::Sound | Names::Stance => suggestion(text, all),
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
