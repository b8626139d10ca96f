//! The contracts in the files of kinds, each checked as a test.

use super::blame::Suspects;
use super::kind_measure::{MeasureOrder, ModelMeasure, measure_model};
use super::lab::Measured;
use super::spelling::{spell_list, spell_measure};
use crate::outcome::TestOutcome;
use hangtime_core::models::ModelName;
use hangtime_game::files::{FeelBound, FeelExpectation, FeelMemory, FeelQuantity, RememberedModel};
use hangtime_game::{Error, KindBench, KindFile, Project, files, now};
use hangtime_rhai::Failure;
use hangtime_script::{Diagnostic, Fault, Place, SourceFile};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A contract about the feel of a kind, or the file of a kind whose contracts cannot be read.
#[derive(Clone, Debug)]
pub struct FeelContract {
    /// `FILE::expect::NAME`, or just the file's name if it has mistakes.
    pub name: String,
    kind: Arc<ContractedKind>,
    /// The index of the expectation; `None` if the file has mistakes.
    index: Option<usize>,
    /// The names of the contracts that a file with mistakes seems to have: `expect::apex`.
    pub(crate) lost: Vec<String>,
}

/// A kind with contracts. All of them are measured together, once.
#[derive(Debug)]
struct ContractedKind {
    project: Project,
    file: String,
    kind: Result<KindFile, Vec<Diagnostic>>,
    measured: OnceLock<MeasuredKind>,
    /// How long that took.
    took: OnceLock<Duration>,
}

/// What the contracts of each model are compared with, or the mistakes in the kind's files.
type MeasuredKind = Result<Vec<(KindBench, ModelMeasure)>, Vec<Diagnostic>>;

/// All contracts of a game, in the order of the kinds' files.
pub fn contract_cases(project: &Project) -> Vec<FeelContract> {
    let kinds = project.kinds_with_contracts();
    kinds.into_iter().flat_map(|(file, kind)| contracts_of(project, file, kind)).collect()
}

/// The contracts at these paths, and the paths that are not those of kinds' files: tests may be there.
/// A folder counts as both. Without any paths: all contracts.
///
/// # Errors
/// [`Error::NoSuchTests`] for the first path that does not exist.
pub fn contracts_at(project: &Project, paths: &[String]) -> Result<(Vec<FeelContract>, Vec<String>), Error> {
    let all = contract_cases(project);
    if paths.is_empty() {
        return Ok((all, Vec::new()));
    }
    let chosen: Vec<PathBuf> = paths
        .iter()
        .map(|path| files::find_test(project.root(), path))
        .collect::<Result<_, _>>()?;
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let reals: Vec<PathBuf> = chosen.iter().map(|path| real(path)).collect();
    let is_chosen = |contract: &FeelContract| {
        let file = real(&project.root().join(contract.file_name()));
        reals.iter().any(|path| file.starts_with(path))
    };
    let of_kind = |path: &Path| path.extension().is_some_and(|ending| ending == "toml");
    let others = paths.iter().zip(&reals);
    let others = others.filter(|(_, real)| !of_kind(real));
    Ok((all.into_iter().filter(is_chosen).collect(), others.map(|(path, _)| path.clone()).collect()))
}

