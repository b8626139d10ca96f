//! The WAV and OGG files in `sounds/`, within limits.

use super::{
    media_files::{Media, Medium},
    sound::Sound,
};
use hound::{Error, SampleFormat, WavReader, WavSpec};
use parking_lot::Mutex;
use std::{collections::BTreeMap, io::Cursor, sync::Weak};

/// The longest sound, seconds.
const MAX_SECONDS: u32 = 10;

/// The lowest and the highest rate, Hz.
const RATES: [u32; 2] = [8_000, 96_000];

/// The folder of sounds in a game and in a mod.
pub(crate) const SOUNDS: &str = "sounds";

/// Decoded sounds, by their paths below `sounds/`.
pub(crate) type Sounds = Media<Sound>;

impl Medium for Sound {
    const FOLDER: &'static str = SOUNDS;
    const BYTES: &'static str = "bytes of sounds";
    const ENDINGS: &'static [&'static str] = &["wav", "ogg"];
    const MAX_BYTES: u64 = 5 << 20;
    const MOST_TOTAL: u64 = 32 << 20;
    const MOST_FILES: usize = 500;
    const MOST_DECODED: u64 = 128 << 20;
    const STAYS: &'static str = "The one before is played";

    fn memory(&self) -> u64 {
        4 * self.samples.len() as u64 + self.ogg.len() as u64
    }

    fn in_use() -> &'static Mutex<BTreeMap<[u8; 32], Weak<Self>>> {
        static IN_USE: Mutex<BTreeMap<[u8; 32], Weak<Sound>>> = Mutex::new(BTreeMap::new());
        &IN_USE
    }

    fn decode(bytes: &[u8]) -> Result<Self, String> {
        if bytes.starts_with(b"OggS") {
            return of_ogg(bytes);
        }
        if !(bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE")) {
            return Err("this is not a WAV file or an OGG file; save the sound as one".into());
        }
        let reader = WavReader::new(Cursor::new(bytes)).map_err(broken)?;
        let spec = reader.spec();
        let WavSpec { channels, sample_rate, bits_per_sample, sample_format } = spec;
        check_form(channels, sample_rate)?;
        let frames = reader.duration();
        if frames > MAX_SECONDS * sample_rate {
            let seconds = f64::from(frames) / f64::from(sample_rate);
            return Err(format!("this sound is too long: {seconds:.1} s; it can have at most {MAX_SECONDS} s"));
        }
        let samples: Result<Vec<f32>, Error> = match sample_format {
            SampleFormat::Float => reader.into_samples::<f32>().map(|x| x.map(audible)).collect(),
            SampleFormat::Int => {
                let full = (1_u64 << bits_per_sample.clamp(1, 32) >> 1) as f64;
                let scaled = |x: i32| audible((f64::from(x) / full) as f32);
                reader.into_samples::<i32>().map(|x| x.map(scaled)).collect()
            }
        };
        let samples = samples.map_err(broken)?;
        if samples.is_empty() {
            return Err("this sound is empty".into());
        }
        Ok(Sound { rate: sample_rate, channels, samples, ogg: Vec::new() })
    }
}

/// Checks the number of channels, and of samples per second.
fn check_form(channels: u16, rate: u32) -> Result<(), String> {
    if !(1..=2).contains(&channels) {
        return Err(format!("this sound has {channels} channels; it can have 1 or 2"));
    }
    let [low, high] = RATES;
    if !(low..=high).contains(&rate) {
        return Err(format!("this sound has {rate} samples per second; it can have {low} to {high}"));
    }
    Ok(())
}

/// The first packet of Vorbis: behind the header of the first page, which has one segment.
const VORBIS: std::ops::Range<usize> = 28..35;

/// An OGG file, which is decoded while it plays. What it says of itself is in its first page: the number of channels is
/// behind the word and a version of four bytes, the rate follows.
fn of_ogg(bytes: &[u8]) -> Result<Sound, String> {
    if bytes.get(VORBIS) != Some(b"\x01vorbis") {
        return Err("this OGG file has no Vorbis sound; save the sound as OGG Vorbis or as a WAV file".into());
    }
    let (Some(channels), Some(rate)) = (bytes.get(39), bytes.get(40..44)) else {
        return Err("this OGG file is incomplete; save it again".into());
    };
    let rate = u32::from_le_bytes([rate[0], rate[1], rate[2], rate[3]]);
    let channels = u16::from(*channels);
    check_form(channels, rate)?;
    Ok(Sound { rate, channels, samples: Vec::new(), ogg: bytes.to_vec() })
}

/// A sample within the range that is played.
fn audible(sample: f32) -> f32 {
    if sample.is_nan() { 0.0 } else { sample.clamp(-1.0, 1.0) }
}

fn broken(error: Error) -> String {
    let why = match error {
        Error::Unsupported => {
            return "hangtime cannot read this kind of WAV file; save the sound as PCM with 16 bits".into();
        }
        Error::FormatError(why) => why.to_string(),
        other => other.to_string(),
    };
    let why = why.trim_end_matches('.').to_lowercase();
    format!("this WAV file is damaged or incomplete ({why}); save it again")
}
