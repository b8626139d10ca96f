//! Definitions for the language server of Rhai.

use super::language::{self, LanguageItem, REST};
use super::shapes::shapes;
use super::ways::{LanguageType, LanguageWay};
use crate::script::host::api::{Access, Entry, Kind, Owner, Shape, Type};
use crate::script::rhai::api_entries;
use std::fmt::Write as _;

const HEAD: &str = "\
/// What scripts of hangtime can use: written by `hangtime api --format rhai`. For the language server of Rhai,
/// which completes names and shows these comments. Where a `float` is taken a whole number is, too.
module static;

";

/// All of it as one `.d.rhai` file.
#[must_use]
pub fn definitions() -> String {
    let mut text = String::from(HEAD);
    for owner in Owner::ALL {
        if let (Some(_), true) = (owner.of_type(), owner != Owner::Live) {
            let _ = writeln!(text, "type {} = ?;", ident(owner.name()));
        }
    }
    for own in [LanguageType::Range, LanguageType::Iterator] {
        let _ = writeln!(text, "type {} = ?;", own.definition());
    }
    for shape in shapes() {
        let _ = writeln!(text, "type {} = {};", shape_name(shape), object(shape));
    }
    let (world, others): (Vec<&Entry>, _) =
        api_entries().iter().partition(|e| e.owner == Owner::World);
    let mut written = Vec::new();
    for entry in others {
        // What other entities show is the same in tests.
        for definition in of_entry(entry) {
            if !written.contains(&definition) {
                let _ = write!(text, "\n{}{definition}\n", comment(entry));
                written.push(definition);
            }
        }
    }
    text += "\nmodule world {\n";
    for entry in world {
        for definition in of_entry(entry) {
            let _ = writeln!(text, "{}{definition}", comment(entry));
        }
    }
    text += "}\n";
    for item in language::language() {
        for way in &item.ways {
            let above = commented(&item.doc, item.example);
            let _ = write!(text, "\n{above}{}\n", of_language(item, way));
        }
    }
    text
}

/// A way to call something that the language brings.
fn of_language(item: &LanguageItem, way: &LanguageWay) -> String {
    let on = way.on.map(|on| format!("{}: {}", on.of(), on.definition()));
    let given = way
        .parameters
        .iter()
        .map(|(name, takes)| match name.as_str() {
            REST => format!("...arguments: {}", takes.definition()),
            name => format!("{}: {}", ident(name), takes.definition()),
        });
    let parameters: Vec<String> = on.into_iter().chain(given).collect();
    let get = if item.property { "get " } else { "" };
    format!(
        "fn {get}{}({}) -> {};",
        item.name,
        parameters.join(", "),
        way.returns.definition()
    )
}

/// An entry's doc and example above it.
fn comment(entry: &Entry) -> String {
    let unit = if entry.unit.is_empty() {
        String::new()
    } else {
        format!(" ({})", entry.unit)
    };
    commented(&format!("{}{unit}", entry.doc), entry.example)
}

fn commented(doc: &str, example: &str) -> String {
    let mut text = format!("/// {doc}\n///\n/// ```rhai\n");
    for line in example.lines() {
        let _ = writeln!(text, "/// {line}");
    }
    text + "/// ```\n"
}

fn of_entry(entry: &Entry) -> Vec<String> {
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
        Kind::Function => vec![format!("fn {name}({parameters}) -> {returns};")],
        Kind::Property(access) => {
            let mut both = vec![format!("fn get {name}({parameters}) -> {returns};")];
            if access == Access::Write {
                both.push(format!(
                    "fn set {name}({parameters}, value: {returns}) -> ();"
                ));
            }
            both
        }
        Kind::Operator => {
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
        // What there may be instead, `()`, has no way to be written.
        Type::Either([one, Type::Nothing]) => type_of(one),
        Type::Data | Type::Any | Type::Either(_) => "?".into(),
    }
}
