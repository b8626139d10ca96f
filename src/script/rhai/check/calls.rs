//! Calls: who is called, with how many and what arguments, and what it answers.

use super::expressions::captures;
use super::inspect::Role;
use super::source::Key;
use super::types::{fits, owner, present};
use super::walk::Walker;
use crate::script::host::api::{Entry, Kind, Owner, Param, Room, Type};
use crate::script::host::names::nearest;
use crate::script::host::{SIGNAL_EVENT, find_hook};
use crate::script::rhai::api::bodiless;
use crate::script::rhai::messages::elsewhere;
use crate::script::rhai::messages::likely::of_text;
use rhai::{Expr, FnCallExpr, Ident, Position};

/// Methods of arrays whose closures are given an element first.
const FOR_ELEMENTS: [&str; 7] = [
    "all", "filter", "find", "find_map", "index_of", "map", "some",
];

/// What acts, and cannot while a tick asks a rule.
const DEEDS: [&str; 4] = ["create", "emit", "jump_to", "set_solid"];

impl Walker<'_> {
    /// A call by a bare name.
    pub fn plain_call(&mut self, call: &FnCallExpr, at: Position) -> Type {
        let name = call.name.as_str();
        let types: Vec<Type> = call.args.iter().map(|a| self.expression(a)).collect();
        self.comparison(name, &call.args, &types, at);
        self.stepwise(name, &call.args);
        if let ("play", Room::Test, [_, Expr::Map(map, _)]) =
            (name, self.vocabulary.room, call.args.as_slice())
        {
            for (key, _) in &map.0 {
                self.setting(&key.name, key.pos);
            }
        }
        if name == "Fn" && types.len() == 1 {
            self.pointer(&call.args[0]);
            return Type::Function;
        }
        let key: Key = (name.to_string(), types.len());
        if self.source.functions.contains_key(&key) {
            self.note_given(key.clone(), &types);
            if self.source.uses_this.contains(&key) && self.role != Role::Test {
                let parts: Vec<&str> = call.args.iter().map(|a| self.text_at(a)).collect();
                let what = format!(
                    "`{name}` uses `this`, which it is not given here: write `this.{name}({})`",
                    parts.join(", ")
                );
                self.error(at, what);
            }
            return Type::Any;
        }
        let arguments: Vec<&Expr> = call.args.iter().collect();
        self.native(name, &arguments, &types, None, at)
    }

    /// A call on a value.
    pub fn method_call(&mut self, on: Type, call: &FnCallExpr, at: Position) -> Type {
        let name = call.name.as_str();
        let on = present(on);
        let hints = match on {
            Type::Test if name == "run_until" => vec![Type::Test],
            Type::Array(each) if FOR_ELEMENTS.contains(&name) => vec![*each],
            _ => Vec::new(),
        };
        if on == Type::Test && name == "run_until" {
            self.taken(call.args.first());
        }
        let mut types: Vec<Type> = call.args.iter().map(|a| self.value(a, &hints)).collect();
        let key: Key = (name.to_string(), types.len());
        if self.source.functions.contains_key(&key) {
            self.note_given(key, &types);
            return Type::Any;
        }
        if let (Type::Array(each), "contains", [value]) = (on, name, call.args.as_slice()) {
            self.compared(*each, value);
        }
        types.insert(0, on);
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let answer = self.native(name, &arguments, &types, Some(on), at);
        if let (Type::Test, "events", [Expr::StringConstant(event, _)]) =
            (on, name, call.args.as_slice())
        {
            return shape_of_event(event);
        }
        answer
    }

    /// A closure that is given the level being played, and takes no parameter. One that captures what it is
    /// passed to is told of in every compilation.
    fn taken(&mut self, closure: Option<&Expr>) {
        let Some((names, pointer)) = closure.and_then(captures) else {
            return;
        };
        let function = self.source.closures.get(pointer.fn_name());
        let played = |(name, _): &(Ident, _)| self.look_up(&name.name) == Type::Test;
        if function.is_some_and(|f| f.parameters.len() == names.len())
            && let Some((first, _)) = names.first()
            && !names.iter().any(played)
        {
            let what = "this closure is given the level being played: take it as a parameter, as in `|t| …`";
            self.error(first.pos, what);
        }
    }

    /// A call of what is registered, or of what is not there. Of a call on a value `types` begins with
    /// the value's.
    fn native(
        &mut self,
        name: &str,
        arguments: &[&Expr],
        types: &[Type],
        on: Option<Type>,
        at: Position,
    ) -> Type {
        let callable = on.is_none() && (self.is_local(name) || self.is_constant(name));
        if callable {
            if !self.vocabulary.knows(name) && self.source.parameters_of(name).is_empty() {
                let what = format!(
                    "`{name}` is a variable: what it holds is called with `call`, as in `{name}.call(…)`"
                );
                self.error(at, what);
            }
            return Type::Any;
        }
        if !self.vocabulary.takes(name, types.len()) {
            self.no_such_call(name, types, on, at);
            return Type::Any;
        }
        if let Some(owner) = on.and_then(owner)
            && !self.vocabulary.takes_on(name, types.len(), owner)
        {
            self.not_on_this(name, owner, types, at);
            return Type::Any;
        }
        if on.is_some_and(|on| self.plain_method(on, name, types.len(), at)) {
            return Type::Any;
        }
        let calls = |e: &&Entry| {
            e.kind == Kind::Function && e.owner != Owner::World && given_to(e).len() == types.len()
        };
        let named: Vec<&Entry> = self.vocabulary.entries(name).filter(calls).collect();
        let accepts = |e: &&&Entry| {
            let pairs = types.iter().zip(given_to(e));
            pairs
                .into_iter()
                .all(|(given, wanted)| fits(*given, wanted))
        };
        let fitting: Vec<&&Entry> = named.iter().filter(accepts).collect();
        // On a value of ours it is ours, however the language calls what its own values have.
        let ours = on.and_then(owner).is_some() || self.vocabulary.only_ours(name, types.len());
        if named.is_empty() || !ours {
            return Type::Any;
        }
        let Some(first) = fitting.first() else {
            self.wrong_arguments(name, types, &named, at);
            return Type::Any;
        };
        self.deed(name, first.owner, at);
        let own = types.len() - first.parameters.len();
        if arguments.len() == types.len() - usize::from(on.is_some()) {
            let skipped = own.saturating_sub(usize::from(on.is_some()));
            self.named_arguments(first, &arguments[skipped.min(arguments.len())..]);
        }
        let same = fitting.iter().all(|e| e.returns == first.returns);
        if same && !matches!(first.returns, Type::Data) {
            first.returns
        } else {
            Type::Any
        }
    }

    /// What needs a body, or cannot be done while a tick asks.
    pub fn deed(&mut self, name: &str, owner: Owner, at: Position) {
        if owner == Owner::Me && self.role == Role::Level && !bodiless(name) {
            self.error(at, format!("the level itself has no `{name}`"));
        }
        let asked = self.rule.is_some_and(|rule| rule.about.is_some()) && self.closures == 0;
        if asked && DEEDS.contains(&name) && matches!(owner, Owner::Me | Owner::World) {
            let what =
                format!("`{name}` cannot be called while a tick asks a rule; call it in an event");
            self.error(at, what);
        }
    }

    pub fn is_constant(&self, name: &str) -> bool {
        self.source.constants.contains_key(name)
    }

    /// The text of an expression, if it is short and on one line.
    fn text_at(&self, expression: &Expr) -> &str {
        match expression {
            Expr::Variable(variable, ..) => {
                let name = variable.1.as_str();
                let text = &self.source.file.text;
                text.find(name).map_or("…", |at| &text[at..at + name.len()])
            }
            _ => "…",
        }
    }

    fn no_such_call(&mut self, name: &str, types: &[Type], on: Option<Type>, at: Position) {
        let written = self.source.parameters_of(name);
        if let Some(parameters) = written.first() {
            let count = types.len() - usize::from(on.is_some());
            let what = format!(
                "`{name}` takes {}, and this call gives {}",
                count_of(*parameters),
                if count == 0 {
                    "none".into()
                } else {
                    count.to_string()
                }
            );
            self.error(at, what);
            return;
        }
        // A map may hold a function, which is called as if it were a method.
        let map = on.is_some_and(|on| matches!(on, Type::Any | Type::Data | Type::Map(_)));
        if map && (self.inspector.survey.keys.contains(name) || self.keys.contains(name)) {
            return;
        }
        if self.vocabulary.knows(name) {
            let called = |e: &&Entry| e.kind == Kind::Function && e.owner != Owner::World;
            let named: Vec<&Entry> = self.vocabulary.entries(name).filter(called).collect();
            // What the language has, too, can be called in more ways than are told here.
            if !named.is_empty() || on.is_none() {
                self.wrong_arguments(name, types, &named, at);
            } else {
                let what = format!("`{name}` takes another number of arguments");
                self.error(at, what);
            }
            return;
        }
        let hint = self.call_hint(name, on);
        self.error(at, format!("there is no function `{name}`{hint}"));
    }

    fn call_hint(&self, name: &str, on: Option<Type>) -> String {
        let meant = |right: String| format!("; did you mean `{right}`?");
        let everywhere = crate::script::rhai::api::entries().iter();
        let exact: Vec<&Entry> = everywhere
            .filter(|e| e.name == name && e.kind != Kind::Operator)
            .collect();
        if let Some(entry) = exact.iter().find(|e| e.room.is_in(self.vocabulary.room)) {
            return meant(entry.signature());
        }
        if let Some(entry) = exact.first() {
            let room = match entry.room {
                Room::Test => "in tests",
                _ => "in behaviors",
            };
            return format!(": `{}` is there {room} only", entry.signature());
        }
        if let Some(right) = elsewhere::call(name, self.vocabulary.room) {
            return format!("; it is {right}");
        }
        if let Some(owner) = on.and_then(owner)
            && let Some(right) = nearest(name, self.vocabulary.names_of(owner))
        {
            let entry = self.vocabulary.entries(right).find(|e| e.owner == owner);
            return meant(entry.map_or_else(|| right.to_string(), Entry::signature));
        }
        let own = self.source.functions.keys().map(|(name, _)| name.as_str());
        let known = own.chain(self.vocabulary.names());
        nearest(name, known).map_or_else(String::new, |right| meant(right.to_string()))
    }

    fn not_on_this(&mut self, name: &str, of: Owner, types: &[Type], at: Position) {
        let own = |e: &&Entry| e.kind == Kind::Function && e.owner == of;
        let own: Vec<&Entry> = self.vocabulary.entries(name).filter(own).collect();
        if !own.is_empty() {
            self.wrong_arguments(name, types, &own, at);
            return;
        }
        let whose = of.of_type().map_or_else(String::new, |t| t.spoken());
        let property = |e: &&Entry| matches!(e.kind, Kind::Property(_)) && e.owner == of;
        let right = match self.vocabulary.entries(name).find(property) {
            Some(entry) => format!("; it is read as `{}`", entry.signature()),
            None => {
                let called = |e: &&Entry| e.kind == Kind::Function;
                let entry = self.vocabulary.entries(name).find(called);
                entry.map_or_else(String::new, |e| format!("; it is `{}`", e.signature()))
            }
        };
        self.error(at, format!("`{name}` cannot be called on {whose}{right}"));
    }

    /// A call that nothing takes, with those that it could be.
    pub fn wrong_arguments(&mut self, name: &str, types: &[Type], named: &[&Entry], at: Position) {
        let given: Vec<String> = types.iter().map(|t| shown(*t)).collect();
        let mut right: Vec<String> = named.iter().map(|e| e.signature()).collect();
        right.dedup();
        let hint = if name == "print" {
            "; it takes one value, as in print(`${a} ${b}`)".into()
        } else if right.is_empty() {
            String::new()
        } else {
            format!(": it is `{}`", right.join("` or `"))
        };
        let given = given.join(", ");
        let more = of_text(name, &given);
        let what = format!("`{name}` cannot be called as `{name}({given})`{hint}{more}");
        self.error(at, what);
    }
}

