//! Traces: every tick as a line of JSON. Numbers read back bit for bit.

use super::*;

/// What to write into a trace.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// Names of the entities to trace; empty means all.
    pub only: Vec<String>,
    /// Write every nth tick, starting with tick 0. At least 1.
    pub every: u64,
    /// Whether to explain what moved the entities. They must be watched.
    pub why: bool,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self { only: Vec::new(), every: 1, why: false }
    }
}

impl TraceOptions {
    fn shows(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|n| n == name)
    }
}

/// Writes a trace: a header, then a line for each tick.
pub struct Trace {
    out: Box<dyn Write + Send>,
    options: TraceOptions,
    /// The events of skipped ticks, for the next line.
    waiting: Vec<Event>,
    /// What moved entities in skipped ticks except for plain motion, by their names.
    reasons: BTreeMap<Arc<str>, Vec<Reason>>,
    /// The file of the level that is played; none before the first line.
    level: Option<Arc<str>>,
}

impl Trace {
    /// Starts a trace that is written to `out`.
    pub fn new(out: Box<dyn Write + Send>, options: TraceOptions) -> Self {
        Self { out, options, waiting: Vec::new(), reasons: BTreeMap::new(), level: None }
    }

    /// Flushes the output.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// What moved an entity: everything in the last step, and what was kept from skipped ones.
    fn why(&mut self, live: &Live, name: &str) -> Option<Vec<WhyLine>> {
        if !self.options.why {
            return None;
        }
        let mut reasons = self.reasons.remove(name).unwrap_or_default();
        reasons.extend(live.why(name));
        Some(reasons.iter().map(WhyLine::new).collect())
    }

    /// Keeps the explanations of a skipped tick for the next line.
    fn keep_reasons(&mut self, live: &Live) {
        for account in live.world().why().filter(|a| self.options.shows(&a.name)) {
            let reasons = live.revision().reasons(account);
            let more = reasons.into_iter().filter(|reason| !reason.plain);
            let kept = self.reasons.entry(account.name.clone()).or_default();
            kept.extend(more);
        }
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut json = serde_json::Serializer::with_formatter(&mut self.out, PrintableJson);
        line.serialize(&mut json)?;
        self.out.write_all(b"\n")
    }
}

impl Observer for Trace {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let world = live.world();
        let stage = &live.revision().stage;
        if self.level.is_none() {
            let header = TraceHeader {
                trace: 1,
                level: &stage.level.name,
                tick_hz: stage.hz,
                seed: world.seed(),
                revision: live.revision().number,
            };
            self.level = Some(stage.level.name.clone());
            self.line(&header)?;
        }
        let mut events = mem::take(&mut self.waiting);
        events.extend(world.events().iter().filter(|e| self.options.shows(&e.name)).cloned());
        let tick = world.ticks();
        if !tick.is_multiple_of(self.options.every) {
            self.waiting = events;
            if self.options.why {
                self.keep_reasons(live);
            }
            return Ok(());
        }
        let mut entities = Vec::new();
        for entity in world.entities() {
            if self.options.shows(&entity.name) {
                let why = self.why(live, &entity.name);
                entities.push(EntityLine::new(live, entity, why));
            }
        }
        let level = &live.revision().stage.level.name;
        let line = TickLine::new(live, entities, events.iter());
        if self.level.as_ref() == Some(level) {
            return self.line(&line);
        }
        self.level = Some(level.clone());
        self.line(&FirstLine { line, plays: level })
    }
}

/// JSON without characters that steer a terminal: a trace may be written to one. JSON itself escapes
/// only some of them.
struct PrintableJson;

impl serde_json::ser::Formatter for PrintableJson {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        out.write_all(printable_json(fragment).as_bytes())
    }
}

/// The first line after a script has played another level.
#[derive(Serialize)]
struct FirstLine<'a> {
    #[serde(flatten)]
    line: TickLine<'a>,
    /// The file of that level.
    plays: &'a str,
}

#[derive(Serialize)]
struct TraceHeader<'a> {
    trace: u32,
    level: &'a str,
    tick_hz: u32,
    seed: u64,
    revision: u64,
}
