//! The pictures and sounds of a game and its mods.
//!
//! Nothing that is wrong with them keeps a game from running. What is wrong is a warning, and an error for
//! `hangtime check`.

use super::*;
use crate::files::{Media, Medium, media::media_files::MediumBytes};
use std::sync::Weak;

impl SourceSet {
    /// Reads the files of one kind that the game and its mods have.
    pub(crate) fn read_media<T: Medium>(&mut self, folder: &GameFolder) -> MediaFiles<T> {
        let mut found = MediaFiles { are_read: true, ..MediaFiles::default() };
        let mut bytes = 0;
        for root in all_roots(folder) {
            let walk = FileWalk::through(folder, &root.join(T::FOLDER), T::ENDINGS);
            found.unreadable.extend(walk.wrong.iter().flat_map(Error::diagnostics));
            self.folders.extend(walk.folders());
            for path in walk.files {
                let file = folder.name_of(&path);
                if let Some((limit, of)) = limit_reached(&found, bytes) {
                    let error = Error::OverLimit { file, limit, of };
                    found.unreadable.extend(error.diagnostics());
                    return found;
                }
                match read_bytes(folder, &path, &file, T::MAX_BYTES) {
                    Ok(read) => {
                        bytes += read.len() as u64;
                        let hash = *blake3::hash(&read).as_bytes();
                        let bytes = read.into();
                        found.files.insert(file, MediumBytes { bytes, hash });
                    }
                    Err(error) => found.unreadable.extend(error.diagnostics()),
                }
            }
        }
        found
    }

    /// The path of a file below its folder, by its name in the game folder; none if it belongs to a mod that is left out.
    pub(crate) fn local_medium<'n, T: Medium>(&self, name: &'n str) -> Option<&'n str> {
        let rest = self.mods.local(name).strip_prefix(T::FOLDER)?;
        rest.strip_prefix('/')
    }

    /// Decodes all files of one kind; files of upper layers take the places of files below. While a file is broken or
    /// gone, the version that the running game uses stays.
    pub(crate) fn decode_media<T: Medium>(&self, media: &MediaFiles<T>, out: &mut Mistakes) -> Media<T> {
        let mut decoded = media.shown.clone();
        for wrong in &media.unreadable {
            media.say(wrong.clone(), out);
        }
        // The game's own files come first, then each mod's, from the lowest.
        let mut files: Vec<_> = media.files.iter().collect();
        let height = |name: &str| {
            let layer = self.mods.layers.iter().position(|layer| layer.local(name).is_some());
            layer.map_or(0, |height| height + 1)
        };
        files.sort_by_key(|(name, _)| height(name));
        let mut memory = 0;
        for (name, file) in files {
            let Some(local) = self.local_medium::<T>(name) else {
                continue;
            };
            match decode_once::<T>(file) {
                Ok(one) => {
                    memory += one.memory();
                    if memory > T::MOST_DECODED {
                        let message = format!(
                            "decoded, all {} together take more than {} MiB; this file and those after it are left out",
                            T::FOLDER,
                            T::MOST_DECODED >> 20
                        );
                        media.say(Diagnostic::about_file(name, message), out);
                        break;
                    }
                    decoded.insert(local.into(), one);
                }
                Err(why) => {
                    let note = if decoded.contains_key(local) {
                        format!(". {}", T::STAYS)
                    } else {
                        String::new()
                    };
                    media.say(Diagnostic::about_file(name, format!("{why}{note}")), out);
                }
            }
        }
        decoded
    }

    /// The file that is named at a place. One that is missing is reported.
    pub(crate) fn named_medium<'s, T: Medium>(
        &self,
        (name, place): (&str, &Place),
        (media, decoded): (&MediaFiles<T>, &'s Media<T>),
        out: &mut Mistakes,
    ) -> Option<&'s T> {
        let is_it = |file: &str| self.local_medium::<T>(file) == Some(name);
        let unreadable = media.unreadable.iter().map(|wrong| wrong.file_name());
        let mut files = media.files.keys().map(String::as_str).chain(unreadable);
        let found = decoded.get(name).map(|one| &**one);
        if media.are_read && !files.any(is_it) {
            let hint = match found {
                Some(_) => format!(". {}", T::STAYS),
                None => suggestion(name, decoded.keys().map(|known| &**known)),
            };
            let message = format!("there is no {}/{name}{hint}", T::FOLDER);
            media.say(Diagnostic::error(place.clone(), message), out);
        }
        found
    }
}

/// The limit that keeps further files from being read.
fn limit_reached<T: Medium>(found: &MediaFiles<T>, bytes: u64) -> Option<(u64, &'static str)> {
    if bytes >= T::MOST_TOTAL {
        return Some((T::MOST_TOTAL, T::BYTES));
    }
    (found.count() >= T::MOST_FILES).then_some((T::MOST_FILES as u64, T::FOLDER))
}

/// What is in a file, which other revisions may have decoded before.
fn decode_once<T: Medium>(file: &MediumBytes) -> Result<Arc<T>, String> {
    let known = T::in_use().lock().get(&file.hash).and_then(Weak::upgrade);
    if let Some(known) = known {
        return Ok(known);
    }
    let decoded = Arc::new(T::decode(&file.bytes)?);
    let mut all = T::in_use().lock();
    all.retain(|_, one| one.strong_count() > 0);
    all.insert(file.hash, Arc::downgrade(&decoded));
    Ok(decoded)
}
