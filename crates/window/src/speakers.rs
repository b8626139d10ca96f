//! Plays what is heard of the game, if hangtime was built with sound.

#[cfg(feature = "sound")]
use super::sound_output::SoundThread;
use super::*;
use hangtime_core::geometry::grid::Bounds;
#[cfg(feature = "sound")]
use hangtime_workbench::AudibleSound;

/// Plays what is heard of the game.
#[derive(Default)]
pub struct Speakers {
    /// The thread that plays, once there was a sound.
    #[cfg(feature = "sound")]
    thread: Option<SoundThread>,
    /// The music that the thread plays.
    #[cfg(feature = "sound")]
    music: Option<AudibleSound>,
}

impl Speakers {
    /// Plays what is heard of a frame for a person who sees this part of the level. Without a device the game is
    /// silent, which the log says once.
    #[cfg(feature = "sound")]
    pub fn play(&mut self, bench: &mut Workbench, shown: Option<Bounds>) {
        for heard in bench.take_heard() {
            let sides = shown.map_or([heard.volume; 2], |shown| heard.sides(&shown));
            if sides != [0.0; 2] {
                let thread = self.thread.get_or_insert_with(SoundThread::start);
                thread.play(heard, sides);
            }
        }
        let music = bench.music();
        if music != self.music {
            let thread = self.thread.get_or_insert_with(SoundThread::start);
            if thread.play_music(music.clone()) {
                self.music = music;
            }
        }
        let errors = self.thread.iter().flat_map(SoundThread::errors);
        errors.for_each(|line| bench.note(line));
    }

    /// Forgets what is heard of a frame.
    #[cfg(not(feature = "sound"))]
    pub fn play(&mut self, bench: &mut Workbench, _shown: Option<Bounds>) {
        bench.take_heard();
    }
}
