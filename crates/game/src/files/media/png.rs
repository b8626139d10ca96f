//! The PNG files in `pictures/`, decoded within limits.

use super::media_files::{Media, Medium};
use hangtime_core::sim::Sheet;
use parking_lot::Mutex;
use png::{ColorType, Decoder, DecodingError, Limits, Transformations};
use std::{collections::BTreeMap, io::Cursor, sync::Weak};

/// The largest width and height of a picture, px.
const MAX_SIDE: u32 = 4096;

/// The largest size of a picture in memory, bytes: four for each pixel.
const MAX_DECODED: u64 = 16 << 20;

/// The most memory that the decoder may take in addition, bytes.
const MAX_WORK: usize = 32 << 20;

/// What a file begins with that is a PNG.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The folder of pictures in a game and in a mod.
pub(crate) const PICTURES: &str = "pictures";

/// Decoded pictures, by their paths below `pictures/`.
pub(crate) type Sheets = Media<Sheet>;

impl Medium for Sheet {
    const FOLDER: &'static str = PICTURES;
    const BYTES: &'static str = "bytes of pictures";
    const ENDINGS: &'static [&'static str] = &["png"];
    const MAX_BYTES: u64 = 16 << 20;
    const MOST_TOTAL: u64 = 64 << 20;
    const MOST_FILES: usize = 1_000;
    const MOST_DECODED: u64 = 128 << 20;
    const STAYS: &'static str = "The one before is shown";

    fn memory(&self) -> u64 {
        4 * self.pixels().len() as u64
    }

    fn in_use() -> &'static Mutex<BTreeMap<[u8; 32], Weak<Self>>> {
        static IN_USE: Mutex<BTreeMap<[u8; 32], Weak<Sheet>>> = Mutex::new(BTreeMap::new());
        &IN_USE
    }

    fn decode(bytes: &[u8]) -> Result<Self, String> {
        if !bytes.starts_with(SIGNATURE) {
            return Err("this is not a PNG; save the picture as one".into());
        }
        let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_WORK });
        decoder.set_transformations(Transformations::normalize_to_color8());
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let (width, height) = decoder.read_header_info().map_err(broken)?.size();
        let memory = 4 * u64::from(width) * u64::from(height);
        if width.max(height) > MAX_SIDE || memory > MAX_DECODED {
            return Err(format!(
                "this picture is too large: {width} x {height} px; each side can have at most {MAX_SIDE} px, and all of it \
                 {} pixels",
                MAX_DECODED / 4
            ));
        }
        let mut reader = decoder.read_info().map_err(broken)?;
        let mut buffer = vec![0; reader.output_buffer_size().unwrap_or_default()];
        let color = reader.next_frame(&mut buffer).map_err(broken)?.color_type;
        // A file that was cut off may still have all pixels.
        reader.finish().map_err(broken)?;
        let pixels: Vec<[u8; 4]> = match color {
            ColorType::Rgba => buffer.as_chunks().0.to_vec(),
            ColorType::Rgb => of_chunks(&buffer, |[red, green, blue]| [red, green, blue, 255]),
            ColorType::GrayscaleAlpha => of_chunks(&buffer, |[gray, cover]| [gray, gray, gray, cover]),
            ColorType::Grayscale | ColorType::Indexed => of_chunks(&buffer, |[gray]| [gray, gray, gray, 255]),
        };
        Sheet::new([width, height], pixels).ok_or_else(|| "this picture has no pixels".into())
    }
}

fn of_chunks<const N: usize>(buffer: &[u8], pixel: impl Fn([u8; N]) -> [u8; 4]) -> Vec<[u8; 4]> {
    let chunks = buffer.as_chunks::<N>().0.iter();
    chunks.map(|chunk| pixel(*chunk)).collect()
}

fn broken(error: DecodingError) -> String {
    match error {
        DecodingError::LimitsExceeded => "this PNG needs too much memory; save it again".into(),
        error => {
            let why = error.to_string();
            let why = why.trim_end_matches('.');
            format!("this PNG is damaged or incomplete ({why}); save it again")
        }
    }
}
