//! Plays what is heard of the game, if hangtime was built with sound.

#[cfg(feature = "sound")]
use super::sound_output::SoundThread;
use super::*;

/// Plays what is heard of the game.
#[derive(Default)]
pub struct Speakers {
    /// The thread that plays, once there was a sound.
    #[cfg(feature = "sound")]
    thread: Option<SoundThread>,
}

impl Speakers {
    /// Plays what is heard of a frame. Without a device the game is silent, which the log says once.
    #[cfg(feature = "sound")]
    pub fn play(&mut self, bench: &mut Workbench) {
        for (sound, volume) in bench.take_heard() {
            let thread = self.thread.get_or_insert_with(SoundThread::start);
            thread.play(sound, volume);
        }
        let errors = self.thread.iter().flat_map(SoundThread::errors);
        errors.for_each(|line| bench.note(line));
    }

    /// Forgets what is heard of a frame.
    #[cfg(not(feature = "sound"))]
    pub fn play(&mut self, bench: &mut Workbench) {
        bench.take_heard();
    }
}
