//! `run --why`: what moved an entity, as lines of text.

use super::*;

/// An entity whose motion is to be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhyTarget {
    /// The entity's name.
    pub name: String,
    /// The tick to explain; `None` for every tick with more than plain motion.
    pub tick: Option<u64>,
}

impl WhyTarget {
    /// Reads `NAME` or `NAME@TICK`.
    ///
    /// # Errors
    /// If there is an `@` and no tick after it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let Some((name, tick)) = text.rsplit_once('@') else {
            return Ok(Self { name: text.into(), tick: None });
        };
        match tick.parse() {
            Ok(0) => Err("tick 0 is the start, before anything has moved; use 1 or more".into()),
            Ok(tick) => Ok(Self { name: name.into(), tick: Some(tick) }),
            Err(_) => Err(format!("`{tick}` is not a tick; write NAME or NAME@TICK")),
        }
    }
}

/// An entity and what was seen of it.
struct ExplainedEntity {
    target: WhyTarget,
    /// The ticks in which it existed.
    ticks: u64,
    /// Whether a line was written about it.
    explained: bool,
}

/// Writes why entities moved as they did.
pub struct WhyWriter {
    out: Box<dyn Write + Send>,
    entities: Vec<ExplainedEntity>,
}

impl WhyWriter {
    /// A report about these entities, written to `out`. They must be watched.
    pub fn new(out: Box<dyn Write + Send>, targets: Vec<WhyTarget>) -> Self {
        let entity = |target| ExplainedEntity { target, ticks: 0, explained: false };
        let entities = targets.into_iter().map(entity).collect();
        Self { out, entities }
    }

    /// Names the entities whose motion needed no explanation, and flushes the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        for entity in &self.entities {
            let WhyTarget { name, tick } = &entity.target;
            if tick.is_none() && !entity.explained && entity.ticks > 0 {
                let (name, ticks) = (printable_name(name), entity.ticks);
                let unit = if ticks == 1 { "tick" } else { "ticks" };
                writeln!(self.out, "{name}  only plain motion in {ticks} {unit}")?;
            }
        }
        self.out.flush()
    }
}

impl Observer for WhyWriter {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let now = live.world().ticks();
        for entity in &mut self.entities {
            let WhyTarget { name, tick } = &entity.target;
            let exists = live.world().why_of(name).is_some();
            entity.ticks += u64::from(exists);
            if tick.is_some_and(|tick| tick != now) {
                continue;
            }
            let reasons = live.why(name);
            let plain = reasons.iter().all(|reason| reason.plain);
            if tick.is_none() && plain {
                continue;
            }
            entity.explained = true;
            let short = match reasons.is_empty() {
                true if exists => Some("nothing moved it"),
                true => Some("there is no such entity in this tick"),
                false if reasons.iter().any(|reason| reason.phase == "orders") => {
                    plain.then_some("the same orders as in the tick before, and plain motion:")
                }
                false => plain.then_some("only plain motion:"),
            };
            if let Some(short) = short {
                let name = printable_name(name);
                writeln!(self.out, "tick {now}  {name}  {short}")?;
            }
            for reason in reasons {
                let line = format!("tick {now}  {name}  {reason}");
                writeln!(self.out, "{}", printable_name(&line))?;
            }
        }
        Ok(())
    }
}
