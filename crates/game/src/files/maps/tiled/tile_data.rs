//! The tiles of a layer or chunk, unpacked within limits: packed data can be far larger than its file.

use super::*;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::bufread::{GzDecoder, ZlibDecoder};
use std::{cmp::Ordering, io::Read};

/// An attribute of the data that is wrong, or an empty name for its text; and the message.
type Wrong = (&'static str, String);

/// The numbers of exactly this many tiles.
pub fn tile_numbers(tiles: XmlTag<'_>, data: XmlTag<'_>, count: usize) -> Result<Vec<u32>, Wrong> {
    let text = tiles.text();
    let (numbers, size) = match (data.get("encoding"), data.get("compression")) {
        (Some("csv"), None) => {
            let numbers = csv(text)?;
            let size = numbers.len().cmp(&count);
            (numbers, size)
        }
        (Some("base64"), compression) => {
            let packed = STANDARD
                .decode(text.trim())
                .map_err(|wrong| ("", format!("the tiles are not valid base64: {wrong}")))?;
            // A single byte more is too much: it may be the first of very many.
            let most = 4 * count + 1;
            let bytes = match compression {
                None => packed,
                Some("zlib") => unpacked(ZlibDecoder::new(&packed[..]), most)?,
                Some("gzip") => unpacked(GzDecoder::new(&packed[..]), most)?,
                Some(other) => {
                    let message = format!(
                        "tiles packed by `{other}` cannot be read; in Tiled, choose Map > Map Properties > Tile \
                         Layer Format > CSV, or Base64 (zlib compressed)"
                    );
                    return Err(("compression", message));
                }
            };
            let numbers = bytes.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
            (numbers.collect(), bytes.len().cmp(&(4 * count)))
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
    let more = match size {
        Ordering::Equal => return Ok(numbers),
        Ordering::Less => "fewer",
        Ordering::Greater => "more",
    };
    Err(("", format!("there are {more} tiles than the {count} that fit its width and height")))
}

fn csv(text: &str) -> Result<Vec<u32>, Wrong> {
    let number = |(index, tile): (usize, &str)| {
        let tile = tile.trim();
        tile.parse().map_err(|_| ("", format!("tile {} is not a number: \"{tile}\"", index + 1)))
    };
    text.split(',').enumerate().map(number).collect()
}

/// The first `most` bytes of packed data.
fn unpacked(packed: impl Read, most: usize) -> Result<Vec<u8>, Wrong> {
    let mut bytes = Vec::new();
    let read = packed.take(most as u64).read_to_end(&mut bytes);
    read.map_err(|wrong| ("", format!("the tiles cannot be unpacked: {wrong}")))?;
    Ok(bytes)
}