/// What an entry is given in all: its owner's value first, if it has one.
pub(super) fn given_to(entry: &Entry) -> Vec<Type> {
    let own = entry.owner.of_type().into_iter();
    own.chain(entry.parameters.iter().map(|p: &Param| p.takes))
        .collect()
}

/// A type in a signature, as messages have it.
fn shown(of: Type) -> String {
    match of {
        Type::Me => "me".into(),
        Type::Any | Type::Data => "…".into(),
        Type::Whole | Type::Number => "number".into(),
        Type::Text | Type::Name(_) => "text".into(),
        Type::Map(_) => "map".into(),
        Type::Array(_) => "array".into(),
        Type::Vec => "vec".into(),
        Type::Function => "function".into(),
        other => other.spoken(),
    }
}

pub(super) fn count_of(parameters: usize) -> String {
    match parameters {
        0 => "no parameters".into(),
        1 => "1 parameter".into(),
        n => format!("{n} parameters"),
    }
}

/// What tests see of the events of one name.
fn shape_of_event(event: &str) -> Type {
    static SIGNALS: Type = Type::Map(&SIGNAL_EVENT);
    let hook = find_hook(&format!("on_{event}"));
    match hook.and_then(|hook| hook.about) {
        Some(shape) => Type::Array(events_of(shape)),
        None if hook.is_none() => Type::Array(&SIGNALS),
        None => Type::Any,
    }
}

/// A type that lives as long as its shape does.
fn events_of(shape: &'static crate::script::host::api::Shape) -> &'static Type {
    use std::sync::OnceLock;
    static ALL: OnceLock<Vec<Type>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let events = crate::script::host::EVENTS.iter();
        events
            .filter_map(|hook| hook.about.map(Type::Map))
            .collect()
    });
    all.iter()
        .find(|t| **t == Type::Map(shape))
        .unwrap_or(&Type::Any)
}
