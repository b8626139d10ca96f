//! `config/entities/KIND.toml`: what all entities of a kind share. An entity of a level may set
//! the same for itself.

use super::body::read_body;
use super::provenance::Provenance;
use super::reader::{Fields, read_tunable};
use super::tree::Table;
use crate::geometry::Ellipse;
use crate::level::View;
use crate::models::{BodyShape, Loadouts, ModelName, ModelTunings};
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Place};
use crate::sim::Value;
use crate::tuning::{Range, range};
use std::collections::BTreeMap;

/// The collider where nobody says otherwise, half-widths in px.
const DEFAULT_BODY: Ellipse = Ellipse::new(10.0, 19.0);

/// What bodies may weigh, beside one another.
const MASS: Range = range(1e-3, 1e6);

/// A kind, or a kind with an entity's own settings over it.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// The script below `scripts/`, and where it is named.
    pub script: Option<(String, Place)>,
    /// The model that is named, and where.
    model: Option<(ModelName, Place)>,
    pub vars: BTreeMap<String, Value>,
    pub pushes: bool,
    pub mass: f64,
    tunings: ModelTunings,
    body: Option<BodyShape>,
    model_bodies: BTreeMap<ModelName, BodyShape>,
    /// Where all that was set.
    pub provenance: Provenance,
}

impl Default for Kind {
    fn default() -> Self {
        Self {
            script: None,
            model: None,
            vars: BTreeMap::new(),
            pushes: false,
            mass: 1.0,
            tunings: ModelTunings::default(),
            body: None,
            model_bodies: BTreeMap::new(),
            provenance: Provenance::default(),
        }
    }
}

impl Kind {
    /// The model that moves it when no script decides: the one that is named, if it works in this
    /// view, else the view's own.
    pub fn model(&self, view: View, out: &mut Vec<Diagnostic>) -> ModelName {
        let own = match view {
            View::Side => ModelName::platformer,
            View::Top => ModelName::topdown,
        };
        let Some((model, place)) = &self.model else {
            return own;
        };
        if model.views().contains(&view) {
            return *model;
        }
        let works = |m: &&ModelName| m.views().contains(&view);
        let names: Vec<&str> = ModelName::ALL
            .iter()
            .filter(works)
            .map(|m| m.as_str())
            .collect();
        let why = format!(
            "`{}` does not work in a {} view; {} do",
            model.as_str(),
            view.name(),
            names.join(", ")
        );
        out.push(Diagnostic::error(place.clone(), why));
        own
    }

    /// Whether it can live in this view.
    pub fn fits(&self, view: View) -> bool {
        let model = self.model.as_ref();
        model.is_none_or(|(model, _)| model.views().contains(&view))
    }

    /// What follows from it for every model.
    pub fn loadouts(&self) -> Loadouts {
        let figure = |model| {
            let own = self.model_bodies.get(&model).or(self.body.as_ref());
            own.cloned().unwrap_or_else(|| DEFAULT_BODY.into())
        };
        Loadouts::new(self.tunings.clone(), figure)
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
            self.provenance.note_tunable(model, &key.name, &node.place);
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
                Some(model) => {
                    self.provenance.note("model".into(), &node.place);
                    self.model = Some((model, node.place.clone()));
                }
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
        self.pushes = fields.flag("pushes").unwrap_or(self.pushes);
        self.mass = fields.number("mass", MASS, "").unwrap_or(self.mass);
        self.vars.extend(read_vars(&mut fields));
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

/// Reads `vars`, first values of a script's variables.
pub(super) fn read_vars(fields: &mut Fields<'_, '_>) -> BTreeMap<String, Value> {
    let Some(vars) = fields.table("vars") else {
        return BTreeMap::new();
    };
    vars.plain().unwrap_or_else(|wrong| {
        fields.out.push(wrong);
        BTreeMap::new()
    })
}
