//! Definitions for Rhai's language server, `docs/hangtime.d.rhai`.

use super::shapes::shapes;
use hangtime_script::{
    HookKind, ScriptHook,
    api::{Access, ApiEntry, EntryKind, Owner, Shape, Type},
    hooks,
};
use std::fmt::Write as _;

const HEAD: &str = include_str!("page/head.d.rhai");

/// All definitions as one `.d.rhai` file.
pub fn definitions(entries: &'static [ApiEntry]) -> String {
    let mut text = String::from(HEAD);
    for owner in Owner::ALL {
        if let (Some(_), true) = (owner.of_type(), owner != Owner::Live) {
            let _ = writeln!(text, "type {} = ?;", ident(owner.name()));
        }
    }
    for shape in shapes(entries) {
        let _ = writeln!(text, "type {} = {};", shape_name(shape), object(shape));
    }
    for hook in hooks() {
        if let Some(shape) = hook.about {
            let _ = writeln!(text, "type {} = {};", shape_name(shape), object(shape));
        }
    }
    for hook in hooks() {
        let comment = comment(hook.doc, "", hook.example);
        let _ = write!(text, "\n{comment}{}\n", of_hook(hook));
    }
    let mut written = Vec::new();
    for entry in entries.iter().filter(|e| !e.owner.is_module()) {
        // Entities in tests have the same definitions as other entities in behaviors.
        for definition in of_entry(entry) {
            if !written.contains(&definition) {
                let comment = comment(entry.doc, entry.unit, entry.example);
                let _ = write!(text, "\n{comment}{definition}\n");
                written.push(definition);
            }
        }
    }
    for module in Owner::MODULES {
        let _ = writeln!(text, "\nmodule {} {{", module.name());
        for entry in entries.iter().filter(|e| e.owner == module) {
            for definition in of_entry(entry) {
                let comment = comment(entry.doc, entry.unit, entry.example);
                let _ = writeln!(text, "{comment}{definition}");
            }
        }
        text += "}\n";
    }
    text
}

/// A doc with its unit and example, as a comment.
fn comment(doc: &str, unit: &str, example: &str) -> String {
    let unit = match unit {
        "" => String::new(),
        unit => format!(" ({unit})"),
    };
    let mut text = format!("/// {doc}{unit}\n///\n/// ```rhai\n");
    for line in example.lines() {
        let _ = writeln!(text, "/// {line}");
    }
    text + "/// ```\n"
}

/// A hook as a function that scripts define. Its second parameter can be left out for an event.
fn of_hook(hook: &ScriptHook) -> String {
    let what = match hook.kind {
        HookKind::Rule => None,
        HookKind::RuleAbout(what) => Some(what),
        HookKind::Event => Some("event"),
    };
    let about = what.zip(hook.about);
    let about = about.map(|(what, shape)| format!(", {what}: {}", shape_name(shape)));
    let me = ident(Owner::Me.name());
    let (name, answers) = (hook.name, type_of(&hook.answers));
    format!("fn {name}(me: {me}{}) -> {answers};", about.unwrap_or_default())
}

fn of_entry(entry: &ApiEntry) -> Vec<String> {
    let own = entry.owner.of_type().map(|_| {
        let name = ident(entry.owner.name());
        format!("{name}: {name}")
    });
    let given = entry.parameters.iter().map(|p| format!("{}: {}", p.name, type_of(&p.takes)));
    let parameters: Vec<String> = own.into_iter().chain(given).collect();
    let parameters = parameters.join(", ");
    let (name, returns) = (entry.name, type_of(&entry.returns));
    match entry.kind {
        EntryKind::Function => vec![format!("fn {name}({parameters}) -> {returns};")],
        EntryKind::Property(access) => {
            let read = format!("fn get {name}({parameters}) -> {returns};");
            let write = format!("fn set {name}({parameters}, value: {returns}) -> ();");
            match access {
                Access::Write => vec![read, write],
                Access::ReadOnly(_) => vec![read],
                Access::WriteOnly(_) => vec![write],
            }
        }
        EntryKind::Operator => {
            let types: Vec<String> = entry.parameters.iter().map(|p| type_of(&p.takes)).collect();
            vec![format!("op {name}({}) -> {returns};", types.join(", "))]
        }
    }
}

fn ident(name: &str) -> String {
    name.replace([' ', '-'], "_")
}

fn shape_name(shape: &Shape) -> String {
    format!("map_{}", ident(shape.name))
}

fn object(shape: &Shape) -> String {
    let fields = shape.fields().map(|f| format!("{}: {}", f.name, type_of(&f.holds)));
    format!("#{{ {} }}", fields.collect::<Vec<_>>().join(", "))
}

fn type_of(of: &Type) -> String {
    match of {
        Type::Nothing => "()".into(),
        Type::Flag => "bool".into(),
        Type::Whole => "int".into(),
        Type::Number => "float".into(),
        Type::Text | Type::Name(_) => "String".into(),
        Type::Array(each) => format!("[{}]", type_of(each)),
        Type::Map(shape) => shape_name(shape),
        Type::Function => "FnPtr".into(),
        Type::Vec => ident(Owner::Vec.name()),
        Type::Me => ident(Owner::Me.name()),
        Type::Entity | Type::Live => ident(Owner::Entity.name()),
        Type::Test => ident(Owner::Test.name()),
        Type::Snapshot => ident(Owner::Snapshot.name()),
        Type::Expectation => ident(Owner::Expectation.name()),
        // Definitions have no syntax for "or `()`".
        Type::Either([one, Type::Nothing]) => type_of(one),
        Type::Data | Type::Any | Type::Either(_) => "?".into(),
    }
}
