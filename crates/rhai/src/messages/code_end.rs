//! Where the code before a position ends: what is missing there belongs behind it, not on the next line.

/// The length of a source up to the end of its last code, without the blanks and comments after it.
pub(crate) fn code_end(source: &str) -> usize {
    let mut rest = source;
    loop {
        rest = rest.trim_end();
        if let Some(before) = rest.strip_suffix("*/") {
            match before.rfind("/*") {
                Some(start) => rest = &before[..start],
                None => return rest.len(),
            }
            continue;
        }
        let line = rest.rfind('\n').map_or(0, |at| at + 1);
        match comment_in(&rest[line..]) {
            Some(at) => rest = &rest[..line + at],
            None => return rest.len(),
        }
    }
}

/// The start of the comment that ends a line.
fn comment_in(line: &str) -> Option<usize> {
    let mut quote = None;
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open && last != '\\' => quote = None,
            Some(_) => {}
            None if c == '/' && line[at..].starts_with("//") => return Some(at),
            None if matches!(c, '"' | '`') => quote = Some(c),
            None => {}
        }
        last = if last == '\\' && c == '\\' { ' ' } else { c };
    }
    None
}

#[cfg(test)]
#[path = "../../tests/unit/messages/code_end.rs"]
mod tests;
