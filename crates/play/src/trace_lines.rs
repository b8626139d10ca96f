//! The lines of traces: the state of the world after a tick, as JSON. Numbers read back bit for bit.

use super::*;
use hangtime_core::sim::{Entity, InJson, Value, Vars, why::Kinetics};
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Serializer, ser::SerializeMap as _};

/// The state after a tick, as traces show it.
#[derive(Serialize, JsonSchema)]
pub struct TickLine<'a> {
    /// The number of ticks made.
    pub tick: u64,
    /// Ticks over tick rate, s.
    pub time: f64,
    /// The hash of the world, 16 hexadecimal digits.
    pub hash: String,
    /// The state of the level's own script, if the level has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<VarsLine>,
    /// The entities, by id.
    pub entities: Vec<EntityLine>,
    /// What happened.
    pub events: Vec<EventLine<'a>>,
}

impl<'a> TickLine<'a> {
    /// The line of the present tick, with these entities and events.
    pub fn new(live: &Live, entities: Vec<EntityLine>, events: impl Iterator<Item = &'a Event>) -> Self {
        let (world, stage) = (live.world(), &live.revision().stage);
        let tick = world.ticks();
        Self {
            tick,
            time: world.changes().clock_at(tick) / f64::from(stage.hz),
            hash: format!("{:016x}", world.hash()),
            level: world.level_vars().map(VarsLine::of),
            entities,
            events: events.map(EventLine).collect(),
        }
    }
}

/// The state of the level's own script, or of a mod's script above the script of an entity's kind.
#[derive(Serialize, JsonSchema)]
pub struct VarsLine {
    /// Its variables.
    vars: PlainJson,
}

impl VarsLine {
    fn of(vars: &Vars) -> Self {
        Self { vars: PlainJson(Value::Map(vars.0.to_plain())) }
    }
}

/// The state of an entity.
#[derive(Serialize, JsonSchema)]
pub struct EntityLine {
    /// Its id, from 1, unique in a world.
    id: u32,
    /// Its name, unique in a world.
    name: String,
    /// Its kind: `config/entities/KIND.toml`.
    kind: String,
    /// The model that moves it.
    model: &'static str,
    /// What it is doing, in the model's words.
    mode: &'static str,
    /// Center, px; in a top view, the third number is the height of the feet.
    pos: [f64; 3],
    /// Velocity of the model, px/s.
    vel: [f64; 3],
    /// External velocity, px/s.
    external: [f64; 3],
    /// Angle, radians counterclockwise.
    angle: f64,
    /// Angular velocity, rad/s.
    spin: f64,
    /// Whether it is on the ground.
    grounded: bool,
    /// 1 toward +x, -1 toward -x.
    facing: i8,
    /// The surface it is on; empty in the air.
    surface: String,
    /// Its grappling hook.
    hook: HookLine,
    /// Compression of each foot, -1 to 1; empty for models without feet.
    feet: Vec<f64>,
    /// The variables of its script.
    vars: PlainJson,
    /// The scripts that mods lay over its kind's script, by layer name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    layers: BTreeMap<String, VarsLine>,
    /// Full width and height of its body, px, if they are not its kind's.
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<[f64; 2]>,
    /// The stance that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    stance: Option<String>,
    /// Why it moved, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<Vec<WhyLine>>,
}

/// The state of a grappling hook.
#[derive(Serialize, JsonSchema)]
pub struct HookLine {
    /// `idle`, `firing`, `attached` or `returning`.
    state: &'static str,
    /// Position of the tip, px.
    tip: [f64; 2],
    /// Length of the rope, px.
    length: f64,
}

impl EntityLine {
    /// The line of an entity of this level.
    pub fn new(live: &Live, entity: &Entity, why: Option<Vec<WhyLine>>) -> Self {
        let view = live.world().view(&live.revision().stage, entity);
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
            external: three(view.external, view.external_z),
            angle: view.angle,
            spin: view.spin,
            grounded: view.grounded,
            facing: view.facing as i8,
            surface: view.surface.to_string(),
            hook: HookLine { state: view.hook.state.as_str(), tip: view.hook.tip.into(), length: view.hook.length },
            feet: view.feet.clone(),
            vars: PlainJson(Value::Map(entity.vars.0.to_plain())),
            layers: layers.map(|layer| (layer.name.to_string(), VarsLine::of(&layer.vars))).collect(),
            size: view.resized.then(|| (2.0 * view.half).into()),
            stance: view.stance.as_deref().map(Into::into),
            why,
        }
    }
}

/// One reason why an entity moved. Fields that do not apply are left out.
#[derive(Serialize, JsonSchema)]
pub struct WhyLine {
    /// The tick at whose end it takes effect.
    tick: u64,
    /// The phase of the tick.
    phase: &'static str,
    /// The rule that decided.
    #[serde(skip_serializing_if = "str::is_empty")]
    rule: &'static str,
    /// Its answer.
    #[serde(skip_serializing_if = "String::is_empty")]
    answer: String,
    /// The refused action.
    #[serde(skip_serializing_if = "str::is_empty")]
    refused: &'static str,
    /// The file and line that decided, `--set KEY=VALUE` or `default`.
    #[serde(skip_serializing_if = "String::is_empty")]
    from: String,
    /// The whole reason in words.
    text: String,
    /// Motion before the phase, if the phase changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<KineticsLine>,
    /// Motion after the phase.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<KineticsLine>,
}

/// The motion of an entity.
#[derive(Serialize, JsonSchema)]
pub struct KineticsLine {
    /// Center, px.
    pos: [f64; 3],
    /// Velocity of the model, px/s.
    vel: [f64; 3],
    /// External velocity, px/s.
    external: [f64; 3],
    /// Angular velocity, rad/s.
    spin: f64,
}

impl WhyLine {
    /// The line of a reason.
    pub fn new(reason: &Reason) -> Self {
        let line = |k: Kinetics| KineticsLine {
            pos: k.pos.into(),
            vel: k.vel.into(),
            external: k.external.into(),
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
pub struct PlainJson(Value);

impl Serialize for PlainJson {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        InJson(&self.0).serialize(out)
    }
}

impl JsonSchema for PlainJson {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PlainJson".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

/// An event with its fields.
pub struct EventLine<'a>(pub &'a Event);

impl JsonSchema for EventLine<'_> {
    fn schema_name() -> Cow<'static, str> {
        "EventLine".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "An event, with the fields of its hook.",
            "required": ["event", "entity", "tick"],
            "additionalProperties": true,
            "properties": {
                "event": { "type": "string", "description": "The name of its hook, without `on_`." },
                "entity": { "type": "string", "description": "The entity it happened to, or `level`." },
                "tick": { "type": "integer", "description": "The tick at whose end it happened." },
            },
        })
    }
}

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
