//! The entities of a level: a profile for each kind, and where each entity starts.

use super::*;
use crate::files::{ENTITY_KEYS, EntityEntry, content::kind::KindSettings, media::sprites::SpriteTable};
use hangtime_core::{
    level::CameraSettings,
    models::OwnActions,
    sim::{ScriptId, ScriptLayer},
};
use hangtime_script::{BelowScript, names::suggestion};

/// The profiles and starts of a level, and the scripts that they use.
pub(crate) struct Roster<'a> {
    sources: &'a SourceSet,
    view: View,
    /// The actions that the game defines.
    actions: OwnActions,
    pub(crate) profiles: Vec<Profile>,
    /// For each profile, the places that set its keys.
    pub(crate) provenance: Vec<Provenance>,
    pub(crate) starts: Vec<Start>,
    /// The profile of each kind that scripts may spawn.
    pub(crate) kinds: BTreeMap<Arc<str>, usize>,
    /// How the kinds look.
    pub(crate) sprites: BTreeMap<String, SpriteTable>,
    /// How the kinds are looked at.
    pub(crate) cameras: BTreeMap<Arc<str>, CameraSettings>,
    /// What is heard of the kinds.
    pub(crate) sounds: BTreeMap<String, SoundTable>,
    /// The level's own script.
    pub(crate) script: Option<ScriptId>,
    /// A [`ScriptId`] is an index into this list. The scripts have the same keys as in [`SourceSet::scripts`].
    pub(crate) scripts: Vec<Behavior>,
}

impl<'a> Roster<'a> {
    /// Whether a script names the call that spawns entities.
    pub(crate) fn scripts_may_spawn(&self) -> bool {
        let scripts = self.sources.scripts();
        let mut texts = scripts.values();
        !self.scripts.is_empty() && texts.any(|file| file.text.contains("create"))
    }

    /// Reads the kinds that a level uses, each over the models' tuning.
    pub(crate) fn read(
        sources: &'a SourceSet,
        trees: &FileTrees,
        file: &LevelFile<'_>,
        actions: &OwnActions,
        out: &mut Mistakes,
    ) -> Self {
        let mut base = KindSettings::default();
        for (model, table) in &trees.models {
            base.read_model(*model, table, out);
        }
        let mut roster = Self {
            sources,
            view: file.level.view,
            actions: actions.clone(),
            profiles: Vec::new(),
            provenance: Vec::new(),
            starts: Vec::new(),
            kinds: BTreeMap::new(),
            sprites: BTreeMap::new(),
            cameras: BTreeMap::new(),
            sounds: BTreeMap::new(),
            script: None,
            scripts: Vec::new(),
        };
        let named = file.script.as_ref();
        roster.script = named.and_then(|(path, place)| roster.script_of((path, place), None, out));
        let mut known: BTreeMap<&str, (KindSettings, usize)> = BTreeMap::new();
        for entry in &file.entities {
            if BuildProgress::is_cancelled() {
                break;
            }
            let name = entry.kind.as_str();
            if !known.contains_key(name) {
                let Some(table) = trees.kinds.get(name) else {
                    out.push_error(|| missing_kind(entry, trees));
                    continue;
                };
                let mut kind = base.clone();
                roster.read_kind(name, &mut kind, table, out);
                let profile = roster.profile(name, &kind, out);
                known.insert(name, (kind, profile));
            }
            let (kind, shared) = &known[name];
            roster.start(entry, kind, *shared, out);
        }
        for (name, table) in &trees.kinds {
            let profile = match known.get(name.as_str()) {
                Some((_, profile)) => *profile,
                None if trees.created.contains(name) => {
                    let mut kind = base.clone();
                    roster.read_kind(name, &mut kind, table, out);
                    if !kind.fits(roster.view) {
                        continue;
                    }
                    roster.profile(name, &kind, out)
                }
                None => continue,
            };
            roster.kinds.insert(name.as_str().into(), profile);
        }
        roster
    }

