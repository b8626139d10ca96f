//! Why a test fails, in numbers: each number that the test uses is varied a little, and the whole test runs again.

use super::{
    editable_number::{EditableNumber, UsedTuning},
    feel::TunedKind,
    game::UsedLevel,
    in_order::in_order,
    suite::CaseBody,
    sweep::named_cases,
    test_script::compile_with,
    *,
};
use hangtime_game::TuningChange;
use hangtime_script::{
    MissedNumber,
    budget::{interruptible, is_interrupted},
    recording_prints,
};

/// By which share of its size a number is varied, up and down, to see what follows from it.
const STEP: f64 = 0.002;

/// Slopes up and down that differ by more than this share of the larger one are no slope.
const ABRUPT: f64 = 0.5;

/// A measured number that moves by less than this share of itself has not moved.
const MOVED: f64 = 1e-12;

/// The changes that are tried, as shares of a number's size, one after the other.
const CHANGES: [f64; 6] = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6];

/// How near a failing value the one that is found has to be: a share of the change, and of the number's size.
const NEAREST: (f64, f64) = (0.01, 1e-4);

/// How often the interval between two values is halved at most.
const HALVINGS: u32 = 24;

/// A test, ready to run with other numbers.
pub struct TestBlame {
    /// The name of the test, with the arguments of a case.
    pub name: String,
    subject: BlamedTest,
    base: TestTrial,
    numbers: Vec<EditableNumber>,
}

/// What runs.
enum BlamedTest {
    /// A function of a test script.
    Function { project: Project, cache: Arc<LevelCache>, file: Arc<SourceFile>, test: TestFunction },
    /// One of the contracts of a kind.
    Contract { kind: TunedKind, index: usize },
}

/// How a test went.
#[derive(Clone, Debug, PartialEq)]
struct TestTrial {
    /// Why it failed; `None` if it passed.
    failure: Option<TestMiss>,
    /// The hash of all that it played.
    hash: u64,
}

/// Why a test fails.
#[derive(Clone, Debug, PartialEq)]
pub struct TestMiss {
    /// The message.
    pub message: String,
    /// Where the expectation is: `levels/tests/gap.rhai:12`.
    pub place: String,
    /// What was expected, if it was a comparison.
    pub expected: Option<String>,
    /// The value.
    pub got: Option<String>,
    /// The numbers that were compared, if they were.
    pub missed: Option<MissedNumber>,
    /// The unit of these numbers; empty if it is not known.
    pub unit: &'static str,
}

/// How a failed test depends on a number.
#[derive(Clone, Debug, PartialEq)]
pub struct BlamedNumber {
    /// The number.
    pub number: EditableNumber,
    /// By how much the compared value moves for each unit of the number; `None` if it is not a number, or does not move.
    pub slope: Option<f64>,
    /// Whether the compared value jumps near the number's, so that the slope says little.
    pub abrupt: bool,
    /// The nearest value of the number that was found with which the whole test passes.
    pub would_do: Option<f64>,
}

impl BlamedNumber {
    /// How far the compared value moves if the number changes by 1 %.
    pub fn effect(&self) -> f64 {
        self.slope.unwrap_or(0.0).abs() * self.number.size() * 0.01
    }

    /// The change that would do, as a share of the number's size.
    fn change(&self) -> f64 {
        self.would_do
            .map_or(f64::INFINITY, |to| (to - self.number.value).abs() / self.number.size())
    }
}

impl TestBlame {
    /// Finds a test by its name, as `--filter =NAME` does, and runs it. Of the cases of a table, it is the first that fails.
    ///
    /// # Errors
    /// If there is no such test, or it cannot run with other numbers, such as an input with a golden trace.
    pub fn find(project: &Project, option: &str, name: &str) -> Result<Self, Error> {
        let cache = project.level_cache();
        let mut first = None;
        for case in named_cases(project, &cache, option, name)? {
            let blame = Self::of(project, &cache, option, &case)?;
            if blame.miss().is_some() {
                return Ok(blame);
            }
            first = first.or(Some(blame));
        }
        first.ok_or_else(|| Diagnostic::about_file(option, "there is no such test").into())
    }

    fn of(project: &Project, cache: &Arc<LevelCache>, option: &str, case: &TestCase) -> Result<Self, Error> {
        let name = case.name.clone();
        let subject = match &case.run {
            Err(mistakes) => return Err(mistakes.clone().into()),
            Ok(CaseBody::Golden(_)) => {
                let message =
                    format!("`{name}` compares a run with its trace, so no number makes it pass; see its report");
                return Err(Diagnostic::about_file(option, message).into());
            }
            Ok(CaseBody::Function(test)) => BlamedTest::Function {
                project: project.clone(),
                cache: cache.clone(),
                file: case.file.clone(),
                test: test.clone(),
            },
            Ok(CaseBody::Contract(contract)) => {
                let (project, kind, index) = contract.of_kind();
                let kind = TunedKind::read(project, &kind.name)?;
                let kind = kind.ok_or_else(|| Diagnostic::about_file(option, "the contract is gone"))?;
                BlamedTest::Contract { kind, index }
            }
        };
        let used: Arc<Mutex<Vec<UsedLevel>>> = Arc::default();
        let base = subject.run(Vec::new(), Some(used.clone()))?;
        if let BlamedTest::Contract { kind, index } = &subject
            && let Some(home) = kind.home(*index)
        {
            let mut tuning = UsedTuning::default();
            tuning.note(&Live::new(home.clone(), 0), None);
            used.lock().push((home.clone(), tuning));
        }
        let mut numbers: Vec<EditableNumber> = Vec::new();
        for (revision, tuning) in mem::take(&mut *used.lock()) {
            for number in tuning.numbers(&revision).into_iter().filter(|number| number.size() > 0.0) {
                if !numbers.iter().any(|other| other.is_the_place_of(&number)) {
                    numbers.push(number);
                }
            }
        }
        Ok(Self { name, subject, base, numbers })
    }

