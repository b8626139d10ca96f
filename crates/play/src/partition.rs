//! Parts of a run for several machines: `--partition slice:2/7`.

use std::fmt;

/// Every Nth case of a run, beginning with the Kth. Cases are dealt out in turns, so that the parts
/// take about the same time, and every case is in exactly one part. A part may be empty: with more
/// parts than cases, the last ones have nothing to do, which is a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    slice: u64,
    total: u64,
}

/// The largest number of parts of a run.
pub const MOST_SLICES: u64 = 1_000_000;

const FORM: &str = "write `slice:K/N`, such as `slice:2/7` for the second of seven parts, or `env` to \
                    take K and N from the job's environment";

impl Partition {
    /// The part number `slice` of `total`, counted from 1; `None` unless 1 ≤ slice ≤ total.
    #[must_use]
    pub const fn new(slice: u64, total: u64) -> Option<Self> {
        if slice >= 1 && slice <= total && total <= MOST_SLICES {
            Some(Self { slice, total })
        } else {
            None
        }
    }

    /// Parses `slice:K/N` with 1 ≤ K ≤ N.
    ///
    /// # Errors
    /// What is wrong with it, and what to write.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text.strip_prefix("slice:").and_then(|rest| rest.split_once('/'));
        let numbers = numbers.and_then(|(slice, total)| Some((whole(slice)?, whole(total)?)));
        let Some((slice, total)) = numbers else {
            return Err(FORM.into());
        };
        Self::checked(slice, total)
    }

    fn checked(slice: u64, total: u64) -> Result<Self, String> {
        Self::new(slice, total).ok_or_else(|| {
            if total > MOST_SLICES {
                format!("a run has at most {MOST_SLICES} parts, not {total}")
            } else if total == 0 {
                "a run has at least 1 part, not 0".into()
            } else {
                format!("parts are counted from 1 to {total}, so there is no part {slice}")
            }
        })
    }

    /// Parses the argument of `--partition`: `slice:K/N`, `env`, or `env/N` for jobs whose
    /// environment does not have the number of parts.
    ///
    /// # Errors
    /// What is wrong with it or with the environment, and what to write.
    pub fn from_argument(text: &str) -> Result<Self, String> {
        match text.strip_prefix("env") {
            Some("") => Self::from_env(None),
            Some(rest) => match rest.strip_prefix('/').and_then(whole) {
                Some(total) => Self::from_env(Some(total)),
                None => Err(FORM.into()),
            },
            None => Self::parse(text),
        }
    }

    /// The part that the environment of this process says: of a Kubernetes Indexed Job
    /// (`JOB_COMPLETION_INDEX`, and `JOB_COMPLETION_COUNT` or `total`), a Slurm array job
    /// (`SLURM_ARRAY_TASK_ID`) or a parallel CI job (`CI_NODE_INDEX`, `CI_NODE_TOTAL`).
    ///
    /// # Errors
    /// Which variable is missing or wrong.
    pub fn from_env(total: Option<u64>) -> Result<Self, String> {
        Self::from_variables(total, |name| std::env::var(name).ok())
    }

    /// The part that these variables say; see [`from_env`](Partition::from_env).
    ///
    /// # Errors
    /// Which variable is missing or wrong.
    pub fn from_variables(total: Option<u64>, variable: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let job = JobEnvironment { variable, total };
        let known = [
            ("JOB_COMPLETION_INDEX", job.kubernetes()),
            ("SLURM_ARRAY_TASK_ID", job.slurm()),
            ("CI_NODE_INDEX", job.ci()),
        ];
        let mut found: Option<(&str, Self)> = None;
        for (name, part) in known {
            let Some(part) = part? else {
                continue;
            };
            match found {
                Some((other, first)) if first != part => {
                    return Err(format!(
                        "{other} means {first}, but {name} means {part}; pass one of these with \
                         --partition"
                    ));
                }
                Some(_) => {}
                None => found = Some((name, part)),
            }
        }
        found.map(|(_, part)| part).ok_or_else(|| {
            "the environment has none of JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID and \
             CI_NODE_INDEX; pass `slice:K/N`"
                .into()
        })
    }

    /// Whether the case at this place of the whole run, from 0, belongs to this part.
    #[must_use]
    pub const fn keeps(self, index: u64) -> bool {
        index % self.total == self.slice - 1
    }

    /// The part of the same division that has the case at this place.
    #[must_use]
    pub const fn with(self, index: u64) -> Self {
        Self { slice: index % self.total + 1, total: self.total }
    }

    /// The number of this part, from 1.
    #[must_use]
    pub const fn slice(self) -> u64 {
        self.slice
    }

    /// The number of parts.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.total
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slice:{}/{}", self.slice, self.total)
    }
}

