//! `this`: an entity's variables, kept as a live Rhai map.

use crate::script::host::{Limits, MOST_NESTING};
use crate::script::rhai::api::vector::Vector;
use crate::script::rhai::budget::charge_tick;
use crate::script::rhai::values::{NotPlain, plain_map, to_dynamic, to_map, type_name};
use crate::sim::{Digest, Value, VarStore, Vars};
use rhai::{Dynamic, Map};
use std::any::Any;
use std::collections::BTreeMap;

/// Most characters of the path to a variable in a message.
const MOST_PATH: usize = 100;

/// What a call takes beside its own steps, in steps.
const CALL: u64 = 8;

/// How many values are looked at in the time of one step.
const VALUES: u64 = 4;

/// Variables in Rhai's own form. Always a map of plain data.
#[derive(Clone, Debug)]
pub(in crate::script::rhai) struct RhaiVars(pub Dynamic);

impl RhaiVars {
    /// The Rhai form of these variables; plain ones are taken over first.
    pub fn of(vars: &mut Vars) -> &mut Self {
        if vars.0.as_any_mut().downcast_ref::<Self>().is_none() {
            let map = to_map(&vars.0.to_plain());
            *vars = Vars(Box::new(Self(map.into())));
        }
        vars.0
            .as_any_mut()
            .downcast_mut::<Self>()
            .expect("was just made")
    }

    fn read<T>(&self, with: impl FnOnce(&Map) -> T) -> T {
        with(&self.0.as_map_ref().expect("variables are always a map"))
    }

    fn write<T>(&mut self, with: impl FnOnce(&mut Map) -> T) -> T {
        with(&mut self.0.as_map_mut().expect("variables are always a map"))
    }

    /// Makes sure that after a call all is plain data and not too much. What is not is taken out;
    /// path and kind of the first such thing are returned.
    pub fn keep_plain(&mut self, limits: &Limits) -> Result<(), NotPlain> {
        if self.0.as_map_ref().is_err() {
            let what = type_name(&self.0).to_string();
            self.0 = Map::new().into();
            return Err(NotPlain {
                path: String::new(),
                what,
            });
        }
        let wrong = self.find_wrong(limits);
        if wrong.is_empty() {
            return Ok(());
        }
        self.write(|map| wrong.iter().for_each(|(key, _)| drop(map.remove(key))));
        let Some((key, first)) = wrong.into_iter().next() else {
            return Ok(());
        };
        let path: String = format!(".{key}{}", first.path);
        Err(NotPlain {
            path: path.chars().take(MOST_PATH).collect(),
            what: first.what,
        })
    }

    /// The variables that cannot be kept; those before them are.
    fn find_wrong(&self, limits: &Limits) -> Vec<(rhai::Identifier, NotPlain)> {
        let mut room = Room {
            values: limits.kept_values,
            text: limits.kept_text,
            limits,
        };
        self.read(|map| {
            let wrong = map.iter().filter_map(|(key, value)| {
                let before = (room.values, room.text);
                let named = room.name(key);
                let inspected = named.and_then(|()| room.inspect(value, MOST_NESTING));
                let wrong = inspected.err()?;
                // What is taken out takes no room.
                (room.values, room.text) = before;
                Some((key.clone(), wrong))
            });
            let wrong = wrong.collect();
            // Looking at a few values takes as long as one step of a script.
            charge_tick(CALL + (limits.kept_values - room.values) as u64 / VALUES);
            wrong
        })
    }
}

/// How much more may be kept.
struct Room<'a> {
    values: usize,
    text: usize,
    limits: &'a Limits,
}

fn wrong(what: impl Into<String>) -> NotPlain {
    NotPlain {
        path: String::new(),
        what: what.into(),
    }
}

impl Room<'_> {
    /// Takes room for text; names of variables and keys of maps are text, too.
    fn name(&mut self, text: &str) -> Result<(), NotPlain> {
        let most = self.limits.kept_text;
        self.text = self.text.checked_sub(text.len()).ok_or_else(|| {
            wrong(format!(
                "more text than the {most} bytes that an entity's variables may hold in all \
                 (`kept_text` in [scripts])"
            ))
        })?;
        Ok(())
    }

    /// Looks at a value without copying it.
    fn inspect(&mut self, value: &Dynamic, levels: usize) -> Result<(), NotPlain> {
        let most = self.limits.kept_values;
        self.values = self.values.checked_sub(1).ok_or_else(|| {
            wrong(format!(
                "more than the {most} values that an entity's variables may hold in all \
                 (`kept_values` in [scripts])"
            ))
        })?;
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
            return self.name(&text);
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
            let mut items = list.iter().enumerate();
            return items.try_for_each(|(i, v)| {
                self.inspect(v, below)
                    .map_err(|e| inside(format!("[{i}]"))(e))
            });
        }
        if let Ok(map) = value.as_map_ref() {
            let below = below()?;
            return map.iter().try_for_each(|(k, v)| {
                let named = self.name(k);
                named
                    .and_then(|()| self.inspect(v, below))
                    .map_err(|e| inside(format!(".{k}"))(e))
            });
        }
        Err(wrong(type_name(value)))
    }
}

fn digest_value(value: &Dynamic, digest: &mut Digest) {
    if let Ok(x) = value.as_int() {
        digest.words(&[2, x as u64]);
    } else if let Ok(x) = value.as_float() {
        digest.words(&[3, x.to_bits()]);
    } else if let Ok(x) = value.as_bool() {
        digest.words(&[1, u64::from(x)]);
    } else if let Ok(x) = value.as_immutable_string_ref() {
        digest.word(4);
        digest.text(&x);
    } else if let Ok(plain) = crate::script::rhai::values::to_plain(value) {
        plain.digest(digest);
    }
}

impl VarStore for RhaiVars {
    fn boxed_clone(&self) -> Box<dyn VarStore> {
        Box::new(self.clone())
    }

    fn to_plain(&self) -> BTreeMap<String, Value> {
        self.read(|map| plain_map(map).unwrap_or_default())
    }

    fn digest(&self, digest: &mut Digest) {
        self.read(|map| {
            digest.words(&[6, map.len() as u64]);
            for (key, value) in map {
                digest.text(key);
                digest_value(value, digest);
            }
        });
    }

    fn fill(&mut self, defaults: &BTreeMap<String, Value>) {
        self.write(|map| {
            for (key, value) in defaults {
                map.entry(key.as_str().into())
                    .or_insert_with(|| to_dynamic(value));
            }
        });
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}
