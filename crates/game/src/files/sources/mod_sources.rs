//! The mods among the files of a game.

use super::*;
use crate::files::{
    CONFIG, KINDS, MODS, Node, ORDER, SURFACES, Table, lay_over,
    maps::{MapSources, common::MapLevel, read_map},
    mods::{ModFolder, lay_level_over},
    parse,
};
use hangtime_script::Sources;

/// The folder of scripts in a game and in a mod.
const SCRIPTS: &str = "scripts";

impl SourceSet {
    /// Reads what all levels may depend on in the mods of a game.
    pub(crate) fn add_mods(&mut self, folder: &GameFolder, wrong: &mut Mistakes) {
        let (found, errors) = mod_folders(folder);
        self.folders.extend(folder.files().resolve(&folder.path().join(MODS)).ok());
        let mut unread: Vec<_> = errors.into_iter().map(|(name, error)| (name, error.diagnostics())).collect();
        for it in &found {
            if self.is_cut || BuildProgress::is_cancelled() {
                break;
            }
            if let Err(why) = self.add_mod(folder, it, wrong) {
                unread.push((it.name.clone(), why));
            }
        }
        let order = folder.path().join(ORDER);
        if folder.has_file(&order) && folder.check(&order, &[]).is_ok() {
            self.add(folder, &order, wrong);
        }
        self.mods = ModStack::of(&self.files);
        if let Some(file) = self.get(ORDER) {
            wrong.extend(self.mods.wrong_order(file));
        }
        for (folder, why) in unread {
            self.mods.leave_out(&folder, why);
        }
        for it in &found {
            let is_known = self.mods.layers.iter().any(|layer| layer.folder == it.name)
                || self.mods.left_out.iter().any(|other| other.folder == it.name);
            if !is_known && !self.is_cut {
                let message = "a mod cannot be inside of `config/`, `scripts/` or `levels/`";
                self.mods.leave_out(&it.name, vec![Diagnostic::about_file(&it.name, message)]);
            }
        }
    }

    /// Reads the files of a mod.
    ///
    /// # Errors
    /// Why it is none, or cannot be read as a whole. None of its files is added then.
    fn add_mod(&mut self, folder: &GameFolder, of: &ModFolder, wrong: &mut Mistakes) -> Result<(), Vec<Diagnostic>> {
        let manifest = of.path.join(MANIFEST);
        if let Err(error) = folder.check(&manifest, &[]) {
            return Err(error.diagnostics());
        }
        self.folders.extend(folder.files().resolve(&of.path).ok());
        let before = (self.files.clone(), self.bytes);
        let mut found = Mistakes::new();
        self.add(folder, &manifest, &mut found);
        if !self.files.contains_key(&format!("{}/{MANIFEST}", of.name)) {
            if folder.files().kind(&manifest).is_ok() {
                return Err(found.finish());
            }
            let message = format!("there is no {MANIFEST}, which says what a mod is called");
            return Err(vec![Diagnostic::about_file(&of.name, message)]);
        }
        self.add_shared(folder, &of.path, &mut found);
        if std::mem::take(&mut self.is_cut) {
            (self.files, self.bytes) = before;
            return Err(found.finish());
        }
        wrong.extend(found.finish());
        Ok(())
    }

    /// Adds the inputs in the folders of the mods' levels that lie over the level.
    pub(crate) fn add_mod_inputs(&mut self, folder: &GameFolder, wrong: &mut Mistakes) {
        let (own, local) = self.level_layer();
        let local = local.to_string();
        if is_map(&local) {
            // Maps do not lie over each other.
            return;
        }
        for layer in self.mods.layers.clone().iter().skip(own) {
            let path = folder.path().join(layer.full(&local));
            // A level may be added there while the game runs.
            let parent = path.parent().unwrap_or(Path::new(""));
            self.folders.extend(folder.files().resolve(parent).ok());
            if folder.files().kind(&path).is_err() {
                continue;
            }
            if let Err(error) = folder.check(&path, &[]) {
                wrong.extend(error.diagnostics());
                continue;
            }
            self.add(folder, &path, wrong);
            let walk = FileWalk::new(folder, &[], &["input"]).directly_in(parent);
            self.add_walk(walk, wrong);
        }
    }

