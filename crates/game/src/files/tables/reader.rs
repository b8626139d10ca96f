//! Reading TOML tables key by key. Every mistake is collected with the right name or range, and
//! keys that no caller asked for are mistakes.

use super::tree::{Data, Node, Table, TableKey};
use glam::DVec2;
use hangtime_core::tuning::{MOST, Range, SetError, Setting, Tunables};
use hangtime_script::{Diagnostic, Mistakes, Place, suggestion};

/// Reads the keys of one table and remembers which ones were asked for.
pub(crate) struct TableReader<'a, 'o> {
    pub table: &'a Table,
    asked: Vec<&'a str>,
    pub out: &'o mut Mistakes,
}

impl<'a, 'o> TableReader<'a, 'o> {
    pub fn new(table: &'a Table, out: &'o mut Mistakes) -> Self {
        Self { table, asked: Vec::new(), out }
    }

    pub fn error(&mut self, place: &Place, message: impl Into<String>) {
        self.out.error(place, message);
    }

    pub fn warn(&mut self, place: &Place, message: impl Into<String>) {
        self.out.warn(place, message);
    }

    /// The value of a key. From now on the key counts as known.
    pub fn get(&mut self, key: &'a str) -> Option<&'a Node> {
        self.asked.push(key);
        self.table.get(key)
    }

    /// The value of a key that must be present; `what` names the thing that needs it.
    pub fn require(&mut self, key: &'a str, what: &str) -> Option<&'a Node> {
        let node = self.get(key);
        if node.is_none() {
            self.error(&self.table.place, format!("{what} needs `{key}`"));
        }
        node
    }

    fn mismatch<T>(&mut self, key: &str, node: &Node, expected: &str) -> Option<T> {
        let message = format!("`{key}` takes {expected}, not {}", node.kind());
        self.error(&node.place, message);
        None
    }

    pub fn text(&mut self, key: &'a str) -> Option<&'a str> {
        let node = self.get(key)?;
        node.text().or_else(|| self.mismatch(key, node, "text"))
    }

    /// A text that must be present, and its place.
    pub fn require_text(&mut self, key: &'a str, what: &str) -> Option<(&'a str, &'a Place)> {
        self.require(key, what).and_then(|node| Some((self.text(key)?, &node.place)))
    }

    /// A text and its place.
    pub fn text_at(&mut self, key: &'a str) -> Option<(String, Place)> {
        let text = self.text(key)?.to_string();
        Some((text, self.table.place_of(key).clone()))
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
        self.error(&node.place, out_of_range(key, x, range, unit));
        None
    }

    pub fn table(&mut self, key: &'a str) -> Option<&'a Table> {
        let node = self.get(key)?;
        node.table().or_else(|| self.mismatch(key, node, "a table"))
    }

    /// Reads a group of tunables from the table of a key.
    pub fn tunables(&mut self, key: &'a str, group: &mut impl Tunables) {
        if let Some(table) = self.table(key) {
            read_tunables(group, table, self.out);
        }
    }

    /// The tables of an array of tables, such as `[[solid]]`.
    pub fn tables(&mut self, key: &'a str) -> Vec<&'a Table> {
        let Some(node) = self.get(key) else {
            return Vec::new();
        };
        let list = node
            .list()
            .or_else(|| self.mismatch(key, node, &format!("tables, each with a header [[{key}]]")));
        let table = |item: &'a Node| item.table().or_else(|| self.mismatch(key, item, "tables"));
        list.unwrap_or_default().iter().filter_map(table).collect()
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

    /// An array of exactly `N` finite numbers; `expected` describes it in messages.
    pub fn numbers_of<const N: usize>(&mut self, key: &str, node: &Node, expected: &str) -> Option<[f64; N]> {
        let Some(list) = node.list() else {
            return self.mismatch(key, node, expected);
        };
        if list.len() != N {
            let message = format!("`{key}` takes {N} numbers, not {}: {expected}", list.len());
            self.error(&node.place, message);
            return None;
        }
        let mut numbers = [0.0; N];
        for (slot, item) in numbers.iter_mut().zip(list) {
            let message = match item.number() {
                Some(x) if x.abs() <= MOST => {
                    *slot = x;
                    continue;
                }
                Some(x) if x.is_finite() => {
                    format!("`{key}` takes numbers from -{MOST} to {MOST}, not {x}")
                }
                Some(x) => format!("`{key}` takes finite numbers, not {x}"),
                None => return self.mismatch(key, item, "numbers"),
            };
            self.error(&item.place, message);
            return None;
        }
        Some(numbers)
    }

    /// Reports every key that was not asked for.
    pub fn finish(self) {
        self.finish_with(|_| None);
    }

    /// Reports every key that was not asked for. `elsewhere` is the hint for a key that belongs to another table.
    pub fn finish_with(self, elsewhere: impl Fn(&str) -> Option<String>) {
        let Self { table, asked: mut known, out } = self;
        known.sort_unstable();
        known.dedup();
        for (key, _) in &table.entries {
            if known.binary_search(&key.name.as_str()).is_err() {
                let near = || suggestion(&key.name, known.iter().copied());
                out.push_error(|| unknown_key(key, &elsewhere(&key.name).unwrap_or_else(near)));
            }
        }
    }
}

/// The message for a key that does not exist, with a hint.
fn unknown_key(key: &TableKey, hint: &str) -> Diagnostic {
    let name = key.name.as_str();
    Diagnostic::error(key.place.clone(), format!("unknown key `{name}`{hint}"))
}

/// The message for a number outside of its range.
pub(crate) fn out_of_range(key: &str, x: f64, range: Range, unit: &str) -> String {
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    if range.max.is_infinite() {
        return format!("`{key}` is {x}; it must be at least {}{unit}", range.min);
    }
    format!("`{key}` is {x}; it must be between {} and {}{unit}", range.min, range.max)
}

/// Reads a group of tunables from a table that holds nothing else.
pub(crate) fn read_tunables<T: Tunables>(group: &mut T, table: &Table, out: &mut Mistakes) {
    for (key, node) in &table.entries {
        let set = |setting: &Setting| group.set(&key.name, setting);
        let near = || suggestion(&key.name, T::list().iter().map(|t| t.name));
        read_tunable(key, node, out, set, near);
    }
}

/// From here on, a time of a jump, s, is most likely in ms.
const MOST_WINDOW: f64 = 5.0;

/// Reads one tunable. `set` stores the value; `hint` follows the message about a key that does not exist.
pub(crate) fn read_tunable(
    key: &TableKey,
    node: &Node,
    out: &mut Mistakes,
    set: impl FnOnce(&Setting) -> Result<(), SetError>,
    hint: impl FnOnce() -> String,
) {
    let name = &key.name;
    let setting = match &node.value {
        Data::Int(_) | Data::Float(_) => Setting::Number(node.number().unwrap_or(f64::NAN)),
        Data::Flag(flag) => Setting::Flag(*flag),
        Data::Text(text) => Setting::Word(text.clone()),
        // No tunable has such a type. Try it all the same: a wrong name is reported first.
        _ => Setting::Word(String::new()),
    };
    let Err(wrong) = set(&setting) else {
        if let (Setting::Number(x), "coyote_time" | "jump_buffer" | "jump_hold_time") = (&setting, name.as_str())
            && *x >= MOST_WINDOW
        {
            // A few are most likely frames.
            let (what, seconds) = if *x < 30.0 { ("frames of 1/60 s", x / 60.0) } else { ("ms", x / 1000.0) };
            let seconds = (seconds * 1000.0).round() / 1000.0;
            out.warn(&node.place, format!("`{name}` is in seconds; for {x} {what}, write `{seconds}`"));
        }
        return;
    };
    out.push_error(|| match wrong {
        SetError::Unknown => unknown_key(key, &hint()),
        SetError::Type(expected) => {
            let got = match &setting {
                Setting::Number(x) => format!("{x}"),
                Setting::Word(word) if !word.is_empty() => format!("\"{word}\""),
                _ => node.kind().into(),
            };
            let message = format!("`{name}` takes {expected}, not {got}");
            Diagnostic::error(node.place.clone(), message)
        }
        SetError::Range(range, unit) => {
            let x = node.number().unwrap_or(f64::NAN);
            Diagnostic::error(node.place.clone(), out_of_range(name, x, range, unit))
        }
    })
}
