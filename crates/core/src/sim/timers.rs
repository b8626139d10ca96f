//! Timers: events that scripts have scheduled with `after`.

use super::*;

/// A scheduled event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timer {
    /// The moment at which it fires, on the clock of the entity: at the end of the tick that comes closest.
    pub due: ClockTick,
    /// The entity that receives the event.
    pub entity: EntityId,
    /// The layer whose script set it; `None` for the lowest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<Arc<str>>,
    /// The event's name.
    pub name: Arc<str>,
    /// The data that its script has given.
    #[serde(default, skip_serializing_if = "Value::is_unit")]
    pub data: Value,
}

/// All timers by entity, in the order in which each entity's were set. A world may have
/// thousands, and each script call asks how many its entity has.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<Timer>", into = "Vec<Timer>")]
pub struct Timers {
    all: BTreeMap<EntityId, Vec<Timer>>,
    /// The number of all timers.
    count: usize,
    /// No timer is due before this moment, as long as all time runs at full rate.
    next_due: ClockTick,
}

/// A moment that never comes.
const NEVER: ClockTick = ClockTick(f64::INFINITY);

/// About how much memory a timer takes, and each value of its data, bytes.
const TIMER_BYTES: u64 = 96;
const VALUE_BYTES: u64 = 64;

impl Default for Timers {
    fn default() -> Self {
        Self { all: BTreeMap::new(), count: 0, next_due: NEVER }
    }
}

impl PartialEq for Timers {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

impl From<Vec<Timer>> for Timers {
    fn from(all: Vec<Timer>) -> Self {
        let mut timers = Self::default();
        all.into_iter().for_each(|timer| timers.set(timer));
        timers
    }
}

impl From<Timers> for Vec<Timer> {
    fn from(timers: Timers) -> Self {
        timers.all.into_values().flatten().collect()
    }
}

impl Timers {
    /// The number of all timers.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All timers, by entity.
    pub fn iter(&self) -> impl Iterator<Item = &Timer> {
        self.all.values().flatten()
    }

    /// About how much memory they take, bytes.
    pub fn memory(&self) -> u64 {
        let of_one = |timer: &Timer| TIMER_BYTES + VALUE_BYTES * timer.data.count() + timer.data.text();
        self.iter().map(of_one).sum()
    }

    /// Adds a timer.
    pub fn set(&mut self, timer: Timer) {
        if timer.due < self.next_due {
            self.next_due = timer.due;
        }
        self.count += 1;
        self.all.entry(timer.entity).or_default().push(timer);
    }

    /// Removes the timers with this name that a layer of an entity has set.
    pub fn cancel(&mut self, entity: EntityId, layer: &Option<Arc<str>>, name: &str) {
        let Some(own) = self.all.get_mut(&entity) else {
            return;
        };
        let before = own.len();
        own.retain(|timer| *timer.name != *name || timer.layer != *layer);
        self.count -= before - own.len();
        if own.is_empty() {
            self.all.remove(&entity);
        }
    }

    /// Removes all timers of an entity.
    pub fn forget(&mut self, entity: EntityId) {
        self.count -= self.all.remove(&entity).map_or(0, |own| own.len());
    }

    /// The timers of an entity or, with [`EntityId::LEVEL`], of the level.
    pub fn of(&self, entity: EntityId) -> &[Timer] {
        self.all.get(&entity).map_or(&[], Vec::as_slice)
    }

    /// Emits the events that are due at the end of the tick before `now`.
    pub fn fire(
        &mut self,
        population: &Population,
        journal: &mut Journal,
        (stage, changes): (&Stage, &LevelChanges),
        now: u64,
    ) {
        if changes.clock.is_none() && ClockTick::from(now) < self.next_due {
            return;
        }
        for (entity, own) in &mut self.all {
            let reached = population.time(*entity, stage, changes, now).reached();
            for timer in own.iter().filter(|timer| timer.due <= reached) {
                let kind =
                    EventKind::Timer { name: timer.name.clone(), layer: timer.layer.clone(), data: timer.data.clone() };
                journal.emit_for(population, *entity, now, kind);
            }
            own.retain(|timer| timer.due > reached);
        }
        self.all.retain(|_, own| !own.is_empty());
        let rest = self.all.values().flatten();
        self.next_due = rest
            .map(|timer| timer.due)
            .fold(NEVER, |least, due| if due < least { due } else { least });
        self.count = self.all.values().map(Vec::len).sum();
    }
}

/// The tick at whose end a timer of this many seconds, set in the tick `now`, fires: rounded to the
/// nearest tick, never the current one.
pub fn due_tick(seconds: f64, now: u64, hz: u32) -> u64 {
    now + (seconds * f64::from(hz)).round().max(1.0) as u64
}
