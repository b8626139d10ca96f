//! A revision: everything that one level needs, read, checked and compiled.

use super::config::Config;
use super::input::InputScript;
use super::kind::Kind;
use super::level::{ENTITY_KEYS, LevelFile, read_level};
use super::reader::read_tunables;
use super::settings::Trees;
use super::source::SourceSet;
use super::tree::{Data, Table, parse};
use crate::models::ModelName;
use crate::script::host::names::{nearest, suggestion};
use crate::script::host::{Diagnostic, Limits, Place, Settings};
use crate::script::rhai::Scripts;
use crate::sim::{Profile, ScriptId, Stage, Start};
use crate::tuning::{Setting, SurfaceTuning, Tunables};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A level with its tuning and scripts, under a number. Immutable: a reload makes another.
#[derive(Debug)]
pub struct Revision {
    /// From 1, one more with each reload.
    pub number: u64,
    /// What ticks read.
    pub stage: Stage,
    /// What the stage's [`ScriptId`]s mean.
    pub scripts: Arc<Scripts>,
    /// `config/hangtime.toml`.
    pub config: Config,
    /// What plays when nobody does.
    pub demo: Option<InputScript>,
    /// What works, but hardly as meant.
    pub warnings: Vec<Diagnostic>,
    /// The content hashes of the files it was made from.
    pub hashes: BTreeMap<String, [u8; 32]>,
}

impl Revision {
    /// Makes a revision of these files, with settings laid over them. A running game cannot
    /// change its tick rate: with `running_hz` another one is kept back with a warning.
    ///
    /// # Errors
    /// Everything that is wrong, by file and line. Warnings come along.
    pub fn build(
        sources: &SourceSet,
        settings: &Settings,
        number: u64,
        running_hz: Option<u32>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut out = Vec::new();
        let built = Builder {
            sources,
            out: &mut out,
        }
        .build(settings, number, running_hz);
        sort(&mut out);
        match built {
            Some(mut revision) if !out.iter().any(Diagnostic::is_error) => {
                revision.warnings = out;
                Ok(revision)
            }
            _ => Err(out),
        }
    }

    /// The hooks that each behaviour has, by the path of its script.
    #[must_use]
    pub fn hooks(&self) -> BTreeMap<String, Vec<&'static str>> {
        let scripts = self.scripts.all().iter();
        scripts
            .map(|s| (s.name().to_string(), s.hook_names().collect()))
            .collect()
    }
}

/// By file and place, errors before warnings, each once.
pub(super) fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let start = |d: &Diagnostic| d.place.as_ref().map_or(0, |p| p.span.start);
    diagnostics.sort_by(|a, b| {
        (a.severity, a.file_name(), start(a)).cmp(&(b.severity, b.file_name(), start(b)))
    });
    diagnostics.dedup();
}

struct Builder<'a> {
    sources: &'a SourceSet,
    out: &'a mut Vec<Diagnostic>,
}

