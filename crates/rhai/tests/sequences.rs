//! Functions that wait: what they do in which tick, whatever happens to the world in between.

#[path = "sequences/bad.rs"]
mod bad;
#[path = "sequences/meaning.rs"]
mod meaning;
#[path = "sequences/program.rs"]
mod program;
#[path = "sequences/random.rs"]
mod random;
#[path = "sequences/reloads.rs"]
mod reloads;
#[path = "sequences/run.rs"]
mod run;
