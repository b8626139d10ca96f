//! What changed numbers break: tests, recordings and contracts that pass with the present numbers and fail with others.

use super::*;
use hangtime_game::{GameFolder, files::read};
use hangtime_script::budget::{interruptible, was_interrupted};

/// What becomes known while tests run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BreakNews {
    /// This many of all tests are done.
    Done {
        /// Those that are done.
        done: usize,
        /// All of them.
        all: usize,
    },
    /// A test, recording or contract passes with the present numbers only. Its name.
    Broken(String),
    /// A change that cannot be saved, so nothing can be said about it: why not.
    Unsaved(String),
}

/// Runs all tests, recordings and contracts of a game as if `edits` were saved, and those that fail then as if `before` were, which
/// are the edits that are in effect now. `each` hears what becomes known; once it returns false, or the flag is set, the run ends.
/// Files are not changed. Must run on a thread with a stack for scripts.
///
/// # Errors
/// If the tests cannot be listed.
pub fn broken_by(
    folder: &GameFolder,
    level: &str,
    [before, edits]: [&[TuningEdit]; 2],
    stopped: &(impl Fn() -> bool + Clone + 'static),
    each: &mut dyn FnMut(BreakNews) -> bool,
) -> Result<(), Error> {
    let (changed, unsaved) = with_saved(folder, level, edits)?;
    for why in unsaved {
        if !each(BreakNews::Unsaved(why)) {
            return Ok(());
        }
    }
    let (present, _) = with_saved(folder, level, before)?;
    let [mut changed, mut present] = [changed, present].map(EditedGame::new);
    let touched = edits.iter().filter_map(|edit| edit.change.home.file(&edit.change.group, level));
    let touched: BTreeSet<String> = touched.collect();
    let mut cases = find_cases(&changed.project, &changed.cache, &[], 1)?;
    let old = find_cases(&present.project, &present.cache, &[], 1)?;
    let old: BTreeMap<&str, &TestCase> = old.iter().map(|case| (case.name.as_str(), case)).collect();
    // Contracts of what is edited come first: they say the most.
    cases.sort_by_key(|case| !touched.contains(case.file_name()));
    let all = cases.len();
    for (done, case) in cases.iter().enumerate() {
        if stopped() || !each(BreakNews::Done { done, all }) {
            return Ok(());
        }
        let Some(fails) = changed.fails(case, stopped) else { return Ok(()) };
        let passed = match old.get(case.name.as_str()).filter(|_| fails) {
            Some(old) => present.fails(old, stopped).map(|fails| !fails),
            None => Some(false),
        };
        match passed {
            None => return Ok(()),
            Some(true) if !each(BreakNews::Broken(case.name.clone())) => return Ok(()),
            Some(_) => {}
        }
    }
    each(BreakNews::Done { done: all, all });
    Ok(())
}

/// A game, and what runs its tests.
struct EditedGame {
    project: Project,
    cache: Arc<LevelCache>,
    runner: CaseRunner,
}

impl EditedGame {
    fn new(project: Project) -> Self {
        let cache = project.level_cache();
        let runner = CaseRunner::new(project.clone(), cache.clone(), CaseOptions::default());
        Self { project, cache, runner }
    }

    /// Whether a test fails; `None` if it was stopped.
    fn fails(&mut self, case: &TestCase, stopped: &(impl Fn() -> bool + Clone + 'static)) -> Option<bool> {
        let runner = &mut self.runner;
        let ((result, was_cut), is_cut) = interruptible(stopped.clone(), || (runner.run(case), was_interrupted()));
        (!is_cut && !was_cut).then(|| !result.passed())
    }
}

/// The game as it would be with edits saved, and why some of them cannot be.
fn with_saved(folder: &GameFolder, level: &str, edits: &[TuningEdit]) -> Result<(Project, Vec<String>), Error> {
    let mut texts: BTreeMap<String, Option<Vec<u8>>> = BTreeMap::new();
    let (_, unsaved) = save_tuning_with(level, edits, |file, change| {
        let text = read(folder.clone(), file).map_or_else(|_| String::new(), |file| file.text.clone());
        texts.insert(file.to_string(), Some(change(&text)?.into_bytes()));
        Ok(())
    });
    Ok((Project::load(folder.clone().with_edits(&texts))?, unsaved))
}
