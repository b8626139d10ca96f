//! The size of the tiles of a layer, before they are read: packed data can be far larger than its file.

use super::xml::XmlTag;
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::PAD;
use flate2::bufread::{GzDecoder, ZlibDecoder};
use std::cmp::Ordering;
use std::io::Read;

/// An attribute of the data that is wrong, or an empty name for its text; and the message.
type Wrong = (&'static str, String);

/// Checks that an element has data for exactly this many tiles, in an encoding that can be read.
pub(super) fn check_tile_data(tiles: XmlTag<'_>, data: XmlTag<'_>, count: usize) -> Result<(), Wrong> {
    let text = tiles.text();
    let found = match (data.raw("encoding"), data.raw("compression")) {
        (Some("csv"), None) => count_csv(&text)?,
        (Some("base64"), compression) => {
            let bytes = decode(&text)?;
            let most = 4 * count + 1;
            let size = match compression {
                None => bytes.len(),
                Some("zlib") => size_of(ZlibDecoder::new(&bytes[..]), most)?,
                Some("gzip") => size_of(GzDecoder::new(&bytes[..]), most)?,
                Some(other) => {
                    let message = format!(
                        "tiles packed by `{other}` cannot be read; in Tiled, choose Map > Map Properties > Tile \
                         Layer Format > CSV, or Base64 (zlib compressed)"
                    );
                    return Err(("compression", message));
                }
            };
            match size.cmp(&(4 * count)) {
                Ordering::Equal => return Ok(()),
                Ordering::Less => size / 4,
                // A single byte more is too much: it may be the first of very many.
                Ordering::Greater => count + 1,
            }
        }
        (None, _) => {
            let message = "tiles as XML elements cannot be read; in Tiled, choose Map > Map Properties > Tile Layer \
                           Format > CSV";
            return Err(("", message.into()));
        }
        (Some(other), _) => {
            let message = format!("there is no encoding `{other}` of tiles; use `csv` or `base64`");
            return Err(("encoding", message));
        }
    };
    if found == count {
        return Ok(());
    }
    let more = if found > count { "more" } else { "fewer" };
    let message = format!("there are {more} tiles than the {count} that fit its width and height");
    Err(("", message))
}

fn count_csv(text: &str) -> Result<usize, Wrong> {
    let mut count = 0;
    for tile in text.split(',') {
        if tile.trim().parse::<u32>().is_err() {
            let message = format!("tile {} is not a number: \"{}\"", count + 1, tile.trim());
            return Err(("", message));
        }
        count += 1;
    }
    Ok(count)
}

fn decode(text: &str) -> Result<Vec<u8>, Wrong> {
    let engine = GeneralPurpose::new(&STANDARD, PAD);
    let decoded = engine.decode(text.trim());
    decoded.map_err(|wrong| ("", format!("the tiles are not valid base64: {wrong}")))
}

/// The size of packed data; at most `most` bytes are unpacked.
fn size_of(packed: impl Read, most: usize) -> Result<usize, Wrong> {
    let mut unpacked = Vec::new();
    let read = packed.take(most as u64).read_to_end(&mut unpacked);
    read.map_err(|wrong| ("", format!("the tiles cannot be unpacked: {wrong}")))
}
