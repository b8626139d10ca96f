//! Everything that scripts have drawn.

use super::drawn::{DrawOrder, DrawRefusal, Drawn, DrawnColor, DrawnSpace};
use super::id::EntityId;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most things that one entity draws at once, or the level's script.
pub const MOST_DRAWN_BY_ONE: usize = 1_000;

/// The most things that are drawn at once.
pub const MOST_DRAWN_THINGS: usize = 20_000;

/// Everything that scripts have drawn, and how they show their entities. It is cloned with the world, but it is no state:
/// it is neither saved nor hashed nor compared, and nothing in a tick reads it. A clone shares what has not changed since.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    owners: BTreeMap<EntityId, Arc<DrawnBy>>,
    /// How many things all owners have drawn.
    count: usize,
    refused: Option<Arc<DrawRefusal>>,
}

/// What one entity has drawn, or the level's script.
#[derive(Clone, Debug, Default)]
pub struct DrawnBy {
    things: Vec<Arc<Drawn>>,
    /// Where the thing is that is probably drawn next: scripts draw in the same order in every tick.
    next: usize,
    /// The color of the entity; `None` for that of its kind.
    pub color: Option<DrawnColor>,
    /// Whether the entity is not shown.
    pub hidden: bool,
    /// The frame of the entity's sprite; `None` for that of its mode.
    pub frame: Option<u32>,
}

impl PartialEq for Drawing {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl DrawnBy {
    /// What it has drawn, in the order in which the names were first used.
    pub fn things(&self) -> &[Arc<Drawn>] {
        &self.things
    }

    fn place_of(&self, space: DrawnSpace, name: &str) -> Option<usize> {
        let is = |thing: &Arc<Drawn>| thing.space == space && *thing.name == *name;
        let guess = self.things.get(self.next).filter(|thing| is(thing));
        guess.map(|_| self.next).or_else(|| self.things.iter().position(is))
    }
}

impl Drawing {
    /// About how much memory it takes, bytes, as if no clone shared any.
    pub fn memory(&self) -> u64 {
        let things = self.owners.values().flat_map(|by| &by.things);
        things.map(|thing| thing.memory()).sum()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// What an entity has drawn; `None` if it has not drawn or changed anything.
    pub fn of(&self, id: EntityId) -> Option<&DrawnBy> {
        self.owners.get(&id).map(|by| &**by)
    }

    /// What each owner has drawn, in the order of ids; the level's script is the first.
    pub fn owners(&self) -> impl Iterator<Item = (EntityId, &DrawnBy)> {
        self.owners.iter().map(|(id, by)| (*id, &**by))
    }

    /// The first thing since the start or the last change of scripts that is not drawn because there are too many.
    pub fn refused(&self) -> Option<&DrawRefusal> {
        self.refused.as_deref()
    }

    /// Carries out an order. `name` is asked for the owner's name if that is refused.
    pub(super) fn follow(&mut self, id: EntityId, order: &DrawOrder, (tick, name): (u64, impl FnOnce() -> String)) {
        match order {
            DrawOrder::Draw(drawn) => self.draw(id, drawn, (tick, name)),
            DrawOrder::Erase(space, name) => self.erase(id, *space, name),
            DrawOrder::Tint(color) => self.by(id).color = *color,
            DrawOrder::Show(shown) => self.by(id).hidden = !shown,
            DrawOrder::Frame(frame) => self.by(id).frame = *frame,
        }
    }

    fn by(&mut self, id: EntityId) -> &mut DrawnBy {
        Arc::make_mut(self.owners.entry(id).or_default())
    }

    fn draw(&mut self, id: EntityId, drawn: &Arc<Drawn>, owner: (u64, impl FnOnce() -> String)) {
        let full = self.count >= MOST_DRAWN_THINGS;
        let by = self.by(id);
        if let Some(place) = by.place_of(drawn.space, &drawn.name) {
            by.things[place] = drawn.clone();
            by.next = place + 1;
            return;
        }
        let alone = by.things.len() >= MOST_DRAWN_BY_ONE;
        if !full && !alone {
            by.things.push(drawn.clone());
            by.next = 0;
            self.count += 1;
        } else if self.refused.is_none() {
            let (tick, name) = owner;
            self.refused = Some(Arc::new(DrawRefusal {
                tick,
                owner: name(),
                name: drawn.name.clone(),
                most: match alone {
                    true => MOST_DRAWN_BY_ONE,
                    false => MOST_DRAWN_THINGS,
                },
                alone,
            }));
        }
    }

    fn erase(&mut self, id: EntityId, space: DrawnSpace, name: &str) {
        let known = self.owners.get(&id);
        if let Some(place) = known.and_then(|by| by.place_of(space, name)) {
            self.by(id).things.remove(place);
            self.count -= 1;
        }
    }

    /// Forgets what owners have drawn that do not exist any more.
    pub(super) fn keep(&mut self, lives: impl Fn(EntityId) -> bool) {
        let count = &mut self.count;
        self.owners.retain(|id, by| {
            let kept = *id == EntityId::LEVEL || lives(*id);
            if !kept {
                *count -= by.things.len();
            }
            kept
        });
    }
}
