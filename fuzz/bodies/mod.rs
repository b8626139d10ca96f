//! The bodies of the fuzz targets: each takes any bytes and panics if hangtime breaks a promise.
//! `fuzz/fuzz_targets` runs them under cargo-fuzz; `tests/fuzz` replays the committed corpora and
//! mutates them.

pub mod bytes;
pub mod calls;
pub mod chaos;
pub mod dice;
pub mod games;
pub mod inputs;
pub mod levels;
pub mod maps;
pub mod messages;
pub mod scripts;
pub mod sweeps;
pub mod toml;
pub mod worlds;

use hangtime::script::host::STACK;

/// Runs a body with the stack that scripts need.
pub fn on_large_stack(run: fn(&[u8]), bytes: &[u8]) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, || run(bytes));
        if let Err(panic) = thread.expect("a thread").join() {
            std::panic::resume_unwind(panic);
        }
    });
}
