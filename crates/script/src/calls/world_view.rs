//! What scripts can read of the world apart from their own entity.
//!
//! Scripts share no state with the world. What they read is copied once per phase, and only if some script of the
//! revision reads it.

use super::{kept_later::KeptLater, *};
use hangtime_core::{
    level::{LevelChanges, Transit},
    sim::{Joints, Routes, Stage, ViewParts},
};

/// Which parts of the world the scripts of a revision may read, judged by the words in their sources.
#[derive(Clone, Copy, Debug)]
pub struct Interest {
    stage: bool,
    entities: bool,
    contacts: bool,
    handed: bool,
    routes: bool,
    joints: bool,
    players: bool,
    parts: ViewParts,
}

impl Interest {
    /// The parts that scripts with these texts may read: all of them if a script computes names, so that its text does not
    /// have them.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str> + Clone, computed: bool) -> Self {
        let mentions = |part: &str| computed || texts.clone().any(|text| text.contains(part));
        let names = |word: &str| computed || texts.clone().any(|text| has_word(text, word));
        let world = mentions("world");
        let contacts = mentions("touching");
        let stage = world
            || [
                "jump_to",
                "plan_jump",
                "plan_own_jump",
                "plan_throw",
                "place",
                "random",
                "resize",
                "has_room",
                "set_stance",
                "touching",
                "tuned",
                "camera",
            ]
            .into_iter()
            .any(&mentions);
        // Whether these rules are due depends on the surface and on the zones.
        let rules = names("model") || names("jump_windows");
        Self {
            stage,
            // Scripts that only read the time or random numbers need no copy of the entities.
            entities: contacts || world && ["entity", "all", "create", "near", "rope", "spring"].into_iter().any(names),
            contacts,
            handed: world && mentions("handed"),
            routes: world && mentions("route"),
            joints: world && ["rope", "spring", "joint", "reel", "cut"].into_iter().any(names),
            players: computed || texts.clone().any(hears_players),
            parts: ViewParts {
                // Random numbers and plans depend on the name, too.
                name: stage || names("name"),
                surface: rules || names("surface"),
                solid: names("solid"),
                zones: rules || names("zones"),
                hook: names("hook"),
            },
        }
    }

    /// Whether scripts may read other entities than their own.
    pub fn reads_others(&self) -> bool {
        self.entities || self.contacts
    }

    /// Whether scripts may read what players hold.
    pub fn hears_players(&self) -> bool {
        self.players
    }

    /// The parts of the view of `me` that scripts may read.
    pub fn parts(&self) -> ViewParts {
        self.parts
    }
}

/// Whether a text asks `world` what a player holds, or gives `world` another name.
fn hears_players(text: &str) -> bool {
    let calls = ["held", "pressed", "released", "axis"];
    text.match_indices("world").any(|(at, world)| {
        let rest = text[at + world.len()..].trim_start();
        match rest.strip_prefix("::").or_else(|| rest.strip_prefix('.')) {
            Some(member) => calls.iter().any(|call| member.trim_start().starts_with(call)),
            None => text[..at].trim_end().ends_with('=') && calls.iter().any(|call| has_word(text, call)),
        }
    })
}

/// Whether a text has a word that is not a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

/// The world as of the start of a phase.
#[derive(Debug, Default)]
pub struct WorldView {
    /// n in the step from tick n to n+1.
    pub tick: u64,
    /// Seconds since the start.
    pub time: f64,
    /// How fast time passes: 1 for full rate.
    pub time_scale: f64,
    /// Ticks per second at full rate.
    pub hz: u32,
    /// The stage, if some script reads it.
    stage: Option<Stage>,
    /// Positions of its platforms, and which of its solids exist.
    pub(super) standing: Transit,
    /// All entities, by id.
    pub(super) entities: Vec<Arc<EntityView>>,
    /// Their centers, which a search goes through first.
    pub(super) places: Vec<DVec2>,
    /// The places of the entities that the last search has found.
    pub(super) found: Vec<u32>,
    /// Whether this is the decide phase; otherwise rules are being called in the middle of a tick.
    deciding: bool,
    /// Seed of the run.
    pub(super) seed: u64,
    /// Id of the next entity that a script creates. No id is given out twice, even if the hook that took it fails.
    pub(super) next_id: u32,
    /// The names of the entities that scripts have created in this phase.
    pub(super) spawned: Vec<Arc<str>>,
    /// How many live entities scripts have created, including in this phase.
    pub(super) created: usize,
    /// How many events were emitted in this phase.
    pub(super) emitted: usize,
    /// How many timers are running, including timers set in this phase.
    pub(super) timers: usize,
    /// What scripts have changed about the level.
    pub(super) changes: LevelChanges,
    /// The names of the solids that this phase creates or removes, and which of both.
    pub(super) solids_later: Vec<(Arc<str>, bool)>,
    /// How many created solids there will be.
    pub(super) solids: usize,
    /// What was handed over when the level began.
    pub(super) handed: Value,
    /// Which entities touch, by ascending ids.
    pub(super) touching: Vec<(EntityId, EntityId)>,
    /// The actions that the game defines.
    pub(super) actions: OwnActions,
    /// The routes that scripts have asked for.
    pub(super) routes: Routes,
    /// Ropes and springs.
    pub(super) joints: Joints,
    /// The id of the next one.
    pub(super) next_joint: u32,
    /// What players hold.
    pub(super) players: Players,
    /// What scripts have kept.
    pub(super) kept: KeptValues,
    /// What this phase changes about the names of what is kept.
    pub(super) later: KeptLater,
}

