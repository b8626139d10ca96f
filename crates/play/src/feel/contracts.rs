//! The contracts in the files of kinds, each checked as a test.

use super::*;
use hangtime_game::{files::FeelExpectation, now};
use hangtime_script::budget::was_interrupted;
use std::sync::OnceLock;

/// A contract about the feel of a kind.
#[derive(Clone, Debug)]
pub struct FeelContract {
    kind: Arc<ContractedKind>,
    /// The index of the expectation.
    index: usize,
}

/// The file of a kind whose contracts cannot be read.
#[derive(Clone, Debug)]
pub struct BrokenKind {
    /// Its path below the game folder.
    pub file: String,
    /// The mistakes in it.
    pub mistakes: Vec<Diagnostic>,
    /// The names of the contracts that it seems to have: `expect::apex`.
    pub(crate) lost: Vec<String>,
}

/// A contract, or a file without readable ones.
pub type FoundContract = Result<FeelContract, BrokenKind>;

/// A kind with contracts. All of them are measured together, once.
#[derive(Debug)]
struct ContractedKind {
    project: Project,
    file: String,
    kind: KindFile,
    /// What was measured, and how long that took.
    measured: OnceLock<(MeasuredKind, Duration)>,
}

/// What the contracts of each model are compared with, or the mistakes in the kind's files.
type MeasuredKind = Result<Vec<(KindBench, ModelMeasure)>, Vec<Diagnostic>>;

/// The contracts of a game at these paths, in the order of the kinds' files, and the paths that do not lead to kinds'
/// files: tests may be there. A folder counts as both. Without any paths: all contracts.
///
/// # Errors
/// [`Error::NoSuchTests`] for the first path that does not exist.
pub fn contracts_at(project: &Project, paths: &[String]) -> Result<(Vec<FoundContract>, Vec<String>), Error> {
    let kinds = project.kinds_with_contracts().into_iter();
    let mut found: Vec<FoundContract> = kinds.flat_map(|(file, kind)| contracts_of(project, file, kind)).collect();
    if paths.is_empty() {
        return Ok((found, Vec::new()));
    }
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let chosen = paths.iter().map(|path| Ok(real(&files::find_test(project.root(), path)?)));
    let chosen: Vec<PathBuf> = chosen.collect::<Result<_, Error>>()?;
    found.retain(|contract| {
        let file = contract.as_ref().map_or_else(|broken| &broken.file, |contract| &contract.kind.file);
        let file = real(&project.root().join(file));
        chosen.iter().any(|path| file.starts_with(path))
    });
    let of_kind = |path: &Path| path.extension().is_some_and(|ending| ending == "toml");
    let others = paths.iter().zip(&chosen).filter(|(_, real)| !of_kind(real));
    Ok((found, others.map(|(path, _)| path.clone()).collect()))
}

fn contracts_of(project: &Project, file: String, kind: Result<KindFile, Error>) -> Vec<FoundContract> {
    match kind {
        Err(error) => {
            let lost = lost_in(project, &file);
            vec![Err(BrokenKind { file, mistakes: error.diagnostics(), lost })]
        }
        Ok(kind) => {
            let count = kind.expectations.len();
            let kind = ContractedKind { project: project.clone(), file, kind, measured: OnceLock::new() };
            let kind = Arc::new(kind);
            (0..count).map(|index| Ok(FeelContract { kind: kind.clone(), index })).collect()
        }
    }
}

/// The contracts that a kind's file with mistakes seems to have.
fn lost_in(project: &Project, file: &str) -> Vec<String> {
    let text = files::read(project.folder().clone(), file);
    let text = text.map_or_else(|_| String::new(), |file| file.text.clone());
    let models = ModelName::ALL.iter().map(|model| model.as_str());
    let models = models.filter(|model| text.contains(model));
    let tables = models.map(|model| format!("expect::{model}"));
    let tables: Vec<String> = ["expect".to_string()].into_iter().chain(tables).collect();
    let quantities = FeelQuantity::ALL.iter().map(|quantity| quantity.name());
    let quantities = quantities.filter(|quantity| text.contains(quantity));
    quantities
        .flat_map(|quantity| tables.iter().map(move |table| format!("{table}::{quantity}")))
        .collect()
}