fn contracts_of(project: &Project, file: String, kind: Result<KindFile, Error>) -> Vec<FeelContract> {
    let kind = kind.map_err(|error| error.diagnostics());
    let keys: Vec<String> = match &kind {
        Ok(kind) => kind.expectations.iter().map(|e| e.key("::")).collect(),
        Err(_) => Vec::new(),
    };
    let kind = Arc::new(ContractedKind {
        project: project.clone(),
        file: file.clone(),
        kind,
        measured: OnceLock::new(),
        took: OnceLock::new(),
    });
    if keys.is_empty() {
        return vec![FeelContract { lost: lost_in(project, &file), name: file, kind, index: None }];
    }
    let contract = |(index, key): (usize, String)| FeelContract {
        name: format!("{file}::{key}"),
        kind: kind.clone(),
        index: Some(index),
        lost: Vec::new(),
    };
    keys.into_iter().enumerate().map(contract).collect()
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
    /// The first mistake in the kind's file.
    pub(crate) fn mistake(&self) -> Option<&Diagnostic> {
        self.kind.kind.as_ref().err()?.first()
    }

    /// Its place in the file of the kind; the start of the file if that has mistakes.
    pub fn place(&self) -> Place {
        let expectation = self.kind.kind.as_ref().ok().zip(self.index);
        expectation.map_or_else(
            || {
                let file = SourceFile { name: self.kind.file.clone(), text: String::new() };
                Place::new(&Arc::new(file), 0..0)
            },
            |(kind, index)| kind.expectations[index].place.clone(),
        )
    }

    /// The file of the kind, by its path below the game folder.
    pub fn file_name(&self) -> &str {
        &self.kind.file
    }

    /// The name without the file: `expect::apex`. Empty if the file has mistakes.
    pub fn key(&self) -> &str {
        let rest = self.name.strip_prefix(self.file_name()).unwrap_or("");
        rest.strip_prefix("::").unwrap_or(rest)
    }

    /// The time that the contract took: its part of the time in which all contracts of the kind were measured.
    pub(crate) fn share(&self) -> Duration {
        let contracts = self.kind.kind.as_ref().map_or(1, |kind| kind.expectations.len());
        let all = self.kind.took.get().copied().unwrap_or_default();
        all / u32::try_from(contracts.max(1)).unwrap_or(u32::MAX)
    }

    /// Measures the kind, if no other of its contracts has yet, and compares. The calling thread needs
    /// a stack of [`STACK`](hangtime_script::STACK) bytes.
    pub fn check(&self) -> TestOutcome {
        let (kind, measured) = match (&self.kind.kind, self.kind.measured()) {
            (Ok(kind), Ok(measured)) => (kind, measured),
            (Err(wrong), _) | (_, Err(wrong)) => return TestOutcome::NotCompiled(wrong.clone()),
        };
        let Some(expectation) = self.index.map(|index| &kind.expectations[index]) else {
            return TestOutcome::Passed;
        };
        let model = expectation.model.unwrap_or(kind.model());
        let found = measured.iter().find(|(_, m)| m.model == model);
        let Some((bench, measured)) = found else {
            return broken(expectation, wrong_view(kind, model), String::new(), None);
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
    fn measured(&self) -> &MeasuredKind {
        self.measured.get_or_init(|| {
            let started = now();
            let found = self.measure_once();
            let _ = self.took.set(now() - started);
            found
        })
    }

    fn measure_once(&self) -> MeasuredKind {
        let kind = self.kind.as_ref().map_err(Clone::clone)?;
        let measured = self.measure(kind).map_err(|error| error.diagnostics())?;
        self.remember(kind, &measured);
        Ok(measured)
    }

    /// Measures what the contracts of each model ask for.
    fn measure(&self, kind: &KindFile) -> Result<Vec<(KindBench, ModelMeasure)>, Error> {
        let mut wanted: BTreeMap<ModelName, Vec<FeelQuantity>> = BTreeMap::new();
        for expectation in &kind.expectations {
            let model = expectation.model.unwrap_or(kind.model());
            if kind.models.contains(&model) {
                wanted.entry(model).or_default().push(expectation.quantity);
            }
        }
        let mut found = Vec::new();
        for (model, wanted) in &wanted {
            let bench = self.project.kind_bench(kind, *model);
            let order = MeasureOrder { kind, wanted, settings: &[], only: None };
            let measured = measure_model(&bench, *model, &order)?;
            found.push((bench, measured));
        }
        Ok(found)
    }

    /// Remembers the numbers and tunables if every contract holds, so that a later report can say
    /// which edit moved a number. A game folder that takes no files is not an error: the report only
    /// says less.
    fn remember(&self, kind: &KindFile, measured: &[(KindBench, ModelMeasure)]) {
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
            let number = |q: &FeelQuantity| {
                let value = measured.at_home(*q)?.ok()?;
                Some((q.name().to_string(), value))
            };
            let model = RememberedModel {
                values: FeelQuantity::ALL.iter().filter_map(number).collect(),
                tunables: measured.tunables.clone(),
            };
            memory.models.insert(measured.model.to_string(), model);
        }
        let _ = memory.write(self.project.folder(), &kind.name);
    }
}

fn holds(bound: FeelBound, number: Measured) -> bool {
    number.is_ok_and(|number| bound.holds(number))
}

fn broken(expectation: &FeelExpectation, message: String, got: String, fault: Option<Fault>) -> TestOutcome {
    let unit = expectation.quantity.unit();
    TestOutcome::Failed(Box::new(Failure {
        diagnostic: Diagnostic::error(expectation.place.clone(), message),
        expected: Some(format!("{} {unit}", expectation.bound)),
        got: Some(got),
        tick: None,
        fault: fault.map(Arc::new),
    }))
}

fn wrong_view(kind: &KindFile, model: ModelName) -> String {
    format!(
        "this contract cannot be checked: `{model}` does not work in a {} view, for which `{}` is made",
        kind.view.name(),
        kind.name
    )
}

/// What is wrong, without its cause.
fn verdict(expectation: &FeelExpectation, numbers: &[(u32, Measured)], game_hz: u32) -> String {
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
fn at_rates(quantity: FeelQuantity, numbers: &[(u32, Measured)]) -> String {
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
