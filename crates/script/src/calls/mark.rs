//! A point to return to, in the middle of a call.

use super::{me::WrittenState, *};

/// Everything that calls of the table change, as it was at some point: a call that cannot be completed is forgotten
/// altogether, random numbers included, and made in another way.
#[derive(Clone, Copy, Debug)]
pub struct MomentMark {
    counts: MomentCounts,
    written: WrittenState,
}

/// The part of a [`MomentMark`] that a call needs to be undone that began at the last
/// [checkpoint](MeState::checkpoint): what it has written since is known.
#[derive(Clone, Copy, Debug)]
pub struct MomentCounts {
    commands: usize,
    timers: usize,
    random: u64,
    next_id: u32,
    next_joint: u32,
    spawned: usize,
    created: usize,
    emitted: usize,
    all_timers: usize,
    keeps: usize,
    solids: usize,
}

impl CallMoment {
    /// This point.
    pub fn mark(&self) -> MomentMark {
        MomentMark { counts: self.counts(), written: self.me.written() }
    }

    /// The counts at this point.
    pub fn counts(&self) -> MomentCounts {
        let (me, world) = (&self.me, &self.world);
        MomentCounts {
            commands: me.commands.len(),
            timers: me.timers,
            random: me.random,
            next_id: world.next_id,
            next_joint: world.next_joint,
            spawned: world.spawned.len(),
            created: world.created,
            emitted: world.emitted,
            all_timers: world.timers,
            keeps: world.later.changes(),
            solids: world.solids_later.len(),
        }
    }

    /// Returns to a point.
    pub fn return_to(&mut self, mark: &MomentMark) {
        self.return_counts(&mark.counts);
        self.me.rewrite(mark.written);
    }

    /// Returns to the last checkpoint, when the counts were these.
    pub fn return_to_checkpoint(&mut self, counts: &MomentCounts) {
        self.return_counts(counts);
        self.me.unwrite();
    }

    fn return_counts(&mut self, counts: &MomentCounts) {
        let (me, world) = (&mut self.me, &mut self.world);
        me.commands.truncate(counts.commands);
        me.timers = counts.timers;
        me.random = counts.random;
        world.next_id = counts.next_id;
        world.next_joint = counts.next_joint;
        world.spawned.truncate(counts.spawned);
        world.created = counts.created;
        world.emitted = counts.emitted;
        world.timers = counts.all_timers;
        world.later.undo(world.later.changes() - counts.keeps);
        world.undo_solids(world.solids_later.len() - counts.solids);
    }
}
