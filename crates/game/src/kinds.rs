//! The kinds of a game, and a level in which one of them is alone.

use super::{Error, Project, Revision, within_deadline};
use crate::files::{
    FeelExpectation, GameFolder, KINDS, SourceSet,
    content::kind::{KindSettings, default_model},
    parse, read_text,
};
use hangtime_core::{level::View, models::ModelName};
use hangtime_script::{Mistakes, Settings, suggestion, text::cut_name};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// The pseudo file of the level in which a kind is alone.
const LEVEL: &str = "(feel)";

/// The largest number of levels that are searched for a kind.
const MOST_SEARCHED: usize = 1000;

/// A kind as its file describes it.
#[derive(Clone, Debug)]
pub struct KindFile {
    /// Its name.
    pub name: String,
    /// Its file, by the path below the game folder.
    pub file: String,
    /// Its script, by the path below the game folder.
    pub script: Option<String>,
    /// The view that it is made for: the only one of its model, else the view of the first level with an
    /// entity of this kind, else the only one in which its model jumps, else a side view.
    pub view: View,
    /// The models that the file is about: its own, then those that have a table or contracts.
    pub models: Vec<ModelName>,
    /// The models among them in which its body is rigid and turns: no feel is measured of such bodies.
    pub rigid: Vec<ModelName>,
    /// Its contracts, in the order of a sheet.
    pub expectations: Vec<FeelExpectation>,
}

impl KindFile {
    /// Its own model, which moves it when no script decides.
    pub fn model(&self) -> ModelName {
        self.models[0]
    }
}

/// The files that a kind needs to be played alone, read at one moment.
#[derive(Clone, Debug)]
pub struct KindBench {
    sources: Arc<SourceSet>,
}

impl KindBench {
    /// Builds the level in which the kind is alone. Settings override the files.
    ///
    /// # Errors
    /// The same as [`Project::open`].
    pub fn open(&self, settings: &[(String, String)]) -> Result<Revision, Error> {
        let sources = self.sources.clone();
        let settings: Settings = settings.to_vec();
        within_deadline(move || Revision::build(&sources, &settings, 1, None))?
    }
}

impl Project {
    /// The names of all kinds, sorted.
    pub fn kinds(&self) -> Vec<String> {
        let sources = SourceSet::read_shared(self.folder());
        sources.kind_names().into_iter().collect()
    }

    /// Reads the file of a kind.
    ///
    /// # Errors
    /// [`Error::NoSuchKind`] with the closest name as a hint, [`Error::Invalid`] with the mistakes in
    /// the file, or why it cannot be read.
    pub fn kind(&self, name: &str) -> Result<KindFile, Error> {
        let sources = SourceSet::read_shared(self.folder());
        let kinds = sources.kind_names();
        if !kinds.contains(name) {
            let file = format!("{KINDS}/{name}.toml");
            let unreadable = sources.unreadable.iter();
            let why: Vec<_> = unreadable.filter(|w| w.file_name() == file).cloned().collect();
            if !why.is_empty() {
                return Err(why.into());
            }
            let hint = suggestion(name, kinds.iter().map(String::as_str));
            return Err(Error::NoSuchKind { name: cut_name(name).into_owned(), hint });
        }
        self.kind_in(name, &sources)
    }

    /// Reads a kind from the files of a game.
    pub(crate) fn kind_in(&self, name: &str, sources: &SourceSet) -> Result<KindFile, Error> {
        let mut out = Mistakes::new();
        let table = sources.layered_kind(name, &mut out);
        let mut settings = KindSettings::default();
        settings.read_kind(&table, &mut out);
        if out.has_errors() {
            return Err(out.finish().into());
        }
        let own = settings.own_model();
        let view = self.view_of(name, own);
        let own = own.filter(|model| model.views().contains(&view)).unwrap_or(default_model(view));
        let is_named = |model: &ModelName| {
            table.get(model.as_str()).is_some() || settings.expectations.iter().any(|e| e.model == Some(*model))
        };
        let others = ModelName::ALL
            .iter()
            .copied()
            .filter(|m| *m != own && m.views().contains(&view) && is_named(m));
        let models: Vec<ModelName> = [own].into_iter().chain(others).collect();
        let loadouts = settings.loadouts();
        let is_rigid = |model: &&ModelName| loadouts.pieces(**model).is_some();
        Ok(KindFile {
            name: name.into(),
            file: sources.kind_file(name).map_or_else(String::new, |file| file.name.clone()),
            script: settings.script.map(|(path, place)| {
                let key = sources.script_key(&path, &place);
                let file = key.as_ref().ok().and_then(|key| sources.script(key));
                file.map_or_else(|| format!("scripts/{path}"), |file| file.name.clone())
            }),
            view,
            rigid: models.iter().filter(is_rigid).copied().collect(),
            models,
            expectations: settings.expectations,
        })
    }