impl Builder<'_> {
    fn build(
        &mut self,
        settings: &Settings,
        number: u64,
        running_hz: Option<u32>,
    ) -> Option<Revision> {
        let trees = self.trees(settings)?;
        let mut config = Config::read(&trees.config, self.out);
        self.keep_rate(&mut config, &trees.config, running_hz);
        let base = self.base_kind(&trees);
        let file = read_level(&self.sources.level, &trees.level, self.out);
        let mut scripts = ScriptList::default();
        let (profiles, starts) = self.cast(&trees, &base, &file, &mut scripts);
        let surfaces = self.surfaces(&trees, &file);
        let demo = self.demo(&file);
        let limits = Limits::of(&config.scripts);
        let scripts = self.compile(&scripts, limits);
        let stage = Stage::new(
            file.level,
            &config.simulation,
            file.gravity,
            surfaces,
            profiles,
            starts,
        );
        Some(Revision {
            number,
            stage,
            scripts: Arc::new(scripts),
            config,
            demo,
            warnings: Vec::new(),
            hashes: self.sources.hashes(),
        })
    }

    /// Parses a file, or takes an empty one where there is none.
    fn tree(&mut self, name: &str) -> Table {
        let Some(file) = self.sources.get(name) else {
            return Table::empty(name);
        };
        parse(file).unwrap_or_else(|wrong| {
            self.out.push(wrong);
            Table::empty(name)
        })
    }

    fn trees(&mut self, settings: &Settings) -> Option<Trees> {
        self.out.extend(self.sources.unreadable.iter().cloned());
        let level_file = self.sources.get(&self.sources.level)?.clone();
        let level = match parse(&level_file) {
            Ok(level) => level,
            Err(wrong) => {
                self.out.push(wrong);
                return None;
            }
        };
        let models = ModelName::ALL
            .iter()
            .map(|m| (*m, self.tree(&format!("config/models/{}.toml", m.as_str()))))
            .collect();
        let names: Vec<String> = self
            .sources
            .below("config/entities", ".toml")
            .map(|(name, _)| name.trim_end_matches(".toml").to_string())
            .collect();
        // Kinds that the level does not use may be half written.
        let used = used_kinds(&level);
        let kinds = names
            .into_iter()
            .map(|name| {
                let path = format!("config/entities/{name}.toml");
                let table = if used.contains(&name) {
                    self.tree(&path)
                } else {
                    Table::empty(&path)
                };
                (name, table)
            })
            .collect();
        let config = self.tree("config/hangtime.toml");
        let surfaces = self.tree("config/surfaces.toml");
        let mut trees = Trees {
            config,
            surfaces,
            models,
            kinds,
            level,
        };
        for (key, value) in settings {
            if let Err(wrong) = trees.set(key, value) {
                self.out.push(wrong);
            }
        }
        Some(trees)
    }

    /// A running game keeps its tick rate.
    fn keep_rate(&mut self, config: &mut Config, table: &Table, running_hz: Option<u32>) {
        let Some(hz) = running_hz.filter(|hz| *hz != config.simulation.tick_hz) else {
            return;
        };
        let place = match table.get("simulation").map(|n| &n.value) {
            Some(Data::Table(simulation)) => simulation.get("tick_hz").map(|n| n.place.clone()),
            _ => None,
        };
        if let Some(place) = place {
            let why = format!("a new `tick_hz` takes a restart; the game runs on at {hz}");
            self.out.push(Diagnostic::warning(place, why));
        }
        // The running rate was in range when the game began.
        let _ = config
            .simulation
            .set("tick_hz", &Setting::Number(f64::from(hz)));
    }

    /// The kind on which all kinds build: the models' defaults.
    fn base_kind(&mut self, trees: &Trees) -> Kind {
        let mut base = Kind::default();
        for (model, table) in &trees.models {
            base.read_model(*model, table, self.out);
        }
        base
    }

    /// The profiles and starts of a level.
    fn cast(
        &mut self,
        trees: &Trees,
        base: &Kind,
        file: &LevelFile<'_>,
        scripts: &mut ScriptList,
    ) -> (Vec<Profile>, Vec<Start>) {
        let mut profiles = Vec::new();
        let mut starts = Vec::new();
        let mut known: BTreeMap<&str, (Kind, usize)> = BTreeMap::new();
        for entry in &file.entities {
            let kind_name = entry.kind.as_str();
            if !known.contains_key(kind_name) {
                let Some(table) = trees.kinds.get(kind_name) else {
                    let names: Vec<&str> = trees.kinds.keys().map(String::as_str).collect();
                    let hint = suggestion(kind_name, names);
                    let why = format!("there is no config/entities/{kind_name}.toml{hint}");
                    self.out
                        .push(Diagnostic::error(entry.kind_place.clone(), why));
                    continue;
                };
                let mut kind = base.clone();
                kind.read(table, &[], self.out);
                profiles.push(self.profile(kind_name, &kind, scripts));
                known.insert(kind_name, (kind, profiles.len() - 1));
            }
            let (kind, shared) = &known[kind_name];
            let own = entry
                .table
                .entries
                .iter()
                .any(|(k, _)| !ENTITY_KEYS.contains(&k.name.as_str()));
            let profile = if own {
                let mut kind = kind.clone();
                kind.read(entry.table, &ENTITY_KEYS, self.out);
                profiles.push(self.profile(kind_name, &kind, scripts));
                profiles.len() - 1
            } else {
                *shared
            };
            starts.push(Start {
                name: entry.name.clone(),
                profile,
                at: entry.at,
                velocity: entry.velocity,
                player: entry.player,
            });
        }
        (profiles, starts)
    }

    fn profile(&mut self, name: &str, kind: &Kind, scripts: &mut ScriptList) -> Profile {
        let script = kind.script.as_ref().and_then(|(path, place)| {
            if self.sources.get(&format!("scripts/{path}")).is_some() {
                return Some(scripts.id_of(path));
            }
            let names = self.sources.below("scripts", ".rhai").map(|(name, _)| name);
            self.out.push(missing_script(path, place.clone(), names));
            None
        });
        Profile {
            kind: name.into(),
            script,
            model: kind.model,
            outfits: kind.outfits(),
            vars: kind.vars.clone(),
        }
    }

    /// What each surface of the level does.
    fn surfaces(&mut self, trees: &Trees, file: &LevelFile<'_>) -> Vec<SurfaceTuning> {
        let known = read_surfaces(&trees.surfaces, self.out);
        let names = file.level.surfaces.iter().zip(&file.surface_places);
        names
            .map(|(name, place)| {
                if let (None, Some(place)) = (known.get(&**name), place) {
                    self.out
                        .push(unknown_surface(name, place, known.keys().copied()));
                }
                known.get(&**name).cloned().unwrap_or_default()
            })
            .collect()
    }

    fn demo(&mut self, file: &LevelFile<'_>) -> Option<InputScript> {
        let (name, place) = file.demo.as_ref()?;
        let beside = match self.sources.level.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.clone(),
        };
        let Some(source) = self.sources.get(&beside) else {
            let why = format!("there is no `{name}` beside the level");
            self.out.push(Diagnostic::error(place.clone(), why));
            return None;
        };
        match InputScript::parse(source) {
            Ok(input) => Some(input),
            Err(mut wrong) => {
                self.out.append(&mut wrong);
                None
            }
        }
    }

    fn compile(&mut self, scripts: &ScriptList, limits: Limits) -> Scripts {
        let below = self.sources.below("scripts", "");
        let sources = below
            .map(|(name, file)| (name.to_string(), file.clone()))
            .collect();
        Scripts::compile(Arc::new(sources), &scripts.paths, limits, self.out)
    }
}

