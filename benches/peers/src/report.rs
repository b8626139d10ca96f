//! The results of a run as JSON, for the page about speed and to compare runs with.

use crate::bodies;
use crate::machine::{machine, said};
use serde_json::{Value, json};
use std::io;

/// The results of the last release.
const RELEASED: &str = include_str!("../released.json");

/// The versions of the peers, as in `Cargo.toml`.
const PEERS: [(&str, &str); 2] = [("box2d", "3 (boxdd-sys 0.6.0)"), ("rapier", "0.36.1")];

/// The results of a run so far.
pub struct Report {
    rows: Vec<Value>,
    released: Vec<Value>,
}

/// A comparison of engines: `characters` by edges of the level and number, `bodies` by push and number, or `queries` by
/// edges and what is asked.
#[derive(Clone, Copy)]
pub struct Comparison {
    pub set: &'static str,
    pub setting: f64,
    pub count: usize,
    pub query: Option<&'static str>,
}

impl Comparison {
    pub fn new(set: &'static str, setting: f64, count: usize) -> Self {
        Self { set, setting, count, query: None }
    }
}

impl Report {
    pub fn new() -> Self {
        let released: Value = serde_json::from_str(RELEASED).expect("released.json is JSON");
        let rows = released["rows"].as_array().cloned().unwrap_or_default();
        Self { rows: Vec::new(), released: rows }
    }

    /// Adds the times of engines, ns for one and a tick, or for a query. The first one is ours.
    pub fn add(&mut self, of: Comparison, times: &[(&str, f64)]) {
        let ours = times.first().map_or(f64::NAN, |(_, ns)| *ns);
        for (place, (engine, ns)) in times.iter().enumerate() {
            let mut row = json!({
                "set": of.set,
                "setting": of.setting,
                "count": of.count,
                "engine": engine,
                "is_ours": place == 0,
                "ns": ns,
                "to_ours": ns / ours,
            });
            if let Some(query) = of.query {
                row["query"] = query.into();
            }
            let keys = ["set", "setting", "count", "query", "engine"];
            let is_same = |other: &&Value| keys.iter().all(|key| other[key] == row[key]);
            if let Some(released) = self.released.iter().find(is_same) {
                row["released_to_ours"] = released["to_ours"].clone();
            }
            self.rows.push(row);
        }
    }

    /// Writes them, with the machine, the day and the versions.
    pub fn write(self, path: &str) -> io::Result<()> {
        let mut all = json!({
            "date": said("date", &["-u", "+%F"]),
            "machine": machine(),
            "hangtime": hangtime_version(),
            "revision": said("git", &["rev-parse", "--short", "HEAD"]),
            "box2d_asserts": bodies::box2d_asserts(),
            "rows": self.rows,
        });
        for (peer, version) in PEERS {
            all[peer] = version.into();
        }
        std::fs::write(path, format!("{all:#}\n"))
    }
}

fn hangtime_version() -> String {
    let lock = include_str!("../Cargo.lock");
    let own = lock.split_once("name = \"hangtime\"\nversion = \"");
    own.and_then(|(_, rest)| rest.split_once('"'))
        .map_or("unknown", |(version, _)| version)
        .into()
}
