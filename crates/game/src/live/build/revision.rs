//! A revision: everything that one level needs, read, checked and compiled.

use super::{
    artwork::media_of,
    crossed_limits::check_limits,
    density::{check_count, check_density},
    level_kinds::{created_kinds, used_kinds},
    placement::check_places,
    *,
};
use crate::files::{
    InputScript, LeftOutMod,
    content::{level::read_level, surfaces::surfaces_of},
    disk::endings::{CONFIG, SURFACES},
    tables::tree::{Data, parse},
};
use hangtime_core::{
    level::{Level, LevelCamera},
    models::OwnActions,
    sim::{ScriptId, Value},
    tuning::{ScriptTuning, Tunable},
};
use hangtime_script::{Execution, Limits};

/// A level with its tuning and compiled scripts. Immutable: every reload builds a new one.
#[derive(Clone, Debug)]
pub struct Revision {
    /// Counts from 1; each reload adds 1.
    pub number: u64,
    /// The level and tuning, as a tick needs them.
    pub stage: Stage,
    /// The compiled scripts. The stage refers to them by [`ScriptId`](hangtime_core::sim::ScriptId).
    pub scripts: Arc<Scripts>,
    /// The settings from `config/hangtime.toml`.
    pub config: Config,
    /// For each of the stage's profiles, the places that set its keys.
    pub provenance: Vec<Provenance>,
    /// The places that set the numbers of the simulation and of surfaces, and the level's own gravity. Keys
    /// are spelled as in a setting: `simulation.gravity`, `surfaces.ice.grip`, `level.gravity`.
    pub places: Provenance,
    /// The level's demo input, if it names one.
    pub demo: Option<InputScript>,
    /// Mistakes that do not keep the level from running.
    pub warnings: Vec<Diagnostic>,
    /// The content hash of every file it was built from, by path below the game folder, and what else was read, as
    /// [`SourceSet::hashes`] has it.
    pub hashes: BTreeMap<String, [u8; 32]>,
    /// The settings that override the files, such as settings from the command line.
    pub settings: Vec<(String, String)>,
    /// The numbers that override the files because the tuning panel has changed them.
    pub changes: Vec<TuningChange>,
    /// The text of every file it was built from, by path below the game folder. Files of mods that are left out are not
    /// among them: without the files that could not be read, such a mod may look whole.
    pub files: BTreeMap<String, Arc<SourceFile>>,
    /// Pictures, and where they are shown.
    pub art: Arc<Artwork>,
    /// What can be heard.
    pub sounds: Arc<SoundBank>,
    /// The mods that it was built with, and those that are left out.
    pub mods: ModStack,
}

impl Revision {
    /// Builds a revision from these files, with settings that override them. A running game cannot
    /// change its tick rate: if `running_hz` is given, it wins over a different rate in the files,
    /// with a warning.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every mistake and warning, sorted by file and place; of more than a hundred
    /// mistakes or warnings the first ones, and a message that counts the others.
    pub fn build(
        sources: &SourceSet,
        settings: &[(String, String)],
        number: u64,
        running_hz: Option<u32>,
    ) -> Result<Self, Error> {
        Self::build_from(sources, settings, number, running_hz, SettingsFrom::Player)
    }

