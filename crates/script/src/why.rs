//! Reasons for what an entity did, as tests, traces and people read them.

use hangtime_core::sim::why::Kinetics;
use std::fmt;

/// One reason for what an entity did in a step, with the line of the files that decided it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// The tick at whose end it takes effect.
    pub tick: u64,
    /// The phase of the tick.
    pub phase: &'static str,
    /// The rule that decided; empty if none did.
    pub rule: &'static str,
    /// The rule's answer.
    pub answer: String,
    /// The refused action: `jump`, `grab`, `hook`, `rope`, `model` or `place`; empty if nothing was refused.
    pub refused: &'static str,
    /// The origin of the decision: `config/entities/hero.toml:14`, `scripts/hero.rhai:3`, `--set KEY=VALUE` or
    /// `default`; empty if there was nothing to decide.
    pub from: String,
    /// The whole reason in words.
    pub text: String,
    /// Motion before and after the phase, if the phase changed it.
    pub change: Option<(Kinetics, Kinetics)>,
    /// Whether it is plain motion, as in most ticks. `why_history` leaves it out.
    pub plain: bool,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<10}  {}", self.phase, self.text)
    }
}
