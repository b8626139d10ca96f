//! `config/entities/KIND.toml`: the settings that all entities of a kind share. An `[[entity]]` of a
//! level may override each of them.

use super::{
    body::read_body,
    camera::read_kind_camera,
    expect::{FeelExpectation, read_expect},
    kind_layers::kind_layers,
    misplaced::{key_of_kind, key_of_model, keys_in_vars},
    stances::{StanceEntry, read_stances, stances_of},
    *,
};
use crate::files::{SpriteTable, media::sprites::read_sprite, tables::reader::read_tunable};
use hangtime_core::{
    level::{CameraSettings, Carries, MOST_SCALE},
    models::{Loadouts, OwnActions},
    sim::Stance,
};

/// The collider if no file sets one, half-widths in px.
const DEFAULT_BODY: Collider = Collider::ellipse(10.0, 19.0);

/// Valid masses. They only matter relative to one another, so they have no unit.
const MASS: Range = range(1e-3, 1e6);

/// Factors for the rate of time.
pub(crate) const TIME_SCALE: Range = range(0.0, MOST_SCALE);

/// A script of a mod above the script of a kind.
#[derive(Clone, Debug)]
pub(crate) struct KindLayer {
    /// The layer's name: the mod's name, followed by the script's path for all but the mod's first script.
    pub name: String,
    /// The script below `scripts/`, and the place that names it.
    pub script: (String, Place),
    /// Initial values of its variables.
    pub vars: BTreeMap<String, Value>,
}

/// The settings of a kind, or of a kind with an entity's overrides.
#[derive(Clone, Debug, Default)]
pub(crate) struct KindSettings {
    /// The script below `scripts/`, and the place that names it.
    pub script: Option<(String, Place)>,
    /// The model, and the place that names it.
    model: Option<(ModelName, Place)>,
    pub vars: BTreeMap<String, Value>,
    /// The scripts of mods above the script, the lowest one first.
    pub layers: Vec<KindLayer>,
    pub pushes: bool,
    /// Its mass; without one, 1.
    pub mass: Option<f64>,
    /// Which of its sides are solid for others; without one, none.
    pub carries: Carries,
    /// The factor for the rate of its time; without one, 1.
    pub time_scale: Option<f64>,
    tunings: ModelTunings,
    body: Option<BodyShape>,
    model_bodies: BTreeMap<ModelName, BodyShape>,
    /// Its stances, the first one first.
    pub stances: Vec<StanceEntry>,
    /// How it looks.
    pub sprite: Option<SpriteTable>,
    /// How it is looked at while a camera follows it.
    pub camera: Option<CameraSettings>,
    /// What is heard of it.
    pub sounds: SoundTable,
    /// The contracts about the kind's feel.
    pub expectations: Vec<FeelExpectation>,
    /// The places that set all this.
    pub provenance: Provenance,
}

impl KindSettings {
    /// The model for entities whose script does not choose one: the model that is set, if it works
    /// in this view, or else the view's default.
    pub fn model(&self, view: View, out: &mut Mistakes) -> ModelName {
        let default = default_model(view);
        let Some((model, place)) = &self.model else {
            return default;
        };
        if model.views().contains(&view) {
            return *model;
        }
        let works = |m: &&ModelName| m.views().contains(&view);
        let names: Vec<&str> = ModelName::ALL.iter().filter(works).map(|m| m.as_str()).collect();
        let message = format!("`{}` does not work in a {} view; use {}", model.as_str(), view.name(), one_of(&names));
        out.error(place, message);
        default
    }

    /// The model that the file sets.
    pub fn own_model(&self) -> Option<ModelName> {
        self.model.as_ref().map(|(model, _)| *model)
    }

    /// Whether its model works in this view.
    pub fn fits(&self, view: View) -> bool {
        let model = self.model.as_ref();
        model.is_none_or(|(model, _)| model.views().contains(&view))
    }

    /// The tuning and collider for each model.
    pub fn loadouts(&self) -> Loadouts {
        let shape = |model| {
            let body = self.model_bodies.get(&model).or(self.body.as_ref());
            body.cloned().unwrap_or_else(|| DEFAULT_BODY.into())
        };
        Loadouts::new(self.tunings.clone(), shape)
    }

    /// The stances, in a game with these actions.
    pub fn stances(&self, actions: &OwnActions, out: &mut Mistakes) -> Arc<[Stance]> {
        stances_of(&self.stances, actions, out)
    }

