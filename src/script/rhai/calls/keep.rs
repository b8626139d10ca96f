//! What may stay in an entity's variables from call to call.

use crate::script::host::{Limits, MOST_NESTING};
use crate::script::rhai::engine::budget::charge_tick;
use crate::script::rhai::engine::values::{NotPlain, type_name};
use crate::script::rhai::engine::vector::Vector;
use rhai::{Dynamic, ImmutableString, Map};

/// Most characters of the path to a variable in a message.
const MOST_PATH: usize = 100;

/// What a call takes beside its own steps, in steps.
const CALL: u64 = 8;

/// How many values are looked at in the time of one step.
const VALUES: u64 = 4;

/// A variable that cannot be kept.
pub(super) struct NotKept {
    /// The path to what is wrong, such as `.enemies[2].target`; empty for all of them together.
    pub path: String,
    /// What it is.
    pub what: String,
    /// Whether it holds again what it held before; else it has been taken out.
    pub restored: bool,
}

/// Makes sure that the variables after a call are plain data and not too much, and remembers them in
/// `good`, where they are as they were before.
pub(super) fn keep(this: &mut Dynamic, good: &mut Map, limits: &Limits) -> Result<(), NotKept> {
    let Ok(mut map) = this.as_map_mut() else {
        let what = type_name(this).to_string();
        *this = good.clone().into();
        return Err(NotKept {
            path: String::new(),
            what,
            restored: true,
        });
    };
    let mut room = Room::of(limits);
    let fits = room.look_over(&map, good);
    // Looking at a few values takes as long as one step of a script.
    charge_tick(CALL + room.used() as u64 / VALUES);
    let wrong = match fits {
        Fits::AsBefore { unchanged } => {
            if unchanged < map.len() {
                catch_up(good, &map, unchanged);
            }
            return Ok(());
        }
        Fits::Otherwise => None,
        Fits::Not => restore(&mut map, good, limits),
    };
    good.clone_from(&map);
    wrong.map_or(Ok(()), Err)
}

/// Whether all variables can be kept.
enum Fits {
    /// They can, and have the names that they had before; so many at the beginning have not changed.
    AsBefore { unchanged: usize },
    /// They can.
    Otherwise,
    /// Some cannot.
    Not,
}

/// Copies what has changed of variables whose names have not; the first ones have not either.
fn catch_up(good: &mut Map, map: &Map, unchanged: usize) {
    let mut both = good.values_mut().zip(map.values()).skip(unchanged);
    if let Some((before, now)) = both.next() {
        before.clone_from(now);
    }
    for (before, now) in both.filter(|(before, now)| !same(before, now)) {
        before.clone_from(now);
    }
}

/// Whether two pieces of plain data are the same, bit for bit. What is none is never the same, and so
/// looked at again.
fn same(a: &Dynamic, b: &Dynamic) -> bool {
    // What is asked first is what variables hold most often.
    if b.is_int() {
        return a.is_int() && a.as_int() == b.as_int();
    }
    if b.is_bool() {
        return a.is_bool() && a.as_bool() == b.as_bool();
    }
    if let (Ok(a), Ok(b)) = (a.as_float(), b.as_float()) {
        return a.to_bits() == b.to_bits();
    }
    if let (Ok(a), Ok(b)) = (a.as_immutable_string_ref(), b.as_immutable_string_ref()) {
        return ImmutableString::ptr_eq(&a, &b) || *a == *b;
    }
    if let (Ok(a), Ok(b)) = (a.as_array_ref(), b.as_array_ref()) {
        return a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b));
    }
    if let (Ok(a), Ok(b)) = (a.as_map_ref(), b.as_map_ref()) {
        let mut both = a.iter().zip(b.iter());
        return a.len() == b.len() && both.all(|((k, a), (l, b))| k == l && same(a, b));
    }
    if let (Some(a), Some(b)) = (a.read_lock::<Vector>(), b.read_lock::<Vector>()) {
        let bits = |v: &Vector| [v.x, v.y, v.z].map(f64::to_bits);
        return bits(&a) == bits(&b);
    }
    a.is_unit() && b.is_unit()
}

/// Takes back what of a call cannot stay; the first of it is told. What was there before has its room
/// already, so that nothing is lost for what is new.
fn restore(map: &mut Map, good: &Map, limits: &Limits) -> Option<NotKept> {
    let mut room = Room::of(limits);
    for (key, value) in good.iter().filter(|(key, _)| map.contains_key(*key)) {
        // What a smaller limit has no room for any more stays, and takes all there is.
        let _ = room.variable(key, value);
    }
    let mut first = None;
    let mut new = Vec::new();
    for (key, value) in map.iter_mut() {
        let before = good.get(key);
        if before.is_some_and(|before| same(before, value)) {
            continue;
        }
        let left = room.left;
        if let Some(before) = before {
            room.give_back(key, before);
        }
        let Err(wrong) = room.variable(key, value) else {
            continue;
        };
        room.left = left;
        match before {
            Some(before) => value.clone_from(before),
            None => new.push(key.clone()),
        }
        let path = format!(".{key}{}", wrong.path);
        first.get_or_insert(NotKept {
            path: path.chars().take(MOST_PATH).collect(),
            what: wrong.what,
            restored: before.is_some(),
        });
    }
    new.iter().for_each(|key| drop(map.remove(key)));
    first
}

