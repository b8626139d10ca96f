//! Keeping script variables plain and within their limits.

use super::*;
use crate::{
    bytecode::VALUES_PER_OPERATION,
    engine::weight::{PARTS_OF_ENTRY, PARTS_OF_OWNER, is_long_key, parts},
};
use hangtime_core::sim::{WEIGHT_OF_LIST, WEIGHT_OF_VECTOR, weight_of_map};
use hangtime_script::MOST_NESTING;

/// The longest path to a variable in a message, in characters.
const MOST_PATH: usize = 100;

/// What it costs to restore variables and to say why, in operations, and how often all of them are looked at for that.
const RESTORE_COST: u64 = 32;
const ROUNDS_TO_RESTORE: u64 = 3;

/// A variable that is not plain data or exceeds a limit.
pub struct RejectedVar {
    /// The path to the offending value, such as `.enemies[2].target`; empty for `this` itself.
    pub path: String,
    /// What the value is.
    pub what: String,
    /// Whether its previous value was restored; otherwise it was removed.
    pub restored: bool,
}

impl RejectedVar {
    /// The message of the fault.
    pub fn message(&self) -> String {
        let Self { path, what, restored } = self;
        if path.is_empty() {
            return format!("`this` must stay a map and cannot become {what}; it keeps its variables");
        }
        let then = if *restored { "it keeps its previous value" } else { "it has been removed" };
        let instead = match what.as_str() {
            "an entity" => "Store its name, and look it up with `world::entity(name)` when you need it",
            "`me`" => "Every hook receives `me`; pass it to your own functions",
            _ => "Variables hold numbers, text, true or false, (), vecs, and arrays and maps of them",
        };
        format!("`this{path}` cannot hold {what}; {then}. {instead}")
    }
}

/// Checks the variables after a call, restores invalid ones from `good`, which holds those before the call,
/// and then copies the variables to `good`. Returns what that costs the tick.
pub fn enforce_plain(this: &mut Dynamic, good: &mut KeptVars, limits: &Limits) -> Result<u64, RejectedVar> {
    let Ok(mut map) = this.as_map_mut() else {
        let what = type_name(this).to_string();
        *this = good.to_map().into();
        return Err(RejectedVar { path: String::new(), what, restored: true });
    };
    let mut quota = Quota::of(limits);
    let check = quota.check_all(&map, good);
    let price = quota.used.price_to_keep();
    charge_tick(price);
    let wrong = match check {
        CheckResult::SameNames { unchanged } => {
            if unchanged < map.len() {
                good.copy_values(&map, unchanged);
            }
            return Ok(price);
        }
        CheckResult::OtherNames => None,
        CheckResult::Invalid => restore(&mut map, good, limits),
    };
    *good = std::mem::take(good).updated(&map);
    wrong.map_or(Ok(price), Err)
}

/// The sizes of plain variables; none if they exceed a limit.
pub fn sizes_of(vars: &KeptVars, limits: &Limits) -> Option<SlotSizes> {
    let mut quota = Quota::of(limits);
    let mut all = PARTS_OF_OWNER;
    for (key, value) in vars.iter() {
        value.with_dynamic(|value| quota.variable(key, value)).ok()?;
        all += PARTS_OF_ENTRY + value.with_dynamic(parts);
    }
    Some(SlotSizes { parts: all, ..quota.used })
}

/// The sizes of a value, with its name or key if it has one, below this many arrays and maps; none if it exceeds a
/// limit.
pub fn sizes_of_value((key, value): (Option<&str>, &Dynamic), levels: usize, limits: &Limits) -> Option<SlotSizes> {
    let mut quota = Quota::of(limits);
    let below = MOST_NESTING.checked_sub(levels)?;
    let (checked, entry) = match key {
        Some(key) => (quota.entry(key, value, below), PARTS_OF_ENTRY),
        None => (quota.inspect(value, below), 0),
    };
    checked.ok()?;
    Some(SlotSizes { parts: entry + parts(value), ..quota.used })
}

/// The result of checking all variables.
enum CheckResult {
    /// All are valid and have the same names as before. The first `unchanged` have the same values.
    SameNames { unchanged: usize },
    /// All are valid; names have been added or removed.
    OtherNames,
    /// Some are not plain data or exceed a limit.
    Invalid,
}

