//! Writes contracts into the file of a kind. Comments, order and other keys stay as they are.

use super::write_back::{SaveError, SyncedFile, complete, problem, writable_path};
use crate::files::content::expect::{FeelBound, FeelQuantity};
use crate::files::disk::output::OutputFile;
use crate::files::disk::root::GameFolder;
use hangtime_core::models::ModelName;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// A contract to write.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectLine {
    /// The model whose table it belongs to; `None` for the kind's own.
    pub model: Option<ModelName>,
    /// What is measured.
    pub quantity: FeelQuantity,
    /// What it must be.
    pub bound: FeelBound,
}

/// Writes contracts into `file`, a kind's, at once or not at all: next to it, then renamed. Returns
/// whether that changed the file.
///
/// # Errors
/// Why the file cannot be changed. It is as it was.
pub fn write_expect(folder: &GameFolder, file: &str, lines: &[ExpectLine]) -> Result<bool, SaveError> {
    let path = writable_path(folder, file)?;
    let text = std::fs::read_to_string(&path).map_err(|error| problem(file, &format!("cannot be read: {error}")))?;
    let edited = with_lines(&text, lines).map_err(|reason| problem(file, reason))?;
    if edited == text {
        return Ok(false);
    }
    let (output, writer) = OutputFile::replace(&path)?;
    complete(file, output, SyncedFile(writer), &edited)?;
    Ok(true)
}

/// The text of a file with these contracts.
fn with_lines(text: &str, lines: &[ExpectLine]) -> Result<String, &'static str> {
    const NO_PLACE: &str = "has no place for `[expect]`";
    let mut document: DocumentMut =
        text.parse().map_err(|_| "has a syntax error; nothing is written until it is fixed")?;
    for line in lines {
        let root: &mut dyn TableLike = document.as_table_mut();
        let mut table = table_in(root, "expect").ok_or(NO_PLACE)?;
        if let Some(model) = line.model {
            table = table_in(table, model.as_str()).ok_or(NO_PLACE)?;
        }
        put(table, line);
    }
    Ok(document.to_string())
}

/// The table with this name, which is added if there is none.
fn table_in<'t>(table: &'t mut dyn TableLike, name: &str) -> Option<&'t mut dyn TableLike> {
    let new = || {
        let mut table = Table::new();
        // `[expect]` is not written above `[expect.MODEL]` unless it has keys.
        table.set_implicit(true);
        Item::Table(table)
    };
    table.entry(name).or_insert_with(new).as_table_like_mut()
}

/// Sets a contract and keeps the spaces and comments around it. One that says the same is left alone.
fn put(table: &mut dyn TableLike, line: &ExpectLine) {
    let name = line.quantity.name();
    let old = table.get(name).and_then(Item::as_value);
    let bound = |text: &str| FeelBound::parse(text, line.quantity).ok();
    if old.and_then(Value::as_str).and_then(bound) == Some(line.bound) {
        return;
    }
    let decor = old.map(|old| old.decor().clone());
    let mut new = Value::from(line.bound.to_string());
    if let Some(decor) = decor {
        *new.decor_mut() = decor;
    }
    match table.get_mut(name) {
        Some(item) => *item = Item::Value(new),
        None => {
            table.insert(name, Item::Value(new));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ExpectLine, with_lines};
    use crate::files::{FeelBound, FeelQuantity};
    use hangtime_core::models::ModelName;

    fn line(quantity: FeelQuantity, value: f64) -> ExpectLine {
        ExpectLine { model: None, quantity, bound: FeelBound::Near(value, 0.5) }
    }

    const KIND: &str = "# A hero.\nscript = \"hero.rhai\"   # rules\n";

    #[test]
    fn a_table_is_added_to_a_file_without_one() {
        let lines = [line(FeelQuantity::Apex, 189.8), line(FeelQuantity::Hop, 9.0)];
        let text = with_lines(KIND, &lines).unwrap();
        let expected = format!("{KIND}\n[expect]\napex = \"189.8 ± 0.5\"\nhop = \"9 ± 0.5\"\n");
        assert_eq!(text, expected);
        assert_eq!(with_lines(&text, &lines).unwrap(), text, "twice is once");
    }

    #[test]
    fn comments_order_and_other_keys_stay() {
        let before = format!(
            "{KIND}\n# How it feels.\n[expect]\nhop = \"≥ 3\"   # low\napex = 12 # high\n\n[platformer]\njump_speed = 5.0\n"
        );
        let text = with_lines(&before, &[line(FeelQuantity::Apex, 189.8)]).unwrap();
        assert_eq!(text, before.replace("apex = 12 #", "apex = \"189.8 ± 0.5\" #"));
    }

    #[test]
    fn other_models_have_tables_in_it() {
        let of_model = ExpectLine { model: Some(ModelName::two_velocity), ..line(FeelQuantity::RunUp, 30.0) };
        let text = with_lines(KIND, &[of_model]).unwrap();
        let expected = format!("{KIND}\n[expect.two_velocity]\nrun_up = \"30 ± 0.5\"\n");
        assert_eq!(text, expected);
    }

    #[test]
    fn files_that_cannot_hold_contracts_are_refused() {
        let apex = [line(FeelQuantity::Apex, 1.0)];
        assert!(with_lines("script = ", &apex).is_err());
        assert!(with_lines("expect = 3\n", &apex).is_err());
        let inline = "expect = { apex = 3 }\n";
        let text = with_lines(inline, &apex).unwrap();
        assert_eq!(text, "expect = { apex = \"1 ± 0.5\" }\n");
    }
}
