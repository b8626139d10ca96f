//! TOML as a tree in which every key and value knows its place.

use super::{
    extent::{MOST_TABLES, one_table_too_many},
    spelling::{key_text, quoted},
};
use hangtime_core::sim::Value;
use hangtime_script::{Diagnostic, Place, SourceFile};
use std::{borrow::Cow, collections::BTreeMap, ops::Range, sync::Arc};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A value and its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: Data,
    pub place: Place,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub(crate) enum Data {
    Table(Table),
    Array(Vec<Node>),
    Text(String),
    Int(i64),
    Float(f64),
    Flag(bool),
    Date,
}

/// Keys and values, in the order of the file.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub entries: Vec<(TableKey, Node)>,
    /// The table's header; the start of the file for the file's own table.
    pub place: Place,
}

/// A key and its place in the file.
#[derive(Clone, Debug)]
pub(crate) struct TableKey {
    pub name: String,
    pub place: Place,
}

impl Data {
    /// A number; a whole one stays one.
    pub fn of_number(x: f64) -> Self {
        let is_whole = x.fract() == 0.0 && x.abs() < 1e15;
        if is_whole { Self::Int(x as i64) } else { Self::Float(x) }
    }
}

impl Table {
    /// An empty table for a file that does not exist.
    pub fn empty(file: &str) -> Self {
        let file = Arc::new(SourceFile { name: file.into(), text: String::new() });
        Self::at(&Place::new(&file, 0..0))
    }

    /// An empty table.
    pub fn at(place: &Place) -> Self {
        Self { entries: Vec::new(), place: place.clone() }
    }

    /// Its keys, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(key, _)| key.name.as_str())
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|(k, _)| k.name == key).map(|(_, node)| node)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.iter_mut().find(|(k, _)| k.name == key).map(|(_, node)| node)
    }

    /// The text of a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.text()
    }

    /// The table that a key holds.
    pub fn table(&self, key: &str) -> Option<&Table> {
        self.get(key)?.table()
    }

    /// The tables of a list, such as `[[solid]]`.
    pub fn tables(&self, key: &str) -> impl Iterator<Item = &Table> {
        self.get(key).into_iter().flat_map(Node::items).filter_map(Node::table)
    }

    /// The place of a key's value; without the key, the place of the table.
    pub fn place_of(&self, key: &str) -> &Place {
        self.get(key).map_or(&self.place, |node| &node.place)
    }

    /// Removes a key and returns its value.
    pub fn take(&mut self, key: &str) -> Option<Node> {
        let at = self.entries.iter().position(|(k, _)| k.name == key)?;
        Some(self.entries.remove(at).1)
    }

    /// Sets a key at the place of its value.
    pub fn put(&mut self, key: &str, node: Node) {
        let key = TableKey { name: key.into(), place: node.place.clone() };
        self.set(&[key], node);
    }

    /// Sets a value by a path of keys and creates missing tables along the path.
    pub fn set(&mut self, path: &[TableKey], node: Node) {
        let Some((first, rest)) = path.split_first() else {
            return;
        };
        let at = self.entries.iter().position(|(k, _)| k.name == first.name);
        let at = at.unwrap_or_else(|| {
            self.entries
                .push((first.clone(), Node::new(Data::Table(Self::at(&first.place)), &first.place)));
            self.entries.len() - 1
        });
        match &mut self.entries[at].1.value {
            Data::Table(table) if !rest.is_empty() => table.set(rest, node),
            _ if rest.is_empty() => self.entries[at] = (first.clone(), node),
            // A plain value where a table belongs: replace it, so that the reader reports it.
            _ => self.entries[at].1 = node,
        }
    }

    /// The entries as script variables.
    pub fn plain(&self) -> Result<BTreeMap<String, Value>, Diagnostic> {
        self.entries.iter().map(|(key, node)| Ok((key.name.clone(), node.plain()?))).collect()
    }
}

impl Node {
    pub fn new(value: Data, place: &Place) -> Self {
        Self { value, place: place.clone() }
    }

