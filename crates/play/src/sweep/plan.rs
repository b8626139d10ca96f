//! All runs of a sweep: the product of the values of its keys.

use super::varied::{MOST_RUNS, VariedKey, VariedValue, is_seed};
use hangtime_script::Settings;
use hangtime_script::text::printable_name;

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
                seed = value.setting.parse().ok();
            } else {
                settings.push((key.key.clone(), value.setting));
            }
        }
        (settings, seed)
    }

    /// Runs in which a wrong key or value shows: those with the first or last value of every key, and one
    /// for each value of a list. Of very many keys and values only the first ones change.
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

    /// The same keys, of which one has only this value and the others keep theirs.
    pub(super) fn with(&self, key: usize, value: VariedKey) -> Self {
        let mut keys = self.keys.clone();
        keys[key] = value;
        let runs = keys.iter().map(VariedKey::len).product();
        Self { keys, runs }
    }
}

#[cfg(test)]
mod tests {
    use super::SweepPlan;
    use crate::sweep::VariedKey;

    fn plan(keys: &[&str]) -> Result<SweepPlan, String> {
        SweepPlan::new(keys.iter().map(|k| VariedKey::parse(k).expect("a key")).collect())
    }

    #[test]
    fn the_last_key_changes_fastest() {
        let plan = plan(&["a.x=1,2", "a.y=0..0.2:0.1"]).expect("a plan");
        let names: Vec<String> = (0..plan.runs()).map(|run| plan.name(run)).collect();
        assert_eq!(
            names,
            ["a.x=1, a.y=0", "a.x=1, a.y=0.1", "a.x=1, a.y=0.2", "a.x=2, a.y=0", "a.x=2, a.y=0.1", "a.x=2, a.y=0.2"]
        );
        let mut corners = plan.corners();
        corners.sort_unstable();
        assert_eq!(corners, [0, 2, 3, 5]);
    }

    #[test]
    fn every_value_of_a_list_is_checked() {
        let plan = plan(&["a.x=1,2,3", "a.y=0..1:0.1", "a.z=x,y"]).expect("a plan");
        let mut corners = plan.corners();
        corners.sort_unstable();
        let middle = 11 * 2;
        assert_eq!(corners, [0, 1, 20, 21, middle, 2 * middle, 2 * middle + 1, 2 * middle + 20, 2 * middle + 21]);
    }

    #[test]
    fn the_seed_is_not_a_setting() {
        let plan = plan(&["seed=7,8", "a.x=1"]).expect("a plan");
        assert_eq!(plan.settings(1), (vec![("a.x".into(), "1".into())], Some(8)));
    }

    #[test]
    fn too_many_runs_and_doubled_keys_are_refused() {
        let wrong = plan(&["a.x=1..1001:1", "a.y=1..1000:1"]).expect_err("too many");
        assert!(wrong.contains("1001 × 1000 runs are too many"), "{wrong}");
        let huge = ["a.x=1..1000000:1", "a.y=1..1000000:1", "a.z=1..1000000:1", "a.w=1..1000000:1"];
        assert!(plan(&huge).is_err());
        let wrong = plan(&["a.x=1", "a.x=2"]).expect_err("twice");
        assert!(wrong.contains("`a.x` is varied twice"), "{wrong}");
    }
}