/// Whether two maps hold the same names and values, bit for bit.
fn same_map(a: &Map, b: &Map) -> bool {
    let mut both = a.iter().zip(b.iter());
    a.len() == b.len() && both.all(|((k, a), (l, b))| k == l && same(a, b))
}

/// Whether two values of plain data are the same, bit for bit. False for values that are not plain
/// data, so that they are checked again.
pub fn same(a: &Dynamic, b: &Dynamic) -> bool {
    // The most common types first.
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
        return same_map(&a, &b);
    }
    if let Ok(a) = a.as_char() {
        return is_character(b, a);
    }
    if let Ok(b) = b.as_char() {
        return is_character(a, b);
    }
    if let (Some(a), Some(b)) = (a.read_lock::<Vector>(), b.read_lock::<Vector>()) {
        let bits = |v: &Vector| [v.x, v.y, v.z].map(f64::to_bits);
        return bits(&a) == bits(&b);
    }
    a.is_unit() && b.is_unit()
}

/// Whether a value is this character. A saved world holds it as text, and must not differ by that.
fn is_character(value: &Dynamic, character: char) -> bool {
    let text = || value.as_immutable_string_ref().ok();
    value.as_char() == Ok(character) || text().is_some_and(|text| text.chars().eq([character]))
}

/// Restores or removes the invalid variables, and returns the first of them. Previous values are counted
/// against the limits first, so that new variables never displace them.
fn restore(map: &mut Map, good: &KeptVars, limits: &Limits) -> Option<RejectedVar> {
    let mut quota = Quota::of(limits);
    for (key, value) in good.iter().filter(|(key, _)| map.contains_key(*key)) {
        // A previous value may exceed a limit that has been lowered since. It is kept and uses up the
        // rest.
        let _ = value.with_dynamic(|value| quota.variable(key, value));
    }
    charge_tick(RESTORE_COST + ROUNDS_TO_RESTORE * quota.used.checked() / VALUES_PER_OPERATION);
    let mut first = None;
    let mut new = Vec::new();
    for (key, value) in map.iter_mut() {
        let before = good.get(key);
        if before.is_some_and(|before| before.is_same(value, same)) {
            continue;
        }
        let used = quota.used;
        if let Some(before) = before {
            before.with_dynamic(|before| quota.give_back(key, before));
        }
        let Err(wrong) = quota.variable(key, value) else {
            continue;
        };
        quota.used = used;
        match before {
            Some(before) => *value = before.to_dynamic(),
            None => new.push(key.clone()),
        }
        let path = format!(".{key}{}", wrong.path);
        first.get_or_insert(RejectedVar {
            path: path.chars().take(MOST_PATH).collect(),
            what: wrong.what,
            restored: before.is_some(),
        });
    }
    new.iter().for_each(|key| drop(map.remove(key)));
    first
}

/// Counts variables against the limits.
struct Quota<'a> {
    /// What has been counted so far, without the parts.
    used: SlotSizes,
    limits: &'a Limits,
}

fn wrong(what: impl Into<String>) -> NotPlain {
    NotPlain { path: String::new(), what: what.into() }
}

/// Counts `more`, unless that is more than the limit `most`, which is set by `key`.
fn take(used: &mut usize, more: usize, most: usize, of: &str, key: &str) -> Result<(), NotPlain> {
    if more > most.saturating_sub(*used) {
        return Err(wrong(format!(
            "more than the {most} {of} that an entity's variables may hold in total (`{key}` in [scripts])"
        )));
    }
    *used += more;
    Ok(())
}

impl<'a> Quota<'a> {
    fn of(limits: &'a Limits) -> Self {
        Self { used: SlotSizes::default(), limits }
    }

    /// Checks all variables and compares them with the previous ones in the same pass: most often few of
    /// them have changed.
    fn check_all(&mut self, map: &Map, good: &KeptVars) -> CheckResult {
        let (mut alike, mut unchanged) = (map.len() == good.len(), 0);
        let mut before = good.iter();
        for (place, (key, value)) in map.iter().enumerate() {
            let key = key.as_str();
            if self.variable(key, value).is_err() {
                return CheckResult::Invalid;
            }
            if let Some((name, was)) = before.next().filter(|_| alike) {
                alike = name.as_str() == key;
                unchanged += usize::from(unchanged == place && was.is_same(value, same));
            }
        }
        if alike {
            CheckResult::SameNames { unchanged }
        } else {
            CheckResult::OtherNames
        }
    }

