//! All runs of a sweep: the product of the values of its keys.

use super::*;

/// The runs of a sweep, in order. The last key changes fastest.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    keys: Vec<VariedKey>,
    runs: usize,
}

impl SweepPlan {
    /// The product of the values of these keys.
    ///
    /// # Errors
    /// If a key is varied twice, or there are more than [`MOST_RUNS`] runs.
    pub fn new(keys: Vec<VariedKey>) -> Result<Self, String> {
        for (i, key) in keys.iter().enumerate() {
            if keys[..i].iter().any(|other| other.key == key.key) {
                let name = printable_name(&key.key);
                return Err(format!("`{name}` is varied twice; write all of its values in one list"));
            }
        }
        let runs = keys.iter().try_fold(1_usize, |runs, key| runs.checked_mul(key.len()));
        match runs.filter(|runs| *runs <= MOST_RUNS) {
            Some(runs) => Ok(Self { keys, runs }),
            None => {
                let counts: Vec<String> = keys.iter().map(|key| key.len().to_string()).collect();
                Err(format!("{} runs are too many; a sweep can have at most {MOST_RUNS}", counts.join(" × ")))
            }
        }
    }

    /// The varied keys.
    pub fn keys(&self) -> &[VariedKey] {
        &self.keys
    }

    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.runs
    }

    /// The value of each key in a run, counted from 0.
    pub fn point(&self, run: usize) -> Vec<VariedValue> {
        let mut rest = run;
        let mut values: Vec<VariedValue> = self
            .keys
            .iter()
            .rev()
            .map(|key| {
                let value = key.value(rest % key.len());
                rest /= key.len();
                value
            })
            .collect();
        values.reverse();
        values
    }

    /// The name of a run: `KEY=VALUE, KEY=VALUE`.
    pub fn name(&self, run: usize) -> String {
        let values = self.point(run);
        let parts = self.keys.iter().zip(&values);
        let parts: Vec<String> = parts.map(|(key, v)| format!("{}={}", key.key, v.label)).collect();
        parts.join(", ")
    }

    /// The settings of a run, and its seed if that is varied.
    pub fn settings(&self, run: usize) -> (Settings, Option<u64>) {
        let mut settings = Settings::new();
        let mut seed = None;
        for (key, value) in self.keys.iter().zip(self.point(run)) {
            if is_seed(&key.key) {
                seed = value.label.parse().ok();
            } else {
                settings.push((key.key.clone(), value.setting));
            }
        }
        (settings, seed)
    }

    /// Runs in which a wrong key or value shows: those with the first or last value of every key, and one
    /// for each value of a list. Only the first keys and values change if there are very many.
    pub fn corners(&self) -> Vec<usize> {
        const MOST_KEYS: usize = 6;
        const MOST_LISTED: usize = 100;
        let (mut corners, mut listed) = (vec![0], Vec::new());
        let mut stride = self.runs;
        for key in self.keys.iter().take(MOST_KEYS) {
            stride /= key.len();
            if key.is_list() {
                let between = 1..key.len().saturating_sub(1).min(MOST_LISTED);
                listed.extend(between.map(|value| stride * value));
            }
            if key.len() > 1 {
                let last = stride * (key.len() - 1);
                corners.extend(corners.clone().into_iter().map(|corner| corner + last));
            }
        }
        corners.extend(listed);
        corners
    }

    /// The same keys, but one has only this value. The others keep theirs.
    pub(super) fn with(&self, key: usize, value: VariedKey) -> Self {
        let mut keys = self.keys.clone();
        keys[key] = value;
        let runs = keys.iter().map(VariedKey::len).product();
        Self { keys, runs }
    }
}
