//! The pictures of a game and its mods: the PNG files in `pictures/`.

use super::source::SourceSet;
use crate::files::media::media_files::{Media, Medium};
use crate::files::media::png::decode;
use crate::files::media::sprites::{NamedFrame, SpriteTable, TilesTable};
use crate::files::tiled::{is_map, map_tiles};
use hangtime_core::sim::{MapTiles, Sheet};
use hangtime_script::{Diagnostic, Mistakes, Place};
use std::collections::BTreeMap;
use std::sync::{Mutex, Weak};

/// The folder of pictures in a game and in a mod.
pub(crate) const PICTURES: &str = "pictures";

/// Decoded pictures, by their paths below `pictures/`.
pub(crate) type Sheets = Media<Sheet>;

impl Medium for Sheet {
    const FOLDER: &'static str = PICTURES;
    const BYTES: &'static str = "bytes of pictures";
    const ENDING: &'static str = "png";
    const MAX_BYTES: u64 = 16 << 20;
    const MOST_TOTAL: u64 = 64 << 20;
    const MOST_FILES: usize = 1_000;
    const STAYS: &'static str = "The one before is shown";

    fn decode(bytes: &[u8]) -> Result<Self, String> {
        decode(bytes)
    }

    fn in_use() -> &'static Mutex<BTreeMap<[u8; 32], Weak<Self>>> {
        static IN_USE: Mutex<BTreeMap<[u8; 32], Weak<Sheet>>> = Mutex::new(BTreeMap::new());
        &IN_USE
    }
}

impl SourceSet {
    /// Decodes all pictures.
    pub(crate) fn sheets(&self, out: &mut Mistakes) -> Sheets {
        self.decode_media(&self.pictures, out)
    }

    /// Checks that a kind's sprite names a picture and frames that exist.
    pub(crate) fn check_sprite(&self, table: &SpriteTable, sheets: &Sheets, out: &mut Mistakes) {
        let sprite = &table.sprite;
        let Some(sheet) = self.sheet(&sprite.sheet, &table.sheet_place, sheets, out) else {
            return;
        };
        let size = sheet.frame_size(sprite.frame_size.map_or([None; 2], |size| size.map(Some)));
        if let (Some(wanted), Some(place)) = (sprite.frame_size, &table.size_place)
            && wanted != size
        {
            let [width, height] = sheet.size();
            let message = format!(
                "a frame of {} x {} px does not fit into {}, which is {width} x {height} px",
                wanted[0], wanted[1], sprite.sheet
            );
            self.pictures.say(Diagnostic::error(place.clone(), message), out);
            return;
        }
        self.check_frames(&table.frames, ("frame", &sprite.sheet), sheet.frames(size), out);
    }

    /// Checks that a level's tiles name a picture and tiles that exist.
    pub(crate) fn check_tiles(&self, table: &TilesTable, sheets: &Sheets, out: &mut Mistakes) {
        let tiles = &table.tiles;
        if let Some(sheet) = self.sheet(&tiles.sheet, &table.sheet_place, sheets, out) {
            let count = sheet.frames(sheet.frame_size([Some(tiles.side); 2]));
            self.check_frames(&table.frames, ("tile", &tiles.sheet), count, out);
        }
    }

    fn check_frames(&self, frames: &[NamedFrame], (what, sheet): (&str, &str), count: u64, out: &mut Mistakes) {
        for (number, place) in frames {
            if u64::from(*number) >= count {
                let have = match count {
                    1 => format!("has only {what} 0"),
                    count => format!("has the {what}s 0 to {}", count - 1),
                };
                let message = format!("there is no {what} {number}: {sheet} {have}");
                self.pictures.say(Diagnostic::error(place.clone(), message), out);
            }
        }
    }

    /// The layers of tiles of a level that is a map, as far as the pictures of its tilesets are in `pictures/`.
    pub(crate) fn map_tiles(&self, sheets: &Sheets, out: &mut Mistakes) -> Vec<MapTiles> {
        let Some(file) = self.get(&self.level).filter(|file| is_map(&file.name)) else {
            return Vec::new();
        };
        // Most maps name no such picture, and need not be read again.
        let mut files = self.files.values();
        if !files.any(|file| file.text.contains(PICTURES)) {
            return Vec::new();
        }
        let mut find = |name: &str, place: Place| {
            let name = self.local_medium::<Sheet>(name)?;
            let sheet = self.sheet(name, &place, sheets, out)?;
            Some((name.into(), sheet.size()))
        };
        let kinds = self.kind_names();
        map_tiles(self.map_sources(&kinds), file, &mut find)
    }

    /// The picture that is named at a place. One whose file is missing is reported.
    fn sheet<'s>(&self, name: &str, place: &Place, sheets: &'s Sheets, out: &mut Mistakes) -> Option<&'s Sheet> {
        self.named_medium((name, place), (&self.pictures, sheets), out)
    }
}
