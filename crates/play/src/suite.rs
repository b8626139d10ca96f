//! The tests of a game: functions in test scripts, cases of their tables, inputs with golden traces, and feel
//! contracts of kinds.

use super::{
    feel::{FeelContract, FoundContract, contracts_at},
    golden::GoldenTest,
    in_order::in_order,
    test_script::compile_test,
    *,
};
use hangtime_game::files::TestFile;

/// One test function, one input with its golden trace, one contract of a kind, or one test file that does not
/// compile.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// `FILE::FUNCTION`, or just the file's name of an input, and if the file does not compile. Cases of a
    /// table have their place and arguments, too: `FILE::FUNCTION[0: width=60]`.
    pub name: String,
    pub(super) file: Arc<SourceFile>,
    /// What to run, or why the file does not compile.
    pub(super) run: Result<CaseBody, Vec<Diagnostic>>,
    /// The names of the tests that a file with mistakes seems to have.
    lost: Vec<String>,
}

/// What a test case runs.
#[derive(Clone, Debug)]
pub enum CaseBody {
    /// A function of a test script.
    Function(TestFunction),
    /// An input whose run is compared with a golden trace.
    Golden(Box<GoldenTest>),
    /// A contract in the file of a kind.
    Contract(Box<FeelContract>),
}

impl CaseBody {
    /// The place of the test, for messages about all of it.
    pub fn place(&self) -> Place {
        match self {
            Self::Function(test) => test.place.clone(),
            Self::Golden(golden) => golden.place(),
            Self::Contract(contract) => contract.place(),
        }
    }
}

impl TestCase {
    /// The name of the test's file.
    pub fn file_name(&self) -> &str {
        &self.file.name
    }

    /// The name of the test's function; empty for an input, and if the file does not compile.
    pub fn function(&self) -> &str {
        self.test().map_or("", |test| &test.function)
    }

    fn test(&self) -> Option<&TestFunction> {
        match &self.run {
            Ok(CaseBody::Function(test)) => Some(test),
            Ok(CaseBody::Golden(_) | CaseBody::Contract(_)) | Err(_) => None,
        }
    }

    /// The name of the test in its file: the function, and the place and arguments of a case. Empty for an
    /// input, and if the file does not compile.
    pub fn test_name(&self) -> &str {
        let rest = self.name.strip_prefix(self.file_name());
        rest.and_then(|rest| rest.strip_prefix("::")).unwrap_or("")
    }

    /// The names of the tests that would be in this file, if it does not compile or cannot be read.
    pub(super) fn lost_names(&self) -> impl Iterator<Item = &str> {
        self.lost.iter().map(String::as_str)
    }

    /// The first mistake in the file, if it does not compile or cannot be read: none of its tests can run.
    pub fn mistake(&self) -> Option<&Diagnostic> {
        self.run.as_ref().err()?.first()
    }

    /// The line of the test's function, or of the `level` line of an input, from 1.
    pub fn line(&self) -> usize {
        let place = match &self.run {
            Ok(body) => Some(body.place()),
            Err(wrong) => wrong.first().and_then(|wrong| wrong.place.clone()),
        };
        place.map_or(1, |place| place.position().0)
    }
}

/// Compiles test files and lists their tests, in the order of the files and of the functions in them.
pub fn collect(project: &Project, files: &[TestFile]) -> Vec<TestCase> {
    let cache = project.level_cache();
    collect_with(project, &cache, files, 1)
}

/// The same on several threads, with scripts that tests use later.
pub fn collect_with(project: &Project, cache: &Arc<LevelCache>, files: &[TestFile], jobs: usize) -> Vec<TestCase> {
    let mut all = Vec::new();
    // Scripts are compiled on other threads, so the calling one needs no large stack.
    let work = |place: usize| Some(cases_of(project, cache, &files[place]));
    in_order(files.len(), jobs, work, |cases| {
        all.extend(cases);
        true
    });
    all
}

