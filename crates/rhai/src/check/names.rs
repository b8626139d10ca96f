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
        if name == "me" && !in_test {
            let right = &self.function.with_me;
            return format!(" here; functions see only their parameters, so write `fn {right}`");
        }
        let known = |name: &str| file.vocabulary.knows(name);
        if let Some(right) = elsewhere::variable(name, member, file.vocabulary.api_set, known) {
            return format!("; use {right}");
        }
        if file.vocabulary.takes(name, 0, |_| true) {
            return format!("; call it as `{name}()`");
        }
        if let Some(hint) = file.known.unquoted(name) {
            return hint;
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
        self.check_unit((entry.owner, entry.name), arguments.first());
        for (parameter, argument) in entry.parameters.iter().zip(arguments) {
            if let (Some(names), Some((text, at))) = (parameter.takes.names(), self.text(argument)) {
                self.check_name(names, entry.name, (&text, at));
            }
        }
        self.check_options(entry, arguments);
        if let ("send", [platform, point]) = (entry.name, arguments) {
            self.check_sent(platform, point);
        }
        if let ("tune", Owner::Me, [key, value]) = (entry.name, entry.owner, arguments)
            && let (Some((key, _)), Some(literal)) = (self.text(key), value.get_literal_value(None))
            && check_tunable(None, &key).is_ok()
        {
            self.report(value.start_position(), check_setting(&key, HeldArg::of(&literal).arg()));
        }
    }

    fn check_name(&self, names: Names, call: &str, (text, at): (&str, Position)) {
        match names {
            Names::OwnEvent => self.check_emitted(call, text, at),
            Names::Event => {
                self.report(at, check_event_filter(text, |name: &str| self.file.game.emitted.may_include(name)));
            }
            _ => self.add_found(at, check_named(names, text, call, self.file.known)),
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

    /// A text that is compared with a name.
    pub fn check_compared(&self, of: Type, with: &Expr) {
        let (Type::Name(names), Some((text, at))) = (of.present(), self.text(with)) else {
            return;
        };
        if let Some(message) = check_compared(names, &text, self.file.known) {
            self.warn(at, message);
        }
    }

    /// The cases of a `switch` over a name.
    pub fn check_cases(&self, of: &Expr, at: Position) {
        let file = &self.file.script.file;
        let (Type::Name(names), start) = (self.type_of(of).present(), place(file, at).span.start) else {
            return;
        };
        for (begin, label) in switch_labels(&file.text[start..]) {
            let before = &file.text[..start + begin];
            let (line, column) =
                (before.lines().count(), before.lines().last().unwrap_or_default().chars().count() + 1);
            if let (Some(why), Ok(line), Ok(column)) =
                (check_compared(names, label, self.file.known), line.try_into(), column.try_into())
            {
                self.warn(Position::new(line, column), why);
            }
        }
    }

    /// An event that a script emits or sets a timer for.
    fn check_emitted(&self, call: &str, name: &str, at: Position) {
        if let Err(wrong) = check_custom_event(call, name) {
            return self.error(at, wrong.to_string());
        }
        let (file, hook) = (self.file, format!("on_{name}"));
        let handled = file.game.handled.contains(name)
            || file.known.hears(name, file.role == ScriptRole::Test, &file.script.file.text)
            || file.script.has_function(&hook);
        if call == "cancel" || handled || file.game.unread {
            return;
        }
        let handled = file.game.handled.iter().map(String::as_str);
        let own = handled.filter(|n| !EVENTS.iter().any(|hook| hook.event() == Some(n)));
        let hint = did_you_mean(nearest(name, own));
        self.warn(at, format!("no script handles `{name}`, as there is no `fn {hook}`{hint}"));
    }
}
