//! The search: rounds in which the moves from several places are played at the same time.

use super::{
    goals::{entity_of, solid_under},
    moves::Ahead,
    *,
};
use crate::in_order::in_order;
use hangtime_core::tuning::Setting;
use hangtime_script::{budget::interruptible, names::suggestion};

/// How many places are explored in one round. It does not depend on the number of threads, so neither does the answer.
const AT_ONCE: usize = 16;

/// The most places that are kept.
const MOST_PLACES: usize = 100_000;

/// The most memory that the worlds of places take, bytes, as they estimate it. Others are played again when they are
/// needed.
const MOST_MEMORY: u64 = 128 << 20;

/// About how much memory a world takes for each of its entities, and in addition, bytes.
const ENTITY_MEMORY: u64 = 2048;
const WORLD_MEMORY: u64 = 4096;

/// What a search looks for.
#[derive(Clone, Debug, Default)]
pub struct ReachOrder {
    /// The entity whose player is played; without one, the first player's, else the first that has a player.
    pub entity: Option<String>,
    /// The goals that have to be reached, by name: the search ends once they are. Without any, it looks for all.
    pub must: Vec<String>,
    /// The actions that are pressed in the air in addition to jump.
    pub presses: Vec<String>,
}

/// The body that moves, and what it looks for.
pub struct ReachSubject {
    pub revision: Arc<Revision>,
    pub name: Arc<str>,
    pub id: EntityId,
    pub player: u8,
    pub presses: Vec<Action>,
    pub goals: Vec<GoalShape>,
}

impl ReachSubject {
    pub fn entity<'w>(&self, world: &'w World) -> Option<&'w Entity> {
        entity_of(world, self.id)
    }

    /// The inputs of all players while its player holds these keys.
    pub fn inputs(&self, input: PlayerInput) -> Inputs {
        let mut inputs = Inputs::none();
        *inputs.player_mut(self.player) = input;
        inputs
    }

    /// Whether the level is seen from above.
    pub fn is_top(&self) -> bool {
        self.revision.stage.level.view == View::Top
    }

    /// Whether a body has a hook that reaches something.
    pub fn has_hook(&self, world: &World) -> bool {
        self.entity(world).is_some_and(|entity| {
            let loadouts = &self.revision.stage.profiles[world.profile_of(entity)].loadouts;
            let reach = loadouts.setting(entity.model, "hook_length");
            entity.model.hooks() && matches!(reach, Some(Setting::Number(reach)) if reach > 0.0)
        })
    }

    pub fn tick(&self, rules: &mut ScriptRules, world: &mut World, input: PlayerInput) {
        world.tick(&self.revision.stage, &self.inputs(input), rules);
    }
}

/// A place where the body rests.
pub struct ReachedPlace {
    /// The world there, until it is explored; `None` also if there was no room, so that it has to be played again.
    pub world: Option<World>,
    pub at: DVec2,
    /// The place before, and the keys from there to here.
    pub before: usize,
    pub keys: Vec<KeyStretch>,
    pub path: Vec<DVec2>,
    pub ticks: u64,
    pub solid: Arc<str>,
    pub state: u64,
}

/// What is tried from a place at once, in the order in which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Moves {
    /// Walks, jumps, falls, and moves in water.
    OnFoot,
    /// Swings on the hook.
    Swings,
}

/// Moves that were not tried: swings after all else, on ground with few places first, then those of places that are
/// reached early.
pub type OpenMoves = (Moves, usize, u64, usize);

/// What is known about a goal.
#[derive(Clone, Debug, PartialEq)]
pub enum ReachAnswer {
    /// It is reached.
    Yes {
        /// How long after the start, ticks.
        ticks: u64,
        /// The center of the body at the last place of rest before, px.
        from: DVec2,
    },
    /// None of the moves from any place of rest that was found leads there.
    No,
    /// The search has not tried all of its moves.
    Unknown,
}

/// The nearest that a body came to a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMiss {
    /// How far it was away, px: between the bodies, between the body's center and the zone, or between its feet and the
    /// ground.
    pub distance: f64,
    /// Where its center was, px.
    pub at: DVec2,
    /// The place of rest before, and the keys from there.
    pub(super) way: (usize, Vec<KeyStretch>),
}

/// What a body was able to do in the places that were explored.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct AbilitiesSeen {
    /// It swam or hovered.
    pub swims: bool,
    /// Its hook was tried.
    pub swings: bool,
    /// It was a rigid body that turns.
    pub turns: bool,
}

/// What a place has to have in common with another one to count as the same: the cell, the solid, and the state.
type PlaceKey = ((i64, i64), Arc<str>, u64);

