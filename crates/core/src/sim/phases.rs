//! The phases of a tick that read no other entity, for all lanes.
//!
//! An [`Executor`] may do the chunks of a lane at the same time.

use super::{
    lane::{Lane, LaneOf, loadout_of, with_step},
    mover::Waits,
    reports::ReportContext,
    *,
};
use crate::{
    geometry::TOUCH,
    level::{rate_of, slide},
    models::{CEILING, crossing, riding},
};
use std::{
    slice,
    sync::atomic::{AtomicBool, Ordering},
};

/// The phases, for a chunk of a lane. Some of them find something that another phase has to deal with, and return true.
impl<M: LoadoutOf> Lane<M> {
    /// Runs a phase for every mover or, if not for `all`, for those whose time does not stand still. Where platforms near it turn, it is in `part` of the tick.
    #[inline(always)]
    fn each_step(
        movers: &mut [Mover<M::State>],
        all: bool,
        stage: &Stage,
        [around, part]: [&Surroundings; 2],
        mut phase: impl FnMut(&mut M::State, &mut Body, &Step<M::Tuning>, &mut Scratch),
    ) -> bool {
        for mover in movers.iter_mut().filter(|mover| all || mover.moves(around)) {
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
            let (moves, paced) = (mover.moves(around), mover.paced(around));
            let around = paced.as_ref().unwrap_or(around);
            let Mover { state, intent, body, scratch, .. } = mover;
            // A body that stands still in a running level is carried in one piece.
            scratch.report.divided =
                moves && M::sees_turns(state, intent) && crossing::platform_turns_near(body, shape, around);
        }
    }

    fn carry(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        if !around.transit.turning.is_empty() {
            Self::find_turns(movers, stage, around);
        }
        Self::each_step(movers, true, stage, [around, &around.during_first()], |state, body, step, scratch| {
            M::carry(state, body, step, &mut scratch.report);
        })
    }

    fn sense(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        Self::each_step(movers, true, stage, [around, &around.during_first()], |state, body, step, scratch| {
            M::sense(state, body, step, scratch.pushed, &mut scratch.report);
        })
    }

    /// Returns whether any hook is attached, so that its rope may be strained.
    fn drive(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        let first = &around.during_first();
        let drives = |attached, mover: &mut Mover<M::State>| {
            if !mover.moves(around) {
                return attached;
            }
            let around = if mover.scratch.report.divided { first } else { around };
            attached | Self::drive_one(mover, stage, around)
        };
        movers.iter_mut().fold(false, drives)
    }

    #[inline(always)]
    fn drive_one(mover: &mut Mover<M::State>, stage: &Stage, around: &Surroundings) -> bool {
        let loadout = loadout_of::<M>(mover, stage);
        let here = mover.here(around);
        let around = here.as_ref().unwrap_or(around);
        let Mover { intent, body, state, scratch: Scratch { motion, report, .. }, .. } = mover;
        *motion = M::drive(state, body, intent, loadout, around, report);
        M::HOOKED.is_some_and(|hooked| hooked.is_attached(state))
    }

    /// Returns whether any motion stopped at something to grab.
    fn travel(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        let mut grasping = false;
        let zones = !stage.zones().list().is_empty();
        Self::each_step(movers, false, stage, [around; 2], |state, body, step, scratch| {
            grasping |= Self::travel_one(state, body, step, scratch, zones);
        });
        grasping
    }

    #[inline(always)]
    fn travel_one(
        state: &mut M::State,
        body: &mut Body,
        step: &Step<M::Tuning>,
        scratch: &mut Scratch,
        zones: bool,
    ) -> bool {
        let Scratch { motion, report, .. } = scratch;
        let crosses = zones && !report.bound && crossing::may_cross(body, motion, step.context.around);
        if crosses || report.divided {
            let lived = crossing::travel::<M>(state, body, motion, step, report, crosses);
            if step.context.around.scaled {
                scratch.rate = rate_of(lived * step.context.around.hz);
            }
        } else {
            M::travel(state, body, motion, step, report);
        }
        report.details().grasp.is_some()
    }

    fn settle(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        let last = around.transit.legs.last().map_or(*around, |leg| around.during(leg));
        Self::each_step(movers, false, stage, [around, &last], Self::settle_one)
    }

    #[inline(always)]
    fn settle_one(state: &mut M::State, body: &mut Body, step: &Step<M::Tuning>, scratch: &mut Scratch) {
        if scratch.report.meets {
            riding::settle(body, step.context, &mut scratch.report);
        }
        M::settle(state, body, step, &mut scratch.report);
        // Adding 0 turns −0 into 0, so that traces and hashes know only one zero.
        body.pos += DVec2::ZERO;
        body.vel += DVec2::ZERO;
        body.external += DVec2::ZERO;
    }

