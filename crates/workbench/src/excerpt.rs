//! A stretch of a game that can be played again under any revision.

use super::*;

/// The entity whose path is drawn and whose motion is explained.
#[derive(Clone, PartialEq)]
pub struct PickedEntity {
    /// Its id in the current world.
    pub id: EntityId,
    /// Its name, by which it is found again after a restart.
    pub name: Arc<str>,
}

impl PickedEntity {
    /// The first player's entity, or the first entity of a world without a player.
    pub fn first(world: &World) -> Option<Self> {
        let entities = world.entities();
        let player = entities.iter().find(|e| e.player == Some(1));
        player.or(entities.first()).map(Self::of)
    }

    pub(super) fn of(entity: &Entity) -> Self {
        Self { id: entity.id, name: entity.name.clone() }
    }

    /// The index of the entity in a world: by its id, or after a restart by its name.
    pub fn index_in(&self, world: &World) -> Option<usize> {
        let entities = world.entities();
        let same = entities.iter().position(|e| e.id == self.id && e.name == self.name);
        same.or_else(|| entities.iter().position(|e| e.name == self.name))
    }
}

/// A stretch of a game: a world and the input that follows, whatever happens to the timeline later.
pub struct Excerpt {
    /// The world at or before the start.
    opening: Arc<World>,
    /// The revision of that world.
    revision: Arc<Revision>,
    /// The inputs from that world to the start.
    lead: InputTape,
    /// The inputs of the stretch.
    tape: InputTape,
    /// The actions that they mean, from each of these ticks on.
    actions: Vec<(u64, OwnActions)>,
    /// Where the stretch was in the timeline.
    positions: Range<u64>,
    cuts: u64,
}

impl Excerpt {
    /// Copies a stretch; `None` if it can no longer be reached, or the level was restarted within it.
    pub fn of(line: &Timeline, positions: Range<u64>) -> Option<Self> {
        let reachable = line.begin() <= positions.start && positions.end <= line.end();
        if !reachable || line.continuous_from(positions.end) > positions.start {
            return None;
        }
        Self::within_chapter(line, positions)
    }

    /// Copies a stretch that ends at the latest where its chapter of the line ends.
    pub(super) fn within_chapter(line: &Timeline, positions: Range<u64>) -> Option<Self> {
        let (from, opening, revision) = line.keyframe_before(positions.start, 0)?;
        Some(Self {
            opening: opening.clone(),
            revision: revision.clone(),
            lead: line.inputs(from..positions.start),
            tape: line.inputs(positions.clone()),
            actions: line.actions(positions.clone()),
            positions,
            cuts: line.cuts(),
        })
    }

    /// The number of ticks.
    pub fn ticks(&self) -> u64 {
        self.tape.len()
    }

    /// The inputs as they were made.
    pub fn tape(&self) -> &InputTape {
        &self.tape
    }

    /// The input of a tick, counted from 0, for a game of this revision, whose own actions may have other places; `None`
    /// after the end.
    pub fn input_under(&self, index: u64, revision: &Revision) -> Option<Inputs> {
        let mut inputs = self.tape.at(index)?.clone();
        let made = self.actions.iter().rev().find(|(from, _)| *from <= index);
        if let Some((_, made)) = made
            && *made != revision.stage.actions
        {
            inputs.translate(made, &revision.stage.actions);
        }
        Some(inputs)
    }

    /// The positions in the timeline from which it was copied.
    pub fn positions(&self) -> Range<u64> {
        self.positions.clone()
    }

    /// Whether the timeline still has this stretch at these positions.
    pub fn is_still(&self, line: &Timeline, positions: &Range<u64>) -> bool {
        self.positions == *positions && self.cuts == line.cuts()
    }

    /// The game at the start of the stretch, under the revision of that time. Must run on a thread with a
    /// stack for scripts.
    pub fn start(&self) -> Live {
        self.start_under(&self.revision)
    }

    /// The game at the start of the stretch under another revision, which is adopted there. Must run on a
    /// thread with a stack for scripts.
    pub fn start_under(&self, revision: &Arc<Revision>) -> Live {
        let mut live = Live::resume(self.revision.clone(), World::clone(&self.opening));
        for inputs in (0..self.lead.len()).filter_map(|i| self.lead.at(i)) {
            live.step(inputs);
        }
        if !Arc::ptr_eq(&self.revision, revision) {
            live.adopt(revision.clone());
        }
        live
    }

    /// The same, given the world that [`start`](Self::start) has: what comes before the stretch is not played again.
    pub fn resume_under(&self, start: &World, revision: &Arc<Revision>) -> Live {
        let mut live = Live::resume(self.revision.clone(), start.clone());
        if !Arc::ptr_eq(&self.revision, revision) {
            live.adopt(revision.clone());
        }
        live
    }
}
