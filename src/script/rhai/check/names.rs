//! Texts that have to be one of some names: actions, models, tunables, kinds, surfaces, events.

use super::inspect::Role;
use super::source::{Function, start};
use super::walk::Walker;
use crate::script::host::api::{ApiEntry, Names, Owner, Type};
use crate::script::host::names::{nearest, suggestion};
use crate::script::host::{EVENTS, PLAIN_SURFACE};
use crate::script::rhai::api::{
    check_custom_event, check_event_filter, check_setting, check_tunable,
};
use rhai::{EvalAltResult, Expr, Position};
use std::collections::BTreeSet;

impl Walker<'_> {
    /// The text that an expression certainly is, and where it stands.
    pub fn text(&self, expression: &Expr) -> Option<(String, Position)> {
        match expression {
            Expr::StringConstant(text, at) => Some((text.to_string(), *at)),
            Expr::CharConstant(letter, at) => Some((letter.to_string(), *at)),
            Expr::Variable(variable, _, at) if !self.is_local(&variable.1) => {
                let constant = self.source.constants.get(variable.1.as_str())?;
                Some((constant.text.clone()?, *at))
            }
            _ => None,
        }
    }

    /// Arguments that name something.
    pub fn named_arguments(&mut self, entry: &ApiEntry, arguments: &[&Expr]) {
        for (parameter, argument) in entry.parameters.iter().zip(arguments) {
            if let (Type::Name(names), Some((text, at))) = (parameter.takes, self.text(argument)) {
                self.name(names, entry, &text, at);
            }
        }
        if let ("tune", Owner::Me, [key, value]) = (entry.name, entry.owner, arguments)
            && let (Some((key, _)), Some(value)) = (self.text(key), value.get_literal_value(None))
            && check_tunable(None, &key).is_ok()
            && let Err(wrong) = check_setting(&key, &value)
        {
            self.error(start(arguments[1]), told(&wrong));
        }
    }

    fn name(&mut self, names: Names, entry: &ApiEntry, text: &str, at: Position) {
        match names {
            Names::Action | Names::Axis | Names::Model => self.fixed(names, text, at),
            Names::PlayerAction => self.fixed(Names::Action, bare(text), at),
            Names::PlayerAxis => self.fixed(Names::Axis, bare(text), at),
            Names::Tunable => {
                if let Err(wrong) = check_tunable(None, text) {
                    self.error(at, told(&wrong));
                }
            }
            Names::OwnEvent => self.own_event(entry.name, text, at),
            Names::Event => self.any_event(text, at),
            Names::Entity => self.entity(text, at),
            Names::Level => self.level(text, at),
            Names::Setting => self.setting(text, at),
            Names::Kind => self.kind(entry.name, text, at),
            Names::Solid => {
                let known = self.inspector.known.solids.clone();
                self.unknown("solid", "no level has a solid", text, &known, at);
                self.switched(entry.name, text, at);
            }
            _ => {}
        }
    }

    /// One of names that are the same in every game.
    pub fn fixed(&mut self, names: Names, text: &str, at: Position) {
        let known = names.fixed().unwrap_or_default();
        if !known.iter().any(|name| name == text) {
            let hint = suggestion(text, known.iter().map(String::as_str));
            let what = names
                .what()
                .trim_start_matches("an ")
                .trim_start_matches("a ");
            self.error(at, format!("there is no {what} `{text}`{hint}"));
        }
    }

    /// An event that a script tells.
    fn own_event(&mut self, call: &str, name: &str, at: Position) {
        if let Err(wrong) = check_custom_event(call, name) {
            self.error(at, told(&wrong));
            return;
        }
        let heard = self.inspector.survey.heard.contains(name)
            || self.inspector.known.looked_for.contains(name)
            || !self.source.parameters_of(&format!("on_{name}")).is_empty();
        if call == "cancel" || heard || self.inspector.survey.unread {
            return;
        }
        let listeners = self.inspector.survey.heard.iter().map(String::as_str);
        let own = listeners.filter(|n| !EVENTS.iter().any(|hook| hook.event() == Some(n)));
        let hint = nearest(name, own)
            .map_or_else(String::new, |right| format!("; did you mean `{right}`?"));
        self.warn(
            at,
            format!("no script has `fn on_{name}`: nobody is told{hint}"),
        );
    }

    /// An event that a test looks for.
    fn any_event(&mut self, name: &str, at: Position) {
        let told = &self.inspector.survey.tells;
        if let Err(wrong) = check_event_filter(name, |name| told.may_tell(name)) {
            self.error(at, wrong);
        }
    }

    fn kind(&mut self, call: &str, name: &str, at: Position) {
        let known = &self.inspector.known.kinds;
        if known.is_empty() || known.contains(name) {
            return;
        }
        let hint = suggestion(name, known.iter().map(String::as_str));
        let what = format!("there is no kind `{name}`{hint}");
        // Whoever asks for all of a kind that is not there finds none.
        if call == "create" {
            self.error(at, what);
        } else {
            self.warn(at, what);
        }
    }

    /// A level that some folder has, as tests may lie beside theirs.
    fn level(&mut self, name: &str, at: Position) {
        let game = &self.inspector.known;
        if !game.may_be_level(name) {
            let files = game
                .levels
                .iter()
                .map(|level| level.rsplit('/').next().unwrap_or(level));
            let ending = if name.ends_with(".toml") { "" } else { ".toml" };
            let files: Vec<&str> = files.map(|file| file.trim_end_matches(ending)).collect();
            let hint = nearest(name, files)
                .map_or_else(String::new, |right| format!("; did you mean `{right}`?"));
            self.warn(at, format!("there is no level `{name}`{hint}"));
        }
    }

    /// The key of a setting, as far as it is a model's tunable.
    pub fn setting(&mut self, key: &str, at: Position) {
        let (root, _) = key.split_once('.').unwrap_or((key, ""));
        let known = Names::Model.fixed().unwrap_or_default();
        if known.iter().any(|model| model == root) {
            if let Err(wrong) = check_tunable(None, key) {
                self.error(at, told(&wrong));
            }
        } else if let Some(right) = nearest(root, known.iter().map(String::as_str)) {
            self.error(
                at,
                format!("nothing is called `{root}`; did you mean `{right}`?"),
            );
        }
    }

    /// An entity that some level has, or that may be created.
    pub fn entity(&mut self, name: &str, at: Position) {
        let game = &self.inspector.known;
        if !game.may_be_entity(name) {
            let known: BTreeSet<String> = game.entities.union(&game.kinds).cloned().collect();
            self.unknown("entity", "no level has an entity", name, &known, at);
        }
    }

    /// A solid that is there, and stays as it is.
    fn switched(&mut self, call: &str, name: &str, at: Position) {
        let known = &self.inspector.known;
        let fixed = known.solids.contains(name) && !known.switched.contains(name);
        if call == "set_solid" && fixed && !known.unread {
            let what = format!(
                "no solid `{name}` has the key `present`: only those that have it can be switched"
            );
            self.warn(at, what);
        }
    }

    /// A name that some file of the game should have.
    pub fn unknown(
        &mut self,
        what: &str,
        none: &str,
        text: &str,
        known: &BTreeSet<String>,
        at: Position,
    ) {
        // What could not be read may have it.
        let unread = self.inspector.known.unread && what != "kind";
        let plain = what == "surface" && text == PLAIN_SURFACE;
        if plain || unread || known.is_empty() || known.contains(text) || text.is_empty() {
            return;
        }
        let hint = match nearest(text, known.iter().map(String::as_str)) {
            Some(right) => format!("; did you mean `{right}`?"),
            None if what == "surface" => suggestion(text, known.iter().map(String::as_str)),
            None => String::new(),
        };
        self.warn(at, format!("{none} `{text}`{hint}"));
    }

    /// Level scripts are asked nothing.
    pub fn bodiless_rule(&mut self, function: &Function) {
        if let (Role::Level, Some(rule)) = (self.role, self.rule) {
            let what = rule.not_of_levels();
            let written =
                crate::script::rhai::check::written_functions(&self.source.ast, &self.source.file);
            let at = written.into_iter().find(|w| w.name == function.name);
            if let Some(at) = at {
                self.error_at(at.place, what);
            }
        }
    }
}

/// Without the player: `p2.jump` is `jump`.
fn bare(text: &str) -> &str {
    match text.split_once('.') {
        Some((player, rest)) if player.starts_with('p') => rest,
        _ => text,
    }
}

/// What a registered function would have said.
fn told(wrong: &EvalAltResult) -> String {
    match wrong {
        EvalAltResult::ErrorRuntime(value, _) => value.to_string(),
        other => other.to_string(),
    }
}