    /// Plays all phases from sensing to settling for one body after the other; an open question stops a body. Returns
    /// whether any question is open, and sets `ropes` if one is about a rope.
    fn play(
        movers: &mut [Mover<M::State>],
        stage: &Stage,
        around: &Surroundings,
        latch: Option<(&[Entity], &Inputs)>,
        ropes: &AtomicBool,
    ) -> bool {
        let mut latch = latch.map(|(entities, inputs)| (NextEntity::of(entities), inputs));
        // Neither where a body is nor which one it is makes a difference to the conditions around it.
        let alike = stage.zones().list().is_empty() && stage.level.view == View::Side && !around.scaled;
        let mut waiting = false;
        for mover in movers {
            if let Some((next, inputs)) = &mut latch {
                latch_one(mover, next.entity(mover.id), inputs);
            }
            let waits = if alike {
                Self::play_one(mover, stage, around)
            } else {
                Self::play_in_zones(mover, stage, around)
            };
            if waits == Waits::Rope {
                ropes.store(true, Ordering::Relaxed);
            }
            waiting |= matches!(waits, Waits::Rope | Waits::Grab);
            mover.scratch.waits = waits;
        }
        waiting
    }

    /// Plays the phases of a body in a level without zones. Returns what it waits for.
    #[inline(always)]
    fn play_one(mover: &mut Mover<M::State>, stage: &Stage, around: &Surroundings) -> Waits {
        let loadout = loadout_of::<M>(mover, stage);
        let Mover { intent, body, state, scratch, .. } = mover;
        let context = &MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
        let step = &Step { intent, loadout, context };
        M::sense(state, body, step, scratch.pushed, &mut scratch.report);
        let motion = M::drive(state, body, intent, loadout, around, &mut scratch.report);
        if M::HOOKED.is_some_and(|hooked| hooked.is_attached(state)) {
            scratch.motion = motion;
            return Waits::Rope;
        }
        M::travel(state, body, &motion, step, &mut scratch.report);
        if scratch.report.details().grasp.is_some() {
            scratch.motion = motion;
            return Waits::Grab;
        }
        Self::settle_one(state, body, step, scratch);
        Self::read_report(mover, stage)
    }

    #[inline(never)]
    fn play_in_zones(mover: &mut Mover<M::State>, stage: &Stage, around: &Surroundings) -> Waits {
        with_step::<M>(mover, stage, around, |state, body, step, scratch| {
            M::sense(state, body, step, scratch.pushed, &mut scratch.report);
        });
        if !mover.moves(around) {
            Self::read_report(mover, stage)
        } else if Self::drive_one(mover, stage, around) {
            Waits::Rope
        } else {
            Self::move_one(mover, stage, around)
        }
    }

    /// Moves a body and, unless something to grab has stopped it, lets it settle. Returns what it waits for.
    fn move_one(mover: &mut Mover<M::State>, stage: &Stage, around: &Surroundings) -> Waits {
        let zones = !stage.zones().list().is_empty();
        let mut grasping = false;
        with_step::<M>(mover, stage, around, |state, body, step, scratch| {
            grasping = Self::travel_one(state, body, step, scratch, zones);
        });
        if grasping { Waits::Grab } else { Self::end_one(mover, stage, around) }
    }

    /// Lets a body settle. Returns what it waits for.
    fn end_one(mover: &mut Mover<M::State>, stage: &Stage, around: &Surroundings) -> Waits {
        with_step::<M>(mover, stage, around, Self::settle_one);
        Self::read_report(mover, stage)
    }

    /// Ends the tick of a body that has settled, unless it has something to report.
    #[inline(always)]
    fn read_report(mover: &mut Mover<M::State>, stage: &Stage) -> Waits {
        let reports = mover.scratch.report.is_eventful() || !stage.level.bounds.holds(mover.body.pos);
        if reports || !stage.zones().list().is_empty() {
            return Waits::Reading;
        }
        mover.end_tick();
        Waits::Nothing
    }

    /// Moves the bodies that have waited for their ropes.
    fn move_hanging(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        for mover in movers.iter_mut().filter(|mover| mover.scratch.waits == Waits::Rope) {
            mover.scratch.waits = Self::move_one(mover, stage, around);
        }
        false
    }

