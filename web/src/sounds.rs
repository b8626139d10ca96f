//! What is heard, for the page, which has the speakers.

use super::*;
use hangtime_game::Sound;
use hangtime_workbench::AudibleSound;
use std::sync::Weak;

/// The sounds that were heard so far. Each has a number, under which the page keeps its samples.
#[derive(Default)]
pub struct HeardNumbers(Vec<Weak<Sound>>);

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
        let known = self.0.iter().position(|known| known.as_ptr() == Arc::as_ptr(sound));
        known.unwrap_or_else(|| {
            self.0.push(Arc::downgrade(sound));
            self.0.len() - 1
        })
    }

    /// The sound with a number; none if no revision has it any more.
    pub fn get(&self, number: usize) -> Option<Arc<Sound>> {
        self.0.get(number)?.upgrade()
    }

    /// What has been heard of a level since the last call.
    pub fn hear(&mut self, session: &mut Session) -> HeardFrame {
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