/// Reads `config/surfaces.toml`: a table for each surface.
pub(super) fn read_surfaces<'a>(
    table: &'a Table,
    out: &mut Vec<Diagnostic>,
) -> BTreeMap<&'a str, SurfaceTuning> {
    let mut known = BTreeMap::new();
    for (key, node) in &table.entries {
        let mut surface = SurfaceTuning::default();
        match &node.value {
            Data::Table(table) => read_tunables(&mut surface, table, &[], out),
            _ => {
                let why = format!(
                    "a surface is a table, as in [{}], not {}",
                    key.name,
                    node.kind()
                );
                out.push(Diagnostic::error(node.place.clone(), why));
            }
        }
        known.insert(key.name.as_str(), surface);
    }
    known
}

/// A kind names a script that is not there.
pub(super) fn missing_script<'a>(
    path: &str,
    place: Place,
    names: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let hint = suggestion(path, names.collect::<Vec<_>>());
    Diagnostic::error(place, format!("there is no scripts/{path}{hint}"))
}

/// The kinds that a level names, before it is checked.
fn used_kinds(level: &Table) -> Vec<String> {
    let Some(Data::Array(entities)) = level.get("entity").map(|n| &n.value) else {
        return vec![];
    };
    let kind = |node: &super::tree::Node| match &node.value {
        Data::Table(table) => table.get("kind")?.text().map(String::from),
        _ => None,
    };
    entities.iter().filter_map(kind).collect()
}

/// A surface that no file describes: a slip if its name is nearly that of another, else one whose
/// values are all 1.
fn unknown_surface<'a>(
    name: &str,
    place: &Place,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    match nearest(name, known) {
        Some(right) => {
            let why = format!("there is no surface `{name}`; did you mean `{right}`?");
            Diagnostic::error(place.clone(), why)
        }
        None => {
            let why = format!(
                "`{name}` is not in config/surfaces.toml: its grip, friction and rebound are 1"
            );
            Diagnostic::warning(place.clone(), why)
        }
    }
}

/// The behaviours of a revision; a [`ScriptId`] is a place in the list.
#[derive(Default)]
struct ScriptList {
    paths: Vec<String>,
}

impl ScriptList {
    fn id_of(&mut self, path: &str) -> ScriptId {
        let at = self
            .paths
            .iter()
            .position(|p| p == path)
            .unwrap_or_else(|| {
                self.paths.push(path.to_string());
                self.paths.len() - 1
            });
        ScriptId(at as u32)
    }
}
