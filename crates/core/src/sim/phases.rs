//! The phases of a tick that read no other entity, for all lanes.
//!
//! An [`Executor`] may do the chunks of a lane at the same time.

use super::executor::{OfChunks, any_chunk};
use super::lane::{Lane, LaneOf, loadout_of, with_step};
use super::reports::{ChunkReports, ReportContext};
use super::*;
use crate::models::{crossing, riding};

/// The phases, for a chunk of a lane. Some of them find something that another phase has to deal with, and return true.
impl<M: LoadoutOf> Lane<M> {
    /// Runs a phase that moves bodies, for every mover. Where platforms near it turn, it is in `part` of the tick.
    #[inline(always)]
    fn each_step(
        movers: &mut [Mover<M::State>],
        stage: &Stage,
        [around, part]: [&Surroundings; 2],
        mut phase: impl FnMut(&mut M::State, &mut Body, &Step<M::Tuning>, &mut Scratch),
    ) -> bool {
        for mover in movers {
            let around = if mover.scratch.report.divided { part } else { around };
            with_step::<M>(mover, stage, around, &mut phase);
        }
        false
    }

    /// Finds the bodies whose tick is divided because a platform near them turns.
    #[cold]
    fn find_turns(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) {
        for mover in movers {
            let shape = loadout_of::<M>(mover, stage).shape;
            let Mover { state, intent, body, scratch, .. } = mover;
            scratch.report.divided = M::sees_turns(state, intent) && crossing::platform_turns_near(body, shape, around);
        }
    }

    fn carry(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        if !around.transit.turning.is_empty() {
            Self::find_turns(movers, stage, around);
        }
        Self::each_step(movers, stage, [around, &around.during_first()], |state, body, step, scratch| {
            M::carry(state, body, step, &mut scratch.report);
        })
    }

    fn sense(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        Self::each_step(movers, stage, [around, &around.during_first()], |state, body, step, scratch| {
            M::sense(state, body, step, scratch.pushed, &mut scratch.report);
        })
    }

    /// Returns whether any hook is attached, so that its rope may be strained.
    fn drive(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        let mut attached = false;
        let first = &around.during_first();
        for mover in movers {
            let around = if mover.scratch.report.divided { first } else { around };
            let loadout = loadout_of::<M>(mover, stage);
            let here = around.within(mover.body.pos);
            let around = here.as_ref().unwrap_or(around);
            let Mover { intent, body, state, scratch: Scratch { motion, report, .. }, .. } = mover;
            *motion = M::drive(state, body, intent, loadout, around, report);
            attached |= M::HOOKED.is_some_and(|hooked| hooked.is_attached(state));
        }
        attached
    }

    /// Returns whether any motion stopped at something to grab.
    fn travel(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        let mut grasping = false;
        let zones = !stage.zones().list().is_empty();
        Self::each_step(movers, stage, [around; 2], |state, body, step, scratch| {
            let Scratch { motion, report, .. } = scratch;
            let crosses = zones && crossing::may_cross(body, motion, step.context.around);
            if crosses || report.divided {
                crossing::travel::<M>(state, body, motion, step, report, crosses);
            } else {
                M::travel(state, body, motion, step, report);
            }
            grasping |= report.details().grasp.is_some();
        });
        grasping
    }

    fn settle(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        let last = around.transit.legs.last().map_or(*around, |leg| around.during(leg));
        Self::each_step(movers, stage, [around, &last], |state, body, step, scratch| {
            if scratch.report.meets {
                riding::settle(body, step.context, &mut scratch.report);
            }
            M::settle(state, body, step, &mut scratch.report);
            // Adding 0 turns −0 into 0, so that traces and hashes know only one zero.
            body.pos += DVec2::ZERO;
            body.vel += DVec2::ZERO;
            body.external += DVec2::ZERO;
        })
    }

