//! Source files as the rules read them: their text, their code and their tokens.

use std::path::{Path, PathBuf};

/// The root of this repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A Rust file.
#[derive(Clone)]
pub struct Source {
    /// The path from the root of the repository, with forward slashes.
    pub name: String,
    /// The text without comments, the contents of strings, and tests; lines keep their numbers.
    pub code: String,
}

impl Source {
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.into(), code: without_tests(&without_comments(text)) }
    }

    pub fn tokens(&self) -> Vec<Token<'_>> {
        tokens(&self.code)
    }
}

/// The sources of each crate of the workspace: of the root package and of the folders in `crates/`.
pub fn crates() -> Vec<Vec<Source>> {
    let mut roots = vec!["src".to_string()];
    for folder in std::fs::read_dir(root().join("crates")).expect("a folder").flatten() {
        roots.push(format!("crates/{}/src", folder.file_name().to_string_lossy()));
    }
    roots.sort();
    roots.iter().map(|folder| rust_files(folder)).collect()
}

/// All Rust files below a folder of this repository, sorted by name.
fn rust_files(folder: &str) -> Vec<Source> {
    let files = files_below(&root().join(folder), &["rs"]);
    files.iter().map(|(name, text)| Source::new(&format!("{folder}/{name}"), text)).collect()
}

/// Names and texts of all files below a folder that have one of these extensions, sorted by name.
pub fn files_below(folder: &Path, extensions: &[&str]) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    collect(folder, extensions, &mut paths);
    paths.sort();
    let name = |path: &PathBuf| {
        let below = path.strip_prefix(folder).expect("a path below the folder");
        below.to_string_lossy().replace('\\', "/")
    };
    paths
        .iter()
        .map(|path| {
            let text = std::fs::read_to_string(path).expect("a readable file");
            (name(path), text)
        })
        .collect()
}

fn collect(folder: &Path, extensions: &[&str], paths: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let has = |wanted: &&str| path.extension().is_some_and(|found| found == *wanted);
        if path.is_dir() {
            // Build output is not source, and folders that links lead to are looked at where they are.
            if !path.ends_with("target") && !path.is_symlink() {
                collect(&path, extensions, paths);
            }
        } else if extensions.iter().any(has) {
            paths.push(path);
        }
    }
}

/// Replaces comments and the contents of strings and characters by spaces.
fn without_comments(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = skipped(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
            continue;
        }
        let blank = |c: &char| if *c == '\n' { '\n' } else { ' ' };
        code.extend(chars[at..end].iter().map(blank));
        at = end;
    }
    code
}

/// The end of the comment, string or character that begins at `at`; `at` itself if none does.
fn skipped(chars: &[char], at: usize) -> usize {
    let starts = |from: usize, text: &str| {
        let text = text.chars();
        text.enumerate().all(|(i, c)| chars.get(from + i) == Some(&c))
    };
    let find = |from: usize, text: &str| {
        let mut places = from..chars.len();
        places.find(|&i| starts(i, text)).map_or(chars.len(), |i| i + text.len())
    };
    let within_word = at > 0 && (chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
    if starts(at, "//") {
        // The end of the line is not part of the comment.
        return (at..chars.len()).find(|&i| chars[i] == '\n').unwrap_or(chars.len());
    }
    if starts(at, "/*") {
        return find(at + 2, "*/");
    }
    if chars[at] == 'r' && !within_word {
        let hashes = chars[at + 1..].iter().take_while(|c| **c == '#').count();
        if chars.get(at + 1 + hashes) == Some(&'"') {
            return find(at + 2 + hashes, &format!("\"{}", "#".repeat(hashes)));
        }
    }
    let closes = |from: usize, quote: char| {
        let mut i = from;
        while i < chars.len() && chars[i] != quote {
            i += if chars[i] == '\\' { 2 } else { 1 };
        }
        (i + 1).min(chars.len())
    };
    match chars[at] {
        '"' => closes(at + 1, '"'),
        // A quote opens a character or, without a closing one, a lifetime.
        '\'' if chars.get(at + 1) == Some(&'\\') || chars.get(at + 2) == Some(&'\'') => closes(at + 1, '\''),
        _ => at,
    }
}

/// Replaces items under `#[cfg(test)]` by empty lines.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut rest = code;
    let mut kept = String::with_capacity(code.len());
    while let Some(start) = rest.find(MARK) {
        kept.push_str(&rest[..start]);
        let item = &rest[start + MARK.len()..];
        let end = item_end(item);
        kept.extend(item[..end].chars().filter(|c| *c == '\n'));
        rest = &item[end..];
    }
    kept + rest
}

/// The offset at which the item at the start of `code` ends: after its block or its semicolon.
fn item_end(code: &str) -> usize {
    let (mut braces, mut others) = (0, 0);
    for (i, c) in code.char_indices() {
        match c {
            '(' | '[' => others += 1,
            ')' | ']' => others -= 1,
            '{' => braces += 1,
            '}' => braces -= 1,
            _ => {}
        }
        if braces == 0 && others == 0 && (c == '}' || c == ';') {
            return i + 1;
        }
    }
    code.len()
}

/// A word, a `::`, or one character of punctuation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'a> {
    pub line: usize,
    pub text: &'a str,
}

impl Token<'_> {
    pub fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// The tokens of code without comments.
pub fn tokens(code: &str) -> Vec<Token<'_>> {
    let within = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (i, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if within(first) {
                rest.find(|c| !within(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            let (text, after) = rest.split_at(length);
            found.push(Token { line: i + 1, text });
            rest = after.trim_start();
        }
    }
    found
}

#[test]
fn code_has_no_comments_strings_or_tests() {
    let text = "fn a<'a>(c: char) { // use x;\n    c == '\"' || b(\"use \\\" y\", r#\"use \"z\"#) /* {\n */ }\n\
                #[cfg(test)]\nmod tests {\n    fn b() {}\n}\n#[cfg(test)]\nuse q::{r, s};\nfn c() {}\n";
    let source = Source::new("a.rs", text);
    assert_eq!(source.code.lines().count(), text.lines().count());
    let words: Vec<&str> = source.tokens().iter().map(|token| token.text).collect();
    let expected = "fn a < ' a > ( c : char ) { c = = | | b ( , ) } ; fn c ( ) { }";
    assert_eq!(words.join(" "), expected);
    assert_eq!(source.tokens().last().map(|token| token.line), Some(10));
}
