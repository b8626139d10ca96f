//! Running test scripts and reporting their results.

use super::feel::{ContractOutcome, FeelContract};
use super::game::{HeavyReport, TestLevels};
use crate::project::files::TestFile;
use crate::project::{Error, Project, SourceSet, within_deadline};
use crate::script::host::text::{cut, printable, printable_name};
use crate::script::host::{Diagnostic, MOST_SHOWN, SourceFile, render_all};
use crate::script::rhai::{Failure, KnownFailure, Sources, TestFunction, TestScript};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

/// One test function, one contract of a kind, or one test file that does not compile.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// `FILE::FUNCTION`, or just the file's name if the file does not compile.
    pub name: String,
    file: Arc<SourceFile>,
    /// What to run, or why the file does not compile.
    run: Result<CaseBody, Vec<Diagnostic>>,
}

/// What a test case runs.
#[derive(Clone, Debug)]
enum CaseBody {
    Function(TestFunction),
    Contract(FeelContract),
}

/// The outcome of a test.
#[derive(Clone, Debug)]
pub enum TestOutcome {
    /// Every expectation was met.
    Passed,
    /// The test failed, as its `known_failure` says. Counts as passed.
    KnownFailure(Box<KnownFailure>),
    /// An expectation was not met, or a script failed.
    Failed(Box<Failure>),
    /// The file does not compile.
    NotCompiled(Vec<Diagnostic>),
}

/// The result of running a test.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// The test's name, as in [`TestCase::name`].
    pub name: String,
    /// Whether and why it failed.
    pub outcome: TestOutcome,
    /// The command line that runs it again.
    pub rerun: String,
    /// The lines that its script printed.
    pub printed: Vec<String>,
    /// Warnings about what the test did, also if it passed.
    pub warnings: Vec<Diagnostic>,
    /// The time it took.
    pub took: Duration,
}

/// Compiles test files and lists their tests, in the order of the files and of the functions in them.
#[must_use]
pub fn collect(project: &Project, files: &[TestFile]) -> Vec<TestCase> {
    files
        .iter()
        .flat_map(|file| cases_of(project, file))
        .collect()
}

fn cases_of(project: &Project, file: &TestFile) -> Vec<TestCase> {
    let file = match file {
        Ok(file) => file.clone(),
        Err(error) => return vec![unreadable(error)],
    };
    match compile(project, &file, None) {
        Ok(script) => script
            .tests
            .into_iter()
            .map(|test| TestCase {
                name: format!("{}::{}", file.name, test.name),
                file: file.clone(),
                run: Ok(CaseBody::Function(test)),
            })
            .collect(),
        Err(error) => vec![TestCase {
            name: file.name.clone(),
            file,
            run: Err(error.diagnostics()),
        }],
    }
}

impl From<FeelContract> for TestCase {
    fn from(contract: FeelContract) -> Self {
        let file = SourceFile {
            name: contract.file_name().into(),
            text: String::new(),
        };
        Self {
            name: contract.name.clone(),
            file: Arc::new(file),
            run: Ok(CaseBody::Contract(contract)),
        }
    }
}

/// A test file that cannot be read, as one failing test.
fn unreadable(error: &Error) -> TestCase {
    let wrong = error.diagnostics();
    let name = wrong.first().map_or("", Diagnostic::file_name).to_string();
    let file = Arc::new(SourceFile {
        name: name.clone(),
        text: String::new(),
    });
    TestCase {
        name,
        file,
        run: Err(wrong),
    }
}

fn file_part(name: &str) -> &std::ffi::OsStr {
    Path::new(name).file_name().unwrap_or_default()
}

fn compile(
    project: &Project,
    file: &Arc<SourceFile>,
    heavy: Option<&HeavyReport>,
) -> Result<TestScript, Error> {
    let folder = Path::new(&file.name)
        .parent()
        .unwrap_or(Path::new(""))
        .to_path_buf();
    // A script in the game folder is named from there, any other as on the command line.
    let below = project.root().join(&folder);
    let folder = if below.join(file_part(&file.name)).is_file() {
        below
    } else {
        folder
    };
    let mut levels = TestLevels::new(project.clone(), folder);
    if let Some(report) = heavy {
        levels = levels.heavy(report.clone());
    }
    let (game, path) = (project.folder().clone(), project.root().join(&file.name));
    let file = file.clone();
    let compile = move || {
        let set = SourceSet::read(&game, &path);
        let below = set.below("scripts", ".rhai");
        let sources: Sources = below
            .map(|(name, file)| (name.to_string(), file.clone()))
            .collect();
        TestScript::compile(&file, Arc::new(sources), Arc::new(levels))
    };
    Ok(within_deadline(compile)??)
}

/// Runs one test. Tests share no state.
#[must_use]
pub fn run_case(project: &Project, case: &TestCase) -> TestResult {
    run_with(project, case, None)
}

/// Runs one test in heavy mode: the levels that it plays are saved and loaded before every tick. The
/// test also fails if that makes a difference.
#[must_use]
pub fn run_heavy_case(project: &Project, case: &TestCase) -> TestResult {
    run_with(project, case, Some(&HeavyReport::default()))
}

fn run_with(project: &Project, case: &TestCase, heavy: Option<&HeavyReport>) -> TestResult {
    let started = Instant::now();
    let (mut printed, mut warnings) = (Vec::new(), Vec::new());
    let outcome = match &case.run {
        Err(wrong) => TestOutcome::NotCompiled(wrong.clone()),
        Ok(CaseBody::Function(test)) => {
            run_function(project, case, test, heavy, &mut printed, &mut warnings)
        }
        Ok(CaseBody::Contract(contract)) => check_contract(contract),
    };
    let mut rerun = rerun(project, case);
    if heavy.is_some() {
        rerun += " --heavy";
    }
    TestResult {
        name: case.name.clone(),
        outcome,
        rerun,
        printed,
        warnings,
        took: started.elapsed(),
    }
}