    /// The revision after this one, from the files as they are now. None if they have not changed. Scripts are compiled again
    /// only if one of them has changed, or if they have warnings.
    ///
    /// # Errors
    /// As for [`build`](Self::build).
    pub fn next(&self, sources: &SourceSet, number: u64) -> Option<Result<Self, Error>> {
        let hashes = sources.hashes();
        let build = |builder: RevisionBuilder<'_>| {
            let can_stay = self.warnings.is_empty() && self.scripts.is_plain();
            let stay = can_stay && self.scripts.are_from(&builder.sources.scripts());
            let builder = RevisionBuilder { compiled: stay.then_some(&self.scripts), ..builder };
            builder.build(&self.settings, number, Some(self.stage.hz))
        };
        (hashes != self.hashes).then(|| Self::build_with(sources, hashes, &self.settings, build))
    }

    /// The same, but settings that raise a limit of scripts are errors unless they are the player's.
    pub(crate) fn build_from(
        sources: &SourceSet,
        settings: &[(String, String)],
        number: u64,
        running_hz: Option<u32>,
        from: SettingsFrom,
    ) -> Result<Self, Error> {
        let build =
            |builder: RevisionBuilder<'_>| RevisionBuilder { from, ..builder }.build(settings, number, running_hz);
        Self::build_with(sources, sources.hashes(), settings, build)
    }

    /// Builds without broken mods. The hashes are those of the files as they were read, whichever mods break.
    fn build_with(
        sources: &SourceSet,
        hashes: BTreeMap<String, [u8; 32]>,
        settings: &[(String, String)],
        build: impl Fn(RevisionBuilder<'_>) -> Option<Self>,
    ) -> Result<Self, Error> {
        let build = |sources: &SourceSet| {
            let mut out = Mistakes::new();
            let built = build(RevisionBuilder::new(sources, &mut out));
            Self::finish(built, (sources, hashes.clone()), settings, out)
        };
        without_broken_mods(sources, build).1
    }

    /// Adds to a revision what it was built from, or returns the mistakes.
    pub(crate) fn finish(
        built: Option<Self>,
        (sources, hashes): (&SourceSet, BTreeMap<String, [u8; 32]>),
        settings: &[(String, String)],
        out: Mistakes,
    ) -> Result<Self, Error> {
        let failed = out.has_errors();
        let said = name_objects(out.finish());
        match built {
            Some(revision) if !failed => Ok(Self {
                warnings: said,
                hashes,
                settings: settings.to_vec(),
                files: loaded_files(sources),
                mods: sources.mods.clone(),
                ..revision
            }),
            _ => Err(said.into()),
        }
    }

    /// About how much memory it takes, bytes.
    pub fn memory(&self) -> u64 {
        let edges = self.stage.level.terrain.edges().len() as u64;
        let sources = self.scripts.source_bytes() as u64;
        LEVEL_MEMORY + PER_SOURCE_BYTE * sources + EDGE_MEMORY * edges
    }

    /// Whether it was built from the same scripts as another revision.
    pub(crate) fn has_scripts_of(&self, other: &Self) -> bool {
        let scripts = |of: &'_ Self| -> Vec<(String, [u8; 32])> {
            let of_scripts = of.hashes.iter();
            let of_scripts = of_scripts
                .filter(|(name, _)| of.mods.local(name).starts_with("scripts/") && !of.mods.is_left_out(name));
            of_scripts.map(|(name, hash)| (name.clone(), *hash)).collect()
        };
        scripts(self) == scripts(other)
    }

    /// The hooks that each script defines, by the script's path.
    pub fn hooks(&self) -> BTreeMap<String, Vec<String>> {
        let scripts = self.scripts.all().iter();
        scripts
            .map(|s| (s.name().to_string(), s.hook_names().map(String::from).collect()))
            .collect()
    }
}

/// The files, without mods that are left out.
fn loaded_files(sources: &SourceSet) -> BTreeMap<String, Arc<SourceFile>> {
    let mut files = sources.files.clone();
    files.retain(|name, _| !sources.mods.is_left_out(name));
    files
}

/// About how much memory a revision takes in addition to its files, bytes: the engine and its functions.
const LEVEL_MEMORY: u64 = 1 << 20;

/// About how many bytes of memory a byte of a level's files takes.
const PER_SOURCE_BYTE: u64 = 32;

/// About how much memory an edge of the terrain takes, bytes.
const EDGE_MEMORY: u64 = 512;

/// Builds a revision and collects its mistakes.
pub(crate) struct RevisionBuilder<'a> {
    sources: &'a SourceSet,
    from: SettingsFrom,
    /// Scripts that need not be compiled again.
    pub(crate) compiled: Option<&'a Arc<Scripts>>,
    out: &'a mut Mistakes,
}

impl<'a> RevisionBuilder<'a> {
    pub(crate) fn new(sources: &'a SourceSet, out: &'a mut Mistakes) -> Self {
        Self { sources, from: SettingsFrom::Player, compiled: None, out }
    }

    fn build(mut self, settings: &[(String, String)], number: u64, running_hz: Option<u32>) -> Option<Revision> {
        let trees = self.trees()?;
        Some(self.build_from_trees(trees, settings, number, running_hz))
    }