    /// The number of layers that lie not over the level, and the level's path in its layer.
    fn level_layer(&self) -> (usize, &str) {
        let own = self.mods.layers.iter().position(|layer| layer.local(&self.level).is_some());
        (own.map_or(0, |own| own + 1), self.mods.local(&self.level))
    }

    /// A file as a table. None if it does not exist or has syntax errors.
    pub(crate) fn parsed(&self, name: &str, out: &mut Mistakes) -> Option<Table> {
        let file = self.get(name).filter(|_| !BuildProgress::is_cancelled())?;
        BuildProgress::at(name);
        parse(file).map_err(|wrong| out.push(wrong)).ok()
    }

    /// A file of `config/` as a table, with the mods' files laid over it. Files that do not exist, or have syntax
    /// errors, are empty.
    pub(crate) fn layered_table(&self, name: &str, out: &mut Mistakes) -> Table {
        let mut table = self.parsed(name, out).unwrap_or_else(|| Table::empty(name));
        for layer in &self.mods.layers {
            if let Some(above) = self.parsed(&layer.full(name), out) {
                lay_over(&mut table, above, name);
            }
        }
        table
    }

    /// Lays the levels of mods over the level.
    pub(crate) fn lay_levels_over(&self, table: &mut Table, out: &mut Mistakes) {
        let (own, local) = self.level_layer();
        for layer in self.mods.layers.iter().skip(own) {
            if let Some(above) = self.parsed(&layer.full(local), out) {
                lay_level_over(table, above, out);
            }
        }
    }

    /// The names of all kinds.
    pub(crate) fn kind_names(&self) -> BTreeSet<String> {
        let names = self.files.keys().filter(|name| !self.mods.is_left_out(name));
        let kinds = names
            .filter_map(|name| self.mods.local(name).strip_prefix(KINDS)?.strip_prefix('/')?.strip_suffix(".toml"));
        kinds.map(String::from).collect()
    }

    /// The names of all surfaces.
    pub(crate) fn surface_names(&self) -> BTreeSet<String> {
        let table = self.layered_table(SURFACES, &mut Mistakes::new());
        table.names().map(String::from).collect()
    }

    /// The lowest file of a kind.
    pub(crate) fn kind_file(&self, kind: &str) -> Option<&Arc<SourceFile>> {
        let name = format!("{KINDS}/{kind}.toml");
        self.get(&name)
            .or_else(|| self.mods.layers.iter().find_map(|layer| self.get(&layer.full(&name))))
    }

    /// All scripts, by their keys: the path below `scripts/`, and the whole name of one in a mod.
    pub(crate) fn scripts(&self) -> Sources {
        let names = self.files.iter().filter(|(name, _)| !self.mods.is_left_out(name));
        let scripts = names.filter_map(|(name, file)| {
            let key = match self.mods.layer_of(name) {
                None => below_scripts(name)?,
                Some(layer) => {
                    below_scripts(layer.local(name)?)?;
                    name
                }
            };
            Some((key.to_string(), file.clone()))
        });
        scripts.collect()
    }

    /// The key of the script that a value at this place names by its path below `scripts/`: a script of the mod that
    /// has the value in a file, or else of the game.
    ///
    /// # Errors
    /// The name of the file that does not exist.
    pub(crate) fn script_key(&self, path: &str, place: &Place) -> Result<String, String> {
        let name = format!("{SCRIPTS}/{path}");
        match self.mods.layer_of(&place.file.name).map(|layer| layer.full(&name)) {
            Some(of_mod) if self.get(&of_mod).is_some() => Ok(of_mod),
            Some(of_mod) if self.is_unreadable(&of_mod) => Err(of_mod),
            _ if self.get(&name).is_some() => Ok(path.into()),
            _ => Err(name),
        }
    }

