//! Types of everything that scripts call, for luau-lsp: `hangtime api --format luau`.

use crate::Lua;
use hangtime_script::{
    Language as _,
    api::{Access, ApiEntry, EntryKind, Owner, Shape, Type},
    calls::ForeignCalls,
    hooks,
};
use std::{collections::BTreeMap, fmt::Write as _};

const HEAD: &str = include_str!("head.d.luau");

/// All definitions as one `.d.luau` file.
pub(crate) fn definitions(tests: &ForeignCalls) -> String {
    let all = Lua.entries(tests);
    let mut text = String::from(HEAD);
    for owner in [Owner::Me, Owner::Entity, Owner::Test, Owner::Live, Owner::Snapshot] {
        let _ = writeln!(text, "\ndeclare class {}", class(owner));
        for entry in all.iter().filter(|entry| entry.owner == owner) {
            let _ = match entry.kind {
                EntryKind::Property(access) => {
                    let only = if matches!(access, Access::ReadOnly(_)) { "read-only; " } else { "" };
                    writeln!(text, "    --- {only}{}\n    {}: {}", entry.doc, entry.name, type_of(&entry.returns))
                }
                _ => {
                    let parameters: String =
                        entry.parameters.iter().map(|it| format!(", {}", parameter(it, entry.owner))).collect();
                    let returns = returned(entry);
                    writeln!(text, "    --- {}\n    function {}(self{parameters}): {returns}", entry.doc, entry.name)
                }
            };
        }
        text += "end\n";
    }
    for owner in Owner::MODULES {
        let _ = writeln!(text, "\ndeclare {}: {{", owner.name());
        for (name, types) in functions(&all, owner) {
            let _ = writeln!(text, "    {name}: {},", types.join(" & "));
        }
        text += "}\n";
    }
    for (name, types) in functions(&all, Owner::Free) {
        let _ = writeln!(text, "\ndeclare {name}: {}", types.join(" & "));
    }
    let _ = writeln!(text, "\ndeclare me: {}", class(Owner::Me));
    for hook in hooks() {
        let about = hook.about.map(|shape| format!(", about: {}", object(shape)));
        let returns = if hook.answers == Type::Any { "()".into() } else { type_of(&hook.answers) };
        let _ = writeln!(
            text,
            "\n--- {}\n--- `function {}(me{})`\nexport type {} = (me: Me{}) -> {returns}",
            hook.doc,
            hook.name,
            if about.is_some() { ", about" } else { "" },
            hook.name,
            about.unwrap_or_default(),
        );
    }
    text
}

/// The functions of an owner with the types of all their numbers of arguments.
fn functions(all: &[&ApiEntry], owner: Owner) -> BTreeMap<&'static str, Vec<String>> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for entry in all.iter().filter(|entry| entry.owner == owner && entry.kind == EntryKind::Function) {
        let parameters: Vec<String> = entry.parameters.iter().map(|it| parameter(it, owner)).collect();
        let one = format!("(({}) -> {})", parameters.join(", "), returned(entry));
        found.entry(entry.name).or_default().push(one);
    }
    found
}

fn parameter(of: &hangtime_script::api::Param, owner: Owner) -> String {
    // A keyword of Luau is no name.
    let name = if of.name == "until" { "ends" } else { of.name };
    let takes = match &of.takes {
        // The condition of a wait is about the entity, which it sees.
        Type::Function if owner == Owner::Free => "(() -> boolean)".into(),
        takes => type_of(takes),
    };
    format!("{name}: {takes}")
}

fn returned(entry: &ApiEntry) -> String {
    match entry.returns {
        Type::Nothing => "()".into(),
        other => type_of(&other),
    }
}

fn class(owner: Owner) -> &'static str {
    match owner {
        Owner::Me => "Me",
        Owner::Entity => "Entity",
        Owner::Test => "TestLevel",
        Owner::Live => "LiveEntity",
        _ => "Snapshot",
    }
}

fn type_of(of: &Type) -> String {
    match of {
        Type::Nothing => "nil".into(),
        Type::Flag => "boolean".into(),
        Type::Whole | Type::Number => "number".into(),
        Type::Text | Type::Name(_) => "string".into(),
        Type::Vec => "Vec".into(),
        Type::Array(each) => format!("{{ {} }}", type_of(each)),
        Type::Map(shape) => object(shape),
        Type::Data | Type::Any => "any".into(),
        Type::Me => class(Owner::Me).into(),
        Type::Entity => class(Owner::Entity).into(),
        Type::Test => class(Owner::Test).into(),
        Type::Live => class(Owner::Live).into(),
        Type::Snapshot => class(Owner::Snapshot).into(),
        Type::Expectation => "Expectation".into(),
        Type::Function => "((t: TestLevel) -> boolean)".into(),
        Type::Either(types) => format!("({})", types.iter().map(type_of).collect::<Vec<_>>().join(" | ")),
    }
}

fn object(shape: &Shape) -> String {
    let field = |field: &hangtime_script::api::Field| {
        let optional = if field.always { "" } else { "?" };
        format!("{}: {}{optional}", field.name, type_of(&field.holds))
    };
    format!("{{ {} }}", shape.fields().map(field).collect::<Vec<_>>().join(", "))
}
