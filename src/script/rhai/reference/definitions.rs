//! Definitions for Rhai's language server, `docs/hangtime.d.rhai`.

use super::shapes::shapes;
use crate::script::host::api::{Access, ApiEntry, EntryKind, Owner, Shape, Type};
use crate::script::rhai::api_entries;
use std::fmt::Write as _;

const HEAD: &str = "\
/// The script API of hangtime, printed by `hangtime api --format rhai`. Rhai's language server completes these names and
/// shows the comments. A `float` parameter also accepts whole numbers. Functions of Rhai itself are not in this file.
module static;

";

/// All definitions as one `.d.rhai` file.
#[must_use]
pub fn definitions() -> String {
    let mut text = String::from(HEAD);
    for owner in Owner::ALL {
        if let (Some(_), true) = (owner.of_type(), owner != Owner::Live) {
            let _ = writeln!(text, "type {} = ?;", ident(owner.name()));
        }
    }
    for shape in shapes() {
        let _ = writeln!(text, "type {} = {};", shape_name(shape), object(shape));
    }
    let mut written = Vec::new();
    for entry in api_entries().iter().filter(|e| !e.owner.is_module()) {
        // Entities in tests have the same definitions as other entities in behaviors.
        for definition in of_entry(entry) {
            if !written.contains(&definition) {
                let _ = write!(text, "\n{}{definition}\n", comment(entry));
                written.push(definition);
            }
        }
    }
    for module in Owner::MODULES {
        let _ = writeln!(text, "\nmodule {} {{", module.name());
        for entry in api_entries().iter().filter(|e| e.owner == module) {
            for definition in of_entry(entry) {
                let _ = writeln!(text, "{}{definition}", comment(entry));
            }
        }
        text += "}\n";
    }
    text
}

/// The doc of an entry and its example, as a comment.
fn comment(entry: &ApiEntry) -> String {
    let unit = if entry.unit.is_empty() {
        String::new()
    } else {
        format!(" ({})", entry.unit)
    };
    let mut text = format!("/// {}{unit}\n///\n/// ```rhai\n", entry.doc);
    for line in entry.example.lines() {
        let _ = writeln!(text, "/// {line}");
    }
    text + "/// ```\n"
}

fn of_entry(entry: &ApiEntry) -> Vec<String> {
    let own = entry.owner.of_type().map(|_| {
        let name = ident(entry.owner.name());
        format!("{name}: {name}")
    });
    let given = entry
        .parameters
        .iter()
        .map(|p| format!("{}: {}", p.name, type_of(&p.takes)));
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
    let fields = shape
        .fields()
        .map(|f| format!("{}: {}", f.name, type_of(&f.holds)));
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
