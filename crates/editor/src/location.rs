//! Positions and paths as the protocol has them: characters count UTF-16 code units, and files are addresses.

use super::*;
use lsp_types::Range;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Where the line that a byte of a text is in begins.
pub fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |at| at + 1)
}

/// The byte at a position of a text; the end of the line, or of the text, if there is no such position.
pub fn offset_at(text: &str, at: Position) -> usize {
    let start: usize = text.split_inclusive('\n').take(at.line as usize).map(str::len).sum();
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
fn position_at(text: &str, offset: usize) -> Position {
    let line = text[..offset].matches('\n').count();
    let units = text[line_start(text, offset)..offset].encode_utf16().count();
    Position::new(line as u32, units as u32)
}

/// The range of these bytes of a text.
pub fn range_in(text: &str, span: std::ops::Range<usize>) -> Range {
    Range::new(position_at(text, span.start), position_at(text, span.end))
}

/// These bytes of a text, in the file with this path.
pub fn location(path: &Path, text: &str, span: std::ops::Range<usize>) -> Option<Location> {
    Some(Location::new(uri_of(path)?, range_in(text, span)))
}

/// The path of an address; none if it is not the address of a file.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = percent_decode_str(&rest[rest.find('/')?..]).decode_utf8().ok()?;
    // `/C:/games` is `C:/games` on Windows.
    let drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if drive { &path[1..] } else { &path }))
}

/// The characters of a path that an address spells out.
const SPELLED_OUT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a file.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.replace('\\', "/");
    let root = if path.starts_with('/') { "" } else { "/" };
    format!("file://{root}{}", utf8_percent_encode(&path, SPELLED_OUT)).parse().ok()
}

#[cfg(test)]
#[path = "../tests/unit/location.rs"]
mod tests;