    /// The type's name for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Data::Table(_) => "a table",
            Data::Array(_) => "an array",
            Data::Text(_) => "text",
            Data::Int(_) | Data::Float(_) => "a number",
            Data::Flag(_) => "true or false",
            Data::Date => "a date",
        }
    }

    /// The value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self.value {
            Data::Int(x) => Some(x as f64),
            Data::Float(x) => Some(x),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn table(&self) -> Option<&Table> {
        match &self.value {
            Data::Table(table) => Some(table),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Data::Array(list) => Some(list),
            _ => None,
        }
    }

    /// The items of an array; none of another value.
    pub fn items(&self) -> &[Node] {
        self.list().unwrap_or_default()
    }

    /// How many values it has, itself among them; 64 bytes of text count as one more. Stops counting beyond `most`.
    pub fn weight(&self, most: usize) -> usize {
        let add = |sum: usize, node: &Self| if sum > most { sum } else { sum + node.weight(most - sum) };
        match &self.value {
            Data::Text(text) => 1 + text.len() / 64,
            Data::Array(nodes) => nodes.iter().fold(1, add),
            Data::Table(table) => table.entries.iter().map(|(_, node)| node).fold(1, add),
            _ => 1,
        }
    }

    pub fn is_true(&self) -> bool {
        matches!(self.value, Data::Flag(true))
    }

    /// The value as text, without the comments and line breaks of the file.
    pub fn spelled(&self) -> String {
        match &self.value {
            Data::Text(text) => quoted(text),
            Data::Int(n) => n.to_string(),
            Data::Float(x) => toml_edit::Value::from(*x).to_string(),
            Data::Flag(flag) => flag.to_string(),
            Data::Date => self.place.file.text[self.place.span.clone()].to_string(),
            Data::Array(nodes) => {
                let items: Vec<String> = nodes.iter().map(Self::spelled).collect();
                format!("[{}]", items.join(", "))
            }
            Data::Table(table) => {
                let items = table.entries.iter();
                let items = items.map(|(key, node)| format!("{} = {}", key_text(&key.name), node.spelled()));
                match items.collect::<Vec<_>>().join(", ") {
                    items if items.is_empty() => "{}".into(),
                    items => format!("{{ {items} }}"),
                }
            }
        }
    }

    /// The value as lists of changes have it, where `900.0` is 900.
    pub fn shown(&self) -> String {
        match self.value {
            Data::Float(x) => x.to_string(),
            _ => self.spelled(),
        }
    }

    /// The tables of a value: itself, or those in an array.
    pub fn tables(&self) -> Vec<&Table> {
        match &self.value {
            Data::Table(table) => vec![table],
            Data::Array(nodes) => nodes.iter().flat_map(Self::tables).collect(),
            _ => Vec::new(),
        }
    }

    /// The value as a script variable. Dates and non-finite numbers are errors.
    pub fn plain(&self) -> Result<Value, Diagnostic> {
        let refuse = |why: String| Err(Diagnostic::error(self.place.clone(), why));
        Ok(match &self.value {
            Data::Flag(x) => Value::Bool(*x),
            Data::Int(x) => Value::Int(*x),
            Data::Float(x) if x.is_finite() => Value::Float(*x),
            Data::Float(x) => return refuse(format!("a variable cannot be {x}")),
            Data::Text(x) => Value::Text(x.clone()),
            Data::Array(list) => Value::List(list.iter().map(Self::plain).collect::<Result<_, _>>()?),
            Data::Table(table) => match table.entries.as_slice() {
                [(key, parts)] if key.name == "vec" => parts.vector()?,
                _ => Value::Map(table.plain()?),
            },
            Data::Date => return refuse("a variable cannot be a date; write it as text".into()),
        })
    }

    /// The vec that `{ vec = [x, y] }` or `{ vec = [x, y, z] }` is, from its parts.
    fn vector(&self) -> Result<Value, Diagnostic> {
        let parts: Option<Vec<f64>> = self.items().iter().map(Self::number).collect();
        let vector = match parts.as_deref() {
            Some([x, y]) => [*x, *y, 0.0],
            Some([x, y, z]) => [*x, *y, *z],
            _ => [f64::NAN; 3],
        };
        if vector.iter().all(|part| part.is_finite()) {
            return Ok(Value::Vector(vector));
        }
        let message = "a vec has two or three finite numbers, as in `{ vec = [0, 100] }`";
        Err(Diagnostic::error(self.place.clone(), message))
    }
}

/// Parses a TOML file.
pub(crate) fn parse(file: &Arc<SourceFile>) -> Result<Table, Diagnostic> {
    if let Some(at) = one_table_too_many(&file.text, true) {
        let message = format!("a file can have at most {MOST_TABLES} tables; each part of a key with dots is one");
        return Err(Diagnostic::error(Place::new(file, at..at + 1), message));
    }
    let parsed = DeTable::parse(&file.text).map_err(|e| {
        let span = e.span().unwrap_or(0..0);
        let message = match nothing_at(&file.text[span.start..]) {
            Some(word) => format!("TOML has no `{word}`; leave the key out"),
            None => {
                let hint = hint(&file.text, &span, e.message());
                format!("{}{hint}", e.message())
            }
        };
        Diagnostic::error(Place::new(file, span), message)
    })?;
    Ok(table(file, parsed.into_inner(), Place::new(file, 0..0), 0))
}

