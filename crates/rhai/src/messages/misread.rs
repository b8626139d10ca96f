//! Hints for code that does not parse: habits from other languages, and reserved words.

use super::*;
use rhai::ParseErrorType as E;

/// What replaces the parser's own words about an error between two parts of a line.
pub fn instead(error: &E, before: &str, after: &str) -> Option<String> {
    let here = word(after);
    match error {
        E::Reserved(_) | E::ExprExpected(_) if matches!(here, "case" | "default") => {
            Some(format!("a `switch` has no `{here}`; write `switch x {{ 1 => …, _ => … }}`"))
        }
        E::WrongFnDefinition => Some("a `}` is missing above: this function is inside another block".into()),
        E::MissingToken(token, _) if token == ")" && after.starts_with(',') => Some(pair(before, after)),
        E::MissingToken(token, _) if matches!(token.as_str(), "," | ")") => option(before, after),
        E::AssignmentToInvalidLHS(_) if format!("{before}{after}").contains("world::entity(") => {
            Some("a script can write only to its own entity, `me`; emit an event that the other one answers".into())
        }
        E::VariableExpected if here == "let" => Some("expected a name, found `let`".into()),
        E::VariableExpected | E::FnMissingName if begins_name(here) => {
            Some(format!("`{here}` is a reserved word; choose another name"))
        }
        _ => None,
    }
}

/// The hint for text with values in it, as other languages write it.
const INSERTED: &str = "; text with values in it is in backquotes, as in `n is ${n}`";

/// The message for `(100, 200)`, which is a point in other languages.
fn pair(before: &str, after: &str) -> String {
    let first = before.rfind('(').map_or("", |at| before[at + 1..].trim());
    let second = after[1..].split(')').next().unwrap_or_default().trim();
    let short = |part: &str| !part.is_empty() && part.len() <= 20 && !part.contains([',', '(']);
    let right = match short(first) && short(second) {
        true => format!("vec({first}, {second})"),
        false => "vec(x, y)".into(),
    };
    format!("numbers in parentheses are not a point; write `{right}`")
}

/// The message for `color: "red"` or `color = "red"` between the parentheses of a call.
fn option(before: &str, after: &str) -> Option<String> {
    let name = last_word(before);
    let value = after.strip_prefix([':', '=']).filter(|rest| !rest.starts_with([':', '=', '>']))?;
    let value = value.split([',', ')']).next().unwrap_or_default().trim();
    let outside = before[..before.len() - name.len()].trim_end();
    // Between the parentheses of a call, not of an `if`.
    let opens = |text: &str| text.ends_with(in_word);
    let called = match outside.strip_suffix('(') {
        Some(text) => opens(text) && !matches!(last_word(text), "if" | "while" | "switch"),
        None => outside.ends_with(',') && outside.split('(').any(opens),
    };
    let named = called && name.starts_with(|c: char| c.is_alphabetic());
    let value = if value.is_empty() || value.len() > 30 { "…" } else { value };
    named.then(|| format!("arguments have no names; write options as a map: `#{{ {name}: {value} }}`"))
}

/// The hint that follows the parser's words about an error between two parts of a line.
pub fn hint(error: &E, before: &str, after: &str) -> Option<String> {
    match error {
        E::BadInput(LexError::MalformedChar(_)) => {
            return Some("; put text in double quotes, as in `\"text\"`".into());
        }
        E::BadInput(LexError::UnexpectedInput(what)) if what.contains(['“', '”', '‘', '’', '„']) => {
            return Some("; put text in straight double quotes, as in `\"text\"`".into());
        }
        E::Reserved(what) if what == "$" && after.starts_with("$\"") => {
            return Some(INSERTED.into());
        }
        E::Reserved(what) => return reserved(what, before, after),
        _ if after.contains(" in ") && (last_word(before) == "not" || after.contains(" not in ")) => {
            return Some("; write `a !in list`".into());
        }
        E::PropertyExpected if after.starts_with(['"', '`']) => {
            return Some("; join text with `+`, or write `${a} and ${b}` in backquotes".into());
        }
        _ if after.starts_with('"') && matches!(last_word(before), "f" | "F") => {
            return Some(INSERTED.into());
        }
        _ => {}
    }
    if let Some(right) = of_words(word(after), last_word(before)) {
        return Some(format!("; write {right}"));
    }
    if let Some(right) = of_signs(before, after) {
        return Some(format!("; {right}"));
    }
    increment(after.get(..2)?, before)
}

