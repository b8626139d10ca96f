//! The sounds of a game and its mods: decoding them, and checking the tables that name them.

use super::*;
use crate::files::{SoundTable, media::sounds::Sounds};
use hangtime_core::sim::event_names;

impl SourceSet {
    /// Decodes all sounds.
    pub(crate) fn decode_sounds(&self, out: &mut Mistakes) -> Sounds {
        self.decode_media(&self.sounds, out)
    }

    /// Checks that a table names files and events that exist.
    pub(crate) fn check_sounds(&self, table: &SoundTable, sounds: &Sounds, out: &mut Mistakes) {
        for (name, cue) in &table.cues {
            let Some([at, file]) = table.places.get(name) else {
                continue;
            };
            self.named_medium((&cue.file, file), (&self.sounds, sounds), out);
            if event_names().any(|known| *known == **name) || self.scripts_name(name) {
                continue;
            }
            let events: Vec<&str> = event_names().collect();
            let near = nearest(name, events.iter().copied()).is_some();
            let hint = suggestion(name, events);
            let message = format!("no event has the name `{name}`, and no script plays it{hint}");
            let wrong = Diagnostic::warning(at.clone(), message);
            match near {
                true => self.sounds.say(wrong, out),
                // A script may put its name together.
                false => out.push(wrong),
            }
        }
    }

    /// Whether a script has this name as a text, so that it may be an event that it emits, or a sound that it plays.
    fn scripts_name(&self, name: &str) -> bool {
        let quoted = ['"', '`', '\''].map(|quote| format!("{quote}{name}{quote}"));
        let scripts = self.scripts();
        let mut texts = scripts.values().map(|file| &file.text);
        texts.any(|text| quoted.iter().any(|it| text.contains(it.as_str())))
    }
}
