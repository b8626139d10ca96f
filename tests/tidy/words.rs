//! No text of this repository has phrases that plain English does not use, or British spellings.

use crate::source::{files_below, root};

/// Phrases to avoid, each with what to say instead. Words follow each other on one line or across
/// lines; `_` between words counts as a space, and a `*` ends a word that may be longer.
const PHRASES: &[(&str, &str)] = &[
    ("anew", "again"),
    ("so many", "n"),
    ("goes on", "continues"),
    ("go on", "continue"),
    ("at first", "initially"),
    ("as ever", "as usual"),
    ("beside", "along with, next to"),
    ("but for", "except"),
    ("nothing but", "only"),
    ("had better", "should"),
    ("nobody", "no entity, none"),
    ("everybody", "all entities, all"),
    ("whom", "(say which entity, player or reader)"),
    ("those who", "entities that"),
    ("one who", "an entity that"),
    ("is no number", "is not a number"),
    ("of its own", "its own"),
    ("of their own", "their own"),
    ("in its own word", "the model's name for it"),
    ("is told", "receives, logs"),
    ("are told", "receive, log"),
    ("be told", "be reported"),
    ("told of", "reported"),
    ("tells of", "reports"),
    ("stands in the reference", "is in the reference"),
    ("stands in the file", "is in the file"),
    ("may stand", "is allowed"),
    ("is of use", "is useful"),
    ("by and by", "gradually"),
    ("ever so", "very"),
    ("in vain", "without effect"),
    ("thereof", "of it"),
    ("therein", "in it"),
    ("hitherto", "so far"),
    ("behaviour*", "behavior"),
    ("centre*", "center"),
    ("colour*", "color"),
    ("favour*", "favor"),
    ("neighbour*", "neighbor"),
    ("initialis*", "initialize"),
    ("optimis*", "optimize"),
    ("recognis*", "recognize"),
    ("serialis*", "serialize"),
    ("grey", "gray"),
];

/// The folders and files whose words are checked.
const PLACES: &[&str] = &[
    "src",
    "crates",
    "scripts",
    "config",
    "levels",
    "docs",
    "tests",
    "benches",
    "examples",
    "engines",
    "fuzz/bodies",
    "fuzz/run",
    "python",
    "web/src",
    "web/page",
    "web/package",
    "web/package/room.js",
    "web/build",
    "web/tests/browser.mjs",
    "web/tests/engine.mjs",
    "web/tests/examples",
    "web/tests/hashes",
    "web/tests/page",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.toml",
    ".ci/browser",
    ".ci/engines",
    ".ci/python",
    ".ci/ray",
    ".ci/run",
    ".ci/window",
];

const EXTENSIONS: &[&str] = &["rs", "rhai", "toml", "input", "md", "txt", "json", "py", "pyi", "ts", "html", "css"];

/// What lists the phrases or holds foreign texts.
const EXCEPT: &[&str] = &[
    "tests/tidy/words.rs",
    // An entity there is named `beside`; names are part of state hashes.
    "levels/tests/gallery/conveyor.rhai",
    "levels/tests/gallery/conveyor.toml",
    "levels/tests/gallery/lander.rhai",
    "levels/tests/gallery/lander.toml",
    "levels/tests/gallery/stomper.rhai",
    "levels/tests/gallery/stomper.toml",
];

/// The words and punctuation of a text in lower case, with their lines. What marks comments and
/// continues strings across lines is neither.
fn words(text: &str) -> Vec<(usize, String)> {
    let within = |c: char| c.is_alphanumeric() || c == '\'';
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        let mut rest = line.as_str();
        while let Some(first) = rest.chars().next() {
            let length = match rest.find(|c| !within(c)) {
                Some(0) => first.len_utf8(),
                Some(length) => length,
                None => rest.len(),
            };
            let (word, after) = rest.split_at(length);
            rest = after;
            if !first.is_whitespace() && !"/!#*_\\".contains(first) {
                found.push((i + 1, word.to_string()));
            }
        }
    }
    found
}

fn is_word(pattern: &str, word: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word == pattern,
    }
}

fn violations(name: &str, text: &str) -> Vec<String> {
    let words = words(text);
    let mut found = Vec::new();
    for (phrase, instead) in PHRASES {
        let patterns: Vec<&str> = phrase.split(' ').collect();
        for place in words.windows(patterns.len()) {
            let mut pairs = patterns.iter().zip(place);
            if pairs.all(|(pattern, (_, word))| is_word(pattern, word)) {
                found.push((place[0].0, format!("{name}:{}: \"{phrase}\" → {instead}", place[0].0)));
            }
        }
    }
    found.sort();
    found.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn texts_are_plain_english() {
    let mut found = Vec::new();
    for place in PLACES {
        let path = root().join(place);
        let files = if path.is_dir() {
            files_below(&path, EXTENSIONS)
                .into_iter()
                .map(|(name, text)| (format!("{place}/{name}"), text))
                .collect()
        } else {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            vec![(place.to_string(), text)]
        };
        for (name, text) in files {
            if !EXCEPT.contains(&name.as_str()) {
                found.extend(violations(&name, &text));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn phrases_are_found_across_lines_and_in_names() {
    let text = "fn a() {} // The rule Is\n    /// told.\nfn the_hero_goes_on() {}\n\"of its \\\n  own Colours\"\n";
    let found = violations("a.rs", text);
    assert_eq!(
        found,
        [
            "a.rs:1: \"is told\" → receives, logs",
            "a.rs:3: \"goes on\" → continues",
            "a.rs:4: \"of its own\" → its own",
            "a.rs:5: \"colour*\" → color",
        ]
    );
}

#[test]
fn similar_phrases_pass() {
    for text in ["This is. Told you.", "besides", "many so", "greyhound", "renewanew"] {
        assert_eq!(violations("a.md", text), [""; 0], "{text}");
    }
}
