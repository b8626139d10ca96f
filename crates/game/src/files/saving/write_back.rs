//! Writes values of tunables back into the files that hold them. Comments and order stay as they are.

use crate::Error;
use crate::files::content::tuning_home::{TuningChange, TuningGroup, TuningHome, unsaved_reason};
use crate::files::disk::output::OutputFile;
use crate::files::disk::root::GameFolder;
use hangtime_core::tuning::Setting;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use toml_edit::{Decor, DocumentMut, Item, Table, TableLike, Value};

/// A change to save, and what it is based on.
#[derive(Clone, Debug, PartialEq)]
pub struct TuningEdit {
    /// The new value.
    pub change: TuningChange,
    /// The value that the change replaces.
    pub was: Setting,
    /// Whether the file sets that value. If not, it is the default, or comes from another file.
    pub written: bool,
}

/// Why a change was not saved. The file is as it was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The value comes from the command line, so there is no file to change.
    #[error("`{0}` is set on the command line; start hangtime without `--set` to save it")]
    CommandLine(String),
    /// The file has another value by now.
    #[error("{file} has another value for `{key}` now: {found}")]
    Conflict {
        /// The file, by its path below the game folder.
        file: String,
        /// The tunable, as in a setting: `platformer.jump_speed`, `surfaces.ice.grip`.
        key: String,
        /// What the file holds; `nothing` if the key is gone.
        found: String,
    },
    /// The file cannot be changed as it is.
    #[error("{file} {reason}")]
    File {
        /// The file, by its path below the game folder.
        file: String,
        /// What is wrong, after the file's name.
        reason: String,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(#[from] Error),
}

/// Saves changes of a level. Each file is written at once or not at all, next to its name and then
/// renamed. Returns the names of the files and what went wrong with the others.
pub fn save_tuning(folder: &GameFolder, level: &str, edits: &[TuningEdit]) -> (Vec<String>, Vec<SaveError>) {
    let mut files: BTreeMap<String, Vec<&TuningEdit>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for edit in edits {
        let TuningChange { home, group, .. } = &edit.change;
        match home.file(group, level) {
            Some(file) => files.entry(file).or_default().push(edit),
            None => wrong.push(SaveError::CommandLine(key_of(&edit.change))),
        }
    }
    let mut saved = Vec::new();
    for (file, edits) in files {
        match save_file(folder, &file, &edits) {
            Ok(()) => saved.push(file),
            Err(error) => wrong.push(error),
        }
    }
    (saved, wrong)
}

fn save_file(folder: &GameFolder, file: &str, edits: &[&TuningEdit]) -> Result<(), SaveError> {
    let path = writable_path(folder, file)?;
    let text = std::fs::read_to_string(&path).map_err(|error| problem(file, &format!("cannot be read: {error}")))?;
    let edited = edited_text(file, &text, edits)?;
    if edited == text {
        return Ok(());
    }
    let (output, writer) = OutputFile::replace(&path)?;
    complete(file, output, SyncedFile(writer), &edited)
}

/// Writes a text and gives it the file's name. If the text cannot be written, the file stays as it is, and
/// what was written is removed.
pub(crate) fn complete(file: &str, output: OutputFile, mut writer: impl Write, text: &str) -> Result<(), SaveError> {
    let written = writer.write_all(text.as_bytes());
    let written = written.and_then(|()| writer.flush());
    drop(writer);
    written.map_err(|error| problem(file, &format!("cannot be written: {error}")))?;
    Ok(output.complete()?)
}

/// A file that is on the disk once it is flushed: a full disk may say so only then.
pub(crate) struct SyncedFile(pub File);

impl Write for SyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.sync_all()
    }
}

/// The real path of a file that may be written: inside the game folder, and not read-only.
pub(crate) fn writable_path(folder: &GameFolder, file: &str) -> Result<PathBuf, SaveError> {
    let path = folder.path().join(file);
    let real = |path: &Path| path.canonicalize().map_err(|error| problem(file, &format!("cannot be found: {error}")));
    let real_path = real(&path)?;
    let is_in = |root: &Path| real(root).is_ok_and(|root| real_path.starts_with(root));
    if !folder.follows_links() && !is_in(folder.path()) && !folder.mods().iter().any(|m| is_in(m)) {
        let reason = "leads out of the game folder; `--follow-links` allows to write there";
        return Err(problem(file, reason));
    }
    let metadata = real_path.metadata();
    if metadata.is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(problem(file, "is read-only"));
    }
    Ok(real_path)
}

