//! Whether compiled scripts can be used for several runs.

use hangtime_script::SourceFile;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whether the constants of all scripts are plainly data. A closure in a constant could keep a variable
/// that one run changes and the next one sees. Errs on the side of building again.
pub(crate) fn has_plain_constants(files: &BTreeMap<String, Arc<SourceFile>>) -> bool {
    let mut scripts = files.iter().filter(|(name, _)| name.ends_with(".rhai"));
    scripts.all(|(_, file)| constants(&file.text).all(is_plain))
}

/// What follows each `const`, up to the end of a line with a semicolon: one within a text ends no line.
fn constants(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("const").filter_map(|(at, word)| {
        let rest = &text[at + word.len()..];
        let starts = rest.starts_with(char::is_whitespace) || rest.starts_with("/");
        let end = rest.match_indices(';').find(|(at, _)| ends_line(&rest[at + 1..]));
        starts.then(|| &rest[..end.map_or(rest.len(), |(at, _)| at)])
    })
}

/// Whether only spaces and comments are left in a line.
fn ends_line(rest: &str) -> bool {
    let line = rest.lines().next().unwrap_or_default().trim();
    line.is_empty() || line.starts_with("//")
}

/// Whether this has no closure, no block and no call but that of `vec`.
fn is_plain(initial: &str) -> bool {
    let mut rest = initial;
    while let Some(at) = rest.find(['|', '{', '(']) {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        let word = before.strip_suffix("vec");
        let of_name = |c: char| c.is_alphanumeric() || c == '_';
        let vector = word.is_some_and(|word| !word.ends_with(of_name));
        let plain = match &rest[at..=at] {
            "{" => before.ends_with('#'),
            "(" => vector,
            _ => false,
        };
        if !plain {
            return false;
        }
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::has_plain_constants;
    use hangtime_script::SourceFile;
    use std::sync::Arc;

    fn plain(text: &str) -> bool {
        let file = SourceFile { name: "scripts/a.rhai".into(), text: text.into() };
        has_plain_constants(&[("scripts/a.rhai".to_string(), Arc::new(file))].into())
    }

    #[test]
    fn closures_and_calls_in_constants_are_found() {
        for data in [
            "const A = 3;",
            "const LIST = [1, 2, #{ a: vec(1, 2) }];",
            "const T = \"a;b\"; // text\nfn f() { 1 | 2 }",
            "fn f(x) { x || g(x) }",
            "fn constant(x) { g(|| x) }",
        ] {
            assert!(plain(data), "{data}");
        }
        for state in [
            "const F = || 1;",
            "const\tF = || 1;",
            "const\nF = || 1;",
            "const/**/F = || 1;",
            "const A = [\";\", || 1];",
            "const A = myvec(1);",
            "const F = { let n = 0; || { n += 1; n } };",
        ] {
            assert!(!plain(state), "{state}");
        }
    }
}
