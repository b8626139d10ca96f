//! Music: a sound that begins again at its end. OGG files are decoded while they play.

use super::*;
use hangtime_game::Sound;
use lewton::inside_ogg::OggStreamReader;
use rodio::{ChannelCount, SampleRate, Source};
use std::{
    io::Cursor,
    sync::{Weak, atomic::AtomicU32},
};

/// How many samples are played before a new volume is looked at.
const AT_ONCE: u32 = 256;

/// The bytes of an OGG file.
struct OggBytes(Arc<Sound>);

impl AsRef<[u8]> for OggBytes {
    fn as_ref(&self) -> &[u8] {
        &self.0.ogg
    }
}

/// Music that plays until nothing controls its volume any more.
pub struct MusicStream {
    sound: Arc<Sound>,
    /// The decoder of an OGG file, and the packet that it has decoded.
    ogg: Option<OggStreamReader<Cursor<OggBytes>>>,
    packet: Vec<i16>,
    /// The next sample, of the packet or of the sound.
    next: usize,
    /// The bits of its volume, 0 while it waits.
    control: Weak<AtomicU32>,
    volume: f32,
    /// How many samples are played until the volume is looked at.
    left: u32,
    channels: ChannelCount,
    rate: SampleRate,
}

impl MusicStream {
    /// Music from its beginning; `None` for a sound that has no valid form.
    pub fn new(sound: Arc<Sound>, pitch: f64, control: Weak<AtomicU32>) -> Option<Self> {
        let channels = ChannelCount::new(sound.channels)?;
        let rate = SampleRate::new((f64::from(sound.rate) * pitch).round() as u32)?;
        let (packet, volume, left) = (Vec::new(), 0.0, 0);
        Some(Self { sound, ogg: None, packet, next: 0, control, volume, left, channels, rate })
    }

    /// The next sample of a WAV file.
    fn of_samples(&mut self) -> Option<f32> {
        let sample = *self.sound.samples.get(self.next)?;
        self.next = (self.next + 1) % self.sound.samples.len();
        Some(sample)
    }

    /// The next sample of an OGG file; `None` if it is damaged or silent to its end.
    fn of_ogg(&mut self) -> Option<f32> {
        let mut begun = false;
        loop {
            if let Some(sample) = self.packet.get(self.next) {
                self.next += 1;
                return Some(f32::from(*sample) / 32_768.0);
            }
            let reader = match &mut self.ogg {
                Some(reader) => reader,
                None if begun => return None,
                None => {
                    begun = true;
                    let bytes = Cursor::new(OggBytes(self.sound.clone()));
                    self.ogg.insert(OggStreamReader::new(bytes).ok()?)
                }
            };
            self.next = 0;
            match reader.read_dec_packet_itl().ok()? {
                Some(packet) => self.packet = packet,
                None => (self.ogg, self.packet) = (None, Vec::new()),
            }
        }
    }
}

impl Iterator for MusicStream {
    type Item = f32;

    fn next(&mut self) -> Option<f32> {
        if self.left == 0 {
            self.volume = f32::from_bits(self.control.upgrade()?.load(Ordering::Relaxed));
            self.left = AT_ONCE;
        }
        self.left -= 1;
        if self.volume == 0.0 {
            return Some(0.0);
        }
        let sample = if self.sound.ogg.is_empty() { self.of_samples() } else { self.of_ogg() };
        Some(sample? * self.volume)
    }
}

impl Source for MusicStream {
    fn current_span_len(&self) -> Option<usize> {
        None
    }

    fn channels(&self) -> ChannelCount {
        self.channels
    }

    fn sample_rate(&self) -> SampleRate {
        self.rate
    }

    fn total_duration(&self) -> Option<Duration> {
        None
    }
}
