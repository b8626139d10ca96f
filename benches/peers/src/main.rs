//! hangtime next to its peers, in one process: characters, rigid bodies in contact, and single queries.
//!
//! The arguments `characters`, `bodies` and `queries` run one comparison; without them all run. Numbers limit
//! the runs to sets of that size, or queries to levels of about that size. `ours` runs only hangtime, for a
//! profiler. `--json FILE` also writes the results as JSON, next to the ratios of the last release, which are in
//! `released.json`: a file of this form, saved when it was released.

mod bodies;
mod chance;
mod characters;
#[path = "../../../tests/support/machine.rs"]
mod machine;
mod queries;
mod report;

use report::Report;

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let json = words.iter().position(|word| word == "--json").map(|at| {
        let mut option = words.drain(at..(at + 2).min(words.len()));
        option.nth(1).expect("--json takes the name of a file")
    });
    let mut report = Report::new();
    let said = |word: &str| words.iter().any(|w| w == word);
    let only: Vec<usize> = words.iter().filter_map(|w| w.parse().ok()).collect();
    let alone = said("ours");
    let parts: [(&str, fn(&[usize], bool, &mut Report)); 3] =
        [("characters", characters::run), ("bodies", bodies::run), ("queries", queries::run)];
    let all = !parts.iter().any(|(name, _)| said(name));
    for (_, run) in parts.iter().filter(|(name, _)| all || said(name)) {
        run(&only, alone, &mut report);
    }
    if let Some(path) = json {
        report.write(&path).expect("the file can be written");
    }
}
