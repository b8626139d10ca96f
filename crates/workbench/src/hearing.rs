//! What is heard of the game: only new ticks at normal speed, so that going through time is silent.

use super::bench::Workbench;
use hangtime_game::Sound;
use std::sync::Arc;

impl Workbench {
    /// Adds what is heard of the shown tick, which is new.
    pub(super) fn hear(&mut self) {
        if !self.sounds.muted && self.speed.is_normal() {
            let heard = self.live.heard();
            heard.into_iter().for_each(|one| self.sounds.add(one));
        }
    }

    /// Takes the sounds since the last call, each once, with their volumes, 0 to 1.
    pub fn take_heard(&mut self) -> Vec<(Arc<Sound>, f64)> {
        let volume = self.latest.config.window.volume;
        let mut heard = self.sounds.take();
        heard.iter_mut().for_each(|(_, own)| *own *= volume);
        heard
    }

    /// Switches sounds off or on.
    pub(super) fn toggle_sounds(&mut self) {
        self.mute(!self.sounds.muted);
        self.note(match self.sounds.muted {
            _ if !cfg!(feature = "sound") => {
                "this hangtime was built without sound; `cargo build --features sound` has it"
            }
            true => "sound off",
            false => "sound on",
        });
    }

    /// Hears nothing from now on, or everything.
    pub(super) fn mute(&mut self, muted: bool) {
        self.sounds.muted = muted;
        if muted {
            self.sounds.take();
        }
    }
}