    /// Builds a revision from parsed files.
    pub(crate) fn build_from_trees(
        &mut self,
        mut trees: FileTrees,
        settings: &[(String, String)],
        number: u64,
        running_hz: Option<u32>,
    ) -> Revision {
        self.refuse_limits_of_mods(&trees);
        let who = self.from.who();
        let without_settings = who.map(|who| (who, trees.config.clone()));
        trees.set_all(settings, self.out);
        let mut config = Config::read(&trees.config, self.out);
        if let Some((who, files)) = without_settings {
            let granted = Config::read(&files, &mut Mistakes::new()).scripts;
            refuse_raised_limits(&config.scripts, &granted, &trees.config, who, self.out);
        }
        self.keep_rate(&mut config, &trees.config, running_hz);
        BuildProgress::at(&self.sources.level);
        let file = read_level(&self.sources.level, &trees.level, self.out);
        let roster = Roster::read(self.sources, &trees, &file, config.keys.own_actions(), self.out);
        self.check_vars(&roster, &file.vars, config.scripts.kept_values);
        check_count(&file, config.simulation.max_entities, self.out);
        check_density(&file, &roster, self.out);
        check_limits(&roster, self.out);
        file.camera.check(&roster.starts, trees.kinds.keys().map(String::as_str), self.out);
        let gravity = file.gravity.unwrap_or(config.simulation.gravity);
        check_places(&file, &roster, gravity, self.out);
        let surfaces = surfaces_of(&file, &trees.surfaces, self.out);
        let demo = self.demo(&file, config.keys.own_actions());
        let limits = Limits::of(&config.scripts);
        let execution = self.sources.execution.under(config.scripts.compile);
        let (art, sounds) = media_of(self.sources, &roster, (&file, &config), &trees.drawn, self.out);
        let scripts = self.compile(&roster.scripts, limits, execution);
        let of_entities = |id| roster.profiles.iter().any(|p| p.script == Some(id));
        for (id, script) in (0..).map(ScriptId).zip(scripts.all()) {
            let in_level = roster.script == Some(id);
            if !in_level || !of_entities(id) {
                self.out.extend(script.misplaced(in_level));
            }
        }
        let camera = LevelCamera { own: file.camera.settings, kinds: roster.cameras };
        let level = Level { camera, tiles: trees.tiles.clone(), ..file.level };
        let mut stage = Stage::new(level, &config.simulation, file.gravity, surfaces, roster.profiles, roster.starts);
        stage.script = roster.script;
        stage.vars = file.vars;
        stage.actions = config.keys.own_actions().clone();
        stage.kinds = Arc::new(roster.kinds);
        Revision {
            number,
            stage,
            scripts,
            config,
            provenance: roster.provenance,
            places: trees.places(),
            demo,
            warnings: Vec::new(),
            hashes: BTreeMap::new(),
            settings: Vec::new(),
            changes: Vec::new(),
            files: BTreeMap::new(),
            art,
            sounds,
            mods: ModStack::default(),
        }
    }

    /// Parses a file and the mods' files that lie over it.
    fn tree(&mut self, name: &str) -> Table {
        self.sources.layered_table(name, self.out)
    }

    /// Reports limits of scripts that mods raise: only the game itself grants them.
    fn refuse_limits_of_mods(&mut self, trees: &FileTrees) {
        if self.sources.mods.layers.is_empty() {
            return;
        }
        let own = self.sources.get(CONFIG).and_then(|file| parse(file).ok());
        let own = own.unwrap_or_else(|| Table::empty(CONFIG));
        let granted = Config::read(&own, &mut Mistakes::new()).scripts;
        let limits = Config::read(&trees.config, &mut Mistakes::new()).scripts;
        refuse_raised_limits(&limits, &granted, &trees.config, IN_MOD, self.out);
    }

    /// Parses the files. None if the level itself cannot be used.
    pub(crate) fn trees(&mut self) -> Option<FileTrees> {
        let mods = &self.sources.mods;
        let known = self.sources.unreadable.iter().chain(&self.sources.notes);
        let known = known.filter(|wrong| !mods.is_left_out(wrong.file_name()));
        self.out.extend(known.cloned());
        let left_out = mods.left_out.iter().flat_map(LeftOutMod::warnings);
        self.out.extend(left_out);
        if self.sources.is_cut() {
            // Files that are not read would be reported as missing.
            return None;
        }
        let left_out = mods.left_out.iter().find(|it| it.has(&self.sources.level));
        if let Some(left_out) = left_out {
            self.out.extend(left_out.why.clone());
            return None;
        }
        let level_file = self.sources.level_source()?.clone();
        BuildProgress::at(&level_file.name);
        if level_file.text.trim().is_empty() {
            let message = "this file is empty; a level lists its solids and entities";
            self.out.push(Diagnostic::about_file(&level_file.name, message));
            return None;
        }
        let (level, drawn, tiles) = self.sources.level_table(self.out)?;
        let models = ModelName::ALL
            .iter()
            .map(|m| (*m, self.tree(&format!("config/models/{}.toml", m.as_str()))))
            .collect();
        let names: Vec<String> = self.sources.kind_names().into_iter().collect();
        // Kinds that the level does not use may have mistakes.
        let used = used_kinds(&level);
        let created = created_kinds(self.sources, &names);
        let kinds = names
            .into_iter()
            .map(|name| {
                let table = if used.contains(&name) || created.contains(&name) {
                    self.sources.layered_kind(&name, self.out)
                } else {
                    Table::empty(&format!("config/entities/{name}.toml"))
                };
                (name, table)
            })
            .collect();
        let config = self.tree(CONFIG);
        let surfaces = self.tree(SURFACES);
        Some(FileTrees { config, surfaces, models, kinds, created, level, drawn: drawn.into(), tiles: tiles.into() })
    }

