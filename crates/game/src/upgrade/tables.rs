//! Old names and boxes that were round in TOML files.

use super::{Edit, current_name};
use crate::{
    check::boxes::BOXES,
    files::{Data, KINDS, Node, SourceSet, Table, TableKey},
};
use hangtime_core::models::ModelName;
use hangtime_script::{Diagnostic, Mistakes, SourceFile};
use semver::Version;
use std::{ops::Range, sync::Arc};

/// Finds what is old in the tables of a game.
pub struct OldTables<'a> {
    shared: &'a SourceSet,
    /// Whether boxes are older than [`BOXES`].
    are_round: bool,
    /// Boxes that were round in some models only.
    pub left: Vec<Diagnostic>,
}

impl<'a> OldTables<'a> {
    /// Reads a game that is made for this version, or the oldest one.
    pub fn new(shared: &'a SourceSet, made_for: Option<&Version>) -> Self {
        Self { shared, are_round: made_for.is_none_or(|made| *made < BOXES), left: Vec::new() }
    }

    /// The edits of a file.
    pub fn edits(&mut self, file: &Arc<SourceFile>, table: &Table, wrong: &mut Mistakes) -> Vec<Edit> {
        let mut edits = Vec::new();
        let local = self.shared.mods.local(&file.name);
        let stem = local.strip_suffix(".toml").unwrap_or(local);
        let model = stem.strip_prefix("config/models/").filter(|name| ModelName::parse(name).is_some());
        rename(model, table, &mut edits, wrong);
        if !self.are_round {
            return edits;
        }
        let kind = stem.strip_prefix(KINDS).and_then(|rest| rest.strip_prefix('/'));
        if let Some(model) = model {
            self.round(Some(model), table, &mut edits);
        } else if let Some(kind) = kind {
            let kind = self.shared.layered_kind(kind, &mut Mistakes::new());
            self.round_kind(&kind, table, &mut edits);
        } else if local.starts_with("levels/") {
            for entity in table.tables("entity") {
                let kind = entity.text("kind").unwrap_or_default();
                let kind = self.shared.layered_kind(kind, &mut Mistakes::new());
                self.round_kind(&kind, entity, &mut edits);
            }
        }
        edits
    }

    /// The boxes in the table of a kind, or of an entity of it.
    fn round_kind(&mut self, kind: &Table, table: &Table, edits: &mut Vec<Edit>) {
        let model = table.text("model").or(kind.text("model"));
        let is_rigid = |model: &str| ModelName::parse(model).is_some_and(ModelName::is_rigid);
        for (key, node) in &table.entries {
            if let (Some(_), Some(inner)) = (ModelName::parse(&key.name), node.table()) {
                self.round(Some(key.name.as_str()), inner, edits);
            }
        }
        if model.is_some_and(is_rigid) {
            return;
        }
        // Which model moves the body may be up to its script.
        let script = kind.text("script").and_then(|script| self.shared.files.get(&format!("scripts/{script}")));
        let rigid = ModelName::ALL.iter().map(|model| model.as_str()).find(|model| {
            let own = [table, kind].into_iter().find_map(|it| it.table(model));
            let has_own_body = own.is_some_and(|own| own.get("body").is_some());
            let is_named = own.is_some() || script.is_some_and(|script| script.text.contains(model));
            is_rigid(model) && is_named && !has_own_body
        });
        match (rigid, table.get("body").filter(|body| box_of(body).is_some())) {
            (Some(rigid), Some(body)) => self.left.push(Diagnostic::warning(
                body.place.clone(),
                format!(
                    "this box was an ellipse in all models but `{rigid}`, and this kind can have both; it stays a box. For the \
                     old shapes, write an `ellipse` here and the `box` in `[{rigid}]`"
                ),
            )),
            _ => self.round(None, table, edits),
        }
    }

    /// The box that is the `body` of this table.
    fn round(&self, model: Option<&str>, table: &Table, edits: &mut Vec<Edit>) {
        let is_rigid = model.and_then(ModelName::parse).is_some_and(ModelName::is_rigid);
        let Some((key, size)) = table.get("body").filter(|_| !is_rigid).and_then(box_of) else {
            return;
        };
        edits.push((key, "ellipse".into()));
        let half = |(node, number): (&Node, f64)| (node.place.span.clone(), (0.5 * number).to_string());
        edits.extend(size.into_iter().map(half));
    }
}

/// Where a body says `box`, and its width and height.
type FoundBox<'n> = (Range<usize>, [(&'n Node, f64); 2]);

/// The box that a body is.
fn box_of(body: &Node) -> Option<FoundBox<'_>> {
    let [(key, node)] = body.table()?.entries.as_slice() else {
        return None;
    };
    let [width, height] = node.list().filter(|_| key.name == "box")? else {
        return None;
    };
    Some((inside(key), [(width, width.number()?), (height, height.number()?)]))
}

/// Where the name of a key is, without its quotes.
fn inside(key: &TableKey) -> Range<usize> {
    let Range { start, end } = key.place.span;
    let quote = usize::from(key.place.file.text[start..].starts_with(['"', '\'']));
    start + quote..end - quote
}

/// Renames the keys of a model's table, and those of the tables below.
fn rename(model: Option<&str>, table: &Table, edits: &mut Vec<Edit>, wrong: &mut Mistakes) {
    for (key, node) in &table.entries {
        let new = model.and_then(|model| current_name(model, &key.name));
        if let Some(new) = new {
            if table.get(new).is_some() {
                let old = &key.name;
                wrong.error(&key.place, format!("`{old}` is called `{new}` now, and this table has both; remove one"));
            }
            edits.push((inside(key), new.into()));
        }
        // The author's own names are not renamed.
        if key.name == "vars" {
            continue;
        }
        let inner = ModelName::parse(&key.name).map(|_| key.name.as_str());
        match &node.value {
            Data::Table(table) => rename(inner, table, edits, wrong),
            Data::Array(nodes) => {
                nodes.iter().filter_map(Node::table).for_each(|table| rename(inner, table, edits, wrong));
            }
            _ => {}
        }
    }
}