impl FeelContract {
    fn expectation(&self) -> &FeelExpectation {
        &self.kind.kind.expectations[self.index]
    }

    /// The kind, and which of its contracts this is.
    pub(crate) fn of_kind(&self) -> (&Project, &KindFile, usize) {
        (&self.kind.project, &self.kind.kind, self.index)
    }

    /// Its place in the file of the kind.
    pub fn place(&self) -> Place {
        self.expectation().place.clone()
    }

    /// The file of the kind, by its path below the game folder.
    pub fn file_name(&self) -> &str {
        &self.kind.file
    }

    /// The name without the file: `expect::apex`.
    pub fn key(&self) -> String {
        self.expectation().key("::")
    }

    /// The time that the contract took: its part of the time in which all contracts of the kind were measured.
    pub(crate) fn share(&self) -> Duration {
        let contracts = u32::try_from(self.kind.kind.expectations.len()).unwrap_or(u32::MAX);
        self.kind.measured.get().map_or(Duration::ZERO, |(_, took)| *took / contracts)
    }

    /// Measures the kind, if no other of its contracts has yet, and compares. The calling thread needs
    /// a stack of [`STACK`](hangtime_script::STACK) bytes. If all contracts of the kind hold, `remembers` writes the numbers
    /// into `.hangtime/feel` of the game folder.
    pub fn check(&self, remembers: bool) -> TestOutcome {
        let (kind, expectation) = (&self.kind.kind, self.expectation());
        let measured = match self.kind.measured(remembers) {
            Ok(measured) => measured,
            Err(wrong) => return TestOutcome::NotCompiled(wrong.clone()),
        };
        let model = expectation.model.unwrap_or(kind.model());
        let found = measured.iter().find(|(_, m)| m.model == model);
        let Some((bench, measured)) = found else {
            let message = format!(
                "this contract cannot be checked: `{model}` does not work in a {} view, for which `{}` is made",
                kind.view.name(),
                kind.name
            );
            return broken(expectation, message, String::new(), None);
        };
        let numbers: Vec<(u32, Measured)> = measured.of(expectation.quantity).collect();
        if numbers.iter().all(|(_, n)| holds(expectation.bound, *n)) {
            return TestOutcome::Passed;
        }
        let mut message = verdict(expectation, &numbers, measured.game_hz);
        if let Some(before) = FeelMemory::read(self.kind.project.folder(), &kind.name) {
            let suspects = Suspects { kind, bench, quantity: expectation.quantity, now: measured, before: &before };
            let cause = suspects.name();
            if !cause.is_empty() {
                message = format!("{message}; {cause}");
            }
        }
        let got = at_rates(expectation.quantity, &numbers);
        broken(expectation, message, got, measured.fault.clone())
    }
}

impl ContractedKind {
    fn measured(&self, remembers: bool) -> &MeasuredKind {
        let (measured, _) = self.measured.get_or_init(|| {
            let started = now();
            let measured = self.measure().map_err(|error| error.diagnostics());
            if remembers
                && !was_interrupted()
                && let Ok(measured) = &measured
            {
                self.remember(measured);
            }
            (measured, now() - started)
        });
        // The thread that measured may have been interrupted. Then this one is, too, and has to notice it.
        let _ = is_interrupted();
        measured
    }