    /// Reads a model's tuning: `config/models/NAME.toml`, or a table `[NAME]` of a kind or entity.
    pub fn read_model(&mut self, model: ModelName, table: &Table, out: &mut Mistakes) {
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
                out,
                |setting| tunings.set(model, &key.name, setting),
                || {
                    let near = || suggestion(&key.name, tunables.iter().map(|t| t.name).chain(["body"]));
                    match node.table() {
                        Some(_) if key.name == model.as_str() => "; a file in config/models/ has no headers".into(),
                        _ => key_of_model(model, &key.name, table).unwrap_or_else(near),
                    }
                },
            );
        }
    }

    /// Reads the file of a kind over what is set so far.
    pub fn read_kind(&mut self, table: &Table, out: &mut Mistakes) {
        self.read(table, &["camera", "expect", "sounds", "sprite"], out);
        self.sprite = read_sprite(table, out);
        self.camera = read_kind_camera(table, out);
        self.sounds = read_sounds(&mut TableReader::new(table, out));
        self.expectations = read_expect(table, out);
    }

    /// Reads a kind's table over what is set so far; `others` are keys of the table that are read
    /// elsewhere. A `body` here replaces the bodies that model tables have set.
    pub fn read(&mut self, table: &Table, others: &[&'static str], out: &mut Mistakes) {
        let mut reader = TableReader::new(table, out);
        self.script = reader.text_at("script").or(self.script.take());
        if let Some((name, place)) = reader.text_at("model") {
            match ModelName::parse(&name) {
                Some(model) => {
                    self.provenance.note("model".into(), &place);
                    self.model = Some((model, place));
                }
                None => {
                    let hint = suggestion(&name, ModelName::ALL.iter().map(|m| m.as_str()));
                    reader.error(&place, format!("there is no model `{name}`{hint}"));
                }
            }
        }
        if let Some(node) = reader.get("body")
            && let Some(body) = read_body(node, reader.out)
        {
            self.body = Some(body);
            self.model_bodies.clear();
        }
        read_stances(&mut self.stances, &mut reader);
        self.pushes = reader.flag("pushes").unwrap_or(self.pushes);
        self.mass = reader.number("mass", MASS, "").or(self.mass);
        if let Some(carries) = read_carries(&mut reader) {
            self.carries = carries;
            let turns = self.own_model().filter(|model| model.turns());
            if let (true, Some(model)) = (carries != Carries::Nothing, turns) {
                let place = reader.table.place_of("carries");
                reader.warn(place, format!("a body of the model `{model}` carries nothing"));
            }
        }
        self.time_scale = reader.number("time_scale", TIME_SCALE, "").or(self.time_scale);
        self.vars.extend(read_vars(&mut reader, false));
        let is_entity = others.contains(&"at");
        self.layers.extend(read_layers(&mut reader, is_entity));
        for model in ModelName::ALL {
            if let Some(table) = reader.table(model.as_str()) {
                self.read_model(*model, table, reader.out);
            }
        }
        for key in others {
            reader.get(key);
        }
        reader.finish_with(|key| key_of_kind(key, is_entity));
    }
}

/// The model of entities whose kind sets none.
pub(crate) const fn default_model(view: View) -> ModelName {
    match view {
        View::Side => ModelName::platformer,
        View::Top => ModelName::topdown,
    }
}

/// `a`, `a or b`, `a, b or c`.
fn one_of(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_string(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// Reads the scripts of mods that the table of a kind has after the files of all layers were laid over each other.
fn read_layers(reader: &mut TableReader<'_, '_>, is_entity: bool) -> Vec<KindLayer> {
    let has_layers = !is_entity && kind_layers(reader.table).next().is_some();
    for key in ["scripts", "replaces"] {
        if let Some(node) = reader.get(key).filter(|_| !has_layers) {
            reader.error(&node.place, format!("only a mod's file of a kind has `{key}`"));
        }
    }
    let mut layers = Vec::new();
    for (table, node) in kind_layers(reader.table).filter(|_| has_layers) {
        let mut inner = TableReader::new(table, reader.out);
        let (Some(name), Some(path)) = (inner.text("name"), inner.text("script")) else {
            continue;
        };
        layers.push(KindLayer {
            name: name.to_string(),
            script: (path.to_string(), node.place.clone()),
            vars: read_vars(&mut inner, false),
        });
    }
    layers
}

/// Reads which sides of a body are solid for others.
fn read_carries(reader: &mut TableReader<'_, '_>) -> Option<Carries> {
    let node = reader.get("carries")?;
    match &node.value {
        Data::Flag(false) => Some(Carries::Nothing),
        Data::Flag(true) => Some(Carries::All),
        Data::Text(text) if text == "all" => Some(Carries::All),
        Data::Text(text) if text == "top" => Some(Carries::Top),
        Data::Text(text) => {
            let hint = suggestion(text, ["all", "top"]);
            reader.error(
                &node.place,
                format!("`carries` has no value `{text}`{hint}; it is true, false, \"all\" or \"top\""),
            );
            None
        }
        _ => {
            reader.error(&node.place, "`carries` must be true, false, \"all\" or \"top\"");
            None
        }
    }
}

/// Reads `vars`, the initial values of a script's variables, for a level, or for a kind or an entity.
pub(crate) fn read_vars(reader: &mut TableReader<'_, '_>, of_level: bool) -> BTreeMap<String, Value> {
    let Some(vars) = reader.table("vars") else {
        return BTreeMap::new();
    };
    keys_in_vars(reader.table, vars, of_level, reader.out);
    vars.plain().unwrap_or_else(|wrong| {
        reader.out.push(wrong);
        BTreeMap::new()
    })
}
