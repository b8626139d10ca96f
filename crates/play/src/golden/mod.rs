//! Golden traces: an input file with a `level` line is a test, and the trace of the same name is what
//! its run has to be.

mod check;
mod compare;

use super::command_line::{quoted, root_option};
use super::heavy::Divergence;
use super::run::{HeavyError, Observer, run, run_heavy};
use super::test_recording::{TestRecording, TrackRecorder};
use super::trace::{Trace, TraceOptions};
use check::{GoldenCheck, GoldenTrace};
use hangtime_core::models::OwnActions;
use hangtime_game::files::{OutputFile, OutputKind};
use hangtime_game::{Error, InputScript, LevelCache, Live, OtherLevels, Project, files};
use hangtime_script::text::cut_name;
use hangtime_script::{CallDifference, Diagnostic, Failure, Fault, Place, RecordedPrints, SourceFile};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest number of ticks of a golden trace: half an hour at 60 ticks per second.
pub(super) const MOST_TICKS: u64 = 108_000;

/// An input file whose run is compared with a golden trace.
#[derive(Clone, Debug)]
pub(super) struct GoldenTest {
    file: Arc<SourceFile>,
    script: InputScript,
    level: String,
}

/// How a golden test ended.
pub(super) struct GoldenRun {
    /// Why it failed.
    pub result: Result<(), GoldenFailure>,
    /// The lines that scripts printed.
    pub printed: Vec<String>,
    /// Warnings about the level.
    pub warnings: Vec<Diagnostic>,
    /// The hash of the world at the end; `None` if the level did not open.
    pub hash: Option<u64>,
}

/// Why a golden test failed.
pub(super) enum GoldenFailure {
    /// The level cannot be opened.
    Unusable(Vec<Diagnostic>),
    /// The run differs from the golden trace.
    Failed(Box<Failure>),
    /// A script call did something else when it was compiled.
    CallDiffered(CallDifference),
    /// In heavy mode, saving and loading made a difference.
    Diverged(Divergence),
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
    ) -> GoldenRun {
        let mut ended = GoldenRun { result: Ok(()), printed: Vec::new(), warnings: Vec::new(), hash: None };
        ended.result = self.play((project, cache), heavy, recording, &mut ended);
        ended
    }

    fn play(
        &self,
        (project, cache): (&Project, &LevelCache),
        heavy: bool,
        recording: Option<&TestRecording>,
        ended: &mut GoldenRun,
    ) -> Result<(), GoldenFailure> {
        let unusable = |error: Error| GoldenFailure::Unusable(error.diagnostics());
        let mut live = self.open(project, cache).map_err(unusable)?;
        ended.warnings.clone_from(&live.revision().warnings);
        let golden = match self.golden(project).map_err(unusable)? {
            Some(golden) => golden,
            None => return Err(self.missing(project)),
        };
        let hz = live.revision().stage.hz;
        let track = self.script.track_in(&live.revision().stage);
        let mut check = GoldenCheck::new(&golden, &self.script.tolerance);
        let mut recorder = TrackRecorder::new(recording, track.clone());
        let mut reported = Reported::default();
        let mut observers: [&mut dyn Observer; 3] = [&mut recorder, &mut check, &mut reported];
        let played = if heavy {
            run_heavy(&mut live, &track, track.length(), &mut observers)
        } else {
            run(&mut live, &track, track.length(), &mut observers).map_err(HeavyError::Output)
        };
        recorder.finish(live.world());
        ended.hash = Some(live.world().hash());
        ended.printed = reported.printed.lines;
        if let Err(HeavyError::Divergence(divergence)) = played {
            return Err(GoldenFailure::Diverged(divergence));
        }
        if let Some(difference) = live.take_call_difference() {
            return Err(GoldenFailure::CallDiffered(difference));
        }
        let fault = reported.fault.map(Arc::new);
        let end = track.length();
        let failure = match (check.finish(end), fault) {
            (None, None) => return Ok(()),
            (None, Some(fault)) => Failure {
                diagnostic: fault.diagnostic.clone(),
                expected: None,
                got: None,
                tick: Some(fault.tick),
                fault: None,
            },
            (Some(wrong), fault) => Failure {
                diagnostic: match wrong.place {
                    Some(place) => Diagnostic::error(place, wrong.message),
                    None => {
                        let place = self.script.place_at(&self.file, hz, wrong.tick);
                        Diagnostic::error(place, wrong.message)
                    }
                },
                expected: wrong.expected,
                got: wrong.got,
                tick: Some(wrong.tick),
                fault,
            },
        };
        Err(GoldenFailure::Failed(Box::new(failure)))
    }

    /// Writes the golden trace if there is none, or if the run differs from it. Returns the number of
    /// ticks that were written.
    ///
    /// # Errors
    /// Why the level cannot be played, a script error in the run, or that the trace cannot be written.
    pub fn update(&self, project: &Project) -> Result<Option<u64>, Error> {
        let cache = LevelCache::new(project.folder().clone());
        if self.run(project, &cache, false, None).result.is_ok() {
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
        let mut trace = Trace::new(out, TraceOptions::default());
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
        let revision = cache.open_in_test(&level, &self.script.settings, 1, None)?;
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

    fn missing(&self, project: &Project) -> GoldenFailure {
        let root = root_option(project.folder());
        let message = format!(
            "there is no golden trace {} yet; `hangtime{root} test {} --update` writes it",
            self.golden_name(),
            quoted(&self.file.name)
        );
        let place = self.place();
        GoldenFailure::Failed(Box::new(Failure {
            diagnostic: Diagnostic::error(place, message),
            expected: None,
            got: None,
            tick: None,
            fault: None,
        }))
    }
}
