//! Checks of names: variables, and text that must name an action, a kind, an event and so on.

use super::*;

impl Scope<'_> {
    /// Reports a variable that does not exist; `member` is the name after the dot that follows it, if there is one,
    /// and `resolved` says that the parser has found its declaration.
    pub fn check_variable(&self, name: &str, member: &str, resolved: bool, at: Position) {
        let declared = resolved
            || self.is_local(name)
            || self.is_constant(name)
            || self.file.script.has_function(name)
            || self.closures > 0;
        if !declared {
            let hint = self.variable_hint(name, member);
            self.error(at, format!("there is no variable `{name}`{hint}"));
        }
    }

    /// Reports an assignment to a variable that does not exist.
    pub fn check_declared(&self, name: &str, at: Position) {
        if self.file.script.has_function(name) || self.closures > 0 {
            return;
        }
        let hint = match self.variable_hint(name, "") {
            hint if hint.is_empty() => not_declared(name),
            hint => hint,
        };
        self.error(at, format!("there is no variable `{name}`{hint}"));
    }

    fn variable_hint(&self, name: &str, member: &str) -> String {
        let file = self.file;
        let in_test = file.role == ScriptRole::Test;
        match name {
            "me" if !in_test => {
                let right = &self.function.with_me;
                return format!(" here; functions see only their parameters, so write `fn {right}`");
            }
            "self" if !in_test => return "; use `this` for variables and `me` for the entity".into(),
            _ => {}
        }
        let known = |name: &str| file.vocabulary.knows(name);
        if let Some(right) = elsewhere::variable(name, member, file.vocabulary.api_set, known) {
            return format!("; use {right}");
        }
        if file.vocabulary.takes(name, 0, |_| true) {
            return format!("; call it as `{name}()`");
        }
        let constants = file.script.constants.keys().map(String::as_str);
        let locals = self.locals.iter().map(|local| local.name.as_str());
        let mut right = nearest(name, locals.chain(constants)).map(String::from);
        if right.is_none() && !in_test {
            let of_this = file.script.assigns_to(name);
            let of_me = file.vocabulary.names_of(Owner::Me).contains(&name);
            right = of_this.then(|| format!("this.{name}"));
            right = right.or_else(|| of_me.then(|| format!("me.{name}")));
        }
        did_you_mean(right)
    }

    /// `"${name}"` in quotes, where nothing is inserted. A script that takes text apart may want it.
    pub fn check_dollar_text(&self, text: &str, at: Position) {
        let inside = text.split_once("${").and_then(|(_, rest)| rest.split_once('}'));
        let Some((inside, _)) = inside else {
            return;
        };
        let name = word(inside.trim_start());
        let known = name == "this" || self.is_local(name) || self.is_constant(name);
        let script = self.file.script;
        let taken_apart = ["replace", "split", "index_of", "contains"];
        let taken_apart = taken_apart.iter().any(|call| script.used.called.contains(*call));
        let start = place(&script.file, at).span.start;
        if known && !taken_apart && script.file.text[start..].starts_with('"') {
            self.warn(at, "`${…}` works only in backquotes; write `…` instead of \"…\"");
        }
    }

    /// Arguments that name something.
    pub fn check_arguments(&self, entry: &ApiEntry, arguments: &[Expr]) {
        self.check_unit(entry, arguments);
        for (parameter, argument) in entry.parameters.iter().zip(arguments) {
            if let (Type::Name(names), Some((text, at))) = (parameter.takes, self.text(argument)) {
                self.check_name(names, entry.name, (&text, at));
            }
        }
        self.check_options(entry, arguments);
        if let ("send", [platform, point]) = (entry.name, arguments) {
            self.check_sent(platform, point);
        }
        if let ("kept", Owner::World, [name]) = (entry.name, entry.owner, arguments) {
            self.check_kept_name(name);
        }
        if let ("tune", Owner::Me, [key, value]) = (entry.name, entry.owner, arguments)
            && let (Some((key, _)), Some(literal)) = (self.text(key), value.get_literal_value(None))
            && check_tunable(None, &key).is_ok()
        {
            self.report(value.start_position(), check_setting(&key, HeldArg::of(&literal).arg()));
        }
    }

    fn check_name(&self, names: Names, call: &str, (text, at): (&str, Position)) {
        let known = self.file.known;
        match names {
            Names::Action => self.check_action(text, at),
            Names::PlayerAction => self.check_action(without_player(text), at),
            Names::Axis | Names::Model => self.check_fixed(names, text, at),
            Names::PlayerAxis => self.check_fixed(Names::Axis, without_player(text), at),
            Names::Tunable => self.report(at, check_tunable(None, text)),
            Names::OwnEvent => self.check_emitted(call, text, at),
            Names::Event => {
                self.report(at, check_event_filter(text, |name: &str| self.file.game.emitted.may_include(name)));
            }
            Names::Level => self.check_level(text, at),
            Names::Setting => self.check_setting_key(text, at),
            Names::Kind | Names::Picture | Names::Sound | Names::Entity | Names::Solid | Names::Zone => {
                match unknown_name(names, text, known) {
                    Some(message) if matches!(names, Names::Picture | Names::Sound) => self.error(at, message),
                    // Creating an unknown kind fails; looking for one finds nothing.
                    Some(message) if call == "create" => self.error(at, message),
                    Some(message) => self.warn(at, message),
                    None if call == "set_solid" => self.check_switchable(text, at),
                    None => {}
                }
            }
            _ => {}
        }
    }

    /// A point that a platform is sent to.
    fn check_sent(&self, platform: &Expr, point: &Expr) {
        let known = self.file.known;
        let Some((name, _)) = self.text(platform) else {
            return;
        };
        if known.unread || !known.solids.contains(&name) {
            return;
        }
        let at = point.start_position();
        match (known.called.get(&name), self.whole(point)) {
            (None, _) => self.warn(
                platform.start_position(),
                format!("`{name}` cannot be sent; give it a `path` with `loop = \"called\"` in its level"),
            ),
            (Some(&count), Some(number)) if !(0..count as i64).contains(&number) => {
                let last = count.saturating_sub(1);
                self.warn(at, format!("`{name}` has no point {number}; its path has the points 0 to {last}"));
            }
            _ => {}
        }
    }

    /// What is read although no script keeps it.
    fn check_kept_name(&self, name: &Expr) {
        let Some((name, at)) = self.text(name) else {
            return;
        };
        let (file, known) = (self.file, self.file.known);
        if file.game.kept.may_include(&name) || known.words_in_tests.contains(&name) {
            return;
        }
        let hint = did_you_mean(nearest(&name, file.game.kept.names.iter().map(String::as_str)));
        self.warn(at, format!("no script keeps `{name}`, so this is always `()`{hint}"));
    }

    /// A text that is compared with a name.
    pub fn check_compared(&self, of: Type, with: &Expr) {
        let (Type::Name(names), Some((text, at))) = (of, self.text(with)) else {
            return;
        };
        match names {
            // A level's own events have this kind.
            Names::Kind if text == "level" => {}
            Names::Model | Names::Mode | Names::HookState => {
                let known = names.fixed().unwrap_or_default();
                if !known.contains(&text) {
                    let hint = suggestion(&text, known.iter().map(String::as_str));
                    self.warn(at, format!("this is never `{text}`{hint}"));
                }
            }
            _ => {
                if let Some(message) = unknown_name(names, &text, self.file.known) {
                    self.warn(at, message);
                }
            }
        }
    }

    /// A name that is the same in every game.
    pub fn check_fixed(&self, names: Names, text: &str, at: Position) {
        let known = names.fixed().unwrap_or_default();
        if !known.iter().any(|name| name == text) {
            let hint = suggestion(text, known.iter().map(String::as_str));
            let (_, what) = names.what().split_once(' ').unwrap_or_default();
            self.error(at, format!("there is no {what} `{text}`{hint}"));
        }
    }

    /// An action: one that every game has, or one that this game defines.
    fn check_action(&self, text: &str, at: Position) {
        let own = self.file.known.actions.iter().map(String::as_str);
        let own = OwnActions::new(own);
        if own.parse(text).is_none() {
            let hint = suggestion(text, own.all_names());
            self.error(at, format!("there is no action `{text}`{hint}"));
        }
    }

    /// An event that a script emits or sets a timer for.
    fn check_emitted(&self, call: &str, name: &str, at: Position) {
        if let Err(wrong) = check_custom_event(call, name) {
            return self.error(at, wrong.to_string());
        }
        let (file, hook) = (self.file, format!("on_{name}"));
        let handled = file.game.handled.contains(name)
            || file.known.queried_events.contains(name)
            || file.script.has_function(&hook);
        if call == "cancel" || handled || file.game.unread {
            return;
        }
        let handled = file.game.handled.iter().map(String::as_str);
        let own = handled.filter(|n| !EVENTS.iter().any(|hook| hook.event() == Some(n)));
        let hint = did_you_mean(nearest(name, own));
        self.warn(at, format!("no script handles `{name}`, as there is no `fn {hook}`{hint}"));
    }

    /// A level that a test plays. It may be in another folder.
    fn check_level(&self, name: &str, at: Position) {
        let known = self.file.known;
        if known.may_be_level(name) {
            return;
        }
        let whole = name.ends_with(".toml") || name.ends_with(".tmx");
        let files = known.levels.iter().map(|level| level.rsplit('/').next().unwrap_or_default());
        let shown = files.map(|file| match whole {
            true => file,
            false => file.trim_end_matches(".toml").trim_end_matches(".tmx"),
        });
        let hint = did_you_mean(nearest(name, shown));
        self.warn(at, format!("there is no level `{name}`{hint}"));
    }

    /// A setting for a test's level, if it is a model's tunable.
    pub fn check_setting_key(&self, key: &str, at: Position) {
        let (root, _) = key.split_once('.').unwrap_or((key, ""));
        let models = Names::Model.fixed().unwrap_or_default();
        if models.iter().any(|model| model == root) {
            self.report(at, check_tunable(None, key));
        } else if let Some(right) = nearest(root, models.iter().map(String::as_str)) {
            self.error(at, format!("there is no setting `{root}`; did you mean `{right}`?"));
        }
    }

    /// A solid that is switched, although it is always present.
    fn check_switchable(&self, name: &str, at: Position) {
        let known = self.file.known;
        let fixed = known.solids.contains(name) && !known.switched.contains(name);
        if fixed && !known.unread {
            self.warn(at, format!("`{name}` cannot be switched; give the solid the key `present` in its level"));
        }
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

/// `p2.jump` without the player.
fn without_player(text: &str) -> &str {
    match text.split_once('.') {
        Some((player, rest)) if player.starts_with('p') => rest,
        _ => text,
    }
}
