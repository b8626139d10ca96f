//! The first line of a golden trace: what was played, and what the files of the game were then.

use super::*;
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_64;

/// The version of golden traces that is written. Traces of version 1 have whole lines and no files.
pub const GOLDEN_VERSION: u64 = 2;

/// The largest number of values that a trace keeps, and of changed ones that a message names for a file.
const MOST_VALUES: usize = 400;
const MOST_NAMED: usize = 3;

/// The largest number of changed files that a message names.
const MOST_FILES: usize = 8;

/// The first line of a golden trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GoldenHeader {
    trace: u64,
    level: String,
    tick_hz: u32,
    seed: u64,
    revision: u64,
    /// The version of hangtime that wrote it.
    #[serde(default)]
    hangtime: String,
    /// A hash of each file that the level is made of, and of its input.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// The values in each file of `config/`, by their keys as in settings.
    #[serde(default)]
    values: BTreeMap<String, BTreeMap<String, String>>,
}

impl GoldenHeader {
    /// The header of a run of a revision with this input.
    pub fn of(revision: &Revision, seed: u64, input: &SourceFile) -> Self {
        let used = revision.used_files();
        let hashes = revision.hashes.iter().filter(|(name, _)| used.contains(*name));
        let short = |hash: &[u8; 32]| hash.first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
        let mut files: BTreeMap<String, String> = hashes.map(|(name, hash)| (name.clone(), hex(short(hash)))).collect();
        files.insert(input.name.clone(), hex(xxh3_64(input.text.as_bytes())));
        let mut values = revision.used_values();
        if values.values().map(BTreeMap::len).sum::<usize>() > MOST_VALUES {
            values.clear();
        }
        Self {
            trace: GOLDEN_VERSION,
            level: revision.stage.level.name.to_string(),
            tick_hz: revision.stage.hz,
            seed,
            revision: revision.number,
            hangtime: env!("CARGO_PKG_VERSION").into(),
            files,
            values,
        }
    }

    /// Whether the lines of the trace after tick 0 have only what has changed.
    pub fn has_changes(&self) -> bool {
        self.trace == GOLDEN_VERSION
    }

    /// What has changed from this golden trace to a run, in words. None if the trace does not know its files.
    pub fn moved_by(&self, run: &Self) -> Option<String> {
        if self.files.is_empty() {
            return None;
        }
        let names: BTreeSet<&String> = self.files.keys().chain(run.files.keys()).collect();
        let changed: Vec<&String> =
            names.into_iter().filter(|name| self.files.get(*name) != run.files.get(*name)).collect();
        if changed.is_empty() {
            let by = if self.hangtime == run.hangtime {
                "so hangtime itself plays differently".into()
            } else {
                format!("but hangtime {} wrote it and this is {}", self.hangtime, run.hangtime)
            };
            return Some(format!("no file of the game, {by}"));
        }
        let shown = changed.iter().take(MOST_FILES).map(|name| self.changed_file(run, name));
        let shown = shown.collect::<Vec<_>>().join(", ");
        Some(match changed.len().saturating_sub(MOST_FILES) {
            0 => shown,
            more => format!("{shown} and {more} more files"),
        })
    }

    /// A changed file with its first changed values.
    fn changed_file(&self, run: &Self, name: &str) -> String {
        let shown = printable_name(name);
        let what = match (self.files.contains_key(name), run.files.contains_key(name)) {
            (false, _) => "added".into(),
            (_, false) => "removed".into(),
            _ => self.changed_values(run, name),
        };
        if what.is_empty() { shown.into_owned() } else { format!("{shown} ({what})") }
    }

    fn changed_values(&self, run: &Self, name: &str) -> String {
        let of = |header: &'_ Self| header.values.get(name).cloned().unwrap_or_default();
        let (old, new) = (of(self), of(run));
        let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let changed = keys.into_iter().filter(|key| old.get(*key) != new.get(*key));
        let changed: Vec<&String> = changed.collect();
        let value = |values: &'_ BTreeMap<String, String>, key: &str| {
            values.get(key).map_or("default".into(), |value| printable_name(value).into_owned())
        };
        let shown = changed.iter().take(MOST_NAMED);
        let shown = shown.map(|key| format!("{} {} → {}", printable_name(key), value(&old, key), value(&new, key)));
        let shown = shown.collect::<Vec<_>>().join(", ");
        match changed.len().saturating_sub(MOST_NAMED) {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }
}
