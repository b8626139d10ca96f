//! What is looked for where it cannot be: names of entities in texts and numbers, and calls of `me` on `this`.

use super::chain::Link;
use super::comparisons::written;
use super::walk::Walker;
use crate::script::host::api::{ApiEntry, ApiSet, EntryKind, Names, Owner, Type};
use rhai::{Expr, FnCallExpr, Position};

/// What others call the number of letters or elements.
const LENGTHS: [&str; 4] = ["length", "size", "count", "Length"];

/// Whether it is a value of the language's own, which has the language's names alone.
fn is_plain(of: Type) -> bool {
    use Type as T;
    matches!(
        of,
        T::Text | T::Name(_) | T::Whole | T::Number | T::Flag | T::Array(_)
    )
}

impl Walker<'_> {
    /// A property that no value of the language's own has. Whether there was something to complain about.
    pub fn plain_property(
        &mut self,
        of: Type,
        name: &str,
        before: (&Expr, &[Link<'_>]),
        at: Position,
    ) -> bool {
        if !is_plain(of) || self.vocabulary.reads(name) {
            return false;
        }
        let owner = match self.vocabulary.api_set {
            ApiSet::Test => Owner::Live,
            _ => Owner::Entity,
        };
        let hint = if LENGTHS.contains(&name)
            && matches!(of, Type::Text | Type::Name(_) | Type::Array(_))
        {
            "; write `.len()`".into()
        } else if of == Type::Name(Names::Entity) && self.vocabulary.names_of(owner).contains(&name)
        {
            let path = path(before).unwrap_or_else(|| "…".into());
            let ask = if owner == Owner::Live {
                "t.entity"
            } else {
                "world::entity"
            };
            format!(", it is a name; write `{ask}({path}).{name}`")
        } else {
            let called = |e: &&ApiEntry| e.kind == EntryKind::Function && e.owner == Owner::Free;
            let entry = self.vocabulary.entries(name).find(called);
            entry.map_or_else(String::new, |e| format!("; it is `{}`", e.signature()))
        };
        self.error(at, format!("{} has no `{name}`{hint}", spoken(of)));
        true
    }

    /// A method that no value of the language's own has. Whether there was something to complain about.
    pub fn plain_method(&mut self, on: Type, name: &str, arguments: usize, at: Position) -> bool {
        if !is_plain(on) || self.vocabulary.takes_on_plain(name, arguments) {
            return false;
        }
        let called = |e: &&ApiEntry| e.kind == EntryKind::Function;
        let entry = self.vocabulary.entries(name).find(called);
        let right = entry.map_or_else(String::new, |e| format!("; it is `{}`", e.signature()));
        let whose = spoken(on);
        self.error(at, format!("`{name}` cannot be called on {whose}{right}"));
        true
    }

    /// A call on `this` of what `me` does.
    pub fn called_on_variables(&mut self, call: &FnCallExpr, at: Position) {
        let (name, arguments) = (call.name.as_str(), call.args.len() + 1);
        let own = !self.source.parameters_of(name).is_empty()
            || self.keys.contains(name)
            || self.inspector.survey.keys.contains(name);
        let plain = self.on_variables && self.closures == 0;
        if own || !plain || !self.vocabulary.only_ours(name, arguments) {
            return;
        }
        let mut named = self.vocabulary.entries(name);
        let of_me = |e: &&ApiEntry| {
            let given = e.parameters.len() + 1;
            e.owner == Owner::Me && e.kind == EntryKind::Function && given == arguments
        };
        if let Some(entry) = named.find(of_me) {
            let right = entry.signature();
            self.error(at, format!("`this` are the variables: it is `{right}`"));
        }
    }
}

/// What is said of a name is said of any text.
fn spoken(of: Type) -> String {
    match of {
        Type::Name(_) => Type::Text.spoken(),
        Type::Whole => Type::Number.spoken(),
        Type::Array(_) => "an array".into(),
        other => other.spoken(),
    }
}

/// The beginning of a chain as it is written, if it is made of names alone.
fn path((root, links): (&Expr, &[Link<'_>])) -> Option<String> {
    let mut text = written(root)?;
    for link in links {
        text += &format!(".{}", link.property()?);
    }
    Some(text)
}