/// The likely cause of a parse error whose message does not name it; empty if there is none.
fn hint(text: &str, span: &Range<usize>, message: &str) -> String {
    let line = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let header = text[line..].lines().next().unwrap_or("").trim();
    let rest = text[span.start..].lines().next().unwrap_or("");
    let before = text[line..span.start].trim_end();
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    if rest.starts_with("//") || before.ends_with("//") {
        return "; comments begin with `#`".into();
    }
    if rest.starts_with([',', ';']) && !before.contains(['[', '{']) {
        return match is_digit(before.chars().last()) && is_digit(rest[1..].chars().next()) {
            true => "; numbers have a decimal point, as in `0.5`".into(),
            false => "; nothing follows a value on its line".into(),
        };
    }
    if rest.starts_with(':') || before.ends_with(':') {
        return "; write `key = value`".into();
    }
    let listed = ["[solid]", "[entity]", "[zone]"].iter().find(|h| header == **h);
    let again = ["solid", "entity", "zone"].iter().find(|name| header == format!("[[{name}]]"));
    match listed {
        _ if let Some(name) = again.filter(|_| message.contains("duplicate key")) => {
            format!("; the first one is written `[{name}]`, and needs two brackets as well: `[[{name}]]`")
        }
        Some(header) if message.contains("duplicate key") => {
            format!("; to add another one, write [{header}]")
        }
        _ if message.contains("string values must be quoted")
            && text[..span.start].ends_with([' ', '['])
            && text[span.start..].starts_with(|c: char| c.is_ascii_digit() || c == '-') =>
        {
            "; is a comma missing here?".into()
        }
        _ => String::new(),
    }
}

/// The word that a text begins with, if other languages have it for no value.
fn nothing_at(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let word = &text[..end.unwrap_or(text.len())];
    matches!(word, "nil" | "null" | "None" | "undefined").then_some(word)
}

/// Parses a single TOML value that starts `offset` bytes into `file`. None if it is none, or has too many tables.
pub(crate) fn parse_value(file: &Arc<SourceFile>, offset: usize) -> Option<Node> {
    let text = &file.text[offset..];
    if one_table_too_many(text, false).is_some() {
        return None;
    }
    Some(node(file, DeValue::parse(text).ok()?, offset))
}

/// Takes the parsed table apart, so that both together need little more memory than one of them.
fn table(file: &Arc<SourceFile>, from: DeTable<'_>, place: Place, offset: usize) -> Table {
    let entry = |(key, value): (Spanned<_>, Spanned<_>)| {
        let place = place_at(file, key.span(), offset);
        let name = Cow::into_owned(key.into_inner());
        (TableKey { name, place }, node(file, value, offset))
    };
    let mut entries: Vec<(TableKey, Node)> = from.into_iter().map(entry).collect();
    entries.sort_by_key(|(key, _)| key.place.span.start);
    Table { entries, place }
}

fn node(file: &Arc<SourceFile>, from: Spanned<DeValue<'_>>, offset: usize) -> Node {
    let place = place_at(file, from.span(), offset);
    let value = match from.into_inner() {
        DeValue::String(text) => Data::Text(text.into_owned()),
        DeValue::Integer(number) => {
            let digits = number.as_str().replace('_', "");
            match i64::from_str_radix(&digits, number.radix()) {
                Ok(x) => Data::Int(x),
                Err(_) => Data::Float(digits.parse().unwrap_or(f64::INFINITY)),
            }
        }
        DeValue::Float(number) => Data::Float(number.as_str().replace('_', "").parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Data::Flag(flag),
        DeValue::Datetime(_) => Data::Date,
        DeValue::Array(list) => Data::Array(list.into_iter().map(|item| node(file, item, offset)).collect()),
        DeValue::Table(inner) => Data::Table(table(file, inner, place.clone(), offset)),
    };
    Node { value, place }
}

fn place_at(file: &Arc<SourceFile>, span: Range<usize>, offset: usize) -> Place {
    Place::new(file, span.start + offset..span.end + offset)
}