    /// The files of all kinds that have contracts, each with what its file says or why it cannot be
    /// read.
    pub fn kinds_with_contracts(&self) -> Vec<(String, Result<KindFile, Error>)> {
        let sources = SourceSet::read_shared(self.folder());
        let may_expect = |kind: &String| {
            let name = format!("{KINDS}/{kind}.toml");
            let mut files = sources.files.iter().filter(|(file, _)| sources.mods.local(file) == name);
            files.any(|(_, file)| file.text.contains("expect"))
        };
        let named = |name: &String| Some((sources.kind_file(name)?.name.clone(), self.kind_in(name, &sources)));
        let kinds = sources.kind_names();
        let found = kinds.iter().filter(|kind| may_expect(kind)).filter_map(named);
        let expects = |kind: &KindFile| !kind.expectations.is_empty();
        let found = found.filter(|(_, kind)| kind.as_ref().map_or(true, expects));
        // Those that cannot be read may have contracts.
        let unread = sources.unreadable.iter().filter_map(|wrong| {
            let file = wrong.file_name();
            let is_kind = sources.mods.local(file).starts_with(KINDS);
            is_kind.then(|| (file.to_string(), Err(wrong.clone().into())))
        });
        let mut all: Vec<_> = found.chain(unread).collect();
        all.sort_by(|(a, _), (b, _)| a.cmp(b));
        all
    }

    /// The names of the surfaces in `config/surfaces.toml`, sorted.
    pub fn surfaces(&self) -> Vec<String> {
        let sources = SourceSet::read_shared(self.folder());
        sources.surface_names().into_iter().collect()
    }

    /// Reads what a kind needs to be played alone under one of its models, on ground of a surface; plain ground without one.
    pub fn kind_bench(&self, kind: &KindFile, model: ModelName, surface: Option<&str>) -> KindBench {
        let name = toml::Value::String(kind.name.clone());
        let surface = surface.map(|surface| format!("surface = {}\n", toml::Value::String(surface.into())));
        let surface = surface.unwrap_or_default();
        // Measurements replace the floor.
        let text = format!(
            "view = \"{}\"\n\
             [[solid]]\n{surface}points = [[-100, -200], [100, -200], [100, -100], [-100, -100]]\n\
             [[entity]]\nkind = {name}\nmodel = \"{model}\"\nat = [0, 0]\nplayer = 1\n",
            kind.view.name()
        );
        let sources = SourceSet::read_with_level(self.folder(), LEVEL, text);
        KindBench { sources: Arc::new(sources) }
    }

    /// The view that a kind is made for.
    fn view_of(&self, kind: &str, own: Option<ModelName>) -> View {
        if let Some([only]) = own.map(ModelName::views) {
            return *only;
        }
        let is_toml = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "toml");
        let mut levels = self.all_levels().into_iter().filter(is_toml).take(MOST_SEARCHED);
        let found = levels.find_map(|path| view_in(self.folder(), &path, kind));
        let jumps = own.map_or(&[] as &[View], ModelName::jump_views);
        found.unwrap_or(match jumps {
            [View::Top] => View::Top,
            _ => View::Side,
        })
    }
}

/// The view of a level that has an entity of a kind; `None` if it has none.
fn view_in(folder: &GameFolder, path: &Path, kind: &str) -> Option<View> {
    let file = read_text(folder, path).ok()?;
    if !file.text.contains(kind) {
        return None;
    }
    let level = parse(&file).ok()?;
    let has_kind = level.tables("entity").any(|entity| entity.text("kind") == Some(kind));
    has_kind.then(|| if level.text("view") == Some("top") { View::Top } else { View::Side })
}
