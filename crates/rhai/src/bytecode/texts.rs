//! Steps of compiled code that handle texts and lists.

use super::*;

/// Operations charged for comparing an element with a value that is searched for, the call of the operator included,
/// and for one of another type.
const PER_COMPARISON: u64 = 6;
const PER_OTHER: u64 = 1;

/// How many times as much it costs to make a text as to copy it.
const TO_JOIN: u64 = 4;

/// What it costs to have Rhai's packages search a text: the call, and for the answer.
const PER_SEARCH: u64 = 24 + 2;
const TO_SEARCH: u64 = 4;

/// What asking a text for its length costs.
const PER_SIZE: u64 = 4;

/// What the text of a vec costs.
const PER_VEC: u64 = 9;

impl CodeRun<'_, '_> {
    /// Charges for handling a value.
    #[inline]
    pub fn weigh(&mut self, value: Datum) -> Option<()> {
        if value.is_heavy() {
            self.used += self.weight(value)? / IN_ONE_OPERATION;
            // What is charged for is copied.
            self.arena.share(value);
        }
        Some(())
    }

    /// Charges for handling a part of a value. A part of a text is a text that is made.
    pub fn weigh_part(&mut self, value: Datum, unknown: bool) -> Option<()> {
        match value {
            Datum::Text(text) if unknown || self.passed_object => {
                self.used += weight_of_text(self.sources().text(text).len()) * TO_JOIN / IN_ONE_OPERATION;
                Some(())
            }
            other => self.weigh(other),
        }
    }

    pub fn weight(&self, value: Datum) -> Option<u64> {
        Some(match value {
            Datum::Text(text) => weight_of_text(self.sources().text(text).len()),
            Datum::List(list) => {
                let mut items = self.arena.items[list.range()].iter();
                items.try_fold(6, |sum, item| Some(sum + self.weight(*item)?))?
            }
            Datum::Record(map) => {
                let mut fields = self.arena.fields_of(map, self.sources());
                fields.try_fold(12, |sum, (key, value)| Some(sum + weight_of_key(key) + self.weight(value)?))?
            }
            Datum::Data(data) => weight(self.arena.data(data, &self.code.data)).ok()?,
            Datum::About => return None,
            value if value.is_embedded() => BOXED,
            _ => 1,
        })
    }

    /// A text of two.
    pub fn join_two(&mut self, a: TextRef, b: TextRef) -> Option<Datum> {
        let texts = self.sources();
        let (a, b) = (texts.text(a), texts.text(b));
        if a.len() + b.len() > self.inputs.limits.string {
            return None;
        }
        let joined = format!("{a}{b}");
        Some(self.arena.own_text(joined))
    }

    /// A text of parts.
    pub fn join(&mut self, args: u16) -> Option<Datum> {
        let mut joined = String::new();
        for reg in self.code.args(args) {
            let value = self.get(*reg);
            match value {
                Datum::Text(text) => joined.push_str(self.sources().text(text)),
                Datum::Number(_) | Datum::Whole(_) | Datum::Flag(_) => {
                    self.used += 1;
                    write!(joined, "{}", value.to_plain()?).ok()?;
                }
                Datum::Vec(v) => {
                    self.used += PER_VEC;
                    joined.push_str(&v.show());
                }
                _ => return None,
            }
            if joined.len() > self.inputs.limits.string {
                return None;
            }
        }
        self.used += weight_of_text(joined.len()) * TO_JOIN / IN_ONE_OPERATION;
        Some(self.arena.own_text(joined))
    }

    /// Prints a text when the call is complete.
    pub fn print(&mut self, a: Reg) -> Option<()> {
        let Datum::Text(text) = self.get(a) else {
            return None;
        };
        let text = self.arena.to_text(text, self.sources());
        self.used += cost_of_line(&text);
        self.arena.own_text(text);
        let line = self.arena.texts.len() as u32 - 1;
        self.arena.lines.push(line);
        Some(())
    }

