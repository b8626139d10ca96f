//! What was likely meant by a name that is not there: of the same kind, and of the same type.

use super::catalog::Catalog;
use super::elsewhere;
use crate::script::host::api::{Entry, Kind, Owner, Room};
use crate::script::host::names::nearest;

fn did_you_mean(right: Option<impl std::fmt::Display>) -> String {
    right.map_or_else(String::new, |right| format!("; did you mean `{right}`?"))
}

/// What a value of this type has in this room; nothing if the type is none of hangtime's.
fn members(catalog: &Catalog, kind: &str, room: Room) -> impl Iterator<Item = &'static Entry> {
    let of_kind = move |e: &&Entry| e.owner.of_type().is_some() && e.owner.name() == kind;
    let members: Vec<&Entry> = catalog.entries.iter().filter(of_kind).collect();
    members.into_iter().filter(move |e| e.room.is_in(room))
}

/// Of a property that a value of the type `kind` does not have.
pub(in crate::script::rhai) fn property(
    catalog: &Catalog,
    name: &str,
    kind: &str,
    room: Room,
    written: bool,
) -> String {
    let calls = members(catalog, kind, room).filter(|e| e.name == name && e.kind == Kind::Function);
    let calls: Vec<String> = calls.map(Entry::signature).collect();
    if !calls.is_empty() {
        return format!("`{name}` is called: `{}`", calls.join("` or `"));
    }
    if let (Some(right), true) = (elsewhere::property(name), moves(kind)) {
        return format!("there is no property `{name}` here; it is {right}");
    }
    // What is called is never what was to be written.
    let fitting = || members(catalog, kind, room).filter(|e| !written || e.kind != Kind::Function);
    let right = nearest(name, fitting().map(|e| e.name));
    let right = fitting().find(|e| Some(e.name) == right);
    let right = right.map(|entry| match entry.kind {
        Kind::Function => entry.signature(),
        _ => entry.name.to_string(),
    });
    let hint = did_you_mean(right);
    format!("there is no property `{name}` here{hint}")
}

/// Whether a value of this type is somebody who moves.
fn moves(kind: &str) -> bool {
    let mut owners = [Owner::Me, Owner::Entity, Owner::Live].into_iter();
    owners.any(|owner| owner.name() == kind)
}

/// Of a function that nobody knows: in a module, or called with a value of the type `first`.
pub(in crate::script::rhai) fn function(
    catalog: &Catalog,
    name: &str,
    first: &str,
    room: Room,
    source: &str,
) -> String {
    let functions = |owner: Owner| {
        let of_owner = move |e: &&Entry| e.owner == owner && e.kind == Kind::Function;
        catalog.in_room(room).filter(of_owner).map(|e| e.name)
    };
    if let Some(name) = name.strip_prefix("world::") {
        let right = catalog.signatures_of(name, Owner::World.name(), room);
        if source.contains(&format!("Fn(\"world::{name}\")")) {
            return format!(
                "; `Fn` knows no functions of modules: write a closure, `|| world::{name}()`"
            );
        }
        if functions(Owner::World).any(|known| known == name) {
            return format!("; it is `{}`", right.join("` or `"));
        }
        let right = nearest(name, functions(Owner::World));
        return did_you_mean(right.map(|right| format!("world::{right}")));
    }
    if name.contains("::") {
        return String::new();
    }
    if let Some(right) = elsewhere::call(name, room) {
        return format!("; it is {right}");
    }
    if names_after(source, "let ").any(|known| known == name) {
        return format!("; what a variable holds is called with `call`, as in `{name}.call(…)`");
    }
    let mut candidates: Vec<&str> = members(catalog, first, room)
        .filter(|e| e.kind == Kind::Function)
        .map(|e| e.name)
        .collect();
    // The language's own are called with a value.
    if candidates.is_empty() && !first.is_empty() {
        candidates.extend(catalog.language_names().map(|name| -> &str { name }));
    }
    candidates.extend(functions(Owner::Free));
    candidates.extend(names_after(source, "fn "));
    did_you_mean(nearest(name, candidates))
}

/// Of a function that is there, and is called with another number of values. Of the language's own the value that
/// one is called on counts as one, as in the call that is `shown`.
pub(in crate::script::rhai) fn miscounted(
    catalog: &Catalog,
    name: &str,
    given: usize,
    on_value: bool,
    source: &str,
    shown: &str,
) -> Option<String> {
    let own = parameters_of(name, source);
    if let [first, ..] = own.as_slice() {
        let given = given - usize::from(on_value && given > 0);
        let takes = match first {
            0 => "no parameters".into(),
            1 => "1 parameter".into(),
            n => format!("{n} parameters"),
        };
        let text = format!("`{name}` takes {takes}, and this call gives {given}");
        return (!own.contains(&given)).then_some(text);
    }
    let counts = catalog.language_counts(name);
    let last = counts.last()?;
    let text = format!("`{name}` cannot be called as `{shown}`");
    Some(match last {
        _ if counts.contains(&given) => format!("{text}: these do not go together"),
        1 => format!("{text}: it takes 1 value"),
        _ => {
            let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
            format!("{text}: it takes {} values", counts.join(" or "))
        }
    })
}

/// How many parameters the functions of this name have that a source has itself.
fn parameters_of(name: &str, source: &str) -> Vec<usize> {
    let written = source.match_indices("fn ").filter_map(|(at, _)| {
        let rest = source[at + 3..].trim_start().strip_prefix(name)?;
        let (list, _) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
        let list = list
            .split(',')
            .filter(|parameter| !parameter.trim().is_empty());
        Some(list.count())
    });
    written.collect()
}

