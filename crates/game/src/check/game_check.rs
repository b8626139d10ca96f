//! The check of single files as an editor has them.

use super::*;
use hangtime_script::{Language, import_keys};

impl GameCheck<'_> {
    /// Errors and warnings about a file with this text. None if only the text on disk can be checked, as for a level,
    /// or if the file does not belong to the game.
    pub fn check_text(&self, path: &Path, text: String) -> Option<Vec<Diagnostic>> {
        let name = self.name_of(path);
        let local = self.shared.mods.local(&name);
        let in_game = |folder: &&str| {
            let below = local.strip_prefix(*folder);
            below.is_some_and(|rest| rest.starts_with('/'))
        };
        let languages = self.folder.languages();
        let is_known = languages.of(&name).is_some() || [".toml", ".input"].iter().any(|it| name.ends_with(it));
        if !is_known || !GAME_FOLDERS.iter().any(in_game) || is_definitions(languages, path) {
            return None;
        }
        let file = Arc::new(SourceFile { name: name.clone(), text });
        if matches!(self.kind_of(&name, &file), FileKind::Level | FileKind::Manifest) {
            return None;
        }
        let mut out = Mistakes::new();
        self.check_file_text(path, &name, &file, &mut out);
        Some(out.finish())
    }

    /// What messages call a file.
    pub fn name_of(&self, path: &Path) -> String {
        self.folder.name_of(path)
    }

    /// Whether a file is in the folder of levels of the game or of a mod.
    pub fn is_in_levels(&self, path: &Path) -> bool {
        let name = self.name_of(path);
        self.shared.mods.local(&name).starts_with("levels/")
    }

    /// The language of a script; none for another file.
    pub fn language_of(&self, path: &Path) -> Option<&'static dyn Language> {
        self.folder.languages().of(&self.name_of(path))
    }

    /// The functions that a script declares.
    pub fn functions_of<'t>(&self, script: &'t SourceFile) -> Vec<TextFunction<'t>> {
        let language = self.folder.languages().of(&script.name);
        language.map_or_else(Vec::new, |language| language.functions(&script.text))
    }

    /// The script that a file with this name imports by a path, with or without its ending.
    pub fn imported(&self, from: &str, path: &str) -> Option<&Arc<SourceFile>> {
        let languages = self.folder.languages();
        let ending = languages.of(from)?.ending();
        let mut keys = import_keys(from, &format!("{}.{ending}", languages.stem(path)));
        keys.find_map(|key| self.scripts.get(&key))
    }

    /// The script that a TOML file with this name calls by a path.
    pub fn named_script(&self, from: &str, path: &str) -> Option<&Arc<SourceFile>> {
        let layer = self.shared.mods.layer_of(from);
        let of_mod = layer.map(|layer| format!("{}/scripts/{path}", layer.folder));
        let found = of_mod.and_then(|key| self.scripts.get(&key));
        found.or_else(|| self.scripts.get(path))
    }

    /// The lowest file of a kind.
    pub fn kind_file(&self, kind: &str) -> Option<&Arc<SourceFile>> {
        self.shared.kind_file(kind)
    }

    /// The text of a file on disk; none if it cannot be read.
    pub fn saved(&self, path: &Path) -> Option<String> {
        let file = read_text(self.folder, path).ok()?;
        Some(file.text.clone())
    }

    /// The game folder.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// The names in the game's files.
    pub fn known(&self) -> &GameNames {
        &self.known
    }

    /// The scripts, by their paths below `scripts/`.
    pub fn scripts(&self) -> &Sources {
        &self.scripts
    }
}
