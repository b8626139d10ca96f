//! Golden traces: an input file with a `level` line is a test, and the trace of the same name is what
//! its run has to be.

mod changes;
mod check;
mod header;
mod lines;

use super::{
    command_line::{quoted, root_option},
    *,
};
use changes::TraceLine;
use check::{GoldenCheck, GoldenDifference, GoldenTrace};
use hangtime_core::models::OwnActions;
use hangtime_game::files::{OutputFile, OutputKind};
use hangtime_script::RecordedPrints;
use header::GoldenHeader;
use lines::GoldenWriter;
use serde_json::Value;

/// The largest number of ticks of a golden trace: half an hour at 60 ticks per second.
pub const MOST_TICKS: u64 = 108_000;

/// An input file whose run is compared with a golden trace.
#[derive(Clone, Debug)]
pub struct GoldenTest {
    file: Arc<SourceFile>,
    script: InputScript,
    level: String,
}

/// What the scripts of a run report.
#[derive(Default)]
struct Reported {
    printed: RecordedPrints,
    /// The first one.
    fault: Option<Fault>,
}

impl Observer for Reported {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let report = live.report();
        self.printed.append(report.printed.clone());
        if self.fault.is_none() {
            self.fault = report.faults.first.first().cloned();
        }
        Ok(())
    }
}

impl GoldenTest {
    /// The test that an input file is; `None` if it has no `level` line and is only played by others.
    ///
    /// # Errors
    /// The mistakes in a file that has one.
    pub fn of(file: &Arc<SourceFile>, actions: &OwnActions) -> Option<Result<Self, Vec<Diagnostic>>> {
        let mut words = file.text.lines().map(str::split_whitespace);
        let has_level = words.any(|mut words| words.next() == Some("level"));
        match InputScript::parse_with(file, actions) {
            Ok(script) => {
                let level = script.level.clone()?;
                Some(Ok(Self { file: file.clone(), script, level }))
            }
            Err(error) => has_level.then(|| Err(error.diagnostics())),
        }
    }

    /// The place of the level's name, for messages about the whole test.
    pub fn place(&self) -> Place {
        self.script.place_at(&self.file, 1, 0)
    }

    /// Plays the input and compares every tick with the golden trace. What was played goes into the
    /// `recording`.
    pub fn run(
        &self,
        project: &Project,
        cache: &LevelCache,
        heavy: bool,
        recording: Option<&TestRecording>,
        result: &mut TestResult,
    ) {
        result.outcome = self.play((project, cache), heavy, recording, result).unwrap_or_else(|error| {
            // Nothing was played.
            TestOutcome::NotCompiled(error.diagnostics())
        });
    }

    fn play(
        &self,
        (project, cache): (&Project, &LevelCache),
        heavy: bool,
        recording: Option<&TestRecording>,
        result: &mut TestResult,
    ) -> Result<TestOutcome, Error> {
        let mut live = self.open(project, cache)?;
        result.warnings.clone_from(&live.revision().warnings);
        let Some(golden) = self.golden(project)? else {
            let root = root_option(project.folder());
            let (name, test) = (self.golden_name(), quoted(&self.file.name));
            let message =
                format!("there is no golden trace {name} yet; `hangtime{root} test {test} --update` writes it");
            return Ok(TestOutcome::failed(self.place(), message));
        };
        let hz = live.revision().stage.hz;
        let first = live.revision().clone();
        let track = self.script.track_in(&live.revision().stage);
        let mut check = GoldenCheck::new(&golden, &self.script.tolerance);
        let mut reported = Reported::default();
        let begin = |to: &TestRecording| RunRecorder::new(Box::new(to.begin()), track.clone());
        let mut recorder = recording.map(begin);
        let mut observers: Vec<&mut dyn Observer> = Vec::new();
        observers.extend(recorder.as_mut().map(|recorder| recorder as &mut dyn Observer));
        observers.extend([&mut reported as &mut dyn Observer, &mut check]);
        let end = track.length();
        // An error comes from the check, which keeps what it has found.
        let divergence = if heavy {
            run_heavy(&mut live, &track, end, &mut observers).unwrap_or_default()
        } else {
            run(&mut live, &track, end, &mut observers).map_or(None, |()| None)
        };
        // Without it, the test has ended all the same.
        let _ = recorder.map(|recorder| recorder.finish(&live));
        result.hash = fold_hashes([live.world().hash()]);
        result.keep_printed(reported.printed.lines);
        if let Some(divergence) = divergence.or_else(|| live.take_call_difference().map(Divergence::from)) {
            return Ok(TestOutcome::failed(self.place(), divergence.message));
        }
        let fault = reported.fault.map(Arc::new);
        let failure = match (check.finish(end), fault) {
            (None, None) => return Ok(TestOutcome::Passed),
            (None, Some(fault)) => Failure::new(fault.diagnostic.clone(), Some(fault.tick)),
            (Some(GoldenDifference { divergence, place }), fault) => {
                let Divergence { tick, field, expected, got, message, .. } = divergence;
                let place = place.unwrap_or_else(|| self.script.place_at(&self.file, hz, tick));
                let values = (!field.is_empty()).then_some((expected, got));
                let moved_by = golden.header().and_then(|golden| golden.moved_by(&self.header(&first)));
                let difference = || format!("tick {tick}: {field}: {values:?}");
                let cause = moved_by.clone().unwrap_or_else(difference);
                result.golden = Some(GoldenFailure { moved_by, cause });
                let (expected, got) = values.unzip();
                Failure {
                    diagnostic: Diagnostic::error(place, message),
                    expected,
                    got,
                    missed: None,
                    tick: Some(tick),
                    fault,
                }
            }
        };
        Ok(TestOutcome::Failed(Box::new(failure)))
    }

