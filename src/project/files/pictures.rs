//! The pictures of a game and its mods: the PNG files in `pictures/`.
//!
//! Nothing that is wrong with them keeps a game from running. What is wrong is a warning, and an error for
//! `hangtime check`.

use super::file_system::FileSystem;
use super::mods::mod_folders;
use super::naming::name_in;
use super::picture_files::{PictureBytes, PictureFiles, Sheets};
use super::png::decoded;
use super::root::GameFolder;
use super::source::{SourceSet, read_bytes};
use super::sprites::{NamedFrame, SpriteTable, TilesTable};
use super::walk::FileWalk;
use crate::project::Error;
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Mistakes, Place};
use crate::sim::Sheet;

/// The folder of pictures in a game and in a mod.
pub(in crate::project) const PICTURES: &str = "pictures";

/// The largest file that is read, in bytes, and the largest size of all together.
const MAX_BYTES: u64 = 16 << 20;
const MOST_TOTAL: u64 = 64 << 20;

/// The largest number of pictures.
const MOST_PICTURES: usize = 1_000;

/// What is said of a picture that cannot be shown as it is now.
const STAYS: &str = "The one before is shown";

impl SourceSet {
    /// Reads the pictures of the game and of its mods.
    pub(super) fn add_pictures(&mut self, fs: &dyn FileSystem, folder: &GameFolder) {
        let mut found = PictureFiles {
            are_read: true,
            ..PictureFiles::default()
        };
        let mut bytes = 0;
        let (mods, _) = mod_folders(fs, folder);
        let game = folder.path().to_path_buf();
        for root in [game].into_iter().chain(mods.into_iter().map(|it| it.path)) {
            let walk = FileWalk::new(fs, folder, &[], &["png"]).below(&root.join(PICTURES));
            let wrong = walk.wrong.iter().flat_map(Error::diagnostics);
            found.unreadable.extend(wrong);
            self.folders.extend(walk.folders());
            for path in walk.files {
                let name = name_in(fs, folder.path(), &path);
                let limit = match bytes >= MOST_TOTAL {
                    true => Some((MOST_TOTAL, "bytes of pictures")),
                    false if found.count() >= MOST_PICTURES => {
                        Some((MOST_PICTURES as u64, "pictures"))
                    }
                    false => None,
                };
                if let Some((limit, of)) = limit {
                    let file = name;
                    let error = Error::OverLimit { file, limit, of };
                    found.unreadable.extend(error.diagnostics());
                    self.pictures = found;
                    return;
                }
                match read_bytes(fs, &path, &name, MAX_BYTES) {
                    Ok(read) => {
                        bytes += read.len() as u64;
                        let hash = *blake3::hash(&read).as_bytes();
                        let bytes = read.into();
                        found.files.insert(name, PictureBytes { bytes, hash });
                    }
                    Err(error) => found.unreadable.extend(error.diagnostics()),
                }
            }
        }
        self.pictures = found;
    }

    /// The path of a picture below `pictures/`, by its name in the game folder; none if it belongs to a mod that is left
    /// out.
    fn local_picture<'n>(&self, name: &'n str) -> Option<&'n str> {
        let rest = self.mods.local(name).strip_prefix(PICTURES)?;
        rest.strip_prefix('/')
    }

    /// Decodes all pictures; those of upper layers take the places of those below. Of one that is broken or gone, the
    /// version that the running game shows stays.
    pub(in crate::project) fn sheets(&self, out: &mut Mistakes) -> Sheets {
        let pictures = &self.pictures;
        let mut sheets = pictures.shown.clone();
        for wrong in &pictures.unreadable {
            pictures.say(wrong.clone(), out);
        }
        // The game's own pictures come first, then those of each mod, from the lowest.
        let mut files: Vec<_> = pictures.files.iter().collect();
        let height = |name: &str| {
            let layers = self.mods.layers.iter();
            let mut layers = layers.enumerate();
            let layer = layers.find(|(_, layer)| layer.local(name).is_some());
            layer.map_or(0, |(height, _)| height + 1)
        };
        files.sort_by_key(|(name, _)| height(name));
        for (name, file) in files {
            let Some(local) = self.local_picture(name) else {
                continue;
            };
            match decoded(&file.bytes, file.hash) {
                Ok(sheet) => {
                    sheets.insert(local.into(), sheet);
                }
                Err(why) => {
                    let note = match sheets.contains_key(local) {
                        true => format!(". {STAYS}"),
                        false => String::new(),
                    };
                    pictures.say(Diagnostic::about_file(name, format!("{why}{note}")), out);
                }
            }
        }
        sheets
    }

    /// Checks that a kind's sprite names a picture and frames that exist.
    pub(in crate::project) fn check_sprite(
        &self,
        table: &SpriteTable,
        sheets: &Sheets,
        out: &mut Mistakes,
    ) {
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
            self.pictures
                .say(Diagnostic::error(place.clone(), message), out);
            return;
        }
        self.check_frames(
            &table.frames,
            ("frame", &sprite.sheet),
            sheet.frames(size),
            out,
        );
    }

    /// Checks that a level's tiles name a picture and tiles that exist.
    pub(in crate::project) fn check_tiles(
        &self,
        table: &TilesTable,
        sheets: &Sheets,
        out: &mut Mistakes,
    ) {
        let tiles = &table.tiles;
        if let Some(sheet) = self.sheet(&tiles.sheet, &table.sheet_place, sheets, out) {
            let count = sheet.frames(sheet.frame_size([Some(tiles.side); 2]));
            self.check_frames(&table.frames, ("tile", &tiles.sheet), count, out);
        }
    }

    fn check_frames(
        &self,
        frames: &[NamedFrame],
        (what, sheet): (&str, &str),
        count: u64,
        out: &mut Mistakes,
    ) {
        for (number, place) in frames {
            if u64::from(*number) >= count {
                let have = match count {
                    1 => format!("has only {what} 0"),
                    count => format!("has the {what}s 0 to {}", count - 1),
                };
                let message = format!("there is no {what} {number}: {sheet} {have}");
                self.pictures
                    .say(Diagnostic::error(place.clone(), message), out);
            }
        }
    }

    /// The picture that is named at a place. One whose file is missing is reported.
    fn sheet<'s>(
        &self,
        name: &str,
        place: &Place,
        sheets: &'s Sheets,
        out: &mut Mistakes,
    ) -> Option<&'s Sheet> {
        let pictures = &self.pictures;
        let is_it = |file: &str| self.local_picture(file) == Some(name);
        let unreadable = pictures.unreadable.iter().map(|wrong| wrong.file_name());
        let mut files = pictures.files.keys().map(String::as_str).chain(unreadable);
        let found = sheets.get(name).map(|sheet| &**sheet);
        if pictures.are_read && !files.any(is_it) {
            let hint = match found {
                Some(_) => format!(". {STAYS}"),
                None => suggestion(name, sheets.keys().map(|known| &**known)),
            };
            let message = format!("there is no {PICTURES}/{name}{hint}");
            pictures.say(Diagnostic::error(place.clone(), message), out);
        }
        found
    }
}