/// A search, which can be continued.
pub struct ReachSearch {
    pub(super) subject: ReachSubject,
    start: World,
    must: Vec<String>,
    pub(super) places: Vec<ReachedPlace>,
    pub(super) open: BTreeSet<OpenMoves>,
    pub(super) known: BTreeSet<PlaceKey>,
    /// How many places are on each solid.
    pub(super) crowd: BTreeMap<Arc<str>, usize>,
    pub(super) tried: BTreeSet<Takeoff>,
    /// The way to each goal that is reached.
    pub(super) ways: BTreeMap<usize, (usize, Vec<KeyStretch>)>,
    pub(super) misses: BTreeMap<usize, NearMiss>,
    pub(super) ticks: u64,
    pub(super) restless: u64,
    pub(super) seen: AbilitiesSeen,
    /// Whether moves were left out because there was no room or a place took too many ticks.
    pub(super) cut: bool,
    pub(super) memory: u64,
    fault: Option<Fault>,
}

impl ReachSearch {
    /// Begins a search in a world of a revision.
    ///
    /// # Errors
    /// Why there is nothing to search, with the name that was probably meant.
    pub fn new(revision: Arc<Revision>, world: &World, order: &ReachOrder) -> Result<Self, String> {
        let stage = &revision.stage;
        let entity = chosen(world, order.entity.as_deref())?;
        let player = entity
            .player
            .ok_or_else(|| format!("`{}` has no player who could move it", entity.name))?;
        if entity.model.turns() {
            return Err(format!(
                "`{}` is a rigid body that turns; the moves that are tried are for bodies that walk or swim",
                entity.name
            ));
        }
        let mut presses = vec![Action::Jump];
        for name in &order.presses {
            let names = stage.actions.all_names();
            let unknown = || format!("there is no action `{name}`{}", suggestion(name, names));
            presses.push(stage.actions.parse(name).ok_or_else(unknown)?);
        }
        let goals = goals_of(stage, world, entity);
        for name in &order.must {
            let known = goals.iter().map(|shape| &*shape.goal.name);
            // A level is known only once a script plays it.
            let is_level = name.contains('.') || name.contains('/');
            if !is_level && known.clone().all(|known| known != name) {
                let hint = suggestion(name, known);
                return Err(format!("there is no zone, entity or solid to stand on with the name `{name}`{hint}"));
            }
        }
        let (name, id) = (entity.name.clone(), entity.id);
        let mut search = Self {
            subject: ReachSubject { revision, name, id, player, presses, goals },
            start: world.clone(),
            must: order.must.clone(),
            places: Vec::new(),
            open: BTreeSet::new(),
            known: BTreeSet::new(),
            crowd: BTreeMap::new(),
            tried: BTreeSet::new(),
            ways: BTreeMap::new(),
            misses: BTreeMap::new(),
            ticks: 0,
            restless: 0,
            seen: AbilitiesSeen::default(),
            cut: false,
            memory: 0,
            fault: None,
        };
        let at = world.body(entity).pos;
        search.add(0, Ahead::new(world.clone(), at));
        Ok(search)
    }

    /// Adds a place, unless it is known.
    fn add(&mut self, before: usize, ahead: Ahead) {
        let Ahead { world, keys, path, .. } = ahead;
        let Some(entity) = self.subject.entity(&world) else { return };
        let (stage, body) = (&self.subject.revision.stage, world.body(entity));
        let solid = solid_under(stage, &world, body).map_or_else(Arc::default, |solid| solid.name.clone());
        let (at, state) = (body.pos, state_of(stage, &world, entity));
        let key = (cell_of(at), solid.clone(), state);
        if self.known.contains(&key) {
            return;
        }
        if self.places.len() >= MOST_PLACES {
            self.cut = true;
            return;
        }
        self.known.insert(key);
        let ticks = self.places.get(before).map_or(0, |place| place.ticks) + length(&keys);
        let count = self.crowd.entry(solid.clone()).or_default();
        self.open.insert((Moves::OnFoot, *count, ticks, self.places.len()));
        *count += 1;
        let world = self.kept(world);
        self.places.push(ReachedPlace { world, at, before, keys, path, ticks, solid, state });
    }

    /// Keeps a world, if there is room.
    fn kept(&mut self, world: World) -> Option<World> {
        let memory = memory_of(&world);
        let fits = self.memory + memory <= MOST_MEMORY;
        self.memory += if fits { memory } else { 0 };
        fits.then_some(world)
    }

    /// Takes the world of a place, if it was kept.
    fn taken(&mut self, place: usize) -> Option<World> {
        let world = self.places[place].world.take()?;
        self.memory -= memory_of(&world);
        Some(world)
    }