/// A whole number of at least 0, in digits only.
fn whole(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// The variables of a job, and the number of parts if the user has passed it.
struct JobEnvironment<F> {
    variable: F,
    total: Option<u64>,
}

impl<F: Fn(&str) -> Option<String>> JobEnvironment<F> {
    fn number(&self, name: &str) -> Result<Option<u64>, String> {
        match (self.variable)(name) {
            None => Ok(None),
            Some(text) => match whole(&text) {
                Some(number) => Ok(Some(number)),
                None => Err(format!("{name} must be a whole number, not `{text}`")),
            },
        }
    }

    /// A number that `of` needs.
    fn needed(&self, name: &str, of: &str) -> Result<u64, String> {
        self.number(name)?.ok_or_else(|| {
            format!("{of} is set, but {name} is not; pass `env/N` with the number of parts, or `slice:K/N`")
        })
    }

    /// The number of parts: as passed, or else from a variable. Both must agree.
    fn parts(&self, name: &str, of: &str) -> Result<u64, String> {
        match (self.total, self.number(name)?) {
            (Some(passed), Some(set)) if passed != set => Err(format!(
                "{name} is {set}, but `env/{passed}` was passed; pass `slice:K/{passed}` to run one \
                 part of {passed} again"
            )),
            (Some(passed), _) => Ok(passed),
            (None, _) => self.needed(name, of),
        }
    }

    /// A Kubernetes Indexed Job counts from 0, and sets the count only if its manifest does.
    fn kubernetes(&self) -> Result<Option<Partition>, String> {
        let of = "JOB_COMPLETION_INDEX";
        let Some(index) = self.number(of)? else {
            return Ok(None);
        };
        let total = self.parts("JOB_COMPLETION_COUNT", of)?;
        self.part(of, index, index.saturating_add(1), total)
    }

    /// A Slurm array has a first number and a step.
    fn slurm(&self) -> Result<Option<Partition>, String> {
        let of = "SLURM_ARRAY_TASK_ID";
        let Some(id) = self.number(of)? else {
            return Ok(None);
        };
        let total = self.parts("SLURM_ARRAY_TASK_COUNT", of)?;
        let first = self.needed("SLURM_ARRAY_TASK_MIN", of)?;
        let step = self.number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
        let offset = id.checked_sub(first);
        let Some(offset) = offset.filter(|offset| offset.is_multiple_of(step)) else {
            return Err(format!(
                "{of} is {id}, which is not in an array from {first} in steps of {step}; pass \
                 `slice:K/N`"
            ));
        };
        self.part(of, id, (offset / step).saturating_add(1), total)
    }

    /// CI systems count from 1.
    fn ci(&self) -> Result<Option<Partition>, String> {
        let of = "CI_NODE_INDEX";
        let Some(index) = self.number(of)? else {
            return Ok(None);
        };
        let total = self.parts("CI_NODE_TOTAL", of)?;
        self.part(of, index, index, total)
    }

    fn part(&self, name: &str, value: u64, slice: u64, total: u64) -> Result<Option<Partition>, String> {
        match Partition::checked(slice, total) {
            Ok(part) => Ok(Some(part)),
            Err(wrong) => Err(format!("{name} is {value}: {wrong}; pass `slice:K/N`")),
        }
    }
}
