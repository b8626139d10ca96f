//! The reference name by name.

use super::{
    language::language,
    shapes::shapes,
    text::{parameters, with_unit},
    wishes,
};
use crate::api::{PerTable, entries};
use hangtime_core::{
    models::ModelName,
    tuning::{Setting, Tunable},
};
use hangtime_script::{
    HookKind, ReferenceItem, ScriptHook,
    api::{Access, ApiEntry, EntryKind, Field, Owner, Shape, Type},
    calls::ForeignCalls,
    hooks,
};
use std::fmt::Write as _;

/// All items, in the order of the reference.
pub fn items(tests: &ForeignCalls) -> &'static [ReferenceItem] {
    static ITEMS: PerTable<Vec<ReferenceItem>> = PerTable::new();
    ITEMS.of(tests, || {
        let entries = entries(tests);
        let maps = shapes(entries).into_iter().map(of_map);
        let hooks = hooks().map(of_hook);
        let entries = entries.iter().map(of_entry);
        let models = ModelName::ALL.iter();
        let tunables = models.flat_map(|m| m.tunables().iter().map(|t| of_tunable(*m, t)));
        let language = language().iter().map(|item| ReferenceItem {
            title: item.name.clone(),
            doc: format!("A function of Rhai itself, for {}. The Rhai book describes it.", item.of),
            facts: String::new(),
            example: "",
            names: vec![item.name.clone()],
        });
        let all = hooks.chain(entries).chain(maps).chain(tunables);
        all.chain(language).chain(wishes::items()).collect()
    })
}

fn of_hook(hook: &'static ScriptHook) -> ReferenceItem {
    let mut names = vec![hook.name.to_string()];
    names.extend(hook.event().map(String::from));
    let mut facts = Vec::new();
    if let Some(shape) = hook.about.filter(|shape| !shape.own.is_empty()) {
        let what = match hook.kind {
            HookKind::RuleAbout(what) => what,
            _ => "event",
        };
        let fields = shape.own.iter().map(|f| fact(&format!("{what}.{}", f.name), f));
        facts.extend(fields);
    }
    if hook.kind != HookKind::Event {
        facts.push(format!("Returns {}.", hook.answers.describe()));
    }
    ReferenceItem {
        title: format!("fn {}", hook.signature().replace('`', "")),
        doc: hook.doc.into(),
        facts: facts.join("\n"),
        example: hook.example,
        names,
    }
}

fn of_entry(entry: &'static ApiEntry) -> ReferenceItem {
    let mut facts = Vec::new();
    if !entry.parameters.is_empty() && entry.kind != EntryKind::Operator {
        facts.push(format!("Takes {}.", parameters(entry.parameters)));
    }
    let returns = with_unit(&entry.returns, entry.unit);
    match entry.kind {
        EntryKind::Property(Access::Write) => facts.push(format!("{returns}; can be written.")),
        EntryKind::Property(Access::ReadOnly(why)) => {
            facts.push(format!("{returns}; read-only: {why}."));
        }
        _ if entry.returns == Type::Nothing => {}
        _ => facts.push(format!("Returns {returns}.")),
    }
    let full = format!("{}{}", entry.owner.prefix(), entry.name);
    let mut names = vec![full];
    if entry.owner != Owner::Free {
        names.push(entry.name.into());
    }
    ReferenceItem {
        title: entry.signature(),
        doc: entry.doc.into(),
        facts: facts.join("\n"),
        example: entry.example,
        names,
    }
}

fn of_map(shape: &'static Shape) -> ReferenceItem {
    let fields: Vec<String> = shape.fields().map(|f| fact(f.name, f)).collect();
    ReferenceItem {
        title: format!("the map `{}`", shape.name),
        doc: "A map that calls and properties return, with these fields.".into(),
        facts: fields.join("\n"),
        example: "",
        names: vec![shape.name.into()],
    }
}

fn fact(name: &str, field: &Field) -> String {
    format!("`{name}`: {}, {}", with_unit(&field.holds, field.unit), field.doc)
}

fn of_tunable(model: ModelName, tunable: &Tunable) -> ReferenceItem {
    let full = format!("{}.{}", model.as_str(), tunable.name);
    let unit = match tunable.unit {
        "" => String::new(),
        unit => format!(" {unit}"),
    };
    let mut facts = format!("Default {}{unit}", tunable.default);
    if matches!(tunable.default, Setting::Number(_)) {
        let _ = write!(facts, "; from {} to {}", tunable.range.min, tunable.range.max);
    }
    ReferenceItem {
        title: full.clone(),
        doc: tunable.doc.into(),
        facts: facts + ".",
        example: "",
        names: vec![full, tunable.name.into()],
    }
}
