//! `run --why`: what moved an entity, as lines of text.

use super::run::Observer;
use crate::project::Live;
use crate::script::host::text::printable_name;
use std::io::{self, Write};

/// An entity whose motion is to be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyTarget {
    /// The entity's name.
    pub name: String,
    /// The tick to explain; `None` for every tick with more than plain motion.
    pub tick: Option<u64>,
}

/// Writes why entities moved as they did.
pub struct WhyWriter {
    out: Box<dyn Write + Send>,
    targets: Vec<WhyTarget>,
}

impl WhyWriter {
    /// A report about these entities, written to `out`. They must be watched.
    #[must_use]
    pub fn new(out: Box<dyn Write + Send>, targets: Vec<WhyTarget>) -> Self {
        Self { out, targets }
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Observer for WhyWriter {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let now = live.world().ticks();
        for WhyTarget { name, tick } in &self.targets {
            if tick.is_some_and(|tick| tick != now) {
                continue;
            }
            let reasons = live.why(name);
            if tick.is_none() && reasons.iter().all(|reason| reason.plain) {
                continue;
            }
            if reasons.is_empty() {
                let name = printable_name(name);
                writeln!(self.out, "tick {now}  {name}  nothing moved it")?;
            }
            for reason in reasons {
                let line = format!("tick {now}  {name}  {reason}");
                writeln!(self.out, "{}", printable_name(&line))?;
            }
        }
        Ok(())
    }
}