    fn read_kind(&mut self, name: &str, kind: &mut KindSettings, table: &Table, out: &mut Mistakes) {
        kind.read_kind(table, out);
        if let Some(sprite) = kind.sprite.take() {
            self.sprites.insert(name.into(), sprite);
        }
        if let Some(camera) = kind.camera.take() {
            self.cameras.insert(name.into(), camera);
        }
        let sounds = std::mem::take(&mut kind.sounds);
        if !sounds.cues.is_empty() {
            self.sounds.insert(name.into(), sounds);
        }
    }

    /// Adds an entity. It has its own profile if it overrides keys of the kind.
    fn start(&mut self, entry: &EntityEntry<'_>, kind: &KindSettings, shared: usize, out: &mut Mistakes) {
        let mut keys = entry.table.names();
        let profile = if keys.any(|key| !ENTITY_KEYS.contains(&key)) {
            let mut kind = kind.clone();
            kind.read(entry.table, &ENTITY_KEYS, out);
            self.profile(&entry.kind, &kind, out)
        } else {
            shared
        };
        self.starts.push(Start {
            name: entry.name.clone(),
            profile,
            at: entry.at,
            z: entry.z,
            angle: entry.angle,
            velocity: entry.velocity,
            player: entry.player,
        });
    }

    fn profile(&mut self, name: &str, kind: &KindSettings, out: &mut Mistakes) -> usize {
        let script = kind.script.as_ref();
        let mut script = script.and_then(|(path, place)| self.script_of((path, place), None, out));
        let mut layers = Vec::new();
        for layer in &kind.layers {
            let (path, place) = &layer.script;
            let above = self.script_of((path, place), script, out);
            let Some(below) = script else {
                // An entity that overrides its script with one that is missing has none.
                break;
            };
            script = Some(above.unwrap_or(below));
            layers.extend(above.map(|_| ScriptLayer { name: layer.name.as_str().into(), vars: layer.vars.clone() }));
        }
        self.provenance.push(kind.provenance.clone());
        self.profiles.push(Profile {
            kind: name.into(),
            script,
            layers,
            model: kind.model(self.view, out),
            loadouts: kind.loadouts(),
            pushes: kind.pushes,
            mass: kind.mass.unwrap_or(1.0),
            carries: kind.carries,
            stances: kind.stances(&self.actions, out),
            time_scale: kind.time_scale.unwrap_or(1.0),
            vars: kind.vars.clone(),
        });
        self.profiles.len() - 1
    }

    /// The script at a path below `scripts/`, named at `place`, above another one of the same entity.
    fn script_of(
        &mut self,
        (path, place): (&str, &Place),
        below: Option<ScriptId>,
        out: &mut Mistakes,
    ) -> Option<ScriptId> {
        match self.sources.script_key(path, place) {
            Ok(key) => return Some(self.script_id(key, below)),
            // A script that cannot be read is reported already.
            Err(file) if self.sources.is_unreadable(&file) => {}
            Err(_) => out.push_error(|| {
                let names = self.sources.scripts_named_at(place);
                missing_script(path, place.clone(), names.iter().map(|name| &**name))
            }),
        }
        None
    }

    fn script_id(&mut self, key: String, below: Option<ScriptId>) -> ScriptId {
        let below = below.map_or(BelowScript::Nothing, BelowScript::Script);
        let behavior = Behavior { key, below };
        let known = self.scripts.iter().position(|known| *known == behavior);
        let place = known.unwrap_or_else(|| {
            self.scripts.push(behavior);
            self.scripts.len() - 1
        });
        ScriptId(place as u32)
    }
}

fn missing_kind(entry: &EntityEntry<'_>, trees: &FileTrees) -> Diagnostic {
    let names: Vec<&str> = trees.kinds.keys().map(String::as_str).collect();
    let hint = suggestion(&entry.kind, names);
    let message = format!("there is no config/entities/{}.toml{hint}", printable_name(&entry.kind));
    Diagnostic::error(entry.kind_place.clone(), message)
}

/// The message for a kind or level that names a script that does not exist.
pub(crate) fn missing_script<'a>(path: &str, place: Place, names: impl Iterator<Item = &'a str>) -> Diagnostic {
    let hint = suggestion(path, names.collect::<Vec<_>>());
    Diagnostic::error(place, format!("there is no scripts/{path}{hint}"))
}
