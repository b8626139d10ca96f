//! The reference name by name: for `hangtime api NAME`, its search, and editors.

use crate::names::nearest;
use std::fmt::Write as _;

/// How a whole reference is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferenceFormat {
    /// Markdown, for reading.
    Markdown,
    /// Definitions in the language itself, for its editors.
    Definitions,
    /// JSON, for programs.
    Json,
}

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
    pub names: Vec<String>,
}

impl ReferenceItem {
    /// All of it as lines of text. Facts and the example are indented.
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
    pub fn summary(&self) -> String {
        let end = self.doc.find(". ").map_or(self.doc.len(), |at| at + 1);
        format!("{}: {}", self.title, &self.doc[..end])
    }
}

/// The items with a name: `jump`, `me.jump`, `world::create`, `on_land`, `land`, `platformer.jump_speed`.
///
/// # Errors
/// With no such item: the name that was most likely meant, if there is one.
pub fn find_item<'r>(items: &'r [ReferenceItem], name: &str) -> Result<Vec<&'r ReferenceItem>, Option<&'r str>> {
    let called = name.trim().strip_suffix(')');
    let called = called.and_then(|name| Some(name.rsplit_once('(')?.0));
    let name = called.unwrap_or(name.trim());
    let named = |item: &&ReferenceItem| item.names.iter().any(|n| n == name);
    let found: Vec<&ReferenceItem> = items.iter().filter(named).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names = items.iter().flat_map(|item| item.names.iter());
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

/// The items that contain each of these words; items with all of them in their names come first. If there are none, the
/// items that contain what the reference calls it.
pub fn search_items<'r>(items: &'r [ReferenceItem], words: &[String]) -> Vec<&'r ReferenceItem> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let found = containing(items, &words);
    if !found.is_empty() {
        return found;
    }
    let called_here = |word: &String| {
        let mut known = CALLED_HERE.iter();
        let known = known.find(|(other, _)| word.starts_with(other));
        known.map_or_else(|| word.clone(), |(_, here)| (*here).into())
    };
    containing(items, &words.iter().map(called_here).collect::<Vec<_>>())
}

/// The items that contain each of these words in small letters.
fn containing<'r>(items: &'r [ReferenceItem], words: &[String]) -> Vec<&'r ReferenceItem> {
    let all_in = |text: &str| {
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let (mut found, others): (Vec<_>, Vec<_>) = items.iter().partition(|item| all_in(&item.title));
    let in_text = |item: &&ReferenceItem| all_in(&format!("{} {} {}", item.title, item.doc, item.facts));
    found.extend(others.into_iter().filter(in_text));
    found
}