    /// Checks and counts a variable.
    fn variable(&mut self, key: &str, value: &Dynamic) -> Result<(), NotPlain> {
        self.entry(key, value, MOST_NESTING)
    }

    /// Undoes the counting of a variable.
    fn give_back(&mut self, key: &str, value: &Dynamic) {
        let mut alone = Quota::of(self.limits);
        let _ = alone.variable(key, value);
        let give = |used: &mut usize, back: usize| *used = used.saturating_sub(back);
        give(&mut self.used.values, alone.used.values);
        give(&mut self.used.text, alone.used.text);
        give(&mut self.used.elements, alone.used.elements);
        give(&mut self.used.entries, alone.used.entries);
    }

    /// Checks and counts a value with its name.
    fn entry(&mut self, key: &str, value: &Dynamic, levels: usize) -> Result<(), NotPlain> {
        let (entries, most) = (&mut self.used.entries, self.limits.map);
        take(entries, 1, most, "entries of maps", "map_entries")?;
        self.text(key)?;
        self.used.texts += usize::from(is_long_key(key));
        self.inspect(value, levels)
    }

    fn text(&mut self, text: &str) -> Result<(), NotPlain> {
        let most = self.limits.kept_text;
        take(&mut self.used.text, text.len(), most, "bytes of text", "kept_text")
    }

    /// Counts a value's own weight.
    fn weigh(&mut self, weight: u64) -> Result<(), NotPlain> {
        let most = self.limits.kept_values;
        take(&mut self.used.values, weight as usize, most, "values", "kept_values")
    }

    /// Checks and counts a value without copying it.
    fn inspect(&mut self, value: &Dynamic, levels: usize) -> Result<(), NotPlain> {
        self.weigh(1)?;
        if value.is_shared() {
            return Err(wrong("a variable captured by a closure"));
        }
        if value.is_int() || value.is_bool() || value.is_unit() || value.is_char() {
            return Ok(());
        }
        if let Ok(x) = value.as_float() {
            return if x.is_finite() { Ok(()) } else { Err(wrong(format!("{x}"))) };
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            self.used.texts += 1;
            let longest = self.limits.string;
            if text.len() > longest {
                return Err(wrong(format!("a string longer than {longest} bytes")));
            }
            return self.text(&text);
        }
        if let Some(v) = value.read_lock::<Vector>() {
            self.weigh(WEIGHT_OF_VECTOR - 1)?;
            let finite = [v.x, v.y, v.z].into_iter().find(|x| !x.is_finite());
            return finite.map_or(Ok(()), |x| Err(wrong(format!("a vec with {x}"))));
        }
        self.inspect_parts(value, levels)
    }

    fn inspect_parts(&mut self, value: &Dynamic, levels: usize) -> Result<(), NotPlain> {
        let inside = |key: String| move |e: NotPlain| NotPlain { path: format!("{key}{}", e.path), what: e.what };
        let below = || {
            let deep = || wrong(format!("values nested more than {MOST_NESTING} levels deep"));
            levels.checked_sub(1).ok_or_else(deep)
        };
        if let Ok(list) = value.as_array_ref() {
            let below = below()?;
            let (elements, most) = (&mut self.used.elements, self.limits.array);
            take(elements, list.len(), most, "elements of arrays", "array_length")?;
            self.weigh(WEIGHT_OF_LIST - 1)?;
            let mut items = list.iter().enumerate();
            return items.try_for_each(|(i, v)| self.inspect(v, below).map_err(|e| inside(format!("[{i}]"))(e)));
        }
        if let Ok(map) = value.as_map_ref() {
            let below = below()?;
            self.used.maps += usize::from(!map.is_empty());
            self.weigh(weight_of_map(map.len()) - 1)?;
            return map
                .iter()
                .try_for_each(|(k, v)| self.entry(k, v, below).map_err(|e| inside(format!(".{k}"))(e)));
        }
        Err(wrong(type_name(value)))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/calls/plain_vars.rs"]
mod tests;
