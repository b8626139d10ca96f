//! The sounds of a game and its mods: the WAV and OGG files in `sounds/`, and the tables `[sounds]` that name them.

pub(crate) use super::wav::{SOUNDS, Sounds};
use super::{
    media_files::Medium,
    sound::{Sound, SoundCue, SoundCues},
};
use crate::files::{Data, Node, Table, TableReader};
use hangtime_core::tuning::{Range, range};
use hangtime_script::{Mistakes, Place};
use std::collections::BTreeMap;

/// Valid volumes.
const VOLUME: Range = range(0.0, 1.0);

/// The largest number of names in a table.
const MOST_NAMES: usize = 256;

/// `[sounds]`, and the places that name what is checked later.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SoundTable {
    pub cues: SoundCues,
    /// The place of each name, and of its file.
    pub places: BTreeMap<Box<str>, [Place; 2]>,
}

/// Reads `[sounds]` of a kind or of the game.
pub(crate) fn read_sounds(reader: &mut TableReader<'_, '_>) -> SoundTable {
    let mut found = SoundTable::default();
    let Some(table) = reader.table("sounds") else {
        return found;
    };
    if table.entries.len() > MOST_NAMES {
        let count = table.entries.len();
        reader.error(&table.place, format!("`sounds` can have at most {MOST_NAMES} names, not {count}"));
        return found;
    }
    for (key, node) in &table.entries {
        if let Some((cue, place)) = read_cue(&key.name, node, reader.out) {
            let name: Box<str> = key.name.as_str().into();
            found.places.insert(name.clone(), [key.place.clone(), place]);
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
            let hint = match node.list() {
                Some(_) => "",
                None => "; a key of the file itself belongs above `[sounds]`",
            };
            let message = format!(
                "`{key}` takes the name of a WAV or OGG file in `{SOUNDS}/`, or `{{ file = \"{key}.wav\", volume = 0.5 }}`, not {}{hint}",
                node.kind()
            );
            out.error(&node.place, message);
            return None;
        }
    };
    if let Some(message) = wrong_name(file) {
        out.error(&place, message);
        return None;
    }
    Some((SoundCue { file: file.into(), volume }, place))
}

fn read_cue_table<'t>(table: &'t Table, out: &mut Mistakes) -> Option<(&'t str, Place, f64)> {
    let mut reader = TableReader::new(table, out);
    let file = reader.require_text("file", "a sound");
    let volume = reader.number("volume", VOLUME, "").unwrap_or(1.0);
    reader.finish();
    let (file, place) = file?;
    Some((file, place.clone(), volume))
}

/// Why a text cannot be the name of a sound's file.
fn wrong_name(file: &str) -> Option<String> {
    let leads_out = file.starts_with(['/', '\\']) || file.split(['/', '\\']).any(|it| it == "..");
    if leads_out || file.contains(':') {
        return Some(format!("`{file}` leads out of `{SOUNDS}/`; put the file there"));
    }
    let name = file.to_ascii_lowercase();
    let is_sound = Sound::ENDINGS
        .iter()
        .any(|ending| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')));
    (!is_sound).then(|| format!("`{file}` is not the name of a WAV or OGG file; only those are played"))
}
