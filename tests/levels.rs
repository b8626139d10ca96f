//! The test levels of this repository, each as a test: what `hangtime test` runs.

use hangtime::{
    playtest::{TestCase, collect, run_case},
    project::{Project, files},
    script::host::STACK,
};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let project = Project::load(env!("CARGO_MANIFEST_DIR")).expect("this repository is there");
    let files = files::find_tests(project.root(), &[]).expect("levels/tests is there");
    let cases = collect(&project, &files);
    assert!(!cases.is_empty(), "levels/tests holds no tests");
    let trial = |case: TestCase| {
        let project = project.clone();
        Trial::test(case.name.clone(), move || run(project, case))
    };
    let trials = cases.into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Runs a test on a stack that is large enough for scripts.
fn run(project: Project, case: TestCase) -> Result<(), Failed> {
    let run = move || run_case(&project, &case);
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run)?;
    let result = thread.join().map_err(|_| "the test's thread panicked")?;
    if result.passed() { Ok(()) } else { Err(result.report(false).into()) }
}
