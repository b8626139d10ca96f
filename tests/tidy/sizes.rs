//! Files, functions and lists of parameters stay short.

use crate::source::{Source, Token, rust_files};

/// The most lines of a file, of `main.rs`, and of a function.
const MOST_LINES: usize = 500;
const MOST_LINES_OF_MAIN: usize = 80;
const MOST_LINES_OF_FUNCTION: usize = 70;

/// The most parameters of a function, `self` included.
const MOST_PARAMETERS: usize = 6;

fn violations(folder: &str, file: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let mut report = |rule: &str, line: usize, what: String| {
        found.push(format!("{rule}: {folder}/{}:{line}: {what}", file.name));
    };
    let most = match file.name.as_str() {
        "main.rs" => MOST_LINES_OF_MAIN,
        _ => MOST_LINES,
    };
    let lines = file.text.lines().count();
    if lines > most {
        report("files stay short", lines, format!("{lines} lines, at most {most}"));
    }
    for (line, length) in functions(&file.text) {
        if length > MOST_LINES_OF_FUNCTION {
            let what = format!("{length} lines, at most {MOST_LINES_OF_FUNCTION}");
            report("functions stay short", line, what);
        }
    }
    for (line, name, count) in parameters(&file.tokens()) {
        // Inputs of property tests are no parameters that a caller has to order.
        if count > MOST_PARAMETERS && folder == "src" {
            let what = format!("`{name}` has {count}, at most {MOST_PARAMETERS}");
            report("few parameters", line, what);
        }
    }
    if file.code.contains("too_many_arguments") {
        report("few parameters", 1, "allows `too_many_arguments`".into());
    }
    found
}

/// The functions of a file: the first line of each and its length in lines.
fn functions(text: &str) -> Vec<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let starts = |line: &str| {
        let is_modifier =
            |word: &&str| word.starts_with("pub") || word.ends_with(')') || ["const", "async"].contains(word);
        line.split_whitespace().find(|word| !is_modifier(word)) == Some("fn")
    };
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate().filter(|(_, line)| starts(line)) {
        // A signature alone, or a body on one line, is short.
        let opens = lines[i..].iter().find(|l| l.ends_with(['{', ';', '}']));
        if opens.is_none_or(|l| !l.ends_with('{')) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        if let Some(length) = lines[i..].iter().position(|line| *line == end) {
            found.push((i + 1, length + 1));
        }
    }
    found
}

/// The functions among tokens: line, name and number of parameters.
fn parameters<'a>(tokens: &[Token<'a>]) -> Vec<(usize, &'a str, usize)> {
    let mut found = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        if pair[0].text == "fn" && pair[1].is_word() {
            let list = after_generics(&tokens[at + 2..]);
            found.push((pair[0].line, pair[1].text, count_in_parentheses(list)));
        }
    }
    found
}

/// The tokens after a list of generics, if they begin with one.
fn after_generics<'a, 'b>(tokens: &'b [Token<'a>]) -> &'b [Token<'a>] {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate() {
        match token.text {
            "<" => depth += 1,
            // The arrow of `Fn() -> T` closes nothing.
            ">" if tokens[i - 1].text != "-" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &tokens[if token.text == ">" { i + 1 } else { i }..];
        }
    }
    &[]
}

/// The number of items between the parentheses that the tokens begin with.
fn count_in_parentheses(tokens: &[Token<'_>]) -> usize {
    let (mut depth, mut commas, mut last) = (0, 0, "(");
    for (i, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" | "<" => depth += 1,
            ">" if tokens[i - 1].text == "-" => {}
            ")" | "]" | "}" | ">" => depth -= 1,
            "," if depth == 1 => commas += 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        last = token.text;
    }
    match last {
        "(" => 0,
        "," => commas,
        _ => commas + 1,
    }
}

#[test]
fn files_functions_and_parameter_lists_are_short() {
    let mut found = Vec::new();
    for folder in ["src", "tests", "benches", "fuzz/bodies"] {
        for file in rust_files(folder) {
            found.extend(violations(folder, &file));
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn long_files_and_functions_are_reported() {
    let found = |name: &str, text: &str| violations("src", &Source::new(name, text));
    assert_eq!(found("sim/a.rs", &"x\n".repeat(MOST_LINES)), [""; 0]);
    let long = found("sim/a.rs", &"x\n".repeat(MOST_LINES + 1));
    assert!(long[0].starts_with("files stay short: src/sim/a.rs:501"));
    let main = found("main.rs", &"x\n".repeat(MOST_LINES_OF_MAIN + 1));
    assert!(main[0].starts_with("files stay short"));
    for modifiers in ["", "pub ", "pub(crate) const ", "pub(in crate::sim) "] {
        let body = "        x;\n".repeat(MOST_LINES_OF_FUNCTION);
        let function = format!("    {modifiers}fn f() {{\n{body}    }}\n");
        let found = found("sim/a.rs", &function);
        assert!(found[0].starts_with("functions stay short: src/sim/a.rs:1"));
    }
}

#[test]
fn parameters_are_counted() {
    for (text, count) in [
        ("fn f() {}", 0),
        ("fn f(a: (u8, u8)) {}", 1),
        ("pub(super) const fn f<A: Fn(u8, u8) -> B, B>(&mut self, a: A,\n) {}", 2),
        ("fn f(a: HashMap<u8, [u8; 2]>, b: fn(u8) -> u8, c: impl Fn(u8, u8) -> u8) {}", 3),
        ("macro_rules! m { () => { fn $f(a: u8, /* , */ b: $T, c: u8) {} } }", 0),
        ("macro_rules! m { () => { fn f(a: u8, b: $T, c: u8, d: u8) {} } }", 4),
    ] {
        let file = Source::new("a.rs", text);
        let counted: usize = parameters(&file.tokens()).iter().map(|found| found.2).sum();
        assert_eq!(counted, count, "{text}");
    }
    let seven = "fn f(&self, a: u8, b: u8, c: u8, d: u8, e: u8, g: u8) {}";
    let found = violations("src", &Source::new("a.rs", seven));
    assert_eq!(found, ["few parameters: src/a.rs:1: `f` has 7, at most 6"]);
}