    /// What a value at this place may call scripts: their paths below `scripts/`, of its mod and of the game.
    pub(crate) fn scripts_named_at(&self, place: &Place) -> BTreeSet<&str> {
        let layer = self.mods.layer_of(&place.file.name);
        let names = self.files.keys();
        let own = names.clone().filter_map(|name| below_scripts(name));
        let of_mod = names.filter_map(|name| below_scripts(layer?.local(name)?));
        own.chain(of_mod).collect()
    }

    /// The file of a script, by its key.
    pub(crate) fn script(&self, key: &str) -> Option<&Arc<SourceFile>> {
        let own = self.get(&format!("{SCRIPTS}/{key}"));
        own.or_else(|| self.get(key).filter(|_| self.mods.layer_of(key).is_some()))
    }

    /// The content hash of every file, by its path below the game folder; then why others cannot be read, and by folder
    /// what keeps mods from being loaded. Two readings that differ in any of it have different hashes.
    pub fn hashes(&self) -> BTreeMap<String, [u8; 32]> {
        let hash = |text: &str| *blake3::hash(text.as_bytes()).as_bytes();
        let files = self.files.iter().map(|(name, file)| (name.clone(), hash(&file.text)));
        let unreadable = self.unreadable.iter().map(|wrong| (wrong.headline(), [0; 32]));
        let left_out = self.mods.left_out.iter().map(|it| {
            let why: Vec<String> = it.why.iter().map(Diagnostic::headline).collect();
            (it.folder.clone(), hash(&why.join("\n")))
        });
        let files = files.chain(self.pictures.hashes()).chain(self.sounds.hashes());
        files.chain(unreadable).chain(left_out).collect()
    }

    /// The same files, with only these mods loaded.
    pub(crate) fn with_mods(&self, mods: ModStack) -> Self {
        Self { mods, ..self.clone() }
    }
}

impl ModStack {
    /// The mods of a game as their `mod.toml` files describe them. No other file is read, so a mod that cannot be read
    /// as a whole is among the layers, too.
    pub(crate) fn read(folder: &GameFolder) -> Self {
        let (found, _) = mod_folders(folder);
        let manifests = found.iter().map(|it| (format!("{}/{MANIFEST}", it.name), it.path.join(MANIFEST)));
        let shared = [ORDER, CONFIG].map(|name| (name.to_string(), folder.path().join(name)));
        let read = manifests.chain(shared).filter_map(|(name, path)| {
            folder.check(&path, &[]).ok()?;
            let file = read_named(folder, &path, &name).ok()?;
            Some((name, file))
        });
        Self::of(&read.collect())
    }

    /// The folder of the game, then the folders of its layers, the lowest one first. Each may have `config/`,
    /// `scripts/` and `levels/`.
    pub(crate) fn roots(&self, folder: &GameFolder) -> Vec<PathBuf> {
        let layers = self.layers.iter().map(|layer| folder.path().join(&layer.folder));
        [folder.path().to_path_buf()].into_iter().chain(layers).collect()
    }
}

/// The path of a file below `scripts/`.
fn below_scripts(name: &str) -> Option<&str> {
    name.strip_prefix(SCRIPTS)?.strip_prefix('/')
}

impl SourceSet {
    /// The table of the level. A map gives the table that its TOML would be, and the layers of tiles that it shows.
    /// None if the level cannot be read.
    pub(crate) fn level_table(&self, out: &mut Mistakes) -> Option<MapLevel> {
        if !is_map(&self.level) {
            let file = self.level_source()?;
            let mut table = parse(file).map_err(|wrong| out.push(wrong)).ok()?;
            if self.level_layer().0 > 0
                && let Some(node) = table.take("exists").filter(Node::is_true)
            {
                out.error(&node.place, "this level is not in the game any more: no layer below has one of this path");
            }
            self.lay_levels_over(&mut table, out);
            return Some((table, Vec::new(), Vec::new()));
        }
        let (kinds, surfaces) = (&self.kind_names(), &self.surface_names());
        let sources = MapSources { files: &self.files, kinds, surfaces, unreadable: &self.unreadable };
        read_map(sources, &self.level, out)
    }
}
