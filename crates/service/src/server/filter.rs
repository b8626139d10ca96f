//! Which entities, events and members of a world a client sees.

use super::*;
use hangtime_play::{EntityLine, TickLine, WhyLine};
use serde_json::{Value, value::to_raw_value};

/// The members of an entity's line, except the ones that are always there.
const FIELDS: [&str; 20] = [
    "id", "name", "kind", "model", "mode", "pos", "vel", "external", "angle", "spin", "grounded", "facing", "surface",
    "hook", "feet", "vars", "layers", "size", "stance", "why",
];

/// Which entities a client sees, and what of them.
#[derive(Clone, Default)]
pub struct ObservationFilter {
    entities: Option<BTreeSet<String>>,
    kinds: Option<BTreeSet<String>>,
    fields: Option<BTreeSet<String>>,
    why: bool,
    /// The entities that it shows now and showed in the tick before, if it selects kinds: the event of an entity that
    /// is gone does not name its kind.
    shown: [Vec<EntityId>; 2],
}

impl ObservationFilter {
    /// The filter that a client has asked for in this world.
    ///
    /// # Errors
    /// A name that is not there.
    pub fn new(params: &ObserveParams, live: &Live) -> Result<Self, RpcError> {
        let known: Vec<&str> = live.world().entities().iter().map(|e| &*e.name).collect();
        let kinds: Vec<&str> = live.revision().stage.kinds.keys().map(|kind| &**kind).collect();
        let checked = |place: &str, what: &str, wanted: &Option<Vec<String>>, known: &[&str]| {
            let Some(wanted) = wanted else {
                return Ok(None);
            };
            match wanted.iter().find(|name| !known.contains(&name.as_str())) {
                Some(name) => Err(RpcError::unknown(place, (what, name), known.iter().copied())),
                None => Ok(Some(wanted.iter().cloned().collect())),
            }
        };
        let filter = Self {
            entities: checked("observe.entities", "entity", &params.entities, &known)?,
            kinds: checked("observe.kinds", "kind", &params.kinds, &kinds)?,
            fields: checked("observe.fields", "field", &params.fields, &FIELDS)?,
            why: params.why,
            shown: Default::default(),
        };
        match params.every {
            Some(0) => Err(RpcError::parameter("observe.every", "is 0; it must be at least 1")),
            _ => Ok(filter),
        }
    }

    /// Notes which entities it shows in this tick. Called for each tick before the events of the tick are looked at.
    pub fn follow(&mut self, live: &Live) {
        if self.kinds.is_none() {
            return;
        }
        let [now, before] = &mut self.shown;
        mem::swap(now, before);
        let mut ids = mem::take(&mut self.shown[0]);
        let entities = live.world().entities().iter();
        ids.clear();
        ids.extend(entities.filter(|e| self.shows(e)).map(|e| e.id));
        self.shown[0] = ids;
    }

    /// Whether it shows this entity.
    pub fn shows(&self, entity: &Entity) -> bool {
        let holds =
            |set: &Option<BTreeSet<String>>, name: &Arc<str>| set.as_ref().is_none_or(|set| set.contains(&**name));
        holds(&self.entities, &entity.name) && holds(&self.kinds, &entity.kind)
    }

    /// Whether it shows an event of this world.
    pub fn shows_event(&self, live: &Live, event: &Event) -> bool {
        if let Some(entities) = &self.entities
            && !entities.contains(&*event.name)
        {
            return false;
        }
        let Some(kinds) = &self.kinds else {
            return true;
        };
        let entities = live.world().entities();
        let found = entities.binary_search_by_key(&event.entity, |e| e.id);
        match found {
            Ok(place) => kinds.contains(&*entities[place].kind),
            Err(_) => self.shown[1].contains(&event.entity),
        }
    }

    /// The events of the present tick that it shows.
    pub fn events<'a>(&self, live: &'a Live) -> impl Iterator<Item = &'a Event> {
        let events = live.world().events().iter();
        events.filter(|event| self.shows_event(live, event))
    }

    /// The line of the present tick, with these events.
    pub fn line<'a>(&self, live: &'a Live, events: impl Iterator<Item = &'a Event>) -> Box<RawValue> {
        let entities = live.world().entities().iter().filter(|e| self.shows(e));
        let entities = entities.map(|entity| {
            let why = self.why.then(|| why_lines(live, &entity.name));
            EntityLine::new(live, entity, why)
        });
        let line = TickLine::new(live, entities.collect(), events);
        let text = match &self.fields {
            None => to_raw_value(&line),
            Some(fields) => to_raw_value(&only_fields(&line, fields)),
        };
        // Lines are plain data, and writing into memory does not fail.
        text.unwrap_or_default()
    }
}

/// A line with only these members of each entity.
fn only_fields(line: &TickLine<'_>, fields: &BTreeSet<String>) -> Value {
    let mut line = serde_json::to_value(line).unwrap_or_default();
    let entities = line.get_mut("entities").and_then(Value::as_array_mut);
    for entity in entities.into_iter().flatten() {
        if let Value::Object(entity) = entity {
            entity.retain(|key, _| key == "name" || fields.contains(key));
        }
    }
    line
}

/// Why an entity moved in the last tick.
pub fn why_lines(live: &Live, name: &str) -> Vec<WhyLine> {
    live.why(name).iter().map(WhyLine::new).collect()
}
