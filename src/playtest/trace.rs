//! Traces: what happened, as JSON lines. Numbers read back bit for bit.

use super::Observer;
use crate::project::Live;
use crate::sim::{EntityView, Event, Value};
use glam::DVec2;
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What a trace holds.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// Names of the entities shown; none means all.
    pub only: Vec<String>,
    /// A line every so many ticks, from tick 0; at least 1.
    pub every: u64,
}

impl Default for TraceOptions {
    fn default() -> Self {
        Self {
            only: Vec::new(),
            every: 1,
        }
    }
}

/// Writes a trace: a header, then a line for each tick.
pub struct Trace {
    out: Box<dyn Write + Send>,
    options: TraceOptions,
    /// Of ticks that have no line of their own.
    waiting: Vec<Event>,
    begun: bool,
}

impl Trace {
    /// A trace written to `out`.
    #[must_use]
    pub fn new(out: Box<dyn Write + Send>, options: TraceOptions) -> Self {
        Self {
            out,
            options,
            waiting: Vec::new(),
            begun: false,
        }
    }

    /// Writes out what is still in memory.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn shows(&self, name: &str) -> bool {
        self.options.only.is_empty() || self.options.only.iter().any(|n| n == name)
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}

impl Observer for Trace {
    fn see(&mut self, live: &mut Live) -> io::Result<()> {
        let world = live.world();
        let stage = &live.revision().stage;
        if !self.begun {
            self.begun = true;
            let header = Header {
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
                .filter(|e| self.shows(&e.name))
                .cloned(),
        );
        let tick = world.ticks();
        if !tick.is_multiple_of(self.options.every) {
            self.waiting = events;
            return Ok(());
        }
        let entities = world
            .entities()
            .iter()
            .filter(|e| self.shows(&e.name))
            .map(|e| EntityLine::new(&world.view(stage, e), e.vars.0.to_plain()));
        let line = Line {
            tick,
            time: tick as f64 / f64::from(stage.hz),
            hash: format!("{:016x}", world.hash()),
            entities: entities.collect(),
            events: events.iter().map(EventLine).collect(),
        };
        self.line(&line)
    }
}

#[derive(Serialize)]
struct Header<'a> {
    trace: u32,
    level: &'a str,
    tick_hz: u32,
    seed: u64,
    revision: u64,
}

#[derive(Serialize)]
struct Line<'a> {
    tick: u64,
    time: f64,
    hash: String,
    entities: Vec<EntityLine>,
    events: Vec<EventLine<'a>>,
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
    vars: Json,
}

#[derive(Serialize)]
struct HookLine {
    state: &'static str,
    tip: [f64; 2],
    length: f64,
}

impl EntityLine {
    fn new(view: &EntityView, vars: BTreeMap<String, Value>) -> Self {
        let three = |v: DVec2, z: f64| [v.x, v.y, z];
        Self {
            id: view.id.0,
            name: view.name.to_string(),
            kind: view.kind.to_string(),
            model: view.model,
            mode: view.mode,
            pos: three(view.pos, view.z),
            vel: three(view.vel, view.vel_z),
            external: three(view.external, 0.0),
            angle: view.angle,
            spin: view.spin,
            grounded: view.grounded,
            facing: view.facing as i8,
            surface: view.surface.to_string(),
            hook: HookLine {
                state: view.hook.state,
                tip: view.hook.tip.into(),
                length: view.hook.length,
            },
            feet: view.feet.clone(),
            vars: Json(Value::Map(vars)),
        }
    }
}

/// Plain data as JSON has it.
struct Json(Value);

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        serialize_value(&self.0, out)
    }
}

struct JsonRef<'a>(&'a Value);

impl Serialize for JsonRef<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        serialize_value(self.0, out)
    }
}

fn serialize_value<S: Serializer>(value: &Value, out: S) -> Result<S::Ok, S::Error> {
    match value {
        Value::Unit => out.serialize_none(),
        Value::Bool(x) => out.serialize_bool(*x),
        Value::Int(x) => out.serialize_i64(*x),
        Value::Float(x) => out.serialize_f64(*x),
        Value::Text(x) => out.serialize_str(x),
        Value::List(list) => {
            let mut seq = out.serialize_seq(Some(list.len()))?;
            list.iter()
                .try_for_each(|v| seq.serialize_element(&JsonRef(v)))?;
            seq.end()
        }
        Value::Map(map) => {
            let mut entries = out.serialize_map(Some(map.len()))?;
            map.iter()
                .try_for_each(|(k, v)| entries.serialize_entry(k, &JsonRef(v)))?;
            entries.end()
        }
        Value::Vector([x, y, z]) => {
            let mut entries = out.serialize_map(Some(3))?;
            entries.serialize_entry("x", x)?;
            entries.serialize_entry("y", y)?;
            entries.serialize_entry("z", z)?;
            entries.end()
        }
    }
}

struct EventLine<'a>(&'a Event);

impl Serialize for EventLine<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut map = out.serialize_map(None)?;
        map.serialize_entry("event", self.0.happening.name())?;
        map.serialize_entry("entity", &*self.0.name)?;
        map.serialize_entry("tick", &self.0.tick)?;
        for (key, value) in self.0.happening.fields() {
            map.serialize_entry(key, &JsonRef(&value))?;
        }
        map.end()
    }
}