    /// Replaces the tick rate by the running game's.
    fn keep_rate(&mut self, config: &mut Config, table: &Table, running_hz: Option<u32>) {
        let Some(hz) = running_hz.filter(|hz| *hz != config.simulation.tick_hz) else {
            return;
        };
        let place = match table.get("simulation").map(|n| &n.value) {
            Some(Data::Table(simulation)) => simulation.get("tick_hz").map(|n| n.place.clone()),
            _ => None,
        };
        if let Some(place) = place {
            let message = format!(
                "a new `tick_hz` takes effect when you start hangtime again; the game keeps running \
                 at {hz} Hz"
            );
            self.out.warn(&place, message);
        }
        // The running rate was in range when the game started.
        let _ = config.simulation.set("tick_hz", &Setting::Number(f64::from(hz)));
    }

    /// Reports variables that exceed the limit of scripts from the start.
    fn check_vars(&mut self, roster: &Roster<'_>, of_level: &BTreeMap<String, Value>, most: u32) {
        let scripted = roster.profiles.iter().filter(|p| p.script.is_some());
        let kinds = scripted.flat_map(Profile::initial_vars);
        let level = roster.script.map(|_| ("the level".to_string(), of_level));
        for (name, vars) in kinds.chain(level) {
            let count: u64 = vars.values().map(Value::weight).sum();
            if count > u64::from(most) {
                let level = &self.sources.level;
                self.out.push_error(|| {
                    let message =
                        format!("the `vars` of {name} hold {count} values; `kept_values` in `[scripts]` allows {most}");
                    Diagnostic::about_file(level, message)
                });
            }
        }
    }

    /// Reads the input file that `demo` names.
    fn demo(&mut self, file: &LevelFile<'_>, actions: &OwnActions) -> Option<InputScript> {
        let (name, place) = file.demo.as_ref()?;
        // The level of a mod may name it.
        let level = match self.sources.mods.layer_of(&place.file.name) {
            Some(_) => &place.file.name,
            None => &self.sources.level,
        };
        let path = match level.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/{name}"),
            None => name.clone(),
        };
        let Some(source) = self.sources.get(&path) else {
            if self.sources.is_unreadable(&path) {
                return None;
            }
            let message = format!("there is no `{name}` in the level's folder");
            self.out.error(place, message);
            return None;
        };
        match InputScript::parse_with(source, actions) {
            Ok(mut input) => {
                self.out.extend(input.drop_limits(source));
                Some(input)
            }
            Err(wrong) => {
                self.out.extend(wrong.diagnostics());
                None
            }
        }
    }

    fn compile(&mut self, scripts: &[Behavior], limits: Limits, execution: Execution) -> Arc<Scripts> {
        let same = |known: &&Arc<Scripts>| known.are_of(scripts, limits, execution);
        if let Some(known) = self.compiled.filter(same) {
            return known.clone();
        }
        let (languages, sources) = (self.sources.languages, Arc::new(self.sources.scripts()));
        Scripts::compile(languages, sources, scripts, limits, execution, self.out).into()
    }
}

/// The source of settings. It decides whether they may raise limits of scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingsFrom {
    /// The person who runs the game, or a program that is trusted as much.
    Player,
    /// A test of the game.
    Test,
    /// A client of a service.
    Client,
}

impl SettingsFrom {
    /// The source's name, and what can raise limits in its place; none if the source can.
    fn who(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Player => None,
            Self::Test => Some(IN_TEST),
            Self::Client => Some(IN_CLIENT),
        }
    }
}

/// Sources that cannot raise limits, each with what can.
const IN_CLIENT: (&str, &str) =
    ("a client", "only config/hangtime.toml can, or a client of `hangtime serve --trust-settings`");
const IN_TEST: (&str, &str) = ("a test", "only config/hangtime.toml and the options `--set` and `--input` can");
const IN_MOD: (&str, &str) = ("a mod", "only the game's own config/hangtime.toml and the option `--set` can");

/// Reports the limits of scripts that are higher than the game's own settings grant.
fn refuse_raised_limits(
    limits: &ScriptTuning,
    granted: &ScriptTuning,
    config: &Table,
    (who, others): (&str, &str),
    out: &mut Mistakes,
) {
    for Tunable { name, .. } in ScriptTuning::list() {
        let (Some(Setting::Number(raised)), Some(Setting::Number(most))) = (limits.get(name), granted.get(name)) else {
            continue;
        };
        let Some(Data::Table(scripts)) = config.get("scripts").map(|node| &node.value) else {
            return;
        };
        if let Some(node) = scripts.get(name).filter(|_| raised > most) {
            let message = format!("{who} cannot raise `scripts.{name}` above {most}, the limit of this game; {others}");
            out.error(&node.place, message);
        }
    }
}
