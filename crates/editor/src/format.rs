//! Formatting: spaces at the beginning and at the end of lines, and nothing else.

use super::*;

/// The edits that indent a file by its brackets and blocks; none if one of them is not closed.
pub fn formatted(file: &EditedFile<'_>, unit: &str) -> Vec<TextEdit> {
    let text = file.text;
    let (all, is_balanced) = lexemes(text, &file.spelling());
    if !is_balanced {
        return Vec::new();
    }
    let mut indenting = Indenting { text, unit, width: unit.len().max(1), open: Vec::new(), last: (0, 0, 0) };
    let (mut edits, mut next, mut at) = (Vec::new(), 0, 0);
    let replace = |edits: &mut Vec<TextEdit>, row: usize, begin: usize, span: Range<usize>, new: &str| {
        if text[span.clone()] != *new {
            let column = |byte: usize| Position::new(row as u32, text[begin..byte].encode_utf16().count() as u32);
            edits.push(TextEdit::new(lsp_types::Range::new(column(span.start), column(span.end)), new.into()));
        }
    };
    for (row, line) in text.split_inclusive('\n').enumerate() {
        let body = line.trim_end_matches(['\n', '\r']);
        let end = at + body.len();
        // Where a text or comment goes over several lines, its spaces belong to it.
        let is_within = |byte: usize| next > 0 && all[next - 1].at < byte && byte < all[next - 1].end();
        let begins_within = is_within(at);
        let first = next;
        while next < all.len() && all[next].at < end {
            next += 1;
        }
        let written = at + body.trim_end().len();
        let blank = at..at + (body.len() - body.trim_start().len()).min(written - at);
        if !begins_within && first < next {
            let indent = indenting.indent_of(&all, first, blank.clone());
            replace(&mut edits, row, at, blank, &indent);
        }
        indenting.enter(&all[first..next], indenting.last.0);
        if !(next > 0 && all[next - 1].at < end && end < all[next - 1].end()) {
            replace(&mut edits, row, at, written..end, "");
        }
        if !line.ends_with('\n') {
            let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
            replace(&mut edits, row, at, end..end, ending);
        }
        at += line.len();
    }
    edits
}

struct Indenting<'t> {
    text: &'t str,
    unit: &'t str,
    width: usize,
    /// The indents of the lines that have opened what is open, in columns.
    open: Vec<usize>,
    /// The new indent of the last line, and the new and old ones of the line that began its statement, in columns.
    last: (usize, usize, usize),
}

impl Indenting<'_> {
    /// The spaces before the line that begins with a lexeme, instead of these.
    fn indent_of(&mut self, all: &[Lexeme<'_>], first: usize, blank: Range<usize>) -> String {
        let columns = |c: char| if c == '\t' { self.width } else { 1 };
        let old: usize = self.text[blank].chars().map(columns).sum();
        // What closes brackets is below the line that has opened them.
        let closed = self.open.get(all[first].depth).copied();
        let usual = self.open.last().map_or(0, |indent| indent + self.width);
        let mut code = all[..first].iter().rev().filter(|it| it.kind != LexemeKind::Comment);
        let continues = code.next().is_some_and(|before| !before.opens && continues(before, &all[first]));
        let (_, new_first, old_first) = self.last;
        let new = match closed {
            Some(indent) => indent,
            None if continues => new_first + old.saturating_sub(old_first).max(self.width),
            None => usual,
        };
        self.last = if continues && closed.is_none() {
            (new, new_first, old_first)
        } else {
            (new, new, old)
        };
        match self.unit {
            "\t" => "\t".repeat(new / self.width),
            _ => " ".repeat(new),
        }
    }

    /// Notes what the lexemes of a line with this indent open and close.
    fn enter(&mut self, line: &[Lexeme<'_>], indent: usize) {
        for lexeme in line {
            self.open.truncate(lexeme.depth);
            if lexeme.opens {
                self.open.push(indent);
            }
        }
    }
}

/// Whether a line that begins with `first` continues the statement before it.
fn continues(before: &Lexeme<'_>, first: &Lexeme<'_>) -> bool {
    const BETWEEN: [&str; 24] = [
        "||", "&&", ".", "+", "-", "*", "/", "%", "&", "|", "?", "=", "<", ">", "==", "!=", "~=", "<=", ">=", "..",
        "and", "or", "not", "!",
    ];
    let is_between = |it: &Lexeme<'_>| it.kind != LexemeKind::Text && BETWEEN.contains(&it.text);
    is_between(before) || (is_between(first) && !["-", "!", "not", "|"].contains(&first.text))
}