    /// Why the test fails; `None` if it passes.
    pub fn miss(&self) -> Option<&TestMiss> {
        self.base.failure.as_ref()
    }

    /// How many numbers are varied.
    pub fn numbers(&self) -> usize {
        self.numbers.len()
    }

    /// What the failure depends on: first the numbers that make the test pass, with the smallest relative change first, then
    /// those that move the compared value, the strongest first. `each` is called after each number.
    pub fn blamed(
        &self,
        threads: usize,
        stopped: &(impl Fn() -> bool + Clone + Sync + 'static),
        mut each: impl FnMut(),
    ) -> Vec<BlamedNumber> {
        let Some(miss) = self.miss() else { return Vec::new() };
        let work = |place: usize| {
            let (varied, is_cut) = interruptible(stopped.clone(), || self.vary(&self.numbers[place], miss));
            (!is_cut).then_some(varied)
        };
        let mut found: Vec<BlamedNumber> = Vec::new();
        in_order(self.numbers.len(), threads, work, |varied| {
            found.extend(varied);
            each();
            true
        });
        found.sort_by(|a, b| a.change().total_cmp(&b.change()).then(b.effect().total_cmp(&a.effect())));
        found
    }

    /// Runs the test with another value of a number; `None` if it cannot have that.
    fn trial(&self, number: &EditableNumber, value: f64) -> Option<TestTrial> {
        self.subject.run(vec![number.changed(value)?], None).ok()
    }

    /// What depends on a number; `None` if nothing does.
    fn vary(&self, number: &EditableNumber, miss: &TestMiss) -> Option<BlamedNumber> {
        let differs = |value: f64| self.trial(number, value).is_some_and(|trial| trial != self.base);
        // Most numbers have no effect, however large their change is.
        let far = [1.0, -1.0].map(|way| (way, self.values(number, way).last().is_some_and(|to| differs(*to))));
        let step = number.size() * STEP;
        let value = |by: f64| {
            let trial = self.trial(number, number.value + by)?;
            let failure = trial.failure.filter(|failure| failure.is_at(miss))?;
            Some((failure.missed?.got - miss.missed?.got) / by)
        };
        let [up, down] = [value(step), value(-step)];
        let abrupt = match (up, down) {
            (Some(up), Some(down)) => (up - down).abs() > ABRUPT * up.abs().max(down.abs()),
            _ => false,
        };
        let slope = up.into_iter().chain(down).sum::<f64>() / up.iter().chain(&down).count().max(1) as f64;
        let size = miss.missed.map_or(1.0, |missed| missed.got.abs().max(1.0));
        let slope = (slope.abs() * step > MOVED * size).then_some(slope);
        let ways = far.into_iter().filter(|(_, differs)| *differs || slope.is_some());
        let found = ways.filter_map(|(way, _)| self.least(number, miss, way));
        let away = |to: &f64| (to - number.value).abs();
        let would_do = found.min_by(|a, b| away(a).total_cmp(&away(b)));
        let number = number.clone();
        (slope.is_some() || would_do.is_some()).then_some(BlamedNumber { number, slope, abrupt, would_do })
    }

    /// The values to one side that are tried, one after the other.
    fn values(&self, number: &EditableNumber, way: f64) -> Vec<f64> {
        let [least, most] = number.ends();
        // Down, the last change of a positive number leads to 0.
        let share = |change: f64| if way < 0.0 { change.min(1.0) } else { change };
        let values = CHANGES.iter().map(|change| number.value + way * number.size() * share(*change));
        let values = values.map(|value| value.clamp(least, most));
        // Some numbers are whole.
        let values = values.map(|value| if number.changed(value).is_none() { value.round() } else { value });
        let mut values: Vec<f64> = values.filter(|value| number.changed(*value).is_some()).collect();
        values.dedup();
        values
    }

    /// The nearest value to one side with which the test passes.
    fn least(&self, number: &EditableNumber, miss: &TestMiss, way: f64) -> Option<f64> {
        let mut fails = (number.value, miss.side());
        for value in self.values(number, way) {
            if is_interrupted() {
                return None;
            }
            let trial = self.trial(number, value)?;
            let Some(failure) = trial.failure else { return Some(self.nearest(number, fails.0, value)) };
            let side = if failure.is_at(miss) { failure.side() } else { 0 };
            // The value was too small, and now is too large: one between them may pass.
            if side * fails.1 < 0
                && let Some((near, passes)) = self.between(number, miss, fails, value)
            {
                return Some(self.nearest(number, near, passes));
            }
            fails = (value, side);
        }
        None
    }

    /// A value between two with which the compared number is on either side of what is expected, and the nearest failing
    /// one before it.
    fn between(
        &self,
        number: &EditableNumber,
        miss: &TestMiss,
        (mut near, side): (f64, i32),
        mut far: f64,
    ) -> Option<(f64, f64)> {
        for _ in 0..HALVINGS {
            let middle = near.midpoint(far);
            let Some(failure) = self.trial(number, middle)?.failure else { return Some((near, middle)) };
            match failure.is_at(miss).then(|| failure.side())? {
                same if same == side => near = middle,
                _ => far = middle,
            }
        }
        None
    }

    /// The passing value nearest to a failing one, with a change of few digits where that passes, too.
    fn nearest(&self, number: &EditableNumber, mut fails: f64, mut passes: f64) -> f64 {
        let does = |value: f64| self.trial(number, value).is_some_and(|trial| trial.failure.is_none());
        let close = |fails: f64, passes: f64| {
            (passes - fails).abs() <= (NEAREST.0 * (passes - number.value).abs()).max(NEAREST.1 * number.size())
        };
        for _ in 0..HALVINGS {
            if close(fails, passes) || is_interrupted() {
                break;
            }
            let middle = fails.midpoint(passes);
            if does(middle) { passes = middle } else { fails = middle }
        }
        let change = passes - number.value;
        let short = [2, 3].map(|digits| number.value + with_digits(change, digits));
        short.into_iter().find(|value| *value == passes || does(*value)).unwrap_or(passes)
    }
}

/// The next number away from 0 with this many digits.
fn with_digits(x: f64, digits: i32) -> f64 {
    let places = digits - 1 - x.abs().log10().floor() as i32;
    let unit = 10_f64.powi(places.abs());
    let size = if places < 0 {
        (x.abs() / unit).ceil() * unit
    } else {
        (x.abs() * unit).ceil() / unit
    };
    size.copysign(x)
}

impl TestMiss {
    /// Whether this is the same expectation.
    fn is_at(&self, other: &Self) -> bool {
        self.place == other.place && self.expected == other.expected
    }

