//! The contracts of a kind under numbers that no file has yet.

use super::*;
use hangtime_game::{TuningChange, files::FeelExpectation};

/// How near a bound a number is that holds it just so, as a share of what the bound leaves open.
const NEAR: f64 = 0.2;

/// A kind with contracts whose files were read at one moment, to be measured under changed numbers.
pub struct TunedKind {
    kind: KindFile,
    game_hz: u32,
    /// The kind alone under the model of contracts, at each tick rate, or the mistakes in its files.
    benches: BTreeMap<(ModelName, u32), Arc<Revision>>,
}

/// A contract, and what was measured so far.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractNumber {
    /// Its name without the file: `expect::apex`.
    pub key: String,
    /// The quantity.
    pub quantity: FeelQuantity,
    /// The model, if it is not the kind's own.
    pub model: Option<ModelName>,
    /// Where it is written: `config/entities/hero.toml:10`.
    pub place: String,
    /// The numbers that it allows.
    pub bound: FeelBound,
    /// What was measured, by tick rate, the game's own first.
    pub numbers: Vec<(u32, Measured)>,
    /// Whether it was measured at each tick rate.
    pub done: bool,
}

impl ContractNumber {
    /// Whether it holds: `false` as soon as one number is outside, `true` once all are measured, and `None` before.
    pub fn holds(&self) -> Option<bool> {
        if self.numbers.iter().any(|(_, number)| !holds(self.bound, *number)) {
            return Some(false);
        }
        self.done.then_some(true)
    }

    /// Whether it holds with little to spare: within a fifth of its range, or of a value with one bound, from the bound.
    pub fn is_near(&self) -> bool {
        let [least, most] = self.bound.ends();
        let room = |value: f64| (value - least).min(most - value);
        let size = if (most - least).is_finite() {
            0.5 * (most - least)
        } else {
            least.max(-most).abs() * 0.1
        };
        let numbers = self.numbers.iter().filter_map(|(_, number)| number.ok());
        let nearest = numbers.map(room).fold(f64::INFINITY, f64::min);
        self.holds() == Some(true) && nearest < NEAR * size
    }

    /// The number at the game's own tick rate, as text with its unit; `None` before it is measured.
    pub fn measured(&self) -> Option<String> {
        let (_, number) = self.numbers.first()?;
        Some(match number {
            Ok(number) => spell_measure(self.quantity, *number),
            Err(why) => format!("none: it {why}"),
        })
    }

    /// What it allows, as text with its unit.
    pub fn allowed(&self) -> String {
        format!("{} {}", self.bound, self.quantity.unit())
    }

    /// What was measured at all tick rates so far, as text.
    pub fn at_rates(&self) -> String {
        let mut numbers = self.numbers.clone();
        numbers.sort_by_key(|(hz, _)| *hz);
        at_rates(self.quantity, &numbers)
    }
}

/// The contracts of a kind under some numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TunedContracts {
    /// The name of the kind.
    pub kind: String,
    /// The contracts, in the order of a sheet.
    pub contracts: Vec<ContractNumber>,
    /// The first error of a script while they were measured.
    pub fault: Option<String>,
}

impl TunedKind {
    /// Reads a kind; `None` if it has no contracts. Takes a thread with a stack of
    /// [`STACK`](hangtime_script::STACK) bytes.
    ///
    /// # Errors
    /// The mistakes in its files.
    pub fn read(project: &Project, name: &str) -> Result<Option<Self>, Error> {
        let kind = match project.kind(name) {
            // Entities of a level may be of a kind without a file.
            Err(Error::NoSuchKind { .. }) => return Ok(None),
            read => read?,
        };
        if kind.expectations.is_empty() {
            return Ok(None);
        }
        let mut benches = BTreeMap::new();
        let mut game_hz = 0;
        let models: BTreeSet<ModelName> = kind.expectations.iter().map(|e| e.model.unwrap_or(kind.model())).collect();
        for model in models.intersection(&kind.models.iter().copied().collect()) {
            let bench = project.kind_bench(&kind, *model, None);
            let home = bench.open(&[])?;
            game_hz = home.stage.hz;
            for hz in contract_rates(game_hz).into_iter().filter(|hz| *hz != game_hz) {
                let settings = [("simulation.tick_hz".into(), hz.to_string())];
                benches.insert((*model, hz), Arc::new(bench.open(&settings)?));
            }
            benches.insert((*model, game_hz), Arc::new(home));
        }
        Ok(Some(Self { kind, game_hz, benches }))
    }

