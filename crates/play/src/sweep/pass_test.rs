//! `--pass-test`: a run passes where a test of the game does.

use super::*;
use crate::{game::SEED, suite::CaseBody, test_script::compile_with};
use hangtime_script::{names::nearest_few, recording_prints};

/// The test with a name, or all cases of its table, as `--filter =NAME` finds them. `option` is the option that names it.
///
/// # Errors
/// If there is none, with the nearest names.
pub fn named_cases(
    project: &Project,
    cache: &Arc<LevelCache>,
    option: &str,
    name: &str,
) -> Result<Vec<TestCase>, Error> {
    let name = name.strip_prefix('=').unwrap_or(name).trim();
    let mut cases = find_cases(project, cache, &[], 1)?;
    let filter = TestFilter::Exact(name.into());
    if !cases.iter().any(|case| filter.matches(case)) {
        let names = |case: &TestCase| {
            let function = if name.contains("::") { "" } else { case.function() };
            if function.is_empty() { case.name.clone() } else { function.to_string() }
        };
        let names: Vec<String> = cases.iter().map(names).collect();
        let hint = nearest_few(name, "tests", names.iter().map(String::as_str));
        return Err(Diagnostic::about_file(option, format!("there is no test `{}`{hint}", cut_name(name))).into());
    }
    cases.retain(|case| filter.matches(case));
    Ok(cases)
}

/// A test that is played under the settings of each run.
pub struct PassTest {
    project: Project,
    /// The texts of its files, which are read once.
    cache: LevelCache,
    /// The test, or all cases of its table.
    cases: Vec<(TestCase, TestFunction)>,
}

impl PassTest {
    /// Finds a test by its name, as `--filter =NAME` does.
    ///
    /// # Errors
    /// If no test function has this name, or its file does not compile.
    pub fn find(project: &Project, name: &str) -> Result<Self, Error> {
        let refused = |message: String| Err(Diagnostic::about_file("--pass-test", message).into());
        let cache = project.level_cache();
        let mut cases = Vec::new();
        for case in &named_cases(project, &cache, "--pass-test", name)? {
            match &case.run {
                Ok(CaseBody::Function(test)) => cases.push((case.clone(), test.clone())),
                Ok(CaseBody::Golden(_) | CaseBody::Contract(_)) => {
                    return refused(format!(
                        "`{}` is not a test function, so it cannot be played with settings",
                        case.name
                    ));
                }
                Err(mistakes) => return Err(mistakes.clone().into()),
            }
        }
        let cache = cache.unbuilt();
        Ok(Self { project: project.clone(), cache, cases })
    }

    /// Whether the test, with all of its cases, passes under these settings, which win over those that it chooses itself.
    ///
    /// # Errors
    /// If its script cannot be compiled in time.
    pub fn passes(&self, settings: &Settings, seed: Option<u64>) -> Result<bool, RunFailure> {
        let mut settings = settings.clone();
        settings.extend(seed.map(|seed| (SEED.to_string(), seed.to_string())));
        let cache = Arc::new(self.cache.unbuilt());
        for (case, test) in &self.cases {
            let swept = |levels: TestLevels| levels.swept(settings.clone());
            let mut script = compile_with(&self.project, &cache, &case.file, swept).map_err(|error| {
                let first = error.diagnostics().into_iter().next();
                let message = first.map_or_else(String::new, |first| first.headline());
                RunFailure { message, file: case.file_name().into(), line: case.line(), tick: 0 }
            })?;
            let (ran, _) = recording_prints(|| script.run(test));
            if ran.is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
