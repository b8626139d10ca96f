//! The pictures and sounds of a revision, and what they are for.

use super::*;
use crate::files::DrawnLayer;

/// Reads pictures and sounds, and checks what kinds, the level and the game say about them.
pub(crate) fn media_of(
    sources: &SourceSet,
    roster: &Roster<'_>,
    (file, config): (&LevelFile<'_>, &Config),
    drawn: &[DrawnLayer],
    out: &mut Mistakes,
) -> (Arc<Artwork>, Arc<SoundBank>) {
    let mut art = artwork(sources, roster, file, out);
    if file.level.view == View::Side {
        art.layers = sources.map_tiles(drawn, &art.sheets, out);
    }
    let sounds = sound_bank(sources, roster, &config.sounds, out);
    (art.into(), sounds.into())
}

fn artwork(sources: &SourceSet, roster: &Roster<'_>, file: &LevelFile<'_>, out: &mut Mistakes) -> Artwork {
    let mut art = Artwork { sheets: sources.sheets(out), ..Artwork::default() };
    for (kind, table) in &roster.sprites {
        sources.check_sprite(table, &art.sheets, out);
        let kind = kind.as_str().into();
        art.sprites.insert(kind, table.sprite.clone());
    }
    if let Some(table) = &file.tiles {
        sources.check_tiles(table, &art.sheets, out);
        art.tiles = Some(table.tiles.clone());
    }
    art
}

fn sound_bank(sources: &SourceSet, roster: &Roster<'_>, of_game: &SoundTable, out: &mut Mistakes) -> SoundBank {
    let mut bank = SoundBank { files: sources.decode_sounds(out), ..SoundBank::default() };
    for (kind, table) in &roster.sounds {
        sources.check_sounds(table, &bank.files, out);
        bank.kinds.insert(kind.as_str().into(), table.cues.clone());
    }
    sources.check_sounds(of_game, &bank.files, out);
    bank.game = of_game.cues.clone();
    bank
}