    /// Measures what the contracts of each model ask for.
    fn measure(&self) -> Result<Vec<(KindBench, ModelMeasure)>, Error> {
        let kind = &self.kind;
        let mut wanted: BTreeMap<ModelName, Vec<FeelQuantity>> = BTreeMap::new();
        for expectation in &kind.expectations {
            let model = expectation.model.unwrap_or(kind.model());
            if kind.models.contains(&model) {
                wanted.entry(model).or_default().push(expectation.quantity);
            }
        }
        let mut found = Vec::new();
        for (model, wanted) in &wanted {
            let bench = self.project.kind_bench(kind, *model, None);
            let order = MeasureOrder { kind, wanted, settings: &[], only: None, slope: 0.0 };
            let measured = measure_model(&bench, *model, &order)?;
            found.push((bench, measured));
        }
        Ok(found)
    }

    /// Remembers the numbers and tunables if every contract holds, so that a later report can say
    /// which edit moved a number. A game folder that takes no files is not an error: the report only
    /// says less.
    fn remember(&self, measured: &[(KindBench, ModelMeasure)]) {
        let kind = &self.kind;
        let all_hold = kind.expectations.iter().all(|expectation| {
            let model = expectation.model.unwrap_or(kind.model());
            let found = measured.iter().find(|(_, m)| m.model == model);
            found.is_some_and(|(_, m)| m.of(expectation.quantity).all(|(_, number)| holds(expectation.bound, number)))
        });
        let Some((_, first)) = measured.first().filter(|_| all_hold) else {
            return;
        };
        let mut memory = FeelMemory::new(first.script.clone());
        for (_, measured) in measured {
            let number = |q: &FeelQuantity| Some((q.name().to_string(), measured.at_home(*q)?));
            let model = RememberedModel {
                values: FeelQuantity::ALL.iter().filter_map(number).collect(),
                tunables: measured.tunables.clone(),
            };
            memory.models.insert(measured.model.to_string(), model);
        }
        let _ = memory.write(self.project.folder(), &kind.name);
    }
}

pub fn holds(bound: FeelBound, number: Measured) -> bool {
    number.is_ok_and(|number| bound.holds(number))
}

fn broken(expectation: &FeelExpectation, message: String, got: String, fault: Option<Fault>) -> TestOutcome {
    let unit = expectation.quantity.unit();
    TestOutcome::Failed(Box::new(Failure {
        diagnostic: Diagnostic::error(expectation.place.clone(), message),
        expected: Some(format!("{} {unit}", expectation.bound)),
        got: Some(got),
        missed: None,
        tick: None,
        fault: fault.map(Arc::new),
    }))
}

/// What is wrong, without its cause.
pub fn verdict(expectation: &FeelExpectation, numbers: &[(u32, Measured)], game_hz: u32) -> String {
    let (quantity, bound) = (expectation.quantity, expectation.bound);
    let name = quantity.name();
    let failing: Vec<&(u32, Measured)> = numbers.iter().filter(|(_, number)| !holds(bound, *number)).collect();
    let home = failing.iter().find(|(hz, _)| *hz == game_hz);
    let Some((hz, number)) = home.or(failing.first()) else {
        return String::new();
    };
    let number = match number {
        Ok(number) => number,
        Err(why) => return format!("`{name}` cannot be measured: the kind {why}"),
    };
    let is = spell_measure(quantity, *number);
    if failing.len() == numbers.len() {
        return format!("`{name}` is {is}, not {bound}");
    }
    format!("the tick rates disagree: `{name}` is {is} at {hz} Hz, not {bound}")
}

/// The number at each tick rate, together where they read the same.
pub fn at_rates(quantity: FeelQuantity, numbers: &[(u32, Measured)]) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (hz, number) in numbers {
        let text = match number {
            Ok(number) => spell_measure(quantity, *number),
            Err(_) => "none".into(),
        };
        match groups.last_mut() {
            Some((last, rates)) if *last == text => rates.push(hz.to_string()),
            _ => groups.push((text, vec![hz.to_string()])),
        }
    }
    let group = |(text, rates): &(String, Vec<String>)| format!("{text} at {} Hz", spell_list(rates));
    groups.iter().map(group).collect::<Vec<_>>().join(", ")
}