/// The tests at these paths, files or folders: first tests from scripts and inputs, then the contracts of kinds.
/// Without any paths: all tests of the game.
///
/// # Errors
/// [`Error::NoSuchTests`] for the first path that does not exist.
pub fn find_cases(
    project: &Project,
    cache: &Arc<LevelCache>,
    paths: &[String],
    jobs: usize,
) -> Result<Vec<TestCase>, Error> {
    let (contracts, left) = contracts_at(project, paths)?;
    let files = if left.is_empty() && !paths.is_empty() {
        Vec::new()
    } else {
        files::find_tests(project.folder(), &left)?
    };
    let mut cases = collect_with(project, cache, &files, jobs);
    cases.extend(contracts.into_iter().map(TestCase::from));
    Ok(cases)
}

fn cases_of(project: &Project, cache: &Arc<LevelCache>, file: &TestFile) -> Vec<TestCase> {
    let file = match file {
        Ok(file) => file.clone(),
        Err(error) => return vec![unreadable(error)],
    };
    if file.name.ends_with(".input") {
        return golden_case(project, &file).into_iter().collect();
    }
    match compile_test(project, cache, &file, false, None) {
        Ok(script) => script
            .tests()
            .iter()
            .map(|test| TestCase {
                name: format!("{}::{}", file.name, test.name),
                file: file.clone(),
                run: Ok(CaseBody::Function(test.clone())),
                lost: Vec::new(),
            })
            .collect(),
        Err(error) => vec![TestCase {
            name: file.name.clone(),
            lost: tests_in(project, &file),
            file,
            run: Err(error.diagnostics()),
        }],
    }
}

impl From<FoundContract> for TestCase {
    fn from(found: FoundContract) -> Self {
        let empty = |name: &str| Arc::new(SourceFile { name: name.into(), text: String::new() });
        match found {
            Ok(contract) => Self {
                name: format!("{}::{}", contract.file_name(), contract.key()),
                file: empty(contract.file_name()),
                run: Ok(CaseBody::Contract(Box::new(contract))),
                lost: Vec::new(),
            },
            Err(broken) => {
                Self { file: empty(&broken.file), name: broken.file, run: Err(broken.mistakes), lost: broken.lost }
            }
        }
    }
}

/// The test that an input file is, if it has a `level` line.
fn golden_case(project: &Project, file: &Arc<SourceFile>) -> Option<TestCase> {
    let golden = GoldenTest::of(file, &project.own_actions())?;
    Some(TestCase {
        name: file.name.clone(),
        file: file.clone(),
        run: golden.map(|golden| CaseBody::Golden(Box::new(golden))),
        lost: Vec::new(),
    })
}

/// Writes the golden trace of a case if there is none, or if its run differs from it. Returns the number
/// of ticks that were written; `None` if nothing was, as for a test function.
///
/// # Errors
/// Why the trace cannot be written, such as a script error in the run.
pub fn update_golden(project: &Project, case: &TestCase) -> Result<Option<u64>, Error> {
    match &case.run {
        Ok(CaseBody::Golden(golden)) => golden.update(project),
        _ => Ok(None),
    }
}

impl TestCase {
    /// The same test, which now fails for this reason without being run.
    pub fn failing(self, why: &Error) -> Self {
        Self { run: Err(why.diagnostics()), ..self }
    }
}

/// A test file that cannot be read, as one failing test.
fn unreadable(error: &Error) -> TestCase {
    let wrong = error.diagnostics();
    let name = wrong.first().map_or("", Diagnostic::file_name).to_string();
    let file = Arc::new(SourceFile { name: name.clone(), text: String::new() });
    TestCase { name, file, run: Err(wrong), lost: Vec::new() }
}

/// The names of the test functions in a script that does not compile.
fn tests_in(project: &Project, file: &SourceFile) -> Vec<String> {
    let language = project.folder().languages().of(&file.name);
    let functions = language.map_or_else(Vec::new, |language| language.functions(&file.text));
    functions
        .iter()
        .filter(|function| function.is_test())
        .map(|test| test.name.into())
        .collect()
}