    /// -1 if the number was too small, 1 if it was too large, 0 without numbers.
    fn side(&self) -> i32 {
        match self.missed {
            Some(MissedNumber { got, least, most }) if least.is_infinite() || got > most => i32::from(got >= most),
            Some(MissedNumber { got, least, .. }) => -i32::from(got <= least),
            None => 0,
        }
    }
}

impl BlamedTest {
    /// Runs the test with these numbers.
    fn run(&self, changes: Vec<TuningChange>, used: Option<Arc<Mutex<Vec<UsedLevel>>>>) -> Result<TestTrial, Error> {
        match self {
            Self::Function { project, cache, file, test } => {
                let mut log = PlayLog::default();
                let prepare = |levels: TestLevels| {
                    log = levels.log().clone();
                    let levels = levels.tuned(changes);
                    match used {
                        Some(used) => levels.using(used),
                        None => levels,
                    }
                };
                let mut script = compile_with(project, cache, file, prepare)?;
                let (ran, _) = recording_prints(|| script.run_plainly(test));
                // Levels are hashed when they are dropped.
                drop(script);
                let hash = fold_hashes(log.take().hashes);
                Ok(TestTrial { failure: ran.err().map(|failure| miss_of(&failure)), hash })
            }
            Self::Contract { kind, index } => {
                let refused = |wrong: String| Error::from(Diagnostic::about_file(&*kind.file().file, wrong));
                let measured = kind.measure(&changes, Some(*index), |_| true).map_err(refused)?;
                let contract = &measured.contracts[*index];
                let bits = contract.numbers.iter().map(|(_, number)| number.map_or(0, f64::to_bits));
                let failing = contract.numbers.iter().filter(|(_, n)| !n.is_ok_and(|n| contract.bound.holds(n)));
                let failure = (contract.holds() == Some(false)).then(|| {
                    let [least, most] = contract.bound.ends();
                    TestMiss {
                        message: kind.verdict(*index, &contract.numbers),
                        place: contract.place.clone(),
                        expected: Some(contract.allowed()),
                        got: Some(contract.at_rates()),
                        missed: { failing }.find_map(|(_, number)| number.ok()).map(|got| MissedNumber {
                            got,
                            least,
                            most,
                        }),
                        unit: contract.quantity.unit(),
                    }
                });
                Ok(TestTrial { failure, hash: fold_hashes(bits) })
            }
        }
    }
}

fn miss_of(failure: &Failure) -> TestMiss {
    let place = failure.diagnostic.place.as_ref();
    let place = place.map_or_else(String::new, |place| format!("{}:{}", place.file.name, place.position().0));
    TestMiss {
        message: failure.diagnostic.message.clone(),
        place,
        expected: failure.expected.clone(),
        got: failure.got.clone(),
        missed: failure.missed,
        unit: "",
    }
}
