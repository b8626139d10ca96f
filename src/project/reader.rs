//! Reading tables key by key. What is wrong is collected, with the right name or range; what is
//! not asked for is a mistake.

use super::tree::{Data, Node, Table};
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Place};
use crate::tuning::{MOST, Range, SetError, Setting, Tunables};
use glam::DVec2;

/// The keys of one table.
pub(super) struct Fields<'a, 'o> {
    pub table: &'a Table,
    asked: Vec<&'a str>,
    pub out: &'o mut Vec<Diagnostic>,
}

impl<'a, 'o> Fields<'a, 'o> {
    pub fn new(table: &'a Table, out: &'o mut Vec<Diagnostic>) -> Self {
        Self {
            table,
            asked: Vec::new(),
            out,
        }
    }

    pub fn wrong(&mut self, place: &Place, why: impl Into<String>) {
        self.out.push(Diagnostic::error(place.clone(), why));
    }

    pub fn warn(&mut self, place: &Place, why: impl Into<String>) {
        self.out.push(Diagnostic::warning(place.clone(), why));
    }

    /// The value of a key, from now on a known one.
    pub fn get(&mut self, key: &'a str) -> Option<&'a Node> {
        self.asked.push(key);
        self.table.get(key)
    }

    /// The same, and it is a mistake if there is none.
    pub fn require(&mut self, key: &'a str, what: &str) -> Option<&'a Node> {
        let node = self.get(key);
        if node.is_none() {
            let place = self.table.place.clone();
            self.wrong(&place, format!("{what} needs `{key}`"));
        }
        node
    }

    fn mismatch<T>(&mut self, key: &str, node: &Node, right: &str) -> Option<T> {
        self.wrong(
            &node.place,
            format!("`{key}` takes {right}, not {}", node.kind()),
        );
        None
    }

    pub fn text(&mut self, key: &'a str) -> Option<&'a str> {
        let node = self.get(key)?;
        node.text().or_else(|| self.mismatch(key, node, "text"))
    }

    pub fn flag(&mut self, key: &'a str) -> Option<bool> {
        let node = self.get(key)?;
        match node.value {
            Data::Flag(flag) => Some(flag),
            _ => self.mismatch(key, node, "true or false"),
        }
    }

    pub fn number(&mut self, key: &'a str, range: Range, unit: &str) -> Option<f64> {
        let node = self.get(key)?;
        let Some(x) = node.number() else {
            return self.mismatch(key, node, "a number");
        };
        if x >= range.min && x <= range.max {
            return Some(x);
        }
        self.wrong(&node.place, out_of_range(key, x, range, unit));
        None
    }

    pub fn table(&mut self, key: &'a str) -> Option<&'a Table> {
        let node = self.get(key)?;
        match &node.value {
            Data::Table(table) => Some(table),
            _ => self.mismatch(key, node, "a table"),
        }
    }

    /// The tables of an array of tables, such as `[[solid]]`.
    pub fn tables(&mut self, key: &'a str) -> Vec<&'a Table> {
        let Some(node) = self.get(key) else {
            return Vec::new();
        };
        let Data::Array(list) = &node.value else {
            self.mismatch::<()>(key, node, &format!("tables, each headed [[{key}]]"));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in list {
            match &item.value {
                Data::Table(table) => tables.push(table),
                _ => {
                    self.mismatch::<()>(key, item, "tables");
                }
            }
        }
        tables
    }

    /// A point `[x, y]`.
    pub fn point(&mut self, key: &'a str) -> Option<DVec2> {
        let node = self.get(key)?;
        self.point_of(key, node)
    }

    /// A point in an array that belongs to `key`.
    pub fn point_of(&mut self, key: &str, node: &Node) -> Option<DVec2> {
        let [x, y] = self.numbers_of(key, node, "a point, [x, y]")?;
        Some(DVec2::new(x, y))
    }

    /// A fixed number of finite numbers in an array.
    pub fn numbers_of<const N: usize>(
        &mut self,
        key: &str,
        node: &Node,
        right: &str,
    ) -> Option<[f64; N]> {
        let Data::Array(list) = &node.value else {
            return self.mismatch(key, node, right);
        };
        if list.len() != N {
            let why = format!("`{key}` takes {right}, {N} numbers, not {}", list.len());
            self.wrong(&node.place, why);
            return None;
        }
        let mut numbers = [0.0; N];
        for (slot, item) in numbers.iter_mut().zip(list) {
            match item.number() {
                Some(x) if x.abs() <= MOST => *slot = x,
                Some(x) if x.is_finite() => {
                    let why = format!("`{key}` takes numbers from -{MOST} to {MOST}, not {x}");
                    self.wrong(&item.place, why);
                    return None;
                }
                Some(x) => {
                    self.wrong(
                        &item.place,
                        format!("`{key}` takes finite numbers, not {x}"),
                    );
                    return None;
                }
                None => return self.mismatch(key, item, "numbers"),
            }
        }
        Some(numbers)
    }

    /// Complains about every key that was not asked for.
    pub fn finish(self) {
        let Self { table, asked, out } = self;
        let mut known = asked.clone();
        known.sort_unstable();
        known.dedup();
        for (key, _) in &table.entries {
            let name = key.name.as_str();
            if !asked.contains(&name) {
                let hint = suggestion(&key.name, known.iter().copied());
                let why = format!("unknown key `{}`{hint}", key.name);
                out.push(Diagnostic::error(key.place.clone(), why));
            }
        }
    }
}

/// `x is out of range`, with the range and its unit.
pub(super) fn out_of_range(key: &str, x: f64, range: Range, unit: &str) -> String {
    let unit = if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    };
    if range.max.is_infinite() {
        return format!("`{key}` is {x}; it must be at least {}{unit}", range.min);
    }
    format!(
        "`{key}` is {x}; it must be {} to {}{unit}",
        range.min, range.max
    )
}

/// Reads a group of tunables from a table. `known` are keys that others read.
pub(super) fn read_tunables<T: Tunables>(
    group: &mut T,
    table: &Table,
    known: &[&str],
    out: &mut Vec<Diagnostic>,
) {
    for (key, node) in &table.entries {
        if known.contains(&key.name.as_str()) {
            continue;
        }
        read_tunable(
            key,
            node,
            |setting| group.set(&key.name, setting),
            || {
                T::list()
                    .iter()
                    .map(|t| t.name)
                    .chain(known.iter().copied())
                    .collect()
            },
            out,
        );
    }
}

/// Reads one tunable; `set` takes it, `names` are those that there are.
pub(super) fn read_tunable<'n>(
    key: &super::tree::Key,
    node: &Node,
    set: impl FnOnce(&Setting) -> Result<(), SetError>,
    names: impl FnOnce() -> Vec<&'n str>,
    out: &mut Vec<Diagnostic>,
) {
    let name = &key.name;
    let setting = match &node.value {
        Data::Int(_) | Data::Float(_) => Setting::Number(node.number().unwrap_or(f64::NAN)),
        Data::Flag(flag) => Setting::Flag(*flag),
        Data::Text(text) => Setting::Word(text.clone()),
        // Of a type that no tunable has; the name may still be wrong, which is worse.
        _ => Setting::Word(String::new()),
    };
    let wrong = match set(&setting) {
        Ok(()) => return,
        Err(SetError::Unknown) => {
            let hint = suggestion(name, names());
            Diagnostic::error(key.place.clone(), format!("unknown key `{name}`{hint}"))
        }
        Err(SetError::Type(right)) => {
            let got = match &setting {
                Setting::Number(x) => format!("{x}"),
                Setting::Word(word) if !word.is_empty() => format!("\"{word}\""),
                _ => node.kind().into(),
            };
            Diagnostic::error(
                node.place.clone(),
                format!("`{name}` takes {right}, not {got}"),
            )
        }
        Err(SetError::Range(range, unit)) => {
            let x = node.number().unwrap_or(f64::NAN);
            Diagnostic::error(node.place.clone(), out_of_range(name, x, range, unit))
        }
    };
    out.push(wrong);
}
