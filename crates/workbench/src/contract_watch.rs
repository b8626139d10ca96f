//! The contracts of the picked entity's kind under the numbers of the panel, measured in the background.

use super::*;
use hangtime_game::{GameFolder, Project};
use hangtime_play::feel::{ContractNumber, TunedContracts, TunedKind};
use hangtime_script::budget::interruptible;

/// How long the numbers of a drag are still measured at the game's tick rate once there are newer ones, s: while a slider
/// moves, each measurement would be canceled otherwise.
const PATIENCE: f64 = 0.3;

/// What the panel shows of the contracts of a kind.
#[derive(Clone, Debug, PartialEq)]
pub enum ContractFacts {
    /// The files of the kind are being read.
    Reading,
    /// The kind has no contracts.
    None,
    /// Why the contracts cannot be measured.
    Wrong(String),
    /// The contracts, in the order of a sheet.
    Rows(Vec<ContractRow>),
}

/// A contract as the panel shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractRow {
    /// Its name below `[expect]`: `apex`, `two_velocity.run_up`.
    pub name: String,
    /// What it allows: `189.8 ± 0.5 px`.
    pub allowed: String,
    /// The number under the present numbers, or the one before while it is measured; empty before the first one.
    pub measured: String,
    /// Whether it holds.
    pub state: ContractState,
    /// The numbers at each tick rate so far, where the contract is written, and the first error of a script.
    pub about: String,
}

/// Whether a contract holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContractState {
    /// It is being measured.
    Measuring,
    /// It holds at each tick rate.
    Holds,
    /// It holds, with little to spare.
    Near,
    /// It is broken.
    Broken,
}

/// What the thread reports.
enum ContractReport {
    /// The contracts of the kind, if it has any, or what is wrong with its files.
    Read(Result<Option<Arc<TunedKind>>, String>),
    /// What was measured so far, and for each contract that is broken, why.
    Measured(TunedContracts, Vec<Option<String>>),
}

/// What is measured: a kind, its files, and the numbers that differ from them.
#[derive(Clone)]
struct MeasuredNumbers {
    kind: Arc<str>,
    files: Arc<Revision>,
    changes: Vec<TuningChange>,
}

impl MeasuredNumbers {
    fn has_files_of(&self, other: &Self) -> bool {
        self.kind == other.kind && Arc::ptr_eq(&self.files, &other.files)
    }
}

/// Measures the contracts of the picked entity's kind whenever numbers or files change, and logs the contracts that break.
pub struct ContractWatch {
    folder: GameFolder,
    /// What the last thread was started with, and when.
    started: Option<(MeasuredNumbers, f64)>,
    job: Option<BackgroundJob<ContractReport>>,
    /// What the thread has read of the kind.
    read: Option<Result<Option<Arc<TunedKind>>, String>>,
    /// What was measured for these numbers, and before for others.
    now: TunedContracts,
    before: TunedContracts,
    /// Whether all was measured at the game's tick rate.
    home_is_done: bool,
    /// The contracts that are broken.
    broken: BTreeMap<String, bool>,
    facts: Option<Arc<ContractFacts>>,
}

impl ContractWatch {
    /// Watches kinds of this game.
    pub fn new(folder: GameFolder) -> Self {
        Self {
            folder,
            started: None,
            job: None,
            read: None,
            now: TunedContracts::default(),
            before: TunedContracts::default(),
            home_is_done: false,
            broken: BTreeMap::new(),
            facts: None,
        }
    }

    /// What the panel shows; `None` while it is closed or no entity is picked.
    pub fn facts(&self) -> Option<&Arc<ContractFacts>> {
        self.facts.as_ref()
    }

    /// Whether a thread still measures.
    pub fn is_running(&self) -> bool {
        self.job.is_some()
    }

    /// Follows the numbers of a workbench while the panel is `open`: call it once per frame.
    pub fn follow(&mut self, bench: &mut Workbench, open: bool) {
        let kind = bench.line.picked_entity().map(|entity| entity.kind.clone());
        // The files of a recording may be others than those on disk.
        let Some(kind) = kind.filter(|_| open && !bench.plays_recording()) else {
            if self.started.is_some() {
                *self = Self::new(self.folder.clone());
            }
            return;
        };
        let tuning = &bench.line.tuning;
        let wanted = MeasuredNumbers { kind, files: tuning.base().clone(), changes: tuning.changes().to_vec() };
        let now = bench.time.now();
        let mut changed = self.poll(bench);
        let started = self.started.as_ref();
        if !started.is_some_and(|(started, _)| started.has_files_of(&wanted)) {
            if started.is_none_or(|(started, _)| started.kind != wanted.kind) {
                (self.now, self.before) = Default::default();
                self.broken.clear();
            }
            self.read = None;
            changed = true;
            self.start(wanted, now);
        } else if let Some((started, since)) = started
            && started.changes != wanted.changes
            && (self.job.is_none() || self.home_is_done || now - since > PATIENCE)
        {
            changed = true;
            self.start(wanted, now);
        }
        if changed || self.facts.is_none() {
            self.facts = Some(Arc::new(self.described()));
        }
    }