pub(crate) fn problem(file: &str, reason: &str) -> SaveError {
    SaveError::File { file: file.into(), reason: reason.into() }
}

fn key_of(change: &TuningChange) -> String {
    format!("{}.{}", change.group, change.name)
}

/// A file's text after edits that all belong to it.
fn edited_text(file: &str, text: &str, edits: &[&TuningEdit]) -> Result<String, SaveError> {
    let parsed = text.parse();
    let mut document: DocumentMut = parsed.map_err(|_| problem(file, unsaved_reason(file)))?;
    for edit in edits {
        let TuningChange { home, group, name, .. } = &edit.change;
        let table = table_of(&mut document, home, group)
            .ok_or_else(|| problem(file, &format!("has no place for `{}`", key_of(&edit.change))))?;
        let found = table.get(name).map(setting_of);
        let same = match &found {
            Some(found) => found.as_ref() == Some(&edit.change.value),
            None => false,
        };
        if same {
            continue;
        }
        let unchanged = match &found {
            Some(found) => edit.written && found.as_ref() == Some(&edit.was),
            None => !edit.written,
        };
        if !unchanged {
            return Err(SaveError::Conflict {
                file: file.into(),
                key: key_of(&edit.change),
                found: table.get(name).map_or_else(|| "nothing".into(), |item| item.to_string().trim().into()),
            });
        }
        put(table, name, &edit.change.value);
    }
    Ok(document.to_string())
}

/// The table in which a home keeps the tunables of a group. A table that is missing is added, except in
/// a level.
fn table_of<'d>(
    document: &'d mut DocumentMut,
    home: &TuningHome,
    group: &TuningGroup,
) -> Option<&'d mut dyn TableLike> {
    let name = match group {
        TuningGroup::Surface(name) => name.clone(),
        other => other.to_string(),
    };
    match home.in_game() {
        TuningHome::Model | TuningHome::Level => Some(document.as_table_mut()),
        TuningHome::Kind(_) | TuningHome::Surfaces | TuningHome::Game => {
            document.entry(&name).or_insert_with(|| Item::Table(Table::new())).as_table_like_mut()
        }
        TuningHome::Entity(entity) => {
            entity_of(document.get_mut("entity")?, entity)?.get_mut(&name)?.as_table_like_mut()
        }
        TuningHome::CommandLine | TuningHome::Mod(..) => None,
    }
}

/// The entity with this name. Without a name, the first one of a kind has that of the kind.
fn entity_of<'d>(entities: &'d mut Item, name: &str) -> Option<&'d mut dyn TableLike> {
    let mut tables: Vec<&mut dyn TableLike> = match entities {
        Item::ArrayOfTables(tables) => tables.iter_mut().map(|t| t as _).collect(),
        Item::Value(Value::Array(list)) => {
            list.iter_mut().filter_map(|value| Some(value.as_inline_table_mut()? as _)).collect()
        }
        _ => return None,
    };
    let is = |table: &&mut dyn TableLike, key| table.get(key).and_then(Item::as_str) == Some(name);
    let named = tables.iter().position(|table| is(table, "name"));
    let unnamed = |table: &&mut dyn TableLike| table.get("name").is_none() && is(table, "kind");
    let index = named.or_else(|| tables.iter().position(unnamed))?;
    Some(tables.swap_remove(index))
}

/// Sets a value and keeps the spaces and comments around the old one.
fn put(table: &mut dyn TableLike, name: &str, value: &Setting) {
    let old = table.get(name).and_then(Item::as_value);
    let decor = old.map_or_else(Decor::default, |old| old.decor().clone());
    let whole = old.is_some_and(Value::is_integer);
    let mut new: Value = match value {
        Setting::Number(x) if whole && x.trunc() == *x => (*x as i64).into(),
        Setting::Number(x) => (*x).into(),
        Setting::Flag(x) => (*x).into(),
        Setting::Word(x) => x.as_str().into(),
    };
    *new.decor_mut() = decor;
    match table.get_mut(name) {
        Some(item) => *item = Item::Value(new),
        None => {
            table.insert(name, Item::Value(new));
        }
    }
}