    pub fn method_of_text(&mut self, text: TextRef, name: &str, args: &[Datum]) -> Option<(Datum, u32)> {
        let texts = self.sources();
        let text = texts.text(text);
        let value = match (name, args) {
            ("starts_with", [Datum::Text(start)]) => Datum::Flag(text.starts_with(texts.text(*start))),
            ("ends_with", [Datum::Text(end)]) => Datum::Flag(text.ends_with(texts.text(*end))),
            ("contains", [Datum::Text(part)]) => {
                let found = self.searched(text, texts.text(*part));
                return Some((Datum::Flag(found.0), found.1 as u32));
            }
            ("len", []) => {
                let cost = PER_SIZE + weight_of_text(text.len()) / IN_ONE_OPERATION;
                let count = i64::try_from(text.chars().count()).ok()?;
                return Some((Datum::Whole(count), cost as u32));
            }
            _ => return None,
        };
        Some((value, 0))
    }

    fn searched(&self, text: &str, part: &str) -> (bool, u64) {
        let heavy = weight_of_text(text.len()) + weight_of_text(part.len());
        let cost = PER_SEARCH + heavy * TO_SEARCH / IN_ONE_OPERATION;
        (text.contains(part), cost)
    }

    /// Whether an array or a text contains a value.
    pub fn contains(&mut self, list: Reg, item: Reg) -> Option<Datum> {
        let item = self.get(item);
        let (found, cost) = match (self.get(list), item) {
            (Datum::Text(text), Datum::Text(part)) => {
                let texts = self.sources();
                self.searched(texts.text(text), texts.text(part))
            }
            (Datum::List(list), item) => {
                let items = self.arena.items[list.range()].iter();
                self.found(items.map(|have| self.same(*have, item)), item)?
            }
            (Datum::Data(data), item) => {
                let data = self.arena.data(data, &self.code.data);
                let list = data.as_array_ref().ok()?;
                self.found(list.iter().map(|have| self.same_as(have, item)), item)?
            }
            _ => return None,
        };
        self.used += cost;
        Some(Datum::Flag(found))
    }

    /// Whether an element is the one, given for each whether it is; `Match::OtherType` if it cannot be.
    fn found(&self, elements: impl Iterator<Item = Option<ElementMatch>>, item: Datum) -> Option<(bool, u64)> {
        let each = PER_COMPARISON + self.weight(item)? / IN_ONE_OPERATION;
        let mut cost = 0;
        for element in elements {
            match element? {
                ElementMatch::OtherType => cost += PER_OTHER,
                ElementMatch::Other => cost += each,
                ElementMatch::Same => return Some((true, cost + each)),
            }
        }
        Some((false, cost))
    }

    fn same(&self, have: Datum, item: Datum) -> Option<ElementMatch> {
        let equal = match (have, item) {
            (Datum::Text(a), Datum::Text(b)) => self.sources().text(a) == self.sources().text(b),
            (Datum::Flag(a), Datum::Flag(b)) => a == b,
            (Datum::Whole(a), Datum::Whole(b)) => a == b,
            _ => match (have.number(), item.number()) {
                (Some(a), Some(b)) => ComparedBy::Equal.numbers(a, b),
                // Other values of one type are left to Rhai.
                _ if std::mem::discriminant(&have) == std::mem::discriminant(&item) => return None,
                _ => {
                    return (!have.is_unclear() && !item.is_unclear()).then_some(ElementMatch::OtherType);
                }
            },
        };
        Some(if equal { ElementMatch::Same } else { ElementMatch::Other })
    }

    fn same_as(&self, have: &Dynamic, item: Datum) -> Option<ElementMatch> {
        if let Ok(text) = have.as_immutable_string_ref() {
            return Some(match item {
                Datum::Text(item) if self.sources().text(item) == text.as_str() => ElementMatch::Same,
                Datum::Text(_) => ElementMatch::Other,
                _ => ElementMatch::OtherType,
            });
        }
        self.same(Datum::plain(have)?, item)
    }
}

/// How an element compares with a value that is searched for.
enum ElementMatch {
    Same,
    Other,
    OtherType,
}

impl Datum {
    /// Whether values of this one kind can have several types in Rhai.
    fn is_unclear(self) -> bool {
        matches!(self, Self::Data(_) | Self::Record(_) | Self::List(_) | Self::About)
    }
}
