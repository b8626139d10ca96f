//! hangtime next to its peers, in one process: characters, and rigid bodies in contact.
//!
//! The arguments `characters` and `bodies` run one comparison; without them both run. Numbers limit
//! the runs to sets of that size. `ours` runs only hangtime, for a profiler. `--json FILE` also writes the results as JSON,
//! next to the ratios of the last release, which are in `released.json`: a file of this form, saved when it was released.

mod bodies;
mod chance;
mod characters;
#[path = "../../../tests/support/machine.rs"]
mod machine;
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
    let both = !said("characters") && !said("bodies");
    if both || said("characters") {
        characters::run(&only, said("ours"), &mut report);
    }
    if both || said("bodies") {
        bodies::run(&only, said("ours"), &mut report);
    }
    if let Some(path) = json {
        report.write(&path).expect("the file can be written");
    }
}
