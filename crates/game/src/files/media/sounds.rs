//! The sounds of a game and its mods: the WAV files in `sounds/`, and the tables `[sounds]` that name them.

use super::media_files::{Media, Medium};
use super::sound::{Sound, SoundCue, SoundCues};
use super::wav::decode;
use crate::files::sources::source::SourceSet;
use crate::files::tables::reader::TableReader;
use crate::files::tables::tree::{Data, Node, Table};
use hangtime_core::sim::event_names;
use hangtime_core::tuning::{Range, range};
use hangtime_script::names::{nearest, suggestion};
use hangtime_script::{Diagnostic, Mistakes, Place};
use std::collections::BTreeMap;
use std::sync::{Mutex, Weak};

/// The folder of sounds in a game and in a mod.
pub(crate) const SOUNDS: &str = "sounds";

/// Valid volumes.
const VOLUME: Range = range(0.0, 1.0);

/// The largest number of names in a table.
const MOST_NAMES: usize = 256;

/// Decoded sounds, by their paths below `sounds/`.
pub(crate) type Sounds = Media<Sound>;

impl Medium for Sound {
    const FOLDER: &'static str = SOUNDS;
    const BYTES: &'static str = "bytes of sounds";
    const ENDING: &'static str = "wav";
    const MAX_BYTES: u64 = 5 << 20;
    const MOST_TOTAL: u64 = 32 << 20;
    const MOST_FILES: usize = 500;
    const STAYS: &'static str = "The one before is played";

    fn decode(bytes: &[u8]) -> Result<Self, String> {
        decode(bytes)
    }

    fn in_use() -> &'static Mutex<BTreeMap<[u8; 32], Weak<Self>>> {
        static IN_USE: Mutex<BTreeMap<[u8; 32], Weak<Sound>>> = Mutex::new(BTreeMap::new());
        &IN_USE
    }
}

/// `[sounds]`, and the places that name what is checked later.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SoundTable {
    pub cues: SoundCues,
    /// The place of each name, and of its file.
    places: BTreeMap<Box<str>, [Place; 2]>,
}

/// Reads `[sounds]` of a kind or of the game.
pub(crate) fn read_sounds(reader: &mut TableReader<'_, '_>) -> SoundTable {
    let mut found = SoundTable::default();
    let Some(table) = reader.table("sounds") else {
        return found;
    };
    if table.entries.len() > MOST_NAMES {
        let message = format!("`sounds` can have at most {MOST_NAMES} names, not {}", table.entries.len());
        reader.error(&table.place, message);
        return found;
    }
    for (key, node) in &table.entries {
        if let Some((cue, place)) = read_cue(&key.name, node, reader.out) {
            let name: Box<str> = key.name.as_str().into();
            let places = [key.place.clone(), place];
            found.places.insert(name.clone(), places);
            found.cues.insert(name, cue);
        }
    }
    found
}

/// Reads `"hit.wav"` or `{ file = "hit.wav", volume = 0.5 }`.
fn read_cue(key: &str, node: &Node, out: &mut Mistakes) -> Option<(SoundCue, Place)> {
    let (file, place, volume) = match &node.value {
        Data::Text(file) => (file.as_str(), node.place.clone(), 1.0),
        Data::Table(table) => read_cue_table(table, out)?,
        _ => {
            let message = format!(
                "`{key}` takes the name of a WAV file in `{SOUNDS}/`, or `{{ file = \"{key}.wav\", volume = 0.5 }}`, not {}",
                node.kind()
            );
            out.push(Diagnostic::error(node.place.clone(), message));
            return None;
        }
    };
    if let Some(message) = wrong_name(file) {
        out.push(Diagnostic::error(place, message));
        return None;
    }
    let file = file.into();
    Some((SoundCue { file, volume }, place))
}

fn read_cue_table<'t>(table: &'t Table, out: &mut Mistakes) -> Option<(&'t str, Place, f64)> {
    let mut reader = TableReader::new(table, out);
    let place = reader.require("file", "a sound").map(|node| &node.place);
    let file = reader.text("file");
    let volume = reader.number("volume", VOLUME, "").unwrap_or(1.0);
    reader.finish();
    Some((file?, place?.clone(), volume))
}

/// Why a text cannot be the name of a sound's file.
fn wrong_name(file: &str) -> Option<String> {
    let leads_out = file.starts_with(['/', '\\']) || file.split(['/', '\\']).any(|it| it == "..");
    if leads_out || file.contains(':') {
        return Some(format!("`{file}` leads out of `{SOUNDS}/`; put the file there"));
    }
    match file.to_ascii_lowercase().ends_with(".wav") {
        true => None,
        false => Some(format!("`{file}` is not the name of a WAV file; only those are played")),
    }
}

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
            let hint = suggestion(name, events.iter().copied());
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
        let quoted = ['"', '`'].map(|quote| format!("{quote}{name}{quote}"));
        let scripts = self.scripts();
        let mut texts = scripts.values().map(|file| &file.text);
        texts.any(|text| quoted.iter().any(|it| text.contains(it.as_str())))
    }
}
