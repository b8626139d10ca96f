//! Names in a game that scripts use: functions, variables of `this`, and texts that name something.

use super::*;
use hangtime_script::calls::NAMED_COLORS;

/// The names after each `before` in a text, where it is a word by itself.
fn names_after<'t>(text: &'t str, before: &str) -> BTreeSet<&'t str> {
    let name = |(at, _): (usize, &str)| {
        let rest = &text[at + before.len()..];
        let name = &rest[..rest.find(|c| !in_word(c)).unwrap_or(rest.len())];
        (!text[..at].ends_with(in_word) && !name.is_empty()).then_some(name)
    };
    text.match_indices(before).filter_map(name).collect()
}

/// The variables that a script names, and the ones that the kinds, entities and levels with this script set.
pub fn variables_of(file: &EditedFile<'_>) -> BTreeSet<String> {
    let functions = file.language().functions(file.text);
    let own = names_after(file.text, &format!("{}.", file.spelling().variables)).into_iter();
    let own = own.filter(|name| functions.iter().all(|function| function.name != *name));
    own.map(String::from).chain(file.game.vars_of(&file.name())).collect()
}

/// The texts that fit in quotes.
pub fn texts_that_fit(file: &EditedFile<'_>, role: TextRole) -> Vec<String> {
    match role {
        TextRole::Names(names) => texts_of(names, file.game),
        TextRole::Color => NAMED_COLORS.iter().map(|(name, _)| (*name).into()).collect(),
        TextRole::Script => file.game.scripts_for(&file.name(), !file.is_toml()),
        TextRole::State => {
            let functions = file.language().functions(file.text).into_iter();
            functions
                .filter_map(|function| Some(function.name.strip_prefix("state_")?.into()))
                .collect()
        }
        TextRole::Plain => Vec::new(),
    }
}

/// All texts from a set of names.
pub fn texts_of(names: Names, game: &GameCheck<'_>) -> Vec<String> {
    let known = game.known();
    if let Some(mut fixed) = names.fixed() {
        if names == Names::Action {
            fixed.extend(known.actions.iter().cloned());
        }
        return fixed;
    }
    let listed = match names {
        Names::PlayerAction => return texts_of(Names::Action, game),
        Names::PlayerAxis => return Names::Axis.fixed().unwrap_or_default(),
        Names::Event => {
            let events = hooks().filter_map(|hook| hook.event());
            return events.map(String::from).chain(own_events(game)).collect();
        }
        Names::OwnEvent => return own_events(game),
        Names::Kind => &known.kinds,
        Names::Picture => &known.pictures,
        Names::Sound => &known.sounds,
        Names::Entity => return known.entity_kinds.keys().cloned().collect(),
        Names::Solid => &known.solids,
        Names::Surface => &known.surfaces,
        Names::Zone => &known.zones,
        Names::Level => &known.levels,
        _ => return Vec::new(),
    };
    listed.iter().cloned().collect()
}

/// The events that scripts of the game have hooks for, except the built-in ones.
fn own_events(game: &GameCheck<'_>) -> Vec<String> {
    let built_in: BTreeSet<&str> = hooks().filter_map(|hook| hook.event()).collect();
    let functions = game.scripts().values().flat_map(|file| game.functions_of(file));
    let handled = functions.filter_map(|function| function.name.strip_prefix("on_"));
    let own: BTreeSet<&str> = handled.filter(|name| !built_in.contains(name)).collect();
    own.into_iter().map(String::from).collect()
}
