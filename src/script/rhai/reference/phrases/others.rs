//! Of anything, functions, maps, numbers and ranges.

use super::Phrase;

pub(super) const ANYTHING: &[Phrase] = &[
    ("print", "", "print(\"the door opens\");"),
    ("debug", "", "debug([1, \"key\"]);"),
    ("type_of", "", "type_of(2.5) // \"f64\""),
    ("to_string", "", "\"level\" + to_string(3) // \"level3\""),
    ("Fn", "", "Fn(\"abs\").call(-3) // 3"),
    (
        "call",
        "",
        "let double = |speed| speed * 2; double.call(150) // 300",
    ),
];

pub(super) const FUNCTIONS: &[Phrase] = &[
    (
        "is_anonymous",
        "",
        "let double = |x| x * 2; double.is_anonymous() // true",
    ),
    ("name", "", "Fn(\"abs\").name() // \"abs\""),
];

pub(super) const MAPS: &[Phrase] = &[
    (
        "clear",
        "",
        "let bag = #{ key: 1 }; bag.clear(); bag.len() // 0",
    ),
    (
        "contains",
        "",
        "let bag = #{ key: 1 }; bag.contains(\"key\") // true",
    ),
    (
        "drain",
        "Takes out the properties for which the function answers true, and answers them as a new map. It is given \
         the name and the value.",
        "let bag = #{ coin: 9, key: 1 }; bag.drain(|name, count| count > 5) // #{ coin: 9 }",
    ),
    (
        "fill_with",
        "",
        "let hero = #{ hp: 2 }; hero.fill_with(#{ hp: 3, gold: 0 }); hero // #{ hp: 2, gold: 0 }",
    ),
    (
        "filter",
        "The properties for which the function answers true, as a new map. It is given the name and the value.",
        "let bag = #{ coin: 9, key: 1 }; bag.filter(|name, count| count > 5) // #{ coin: 9 }",
    ),
    (
        "get",
        "A copy of the value of a property; `()` if there is none.",
        "let hero = #{ hp: 3 }; hero.get(\"gold\") // ()",
    ),
    ("is_empty", "", "let bag = #{}; bag.is_empty() // true"),
    (
        "keys",
        "",
        "let bag = #{ coin: 9, key: 1 }; bag.keys() // [\"coin\", \"key\"]",
    ),
    ("len", "", "let bag = #{ coin: 9, key: 1 }; bag.len() // 2"),
    (
        "map",
        "A new map with what the function answers for each property. It is given the name and the value.",
        "let bag = #{ coin: 9 }; bag.map(|name, count| count * 2) // #{ coin: 18 }",
    ),
    (
        "mixin",
        "",
        "let hero = #{ hp: 2 }; hero.mixin(#{ hp: 3, gold: 0 }); hero // #{ hp: 3, gold: 0 }",
    ),
    (
        "remove",
        "Removes a property and answers its value; `()` if there is none.",
        "let bag = #{ coin: 9 }; bag.remove(\"coin\") // 9",
    ),
    (
        "retain",
        "Keeps only the properties for which the function answers true, and answers the others as a new map. It is \
         given the name and the value.",
        "let bag = #{ coin: 9, key: 1 }; bag.retain(|name, count| count > 5); bag // #{ coin: 9 }",
    ),
    (
        "set",
        "",
        "let hero = #{}; hero.set(\"hp\", 3); hero // #{ hp: 3 }",
    ),
    (
        "to_json",
        "The map as text in JSON. A function in it is an error, as is whatever else is no plain data.",
        "let hero = #{ hp: 3 }; hero.to_json() // \"{\\\"hp\\\":3}\"",
    ),
    (
        "values",
        "",
        "let bag = #{ coin: 9, key: 1 }; bag.values() // [9, 1]",
    ),
];

pub(super) const NUMBERS: &[Phrase] = &[
    (
        "abs",
        "How large the number is, without its sign.",
        "abs(-40) // 40",
    ),
    (
        "bits",
        "Its bits as true and false, the lowest first, for a loop: all, those of a range, or those from `from` on, \
         `len` of them or all.",
        "let open = 0; for door in 5.bits(0, 4) { if door { open += 1; } } open // 2",
    ),
    ("is_even", "", "let wave = 4; wave.is_even() // true"),
    ("is_odd", "", "let wave = 4; wave.is_odd() // false"),
    ("is_zero", "", "let hp = 0; hp.is_zero() // true"),
    ("max", "", "max(3, 8) // 8"),
    ("min", "", "min(3, 8) // 3"),
    (
        "range",
        "Numbers for a loop, from `from` on, without `to`. Where there is a `step`, they are all whole or all \
         floating.",
        "let at = []; for x in range(0, 96, 32) { at.push(x); } at // [0, 32, 64]",
    ),
    (
        "sign",
        "-1, 0 or 1, as the number is below, at or above 0.",
        "sign(-2.5) // -1",
    ),
    (
        "to_binary",
        "",
        "let doors = 5; doors.to_binary() // \"101\"",
    ),
    ("to_hex", "", "let red = 255; red.to_hex() // \"ff\""),
    ("to_octal", "", "let mode = 8; mode.to_octal() // \"10\""),
];

pub(super) const RANGES: &[Phrase] = &[
    ("contains", "", "(0..10).contains(10) // false"),
    (
        "end",
        "Where the range ends, as it is written.",
        "(3..8).end() // 8",
    ),
    ("is_empty", "", "(3..3).is_empty() // true"),
    (
        "is_exclusive",
        "Whether the range is without its end, as `0..9` is.",
        "(0..9).is_exclusive() // true",
    ),
    (
        "is_inclusive",
        "Whether the range has its end in it, as `0..=9` does.",
        "(0..=9).is_inclusive() // true",
    ),
    ("start", "Where the range begins.", "(3..8).start() // 3"),
];