/// What to write instead of a word of another language, which is where the parser stops or just before.
fn of_words(here: &str, last: &str) -> Option<&'static str> {
    let right = match (here, last) {
        (_, "class" | "struct" | "extends" | "extend") => {
            "functions at the top of the file, as in `fn on_tick(me) { … }`: a script is the behavior of a kind, and \
             `this` holds its variables"
        }
        ("and", _) => "`&&` instead of `and`",
        ("or", _) => "`||` instead of `or`",
        ("elif" | "elseif" | "elsif", _) | (_, "elif" | "elseif" | "elsif") => "`else if`",
        (_, "not") => "`!` instead of `not`",
        ("then", _) => "`if a { b }`",
        ("do", _) => "`while a { b }`",
        ("end", _) => "`}` where a block ends",
        (_, "foreach") => "`for x in list { … }`",
        (_, "def" | "func" | "function") => "`fn` to declare a function",
        (name, "local" | "int" | "float" | "double" | "string" | "auto") if !name.is_empty() => {
            "`let` before the variable's name"
        }
        _ => return None,
    };
    Some(right)
}

/// What to write instead of signs of other languages.
fn of_signs(before: &str, after: &str) -> Option<&'static str> {
    let name = last_word(before);
    let outside = before[..before.len() - name.len()].trim_end();
    let declared = last_word(outside) == "let";
    let closure = "write a closure as `|x| …`";
    let is_number = !name.is_empty() && name.chars().all(|c| c.is_ascii_digit());
    let is_case = is_number || outside.contains("switch ") || before.trim_start().starts_with('"');
    let right = match after.chars().next()? {
        ':' if declared => "variables have no types: write `let x = …`",
        ':' if is_case => "write a case of a `switch` as `1 => …`",
        ':' if begins_name(&after[1..]) && after.contains('(') => {
            "write a dot before what is called, as in `me.jump()`"
        }
        '?' => "write `if a { b } else { c }`",
        '=' if after.starts_with("=>") => closure,
        ',' if outside.ends_with('(') && after.contains("=>") => closure,
        '{' if before.ends_with(')') && before.contains("function(") => closure,
        ':' if outside.ends_with('{') => "write a map as `#{ a: 1 }`",
        '~' if after.starts_with("~=") => "write `!=`",
        '>' if before.ends_with('<') => "write `!=`",
        _ if outside.ends_with("for (") || before.ends_with("for (") => "write `for i in 0..3 { … }`",
        _ => return None,
    };
    Some(right)
}

/// The hint for a reserved word or sign.
fn reserved(what: &str, before: &str, after: &str) -> Option<String> {
    let begins = before.is_empty() || before.ends_with([';', '{', '}']);
    let right = match what {
        "#" => "; comments start with `//`, maps with `#{`",
        "--" if begins && after.starts_with("-- ") => "; comments start with `//`",
        "print" => "; call it with parentheses, as in `print(x)`",
        "?" => "; write `if a { b } else { c }`",
        "null" | "nil" | "void" => "; write `()` for no value",
        "var" if before.ends_with("export") => {
            "; values that change are stored in `this`, and constants declared with `const`"
        }
        "var" => "; variables are declared with `let`",
        "yield" | "await" | "async" => {
            "; `wait(2.0)` continues a function later, and `wait_for(\"land\")` with an event"
        }
        "spawn" => "; write `world::create(kind, x, y)`",
        "new" if makes_a_value(after) => "; leave `new` out, as in `vec(1, 2)`",
        "match" | "case" => "; write `switch x { 1 => …, _ => … }`",
        "is" | "===" => "; write `==`",
        "!==" => "; write `!=`",
        word if word.starts_with(|c: char| c.is_alphabetic()) => "; choose another name",
        sign => return increment(sign, before),
    };
    Some(right.into())
}

/// Whether a text begins like `new Vector2(`.
fn makes_a_value(text: &str) -> bool {
    let rest = text.strip_prefix("new ").unwrap_or_default();
    rest.starts_with(char::is_alphabetic)
}

/// The hint for `x++` and `x--`.
fn increment(sign: &str, before: &str) -> Option<String> {
    let sign = match sign {
        "++" => '+',
        "--" => '-',
        _ => return None,
    };
    let name = before.rsplit(|c| !in_path(c)).next().filter(|name| !name.is_empty());
    Some(format!("; write `{} {sign}= 1`", name.unwrap_or("x")))
}
