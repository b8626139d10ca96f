//! The reference name by name: for `hangtime api NAME`, its search, and editors.

use crate::names::nearest;
use std::{cmp::Reverse, fmt::Write as _};

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

/// The items with a name: `jump`, `me.jump`, `me:jump`, `world::create`, `world.create`, `on_land`, `land`,
/// `platformer.jump_speed`.
///
/// # Errors
/// With no such item: the name that was most likely meant, if there is one.
pub fn find_item<'r>(items: &'r [ReferenceItem], name: &str) -> Result<Vec<&'r ReferenceItem>, Option<&'r str>> {
    let called = name.trim().strip_suffix(')');
    let called = called.and_then(|name| Some(name.rsplit_once('(')?.0));
    let name = called.unwrap_or(name.trim());
    let dotted = |name: &str| name.replace("::", ".").replace(':', ".");
    let named = |item: &&ReferenceItem| item.names.iter().any(|n| dotted(n) == dotted(name));
    let found: Vec<&ReferenceItem> = items.iter().filter(named).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names = items.iter().flat_map(|item| item.names.iter());
    Err(nearest(name, names.map(String::as_str)))
}

/// Words that people look for, and what the reference calls it.
const CALLED_HERE: [(&str, &str); 33] = [
    ("kill", "me.remove"),
    ("destroy", "me.remove"),
    ("delete", "me.remove"),
    ("instantiate", "world::create"),
    ("spawn", "world::create"),
    ("delay", "wait"),
    ("cooldown", "me.after"),
    ("score", "world::keep"),
    ("save", "world::keep"),
    ("load", "world::kept"),
    ("persist", "world::keep"),
    ("raycast", "world::cast"),
    ("image", "sprite"),
    ("label", "text"),
    ("dialog", "text"),
    ("health", "bar"),
    ("signal", "world::emit"),
    ("message", "world::emit"),
    ("damage", "world::emit"),
    ("collision", "on_touch"),
    ("collide", "on_touch"),
    ("respawn", "world::restart"),
    ("portal", "teleport"),
    ("warp", "teleport"),
    ("teleport", "me.place"),
    ("knockback", "me.push"),
    ("pathfind", "world::route"),
    ("bullet", "shot"),
    ("projectile", "plan_throw"),
    ("elevator", "lift"),
    ("invisible", "visible"),
    ("slippery", "ice"),
    ("door", "set_solid"),
];

/// The most items that have only some of several words.
const MOST_PARTIAL: usize = 12;

/// The items that contain each of these words, or what the reference calls it; those with more of them in their names come
/// first. If no item has them all, the ones with the most of them.
pub fn search_items<'r>(
    items: impl IntoIterator<Item = &'r ReferenceItem>,
    words: &[String],
) -> Vec<&'r ReferenceItem> {
    let words: Vec<String> = words.iter().flat_map(|word| word.split_whitespace()).map(str::to_lowercase).collect();
    let mut found: Vec<(usize, usize, &ReferenceItem)> = Vec::new();
    for item in items {
        let texts = [&item.title, &item.doc, &item.facts].map(|text| text.to_lowercase());
        let weights: Vec<usize> = words.iter().map(|word| weight(&texts, word)).collect();
        let count = weights.iter().filter(|weight| **weight > 0).count();
        if count > 0 {
            found.push((count, weights.iter().sum(), item));
        }
    }
    found.sort_by_key(|(count, weight, _)| (Reverse(*count), Reverse(*weight)));
    let most = found.first().map_or(0, |(count, ..)| *count);
    let listed = if most == words.len() { found.len() } else { MOST_PARTIAL };
    found
        .iter()
        .take_while(|(count, ..)| *count == most)
        .map(|(.., item)| *item)
        .take(listed)
        .collect()
}

/// How much a word says about an item with this title, description and facts, in small letters; 0 if it is not there.
fn weight([title, doc, facts]: &[String; 3], word: &str) -> usize {
    let stem = ["ing", "ed", "s"].iter().find_map(|ending| word.strip_suffix(ending));
    let stem = stem.filter(|stem| stem.len() > 2).unwrap_or(word);
    // `ice` is in `ice_boots`, but not in `price`.
    let has = |text: &String, word: &str| {
        let begins = |(at, _): (usize, &str)| !text[..at].ends_with(char::is_alphanumeric);
        text.match_indices(word).any(begins)
    };
    let direct = [(title, 9), (doc, 4), (facts, 2)].into_iter().find(|(text, _)| has(text, stem));
    let mut known = CALLED_HERE.iter().filter(|(other, _)| word.starts_with(other));
    let called = known.next().filter(|(_, here)| has(title, here) || has(doc, here));
    direct.map_or(usize::from(called.is_some()), |(_, weight)| weight)
}
