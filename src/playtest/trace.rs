//! Traces: every tick as a line of JSON. Numbers read back bit for bit.

use super::run::Observer;
use crate::project::Live;
use crate::script::host::Reason;
use crate::script::host::text::printable_json;
use crate::sim::why::Kinetics;
use crate::sim::{Entity, EntityView, Event, InJson, Value, Vars};
use glam::DVec2;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

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
        Self {
            only: Vec::new(),
            every: 1,
            why: false,
        }
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
    begun: bool,
}

impl Trace {
    /// Starts a trace that is written to `out`.
    #[must_use]
    pub fn new(out: Box<dyn Write + Send>, options: TraceOptions) -> Self {
        Self {
            out,
            options,
            waiting: Vec::new(),
            reasons: BTreeMap::new(),
            begun: false,
        }
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
        if !self.begun {
            self.begun = true;
            let header = TraceHeader {
                trace: 1,
                level: &stage.level.name,
                tick_hz: stage.hz,
                seed: world.seed(),
                revision: live.revision().number,
            };
            self.line(&header)?;
        }
        let mut events = std::mem::take(&mut self.waiting);
        events.extend(
            world
                .events()
                .iter()
                .filter(|e| self.options.shows(&e.name))
                .cloned(),
        );
        let tick = world.ticks();
        if !tick.is_multiple_of(self.options.every) {
            self.waiting = events;
            if self.options.why {
                self.keep_reasons(live);
            }
            return Ok(());
        }
        let entities = world
            .entities()
            .iter()
            .filter(|e| self.options.shows(&e.name))
            .map(|e| (world.view(stage, e), e))
            .collect::<Vec<_>>();
        let line_of = |(view, entity): (EntityView, &Entity)| {
            let why = self.why(live, &view.name);
            EntityLine::new(&view, entity, why)
        };
        let line = TickLine {
            tick,
            time: tick as f64 / f64::from(stage.hz),
            hash: format!("{:016x}", world.hash()),
            level: world.level_vars().map(VarsLine::of),
            entities: entities.into_iter().map(line_of).collect(),
            events: events.iter().map(EventLine).collect(),
        };
        self.line(&line)
    }
}

/// JSON without characters that steer a terminal: a trace may be written to one. JSON itself escapes
/// only some of them.
struct PrintableJson;

impl serde_json::ser::Formatter for PrintableJson {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        out.write_all(printable_json(fragment).as_bytes())
    }
}

#[derive(Serialize)]
struct TraceHeader<'a> {
    trace: u32,
    level: &'a str,
    tick_hz: u32,
    seed: u64,
    revision: u64,
}

#[derive(Serialize)]
struct TickLine<'a> {
    tick: u64,
    time: f64,
    hash: String,
    /// Only for a level with its own script.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<VarsLine>,
    entities: Vec<EntityLine>,
    events: Vec<EventLine<'a>>,
}

/// The variables of the level's script, or of a layer of an entity.
#[derive(Serialize)]
struct VarsLine {
    vars: JsonValue,
}

impl VarsLine {
    fn of(vars: &Vars) -> Self {
        Self {
            vars: JsonValue(Value::Map(vars.0.to_plain())),
        }
    }
}

#[derive(Serialize)]
struct EntityLine {
    id: u32,
    name: String,
    kind: String,
    model: &'static str,
    mode: &'static str,
    pos: [f64; 3],
    vel: [f64; 3],
    external: [f64; 3],
    angle: f64,
    spin: f64,
    grounded: bool,
    facing: i8,
    surface: String,
    hook: HookLine,
    feet: Vec<f64>,
    vars: JsonValue,
    /// The scripts of mods above the lowest one, by their layers' names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    layers: BTreeMap<String, VarsLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Vec<WhyLine>>,
}

#[derive(Serialize)]
struct HookLine {
    state: &'static str,
    tip: [f64; 2],
    length: f64,
}

impl EntityLine {
    fn new(view: &EntityView, entity: &Entity, why: Option<Vec<WhyLine>>) -> Self {
        let layers = entity.layers().iter();
        let three = |v: DVec2, z: f64| [v.x, v.y, z];
        Self {
            id: view.id.0,
            name: view.name.to_string(),
            kind: view.kind.to_string(),
            model: view.model_name(),
            mode: view.mode.as_str(),
            pos: three(view.pos, view.z),
            vel: three(view.vel, view.vel_z),
            external: three(view.external, 0.0),
            angle: view.angle,
            spin: view.spin,
            grounded: view.grounded,
            facing: view.facing as i8,
            surface: view.surface.to_string(),
            hook: HookLine {
                state: view.hook.state.as_str(),
                tip: view.hook.tip.into(),
                length: view.hook.length,
            },
            feet: view.feet.clone(),
            vars: JsonValue(Value::Map(entity.vars.0.to_plain())),
            layers: layers
                .map(|layer| (layer.name.to_string(), VarsLine::of(&layer.vars)))
                .collect(),
            why,
        }
    }
}

/// One reason why an entity moved. Fields that do not apply are left out.
#[derive(Serialize)]
struct WhyLine {
    tick: u64,
    phase: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    rule: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    answer: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    refused: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    from: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<KineticsLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<KineticsLine>,
}

#[derive(Serialize)]
struct KineticsLine {
    pos: [f64; 3],
    vel: [f64; 3],
    external: [f64; 3],
    spin: f64,
}

impl WhyLine {
    fn new(reason: &Reason) -> Self {
        let line = |k: Kinetics| KineticsLine {
            pos: k.pos.into(),
            vel: k.vel.into(),
            external: k.external.extend(0.0).into(),
            spin: k.spin,
        };
        let (before, after) = reason.change.unzip();
        Self {
            tick: reason.tick,
            phase: reason.phase,
            rule: reason.rule,
            answer: reason.answer.clone(),
            refused: reason.refused,
            from: reason.from.clone(),
            text: reason.text.clone(),
            before: before.map(line),
            after: after.map(line),
        }
    }
}

/// Script data as JSON.
struct JsonValue(Value);

impl Serialize for JsonValue {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        InJson(&self.0).serialize(out)
    }
}

struct EventLine<'a>(&'a Event);

impl Serialize for EventLine<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("event", self.0.kind.name())?;
        map.serialize_entry("entity", &*self.0.name)?;
        map.serialize_entry("tick", &self.0.tick)?;
        for (key, value) in self.0.kind.fields() {
            map.serialize_entry(key, &InJson(&value))?;
        }
        map.end()
    }
}