/// The command line that runs a test again.
fn rerun(project: &Project, case: &TestCase) -> String {
    let root = project.root();
    let root = if root == Path::new(".") {
        String::new()
    } else {
        format!(" --root {}", root.display())
    };
    let filter = match case.function() {
        "" => String::new(),
        function => format!(" --filter {function}"),
    };
    format!("hangtime{root} test {}{filter}", case.file_name())
}

fn run_function(
    project: &Project,
    case: &TestCase,
    test: &TestFunction,
    heavy: Option<&HeavyReport>,
    printed: &mut Vec<String>,
    warnings: &mut Vec<Diagnostic>,
) -> TestOutcome {
    let mut script = match compile(project, &case.file, heavy) {
        Ok(script) => script,
        Err(error) => return TestOutcome::NotCompiled(error.diagnostics()),
    };
    // A panic would be a bug of hangtime; the other tests should still run.
    let result = catch_unwind(AssertUnwindSafe(|| script.run(test)));
    *printed = script.printed();
    *warnings = script.warnings();
    let divergence =
        heavy.and_then(|report| report.lock().unwrap_or_else(PoisonError::into_inner).take());
    if let Some(divergence) = divergence {
        let message = format!("the saved world played on differently: {divergence}");
        return failed(test, &message);
    }
    match result {
        Ok(Ok(None)) => TestOutcome::Passed,
        Ok(Ok(Some(known))) => TestOutcome::KnownFailure(Box::new(known)),
        Ok(Err(failure)) => TestOutcome::Failed(failure),
        Err(_) => failed(test, "hangtime itself failed here; please report this bug"),
    }
}

fn check_contract(contract: &FeelContract) -> TestOutcome {
    match contract.check() {
        ContractOutcome::Holds => TestOutcome::Passed,
        ContractOutcome::Unplayable(wrong) => TestOutcome::NotCompiled(wrong),
        ContractOutcome::Broken(breach) => TestOutcome::Failed(Box::new(Failure {
            diagnostic: breach.diagnostic,
            expected: Some(breach.expected),
            got: Some(breach.got),
            tick: None,
            fault: breach.fault,
        })),
    }
}

/// A failure that is not one of the test's own expectations.
fn failed(test: &TestFunction, message: &str) -> TestOutcome {
    TestOutcome::Failed(Box::new(Failure {
        diagnostic: Diagnostic::error(test.place.clone(), message),
        expected: None,
        got: None,
        tick: None,
        fault: None,
    }))
}

impl TestCase {
    /// The name of the test's file.
    #[must_use]
    pub fn file_name(&self) -> &str {
        &self.file.name
    }

    /// The name of the test's function or contract; empty if the file does not compile.
    #[must_use]
    pub fn function(&self) -> &str {
        match &self.run {
            Ok(CaseBody::Function(test)) => &test.name,
            Ok(CaseBody::Contract(contract)) => contract.key(),
            Err(_) => "",
        }
    }
}

impl TestResult {
    /// Whether the test passed or failed as known.
    #[must_use]
    pub fn passed(&self) -> bool {
        matches!(
            self.outcome,
            TestOutcome::Passed | TestOutcome::KnownFailure(_)
        )
    }

    /// The failure as text: place, expected and actual value, tick, and the command line that runs the
    /// test again. Only warnings for a test that passed. Control characters are escaped.
    #[must_use]
    pub fn report(&self, color: bool) -> String {
        let warnings = (!self.warnings.is_empty()).then(|| render_all(&self.warnings, color));
        let outcome = Some(self.report_outcome(color)).filter(|text| !text.is_empty());
        let parts: Vec<String> = warnings.into_iter().chain(outcome).collect();
        parts.join("\n")
    }

    fn report_outcome(&self, color: bool) -> String {
        let rerun = printable_name(&self.rerun);
        match &self.outcome {
            TestOutcome::Passed => String::new(),
            TestOutcome::KnownFailure(known) => format!(
                "  known failure: {}\n  {}",
                shown(&known.why),
                known.failure.diagnostic.headline()
            ),
            TestOutcome::NotCompiled(wrong) => {
                format!("{}\n  rerun: {rerun}", render_all(wrong, color))
            }
            TestOutcome::Failed(failure) => {
                let mut lines = vec![failure.diagnostic.render(color)];
                if let (Some(expected), Some(got)) = (&failure.expected, &failure.got) {
                    lines.push(format!("  expected: {}", shown(expected)));
                    lines.push(format!("  got:      {}", shown(got)));
                }
                if let Some(tick) = failure.tick {
                    lines.push(format!("  tick:     {tick}"));
                }
                // The script error that failed the test.
                if let Some(fault) = &failure.fault {
                    lines.push(fault.render(color));
                }
                let printed = self.printed.iter().take(MOST_SHOWN);
                lines.extend(printed.map(|line| format!("  printed:  {}", shown(line))));
                if self.printed.len() > MOST_SHOWN {
                    let more = self.printed.len() - MOST_SHOWN;
                    lines.push(format!("  and {more} more printed lines"));
                }
                lines.push(format!("  rerun: {rerun}"));
                lines.join("\n")
            }
        }
    }
}

/// The largest number of characters of a value, or of a printed line, in a report.
const MOST_SHOWN_TEXT: usize = 4000;

/// A text from a script, cut and safe to print.
fn shown(text: &str) -> String {
    printable(&cut(text, MOST_SHOWN_TEXT)).into_owned()
}
