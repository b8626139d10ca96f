//! A sweep of one level: opens it once, and plays it under each combination of values.

use super::{pass_test::PassTest, *};
use hangtime_game::{Variants, now, within_deadline};
use hangtime_script::budget::{interruptible, is_interrupted};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The length of runs without `--ticks`, input or demo.
const DEFAULT_TICKS: u64 = 600;

/// How many ticks are played between looks at the memory.
const TICKS_AT_ONCE: u64 = 1024;

/// The most memory that a run can hold, bytes.
const MOST_MEMORY: u64 = 128 << 20;

/// What a sweep plays.
#[derive(Clone, Debug, Default)]
pub struct SweepRequest {
    /// The keys to vary.
    pub keys: Vec<VariedKey>,
    /// The input; without one, the level's demo.
    pub input: Option<InputScript>,
    /// Settings for all runs. They win over the input's settings.
    pub settings: Settings,
    /// The seed of all runs. Without one, the input's seed, else 0.
    pub seed: Option<u64>,
    /// The length of each run, in ticks. Without one, the input's length, else 600.
    pub ticks: Option<u64>,
    /// What to ask about each run.
    pub asks: SweepAsks,
}

/// A level, ready to be played under each combination of values.
pub struct ParameterSweep {
    plan: SweepPlan,
    variants: Arc<Variants>,
    levels: TestLevels,
    level: PathBuf,
    /// With the input that is played and the settings of all runs.
    request: SweepRequest,
    questions: SweepQuestions,
    /// The test that has to pass.
    test: Option<PassTest>,
    /// Mistakes that do not keep the level from running.
    pub warnings: Vec<Diagnostic>,
}

/// The row of a run, or an expression that is wrong whatever runs do.
pub type Judged = Result<SweepRow, Box<ExpressionError>>;

/// A run to its end, or to the script error that ended it.
struct PlayedRun {
    game: TestGame,
    starts: Vec<String>,
    failure: Option<RunFailure>,
}

impl ParameterSweep {
    /// Reads the level, and checks the keys, the ends of their ranges and the expressions.
    ///
    /// # Errors
    /// [`Error::Invalid`] with what is wrong with the files, the keys or the expressions.
    pub fn open(project: &Project, level: &Path, mut request: SweepRequest) -> Result<Self, Error> {
        let plan = checked_plan(&request)?;
        let variants = Arc::new(Variants::read(project.folder(), level)?);
        let build = |settings: &Settings| {
            let all = [settings.as_slice(), &plan.settings(0).0].concat();
            let variants = variants.clone();
            within_deadline(move || variants.build(&all))?.map_err(|error| as_varied(error, &plan))
        };
        // The settings of the request win over its input's settings.
        let with_input = |input: &Option<InputScript>, settings: &Settings| {
            let of_input = input.as_ref().map_or(&[][..], |input| input.settings.as_slice());
            [of_input, settings].concat()
        };
        request.settings = with_input(&request.input, &request.settings);
        let mut base = build(&request.settings)?;
        if request.input.is_none() && base.demo.is_some() {
            request.input = base.demo.clone();
            let settings = with_input(&request.input, &request.settings);
            if settings != request.settings {
                base = build(&settings)?;
                request.settings = settings;
            }
        }
        for key in plan.keys() {
            variants.check_variable("--vary", &key.key)?;
        }
        for (option, text) in request.asks.expressions() {
            variants.check_expression(option, text, &request.settings)?;
        }
        let folder = level.parent().unwrap_or(Path::new("")).to_path_buf();
        let levels = TestLevels::new(project.clone(), folder);
        let language = project.folder().languages().first();
        let questions = SweepQuestions::new(&request.asks, &base.stage.starts, language, variants.scripts())?;
        let test = request.asks.pass_test.as_ref().map(|name| PassTest::find(project, name)).transpose()?;
        let mut warnings = base.warnings.clone();
        warnings.extend(unaffected_keys(&base, plan.keys()));
        let level = level.to_path_buf();
        let sweep = Self { plan, variants, levels, level, request, questions, test, warnings };
        for run in sweep.plan.corners() {
            let built = sweep.revision(&sweep.plan.settings(run).0);
            built.map_err(|error| as_varied(error, &sweep.plan))?;
        }
        Ok(sweep)
    }

