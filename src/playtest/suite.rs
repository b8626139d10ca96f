//! Test levels: finding, running and reporting them.

use super::Tester;
use crate::project::files::TestFile;
use crate::project::{Project, SourceSet, within_deadline};
use crate::script::host::{Diagnostic, SourceFile};
use crate::script::rhai::{Failure, KnownFailure, Sources, TestFunction, TestScript};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One test, or one file that cannot be one.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// The file's name, `::`, the function's name; the file's name alone for one that does not
    /// compile.
    pub name: String,
    file: Arc<SourceFile>,
    /// What to run, or why the file cannot be.
    run: Result<TestFunction, Vec<Diagnostic>>,
}

/// How a test ended.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// All that it expects is so.
    Passed,
    /// Something is not, as the test says itself.
    Known(Box<KnownFailure>),
    /// Something is not.
    Failed(Box<Failure>),
    /// The file does not compile.
    Unusable(Vec<Diagnostic>),
}

/// A test that was run.
#[derive(Clone, Debug)]
pub struct TestResult {
    /// Its name.
    pub name: String,
    /// How it ended.
    pub verdict: Verdict,
    /// A line that runs it again.
    pub again: String,
    /// What its script has printed.
    pub printed: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

/// The tests in these files, in the order of files and of functions in them.
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
        Err(wrong) => {
            let name = wrong.file_name().to_string();
            let file = Arc::new(SourceFile {
                name: name.clone(),
                text: String::new(),
            });
            return vec![TestCase {
                name,
                file,
                run: Err(vec![wrong.clone()]),
            }];
        }
    };
    match compile(project, &file) {
        Ok(script) => script
            .tests
            .into_iter()
            .map(|test| TestCase {
                name: format!("{}::{}", file.name, test.name),
                file: file.clone(),
                run: Ok(test),
            })
            .collect(),
        Err(wrong) => vec![TestCase {
            name: file.name.clone(),
            file,
            run: Err(wrong),
        }],
    }
}

fn file_part(name: &str) -> &std::ffi::OsStr {
    Path::new(name).file_name().unwrap_or_default()
}

fn compile(project: &Project, file: &Arc<SourceFile>) -> Result<TestScript, Vec<Diagnostic>> {
    let folder = Path::new(&file.name)
        .parent()
        .unwrap_or(Path::new(""))
        .to_path_buf();
    // A script below the root is named from there, any other as the command line named it.
    let below = project.root().join(&folder);
    let beside = if below.join(file_part(&file.name)).is_file() {
        below
    } else {
        folder
    };
    let tester = Tester::new(project.clone(), beside);
    let set = SourceSet::read(project.root(), &project.root().join(&file.name));
    let below = set.below("scripts", ".rhai");
    let sources: Sources = below
        .map(|(name, file)| (name.to_string(), file.clone()))
        .collect();
    let file = file.clone();
    within_deadline(move || TestScript::compile(&file, Arc::new(sources), Arc::new(tester)))
        .map_err(|late| vec![late])?
}

/// Runs one test, from a fresh start: nothing that another test did is there.
#[must_use]
pub fn run_case(project: &Project, case: &TestCase) -> TestResult {
    let started = Instant::now();
    let mut printed = Vec::new();
    let verdict = match &case.run {
        Err(wrong) => Verdict::Unusable(wrong.clone()),
        Ok(test) => run_function(project, case, test, &mut printed),
    };
    TestResult {
        name: case.name.clone(),
        verdict,
        again: again(project, case),
        printed,
        took: started.elapsed(),
    }
}

fn again(project: &Project, case: &TestCase) -> String {
    let root = project.root();
    let root = if root == std::path::Path::new(".") {
        String::new()
    } else {
        format!(" --root {}", root.display())
    };
    let filter = match case.function() {
        "" => String::new(),
        function => format!(" --filter {function}"),
    };
    format!("again: hangtime{root} test {}{filter}", case.file_name())
}

fn run_function(
    project: &Project,
    case: &TestCase,
    test: &TestFunction,
    printed: &mut Vec<String>,
) -> Verdict {
    let mut script = match compile(project, &case.file) {
        Ok(script) => script,
        Err(wrong) => return Verdict::Unusable(wrong),
    };
    // A panic would be our own mistake; the other tests should still run.
    let result = catch_unwind(AssertUnwindSafe(|| script.run(test)));
    *printed = script.printed();
    match result {
        Ok(Ok(None)) => Verdict::Passed,
        Ok(Ok(Some(known))) => Verdict::Known(Box::new(known)),
        Ok(Err(failure)) => Verdict::Failed(failure),
        Err(_) => {
            let why = "hangtime itself failed here; this is a bug worth reporting";
            let diagnostic = Diagnostic::error(test.place.clone(), why);
            Verdict::Failed(Box::new(Failure {
                diagnostic,
                expected: None,
                got: None,
                tick: None,
                fault: None,
            }))
        }
    }
}

impl TestCase {
    /// The file that the test is in.
    #[must_use]
    pub fn file_name(&self) -> &str {
        &self.file.name
    }

    /// The function's name; empty for a file that does not compile.
    #[must_use]
    pub fn function(&self) -> &str {
        self.run.as_ref().map_or("", |test| &test.name)
    }
}

impl TestResult {
    /// Whether all was as expected, or as known.
    #[must_use]
    pub fn passed(&self) -> bool {
        matches!(self.verdict, Verdict::Passed | Verdict::Known(_))
    }

    /// What went wrong, with the place, what was expected and got, the tick, and a line that
    /// runs the test again. Of a known failure that it is one, and which. Empty for a test that passed.
    #[must_use]
    pub fn report(&self, color: bool) -> String {
        let again = &self.again;
        match &self.verdict {
            Verdict::Passed => String::new(),
            Verdict::Known(known) => format!(
                "  known failure: {}\n  {}",
                known.why,
                known.failure.diagnostic.headline()
            ),
            Verdict::Unusable(wrong) => {
                format!(
                    "{}\n  {again}",
                    crate::script::host::render_all(wrong, color)
                )
            }
            Verdict::Failed(failure) => {
                let mut lines = vec![failure.diagnostic.render(color)];
                if let (Some(expected), Some(got)) = (&failure.expected, &failure.got) {
                    lines.push(format!("  expected: {expected}"));
                    lines.push(format!("  got:      {got}"));
                }
                if let Some(tick) = failure.tick {
                    lines.push(format!("  tick:     {tick}"));
                }
                // Where the behavior failed, beside where the test did.
                if let Some(fault) = &failure.fault {
                    lines.push(fault.render(color));
                }
                lines.extend(
                    self.printed
                        .iter()
                        .map(|line| format!("  printed:  {line}")),
                );
                lines.push(format!("  {again}"));
                lines.join("\n")
            }
        }
    }
}
