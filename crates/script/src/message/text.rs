//! Text from content, made safe to show: names are cut, and control characters are escaped.

use std::{borrow::Cow, fmt::Write as _};

/// The largest number of characters of a name in a message. Longer ones are cut.
pub const MOST_NAME: usize = 80;

/// The largest number of characters without a space in a message, such as a path.
const MOST_WORD: usize = 300;

/// The largest number of digits of a number that is shown whole.
const MOST_DIGITS: usize = 24;

/// The largest number of characters on one line of a message.
const MOST_LINE: usize = 3000;

/// The largest number of bytes of a whole message.
const MOST_MESSAGE: usize = 64 * 1024;

/// A text of at most `most` characters; an ellipsis shows that something was cut.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(most) {
        Some((at, _)) => Cow::Owned(format!("{}…", &text[..at])),
        None => Cow::Borrowed(text),
    }
}

/// A name of at most [`MOST_NAME`] characters.
pub fn cut_name(name: &str) -> Cow<'_, str> {
    cut(name, MOST_NAME)
}

/// A message in which quoted names, other long words and long lines are cut. Line breaks in names are
/// escaped, so that a name does not look like another message.
pub fn cut_message(message: String) -> String {
    let mut message = escape_breaks_in_names(message);
    if message.len() > MOST_DIGITS {
        message = short_numbers(&message).into_owned();
    }
    if message.len() <= MOST_NAME {
        return message;
    }
    if message.len() > MOST_MESSAGE {
        let mut end = MOST_MESSAGE;
        while !message.is_char_boundary(end) {
            end -= 1;
        }
        message.truncate(end);
        message.push('…');
    }
    // Further lines show the source, where quotes enclose whole texts.
    let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
    let mut out = cut_line(&cut_quoted(first)).into_owned();
    if rest.is_empty() {
        return out;
    }
    for line in rest.split('\n') {
        out.push('\n');
        out += &cut_line(line);
    }
    out
}

/// The same text with numbers of many digits written with an exponent: `1e300`. One that is too large for a
/// number is cut.
pub fn short_numbers(text: &str) -> Cow<'_, str> {
    let of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[start..];
        let (number, after) = digits.split_at(length_of_number(digits));
        let is_word = rest[..start].ends_with(of_word) || after.starts_with(of_word);
        out += &rest[..start];
        if is_word || number.len() <= MOST_DIGITS {
            out += number;
        } else if after.starts_with('…') {
            // Its last digits are gone.
            out += &number[..MOST_DIGITS];
        } else {
            match number.parse::<f64>() {
                Ok(x) if x.is_finite() => out += &format!("{x:e}"),
                _ => out += &cut(number, MOST_DIGITS),
            }
        }
        rest = after;
    }
    if out.len() + rest.len() == text.len() {
        return Cow::Borrowed(text);
    }
    out += rest;
    Cow::Owned(out)
}

/// The length of the number with which a text begins: digits, then perhaps a point and more digits.
fn length_of_number(text: &str) -> usize {
    let digits = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit());
        end.unwrap_or(text.len())
    };
    let whole = digits(text);
    match text[whole..].strip_prefix('.').map(digits) {
        None | Some(0) => whole,
        Some(fraction) => whole + 1 + fraction,
    }
}

/// Escapes line breaks after an odd number of backquotes: inside of a name.
fn escape_breaks_in_names(message: String) -> String {
    if !message.contains('\n') || !message.contains('`') {
        return message;
    }
    let mut out = String::with_capacity(message.len());
    let mut rest = message.as_str();
    let mut quotes = 0;
    while let Some((line, more)) = rest.split_once('\n') {
        out += line;
        quotes += line.matches('`').count();
        if quotes.is_multiple_of(2) {
            // Further lines show the source.
            out.push('\n');
            rest = more;
            break;
        }
        out += "\\n";
        rest = more;
    }
    out + rest
}

/// Cuts what a line has between two equal quotes.
fn cut_quoted(line: &str) -> Cow<'_, str> {
    if line.len() <= MOST_NAME {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(open) = rest.find(['`', '"']) {
        let (before, quoted) = rest.split_at(open + 1);
        out += before;
        let quote = if before.ends_with('`') { '`' } else { '"' };
        match quoted.split_once(quote) {
            Some((name, after)) => {
                out += &cut_name(name);
                out.push(quote);
                rest = after;
            }
            None => rest = quoted,
        }
    }
    Cow::Owned(out + rest)
}

fn cut_line(line: &str) -> Cow<'_, str> {
    if line.len() <= MOST_WORD {
        return Cow::Borrowed(line);
    }
    let words = line.split_inclusive(char::is_whitespace);
    let cut_word = |word| match cut(word, MOST_WORD) {
        Cow::Owned(short) => format!("{short} "),
        Cow::Borrowed(word) => word.to_string(),
    };
    let line = words.map(cut_word).collect::<String>();
    Cow::Owned(cut(&line, MOST_LINE).into_owned())
}

/// The texts between any two quotes that follow each other: all texts in quotes, and some others.
pub fn quoted_in(source: &str) -> impl Iterator<Item = &str> {
    ['"', '`', '\''].into_iter().flat_map(|quote| source.split(quote).skip(1))
}

/// Whether a character can steer a terminal, reorder its text or hide in it: control characters, marks
/// of direction, and characters without a width.
pub const fn steers(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// A text with all characters that [steer](steers) a terminal escaped, as in `\u{1b}`. Line breaks
/// and tabs stay.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |c| steers(c) && c != '\n' && c != '\t')
}

/// The same on one line: line breaks are escaped, too. For names.
pub fn printable_name(name: &str) -> Cow<'_, str> {
    escaped(name, steers)
}

/// JSON with all characters that [steer](steers) a terminal escaped. Outside of texts, JSON has only
/// line breaks of those.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    if !json.contains(|c| steers(c) && c != '\n') {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) && c != '\n' {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// A rendered message: its colors (`ESC [ … m`) stay, all other control characters are escaped. What
/// content writes into messages is escaped before they are colored.
pub fn printable_styled(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return printable(text);
    }
    let mut parts = text.split('\u{1b}');
    let mut out = printable(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let style = part.strip_prefix('[').and_then(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            rest[end..].starts_with('m').then_some(end + 2)
        });
        let (style, rest) = part.split_at(style.unwrap_or(0));
        out += if style.is_empty() { "\\u{1b}" } else { "\u{1b}" };
        out += style;
        out += &printable(rest);
    }
    Cow::Owned(out)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_escaped(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a text is a name of small letters, digits and some marks, which begins with a letter.
pub fn is_small_name(text: &str, longest: usize, marks: &[char]) -> bool {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || marks.contains(&c);
    text.len() <= longest && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(fits)
}

/// The largest number of characters of a file name that is made from another name.
const MOST_FILE_NAME: usize = 100;

/// A name as a file name: characters that file names should not have are replaced.
pub fn plain_file_name(name: &str) -> String {
    let plain = |c: char| match c {
        '.' | '_' | '-' | '=' => c,
        c if c.is_ascii_alphanumeric() => c,
        _ => '-',
    };
    name.chars().take(MOST_FILE_NAME).map(plain).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/message/text.rs"]
mod tests;
