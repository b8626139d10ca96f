//! TOML as a tree in which every key and value knows its place.

use hangtime_core::sim::Value;
use hangtime_script::{Diagnostic, Place, SourceFile};
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

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

impl Table {
    /// An empty table for a file that does not exist.
    pub fn empty(file: &str) -> Self {
        let file = Arc::new(SourceFile { name: file.into(), text: String::new() });
        Self { entries: Vec::new(), place: Place::new(&file, 0..0) }
    }

    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|(k, _)| k.name == key).map(|(_, node)| node)
    }

    /// Sets a value by a path of keys and creates missing tables along the path.
    pub fn set(&mut self, path: &[TableKey], node: Node) {
        let Some((first, rest)) = path.split_first() else {
            return;
        };
        let at = self.entries.iter().position(|(k, _)| k.name == first.name);
        if rest.is_empty() {
            match at {
                Some(at) => self.entries[at] = (first.clone(), node),
                None => self.entries.push((first.clone(), node)),
            }
            return;
        }
        let at = at.unwrap_or_else(|| {
            let table = Self { entries: Vec::new(), place: first.place.clone() };
            let node = Node { value: Data::Table(table), place: first.place.clone() };
            self.entries.push((first.clone(), node));
            self.entries.len() - 1
        });
        match &mut self.entries[at].1.value {
            Data::Table(table) => table.set(rest, node),
            // A plain value where a table belongs: replace it, so that the reader reports it.
            _ => self.entries[at].1 = node,
        }
    }
}

impl Node {
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

    /// The value as text, without the comments and line breaks of the file.
    pub fn spelled(&self) -> String {
        match &self.value {
            Data::Text(text) => format!("{text:?}"),
            Data::Int(n) => n.to_string(),
            Data::Float(x) => x.to_string(),
            Data::Flag(flag) => flag.to_string(),
            Data::Date => self.place.file.text[self.place.span.clone()].to_string(),
            Data::Array(nodes) => {
                let items: Vec<String> = nodes.iter().map(Self::spelled).collect();
                format!("[{}]", items.join(", "))
            }
            Data::Table(table) => {
                let items = table.entries.iter();
                let items = items.map(|(key, node)| format!("{} = {}", key.name, node.spelled()));
                format!("{{ {} }}", items.collect::<Vec<_>>().join(", "))
            }
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value as a script variable. Dates and non-finite numbers are errors.
    pub fn plain(&self) -> Result<Value, Diagnostic> {
        Ok(match &self.value {
            Data::Flag(x) => Value::Bool(*x),
            Data::Int(x) => Value::Int(*x),
            Data::Float(x) if x.is_finite() => Value::Float(*x),
            Data::Float(x) => {
                return Err(Diagnostic::error(self.place.clone(), format!("a variable cannot be {x}")));
            }
            Data::Text(x) => Value::Text(x.clone()),
            Data::Array(list) => Value::List(list.iter().map(Self::plain).collect::<Result<_, _>>()?),
            Data::Table(table) => match table.entries.as_slice() {
                [(key, parts)] if key.name == "vec" => parts.vector()?,
                _ => Value::Map(table.plain()?),
            },
            Data::Date => {
                let why = "a variable cannot be a date; write it as text";
                return Err(Diagnostic::error(self.place.clone(), why));
            }
        })
    }
}

impl Node {
    /// The vec that `{ vec = [x, y] }` or `{ vec = [x, y, z] }` is, from its parts.
    fn vector(&self) -> Result<Value, Diagnostic> {
        let parts = match &self.value {
            Data::Array(list) => list.iter().map(Self::number).collect(),
            _ => None,
        };
        let parts: Vec<f64> = parts.unwrap_or_default();
        let vector = match parts.as_slice() {
            [x, y] => [*x, *y, 0.0],
            [x, y, z] => [*x, *y, *z],
            _ => [f64::NAN; 3],
        };
        if vector.iter().all(|part| part.is_finite()) {
            return Ok(Value::Vector(vector));
        }
        let message = "a vec has two or three finite numbers, as in `{ vec = [0, 100] }`";
        Err(Diagnostic::error(self.place.clone(), message))
    }
}

impl Table {
    /// The entries as script variables.
    pub fn plain(&self) -> Result<BTreeMap<String, Value>, Diagnostic> {
        self.entries.iter().map(|(key, node)| Ok((key.name.clone(), node.plain()?))).collect()
    }
}

/// Parses a TOML file.
pub(crate) fn parse(file: &Arc<SourceFile>) -> Result<Table, Diagnostic> {
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
fn hint(text: &str, span: &std::ops::Range<usize>, message: &str) -> String {
    let line = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let header = text[line..].lines().next().unwrap_or("").trim();
    let listed = ["[solid]", "[entity]", "[zone]"].iter().find(|h| header == **h);
    match listed {
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

/// Parses a single TOML value that starts `offset` bytes into `file`.
pub(crate) fn parse_value(file: &Arc<SourceFile>, offset: usize) -> Option<Node> {
    let parsed = DeValue::parse(&file.text[offset..]).ok()?;
    let span = parsed.span();
    Some(node(file, parsed.into_inner(), span, offset))
}

/// Takes the parsed table apart, so that both together need little more memory than one of them.
fn table(file: &Arc<SourceFile>, from: DeTable<'_>, place: Place, offset: usize) -> Table {
    let mut entries: Vec<(TableKey, Node)> = from
        .into_iter()
        .map(|(key, value)| {
            let span = key.span();
            let place = Place::new(file, span.start + offset..span.end + offset);
            let key = TableKey { name: key.into_inner().into_owned(), place };
            let span = value.span();
            (key, node(file, value.into_inner(), span, offset))
        })
        .collect();
    entries.sort_by_key(|(key, _)| key.place.span.start);
    Table { entries, place }
}

fn node(file: &Arc<SourceFile>, from: DeValue<'_>, span: std::ops::Range<usize>, offset: usize) -> Node {
    let place = Place::new(file, span.start + offset..span.end + offset);
    let value = match from {
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
        DeValue::Array(list) => Data::Array(
            list.into_iter()
                .map(|n| {
                    let span = n.span();
                    node(file, n.into_inner(), span, offset)
                })
                .collect(),
        ),
        DeValue::Table(inner) => Data::Table(table(file, inner, place.clone(), offset)),
    };
    Node { value, place }
}