    /// Makes the players' input the intents of their entities. Returns whether any entity has to be looked
    /// at after scripts have decided, even if none has.
    fn latch(movers: &mut [Mover<M::State>], entities: &[Entity], inputs: &Inputs) -> bool {
        let mut pending = false;
        // Movers are usually in the order of their entities.
        let mut next = 0;
        for mover in movers {
            if entities.get(next).is_none_or(|e| e.id != mover.id) {
                let found = entities.binary_search_by_key(&mover.id, |e| e.id);
                next = found.unwrap_or_else(|place| place);
            }
            let entity = entities.get(next);
            next += 1;
            pending |= entity.is_some_and(|entity| entity.outside || entity.removed || entity.model_due);
            let player = entity.and_then(|entity| entity.player);
            let input = player.map(|p| inputs.player(p).in_range());
            let input = input.unwrap_or_default();
            let intent = &mut mover.intent;
            mover.before = intent.held;
            let ordered = intent.has_ordered_jump();
            *intent =
                Intent { stick: input.stick, aim: input.aim, ..Intent::latch(intent.keys, input.held, input.pressed) };
            if ordered {
                intent.order_jump();
            }
        }
        pending
    }

    /// Adds events for what the movers report, and resets their scratch.
    fn list_reports(movers: &mut [Mover<M::State>], context: ReportContext<'_>, to: &mut ChunkReports) {
        for mover in movers {
            let Mover { id, body, state, scratch, .. } = &*mover;
            let tip = || M::HOOKED.map_or(DVec2::ZERO, |hooked| hooked.view(state).tip);
            to.add(context, *id, body, &tip, &scratch.report);
            mover.end_tick();
        }
    }
}

/// Runs a phase for each chunk of every lane. Returns whether it was true for any of them.
macro_rules! in_chunks {
    ($lanes:expr, $executor:expr, |$movers:ident: $Lane:ident| $phase:expr) => {
        each_model!(|M| {
            type $Lane = Lane<M>;
            any_chunk($executor, M::movers($lanes), &|$movers: &mut [_]| $phase)
        })
        .into_iter()
        .any(|found| found)
    };
}

impl Lanes {
    /// Makes the players' input the intents of their entities. Returns whether any entity has to be looked at after
    /// scripts have decided, even if none has.
    pub fn latch(&mut self, executor: &dyn Executor, entities: &[Entity], inputs: &Inputs) -> bool {
        in_chunks!(self, executor, |movers: L| L::latch(movers, entities, inputs))
    }

    pub fn carry(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) {
        in_chunks!(self, executor, |movers: L| L::carry(movers, stage, around));
    }

    pub fn sense(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) {
        in_chunks!(self, executor, |movers: L| L::sense(movers, stage, around));
    }

    /// Returns whether any hook is attached, so that its rope may be strained.
    pub fn drive(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) -> bool {
        in_chunks!(self, executor, |movers: L| L::drive(movers, stage, around))
    }

    /// Both phases, chunk by chunk.
    pub fn sense_and_drive(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) -> bool {
        in_chunks!(self, executor, |movers: L| L::sense(movers, stage, around) | L::drive(movers, stage, around))
    }

    /// Returns whether any motion stopped at something to grab.
    pub fn travel(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) -> bool {
        in_chunks!(self, executor, |movers: L| L::travel(movers, stage, around))
    }

    pub fn settle(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) {
        in_chunks!(self, executor, |movers: L| L::settle(movers, stage, around));
    }

    /// Writes what all movers report to a list for each chunk, and adds the events of the lists to `events` in the order
    /// of the movers. Lists are added if there are too few.
    pub fn list_reports(
        &mut self,
        executor: &dyn Executor,
        context: ReportContext<'_>,
        lists: &mut Vec<ChunkReports>,
        events: &mut Vec<Event>,
    ) {
        if lists.is_empty() {
            lists.push(ChunkReports::default());
        }
        // Most worlds have one chunk, which adds to the events that there are.
        lists[0].exchange(events);
        each_model!(|M| {
            let movers = M::movers(self);
            if !movers.is_empty() {
                let of_chunks = OfChunks::new(executor, movers.len(), lists);
                any_chunk(executor, (movers, of_chunks), &|(movers, list): (&mut [_], OfChunks<'_, _>)| {
                    Lane::<M>::list_reports(movers, context, list.of_one());
                    false
                });
                ChunkReports::join(lists);
            }
        });
        lists[0].exchange(events);
    }
}