    /// Writes the golden trace if there is none, or if the run differs from it. Returns the number of
    /// ticks that were written.
    ///
    /// # Errors
    /// Why the level cannot be played, a script error in the run, or that the trace cannot be written.
    pub fn update(&self, project: &Project) -> Result<Option<u64>, Error> {
        let cache = project.level_cache();
        let mut result = TestResult::default();
        self.run(project, &cache, false, None, &mut result);
        if result.passed() {
            return Ok(None);
        }
        let mut live = self.open(project, &cache)?;
        let hz = live.revision().stage.hz;
        let track = self.script.track_in(&live.revision().stage);
        let ticks = track.length();
        if ticks > MOST_TICKS {
            let message = format!("the input takes {ticks} ticks; the limit for a golden trace is {MOST_TICKS}");
            let place = self.script.place_at(&self.file, hz, MOST_TICKS + 1);
            return Err(Diagnostic::error(place, message).into());
        }
        let path = self.golden_path(project);
        files::check_output(project.folder(), &path, &[path.parent().unwrap_or(Path::new(""))])?;
        let (output, out) = OutputFile::create(project.root(), &path, OutputKind::Trace)?;
        let mut trace = GoldenWriter::new(out, self.header(live.revision()));
        let mut reported = Reported::default();
        let played = run(&mut live, &track, ticks, &mut [&mut trace, &mut reported]);
        let written = played.and_then(|()| trace.finish());
        written.map_err(|source| output.write_error(source))?;
        if let Some(fault) = reported.fault {
            return Err(fault.diagnostic.into());
        }
        output.complete()?;
        Ok(Some(ticks))
    }

    /// What a golden trace says of a run that begins under this revision.
    fn header(&self, revision: &Revision) -> GoldenHeader {
        GoldenHeader::of(revision, self.script.seed.unwrap_or(0), &self.file)
    }

    /// The path of the input file.
    fn path(&self, project: &Project) -> PathBuf {
        // A file in the game folder is named from there, any other as on the command line.
        let below = project.root().join(&self.file.name);
        if below.is_file() { below } else { PathBuf::from(&self.file.name) }
    }

    fn golden_path(&self, project: &Project) -> PathBuf {
        self.path(project).with_extension("trace")
    }

    /// The golden trace's name in messages.
    fn golden_name(&self) -> String {
        let name = self.file.name.strip_suffix(".input");
        format!("{}.trace", name.unwrap_or(&self.file.name))
    }

    fn open(&self, project: &Project, cache: &LevelCache) -> Result<Live, Error> {
        let path = self.path(project);
        let folder = path.parent().unwrap_or(Path::new(""));
        let level = project.find_level_from(folder, &self.level);
        let level = level.map_err(|error| self.not_found(&error))?;
        let revision = cache.open(&level, (&self.script.settings, SettingsFrom::Test), 1, None)?;
        let mut live = Live::new(revision, self.script.seed.unwrap_or(0));
        let settings = self.script.settings.clone();
        let others = OtherLevels::of_game(project.folder().clone(), settings);
        live.use_levels(Some(Arc::new(others)));
        Ok(live)
    }

    /// The message about a level that is not found, at its name in the input file.
    fn not_found(&self, error: &Error) -> Diagnostic {
        let wrong = error.diagnostics();
        let why = wrong.first().map_or("", |wrong| &wrong.message);
        Diagnostic::error(self.place(), format!("`{}`: {why}", cut_name(&self.level)))
    }

    fn golden(&self, project: &Project) -> Result<Option<GoldenTrace>, Error> {
        let path = self.golden_path(project);
        if !path.exists() {
            return Ok(None);
        }
        let text = files::read_output(project.folder(), &path.to_string_lossy())?;
        Ok(Some(GoldenTrace::new(text)))
    }
}
