//! Pieces of the reference page.

use hangtime_script::api::{Field, Param, Type};
use std::fmt::Write as _;

/// A fenced block of code.
pub fn code(page: &mut String, text: &str) {
    let _ = write!(page, "\n```rust\n{text}\n```\n");
}

/// A type with its unit: `a number (px)`.
pub fn with_unit(of: &Type, unit: &str) -> String {
    let of = of.describe();
    if unit.is_empty() { of } else { format!("{of} ({unit})") }
}

/// The parameters in a sentence: `` `x`: a number (px), `name`: text ``.
pub fn parameters(list: &[Param]) -> String {
    let one = |p: &Param| format!("`{}`: {}", p.name, with_unit(&p.takes, p.unit));
    list.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Text in a cell of a table.
pub fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|")
}

/// A table of fields.
pub fn write_fields<'f>(page: &mut String, fields: impl Iterator<Item = &'f Field>) {
    *page += "\n| field | type | meaning |\n|---|---|---|\n";
    for field in fields {
        let of = with_unit(&field.holds, field.unit);
        let doc = if field.always {
            field.doc.into()
        } else {
            format!("{} (optional)", field.doc)
        };
        let _ = writeln!(page, "| `{}` | {of} | {doc} |", field.name);
    }
}
