//! The bodies of the fuzz targets as tests: each runs on its committed corpus, then on thousands of
//! mutated inputs, the same ones in every run.
//!
//! `HANGTIME_FUZZ=100000` tries that many. A failing input is written to `target/fuzz`;
//! `HANGTIME_FUZZ_INPUT=FILE` runs only this one.

#[path = "../../fuzz/bodies/mod.rs"]
mod bodies;
mod harness;
mod mutate;

use harness::fuzz;

#[test]
fn toml() {
    fuzz("toml", bodies::toml::run, 3000);
}

#[test]
fn levels() {
    fuzz("levels", bodies::levels::run, 1500);
}

#[test]
fn maps() {
    fuzz("maps", bodies::maps::run, 10_000);
}

#[test]
fn inputs() {
    fuzz("inputs", bodies::inputs::run, 10_000);
}

#[test]
fn scripts() {
    fuzz("scripts", bodies::scripts::run, 1200);
}

#[test]
fn calls() {
    fuzz("calls", bodies::calls::run, 1000);
}

#[test]
fn worlds() {
    fuzz("worlds", bodies::worlds::run, 1500);
}

#[test]
fn sweeps() {
    fuzz("sweeps", bodies::sweeps::run, 50_000);
}
