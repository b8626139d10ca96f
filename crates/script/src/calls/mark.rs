//! A point to return to, in the middle of a call.

use super::me::WrittenState;
use super::*;

/// Everything that calls of the table change, as it was at some point: a call that cannot be completed is forgotten
/// altogether, random numbers included, and made in another way.
#[derive(Clone, Copy, Debug)]
pub struct MomentMark {
    commands: usize,
    timers: usize,
    random: u64,
    written: WrittenState,
    next_id: u32,
    created: usize,
    emitted: usize,
    all_timers: usize,
    keeps: usize,
}

impl CallMoment {
    /// This point.
    pub fn mark(&self) -> MomentMark {
        let (me, world) = (&self.me, &self.world);
        MomentMark {
            commands: me.commands.len(),
            timers: me.timers,
            random: me.random,
            written: me.written(),
            next_id: world.next_id,
            created: world.created,
            emitted: world.emitted,
            all_timers: world.timers,
            keeps: world.later.changes(),
        }
    }

    /// Returns to a point.
    pub fn return_to(&mut self, mark: &MomentMark) {
        let (me, world) = (&mut self.me, &mut self.world);
        me.commands.truncate(mark.commands);
        me.timers = mark.timers;
        me.random = mark.random;
        me.rewrite(mark.written);
        world.next_id = mark.next_id;
        world.created = mark.created;
        world.emitted = mark.emitted;
        world.timers = mark.all_timers;
        world.later.undo(world.later.changes() - mark.keeps);
    }
}
