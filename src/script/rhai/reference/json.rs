//! The reference for programs. Fields are added, never renamed.

use super::language::{self, LanguageItem};
use super::shapes::shapes;
use super::ways::{LanguageType, LanguageWay};
use crate::script::host::api::{Access, Entry, Field, Kind, Room, Shape};
use crate::script::host::{HookKind, ScriptHook, hooks};
use crate::script::rhai::api_entries;
use serde::Serialize;

#[derive(Serialize)]
struct Reference {
    api: u32,
    version: &'static str,
    hooks: Vec<HookLine>,
    entries: Vec<EntryLine>,
    maps: Vec<MapLine>,
    language: Vec<LanguageLine>,
}

#[derive(Serialize)]
struct HookLine {
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

#[derive(Serialize)]
struct LanguageLine {
    of: &'static str,
    name: &'static str,
    property: bool,
    signatures: Vec<String>,
    ways: Vec<WayLine>,
    doc: &'static str,
    example: &'static str,
}

#[derive(Serialize)]
struct WayLine {
    signature: String,
    on: Option<&'static str>,
    parameters: Vec<TakenLine>,
    returns: &'static str,
}

#[derive(Serialize)]
struct TakenLine {
    name: &'static str,
    r#type: &'static str,
}

/// All of it as one object.
#[must_use]
pub fn json() -> String {
    let reference = Reference {
        api: 1,
        version: env!("CARGO_PKG_VERSION"),
        hooks: hooks().map(hook_line).collect(),
        entries: api_entries().iter().map(entry_line).collect(),
        maps: shapes().into_iter().map(map_line).collect(),
        language: language::language().iter().map(language_line).collect(),
    };
    serde_json::to_string_pretty(&reference).unwrap_or_default() + "\n"
}

fn hook_line(hook: &ScriptHook) -> HookLine {
    HookLine {
        name: hook.name,
        kind: if hook.kind == HookKind::Event {
            "event"
        } else {
            "rule"
        },
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

fn entry_line(entry: &Entry) -> EntryLine {
    let (kind, writable, why_not) = match entry.kind {
        Kind::Function => ("function", None, None),
        Kind::Operator => ("operator", None, None),
        Kind::Property(Access::Write) => ("property", Some(true), None),
        Kind::Property(Access::ReadOnly(why)) => ("property", Some(false), Some(why)),
    };
    let parameters = entry.parameters.iter();
    EntryLine {
        topic: entry.topic.title(),
        owner: entry.owner.name(),
        name: entry.name,
        kind,
        room: match entry.room {
            Room::Behavior => "behavior",
            Room::Test => "test",
            Room::Both => "both",
        },
        signature: entry.signature(),
        parameters: parameters
            .map(|p| ParameterLine {
                name: p.name,
                r#type: p.takes.code(),
                unit: p.unit,
            })
            .collect(),
        returns: entry.returns.code(),
        unit: entry.unit,
        writable,
        why_not,
        doc: entry.doc,
        example: entry.example,
    }
}

fn language_line(item: &'static LanguageItem) -> LanguageLine {
    let way_line = |way: &'static LanguageWay| {
        let parameters = way.parameters.iter();
        WayLine {
            signature: item.signature(way),
            on: way.on.map(LanguageType::code),
            parameters: parameters
                .map(|(name, takes)| TakenLine {
                    name,
                    r#type: takes.code(),
                })
                .collect(),
            returns: way.returns.code(),
        }
    };
    LanguageLine {
        of: item.of,
        name: &item.name,
        property: item.property,
        signatures: item.ways.iter().map(|way| item.signature(way)).collect(),
        ways: item.ways.iter().map(way_line).collect(),
        doc: &item.doc,
        example: item.example,
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
    MapLine {
        name: shape.name,
        fields: shape.fields().map(line).collect(),
    }
}
