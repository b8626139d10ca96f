//! Decoding WAV files, within limits.

use super::sound::Sound;
use hound::{Error, SampleFormat, WavReader, WavSpec};
use std::io::Cursor;

/// The longest sound, seconds.
const MAX_SECONDS: u32 = 10;

/// The lowest and the highest rate, Hz.
const RATES: [u32; 2] = [8_000, 96_000];

/// The sound in a file.
///
/// # Errors
/// Why it cannot be played, and what can.
pub(crate) fn decode(bytes: &[u8]) -> Result<Sound, String> {
    if !(bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE")) {
        return Err("this is not a WAV file; save the sound as one".into());
    }
    let reader = WavReader::new(Cursor::new(bytes)).map_err(broken)?;
    let spec = reader.spec();
    let WavSpec { channels, sample_rate, bits_per_sample, sample_format } = spec;
    if !(1..=2).contains(&channels) {
        return Err(format!("this sound has {channels} channels; it can have 1 or 2"));
    }
    let [low, high] = RATES;
    if !(low..=high).contains(&sample_rate) {
        return Err(format!("this sound has {sample_rate} samples per second; it can have {low} to {high}"));
    }
    let frames = reader.duration();
    if frames > MAX_SECONDS * sample_rate {
        let seconds = f64::from(frames) / f64::from(sample_rate);
        return Err(format!("this sound is too long: {seconds:.1} s; it can have at most {MAX_SECONDS} s"));
    }
    let samples: Result<Vec<f32>, Error> = match sample_format {
        SampleFormat::Float => {
            let samples = reader.into_samples::<f32>();
            samples.map(|x| x.map(audible)).collect()
        }
        SampleFormat::Int => {
            let full = (1_u64 << bits_per_sample.clamp(1, 32) >> 1) as f64;
            let samples = reader.into_samples::<i32>();
            let scaled = |x: i32| audible((f64::from(x) / full) as f32);
            samples.map(|x| x.map(scaled)).collect()
        }
    };
    let samples = samples.map_err(broken)?;
    if samples.is_empty() {
        return Err("this sound is empty".into());
    }
    Ok(Sound::new(sample_rate, channels, samples))
}

/// A sample within the range that is played.
fn audible(sample: f32) -> f32 {
    match sample.is_nan() {
        true => 0.0,
        false => sample.clamp(-1.0, 1.0),
    }
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
