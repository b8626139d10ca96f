//! Checks of names: variables, and text that must name an action, a kind, an event and so on.

use super::literals;
use super::numbers::unit_of_number;
use super::scope::Scope;
use crate::api::HeldArg;
use crate::messages::elsewhere;
use crate::messages::errors::place;
use crate::messages::likely::not_declared;
use hangtime_core::models::OwnActions;
use hangtime_script::api::{ApiEntry, Names, Owner, Type};
use hangtime_script::calls::{check_custom_event, check_event_filter, check_setting, check_tunable};
use hangtime_script::names::{nearest, suggestion};
use hangtime_script::{EVENTS, GameNames, PLAIN_SURFACE, ScriptRole};
use rhai::{Expr, Position};

/// Reports a variable that does not exist; `resolved` if the parser has found its declaration.
pub(super) fn variable(name: &str, resolved: bool, at: Position, scope: &Scope<'_>) {
    variable_with_member(name, "", resolved, at, scope);
}

/// The same for a variable that is followed by the name of a member, or by none.
pub(super) fn variable_with_member(name: &str, member: &str, resolved: bool, at: Position, scope: &Scope<'_>) {
    let declared = resolved
        || scope.is_local(name)
        || scope.is_constant(name)
        || scope.file.script.has_function(name)
        || scope.closures > 0;
    if !declared {
        let hint = variable_hint(name, member, scope);
        scope.error(at, format!("there is no variable `{name}`{hint}"));
    }
}

/// Reports an assignment to a variable that does not exist.
pub(super) fn assigned(name: &str, at: Position, scope: &Scope<'_>) {
    if scope.file.script.has_function(name) || scope.closures > 0 {
        return;
    }
    let hint = match variable_hint(name, "", scope) {
        hint if hint.is_empty() => not_declared(name),
        hint => hint,
    };
    scope.error(at, format!("there is no variable `{name}`{hint}"));
}

fn variable_hint(name: &str, member: &str, scope: &Scope<'_>) -> String {
    let file = scope.file;
    let in_test = file.role == ScriptRole::Test;
    match name {
        "me" if !in_test => {
            let right = &scope.function.with_me;
            return format!(" here; functions see only their parameters, so write `fn {right}`");
        }
        "self" if !in_test => return "; use `this` for variables and `me` for the entity".into(),
        _ => {}
    }
    let known = |name: &str| file.vocabulary.knows(name);
    if let Some(right) = elsewhere::variable(name, member, file.vocabulary.api_set, known) {
        return format!("; use {right}");
    }
    if file.vocabulary.takes(name, 0) {
        return format!("; call it as `{name}()`");
    }
    let constants = file.script.constants.keys().map(String::as_str);
    let mut right = nearest(name, scope.locals().chain(constants)).map(String::from);
    if right.is_none() && !in_test {
        let of_this = file.script.own_variables().contains(name);
        let of_me = file.vocabulary.names_of(Owner::Me).contains(&name);
        right = of_this.then(|| format!("this.{name}"));
        right = right.or_else(|| of_me.then(|| format!("me.{name}")));
    }
    did_you_mean(right)
}

/// `"${name}"` in quotes, where nothing is inserted. A script that takes text apart may want it.
pub(super) fn dollar_text(text: &str, at: Position, scope: &Scope<'_>) {
    let inside = text.split_once("${").and_then(|(_, rest)| rest.split_once('}'));
    let Some((inside, _)) = inside else {
        return;
    };
    let inside = inside.trim_start();
    let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &inside[..end.unwrap_or(inside.len())];
    let known = name == "this" || scope.is_local(name) || scope.is_constant(name);
    let script = scope.file.script;
    let taken_apart = ["replace", "split", "index_of", "contains"]
        .iter()
        .any(|call| script.called.contains(*call));
    let start = place(&script.file, at).span.start;
    if known && !taken_apart && script.file.text[start..].starts_with('"') {
        let message = "`${…}` works only in backquotes; write `…` instead of \"…\"";
        scope.warn(at, message);
    }
}

