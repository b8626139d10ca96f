//! A revision: everything that one level needs, read, checked and compiled.

use super::cast::Cast;
use super::config::Config;
use super::input::InputScript;
use super::level::{LevelFile, read_level};
use super::provenance::Provenance;
use super::settings::Trees;
use super::source::SourceSet;
use super::surfaces::surfaces_of;
use super::tree::{Data, Table, parse};
use crate::models::ModelName;
use crate::script::host::{Diagnostic, Limits, Settings};
use crate::script::rhai::Scripts;
use crate::sim::Stage;
use crate::tuning::{Setting, Tunables};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A level with its tuning and scripts, under a number. Immutable: a reload makes another.
#[derive(Debug)]
pub struct Revision {
    /// From 1, one more with each reload.
    pub number: u64,
    /// What ticks read.
    pub stage: Stage,
    /// What the stage's [`ScriptId`](crate::sim::ScriptId)s mean.
    pub scripts: Arc<Scripts>,
    /// `config/hangtime.toml`.
    pub config: Config,
    /// Where the keys of each of the stage's profiles were set.
    pub provenance: Vec<Provenance>,
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

    /// The hooks that each behavior has, by the path of its script.
    #[must_use]
    pub fn hooks(&self) -> BTreeMap<String, Vec<String>> {
        let scripts = self.scripts.all().iter();
        scripts
            .map(|s| {
                (
                    s.name().to_string(),
                    s.hook_names().map(String::from).collect(),
                )
            })
            .collect()
    }
}

/// By file and place, errors before warnings, each once.
pub(super) fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let start = |d: &Diagnostic| d.place.as_ref().map_or(0, |p| p.span.start);
    diagnostics.sort_by(|a, b| {
        (a.severity, a.file_name(), start(a)).cmp(&(b.severity, b.file_name(), start(b)))
    });
    // A module's mistake is told once, whoever imports it.
    diagnostics.dedup_by(|a, b| {
        (a.severity, &a.message, &a.place, &a.file) == (b.severity, &b.message, &b.place, &b.file)
    });
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
        let file = read_level(&self.sources.level, &trees.level, self.out);
        let cast = Cast::read(self.sources, &trees, &file, self.out);
        let surfaces = surfaces_of(&file, &trees.surfaces, self.out);
        let demo = self.demo(&file);
        let limits = Limits::of(&config.scripts);
        let scripts = self.compile(&cast.scripts, limits);
        let of_entities = |id| cast.profiles.iter().any(|p| p.script == Some(id));
        if let Some(id) = cast.script.filter(|id| !of_entities(*id)) {
            self.out.append(&mut scripts.get(id).wrong_for_a_level());
        }
        let mut stage = Stage::new(
            file.level,
            &config.simulation,
            file.gravity,
            surfaces,
            cast.profiles,
            cast.starts,
        );
        stage.script = cast.script;
        stage.vars = file.vars;
        stage.kinds = Arc::new(cast.kinds);
        Some(Revision {
            number,
            stage,
            scripts: Arc::new(scripts),
            config,
            provenance: cast.provenance,
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
        // Kinds that nobody uses may be half written.
        let used = used_kinds(&level);
        let created = created_kinds(self.sources, &names);
        let kinds = names
            .into_iter()
            .map(|name| {
                let path = format!("config/entities/{name}.toml");
                let table = if used.contains(&name) || created.contains(&name) {
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
            created,
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

    fn compile(&mut self, scripts: &[String], limits: Limits) -> Scripts {
        let below = self.sources.below("scripts", "");
        let sources = below
            .map(|(name, file)| (name.to_string(), file.clone()))
            .collect();
        Scripts::compile(Arc::new(sources), scripts, limits, self.out)
    }
}

/// The kinds that scripts which create entities name in quotes: which of them they create shows only
/// when they run.
fn created_kinds(sources: &SourceSet, kinds: &[String]) -> BTreeSet<String> {
    let scripts = sources
        .below("scripts", ".rhai")
        .map(|(_, file)| &file.text);
    let creating: Vec<&String> = scripts.filter(|text| text.contains("create(")).collect();
    let named = |kind: &&String| {
        let quoted = [format!("\"{kind}\""), format!("`{kind}`")];
        creating
            .iter()
            .any(|text| quoted.iter().any(|q| text.contains(q)))
    };
    kinds.iter().filter(named).cloned().collect()
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
