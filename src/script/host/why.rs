//! Why, as tests, traces and people read it.

use crate::sim::why::Kinetics;
use std::fmt;

/// Something that explains what an entity did in a step, with its place in the files.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The tick at whose end it shows.
    pub tick: u64,
    /// The phase of the tick.
    pub phase: &'static str,
    /// The rule that was asked; empty where none was.
    pub rule: &'static str,
    /// What it answered.
    pub answer: String,
    /// What was refused: `jump`, `grab`, `hook`, `rope`, `model` or `place`; empty where nothing was.
    pub refused: &'static str,
    /// Who decided: `config/entities/hero.toml:14`, `scripts/hero.rhai:3`, `--set KEY=VALUE` or
    /// `default`; empty where nobody had to.
    pub from: String,
    /// All of it in words.
    pub text: String,
    /// Motion before and after the phase, where that changed.
    pub change: Option<(Kinetics, Kinetics)>,
    /// Whether it is nothing but motion, as in every other tick.
    pub plain: bool,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<10}  {}", self.phase, self.text)
    }
}
