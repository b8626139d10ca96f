//! The check of single files as an editor has them.

use super::{run::key_of, *};
use crate::files::{disk::endings::MAP_ENDINGS, sources::imports::imported_files};
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

    /// Errors and warnings about a file of the game as it is saved, whichever kind it is of.
    pub fn check_saved(&self, path: &Path) -> Vec<Diagnostic> {
        let mut out = Mistakes::new();
        if !is_definitions(self.folder.languages(), path) {
            self.check_file(path, &mut out);
        }
        out.finish()
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

    /// The variables that the files of the game set for a script, or for those that import it.
    pub fn vars_of(&self, script: &str) -> BTreeSet<String> {
        let key = key_of(script);
        let imports = |(_, file): &(&String, &Arc<SourceFile>)| {
            let imported = imported_files(file, self.folder.languages(), &self.shared.files);
            imported.iter().any(|name| key_of(name) == key)
        };
        let is_library = self.imported.iter().any(|path| path == key);
        let importers = self.scripts.iter().filter(|it| is_library && imports(it)).map(|(key, _)| key.as_str());
        let set = importers.chain([key]).filter_map(|key| self.known.vars_of.get(key));
        set.flatten().cloned().collect()
    }

    /// The paths by which a file can name or, without their endings, import scripts: those of the game and of its mod.
    pub fn scripts_for(&self, from: &str, imports: bool) -> Vec<String> {
        let layer = self.shared.mods.layer_of(from);
        let root = layer.map_or_else(String::new, |layer| format!("{}/scripts/", layer.folder));
        let local = self.scripts.keys().filter_map(|key| match key.strip_prefix(&root) {
            Some(local) if !local.contains("/scripts/") => Some(local),
            _ => (!key.contains("/scripts/")).then_some(key.as_str()),
        });
        let stem = |path| if imports { self.folder.languages().stem(path) } else { path };
        local.map(|path| stem(path).to_string()).collect()
    }

    /// The kind that a file belongs to.
    pub fn kind_in(&self, path: &Path) -> Option<String> {
        let name = self.name_of(path);
        let below = self.shared.mods.local(&name).strip_prefix("config/entities/")?;
        Some(below.strip_suffix(".toml")?.to_string())
    }

    /// The scripts, TOML files and maps of the game and of its mods, with the levels of projects of LDtk.
    pub fn files(&self) -> Vec<PathBuf> {
        let endings: Vec<&str> = self.folder.languages().endings().chain(["toml"]).chain(MAP_ENDINGS).collect();
        let roots = self.shared.mods.roots(self.folder).into_iter();
        let folders = roots.flat_map(|root| GAME_FOLDERS.map(|name| root.join(name)));
        let files = folders.flat_map(|folder| list_in(self.folder, &folder, &endings));
        files.filter(|path| !is_definitions(self.folder.languages(), path)).collect()
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
