//! The reference name by name: for `hangtime api NAME`, its search, and editors.

use super::language::language;
use super::shapes::shapes;
use super::text::{parameters, with_unit};
use crate::api_entries;
use hangtime_core::models::ModelName;
use hangtime_core::tuning::{Setting, Tunable};
use hangtime_script::api::{Access, ApiEntry, EntryKind, Field, Owner, Shape, Type};
use hangtime_script::names::nearest;
use hangtime_script::{HookKind, ScriptHook, hooks};
use std::fmt::Write as _;
use std::sync::OnceLock;

/// A hook, call, property, operator, map or tunable of the reference.
#[derive(Clone, Debug)]
pub struct ReferenceItem {
    /// How it is written, such as `me.jump_to(x, y, clearance)`.
    pub title: String,
    /// What it is and does, as sentences.
    pub doc: String,
    /// Its parameters, result, fields or range, with units; empty for none.
    pub facts: String,
    /// Lines that use it; empty for none.
    pub example: &'static str,
    /// The names that find it: `me.jump_to`, `jump_to`.
    names: Vec<String>,
}

impl ReferenceItem {
    /// All of it as lines of text. Facts and the example are indented.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{}\n  {}\n", self.title, self.doc);
        for line in self.facts.lines() {
            let _ = writeln!(text, "  {line}");
        }
        if !self.example.is_empty() {
            text.push('\n');
        }
        for line in self.example.lines() {
            let _ = writeln!(text, "      {line}");
        }
        text
    }

    /// All of it as Markdown, for editors.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("```rust\n{}\n```\n{}\n", self.title, self.doc);
        for line in self.facts.lines() {
            let _ = write!(text, "\n{line}\n");
        }
        if !self.example.is_empty() {
            let _ = write!(text, "\n```rust\n{}\n```\n", self.example);
        }
        text
    }

    /// It in one line: how it is written, and its first sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        let end = self.doc.find(". ").map_or(self.doc.len(), |at| at + 1);
        format!("{}: {}", self.title, &self.doc[..end])
    }
}

/// All items, in the order of the reference.
#[must_use]
pub fn items() -> &'static [ReferenceItem] {
    static ITEMS: OnceLock<Vec<ReferenceItem>> = OnceLock::new();
    ITEMS.get_or_init(|| {
        let hooks = hooks().map(of_hook);
        let entries = api_entries().iter().map(of_entry);
        let maps = shapes().into_iter().map(of_map);
        let models = ModelName::ALL.iter();
        let tunables = models.flat_map(|m| m.tunables().into_iter().map(|t| of_tunable(*m, &t)));
        let language = language().iter().map(|item| ReferenceItem {
            title: item.name.clone(),
            doc: format!("A function of Rhai itself, for {}. The Rhai book describes it.", item.of),
            facts: String::new(),
            example: "",
            names: vec![item.name.clone()],
        });
        let all = hooks.chain(entries).chain(maps).chain(tunables);
        all.chain(language).collect()
    })
}

/// The items with a name: `jump`, `me.jump`, `world::create`, `on_land`, `land`, `platformer.jump_speed`.
///
/// # Errors
/// With no such item: the name that was most likely meant, if there is one.
pub fn find(name: &str) -> Result<Vec<&'static ReferenceItem>, Option<&'static str>> {
    let called = name.trim().strip_suffix(')');
    let called = called.and_then(|name| Some(name.rsplit_once('(')?.0));
    let name = called.unwrap_or(name.trim());
    let named = |item: &&ReferenceItem| item.names.iter().any(|n| n == name);
    let found: Vec<&ReferenceItem> = items().iter().filter(named).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names = items().iter().flat_map(|item| item.names.iter());
    Err(nearest(name, names.map(String::as_str)))
}

/// Words that people look for, and what the reference calls it.
const CALLED_HERE: [(&str, &str); 14] = [
    ("kill", "me.remove"),
    ("destroy", "me.remove"),
    ("delete", "me.remove"),
    ("instantiate", "world::create"),
    ("wait", "me.after"),
    ("score", "world::keep"),
    ("raycast", "world::cast"),
    ("image", "sprite"),
    ("label", "text"),
    ("health", "bar"),
    ("signal", "world::emit"),
    ("damage", "world::emit"),
    ("collision", "on_touch"),
    ("respawn", "world::restart"),
];

/// The items that contain each of these words, those with all of them in their names first. If there are none, those that
/// contain what the reference calls it.
#[must_use]
pub fn search(words: &[String]) -> Vec<&'static ReferenceItem> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let found = containing(&words);
    if !found.is_empty() {
        return found;
    }
    let called_here = |word: &String| {
        let mut known = CALLED_HERE.iter();
        let known = known.find(|(other, _)| word.starts_with(other));
        known.map_or_else(|| word.clone(), |(_, here)| (*here).into())
    };
    containing(&words.iter().map(called_here).collect::<Vec<_>>())
}

/// The items that contain each of these words in small letters.
fn containing(words: &[String]) -> Vec<&'static ReferenceItem> {
    let all_in = |text: &str| {
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let (mut found, others): (Vec<_>, Vec<_>) = items().iter().partition(|item| all_in(&item.title));
    let in_text = |item: &&ReferenceItem| all_in(&format!("{} {} {}", item.title, item.doc, item.facts));
    found.extend(others.into_iter().filter(in_text));
    found
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