/// The message for calls that rules cannot make.
pub fn not_in_rules(call: &str) -> String {
    format!("`{call}` cannot be called from a rule; call it from an event hook")
}

impl WorldView {
    /// Copies the world at the start of a phase.
    pub(super) fn open(&mut self, scene: &Scene<'_>, interest: Interest, deciding: bool) {
        self.tick = scene.tick;
        self.time = scene.time;
        self.hz = scene.stage.hz;
        self.time_scale = scene.world.time_scale();
        self.deciding = deciding;
        self.seed = scene.world.seed();
        self.actions.clone_from(&scene.stage.actions);
        self.emitted = 0;
        self.kept.clone_from(scene.world.kept());
        self.later.clear();
        self.timers = scene.world.timer_count();
        // Ids that a failed hook took in the previous phase are free again: no entity got them.
        self.next_id = scene.world.next_id();
        self.spawned.clear();
        self.solids_later.clear();
        self.created = if interest.entities { scene.world.created() } else { 0 };
        self.stage = interest.stage.then(|| scene.stage.clone());
        if interest.stage {
            self.standing = scene.world.standing(scene.stage);
            self.changes.copy_from(scene.world.changes());
            self.solids = self.changes.created_count();
        }
        if interest.handed {
            self.handed.clone_from(scene.world.handed());
        }
        if interest.players {
            self.players.clone_from(scene.world.players());
        }
        if interest.joints {
            self.joints.clone_from(scene.world.joints());
            self.next_joint = self.joints.next_id();
        }
        if interest.routes {
            self.routes.clone_from(scene.world.routes());
        }
        if interest.entities {
            self.copy_entities(scene);
        }
        self.touching.clear();
        if interest.contacts {
            self.touching.extend(scene.world.touching_pairs());
        }
    }

    /// Copies all entities, into the views of the phase before.
    fn copy_entities(&mut self, scene: &Scene<'_>) {
        let entities = scene.world.entities();
        self.entities.truncate(entities.len());
        for (view, entity) in self.entities.iter_mut().zip(entities) {
            // A view that something still holds stays as it is.
            match Arc::get_mut(view) {
                Some(view) => scene.world.write_view(scene.stage, entity, view),
                None => *view = Arc::new(scene.world.view(scene.stage, entity)),
            }
        }
        let new = &entities[self.entities.len()..];
        let views = new.iter().map(|e| Arc::new(scene.world.view(scene.stage, e)));
        self.entities.extend(views);
        self.places.clear();
        self.places.extend(self.entities.iter().map(|view| view.pos));
    }

    /// Gives back what a failed hook has used of the limits that all scripts share.
    pub fn refund(&mut self, emitted: usize, created: usize, timers: usize, keeps: usize, solids: usize) {
        self.later.undo(keeps);
        self.undo_solids(solids);
        self.timers = self.timers.saturating_sub(timers);
        self.emitted = self.emitted.saturating_sub(emitted);
        self.created = self.created.saturating_sub(created);
    }

    /// Checks that `call` may change the world now.
    ///
    /// # Errors
    /// In a rule, which is called in the middle of a tick.
    pub(super) fn require_event(&self, call: &str) -> Allowed {
        if self.deciding {
            return Ok(());
        }
        refuse(not_in_rules(call))
    }

    /// The stage.
    ///
    /// # Errors
    /// If no script was known to read it.
    pub(super) fn stage(&self) -> Accepted<&Stage> {
        self.stage.as_ref().map_or_else(outside_functions, Ok)
    }
}

/// Refuses calls that read a world that is not there.
pub fn outside_functions<T>() -> Accepted<T> {
    refuse("the world can only be read inside functions")
}

#[cfg(test)]
#[path = "../../tests/unit/calls/world_view.rs"]
mod tests;