    /// Starts to measure; the measurement before is canceled.
    fn start(&mut self, wanted: MeasuredNumbers, now: f64) {
        self.started = Some((wanted.clone(), now));
        // What was measured is shown until it is measured again.
        let measured = mem::take(&mut self.now);
        if measured.contracts.iter().any(|contract| !contract.numbers.is_empty()) {
            self.before = measured;
        }
        self.home_is_done = false;
        let (folder, known) = (self.folder.clone(), self.read.clone().and_then(Result::ok));
        let job = BackgroundJob::start("contracts", move |post, canceled| {
            let stopped = canceled.clone();
            let asked = move || stopped.load(Ordering::Relaxed);
            interruptible(asked, || {
                let read = known.map_or_else(|| read_kind(folder, &wanted.kind), Ok);
                if post.send(ContractReport::Read(read.clone())).is_err() {
                    return;
                }
                let Ok(Some(kind)) = read else { return };
                let report = |measured: &TunedContracts| {
                    let why = |(place, contract): (usize, &ContractNumber)| {
                        let is_broken = contract.holds() == Some(false);
                        is_broken.then(|| kind.verdict(place, &contract.numbers))
                    };
                    let verdicts = measured.contracts.iter().enumerate().map(why).collect();
                    post.send(ContractReport::Measured(measured.clone(), verdicts)).is_ok()
                };
                if let Err(wrong) = kind.measure(&wanted.changes, None, report) {
                    let _ = post.send(ContractReport::Read(Err(wrong)));
                }
            });
        });
        // Without a thread nothing is measured, and the game runs on.
        self.job = job.ok();
    }

    /// Takes what the thread has found. Returns whether there was something.
    fn poll(&mut self, bench: &mut Workbench) -> bool {
        let mut found = false;
        while let Some(job) = &self.job {
            match job.poll() {
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => self.job = None,
                Ok(ContractReport::Read(read)) => self.read = Some(read),
                Ok(ContractReport::Measured(measured, verdicts)) => {
                    self.home_is_done = measured.contracts.iter().all(|contract| !contract.numbers.is_empty());
                    self.now = measured;
                    self.log(bench, &verdicts);
                }
            }
            found = true;
        }
        found
    }

    /// Logs contracts that break or hold again, each once.
    fn log(&mut self, bench: &mut Workbench, verdicts: &[Option<String>]) {
        let kind = printable_name(&cut_name(&self.now.kind)).into_owned();
        for (contract, verdict) in self.now.contracts.iter().zip(verdicts) {
            let (key, name) = (&contract.key, contract.quantity.name());
            let was_broken = self.broken.get(key).copied().unwrap_or(false);
            match (contract.holds(), verdict) {
                (Some(false), Some(verdict)) if !was_broken => {
                    let of_kind = verdict.replacen(&format!("`{name}`"), &format!("`{name}` of {kind}"), 1);
                    bench.add_line(LogKind::Warning, &of_kind);
                    self.broken.insert(key.clone(), true);
                }
                (Some(true), _) if was_broken => {
                    let measured = contract.measured().unwrap_or_default();
                    bench.note(format!("`{name}` of {kind} holds again: {measured}"));
                    self.broken.insert(key.clone(), false);
                }
                _ => {}
            }
        }
    }

    fn described(&self) -> ContractFacts {
        match &self.read {
            None if self.before.contracts.is_empty() => ContractFacts::Reading,
            Some(Ok(None)) => ContractFacts::None,
            Some(Err(wrong)) => ContractFacts::Wrong(wrong.clone()),
            Some(Ok(Some(kind))) if self.now.contracts.is_empty() => self.rows(&kind.unmeasured()),
            None => self.rows(&self.before),
            Some(Ok(Some(_))) => self.rows(&self.now),
        }
    }

    fn rows(&self, shown: &TunedContracts) -> ContractFacts {
        let is_now = std::ptr::eq(shown, &self.now);
        let row = |contract: &ContractNumber| {
            let before = self.before.contracts.iter().find(|other| other.key == contract.key);
            let measured = contract.measured().or_else(|| before?.measured());
            let state = match contract.holds().filter(|_| is_now) {
                None => ContractState::Measuring,
                Some(false) => ContractState::Broken,
                Some(true) if contract.is_near() => ContractState::Near,
                Some(true) => ContractState::Holds,
            };
            let model = contract.model.map(|model| format!("{model}."));
            let mut about = vec![contract.quantity.about().to_string()];
            about.extend((!contract.numbers.is_empty()).then(|| contract.at_rates()));
            about.push(contract.place.clone());
            about.extend(shown.fault.iter().cloned());
            ContractRow {
                name: format!("{}{}", model.unwrap_or_default(), contract.quantity.name()),
                allowed: contract.allowed(),
                measured: measured.unwrap_or_default(),
                state,
                about: about.join("\n"),
            }
        };
        ContractFacts::Rows(shown.contracts.iter().map(row).collect())
    }
}

/// Reads the contracts of a kind; what is wrong as one line.
fn read_kind(folder: GameFolder, kind: &str) -> Result<Option<Arc<TunedKind>>, String> {
    let read = Project::load(folder).and_then(|project| TunedKind::read(&project, kind));
    read.map(|kind| kind.map(Arc::new)).map_err(|error| {
        let first = error.diagnostics().into_iter().next();
        first.map_or_else(|| error.to_string(), |first| first.headline())
    })
}