    /// Settles the bodies that have grabbed, or passed, what they ran into.
    fn settle_grasping(movers: &mut [Mover<M::State>], stage: &Stage, around: &Surroundings) -> bool {
        for mover in movers.iter_mut().filter(|mover| mover.scratch.waits == Waits::Grab) {
            mover.scratch.waits = Self::end_one(mover, stage, around);
        }
        false
    }

    /// Makes the players' input the intents of their entities. Returns whether any entity has to be looked
    /// at after scripts have decided, even if none has.
    fn latch(movers: &mut [Mover<M::State>], entities: &[Entity], inputs: &Inputs) -> bool {
        let mut pending = false;
        let mut next = NextEntity::of(entities);
        for mover in movers {
            let entity = next.entity(mover.id);
            pending |= entity.is_some_and(Entity::is_pending);
            latch_one(mover, entity, inputs);
        }
        pending
    }

    /// Adds events for what the movers report, and resets their scratch.
    fn list_reports(movers: &mut [Mover<M::State>], context: ReportContext<'_>, to: &mut ChunkReports) {
        for mover in movers {
            if context.ended && mover.scratch.waits != Waits::Reading {
                continue;
            }
            let Mover { id, body, state, scratch, .. } = &*mover;
            let tip = || M::HOOKED.map_or(DVec2::ZERO, |hooked| hooked.view(state).tip);
            to.add(context, *id, body, &tip, &scratch.report);
            mover.end_tick();
        }
    }
}

/// Finds the entities of movers, which are usually in the same order.
struct NextEntity<'a> {
    entities: &'a [Entity],
    next: usize,
}

impl<'a> NextEntity<'a> {
    fn of(entities: &'a [Entity]) -> Self {
        Self { entities, next: 0 }
    }

    #[inline(always)]
    fn entity(&mut self, id: EntityId) -> Option<&'a Entity> {
        if self.entities.get(self.next).is_none_or(|e| e.id != id) {
            let found = self.entities.binary_search_by_key(&id, |e| e.id);
            self.next = found.unwrap_or_else(|place| place);
        }
        let entity = self.entities.get(self.next);
        self.next += 1;
        entity
    }
}

