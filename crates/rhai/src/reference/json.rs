//! The reference as JSON. Fields may be added, but never renamed.

use super::{
    language::{LanguageItem, language},
    shapes::shapes,
};
use hangtime_script::{
    HookKind, ScriptHook,
    api::{Access, ApiEntry, ApiSet, EntryKind, Field, Shape},
    hooks,
};
use serde::Serialize;

#[derive(Serialize)]
struct Reference {
    api: u32,
    version: &'static str,
    hooks: Vec<HookEntry>,
    entries: Vec<EntryLine>,
    maps: Vec<MapLine>,
    language: &'static [LanguageItem],
}

#[derive(Serialize)]
struct HookEntry {
    name: &'static str,
    kind: &'static str,
    parameters: Vec<&'static str>,
    about: Option<MapLine>,
    answers: String,
    doc: &'static str,
    example: &'static str,
}

#[derive(Serialize)]
struct EntryLine {
    topic: &'static str,
    owner: &'static str,
    name: &'static str,
    kind: &'static str,
    room: &'static str,
    signature: String,
    parameters: Vec<ParameterLine>,
    returns: String,
    unit: &'static str,
    writable: Option<bool>,
    why_not: Option<&'static str>,
    doc: &'static str,
    example: &'static str,
}

#[derive(Serialize)]
struct ParameterLine {
    name: &'static str,
    r#type: String,
    unit: &'static str,
}

#[derive(Serialize)]
struct MapLine {
    name: &'static str,
    fields: Vec<FieldLine>,
}

#[derive(Serialize)]
struct FieldLine {
    name: &'static str,
    r#type: String,
    unit: &'static str,
    doc: &'static str,
    always: bool,
}

/// The whole reference as one JSON object.
pub fn json(entries: &'static [ApiEntry]) -> String {
    let reference = Reference {
        api: 1,
        version: env!("CARGO_PKG_VERSION"),
        hooks: hooks().map(hook_line).collect(),
        entries: entries.iter().map(entry_line).collect(),
        maps: shapes(entries).into_iter().map(map_line).collect(),
        language: language(),
    };
    serde_json::to_string_pretty(&reference).unwrap_or_default() + "\n"
}

fn hook_line(hook: &ScriptHook) -> HookEntry {
    HookEntry {
        name: hook.name,
        kind: if hook.kind == HookKind::Event { "event" } else { "rule" },
        parameters: match hook.kind {
            HookKind::Rule => vec!["me"],
            HookKind::RuleAbout(what) => vec!["me", what],
            HookKind::Event => vec!["me", "event"],
        },
        about: hook.about.map(map_line),
        answers: hook.answers.code(),
        doc: hook.doc,
        example: hook.example,
    }
}

fn entry_line(entry: &ApiEntry) -> EntryLine {
    let (kind, writable, why_not) = match entry.kind {
        EntryKind::Function => ("function", None, None),
        EntryKind::Operator => ("operator", None, None),
        EntryKind::Property(Access::Write) => ("property", Some(true), None),
        EntryKind::Property(Access::ReadOnly(why)) => ("property", Some(false), Some(why)),
        EntryKind::Property(Access::WriteOnly(why)) => ("property", Some(true), Some(why)),
    };
    let parameters = entry.parameters.iter();
    EntryLine {
        topic: entry.topic.title(),
        owner: entry.owner.name(),
        name: entry.name,
        kind,
        room: match entry.api_set {
            ApiSet::Behavior => "behavior",
            ApiSet::Test => "test",
            ApiSet::Both => "both",
        },
        signature: entry.signature(),
        parameters: parameters
            .map(|p| ParameterLine { name: p.name, r#type: p.takes.code(), unit: p.unit })
            .collect(),
        returns: entry.returns.code(),
        unit: entry.unit,
        writable,
        why_not,
        doc: entry.doc,
        example: entry.example,
    }
}

fn map_line(shape: &Shape) -> MapLine {
    let line = |field: &Field| FieldLine {
        name: field.name,
        r#type: field.holds.code(),
        unit: field.unit,
        doc: field.doc,
        always: field.always,
    };
    MapLine { name: shape.name, fields: shape.fields().map(line).collect() }
}