/// Arguments that name something.
pub(super) fn arguments(entry: &ApiEntry, arguments: &[Expr], scope: &Scope<'_>) {
    unit_of_number(entry, arguments, scope);
    for (parameter, argument) in entry.parameters.iter().zip(arguments) {
        if let (Type::Name(names), Some((text, at))) = (parameter.takes, scope.text(argument)) {
            argument_name(names, entry.name, (&text, at), scope);
        }
    }
    literals::options(entry, arguments, scope);
    if let ("send", [platform, point]) = (entry.name, arguments) {
        sent(platform, point, scope);
    }
    if let ("kept", Owner::World, [name]) = (entry.name, entry.owner, arguments) {
        kept(name, scope);
    }
    if let ("tune", Owner::Me, [key, value]) = (entry.name, entry.owner, arguments)
        && let (Some((key, _)), Some(literal)) = (scope.text(key), value.get_literal_value(None))
        && check_tunable(None, &key).is_ok()
        && let Err(wrong) = check_setting(&key, HeldArg::of(&literal).arg())
    {
        scope.error(value.start_position(), wrong.to_string());
    }
}

fn argument_name(names: Names, call: &str, (text, at): (&str, Position), scope: &Scope<'_>) {
    let known = scope.file.known;
    match names {
        Names::Action => action(text, at, scope),
        Names::PlayerAction => action(without_player(text), at, scope),
        Names::Axis | Names::Model => fixed(names, text, at, scope),
        Names::PlayerAxis => fixed(Names::Axis, without_player(text), at, scope),
        Names::Tunable => {
            if let Err(wrong) = check_tunable(None, text) {
                scope.error(at, wrong.to_string());
            }
        }
        Names::OwnEvent => emitted_event(call, text, at, scope),
        Names::Event => {
            let emitted = |name: &str| scope.file.game.emitted.may_include(name);
            if let Err(wrong) = check_event_filter(text, emitted) {
                scope.error(at, wrong);
            }
        }
        Names::Level => level(text, at, known, scope),
        Names::Setting => setting(text, at, scope),
        Names::Kind | Names::Picture | Names::Sound | Names::Entity | Names::Solid | Names::Zone => {
            match unknown_name(names, text, known) {
                Some(message) if matches!(names, Names::Picture | Names::Sound) => scope.error(at, message),
                // Creating an unknown kind fails; looking for one finds nothing.
                Some(message) if call == "create" => scope.error(at, message),
                Some(message) => scope.warn(at, message),
                None if call == "set_solid" => switchable(text, at, known, scope),
                None => {}
            }
        }
        _ => {}
    }
}

/// A point that a platform is sent to.
fn sent(platform: &Expr, point: &Expr, scope: &Scope<'_>) {
    let known = scope.file.known;
    let Some((name, _)) = scope.text(platform) else {
        return;
    };
    if known.unread || !known.solids.contains(&name) {
        return;
    }
    let at = point.start_position();
    match (known.called.get(&name), scope.whole(point)) {
        (None, _) => scope.warn(
            platform.start_position(),
            format!("`{name}` cannot be sent; give it a `path` with `loop = \"called\"` in its level"),
        ),
        (Some(&count), Some(number)) if !(0..count as i64).contains(&number) => {
            let last = count.saturating_sub(1);
            let message = format!("`{name}` has no point {number}; its path has the points 0 to {last}");
            scope.warn(at, message);
        }
        _ => {}
    }
}

/// What is read although no script keeps it.
fn kept(name: &Expr, scope: &Scope<'_>) {
    let Some((name, at)) = scope.text(name) else {
        return;
    };
    let (file, known) = (scope.file, scope.file.known);
    if file.game.kept.may_include(&name) || known.words_in_tests.contains(&name) {
        return;
    }
    let hint = did_you_mean(nearest(&name, file.game.kept.names()));
    scope.warn(at, format!("no script keeps `{name}`, so this is always `()`{hint}"));
}

/// A text that is compared with a name.
pub(super) fn compared(of: Type, with: &Expr, scope: &Scope<'_>) {
    let (Type::Name(names), Some((text, at))) = (of, scope.text(with)) else {
        return;
    };
    match names {
        // A level's own events have this kind.
        Names::Kind if text == "level" => {}
        Names::Model | Names::Mode | Names::HookState => {
            let known = names.fixed().unwrap_or_default();
            if !known.contains(&text) {
                let hint = suggestion(&text, known.iter().map(String::as_str));
                scope.warn(at, format!("this is never `{text}`{hint}"));
            }
        }
        _ => {
            if let Some(message) = unknown_name(names, &text, scope.file.known) {
                scope.warn(at, message);
            }
        }
    }
}