/// Makes the input of an entity's player its intent.
#[inline(always)]
fn latch_one<S>(mover: &mut Mover<S>, entity: Option<&Entity>, inputs: &Inputs) {
    let player = entity.and_then(|entity| entity.player);
    let input = player.map(|p| inputs.player(p).in_range());
    let input = input.unwrap_or_default();
    let intent = &mut mover.intent;
    mover.before = intent.held;
    let ordered = intent.has_ordered_jump();
    *intent = Intent { stick: input.stick, aim: input.aim, ..Intent::latch(intent.keys, input.held, input.pressed) };
    if ordered {
        intent.order_jump();
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

/// Declares phases of all lanes.
macro_rules! phases {
    ($($(#[$about:meta])* $phase:ident;)*) => {
        impl Lanes {$(
            $(#[$about])*
            pub fn $phase(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) -> bool {
                in_chunks!(self, executor, |movers: L| L::$phase(movers, stage, around))
            }
        )*}
    };
}

phases! {
    carry;
    sense;
    /// Returns whether any hook is attached, so that its rope may be strained.
    drive;
    /// Moves the bodies that have waited for their ropes.
    move_hanging;
    /// Settles the bodies that have grabbed, or passed, what they ran into.
    settle_grasping;
    /// Returns whether any motion stopped at something to grab.
    travel;
    settle;
}

impl Lanes {
    /// Plays one of the phases from carrying to settling for one body. Returns whether something is asked about it.
    pub fn play_phase(&mut self, entity: &Entity, phase: TickPhase, stage: &Stage, around: &Surroundings) -> bool {
        match_model!(entity.model, |M| {
            let movers = slice::from_mut(M::mover_mut(self, entity));
            match phase {
                TickPhase::Platforms => Lane::<M>::carry(movers, stage, around),
                TickPhase::Sense => Lane::<M>::sense(movers, stage, around),
                TickPhase::Drive => Lane::<M>::drive(movers, stage, around),
                TickPhase::Travel => Lane::<M>::travel(movers, stage, around),
                _ => Lane::<M>::settle(movers, stage, around),
            }
        })
    }

    /// Whether a body still touches the platform on which it stands or to which it clings. It does if it is known to have
    /// `touched` it while it stood as it does now.
    pub fn holds_on(
        &self,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings,
        platform: u16,
        touched: bool,
    ) -> bool {
        self.with_context(entity, stage, around, |context, body| {
            let (rule, scenery) = (context.rule(), context.scenery());
            if touched && body.sensed && body.cling.is_none() && rule.up == body.up() {
                return scenery.has_platform(platform);
            }
            let toward = body.cling.map_or(DVec2::new(0.0, -rule.up), |cling| -cling.normal);
            let reach = toward * (rule.probe + TOUCH);
            let touches = scenery.sweep_platform(platform, context.shape, body.pos, reach).is_some();
            touches || scenery.has_platform(platform) && scenery.overlaps_platform(platform, context.shape, body.pos)
        })
    }

    /// How far a body gets that makes the motion of what it stands on, px, and the normal of what is in its way; `None` if
    /// nothing is.
    pub fn follows(
        &self,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings,
        under: [u16; 2],
        by: DVec2,
    ) -> Option<(DVec2, DVec2)> {
        self.with_context(entity, stage, around, |context, body| {
            let scenery = context.scenery();
            let under = under.into_iter().find(|platform| scenery.has_platform(*platform))?;
            let slid = slide(&scenery.without(under), context.shape, body.pos, by, |_, _| false);
            let normals = slid.bumps.iter().map(|hit| hit.normal);
            let normal = normals.min_by(|a, b| a.dot(by).total_cmp(&b.dot(by)))?;
            Some((slid.pos - body.pos, normal))
        })
    }

    /// Passes where a body is to `look`, and the body.
    fn with_context<R>(
        &self,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings,
        look: impl FnOnce(&MoveContext, &Body) -> R,
    ) -> R {
        match_model!(entity.model, |M| {
            let mover = M::mover(self, entity);
            let loadout = loadout_of::<M>(mover, stage);
            let here = mover.here(around);
            let around = here.as_ref().unwrap_or(around);
            look(&MoveContext::new(loadout.shape, &loadout.footing, around, &mover.intent, &mover.body), &mover.body)
        })
    }

    /// Carries a body along with a platform. All else stops it.
    pub fn shift(&mut self, entity: &Entity, stage: &Stage, around: &Surroundings, platform: u16, by: DVec2) {
        match_model!(entity.model, |M| with_step::<M>(M::mover_mut(self, entity), stage, around, |_, body, step, _| {
            riding::shift(body, by, platform, step.context);
        }))
    }

    /// Moves a body out of others into which its turn has led it.
    pub fn give_room(&mut self, entity: &Entity, stage: &Stage, around: &Surroundings) {
        match_model!(entity.model, |M| with_step::<M>(
            M::mover_mut(self, entity),
            stage,
            around,
            |_, body, step, scratch| riding::give_room(body, step.context, &mut scratch.report)
        ))
    }

    /// Lets a body make a motion from another place, at whose end something with this normal stops it.
    pub fn stop_at(
        &mut self,
        entity: &Entity,
        stage: &Stage,
        around: &Surroundings,
        (from, by): (DVec2, DVec2),
        normal: DVec2,
    ) {
        match_model!(entity.model, |M| with_step::<M>(M::mover_mut(self, entity), stage, around, |_, body, step, _| {
            let to = slide(&step.context.scenery(), step.context.shape, from, by, |_, _| false).pos;
            body.sensed &= to == from || body.ground.is_none();
            body.pos = to;
            for v in [&mut body.vel, &mut body.external] {
                *v -= normal * v.dot(normal).min(0.0);
            }
            if normal.y * step.context.up() < -CEILING {
                body.jump.bump_head();
            }
        }))
    }

    /// Makes the players' input the intents of their entities. Returns whether any entity has to be looked at after
    /// scripts have decided, even if none has.
    pub fn latch(&mut self, executor: &dyn Executor, entities: &[Entity], inputs: &Inputs) -> bool {
        in_chunks!(self, executor, |movers: L| L::latch(movers, entities, inputs))
    }

    /// Both phases, chunk by chunk.
    pub fn sense_and_drive(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) -> bool {
        in_chunks!(self, executor, |movers: L| L::sense(movers, stage, around) | L::drive(movers, stage, around))
    }

    /// Plays all phases from sensing to settling for one body after the other; an open question stops a body. Returns
    /// whether any question is open, and whether one is about a rope. The players' input, if given, is latched first.
    pub fn play(
        &mut self,
        executor: &dyn Executor,
        stage: &Stage,
        around: &Surroundings,
        latch: Option<(&[Entity], &Inputs)>,
    ) -> (bool, bool) {
        let ropes = AtomicBool::new(false);
        let any = in_chunks!(self, executor, |movers: L| L::play(movers, stage, around, latch, &ropes));
        (any, ropes.into_inner())
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
