//! Names in a game that scripts use: functions, variables of `this`, and texts that name something.

use hangtime_core::models::ModelName;
use hangtime_game::GameCheck;
use hangtime_script::api::Names;
use hangtime_script::hooks;
use std::collections::BTreeSet;

/// The names after each `before` in a text, where it is a word by itself.
pub(super) fn names_after<'t>(text: &'t str, before: &str) -> BTreeSet<&'t str> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let name = |(at, _): (usize, &str)| {
        if text[..at].ends_with(inside) {
            return None;
        }
        let rest = &text[at + before.len()..];
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    };
    text.match_indices(before).filter_map(name).collect()
}

/// The functions that a script declares, with their parameters.
pub(super) fn functions_of(text: &str) -> Vec<(&str, &str)> {
    let declared = text.split("fn ").skip(1).filter_map(|rest| {
        let (name, rest) = rest.split_once('(')?;
        let (parameters, _) = rest.split_once(')')?;
        let word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        (word && !name.is_empty()).then_some((name, parameters))
    });
    declared.collect()
}

/// The variables that a script has: those it names, and those that any kind, entity or level sets.
pub(super) fn variables_of(text: &str, game: &GameCheck<'_>) -> BTreeSet<String> {
    let functions = functions_of(text);
    let own = names_after(text, "this.").into_iter();
    let own = own.filter(|name| functions.iter().all(|(other, _)| other != name));
    let set = game.known().vars.iter().cloned();
    own.map(String::from).chain(set).collect()
}

/// All texts from a set of names.
pub(super) fn texts_of(names: Names, game: &GameCheck<'_>) -> Vec<String> {
    let known = game.known();
    if let Some(mut fixed) = names.fixed() {
        if names == Names::Action {
            fixed.extend(known.actions.iter().cloned());
        }
        return fixed;
    }
    let listed = |set: &BTreeSet<String>| set.iter().cloned().collect();
    match names {
        Names::PlayerAction => texts_of(Names::Action, game),
        Names::PlayerAxis => Names::Axis.fixed().unwrap_or_default(),
        Names::Kind => listed(&known.kinds),
        Names::Picture => listed(&known.pictures),
        Names::Sound => listed(&known.sounds),
        Names::Entity => listed(&known.entities),
        Names::Solid => listed(&known.solids),
        Names::Surface => listed(&known.surfaces),
        Names::Zone => listed(&known.zones),
        Names::Level => listed(&known.levels),
        Names::Event => {
            let events = hooks().filter_map(|hook| hook.event());
            events.map(String::from).chain(own_events(game)).collect()
        }
        Names::OwnEvent => own_events(game),
        _ => Vec::new(),
    }
}

/// The events that scripts of the game have hooks for, except the built-in ones.
fn own_events(game: &GameCheck<'_>) -> Vec<String> {
    let built_in: BTreeSet<&str> = hooks().filter_map(|hook| hook.event()).collect();
    let texts = game.scripts().values();
    let handled = texts.flat_map(|file| names_after(&file.text, "fn on_"));
    let own: BTreeSet<&str> = handled.filter(|name| !built_in.contains(name)).collect();
    own.into_iter().map(String::from).collect()
}

/// The model whose table a byte of a TOML file is in.
pub(super) fn model_around(text: &str, offset: usize) -> Option<ModelName> {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    // A line of an array may begin with a bracket, too.
    let header = before[..line].lines().rev().find_map(header_of)?;
    ModelName::parse(header.rsplit('.').next()?.trim())
}

/// The name in the header of a table, if a line is one.
fn header_of(line: &str) -> Option<&str> {
    let line = line.split('#').next()?.trim();
    let name = line.trim_start_matches('[').trim_end_matches(']').trim();
    let plain = |c: char| c.is_alphanumeric() || "_-. \"".contains(c);
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '"');
    (line.starts_with('[') && line.ends_with(']') && is_name && name.chars().all(plain)).then_some(name)
}