/// A name that is the same in every game.
pub(super) fn fixed(names: Names, text: &str, at: Position, scope: &Scope<'_>) {
    let known = names.fixed().unwrap_or_default();
    if !known.iter().any(|name| name == text) {
        let hint = suggestion(text, known.iter().map(String::as_str));
        let (_, what) = names.what().split_once(' ').unwrap_or_default();
        scope.error(at, format!("there is no {what} `{text}`{hint}"));
    }
}

/// An action: one that every game has, or one that this game defines.
fn action(text: &str, at: Position, scope: &Scope<'_>) {
    let own = scope.file.known.actions.iter().map(String::as_str);
    let own = OwnActions::new(own);
    if own.parse(text).is_none() {
        let hint = suggestion(text, own.all_names());
        scope.error(at, format!("there is no action `{text}`{hint}"));
    }
}

/// The message about a name that no file of the game defines. Files that cannot be read may
/// define any name.
fn unknown_name(names: Names, text: &str, known: &GameNames) -> Option<String> {
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

/// The hint with the right name, or nothing.
pub(super) fn did_you_mean(right: Option<impl std::fmt::Display>) -> String {
    right.map_or_else(String::new, |right| format!("; did you mean `{right}`?"))
}

/// An event that a script emits or sets a timer for.
fn emitted_event(call: &str, name: &str, at: Position, scope: &Scope<'_>) {
    if let Err(wrong) = check_custom_event(call, name) {
        return scope.error(at, wrong.to_string());
    }
    let (file, hook) = (scope.file, format!("on_{name}"));
    let handled =
        file.game.handled.contains(name) || file.known.queried_events.contains(name) || file.script.has_function(&hook);
    if call == "cancel" || handled || file.game.unread {
        return;
    }
    let handled = file.game.handled.iter().map(String::as_str);
    let own = handled.filter(|n| !EVENTS.iter().any(|hook| hook.event() == Some(n)));
    let hint = did_you_mean(nearest(name, own));
    let message = format!("no script handles `{name}`, as there is no `fn {hook}`{hint}");
    scope.warn(at, message);
}

/// A level that a test plays. It may be in another folder.
fn level(name: &str, at: Position, known: &GameNames, scope: &Scope<'_>) {
    if known.may_be_level(name) {
        return;
    }
    let file = |level: &'_ str| level.rsplit('/').next().unwrap_or_default().to_string();
    let mut files: Vec<String> = known.levels.iter().map(|level| file(level)).collect();
    if !name.ends_with(".toml") && !name.ends_with(".tmx") {
        let stem = |file: &String| file.trim_end_matches(".toml").trim_end_matches(".tmx").to_string();
        files = files.iter().map(stem).collect();
    }
    let hint = did_you_mean(nearest(name, files.iter().map(String::as_str)));
    scope.warn(at, format!("there is no level `{name}`{hint}"));
}

/// A setting for a test's level, if it is a model's tunable.
pub(super) fn setting(key: &str, at: Position, scope: &Scope<'_>) {
    let (root, _) = key.split_once('.').unwrap_or((key, ""));
    let models = Names::Model.fixed().unwrap_or_default();
    if models.iter().any(|model| model == root) {
        if let Err(wrong) = check_tunable(None, key) {
            scope.error(at, wrong.to_string());
        }
    } else if let Some(right) = nearest(root, models.iter().map(String::as_str)) {
        let message = format!("there is no setting `{root}`; did you mean `{right}`?");
        scope.error(at, message);
    }
}

/// A solid that is switched, although it is always present.
fn switchable(name: &str, at: Position, known: &GameNames, scope: &Scope<'_>) {
    let fixed = known.solids.contains(name) && !known.switched.contains(name);
    if fixed && !known.unread {
        let message = format!("`{name}` cannot be switched; give the solid the key `present` in its level");
        scope.warn(at, message);
    }
}

/// `p2.jump` without the player.
fn without_player(text: &str) -> &str {
    match text.split_once('.') {
        Some((player, rest)) if player.starts_with('p') => rest,
        _ => text,
    }
}