    /// The runs.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    /// The level's path below the game folder.
    pub fn level_name(&self) -> &str {
        self.variants.level_name()
    }

    /// The columns of measured values.
    pub fn columns(&self) -> &[SweepColumn] {
        &self.questions.columns
    }

    /// What to maximize or minimize, and the expression for it.
    pub fn goal(&self) -> Option<(SweepGoal, &str)> {
        let goal = self.questions.goal.as_ref();
        goal.map(|(goal, name)| (*goal, name.as_str()))
    }

    /// Whether runs can pass or fail.
    pub fn has_pass(&self) -> bool {
        self.questions.has_pass() || self.test.is_some()
    }

    fn revision(&self, settings: &Settings) -> Result<Revision, Error> {
        self.variants.build(&[self.request.settings.as_slice(), settings].concat())
    }

    /// Whether the level can be played with this value of a key.
    pub(super) fn accepts(&self, key: usize, value: &VariedKey) -> bool {
        let plan = self.plan.with(key, value.clone());
        self.revision(&plan.settings(0).0).is_ok()
    }

    /// Plays a run of a plan with the same keys. None if `stopped` says so before its end, which interrupts it also in the
    /// middle of a call.
    pub(super) fn run(
        &self,
        plan: &SweepPlan,
        run: usize,
        stopped: &(impl Fn() -> bool + Clone + Sync + 'static),
    ) -> Option<SweepRow> {
        let judged = self.checked_run(plan, run, stopped)?;
        Some(judged.unwrap_or_else(|wrong| self.failed(run, &wrong.diagnostic, 0)))
    }

    /// Plays a run and checks the expressions with it: an error is wrong whatever a run does, as with a misspelled name. None
    /// if `stopped` says so before its end.
    pub(super) fn checked_run(
        &self,
        plan: &SweepPlan,
        run: usize,
        stopped: &(impl Fn() -> bool + Clone + Sync + 'static),
    ) -> Option<Judged> {
        // A short run may never ask.
        if stopped() {
            return None;
        }
        let started = now();
        let (judged, is_cut) = interruptible(stopped.clone(), || {
            // A panic would be a bug of hangtime; the other runs should still be played.
            catch_unwind(AssertUnwindSafe(|| self.judge(plan, run)))
        });
        if is_cut {
            return None;
        }
        let judged = judged.unwrap_or_else(|_| {
            let message = "hangtime itself failed here; please report this bug";
            let diagnostic = Diagnostic::about_file(self.level_name(), message);
            Ok(self.failed(run, &diagnostic, 0))
        });
        let ms = (now() - started).as_secs_f64() * 1000.0;
        Some(judged.map(|row| SweepRow { ms, ..row }))
    }

    fn judge(&self, plan: &SweepPlan, run: usize) -> Judged {
        let played = match self.play(plan, run) {
            Ok(played) => played,
            Err(error) => {
                let first = error.diagnostics().into_iter().next();
                let first = first.unwrap_or_else(|| Diagnostic::about_file("", "cannot be played"));
                return Ok(self.failed(run, &first, 0));
            }
        };
        let (hash, tick) = (played.game.live.world().hash(), played.game.tick());
        let answered = self.questions.answer(played.game, &played.starts);
        let row = match (played.failure, answered) {
            // Wrong names are reported even so.
            (_, Err(wrong)) if !wrong.of_run => return Err(wrong),
            (Some(failure), _) => self.row(run, SweepAnswers::default(), Some(failure)),
            (None, Ok(answers)) => self.row(run, answers, None),
            (None, Err(wrong)) => self.failed(run, &wrong.diagnostic, tick),
        };
        Ok(SweepRow { hash, ..self.with_test(row, plan) })
    }

    /// Asks the test whether a run passes that has ended without an error.
    fn with_test(&self, row: SweepRow, plan: &SweepPlan) -> SweepRow {
        let Some(test) = self.test.as_ref().filter(|_| row.failure.is_none()) else {
            return row;
        };
        let (settings, seed) = plan.settings(row.run);
        let all = [self.request.settings.as_slice(), settings.as_slice()].concat();
        match test.passes(&all, seed.or(self.request.seed)) {
            Ok(passed) => SweepRow { passed: Some(passed), ..row },
            Err(failure) => SweepRow { failure: Some(failure), ..row },
        }
    }

    fn row(&self, run: usize, answers: SweepAnswers, failure: Option<RunFailure>) -> SweepRow {
        SweepRow {
            run,
            cells: answers.cells,
            best: answers.best,
            passed: self.has_pass().then(|| answers.passed.unwrap_or(false)),
            failure,
            hash: 0,
            ms: 0.0,
        }
    }

    fn failed(&self, run: usize, diagnostic: &Diagnostic, tick: u64) -> SweepRow {
        self.row(run, SweepAnswers::default(), Some(failure(diagnostic, tick)))
    }

    fn play(&self, plan: &SweepPlan, run: usize) -> Result<PlayedRun, Error> {
        let (settings, seed) = plan.settings(run);
        let revision = self.revision(&settings)?;
        let input = self.request.input.as_ref();
        let track = input.map(|input| input.track_in(&revision.stage));
        let length = track.as_ref().map_or(DEFAULT_TICKS, |track| track.length());
        let ticks = self.request.ticks.unwrap_or(length);
        let seed = seed.or(self.request.seed).or(input.and_then(|input| input.seed)).unwrap_or(0);
        let starts = revision.stage.starts.iter().map(|start| start.name.to_string());
        let starts = starts.collect();
        let mut game = self.levels.begin(Arc::new(revision), self.level.clone(), seed);
        if self.questions.mention("why") || self.questions.mention("why_text") {
            game.live.watch(Watch::All);
        }
        if self.questions.mention("highest") || self.questions.mention("farthest") {
            game.keep_reach();
        }
        game.follow(track.unwrap_or_default());
        let mut failure = first_fault(&game);
        for tick in 0..ticks {
            if failure.is_some() || is_interrupted() {
                break;
            }
            if tick.is_multiple_of(TICKS_AT_ONCE) && game.memory() > MOST_MEMORY {
                failure = Some(too_large(&game));
                break;
            }
            game.step();
            failure = first_fault(&game);
        }
        Ok(PlayedRun { game, starts, failure })
    }
}

fn first_fault(game: &TestGame) -> Option<RunFailure> {
    let fault = game.live.report().faults.first.first();
    fault.map(|fault| failure(&fault.diagnostic, game.tick()))
}

fn too_large(game: &TestGame) -> RunFailure {
    let mib = MOST_MEMORY >> 20;
    RunFailure {
        message: format!("the events of this run take more than {mib} MiB; play fewer ticks"),
        file: String::new(),
        line: 0,
        tick: game.tick(),
    }
}

fn failure(diagnostic: &Diagnostic, tick: u64) -> RunFailure {
    let line = diagnostic.place.as_ref().map_or(0, |place| place.position().0);
    RunFailure { message: diagnostic.headline(), file: diagnostic.file_name().into(), line, tick }
}

/// The plan of a request, whose keys are set only once.
fn checked_plan(request: &SweepRequest) -> Result<SweepPlan, Error> {
    let wrong = |message: String| Error::from(Diagnostic::about_file("--vary", message));
    let plan = SweepPlan::new(request.keys.clone()).map_err(wrong)?;
    for key in plan.keys() {
        let name = printable_name(&key.key);
        if is_seed(&key.key) && request.seed.is_some() {
            return Err(wrong("the seed is varied, so `--seed` has no effect; remove one".into()));
        }
        if request.settings.iter().any(|(other, _)| *other == key.key) {
            return Err(wrong(format!("`{name}` is varied, so `--set {name}=…` has no effect; remove one")));
        }
    }
    Ok(plan)
}

/// An error about the settings of a run, in terms of the option that varies them.
fn as_varied(error: Error, plan: &SweepPlan) -> Error {
    let Error::Invalid { mut diagnostics } = error else {
        return error;
    };
    for diagnostic in &mut diagnostics {
        let Some(place) = &mut diagnostic.place else {
            continue;
        };
        let text = &place.file.text;
        let is_key = |key: &VariedKey| text.strip_prefix(&key.key).is_some_and(|s| s.starts_with('='));
        // A file of the game has a path with an ending.
        if !place.file.name.contains('.') && plan.keys().iter().any(is_key) {
            let file = Arc::new(SourceFile { name: "--vary".into(), text: text.clone() });
            *place = Place::new(&file, place.span.clone());
        }
    }
    Error::Invalid { diagnostics }
}
