//! Of texts.

use super::Phrase;

pub(super) const TEXTS: &[Phrase] = &[
    (
        "append",
        "Adds to the end of the text.",
        "let name = \"door\"; name.append(3); name // \"door3\"",
    ),
    (
        "chars",
        "Its characters, for a loop: all, those of a range, or those from `start` on, `len` of them or all.",
        "let stars = 0; for c in \"*.*\".chars() { if c == '*' { stars += 1; } } stars // 2",
    ),
    (
        "clear",
        "",
        "let typed = \"abc\"; typed.clear(); typed // \"\"",
    ),
    ("contains", "", "\"p2.jump\".contains(\"jump\") // true"),
    (
        "crop",
        "Removes all characters but those of a range, or those from `start` on, `len` of them or all.",
        "let title = \"the cave\"; title.crop(4, 4); title // \"cave\"",
    ),
    ("ends_with", "", "\"red_door\".ends_with(\"door\") // true"),
    (
        "get",
        "The character at an index, which counts from the end if it is negative; `()` if there is none.",
        "\"key\".get(0) // 'k'",
    ),
    (
        "index_of",
        "Where a text first stands in the text, counted in characters from 0; -1 if it does not. It is looked for \
         from `start` on.",
        "\"p2.jump\".index_of(\".\") // 2",
    ),
    ("is_empty", "", "\"\".is_empty() // true"),
    ("len", "", "\"level\".len() // 5"),
    (
        "make_lower",
        "",
        "let name = \"Ann\"; name.make_lower(); name // \"ann\"",
    ),
    (
        "make_upper",
        "",
        "let name = \"Ann\"; name.make_upper(); name // \"ANN\"",
    ),
    ("max", "", "max(\"ann\", \"bob\") // \"bob\""),
    ("min", "", "min(\"ann\", \"bob\") // \"ann\""),
    (
        "pad",
        "",
        "let score = \"7\"; score.pad(3, \".\"); score // \"7..\"",
    ),
    (
        "pop",
        "Removes the last character and answers it, `()` if there is none; or the last `len`, as text.",
        "let typed = \"jump!\"; typed.pop() // '!'",
    ),
    (
        "remove",
        "Removes all occurrences of a text from the text.",
        "let id = \"red-door\"; id.remove(\"-\"); id // \"reddoor\"",
    ),
    (
        "replace",
        "",
        "let id = \"red-door\"; id.replace(\"-\", \"_\"); id // \"red_door\"",
    ),
    (
        "set",
        "Puts a character, which is written in single quotes, in the place of the one at an index.",
        "let word = \"cat\"; word.set(0, 'h'); word // \"hat\"",
    ),
    (
        "split",
        "Its parts as an array: between spaces, between what is given, `segments` at most, or before and from an \
         index on.",
        "\"red,blue\".split(\",\") // [\"red\", \"blue\"]",
    ),
    (
        "split_rev",
        "The same, the last part first.",
        "\"red,blue\".split_rev(\",\") // [\"blue\", \"red\"]",
    ),
    (
        "starts_with",
        "",
        "\"p2.jump\".starts_with(\"p2.\") // true",
    ),
    (
        "sub_string",
        "A copy of the characters of a range, or of those from `start` on, `len` of them or all.",
        "\"level12\".sub_string(5) // \"12\"",
    ),
    ("to_chars", "", "\"#.\".to_chars() // ['#', '.']"),
    ("to_lower", "", "\"Ann\".to_lower() // \"ann\""),
    ("to_upper", "", "\"Ann\".to_upper() // \"ANN\""),
    (
        "trim",
        "",
        "let typed = \" key \"; typed.trim(); typed // \"key\"",
    ),
    (
        "truncate",
        "",
        "let title = \"cave of ice\"; title.truncate(4); title // \"cave\"",
    ),
];
