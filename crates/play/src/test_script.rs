//! A test script with the levels that its tests play.

use super::*;
use crate::calls::TestSession;
use hangtime_game::within_deadline;
use hangtime_script::{Diagnostics, Sources, TestScript};
use std::ffi::OsStr;

/// A compiled test script, and the session in which its tests run.
pub struct PlayedScript {
    script: Box<dyn TestScript>,
    session: TestSession,
    pub(crate) log: PlayLog,
}

/// A test that failed and is marked as a known failure.
#[derive(Clone, Debug)]
pub struct KnownFailure {
    /// The reason given in the test.
    pub why: String,
    /// How it failed.
    pub failure: Box<Failure>,
}

impl PlayedScript {
    /// Compiles a test script, which may import from `sources`. Its language is chosen by its ending.
    ///
    /// # Errors
    /// The errors in the script.
    pub fn compile(file: &Arc<SourceFile>, sources: Arc<Sources>, levels: TestLevels) -> Result<Self, Diagnostics> {
        let language = levels.language_of(&file.name);
        let log = levels.log().clone();
        let session = TestSession::new(Some(levels), language.emitted(sources.clone()));
        let script = language.compile_test(file, sources, &session.calls())?;
        Ok(Self { script, session, log })
    }

    /// Its tests, in the order of the file; the cases of a table in its order.
    pub fn tests(&self) -> &[TestFunction] {
        self.script.tests()
    }

    /// Runs a test. Returns the failure of a test that is marked as a known failure.
    ///
    /// # Errors
    /// The failure of any other test, or that a known failure has passed.
    pub fn run(&mut self, test: &TestFunction) -> Result<Option<KnownFailure>, Box<Failure>> {
        let ran = self.run_plainly(test);
        let record = self.session.record();
        let at_its_tick = |failure: Failure| Box::new(Failure { tick: record.tick, ..failure });
        match (record.known_failure.clone(), ran) {
            (None, ran) => ran.map_or_else(|failure| Err(at_its_tick(*failure)), |()| Ok(None)),
            (Some(why), Err(failure)) => Ok(Some(KnownFailure { why, failure: at_its_tick(*failure) })),
            (Some(why), Ok(())) => {
                let message = format!("`{}` passes now; remove its `known_failure`: {why}", test.name);
                Err(at_its_tick(Failure::new(Diagnostic::error(test.place.clone(), message), None)))
            }
        }
    }

    /// Runs a test, whether it is marked as a known failure or not.
    ///
    /// # Errors
    /// Its failure, without the tick.
    pub(crate) fn run_plainly(&mut self, test: &TestFunction) -> Result<(), Box<Failure>> {
        self.session.begin();
        self.script.run(test)
    }

    /// The operations that the last test has used, without the levels that it played.
    pub fn operations(&self) -> u64 {
        self.script.operations()
    }

    /// Takes the warnings about what the last test did.
    pub(crate) fn take_warnings(&mut self) -> Vec<Diagnostic> {
        mem::take(&mut self.session.record().warnings).finish()
    }
}

/// Compiles a test script of a game. The level that is opened last is recorded if that is asked for.
///
/// # Errors
/// The mistakes in the script, or that compiling it takes too long.
pub fn compile_test(
    project: &Project,
    cache: &Arc<LevelCache>,
    file: &Arc<SourceFile>,
    heavy: bool,
    recording: Option<&TestRecording>,
) -> Result<PlayedScript, Error> {
    compile_with(project, cache, file, |levels| {
        let levels = levels.heavy(heavy);
        match recording {
            Some(recording) => levels.recorded(recording.clone()),
            None => levels,
        }
    })
}

/// The same with levels that are prepared as this says.
pub fn compile_with(
    project: &Project,
    cache: &Arc<LevelCache>,
    file: &Arc<SourceFile>,
    prepare: impl FnOnce(TestLevels) -> TestLevels,
) -> Result<PlayedScript, Error> {
    let folder = Path::new(&file.name).parent().unwrap_or(Path::new("")).to_path_buf();
    // A script in the game folder is named from there, any other as on the command line.
    let below = project.root().join(&folder);
    let folder = if below.join(file_part(&file.name)).is_file() { below } else { folder };
    let levels = prepare(TestLevels::new(project.clone(), folder).cached(cache.clone()));
    let (file, cache) = (file.clone(), cache.clone());
    Ok(within_deadline(move || PlayedScript::compile(&file, cache.scripts(), levels))??)
}

fn file_part(name: &str) -> &OsStr {
    Path::new(name).file_name().unwrap_or_default()
}
