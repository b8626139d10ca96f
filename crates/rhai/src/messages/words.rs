//! How messages name values and types, in place of Rhai's own names.

use super::*;

/// A value of one of Rhai's types, with its article: `i64` is "a number".
pub(super) fn kind(of: &str) -> &str {
    match of {
        "()" => "`()`",
        "bool" => "true or false",
        "i64" | "f64" => "a number",
        "string" | "&str" | "ImmutableString" | "&str | ImmutableString | String" => "text",
        "char" => "a character",
        "array" => "an array",
        "map" => "a map",
        "vec" => "a vec",
        "entity" => "an entity",
        "range" => "a range",
        "me" => "`me`",
        "test" => "a level being played",
        "snapshot" => "a snapshot",
        "expectation" | "missed expectation" => "an expectation",
        "Fn" => "a function",
        path if path.contains("ops::range::Range") => "a range",
        path if path.ends_with("::Vector") => "a vec",
        path if path.ends_with("::Me") => "`me`",
        path if path.contains("::") => "an object",
        other => other,
    }
}

/// The same for the type names of Rhai's parser.
pub(super) fn of_parser(what: &str) -> &str {
    match what {
        "a boolean expression" | "a boolean" => "true or false",
        "an iterable value" => "a range, an array or text",
        "a floating-point number" => "a number",
        "a string" => "text",
        "an object map" => "a map",
        other => other,
    }
}

/// A sentence from Rhai, with its types renamed.
pub(super) fn plain_words(text: &str) -> String {
    let word = |word| match kind(word) {
        "a number" => "numbers",
        "a range" => "ranges",
        "a vec" => "vecs",
        "an object" | "`me`" => "objects",
        _ => word,
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// A number of things: "no arguments", "1 argument", "2 arguments".
pub(crate) fn counted(number: usize, what: &str) -> String {
    match number {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// Whether a character can be part of a name.
pub(super) fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a text begins with a name.
pub(super) fn begins_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The word that a text begins with.
pub(crate) fn word(text: &str) -> &str {
    text.split(|c| !in_word(c)).next().unwrap_or_default()
}

/// The word that a text ends with.
pub(super) fn last_word(text: &str) -> &str {
    text.rsplit(|c| !in_word(c)).next().unwrap_or_default()
}

/// The name in one of Rhai's signatures, such as `push (me, i64)`, and the types of its parameters.
pub(super) fn types(signature: &str) -> (&str, Vec<&str>) {
    let (name, types) = signature.split_once('(').unwrap_or((signature, ""));
    let types = types.strip_suffix(')').unwrap_or(types);
    (name.trim_end(), types.split(", ").collect())
}

/// One of Rhai's signatures with the types renamed: `push (me, i64)` is `push(me, number)`.
pub(super) fn plain(signature: &str) -> String {
    let (name, types) = types(signature);
    let types = types.into_iter().map(|of| match of {
        "i64" | "f64" => "number",
        "&str | ImmutableString | String" | "string" | "char" => "text",
        "bool" => "true or false",
        "Fn" => "function",
        other => other,
    });
    format!("{name}({})", types.collect::<Vec<_>>().join(", "))
}

/// The most characters of a value that a script threw.
const MOST_THROWN: usize = 400;

/// A value that a script threw, cut to what fits into a message.
pub(super) fn thrown(value: &Dynamic) -> String {
    if weight(value).is_err() {
        return "the script threw a value that is nested too deep to show".into();
    }
    let text = if value.is_unit() {
        "`throw` without a message".to_string()
    } else {
        // No character has more than four bytes.
        shown_up_to(value, 4 * MOST_THROWN)
    };
    // A message is one line.
    let text = text.replace(|c: char| c.is_control(), " ");
    match text.char_indices().nth(MOST_THROWN) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}

/// A value as it is printed; the kind of a value that cannot be printed.
pub(super) fn shown(value: &Dynamic) -> String {
    shown_up_to(value, usize::MAX)
}

/// The beginning of that: more than this many bytes of it, if there are more. The rest takes no time.
fn shown_up_to(value: &Dynamic, bytes: usize) -> String {
    let mut out = String::new();
    show(value, bytes, &mut out);
    out
}

fn show(value: &Dynamic, most: usize, out: &mut String) {
    if let Some(v) = value.read_lock::<Vector>() {
        out.push_str(&v.show());
    } else if kind(value.type_name()) == "`me`" {
        out.push_str("`me`");
    } else if let Ok(list) = value.as_array_ref() {
        out.push('[');
        for (at, item) in list.iter().enumerate() {
            if out.len() > most {
                return;
            }
            out.push_str(if at == 0 { "" } else { ", " });
            show_inner(item, most, out);
        }
        out.push(']');
    } else if let Ok(map) = value.as_map_ref() {
        out.push_str("#{");
        for (at, (key, item)) in map.iter().enumerate() {
            if out.len() > most {
                return;
            }
            out.push_str(if at == 0 { "" } else { ", " });
            out.push_str(&format!("{key:?}: "));
            show_inner(item, most, out);
        }
        out.push('}');
    } else {
        match type_name(value) {
            named @ ("a function" | "an object") => out.push_str(named),
            _ => out.push_str(&value.to_string()),
        }
    }
}

/// Shows a value inside another one: text is in quotes.
fn show_inner(value: &Dynamic, most: usize, out: &mut String) {
    match value.as_immutable_string_ref() {
        Ok(text) => out.push_str(&format!("{:?}", text.as_str())),
        Err(_) => show(value, most, out),
    }
}