    /// Continues the search until it has played about this many more ticks, on some threads. It also ends once there is
    /// nothing left to try, or nothing left to reach, or when `stopped` says so.
    pub fn advance(&mut self, ticks: u64, threads: usize, stopped: &(impl Fn() -> bool + Clone + Sync + 'static)) {
        let most = self.ticks.saturating_add(ticks);
        while self.ticks < most && !self.is_done() && !stopped() && !is_interrupted() {
            let batch: Vec<OpenMoves> = (0..AT_ONCE).map_while(|_| self.open.pop_first()).collect();
            let mut from: Vec<Option<World>> = batch.iter().map(|(.., place)| self.taken(*place)).collect();
            let wanted: Vec<(usize, f64)> = (0..self.subject.goals.len())
                .filter(|goal| !self.ways.contains_key(goal))
                .map(|goal| (goal, self.misses.get(&goal).map_or(f64::INFINITY, |miss| miss.distance)))
                .collect();
            let explore = |number: usize| {
                let (moves, .., place) = batch[number];
                let (at, kept) = (self.places[place].at, from[number].as_ref());
                let explore = || {
                    let world = kept.cloned().unwrap_or_else(|| self.world_at(place));
                    let mut explorer = Explorer {
                        subject: &self.subject,
                        rules: self.subject.revision.scripts.rules(),
                        tried: &self.tried,
                        wanted: &wanted,
                        found: Explored::default(),
                    };
                    let is_there = self.subject.entity(&world).is_some_and(|entity| world.body(entity).pos == at);
                    // Keys of a file may lead elsewhere.
                    explorer.found.cut |= !is_there;
                    let from = Ahead::new(world, at);
                    match moves {
                        Moves::OnFoot => explorer.explore(&from),
                        Moves::Swings => explorer.swing(&from),
                    }
                };
                let (found, is_cut) = interruptible(stopped.clone(), explore);
                (!is_cut).then_some(found)
            };
            let mut all = Vec::new();
            in_order(batch.len(), threads, explore, |found| {
                all.push(found);
                true
            });
            if all.len() < batch.len() {
                // The same moves are tried when the search continues.
                for (moves, world) in batch.into_iter().zip(from) {
                    self.places[moves.3].world = world.and_then(|world| self.kept(world));
                    self.open.insert(moves);
                }
                return;
            }
            for (moves, (found, world)) in batch.into_iter().zip(all.into_iter().zip(&mut from)) {
                self.take(moves, found, world.take());
            }
        }
    }

    /// Takes over what was found from a place.
    fn take(&mut self, (moves, count, ticks, place): OpenMoves, found: Explored, world: Option<World>) {
        if moves == Moves::OnFoot && found.has_hook {
            self.open.insert((Moves::Swings, count, ticks, place));
            self.places[place].world = world.and_then(|world| self.kept(world));
        }
        self.seen.swings |= moves == Moves::Swings;
        self.seen.swims |= found.swims;
        self.seen.turns |= found.turns;
        self.ticks += found.ticks;
        self.restless += found.restless;
        self.cut |= found.cut;
        self.fault = self.fault.take().or(found.fault);
        self.tried.extend(found.takeoffs);
        for (goal, (distance, at, keys)) in found.misses {
            if distance > 0.0 && self.misses.get(&goal).is_none_or(|miss| distance < miss.distance) {
                self.misses.insert(goal, NearMiss { distance, at, way: (place, keys) });
            }
        }
        for (goal, keys) in found.reached {
            self.ways.entry(goal).or_insert((place, keys));
        }
        for (level, keys) in found.levels {
            let goals = &mut self.subject.goals;
            let is_it = |shape: &GoalShape| shape.goal.kind == GoalKind::Level && shape.goal.name == level;
            let goal = goals.iter().position(is_it).unwrap_or(goals.len());
            if goal == goals.len() {
                goals.push(GoalShape::of_level(&level));
            }
            self.ways.entry(goal).or_insert((place, keys));
        }
        for ahead in found.arrivals {
            self.add(place, ahead);
        }
    }

    /// Whether there is nothing left to try or to reach.
    pub fn is_done(&self) -> bool {
        let found = match self.must.as_slice() {
            [] => self.ways.len() == self.subject.goals.len(),
            must => must.iter().all(|name| self.is_reached(name)),
        };
        found || self.open.is_empty()
    }

    fn is_reached(&self, name: &str) -> bool {
        self.ways.keys().any(|goal| &*self.subject.goals[*goal].goal.name == name)
    }

    /// The names that had to be reached and are not.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.must.iter().map(String::as_str).filter(|name| !self.is_reached(name))
    }