    /// The file of the kind.
    pub fn file(&self) -> &KindFile {
        &self.kind
    }

    /// The kind alone under the model of a contract, at the game's tick rate.
    pub(crate) fn home(&self, contract: usize) -> Option<&Arc<Revision>> {
        self.benches.get(&(self.model_of(&self.kind.expectations[contract]), self.game_hz))
    }

    fn model_of(&self, expectation: &FeelExpectation) -> ModelName {
        expectation.model.unwrap_or(self.kind.model())
    }

    /// The contracts before anything is measured.
    pub fn unmeasured(&self) -> TunedContracts {
        let contract = |expectation: &FeelExpectation| {
            let (line, _) = expectation.place.position();
            ContractNumber {
                key: expectation.key("::"),
                quantity: expectation.quantity,
                model: expectation.model.filter(|model| *model != self.kind.model()),
                place: format!("{}:{line}", expectation.place.file.name),
                bound: expectation.bound,
                numbers: match self.benches.contains_key(&(self.model_of(expectation), self.game_hz)) {
                    true => Vec::new(),
                    false => vec![(self.game_hz, Err("has another view than this model"))],
                },
                done: false,
            }
        };
        let contracts = self.kind.expectations.iter().map(contract).collect();
        TunedContracts { kind: self.kind.name.clone(), contracts, fault: None }
    }

    /// Measures some contracts, or all, under these changes of the files' numbers: first at the game's tick rate, then at the
    /// others. Calls `each` whenever a number is known; it ends the measurement by returning false.
    ///
    /// # Errors
    /// If a change has the wrong type or is out of range.
    pub fn measure(
        &self,
        changes: &[TuningChange],
        only: Option<usize>,
        mut each: impl FnMut(&TunedContracts) -> bool,
    ) -> Result<TunedContracts, String> {
        let mut found = self.unmeasured();
        let rates = contract_rates(self.game_hz).into_iter().filter(|hz| *hz != self.game_hz);
        let rates: Vec<u32> = [self.game_hz].into_iter().chain(rates).collect();
        let models: BTreeSet<ModelName> = self.benches.keys().map(|(model, _)| *model).collect();
        for hz in &rates {
            for model in &models {
                let of_model = |(place, e): &(usize, &FeelExpectation)| {
                    self.model_of(e) == *model && only.is_none_or(|only| only == *place)
                };
                let places = self.kind.expectations.iter().enumerate().filter(of_model);
                let places: Vec<(usize, FeelQuantity)> = places.map(|(place, e)| (place, e.quantity)).collect();
                let Some(bench) = self.benches.get(&(*model, *hz)).filter(|_| !places.is_empty()) else { continue };
                let tuned = bench.retuned(1, changes).map_err(|wrong| wrong.to_string())?;
                let subject = FeelSubject::new(tuned, *model, 0.0);
                let tap = tap(*hz, self.game_hz);
                let wanted = places.iter().map(|(_, quantity)| *quantity);
                // The shortest press is one tick of the game, which cannot last exactly that long at each rate.
                let wanted = wanted.filter(|quantity| *quantity != FeelQuantity::Hop || tap.is_some());
                let mut wants_more = true;
                measure_each(&subject, wanted, tap, |quantity, number| {
                    let is_it = |(_, of): &&(usize, FeelQuantity)| *of == quantity;
                    if is_interrupted() {
                        wants_more = false;
                        return false;
                    }
                    for (place, _) in places.iter().filter(is_it) {
                        found.contracts[*place].numbers.push((*hz, number));
                    }
                    found.fault = found.fault.take().or(subject.fault().map(|fault| fault.diagnostic.headline()));
                    wants_more = each(&found);
                    wants_more
                });
                if !wants_more {
                    return Ok(found);
                }
            }
        }
        for contract in &mut found.contracts {
            contract.done = only.is_none() || !contract.numbers.is_empty();
        }
        each(&found);
        Ok(found)
    }

    /// What is wrong with a broken contract, as `hangtime test` says it: `` `apex` is 198.38 px, not 189.8 ± 0.5 ``.
    pub fn verdict(&self, contract: usize, numbers: &[(u32, Measured)]) -> String {
        verdict(&self.kind.expectations[contract], numbers, self.game_hz)
    }
}
