//! Positions and paths as the protocol has them: characters count UTF-16 code units, and files are addresses.

use hangtime_script::Place;
use lsp_types::{Position, Range, Uri};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

/// The byte at a position of a text; the end of the line, or of the text, if there is no such position.
pub(super) fn offset_at(text: &str, at: Position) -> usize {
    let mut start = 0;
    for _ in 0..at.line {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => return text.len(),
        }
    }
    let mut units = 0;
    for (offset, c) in text[start..].char_indices() {
        if units >= at.character || c == '\n' {
            return start + offset;
        }
        units += c.len_utf16() as u32;
    }
    text.len()
}

/// The position of a byte of a text.
pub(super) fn position_at(text: &str, offset: usize) -> Position {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|b| *b == b'\n').count();
    let units: usize = before[start..].chars().map(char::len_utf16).sum();
    Position::new(line as u32, units as u32)
}

/// The range of a place.
pub(super) fn range_of(place: &Place) -> Range {
    let text = &place.file.text;
    Range::new(position_at(text, place.span.start), position_at(text, place.span.end))
}

/// The path of an address; none if it is not that of a file.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [left.next()?, left.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    let path = String::from_utf8(bytes).ok()?;
    // `/C:/games` is `C:/games` on Windows.
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

/// The address of a file.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let mut text = String::from("file://");
    let path = path.to_str()?.replace('\\', "/");
    if !path.starts_with('/') {
        text.push('/');
    }
    for byte in path.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        if plain {
            text.push(char::from(byte));
        } else {
            text += &format!("%{byte:02X}");
        }
    }
    Uri::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::{offset_at, path_of, position_at, uri_of};
    use lsp_types::Position;
    use std::path::Path;

    #[test]
    fn every_offset_has_a_position_that_leads_back_to_it() {
        let text = "let größe = 1;\n\n// 🪂 hang\nfn on_tick(me) {}";
        for (offset, _) in text.char_indices() {
            assert_eq!(offset_at(text, position_at(text, offset)), offset);
        }
        // The parachute takes two code units.
        assert_eq!(position_at(text, text.find(" hang").expect("text")), Position::new(2, 5));
        for beyond in [Position::new(0, 900), Position::new(900, 0)] {
            assert!(offset_at(text, beyond) <= text.len());
        }
        assert_eq!(offset_at(text, Position::new(0, 900)), text.find('\n').expect("a line"));
    }

    #[test]
    fn paths_with_any_characters_survive_as_addresses() {
        for path in ["/games/a b/größe #1%.rhai", "/a", "/games/x+y&z.toml"] {
            let uri = uri_of(Path::new(path)).expect("an address");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{path}");
        }
    }
}
