//! Keys and texts as TOML spells them.

use hangtime_script::text::steers;

/// A text in quotes, on one line.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            // Characters that control a terminal are not printed.
            c if steers(c) => out += &format!("\\U{:08X}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A key, in quotes if it needs them.
pub(crate) fn key_text(key: &str) -> String {
    if is_bare(key) { key.into() } else { quoted(key) }
}

/// Whether a key needs no quotes.
pub(crate) fn is_bare(key: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !key.is_empty() && key.chars().all(plain)
}