/// How much more may be kept.
#[derive(Clone, Copy)]
struct Left {
    values: usize,
    text: usize,
    /// Elements of arrays and entries of maps, the variables themselves included: with more of them Rhai
    /// would refuse to work on `this` at all.
    elements: usize,
    entries: usize,
}

/// The room for what is kept.
struct Room<'a> {
    left: Left,
    limits: &'a Limits,
}

fn wrong(what: impl Into<String>) -> NotPlain {
    NotPlain {
        path: String::new(),
        what: what.into(),
    }
}

/// Takes `taken` off what is left of `most`.
fn take(left: &mut usize, taken: usize, most: usize, of: &str, key: &str) -> Result<(), NotPlain> {
    *left = left.checked_sub(taken).ok_or_else(|| {
        wrong(format!(
            "more than the {most} {of} that an entity's variables may hold in all (`{key}` in [scripts])"
        ))
    })?;
    Ok(())
}

impl<'a> Room<'a> {
    fn of(limits: &'a Limits) -> Self {
        Self {
            left: Left {
                values: limits.kept_values,
                text: limits.kept_text,
                elements: limits.array,
                entries: limits.map,
            },
            limits,
        }
    }

    /// Looks at all variables, and compares them with those before in the same walk: most often little
    /// of them has changed.
    fn look_over(&mut self, map: &Map, good: &Map) -> Fits {
        let (mut alike, mut unchanged) = (map.len() == good.len(), 0);
        let mut before = good.iter();
        for (place, (key, value)) in map.iter().enumerate() {
            let key = key.as_str();
            if self.variable(key, value).is_err() {
                return Fits::Not;
            }
            if let Some((name, was)) = before.next().filter(|_| alike) {
                alike = name.as_str() == key;
                unchanged += usize::from(unchanged == place && same(was, value));
            }
        }
        if alike {
            Fits::AsBefore { unchanged }
        } else {
            Fits::Otherwise
        }
    }

    /// How many values have taken room.
    fn used(&self) -> usize {
        self.limits.kept_values - self.left.values
    }

    /// Takes room for a variable.
    fn variable(&mut self, key: &str, value: &Dynamic) -> Result<(), NotPlain> {
        self.entry(key, value, MOST_NESTING)
    }

    /// Gives back the room that a variable has taken.
    fn give_back(&mut self, key: &str, value: &Dynamic) {
        let mut alone = Room::of(self.limits);
        let all = alone.left;
        let _ = alone.variable(key, value);
        self.left.values += all.values - alone.left.values;
        self.left.text += all.text - alone.left.text;
        self.left.elements += all.elements - alone.left.elements;
        self.left.entries += all.entries - alone.left.entries;
    }

    /// Takes room for something that has a name, which is text, too.
    fn entry(&mut self, key: &str, value: &Dynamic, levels: usize) -> Result<(), NotPlain> {
        let (entries, most) = (&mut self.left.entries, self.limits.map);
        take(entries, 1, most, "entries of maps", "map_entries")?;
        self.text(key)?;
        self.inspect(value, levels)
    }

    fn text(&mut self, text: &str) -> Result<(), NotPlain> {
        let most = self.limits.kept_text;
        take(
            &mut self.left.text,
            text.len(),
            most,
            "bytes of text",
            "kept_text",
        )
    }

    /// Looks at a value without copying it.
    fn inspect(&mut self, value: &Dynamic, levels: usize) -> Result<(), NotPlain> {
        let most = self.limits.kept_values;
        take(&mut self.left.values, 1, most, "values", "kept_values")?;
        if value.is_shared() {
            return Err(wrong("a variable that a closure has captured"));
        }
        if value.is_int() || value.is_bool() || value.is_unit() || value.is_char() {
            return Ok(());
        }
        if let Ok(x) = value.as_float() {
            return if x.is_finite() {
                Ok(())
            } else {
                Err(wrong(format!("{x}")))
            };
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            let longest = self.limits.string;
            if text.len() > longest {
                return Err(wrong(format!(
                    "longer than the {longest} bytes that a string may have"
                )));
            }
            return self.text(&text);
        }
        if let Some(v) = value.read_lock::<Vector>() {
            let finite = [v.x, v.y, v.z].into_iter().find(|x| !x.is_finite());
            return finite.map_or(Ok(()), |x| Err(wrong(format!("a vec with {x}"))));
        }
        self.inspect_parts(value, levels)
    }

    fn inspect_parts(&mut self, value: &Dynamic, levels: usize) -> Result<(), NotPlain> {
        let inside = |key: String| {
            move |e: NotPlain| NotPlain {
                path: format!("{key}{}", e.path),
                what: e.what,
            }
        };
        let below = || {
            let deep = || wrong(format!("nested more than {MOST_NESTING} deep"));
            levels.checked_sub(1).ok_or_else(deep)
        };
        if let Ok(list) = value.as_array_ref() {
            let below = below()?;
            let (elements, most) = (&mut self.left.elements, self.limits.array);
            take(
                elements,
                list.len(),
                most,
                "elements of arrays",
                "array_length",
            )?;
            let mut items = list.iter().enumerate();
            return items.try_for_each(|(i, v)| {
                self.inspect(v, below)
                    .map_err(|e| inside(format!("[{i}]"))(e))
            });
        }
        if let Ok(map) = value.as_map_ref() {
            let below = below()?;
            return map.iter().try_for_each(|(k, v)| {
                self.entry(k, v, below)
                    .map_err(|e| inside(format!(".{k}"))(e))
            });
        }
        Err(wrong(type_name(value)))
    }
}
