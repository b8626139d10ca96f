//! What differs from one line of a trace to the next: a golden trace of version 2 holds nothing else.
//!
//! A line of changes has the tick, the hash and what is not as in the line before. `entities` has the entities that
//! have changed, by their ids and with the changed fields only, and new entities with all fields; `gone` has the ids of
//! entities that have left. `set` has the variables of an entity that have changed, if none has gone; `vars` has all of
//! them. Events are this tick's only. A field that has gone is `null`. The time follows from the tick.

use serde_json::{Map, Value, json};

pub type TraceLine = Map<String, Value>;

/// Fields of one line, which are not compared with the line before it.
const OF_ONE_LINE: [&str; 2] = ["events", "plays"];

/// What a line changes about the line before it.
pub fn changes(before: &TraceLine, after: &TraceLine) -> TraceLine {
    let mut changes = TraceLine::new();
    for (key, value) in after {
        let is_new = match key.as_str() {
            "time" | "entities" => false,
            "tick" | "hash" => true,
            "events" => value.as_array().is_none_or(|events| !events.is_empty()),
            other => OF_ONE_LINE.contains(&other) || before.get(key) != Some(value),
        };
        if is_new {
            changes.insert(key.clone(), value.clone());
        }
    }
    let is_gone = |key: &&String| !after.contains_key(*key) && !OF_ONE_LINE.contains(&key.as_str());
    for key in before.keys().filter(is_gone) {
        changes.insert(key.clone(), Value::Null);
    }
    let (old, new) = (entities(before), entities(after));
    let changed = new.iter().filter_map(|entity| match place_of(old, entity) {
        None => Some(entity.clone()),
        Some(at) => changed_entity(&old[at], entity),
    });
    let changed: Vec<Value> = changed.collect();
    let gone = old.iter().filter(|entity| place_of(new, entity).is_none());
    let gone: Vec<Value> = gone.filter_map(|entity| entity.get("id").cloned()).collect();
    for (key, list) in [("entities", changed), ("gone", gone)] {
        if !list.is_empty() {
            changes.insert(key.into(), list.into());
        }
    }
    changes
}

/// The fields of an entity that have changed, with its id. None if all are as before.
fn changed_entity(old: &Value, new: &Value) -> Option<Value> {
    let (old, new) = (old.as_object()?, new.as_object()?);
    let mut changed = TraceLine::new();
    for (key, value) in new.iter().filter(|(key, value)| old.get(*key) != Some(*value)) {
        let set = old.get(key).filter(|_| key == "vars").and_then(|old| changed_variables(old, value));
        match set {
            Some(set) => changed.insert("set".into(), set),
            None => changed.insert(key.clone(), value.clone()),
        };
    }
    for key in old.keys().filter(|key| !new.contains_key(*key)) {
        changed.insert(key.clone(), Value::Null);
    }
    let id = new.get("id").cloned().unwrap_or_default();
    (!changed.is_empty()).then(|| {
        changed.insert("id".into(), id);
        Value::Object(changed)
    })
}

/// The variables that have changed. None if one of them has gone.
fn changed_variables(old: &Value, new: &Value) -> Option<Value> {
    let (old, new) = (old.as_object()?, new.as_object()?);
    let all_there = old.keys().all(|name| new.contains_key(name));
    let changed = || new.iter().filter(|(name, value)| old.get(*name) != Some(*value));
    all_there.then(|| Value::Object(changed().map(|(name, value)| (name.clone(), value.clone())).collect()))
}

/// The place of an entity in another list of entities.
pub fn place_of(list: &[Value], entity: &Value) -> Option<usize> {
    list.iter().position(|other| other.get("id") == entity.get("id"))
}

pub fn entities(line: &TraceLine) -> &[Value] {
    line.get("entities").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Turns a line into the next one. A line that is not one of changes makes some line of it.
pub fn apply(line: &mut TraceLine, changes: TraceLine) {
    line.remove("time");
    line.remove("plays");
    line.insert("events".into(), json!([]));
    let (mut changed, mut gone) = (Vec::new(), Vec::new());
    for (key, value) in changes {
        match (key.as_str(), value) {
            ("entities", Value::Array(list)) => changed = list,
            ("gone", Value::Array(list)) => gone = list,
            (_, Value::Null) => drop(line.remove(&key)),
            (_, value) => drop(line.insert(key, value)),
        }
    }
    let entities = line.entry("entities").or_insert_with(|| json!([]));
    let Some(entities) = entities.as_array_mut() else {
        return;
    };
    entities.retain(|entity| entity.get("id").is_none_or(|id| !gone.contains(id)));
    for changed in changed {
        match entities.iter_mut().find(|entity| entity.get("id") == changed.get("id")) {
            Some(Value::Object(entity)) => apply_to_entity(entity, changed),
            _ => entities.push(changed),
        }
    }
}

fn apply_to_entity(entity: &mut TraceLine, changed: Value) {
    let Value::Object(changed) = changed else {
        return;
    };
    for (key, value) in changed {
        match (key.as_str(), value) {
            ("set", Value::Object(set)) => {
                if let Some(vars) = entity.get_mut("vars").and_then(Value::as_object_mut) {
                    vars.extend(set);
                }
            }
            (_, Value::Null) => drop(entity.remove(&key)),
            (_, value) => drop(entity.insert(key, value)),
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/golden/changes.rs"]
mod tests;
