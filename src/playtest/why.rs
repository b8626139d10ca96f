//! `run --why`: what moved an entity, as lines of text.

use super::Observer;
use crate::project::Live;
use std::io::{self, Write};

/// An entity that is asked about: in every tick with more than plain motion, or in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyAsked {
    /// Its name.
    pub name: String,
    /// The tick at whose end it shows; none for all.
    pub tick: Option<u64>,
}

impl WhyAsked {
    /// Reads `NAME` or `NAME@TICK`.
    ///
    /// # Errors
    /// When what follows the `@` is no tick.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((name, tick)) = text.rsplit_once('@') else {
            return Ok(Self {
                name: text.into(),
                tick: None,
            });
        };
        match tick.parse() {
            Ok(0) => Err("nothing has moved at tick 0 yet; ticks count from 1 here".into()),
            Ok(tick) => Ok(Self {
                name: name.into(),
                tick: Some(tick),
            }),
            Err(_) => Err(format!("`{tick}` is no tick; write NAME or NAME@TICK")),
        }
    }
}

/// Writes down why entities moved as they did.
pub struct Why {
    out: Box<dyn Write + Send>,
    asked: Vec<WhyAsked>,
}

impl Why {
    /// Text about these entities, written to `out`.
    #[must_use]
    pub fn new(out: Box<dyn Write + Send>, asked: Vec<WhyAsked>) -> Self {
        Self { out, asked }
    }

    /// Writes out what is still in memory.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Observer for Why {
    fn see(&mut self, live: &mut Live) -> io::Result<()> {
        let now = live.world().ticks();
        for asked in &self.asked {
            if asked.tick.is_some_and(|tick| tick != now) {
                continue;
            }
            let reasons = live.why(&asked.name);
            if asked.tick.is_none() && reasons.iter().all(|reason| reason.plain) {
                continue;
            }
            if reasons.is_empty() {
                writeln!(self.out, "tick {now}  {}  nothing moved it", asked.name)?;
            }
            for reason in reasons {
                writeln!(self.out, "tick {now}  {}  {reason}", asked.name)?;
            }
        }
        Ok(())
    }
}
