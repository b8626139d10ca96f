//! Seeded random numbers, and random changes to saved worlds.

use serde_json::{Number, Value, json};

/// A small generator: the same numbers in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// The next number (splitmix64).
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        (self.roll() % count.max(1) as u64) as usize
    }

    pub fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.roll() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The paths to all values of a saved world, as JSON pointers.
pub fn paths(saved: &Value) -> Vec<String> {
    let mut all = Vec::new();
    collect(saved, String::new(), &mut all);
    all
}

fn collect(value: &Value, here: String, all: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            for (i, inner) in list.iter().enumerate() {
                collect(inner, format!("{here}/{i}"), all);
            }
        }
        Value::Object(map) => {
            for (key, inner) in map {
                let key = key.replace('~', "~0").replace('/', "~1");
                collect(inner, format!("{here}/{key}"), all);
            }
        }
        _ => {}
    }
    all.push(here);
}

/// Changes one random place of a saved world, and says which. `all` are the paths in it; those that
/// earlier changes have removed are left alone.
pub fn mutate(saved: &mut Value, all: &[String], dice: &mut Dice) -> String {
    let path = dice.of(all).clone();
    if saved.pointer(&path).is_none() {
        return String::new();
    }
    // Sometimes another part of the same world, most of all one with the same name.
    if dice.below(5) == 0 {
        let name = path.rsplit('/').next().unwrap_or("").to_string();
        let alike: Vec<&String> = all
            .iter()
            .filter(|p| p.ends_with(&format!("/{name}")))
            .collect();
        let from = match alike.is_empty() || dice.below(4) == 0 {
            true => dice.of(all),
            false => *dice.of(&alike),
        };
        let copy = saved.pointer(from).cloned().unwrap_or_default();
        *saved.pointer_mut(&path).expect("it is there") = copy;
        return format!("{path} = {from}");
    }
    let value = saved.pointer_mut(&path).expect("it is there");
    change(value, dice);
    let now = value.to_string();
    format!("{path} = {}", now.chars().take(80).collect::<String>())
}

fn change(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::Null => *value = json!(dice.of(&[0, 1, 7])),
        Value::Bool(flag) => *flag = !*flag,
        Value::Number(x) => *value = number(x, dice),
        Value::String(text) => {
            let words = [
                "",
                "x",
                "hero",
                "platformer",
                "vessel",
                "Attached",
                "Idle",
                "floor",
            ];
            *text = dice.of(&words).to_string();
        }
        Value::Array(list) => {
            let (one, other) = (dice.below(list.len()), dice.below(list.len()));
            match dice.below(4) {
                0 => list.truncate(one),
                1 if !list.is_empty() => list.swap(one, other),
                2 if !list.is_empty() => list.push(list[one].clone()),
                _ if !list.is_empty() => drop(list.remove(one)),
                _ => list.push(json!(1)),
            }
        }
        Value::Object(map) => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let Some(key) = keys.get(dice.below(keys.len())) else {
                return;
            };
            let other = dice.of(&keys);
            match dice.below(3) {
                0 => drop(map.remove(key)),
                1 => drop(map.insert(key.clone(), map[other].clone())),
                _ => *value = Value::Null,
            }
        }
    }
}

fn number(x: &Number, dice: &mut Dice) -> Value {
    let real = x.as_f64().unwrap_or(0.0);
    if let Some(whole) = x.as_i64()
        && dice.below(2) == 0
    {
        let near = [
            whole.wrapping_add(1),
            whole.wrapping_sub(1),
            whole.wrapping_mul(2),
            -whole,
        ];
        return json!(dice.of(&near));
    }
    match dice.below(5) {
        0 => json!(dice.of(&[
            0_u64,
            1,
            2,
            255,
            65_535,
            u64::from(u32::MAX),
            u64::MAX,
            1 << 53
        ])),
        1 => json!(dice.of(&[-1_i64, i64::MIN, -1000])),
        2 => json!(dice.of(&[
            -0.0, 1e-300, 1e-9, 0.5, 1e6, 1e9, -1e12, 1e100, 1e308, -1e308
        ])),
        3 => json!(real * dice.between(-3.0, 3.0)),
        _ => json!(real + dice.between(-300.0, 300.0)),
    }
}
