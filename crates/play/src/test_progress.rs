//! What a test has done in a level, and seen of it.

use super::*;
use hangtime_core::sim::EventKind;
use hangtime_game::{SoundBank, WhyHistory};
use hangtime_script::names::suggestion;

/// What a test has done and seen so far.
#[derive(Clone)]
pub struct TestProgress {
    pub settings: Settings,
    /// The input that the test holds. Presses are cleared after each tick.
    pub held: Inputs,
    /// An input file that is playing. While it lasts it replaces what is held.
    pub track: Track,
    pub track_from: u64,
    pub events: Vec<Event>,
    /// About how much memory the events take, bytes.
    pub events_memory: u64,
    /// How often each sound was heard.
    heard: BTreeMap<Box<str>, u64>,
    /// The number of events that the test has emitted since the last tick.
    pub emitted: usize,
    /// Why the entities moved.
    pub history: WhyHistory,
    /// The largest x and y of each entity's center, if they are kept.
    pub reach: Option<BTreeMap<Arc<str>, DVec2>>,
}

/// About how much memory an entity takes, bytes.
pub const ENTITY_MEMORY: u64 = 2048;

/// About how much memory an event takes, bytes, in addition to its data.
const EVENT_MEMORY: u64 = 160;

/// About how much memory a value in an event's data takes, bytes.
const VALUE_MEMORY: u64 = 64;

/// About how much memory the reasons of a step take, bytes.
pub const REASONS_MEMORY: u64 = 512;

/// About how much memory some events take, bytes.
pub fn memory_of(events: &[Event]) -> u64 {
    let data = |event: &Event| match &event.kind {
        EventKind::Signal { data, .. } | EventKind::Timer { data, .. } => VALUE_MEMORY * data.count() + data.text(),
        EventKind::Note { text } => text.len() as u64,
        _ => 0,
    };
    events.iter().map(|event| EVENT_MEMORY + data(event)).sum()
}

/// The largest number of events that a test emits between two ticks.
pub const MOST_EMITTED: usize = 64;

/// The largest number of steps that are kept to explain how entities moved.
const MAX_HISTORY: usize = 20_000;

/// The largest number of entities whose largest x and y are kept.
const MAX_REACH: usize = 10_000;

impl TestProgress {
    /// Nothing has been done yet in a level that begins.
    pub fn new(live: &Live) -> Self {
        let mut progress = Self {
            settings: Settings::new(),
            held: Inputs::none(),
            track: Track::default(),
            track_from: 0,
            events_memory: 0,
            events: Vec::new(),
            heard: BTreeMap::new(),
            emitted: 0,
            history: WhyHistory::new(MAX_HISTORY),
            reach: None,
        };
        progress.note_tick(live);
        progress
    }

    /// Notes what happened in the last tick.
    pub fn note_tick(&mut self, live: &Live) {
        let events = live.world().events();
        self.events_memory += memory_of(events);
        self.events.extend(events.iter().cloned());
        for sound in live.heard() {
            *self.heard.entry(sound.name).or_default() += 1;
        }
    }

    /// Notes an event that the test has emitted.
    pub fn note_event(&mut self, event: Event, live: &Live) {
        if let Some(sound) = live.sound_of(&event) {
            *self.heard.entry(sound.name).or_default() += 1;
        }
        self.events_memory += memory_of(std::slice::from_ref(&event));
        self.events.push(event);
    }

    /// How often the sound with a name was heard.
    ///
    /// # Errors
    /// If there is none in the level.
    pub fn heard(&self, name: &str, bank: &SoundBank) -> Result<u64, CallRefusal> {
        if let Some(count) = self.heard.get(name) {
            return Ok(*count);
        }
        let tables = bank.kinds.values().chain([&bank.game]);
        let known = tables.flat_map(|t| t.keys().map(|name| &**name));
        if known.clone().any(|known| known == name) {
            Ok(0)
        } else {
            refuse(format!("nothing in this level has the sound `{name}`{}", suggestion(name, known)))
        }
    }

    /// Keeps the largest x and y of each entity, if that was asked for.
    pub fn note_reach(&mut self, world: &World) {
        let Some(reach) = &mut self.reach else {
            return;
        };
        for entity in world.entities() {
            let at = world.body(entity).pos;
            if let Some(most) = reach.get_mut(&entity.name) {
                *most = most.max(at);
            } else if reach.len() < MAX_REACH {
                reach.insert(entity.name.clone(), at);
            }
        }
    }

    /// Reads the world's events of this tick again.
    pub fn refresh_events(&mut self, world: &World) {
        let now = world.ticks();
        self.events.retain(|event| event.tick < now);
        self.events.extend(world.events().iter().cloned());
        self.events_memory = memory_of(&self.events);
    }
}
