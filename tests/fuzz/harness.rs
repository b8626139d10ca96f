//! Runs a body on its corpus and on mutated inputs.

use crate::{
    bodies::{dice::Dice, games::root, on_large_stack},
    mutate::{Mutator, words_of},
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

/// Runs a body on the corpus of its target and on this many mutated inputs.
///
/// # Panics
/// If an input fails; the message names its file.
pub fn fuzz(target: &str, run: fn(&[u8]), count: u64) {
    if let Some(file) = std::env::var_os("HANGTIME_FUZZ_INPUT") {
        let bytes = std::fs::read(file).expect("the input file");
        return on_large_stack(run, &bytes);
    }
    let asked = std::env::var("HANGTIME_FUZZ").ok();
    let count = asked.map_or(count, |n| n.parse().expect("HANGTIME_FUZZ is a number"));
    let corpus = corpus(target);
    assert!(!corpus.is_empty(), "fuzz/corpus/{target} is empty");
    let mutator = Mutator {
        words: words_of(&root().join(format!("fuzz/{target}.dict"))),
        corpus: corpus.iter().map(|(_, bytes)| bytes.clone()).collect(),
    };
    let tries = std::thread::scope(|scope| {
        let stack = hangtime::script::host::STACK;
        let thread = std::thread::Builder::new().stack_size(stack);
        let all = || try_all(run, &corpus, &mutator, count);
        let thread = thread.spawn_scoped(scope, all).expect("a thread");
        thread.join().expect("failures are caught")
    });
    if let Err((origin, bytes)) = tries {
        let file = keep(target, &bytes);
        panic!(
            "{target} fails on {origin}. To run it again:\n\
             HANGTIME_FUZZ_INPUT={} cargo test --test fuzz -- {target}",
            file.display()
        );
    }
}

/// An input that failed and where it came from.
type Failed = (String, Vec<u8>);

fn try_all(run: fn(&[u8]), corpus: &[(String, Vec<u8>)], mutator: &Mutator, count: u64) -> Result<(), Failed> {
    let attempt = |origin: &dyn Fn() -> String, bytes: &[u8]| {
        let tried = catch_unwind(AssertUnwindSafe(|| run(bytes)));
        tried.map_err(|_| (origin(), bytes.to_vec()))
    };
    for (name, bytes) in corpus {
        attempt(&|| format!("the corpus file {name}"), bytes)?;
    }
    for seed in 0..count {
        let bytes = mutator.input(&mut Dice::new(seed));
        attempt(&|| format!("seed {seed}"), &bytes)?;
    }
    Ok(())
}

/// The committed inputs of a target, with their names.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = root().join("fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let bytes = std::fs::read(&path).expect("an input");
        (name.into_owned(), bytes)
    };
    paths.into_iter().map(read).collect()
}

/// Writes an input that failed next to the other results of builds.
fn keep(target: &str, bytes: &[u8]) -> PathBuf {
    let built = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = built.parent().unwrap_or(built).join("fuzz");
    std::fs::create_dir_all(&folder).expect("a folder in target");
    let mut digest = hangtime::sim::Digest::new();
    bytes.iter().for_each(|byte| digest.word(u64::from(*byte)));
    let file = folder.join(format!("{target}-{:016x}", digest.finish()));
    std::fs::write(&file, bytes).expect("a file in target");
    file
}
