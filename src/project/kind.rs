//! `config/entities/KIND.toml`: what all entities of a kind share. An entity of a level may set
//! the same for itself.

use super::reader::{Fields, read_tunable};
use super::tree::{Data, Node, Table};
use crate::geometry::Ellipse;
use crate::models::{ModelName, ModelTunings, Outfits};
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Place};
use crate::sim::Value;
use crate::tuning::range;
use std::collections::BTreeMap;

/// The collider where nobody says otherwise, half-widths in px.
const DEFAULT_BODY: Ellipse = Ellipse::new(10.0, 19.0);

/// A kind, or a kind with an entity's own settings over it.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// The script below `scripts/`, and where it is named.
    pub script: Option<(String, Place)>,
    pub model: ModelName,
    pub vars: BTreeMap<String, Value>,
    tunings: ModelTunings,
    body: Option<Ellipse>,
    model_bodies: BTreeMap<ModelName, Ellipse>,
}

impl Default for Kind {
    fn default() -> Self {
        Self {
            script: None,
            model: ModelName::platformer,
            vars: BTreeMap::new(),
            tunings: ModelTunings::default(),
            body: None,
            model_bodies: BTreeMap::new(),
        }
    }
}

impl Kind {
    /// What follows from it for every model.
    pub fn outfits(&self) -> Outfits {
        let shape = |model| {
            self.model_bodies
                .get(&model)
                .copied()
                .or(self.body)
                .unwrap_or(DEFAULT_BODY)
        };
        Outfits::new(self.tunings.clone(), shape)
    }

    /// Reads the defaults of a model, `config/models/NAME.toml`.
    pub fn read_model(&mut self, model: ModelName, table: &Table, out: &mut Vec<Diagnostic>) {
        for (key, node) in &table.entries {
            if key.name == "body" {
                if let Some(body) = read_body(node, out) {
                    self.model_bodies.insert(model, body);
                }
                continue;
            }
            let tunings = &mut self.tunings;
            let tunables = model.tunables();
            read_tunable(
                key,
                node,
                |setting| tunings.set(model, &key.name, setting),
                || tunables.iter().map(|t| t.name).chain(["body"]).collect(),
                out,
            );
        }
    }

    /// Reads the keys of a kind; `others` are keys that its table has beside them. An own body
    /// comes before one that a kind's model table has set.
    pub fn read(&mut self, table: &Table, others: &[&'static str], out: &mut Vec<Diagnostic>) {
        let mut fields = Fields::new(table, out);
        if let (Some(script), Some(node)) = (fields.text("script"), table.get("script")) {
            self.script = Some((script.to_string(), node.place.clone()));
        }
        if let (Some(name), Some(node)) = (fields.text("model"), table.get("model")) {
            match ModelName::parse(name) {
                Some(model) => self.model = model,
                None => {
                    let names: Vec<&str> = ModelName::ALL.iter().map(|m| m.as_str()).collect();
                    let hint = suggestion(name, names);
                    fields.wrong(&node.place, format!("there is no model `{name}`{hint}"));
                }
            }
        }
        if let Some(node) = fields.get("body")
            && let Some(body) = read_body(node, fields.out)
        {
            self.body = Some(body);
            self.model_bodies.clear();
        }
        if let Some(vars) = fields.table("vars") {
            match vars.plain() {
                Ok(vars) => self.vars.extend(vars),
                Err(wrong) => fields.out.push(wrong),
            }
        }
        for model in ModelName::ALL {
            if let Some(table) = fields.table(model.as_str()) {
                self.read_model(*model, table, fields.out);
            }
        }
        for key in others {
            fields.get(key);
        }
        fields.finish();
    }
}

/// Reads `{ ellipse = [half_width, half_height] }`.
fn read_body(node: &Node, out: &mut Vec<Diagnostic>) -> Option<Ellipse> {
    let right = "`body` takes { ellipse = [half_width, half_height] }";
    let Data::Table(table) = &node.value else {
        out.push(Diagnostic::error(
            node.place.clone(),
            format!("{right}, not {}", node.kind()),
        ));
        return None;
    };
    let mut fields = Fields::new(table, out);
    for shape in ["box", "pieces"] {
        if let Some(shape_node) = fields.get(shape) {
            let why = format!("no model of this version moves a body of `{shape}`; {right}");
            fields.wrong(&shape_node.place, why);
            return None;
        }
    }
    let Some(ellipse) = fields.get("ellipse") else {
        fields.finish();
        if out
            .last()
            .is_none_or(|d| d.place.as_ref().is_none_or(|p| p.file != node.place.file))
        {
            out.push(Diagnostic::error(node.place.clone(), right));
        }
        return None;
    };
    let size = fields.numbers_of::<2>("ellipse", ellipse, "half-widths, [x, y]")?;
    let allowed = range(0.1, 10_000.0);
    if let Some(x) = size
        .into_iter()
        .find(|x| !(*x >= allowed.min && *x <= allowed.max))
    {
        let why = super::reader::out_of_range("ellipse", x, allowed, "px");
        fields.wrong(&ellipse.place, why);
        return None;
    }
    fields.finish();
    Some(Ellipse::new(size[0], size[1]))
}