    /// What is known about each goal, with the nearest miss of those that are not reached.
    pub fn answers(&self) -> impl Iterator<Item = (&ReachGoal, ReachAnswer, Option<&NearMiss>)> {
        let exhausted = self.open.is_empty() && !self.cut;
        self.subject.goals.iter().enumerate().map(move |(index, shape)| {
            let answer = match self.ways.get(&index) {
                Some((place, keys)) => {
                    let place = &self.places[*place];
                    ReachAnswer::Yes { ticks: place.ticks + length(keys), from: place.at }
                }
                None if exhausted => ReachAnswer::No,
                None => ReachAnswer::Unknown,
            };
            let miss = self.misses.get(&index).filter(|_| !matches!(answer, ReachAnswer::Yes { .. }));
            (&shape.goal, answer, miss)
        })
    }

    /// The keys from the start to a goal, if it is reached.
    pub fn way(&self, goal: &ReachGoal) -> Option<Vec<KeyStretch>> {
        let index = self.subject.goals.iter().position(|shape| shape.goal == *goal)?;
        let (place, keys) = self.ways.get(&index)?;
        Some(self.keys_to(*place, keys))
    }

    /// The keys from the start to a place, and then these.
    pub(super) fn keys_to(&self, mut place: usize, then: &[KeyStretch]) -> Vec<KeyStretch> {
        let mut parts = vec![then];
        while place > 0 {
            parts.push(&self.places[place].keys);
            place = self.places[place].before;
        }
        let mut keys: Vec<KeyStretch> = Vec::new();
        for (ticks, input) in parts.into_iter().rev().flatten() {
            match keys.last_mut() {
                Some((last, held)) if *held == *input => *last += ticks,
                _ => keys.push((*ticks, *input)),
            }
        }
        keys
    }

    /// Whether these keys, played from the start, reach a goal in their last tick.
    pub fn proves(&self, keys: &[KeyStretch], goal: &ReachGoal) -> bool {
        let Some(shape) = self.subject.goals.iter().find(|shape| shape.goal == *goal) else { return false };
        let (mut world, mut rules) = (self.start.clone(), self.subject.revision.scripts.rules());
        for (ticks, input) in keys {
            (0..*ticks).for_each(|_| self.subject.tick(&mut rules, &mut world, *input));
        }
        let stage = &self.subject.revision.stage;
        let ordered = world.level_order().and_then(|order| order.level.as_ref());
        match goal.kind {
            GoalKind::Level => ordered == Some(&goal.name),
            _ => self
                .subject
                .entity(&world)
                .is_some_and(|entity| shape.distance(stage, &world, entity, f64::INFINITY) == Some(0.0)),
        }
    }

    /// The world in which the keys to a place have just been played.
    pub(super) fn world_at(&self, place: usize) -> World {
        let (mut world, mut rules) = (self.start.clone(), self.subject.revision.scripts.rules());
        for (ticks, input) in self.keys_to(place, &[]) {
            (0..ticks).for_each(|_| self.subject.tick(&mut rules, &mut world, input));
        }
        world
    }

    /// The ticks that were played.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The places of rest that were found, and how many of them were not explored.
    pub fn places(&self) -> (usize, usize) {
        (self.places.len(), self.open.len())
    }

    /// How many moves did not end at rest, and were not continued.
    pub fn restless(&self) -> u64 {
        self.restless
    }

    /// Whether there was no room for more places, or a place had more moves than could be tried.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The first script error.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// What the body was able to do.
    pub(super) fn seen(&self) -> AbilitiesSeen {
        self.seen
    }

    /// The places of rest, and the paths between them, px.
    pub(super) fn paths(&self) -> impl Iterator<Item = (DVec2, &[DVec2])> {
        self.places.iter().map(|place| (place.at, place.path.as_slice()))
    }
}

/// About how much memory a world takes, bytes.
fn memory_of(world: &World) -> u64 {
    WORLD_MEMORY + ENTITY_MEMORY * world.entities().len() as u64 + world.extra_memory()
}

/// How long keys are held in all, ticks.
pub fn length(keys: &[KeyStretch]) -> u64 {
    keys.iter().map(|(ticks, _)| ticks).sum()
}

/// The entity that is played.
fn chosen<'w>(world: &'w World, name: Option<&str>) -> Result<&'w Entity, String> {
    let all = world.entities();
    match name {
        Some(name) => all.iter().find(|entity| &*entity.name == name).ok_or_else(|| {
            let hint = suggestion(name, all.iter().map(|entity| &*entity.name));
            format!("there is no entity `{name}` in this level{hint}")
        }),
        None => {
            let played = all.iter().filter(|entity| entity.player.is_some());
            let first = played.min_by_key(|entity| (entity.player, entity.id));
            first.ok_or_else(|| "no entity of this level has a player".into())
        }
    }
}
