//! The pictures of a revision, and where they are shown.

use super::roster::Roster;
use crate::project::files::SourceSet;
use crate::project::files::level::LevelFile;
use crate::script::host::Mistakes;
use crate::sim::Artwork;

/// Reads the pictures, and checks what kinds and the level say about them.
pub(super) fn artwork(
    sources: &SourceSet,
    roster: &Roster<'_>,
    file: &LevelFile<'_>,
    out: &mut Mistakes,
) -> Artwork {
    let mut art = Artwork {
        sheets: sources.sheets(out),
        ..Artwork::default()
    };
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
