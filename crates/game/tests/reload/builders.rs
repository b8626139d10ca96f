//! Two builders for simulated folders: a quick stand-in, and the real one without its thread.

use super::disk::{LEVEL, SimulatedDisk};
use hangtime_game::{
    Error, FileSystem as _, Revision, SourceSet,
    reloading::{CandidateBuilder, DEADLINE, Readout, ScriptHooks},
};
use hangtime_script::Diagnostic;
use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

/// A candidate with the files it was built from.
#[derive(Clone, Debug)]
pub struct SimulatedCandidate {
    pub number: u64,
    pub files: BTreeMap<String, String>,
    pub hooks: ScriptHooks,
    /// What the machine has to say about its files.
    pub warnings: Vec<Diagnostic>,
    /// Only from the real builder.
    pub revision: Option<Arc<Revision>>,
}

/// What a build ends with.
pub type BuildResult = Result<SimulatedCandidate, Error>;

/// Builds at once, or as slowly as the files say: `// slow 7` takes seven seconds.
pub struct SimulatedBuilder {
    pub disk: SimulatedDisk,
    pub real: bool,
}

/// A build and the moment at which it ends; never if it panics.
pub struct SimulatedBuild {
    result: BuildResult,
    ends: Option<Duration>,
}

/// A reading, which hangs while the disk does.
pub struct SimulatedReading {
    began: Duration,
}

/// The longest time that a reading may take.
const GIVEN_UP: Duration = Duration::from_secs(60);

impl SimulatedBuilder {
    /// The result for these files, without taking any time.
    pub fn result(&self, sources: &SourceSet, number: u64) -> BuildResult {
        let revision = if self.real {
            Some(Arc::new(Revision::build(sources, &[], number, None)?))
        } else {
            None
        };
        let files: BTreeMap<String, String> =
            sources.files.iter().map(|(name, file)| (name.clone(), file.text.clone())).collect();
        let hooks = match &revision {
            Some(revision) => revision.hooks(),
            None => check(sources, &files)?,
        };
        Ok(SimulatedCandidate { number, files, hooks, warnings: Vec::new(), revision })
    }
}

impl CandidateBuilder for SimulatedBuilder {
    type Reading = SimulatedReading;
    type Candidate = SimulatedCandidate;
    type Pending = SimulatedBuild;

    fn read(&self) -> SimulatedReading {
        SimulatedReading { began: self.disk.now() }
    }

    fn wait_for_reading(&self, reading: &SimulatedReading, again: bool) -> Result<Option<Readout>, Error> {
        let patience = if again { Duration::ZERO } else { DEADLINE };
        let left = self.disk.hangs_until().saturating_sub(self.disk.now());
        self.disk.sleep(left.min(patience));
        if left > patience {
            let file = "scripts/hero.rhai".to_string();
            let limit = DEADLINE;
            return Err(Error::CompileTimeout { file, limit });
        }
        if self.disk.now().saturating_sub(reading.began) > GIVEN_UP {
            return Ok(None);
        }
        Ok(Some(SourceSet::read_settled(&self.disk.folder(), Path::new(LEVEL))))
    }

    fn start(&self, sources: SourceSet, number: u64) -> SimulatedBuild {
        let script = sources.get("scripts/hero.rhai");
        let text = script.map_or("", |file| file.text.as_str());
        let seconds = text.split("// slow ").nth(1).map_or(0, |rest| {
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
            digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
        });
        let panics = text.contains("// panics");
        SimulatedBuild {
            result: self.result(&sources, number),
            ends: (!panics).then(|| self.disk.now() + Duration::from_secs(seconds)),
        }
    }

    fn wait(&self, build: &SimulatedBuild, again: bool) -> Result<BuildResult, Error> {
        let file = "scripts/hero.rhai".to_string();
        let Some(ends) = build.ends else {
            return Err(Error::Internal { file });
        };
        let left = ends.saturating_sub(self.disk.now());
        let patience = if again { Duration::ZERO } else { DEADLINE };
        self.disk.sleep(left.min(patience));
        if left > patience {
            let limit = DEADLINE;
            return Err(Error::CompileTimeout { file, limit });
        }
        match &build.result {
            Ok(candidate) => Ok(Ok(candidate.clone())),
            Err(wrong) => Ok(Err(wrong.diagnostics().into())),
        }
    }

    fn hooks(&self, candidate: &SimulatedCandidate) -> ScriptHooks {
        candidate.hooks.clone()
    }

    fn warn(&self, candidate: &mut SimulatedCandidate, warnings: Vec<Diagnostic>) {
        candidate.warnings.extend(warnings);
    }
}

/// What the stand-in understands of a game: lines, brackets, and which file names which.
fn check(sources: &SourceSet, files: &BTreeMap<String, String>) -> Result<ScriptHooks, Error> {
    let mut wrong = sources.unreadable.clone();
    let mut complain = |name: &str, what: &str| wrong.push(Diagnostic::about_file(name, what));
    let mut hooks = ScriptHooks::new();
    let mut used = Vec::new();
    let gone = sources.is_cut();
    match files.get("levels/level.toml") {
        None if gone => {}
        None => complain("levels/level.toml", "no such file"),
        Some(text) if text.is_empty() => complain("levels/level.toml", "this file is empty"),
        Some(_) => {}
    }
    for (name, text) in files {
        if !is_balanced(text) || text.contains("= =") {
            complain(name, "a syntax error");
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        for named in words.windows(3).filter(|words| words[1] == "=") {
            let to = named[2].trim_matches('"');
            match named[0] {
                "kind" => used.push((name, format!("config/entities/{to}.toml"))),
                "script" => used.push((name, format!("scripts/{to}"))),
                "demo" => used.push((name, format!("levels/{to}"))),
                _ => {}
            }
        }
    }
    for (name, to) in used {
        if !files.contains_key(&to) {
            complain(name, &format!("there is no {to}"));
        } else if to.starts_with("scripts/") {
            let words: Vec<&str> = files[&to].split([' ', '(', '\n']).collect();
            let functions = words.windows(2).filter(|words| words[0] == "fn");
            hooks.insert(to, functions.map(|words| words[1].to_string()).collect());
        }
    }
    if wrong.is_empty() { Ok(hooks) } else { Err(wrong.into()) }
}

fn is_balanced(text: &str) -> bool {
    let count = |c: char| text.matches(c).count();
    count('{') == count('}')
        && count('[') == count(']')
        && count('(') == count(')')
        && count('"') % 2 == 0
        && !text.lines().any(|line| line.trim_end().ends_with('='))
}
