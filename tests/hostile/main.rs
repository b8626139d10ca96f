//! Broken and malicious scripts, each as a test: its errors are reported, and the rest of the game
//! keeps running. `cargo test --test hostile loop_` runs those whose names contain `loop_`.
//!
//! Each `tests/hostile/*.rhai` shares a level with a neighbor that walks and counts its ticks. Its
//! first lines say what to expect:
//!
//! ```text
//! // expect: load error "…"            the level cannot be opened; a message contains this
//! // expect: load warning "…"          it is opened with a warning that contains this
//! // expect: fault in on_tick "…"      this hook fails with a message that contains this
//! // expect: nothing                   it runs
//! // expect: quarantine                at the end its script is disabled
//! // set: scripts.operations=500       a setting
//! // rule: …                           free text
//! //// scripts/lib/a.rhai              the following lines are another file
//! ```
//!
//! Anything else that goes wrong fails the test.

mod case;
#[path = "../proofs/figures.rs"]
#[expect(dead_code, reason = "shared with the proofs")]
mod figures;
mod play;

use case::Case;
use hangtime::script::host::STACK;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// The number of scripts in this folder. Change it with the scripts: a lost file fails the test
/// `number_of_scripts`.
const SCRIPTS: usize = 411;

fn main() {
    let scripts = scripts();
    let found = scripts.len();
    let mut trials = vec![Trial::test("number_of_scripts", move || {
        let message = format!("{found} scripts, but SCRIPTS in tests/hostile/main.rs is {SCRIPTS}");
        if found == SCRIPTS { Ok(()) } else { Err(message.into()) }
    })];
    trials.extend(scripts.into_iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Trial::test(name.into_owned(), move || run(path))
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The scripts of this folder, sorted.
fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let entries = std::fs::read_dir(folder).expect("tests/hostile");
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == "rhai"))
        .collect();
    paths.sort();
    paths
}

/// Runs a script on a stack that is large enough for it.
fn run(path: PathBuf) -> Result<(), Failed> {
    let judge = move || play::judge(&Case::read(&path));
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(judge)?;
    let wrong = thread.join().map_err(|_| "panicked")?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