/// Of text that was given to what makes one kind of number of the other.
pub(in crate::script::rhai) fn of_text(name: &str, given: &str) -> &'static str {
    match (name, given) {
        ("to_int", "text") => "; text is read by `parse_int(text)`",
        ("to_float", "text") => "; text is read by `parse_float(text)`",
        _ => "",
    }
}

/// Of a variable: only what the source itself has given a name. Locals are not known when a script runs, and
/// a function is never what was meant.
pub(in crate::script::rhai) fn variable(
    catalog: &Catalog,
    name: &str,
    room: Room,
    source: &str,
    after: &str,
) -> String {
    let nobody = format!("there is no variable `{name}`");
    match (name, room) {
        ("me", Room::Behavior) => {
            return "`me` is not known here: a helper takes it as a parameter, as in `fn helper(me)`"
                .into();
        }
        ("self", Room::Behavior) => {
            return format!("{nobody}: it is `this` for the variables and `me` for the entity");
        }
        ("world", Room::Test) => return no_world(),
        ("world", _) => {
            let called = after.strip_prefix("world.").map_or("", word);
            if called.is_empty() {
                return format!("{nobody}: it is written `world::`, as in `world::tick()`");
            }
            return format!("{nobody}: write `world::{called}(…)`");
        }
        _ => {}
    }
    if let Some(right) = elsewhere::variable(name, room) {
        return format!("{nobody}; it is {right}");
    }
    let called = |e: &&Entry| e.name == name && e.owner == Owner::Free && e.kind == Kind::Function;
    if let Some(entry) = catalog.entries.iter().find(called) {
        return format!("{nobody}; it is called: `{}`", entry.signature());
    }
    if let Some((module, _)) = name.split_once("::") {
        return format!(
            "`{name}` is not seen: of an imported file only its functions are; write one in the file of `{module}` \
             that answers it"
        );
    }
    if names_after(source, "const ").any(|known| known == name) {
        let top = source.lines().any(|line| {
            let named = line.strip_prefix("const ");
            named.is_some_and(|rest| word(rest.trim_start()) == name)
        });
        return if top {
            format!("`{name}` is used before it is defined: put its `const` above")
        } else {
            format!("{nobody} here: its `const` is known in its own block only")
        };
    }
    if let Some(right) = nearest(name, names_after(source, "const ")) {
        return format!("{nobody}; did you mean `{right}`?");
    }
    let right = nearest(name, names_after(source, "this."));
    format!(
        "{nobody}{}",
        did_you_mean(right.map(|right| format!("this.{right}")))
    )
}

/// Of an operator that is given nothing: which of its sides that is, if a name stands there.
pub(in crate::script::rhai) fn nothing(shown: &str, (before, after): (&str, &str)) -> String {
    let sides = shown.split_once('(').map_or("", |(_, sides)| sides);
    let sides: Vec<&str> = sides.trim_end_matches(')').split(", ").collect();
    let sign = |c: char| "+-*/%=<>!&|^".contains(c);
    let right = path_at(after.trim_start_matches(sign).trim_start());
    let side = match sides.as_slice() {
        ["(", _] | ["()", _] => path_before(before),
        [_, _] | [_] => right,
        _ => None,
    };
    match side {
        Some(path) if path.starts_with("this.") => format!(
            "`{path}` is (); a variable that nobody has given a value is (): give it one in `vars`"
        ),
        Some(path) => format!("`{path}` is (); what is not there, or has no value, is ()"),
        None => {
            "one side is (); a variable that nobody has given a value is (): give it one in `vars`"
                .into()
        }
    }
}

/// Whether it is a name, or names with dots between them.
fn is_path(text: &str) -> bool {
    let name = |part: &str| part.starts_with(|c: char| c.is_alphabetic() || c == '_');
    text.split('.').all(name)
}

fn in_path(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// The names that a text begins with, if nothing is called or looked up behind them.
fn path_at(text: &str) -> Option<&str> {
    let end = text.find(|c| !in_path(c)).unwrap_or(text.len());
    let goes_on = text[end..]
        .trim_start()
        .starts_with(['(', '[', '?', ':', '!']);
    let path = &text[..end];
    (is_path(path) && !goes_on).then_some(path)
}

/// The names that a text ends with, if they belong to nothing before them.
fn path_before(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let start = text.rfind(|c| !in_path(c)).map_or(0, |at| {
        at + text[at..].chars().next().map_or(0, char::len_utf8)
    });
    let path = text[start..].rsplit("..").next().unwrap_or_default();
    (is_path(path) && !text[..start].ends_with([':', '?', ')', ']'])).then_some(path)
}

/// What is said of `world::` in a test.
pub(in crate::script::rhai) fn no_world() -> String {
    "`world::` is for behaviors; a test looks with `t.entity(name)`, `t.events(name)`, `t.tick`"
        .into()
}

/// The word that a text begins with.
pub(in crate::script::rhai) fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The names that follow this in a source, wherever it stands as a word of its own.
fn names_after<'a>(source: &'a str, before: &'static str) -> impl Iterator<Item = &'a str> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    source
        .match_indices(before)
        .filter(move |(at, _)| !source[..*at].ends_with(inside))
        .map(move |(at, _)| word(source[at + before.len()..].trim_start()))
        .filter(|name| !name.is_empty())
}
