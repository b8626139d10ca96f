//! Measuring functions by playing levels.

use super::*;
use hangtime_core::{sim::ScriptId, tuning::ScriptTuning};
use hangtime_game::{now, within_deadline};
use hangtime_script::{Behavior, Limits, ListedScript, Scripts, Sources};

/// The largest number of ticks that are played of a demo, and the number without one.
const MOST_TICKS: u64 = 1800;
const WITHOUT_DEMO: u64 = 600;

/// The longest time that a level is played.
const LONGEST: Duration = Duration::from_secs(1);

/// What the levels of a game have shown.
#[derive(Default)]
struct PlayedGame {
    /// The level with the most calls of each hook, and its calls, by script and hook.
    hooks: BTreeMap<(String, String), (String, HookTimes)>,
    /// A level that uses each script, by the script's path below the game folder.
    users: BTreeMap<String, String>,
    /// The scripts that others import.
    imported: BTreeSet<String>,
    levels: usize,
    unplayable: Vec<String>,
}

/// Finds out how fast functions are. Every level below `levels/` is played with its demo, up to 1,800 ticks and one second,
/// and each call of a hook is timed. `wanted` chooses scripts by their paths below the game folder; the others are left
/// out. Scripts and levels with errors are, too: [`check`](hangtime_game::check) says what is wrong with them.
///
/// Scripts need a thread with a stack of [`STACK`](hangtime_script::STACK) bytes.
pub fn measure_functions(project: &Project, wanted: impl Fn(&str) -> bool) -> SpeedReport {
    let cache = project.level_cache();
    let reading = cache.clone();
    let Ok(sources) = within_deadline(move || reading.scripts()) else {
        return SpeedReport::default();
    };
    let mut game = PlayedGame::default();
    for path in project.all_levels() {
        game.play(project, &cache, &path);
    }
    let chosen = sources.iter().filter(|(_, file)| wanted(&file.name));
    let scripts = chosen.map(|(path, file)| ScriptSpeeds {
        file: file.name.clone(),
        functions: compiled_alone(project, &sources, path).map(|scripts| game.speeds(&scripts, file)),
    });
    SpeedReport { scripts: scripts.collect(), levels: game.levels, unplayable: game.unplayable }
}

/// The script at a path below `scripts/`. None if it has errors.
fn compiled_alone(project: &Project, sources: &Arc<Sources>, path: &str) -> Option<Scripts> {
    // A game's limits make no difference to compiling.
    let limits = Limits::of(&ScriptTuning::default());
    let folder = project.folder();
    let (languages, execution, sources) = (folder.languages(), folder.execution(), sources.clone());
    let behaviors = [Behavior::alone(path)];
    let compiled = within_deadline(move || {
        let mut found = Vec::new();
        let scripts = Scripts::compile(languages, sources, &behaviors, limits, execution, &mut found);
        let failed = found.iter().any(Diagnostic::is_error);
        (!failed && !scripts.all().is_empty()).then_some(scripts)
    });
    compiled.ok().flatten()
}

impl PlayedGame {
    /// Plays a level and keeps what its calls took.
    fn play(&mut self, project: &Project, cache: &LevelCache, path: &Path) {
        let Ok(revision) = project.open(path, &[]) else {
            let name = path.strip_prefix(project.root()).unwrap_or(path);
            self.unplayable.push(name.to_string_lossy().replace('\\', "/"));
            return;
        };
        self.levels += 1;
        let level = revision.stage.level.name.to_string();
        self.note_scripts(&revision, cache, &level);
        if revision.scripts.all().is_empty() {
            return;
        }
        for hook in play_level(revision) {
            let key = (hook.behavior.clone(), hook.hook.clone());
            let known = self.hooks.get(&key);
            if known.is_none_or(|(_, known)| known.calls < hook.calls) {
                self.hooks.insert(key, (level.clone(), hook));
            }
        }
    }

    /// Notes which scripts a level uses.
    fn note_scripts(&mut self, revision: &Revision, cache: &LevelCache, level: &str) {
        for script in revision.scripts.all() {
            let text = revision.files.get(script.name());
            let imports = text.map(|file| cache.imports(file));
            for import in imports.into_iter().flatten() {
                self.users.entry(import.clone()).or_insert(level.into());
                self.imported.insert(import);
            }
            let user = self.users.entry(script.name().into());
            user.or_insert(level.into());
        }
    }

    /// The functions of a script with what their calls take.
    fn speeds(&self, scripts: &Scripts, file: &SourceFile) -> Vec<FunctionSpeed> {
        let script = scripts.get(ScriptId(0));
        let functions = script.functions.iter().cloned();
        let speed =
            |function: ListedFunction| FunctionSpeed { calls: self.calls(script, file, &function.name), function };
        functions.map(speed).collect()
    }

    fn calls(&self, script: &ListedScript, file: &SourceFile, function: &str) -> MeasuredCalls {
        let below = file.name.strip_prefix("scripts/").unwrap_or(&file.name);
        let key = (below.to_string(), function.to_string());
        if let Some((level, hook)) = self.hooks.get(&key) {
            return MeasuredCalls::InLevel { level: level.clone(), times: hook.clone() };
        }
        let Some(level) = self.users.get(&file.name) else {
            return MeasuredCalls::NoLevel;
        };
        let is_hook = script.has_hook(function);
        if is_hook && !self.imported.contains(&file.name) {
            MeasuredCalls::NotCalled(level.clone())
        } else {
            MeasuredCalls::InCallers
        }
    }
}

/// Plays a level with its demo, and returns what its calls took.
fn play_level(revision: Revision) -> Vec<HookTimes> {
    let demo = revision.demo.as_ref();
    let track = demo.map(|demo| demo.track(revision.stage.hz));
    let track = track.unwrap_or_default();
    let length = match track.length() {
        0 => WITHOUT_DEMO,
        length => length.min(MOST_TICKS),
    };
    let seed = revision.demo.as_ref().and_then(|demo| demo.seed);
    let mut live = Live::new(Arc::new(revision), seed.unwrap_or(0));
    live.measure(true);
    let began = now();
    for tick in 0..length {
        live.step(&track.at(tick));
        if now() - began > LONGEST {
            break;
        }
    }
    live.profile().unwrap_or_default().hooks
}
