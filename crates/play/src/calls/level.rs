//! `t`: a level that a test plays, and the entities in it.

use super::*;
use crate::{game::TestGame, numbers::with_places};
use hangtime_core::sim::{Entity, EntityId};
use hangtime_script::{BehaviorFailed, names::suggestion};

/// `t`: a level that a test plays. Copies share the level.
#[derive(Clone)]
pub struct TestLevel {
    pub session: TestSession,
    played: Arc<Mutex<Played>>,
}

/// A level with the memory that it holds.
pub struct Played {
    pub game: TestGame,
    memory: HeldMemory,
    /// The entities that the test has looked at since this was cleared, each once.
    pub looked_at: Vec<Arc<str>>,
}

impl Played {
    /// Counts the memory that the level holds now.
    pub fn count_memory(&mut self) -> Result<(), CallRefusal> {
        self.memory.set(self.game.memory())
    }
}

impl ObjectType for TestLevel {
    const OWNER: Owner = Owner::Test;
}

impl TestLevel {
    /// A level that a test has opened.
    ///
    /// # Errors
    /// When the test holds too many levels.
    pub fn new(game: TestGame, session: &TestSession) -> Result<Self, CallRefusal> {
        session.record().tick = Some(game.tick());
        let memory = session.hold(game.memory())?;
        Ok(Self {
            session: session.clone(),
            played: Arc::new(Mutex::new(Played { game, memory, looked_at: Vec::new() })),
        })
    }

    pub fn lock(&self) -> MutexGuard<'_, Played> {
        self.played.lock()
    }

    /// Plays one tick.
    ///
    /// # Errors
    /// When a behavior fails, or the test has played too many ticks.
    pub fn step(&self) -> Result<(), CallRefusal> {
        let mut played = self.lock();
        self.session.count_tick()?;
        played.game.step();
        self.session.record().tick = Some(played.game.tick());
        played.count_memory()?;
        match played.game.live.report().faults.first.first() {
            None => Ok(()),
            Some(first) => Err(CallRefusal::Behavior(BehaviorFailed(Arc::new(first.clone())))),
        }
    }

    /// Plays several ticks. More than the test can play fail at once.
    pub fn steps<'a>(&self, ticks: u64) -> Answered<'a> {
        self.session.check_ticks(ticks)?;
        (0..ticks).try_for_each(|_| self.step())?;
        Ok(CallAnswer::Nothing)
    }

    /// Checks that an entity with this name is in the level.
    pub fn require_entity(&self, name: &str) -> Result<EntityId, CallRefusal> {
        let played = self.lock();
        let world = played.game.live.world();
        if let Some(entity) = world.entity(name) {
            return Ok(entity.id);
        }
        let was = |e: &Event| &*e.name == name && e.entity != EntityId::LEVEL;
        if played.game.progress.events.iter().any(was) {
            return gone(name);
        }
        let hint = suggestion(name, world.entities().iter().map(|entity| &*entity.name));
        refuse(format!("there is no entity `{name}` in this level{hint}"))
    }

    /// The state of the entities that the test has looked at last, to be appended to a message.
    pub fn looked_at(&self) -> String {
        let played = self.lock();
        let live = &played.game.live;
        let states = played.looked_at.iter().filter_map(|name| {
            let view = live.views().find(|view| view.name == *name)?;
            let ground = match &*view.surface {
                _ if !view.grounded => "in the air".to_string(),
                "" => "on the ground".into(),
                surface => format!("on {surface}"),
            };
            let brief = |number: f64| with_places(number, 2);
            let (x, y, vx, vy) = (brief(view.pos.x), brief(view.pos.y), brief(view.vel.x), brief(view.vel.y));
            let mode = view.mode.as_str();
            Some(format!("`{name}` is at ({x}, {y}) with vel ({vx}, {vy}), {ground}, mode `{mode}`"))
        });
        states.map(|state| format!("; {state}")).collect()
    }

    /// An entity by its name, whether it is in the level or not.
    pub fn live(&self, name: &str) -> LiveEntity {
        LiveEntity { level: self.clone(), name: name.into() }
    }
}

/// The largest number of entities whose state a message shows.
const MOST_LOOKED_AT: usize = 4;

/// Operations charged for looking at an entity.
const PER_VIEW: u64 = 40;

/// An entity of a level that a test plays; reads return its current state.
#[derive(Clone)]
pub struct LiveEntity {
    level: TestLevel,
    pub name: Arc<str>,
}

impl ObjectType for LiveEntity {
    const OWNER: Owner = Owner::Live;
}

impl LiveEntity {
    /// Looks at it.
    ///
    /// # Errors
    /// When it has left the level.
    pub fn look<T>(&self, see: impl FnOnce(&Live, &Entity) -> T) -> Result<T, CallRefusal> {
        charge(PER_VIEW)?;
        let mut played = self.level.lock();
        if played.looked_at.len() < MOST_LOOKED_AT && !played.looked_at.contains(&self.name) {
            played.looked_at.push(self.name.clone());
        }
        let live = &played.game.live;
        live.world()
            .entity(&self.name)
            .map_or_else(|| gone(&self.name), |entity| Ok(see(live, entity)))
    }

    /// The largest x and y of its center so far.
    ///
    /// # Errors
    /// When it was never in the level.
    pub fn reach(&self) -> Result<DVec2, CallRefusal> {
        charge(PER_VIEW)?;
        let played = self.level.lock();
        let reach = played.game.progress.reach.as_ref().and_then(|reach| reach.get(&*self.name));
        reach.map_or_else(|| refuse(format!("`{}` was not in this level", self.name)), |at| Ok(*at))
    }
}

fn gone<T>(name: &str) -> Result<T, CallRefusal> {
    refuse(format!("`{name}` is no longer in the level"))
}