/// The value of a key, if it can be a tunable's.
fn setting_of(item: &Item) -> Option<Setting> {
    match item.as_value()? {
        Value::Float(x) => Some(Setting::Number(*x.value())),
        Value::Integer(x) => Some(Setting::Number(*x.value() as f64)),
        Value::Boolean(x) => Some(Setting::Flag(*x.value())),
        Value::String(x) => Some(Setting::Word(x.value().clone())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{GameFolder, OutputFile, SaveError, TuningChange, TuningEdit, TuningHome, complete, save_tuning};
    use hangtime_core::models::ModelName;
    use hangtime_core::tuning::Setting;
    use std::fs;
    use std::io::{self, Write};
    use tempfile::TempDir;

    const MODEL: &str = "# Numbers of the model.\n\njump_speed = 540.0         # px/s: rising\n\
        run_accel = 650            # px/s²\n";
    const KIND: &str = "script = \"hero.rhai\"   # rules\nbody = { ellipse = [10.0, 19.0] }\n";
    const LEVEL: &str = "solid = []\n\n# The heavy one.\n[[entity]]\nname = \"rock\" # a name\n\
        platformer = { jump_speed = 300.0, run_accel = 1.0 }\n";

    fn game() -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let files =
            [("config/models/platformer.toml", MODEL), ("config/entities/hero.toml", KIND), ("levels/a.toml", LEVEL)];
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn edit(home: TuningHome, was: f64, written: bool, value: f64) -> TuningEdit {
        let change = TuningChange {
            home,
            group: ModelName::platformer.into(),
            name: "jump_speed",
            value: Setting::Number(value),
        };
        TuningEdit { change, was: Setting::Number(was), written }
    }

    fn save(folder: &TempDir, edits: &[TuningEdit]) -> (Vec<String>, Vec<SaveError>) {
        save_tuning(&GameFolder::new(folder.path()), "levels/a.toml", edits)
    }

    fn read(folder: &TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).unwrap()
    }

    #[test]
    fn only_the_number_changes_in_a_file() {
        let folder = game();
        let (saved, wrong) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.5)]);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(saved, ["config/models/platformer.toml"]);
        let text = read(&folder, "config/models/platformer.toml");
        assert_eq!(text, MODEL.replace("540.0", "560.5"));
    }

    #[test]
    fn whole_numbers_stay_as_they_are_written() {
        let folder = game();
        let mut whole = edit(TuningHome::Model, 650.0, true, 700.0);
        whole.change.name = "run_accel";
        let speed = edit(TuningHome::Model, 540.0, true, 600.0);
        let (_, wrong) = save(&folder, &[whole, speed]);
        assert!(wrong.is_empty(), "{wrong:?}");
        let text = read(&folder, "config/models/platformer.toml");
        let expected = MODEL.replace("650 ", "700 ").replace("540.0", "600.0");
        assert_eq!(text, expected);
    }

    #[test]
    fn a_default_is_written_into_the_file_of_the_kind() {
        let folder = game();
        let home = TuningHome::Kind("hero".into());
        let (_, wrong) = save(&folder, &[edit(home, 540.0, false, 600.0)]);
        assert!(wrong.is_empty(), "{wrong:?}");
        let text = read(&folder, "config/entities/hero.toml");
        assert_eq!(text, format!("{KIND}\n[platformer]\njump_speed = 600.0\n"));
    }

    #[test]
    fn an_entity_of_a_level_keeps_its_own_value() {
        let folder = game();
        let home = TuningHome::Entity("rock".into());
        let (_, wrong) = save(&folder, &[edit(home, 300.0, true, 250.0)]);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert_eq!(read(&folder, "levels/a.toml"), LEVEL.replace("300.0", "250.0"));
        let missing = TuningHome::Entity("stone".into());
        let (_, wrong) = save(&folder, &[edit(missing, 300.0, true, 250.0)]);
        assert!(wrong[0].to_string().contains("no place"), "{wrong:?}");
    }

    #[test]
    fn an_edit_on_disk_is_never_overwritten() {
        let folder = game();
        let path = folder.path().join("config/models/platformer.toml");
        let edited = MODEL.replace("540.0", "555.0");
        fs::write(&path, &edited).unwrap();
        let (saved, wrong) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.0)]);
        assert!(saved.is_empty() && wrong[0].to_string().contains("555.0"), "{wrong:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), edited);
        // Edits of other lines are kept, and do not keep this one from being saved.
        fs::write(&path, MODEL.replace("650 ", "651 ")).unwrap();
        let (saved, _) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.0)]);
        assert_eq!(saved.len(), 1);
        let expected = MODEL.replace("650 ", "651 ").replace("540.0", "560.0");
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        // A removed key is an edit, too.
        fs::write(&path, "# empty\n").unwrap();
        let (_, wrong) = save(&folder, &[edit(TuningHome::Model, 560.0, true, 570.0)]);
        assert!(wrong[0].to_string().contains("nothing"), "{wrong:?}");
    }

    #[test]
    fn one_file_with_a_mistake_does_not_keep_others_from_being_saved() {
        let folder = game();
        let path = folder.path().join("config/entities/hero.toml");
        fs::write(&path, "script = \n").unwrap();
        let kind = edit(TuningHome::Kind("hero".into()), 540.0, false, 600.0);
        let model = edit(TuningHome::Model, 540.0, true, 560.0);
        let line = edit(TuningHome::CommandLine, 540.0, true, 560.0);
        let (saved, wrong) = save(&folder, &[kind, model, line]);
        assert_eq!(saved, ["config/models/platformer.toml"]);
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "script = \n");
    }

    #[test]
    fn a_read_only_file_is_reported_and_stays() {
        let folder = game();
        let path = folder.path().join("config/models/platformer.toml");
        let mut permissions = path.metadata().unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let (_, wrong) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.0)]);
        assert!(wrong[0].to_string().ends_with("is read-only"), "{wrong:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), MODEL);
    }

    /// A disk with room for some more bytes. Some disks find out only when the file is flushed.
    struct FullDisk {
        room: usize,
        late: bool,
    }

    impl Write for FullDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let written = bytes.len().min(self.room);
            self.room -= written;
            match written == 0 && !self.late {
                true => Err(io::ErrorKind::StorageFull.into()),
                false if self.late => Ok(bytes.len()),
                false => Ok(written),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }

    #[test]
    fn a_full_disk_is_reported_and_the_file_stays() {
        let folder = game();
        let name = "config/models/platformer.toml";
        let path = folder.path().join(name);
        for (room, late) in [(0, false), (1, false), (40, false), (0, true)] {
            let (output, file) = OutputFile::replace(&path).unwrap();
            drop(file);
            let disk = FullDisk { room, late };
            let text = MODEL.replace("540.0", "560.0");
            let wrong = complete(name, output, disk, &text).unwrap_err().to_string();
            assert!(wrong.starts_with(name), "{wrong}");
            let full = "cannot be written: no storage space";
            assert!(wrong.contains(full), "{wrong}");
            assert_eq!(fs::read_to_string(&path).unwrap(), MODEL);
            // Nothing is left behind.
            let files = fs::read_dir(path.parent().unwrap()).unwrap();
            assert_eq!(files.count(), 1);
        }
    }

    #[test]
    fn a_folder_that_takes_no_files_is_reported_and_the_file_stays() {
        let folder = game();
        let path = folder.path().join("config/models");
        let mut permissions = path.metadata().unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        if tempfile::tempfile_in(&path).is_ok() {
            // The administrator may write everywhere.
            return;
        }
        let (saved, wrong) = save(&folder, &[edit(TuningHome::Model, 540.0, true, 560.0)]);
        assert!(saved.is_empty());
        assert!(wrong[0].to_string().contains("cannot write"), "{wrong:?}");
        assert_eq!(read(&folder, "config/models/platformer.toml"), MODEL);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_may_not_lead_out_of_the_game() {
        use std::os::unix::fs::symlink;
        let (folder, other) = (game(), game());
        let path = folder.path().join("config/models/platformer.toml");
        let inside = folder.path().join("config/numbers.toml");
        fs::rename(&path, &inside).unwrap();
        symlink(&inside, &path).unwrap();
        let change = [edit(TuningHome::Model, 540.0, true, 560.0)];
        assert_eq!(save(&folder, &change).0.len(), 1);
        assert!(path.is_symlink());
        let text = MODEL.replace("540.0", "560.0");
        assert_eq!(fs::read_to_string(&inside).unwrap(), text);
        let outside = other.path().join("config/models/platformer.toml");
        fs::remove_file(&path).unwrap();
        symlink(&outside, &path).unwrap();
        let (_, wrong) = save(&folder, &change);
        assert!(wrong[0].to_string().contains("leads out"), "{wrong:?}");
        assert_eq!(fs::read_to_string(&outside).unwrap(), MODEL);
    }
}
