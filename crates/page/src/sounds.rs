//! What is heard, for the page, which has the speakers.

use super::*;
use hangtime_game::Sound;
use hangtime_workbench::AudibleSound;
use std::sync::Weak;

/// The sounds that were heard so far. Each has a number, under which the page keeps its samples.
#[derive(Default)]
pub struct HeardNumbers {
    all: Vec<Weak<Sound>>,
    /// How many of them the page has.
    sent: usize,
}

/// A sound that is heard for the first time.
#[derive(Serialize)]
pub struct SoundSamples {
    number: usize,
    rate: u32,
    channels: u16,
    /// 32-bit numbers, with the channels interleaved; none if it is an OGG file.
    samples: Blob,
    ogg: Blob,
}

/// What is heard of a frame.
#[derive(Serialize, Default)]
pub struct HeardFrame {
    /// Each sound with its loudness on the left and on the right, 0 to 1, and its pitch.
    sounds: Vec<(usize, f64, f64, f64)>,
    /// The music that plays now, its volume and its pitch.
    music: Option<(usize, f64, f64)>,
}

impl HeardNumbers {
    fn number(&mut self, sound: &Arc<Sound>) -> usize {
        let known = self.all.iter().position(|known| known.as_ptr() == Arc::as_ptr(sound));
        known.unwrap_or_else(|| {
            self.all.push(Arc::downgrade(sound));
            self.all.len() - 1
        })
    }

    /// The sounds that the page does not have yet.
    pub fn learn(&mut self, blobs: &mut Blobs) -> Vec<SoundSamples> {
        let known = std::mem::replace(&mut self.sent, self.all.len());
        let new = self.all.iter().enumerate().skip(known);
        let new = new.filter_map(|(number, sound)| Some((number, sound.upgrade()?)));
        new.map(|(number, sound)| SoundSamples {
            number,
            rate: sound.rate,
            channels: sound.channels,
            samples: blobs.add(&sound.samples.iter().flat_map(|sample| sample.to_le_bytes()).collect::<Vec<u8>>()),
            ogg: blobs.add(&sound.ogg),
        })
        .collect()
    }

    /// What has been heard of a level since the last call.
    pub fn hear(&mut self, session: &mut PageSession) -> HeardFrame {
        let shown = session.frame.shows();
        let sounds = session.bench.take_heard().into_iter().map(|heard| {
            let [left, right] = shown.as_ref().map_or([heard.volume; 2], |shown| heard.sides(shown));
            (self.number(&heard.sound), left, right, heard.pitch)
        });
        let sounds = sounds.filter(|(_, left, right, _)| left + right > 0.0).collect();
        let music = session.bench.music();
        let music = music.map(|AudibleSound { sound, volume, pitch, .. }| (self.number(&sound), volume, pitch));
        HeardFrame { sounds, music }
    }
}
