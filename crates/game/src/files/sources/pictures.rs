//! The pictures of a game and its mods: the PNG files in `pictures/`.

use super::*;
pub(crate) use crate::files::media::png::{PICTURES, Sheets};
use crate::files::{DrawnLayer, SpriteTable, TilesTable, media::sprites::NamedFrame};
use hangtime_core::sim::MapTiles;

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

    /// The layers of tiles that a map shows, with all tiles whose tilesets have their pictures in `pictures/`.
    pub(crate) fn map_tiles(&self, drawn: &[DrawnLayer], sheets: &Sheets, out: &mut Mistakes) -> Vec<MapTiles> {
        let mut with_pictures = |layer: &DrawnLayer| {
            let mut tiles = layer.tiles.clone();
            for (look, place) in tiles.looks.iter_mut().zip(&layer.places) {
                let name = self.local_medium::<Sheet>(&look.sheet)?;
                let sides = self.sheet(name, place, sheets, out)?.size();
                let fits = |axis: usize| {
                    let end = u64::from(look.corner[axis]) + u64::from(look.size[axis]);
                    look.size[axis] > 0 && end <= u64::from(sides[axis])
                };
                if !(fits(0) && fits(1)) {
                    return None;
                }
                look.sheet = name.into();
            }
            Some(tiles)
        };
        drawn.iter().filter_map(&mut with_pictures).collect()
    }

    /// The picture that is named at a place. One whose file is missing is reported.
    fn sheet<'s>(&self, name: &str, place: &Place, sheets: &'s Sheets, out: &mut Mistakes) -> Option<&'s Sheet> {
        self.named_medium((name, place), (&self.pictures, sheets), out)
    }
}
