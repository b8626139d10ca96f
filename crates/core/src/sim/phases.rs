//! The phases of a tick that read no other entity, for all lanes.
//!
//! An [`Executor`] may do the chunks of a lane at the same time.

use super::{
    lane::{Lane, LaneOf, MoverRow, MoverRows, are_idle, each_row, end_tick, loadout_of, with_step},
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
        rows: &mut MoverRows<'_, M::State>,
        all: bool,
        stage: &Stage,
        [around, part]: [&Surroundings; 2],
        mut phase: impl FnMut(&mut M::State, &mut Body, &Step<M::Tuning>, &mut Scratch),
    ) -> bool {
        for (mover, (_, scratch)) in each_row(rows).filter(|(mover, _)| all || mover.moves(around)) {
            let scratch = &mut **scratch.get_or_insert_default();
            let around = if scratch.report.divided { part } else { around };
            with_step::<M>((mover, scratch), stage, around, &mut phase);
        }
        false
    }

    /// Finds the bodies whose tick is divided because a platform near them turns.
    #[cold]
    fn find_turns(rows: &mut MoverRows<'_, M::State>, stage: &Stage, around: &Surroundings) {
        for (mover, (_, scratch)) in each_row(rows) {
            let shape = loadout_of::<M>(mover, stage).shape;
            let (moves, paced) = (mover.moves(around), mover.paced(around));
            let around = paced.as_ref().unwrap_or(around);
            let Mover { state, intent, body, .. } = mover;
            // A body that stands still in a running level is carried in one piece.
            scratch.get_or_insert_default().report.divided =
                moves && M::sees_turns(state, intent) && crossing::platform_turns_near(body, shape, around);
        }
    }

    fn carry(rows: &mut MoverRows<'_, M::State>, stage: &Stage, around: &Surroundings) -> bool {
        if !around.transit.turning.is_empty() {
            Self::find_turns(rows, stage, around);
        }
        Self::each_step(rows, true, stage, [around, &around.during_first()], |state, body, step, scratch| {
            M::carry(state, body, step, &mut scratch.report);
        })
    }

    fn sense(rows: &mut MoverRows<'_, M::State>, stage: &Stage, around: &Surroundings) -> bool {
        Self::each_step(rows, true, stage, [around, &around.during_first()], |state, body, step, scratch| {
            M::sense(state, body, step, scratch.pushed, &mut scratch.report);
        })
    }

    /// Returns whether any hook is attached, so that its rope may be strained.
    fn drive(rows: &mut MoverRows<'_, M::State>, stage: &Stage, around: &Surroundings) -> bool {
        let first = &around.during_first();
        let drives = |attached, (mover, (_, scratch)): MoverRow<'_, M::State>| {
            if !mover.moves(around) {
                return attached;
            }
            let scratch = scratch.get_or_insert_default();
            let around = if scratch.report.divided { first } else { around };
            attached | Self::drive_one(mover, scratch, stage, around)
        };
        each_row(rows).fold(false, drives)
    }

    #[inline(always)]
    fn drive_one(mover: &mut Mover<M::State>, scratch: &mut Scratch, stage: &Stage, around: &Surroundings) -> bool {
        let loadout = loadout_of::<M>(mover, stage);
        let here = mover.here(around);
        let around = here.as_ref().unwrap_or(around);
        let Mover { intent, body, state, .. } = mover;
        scratch.motion = M::drive(state, body, intent, loadout, around, &mut scratch.report);
        M::HOOKED.is_some_and(|hooked| hooked.is_attached(state))
    }

    /// Returns whether any motion stopped at something to grab.
    fn travel(rows: &mut MoverRows<'_, M::State>, stage: &Stage, around: &Surroundings) -> bool {
        let mut grasping = false;
        for (mover, (waits, scratch)) in each_row(rows).filter(|(mover, _)| mover.moves(around)) {
            if Self::travel_one(mover, scratch.get_or_insert_default(), stage, around) {
                *waits = Waits::Grab;
                grasping = true;
            }
        }
        grasping
    }

    #[inline(always)]
    fn travel_one(mover: &mut Mover<M::State>, scratch: &mut Scratch, stage: &Stage, around: &Surroundings) -> bool {
        let zones = !stage.zones().list().is_empty();
        let (mut grasping, mut rate) = (false, mover.rate);
        with_step::<M>((mover, scratch), stage, around, |state, body, step, Scratch { motion, report, .. }| {
            let crosses = zones && !report.bound && crossing::may_cross(body, motion, step.context.around);
            if crosses || report.divided {
                let lived = crossing::travel::<M>(state, body, motion, step, report, crosses);
                if step.context.around.scaled {
                    rate = rate_of(lived * step.context.around.hz);
                }
            } else {
                M::travel(state, body, motion, step, report);
            }
            grasping = report.details().grasp.is_some();
        });
        mover.rate = rate;
        grasping
    }

    fn settle(rows: &mut MoverRows<'_, M::State>, stage: &Stage, around: &Surroundings) -> bool {
        let last = around.transit.legs.last().map_or(*around, |leg| around.during(leg));
        Self::each_step(rows, false, stage, [around, &last], Self::settle_one)
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
    /// whether any question is open, and sets `ropes` if one is about a rope. What the others report is read at once where
    /// nothing else reads it.
    fn play(
        rows: &mut MoverRows<'_, M::State>,
        stage: &Stage,
        around: &Surroundings,
        latch: Option<&Inputs>,
        ropes: &AtomicBool,
        (context, reports): (ReportContext<'_>, &mut ChunkReports),
    ) -> bool {
        let alike = are_alike(stage, around);
        let (mut waiting, mut spare) = (false, Scratch::default());
        for (mover, (waits, own)) in each_row(rows) {
            if let Some(inputs) = latch {
                latch_one(mover, inputs);
            }
            if alike {
                // Most bodies have no results before and after their tick, so that these stay in the fastest memory.
                if *waits != Waits::Nothing {
                    spare = own.as_deref_mut().map(mem::take).unwrap_or_default();
                }
                *waits = Self::play_one(mover, &mut spare, stage, around);
                if *waits == Waits::Nothing {
                    continue;
                }
                if *waits == Waits::Reading && context.ended {
                    Self::list_report(mover, &spare.report, context, reports);
                    mover.intent.end_orders();
                    *waits = Waits::Nothing;
                } else {
                    **own.get_or_insert_default() = spare;
                }
                spare.clear();
            } else {
                let noted = own.is_some();
                *waits = Self::play_in_zones(mover, own.as_deref_mut().unwrap_or(&mut spare), stage, around);
                if !noted && *waits != Waits::Nothing {
                    *own = Some(Box::new(mem::take(&mut spare)));
                }
            }
            if *waits == Waits::Rope {
                ropes.store(true, Ordering::Relaxed);
            }
            waiting |= matches!(*waits, Waits::Rope | Waits::Grab);
        }
        waiting
    }

    /// Plays the phases of a body in conditions that [are alike](are_alike) for all. Returns what it waits for.
    #[inline(always)]
    fn play_one(mover: &mut Mover<M::State>, scratch: &mut Scratch, stage: &Stage, around: &Surroundings) -> Waits {
        let loadout = loadout_of::<M>(mover, stage);
        let Mover { intent, body, state, .. } = mover;
        let context = &MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
        let step = &Step { intent, loadout, context };
        if !around.transit.steps.is_empty() {
            M::carry(state, body, step, &mut scratch.report);
        }
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
        Self::read_report(mover, scratch, stage)
    }

    #[inline(never)]
    fn play_in_zones(
        mover: &mut Mover<M::State>,
        scratch: &mut Scratch,
        stage: &Stage,
        around: &Surroundings,
    ) -> Waits {
        with_step::<M>((mover, scratch), stage, around, |state, body, step, scratch| {
            M::sense(state, body, step, scratch.pushed, &mut scratch.report);
        });
        if !mover.moves(around) {
            Self::read_report(mover, scratch, stage)
        } else if Self::drive_one(mover, scratch, stage, around) {
            Waits::Rope
        } else {
            Self::move_one(mover, scratch, stage, around)
        }
    }

    /// Moves a body and, unless something to grab has stopped it, lets it settle. Returns what it waits for.
    fn move_one(mover: &mut Mover<M::State>, scratch: &mut Scratch, stage: &Stage, around: &Surroundings) -> Waits {
        if Self::travel_one(mover, scratch, stage, around) {
            Waits::Grab
        } else {
            Self::end_one(mover, scratch, stage, around)
        }
    }

    /// Lets a body settle. Returns what it waits for.
    fn end_one(mover: &mut Mover<M::State>, scratch: &mut Scratch, stage: &Stage, around: &Surroundings) -> Waits {
        with_step::<M>((mover, scratch), stage, around, Self::settle_one);
        Self::read_report(mover, scratch, stage)
    }

    /// Ends the tick of a body that has settled, unless it has something to report.
    #[inline(always)]
    fn read_report(mover: &mut Mover<M::State>, scratch: &mut Scratch, stage: &Stage) -> Waits {
        if scratch.report.is_eventful() || !stage.level.bounds.holds(mover.body.pos) {
            return Waits::Reading;
        }
        mover.intent.end_orders();
        scratch.clear();
        Waits::Nothing
    }

    /// Moves the bodies that have waited for their ropes.
    fn move_hanging(rows: &mut MoverRows<'_, M::State>, stage: &Stage, around: &Surroundings) -> bool {
        if !are_idle(rows.1.0) {
            for (mover, (waits, scratch)) in each_row(rows).filter(|(_, (waits, _))| **waits == Waits::Rope) {
                *waits = Self::move_one(mover, scratch.get_or_insert_default(), stage, around);
            }
        }
        false
    }

    /// Settles the bodies that have grabbed, or passed, what they ran into.
    fn settle_grasping(rows: &mut MoverRows<'_, M::State>, stage: &Stage, around: &Surroundings) -> bool {
        if !are_idle(rows.1.0) {
            for (mover, (waits, scratch)) in each_row(rows).filter(|(_, (waits, _))| **waits == Waits::Grab) {
                *waits = Self::end_one(mover, scratch.get_or_insert_default(), stage, around);
            }
        }
        false
    }

    fn latch(rows: &mut MoverRows<'_, M::State>, inputs: &Inputs) -> bool {
        rows.0.iter_mut().for_each(|mover| latch_one(mover, inputs));
        false
    }

    /// Adds events for what the movers report, and resets their scratch.
    fn list_reports(rows: &mut MoverRows<'_, M::State>, context: ReportContext<'_>, to: &mut ChunkReports) -> bool {
        if context.ended && are_idle(rows.1.0) {
            return false;
        }
        for row in each_row(rows) {
            if context.ended && *row.1.0 != Waits::Reading {
                continue;
            }
            if let Some(scratch) = row.1.1 {
                Self::list_report(row.0, &scratch.report, context, to);
            }
            end_tick(row);
        }
        false
    }

    fn list_report(mover: &Mover<M::State>, report: &Report, context: ReportContext<'_>, to: &mut ChunkReports) {
        let Mover { id, body, state, .. } = mover;
        let tip = || M::HOOKED.map_or(DVec2::ZERO, |hooked| hooked.view(state).tip);
        to.add(context, *id, body, &tip, report);
    }
}

/// Whether neither where a body is nor which one it is makes a difference to the conditions around it. A body that plays its
/// phases in a row is then carried in the first of them.
pub fn are_alike(stage: &Stage, around: &Surroundings) -> bool {
    stage.zones().list().is_empty() && stage.level.view == View::Side && !around.scaled
}

/// Makes the input of an entity's player its intent.
#[inline(always)]
fn latch_one<S>(mover: &mut Mover<S>, inputs: &Inputs) {
    let input = mover.player.map(|p| inputs.player(p).in_range());
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
    ($lanes:expr, $executor:expr, |$rows:ident: $Lane:ident| $phase:expr) => {
        each_model!(|M| {
            type $Lane = Lane<M>;
            any_chunk($executor, M::rows($lanes), &|mut rows: MoverRows<'_, _>| {
                let $rows = &mut rows;
                $phase
            })
        })
        .into_iter()
        .any(|found| found)
    };
}

/// The same with a list for what each chunk reports. Adds the events of the lists to `events` in the order of the movers.
macro_rules! in_reporting_chunks {
    ($lanes:expr, $executor:expr, ($lists:expr, $events:expr), |$rows:ident: $Lane:ident, $list:ident| $phase:expr) => {{
        // Most worlds have one chunk, which adds to the events that there are.
        OfChunks::new($executor, 1, $lists).of_one().exchange($events);
        let found = each_model!(|M| {
            type $Lane = Lane<M>;
            let rows = M::rows($lanes);
            let of_chunks = OfChunks::new($executor, rows.0.len(), $lists);
            let found =
                any_chunk($executor, (rows, of_chunks), &|(mut rows, list): (MoverRows<'_, _>, OfChunks<'_, _>)| {
                    let ($rows, $list) = (&mut rows, list.of_one());
                    $phase
                });
            ChunkReports::join($lists);
            found
        });
        $lists[0].exchange($events);
        found.into_iter().any(|found| found)
    }};
}

/// Declares phases of all lanes.
macro_rules! phases {
    ($($(#[$about:meta])* $phase:ident;)*) => {
        impl Lanes {$(
            $(#[$about])*
            pub fn $phase(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) -> bool {
                in_chunks!(self, executor, |rows: L| L::$phase(rows, stage, around))
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
            let (mover, (waits, scratch)) = M::row(self, entity);
            let row = &mut (slice::from_mut(mover), (slice::from_mut(waits), slice::from_mut(scratch)));
            match phase {
                TickPhase::Platforms => Lane::<M>::carry(row, stage, around),
                TickPhase::Sense => Lane::<M>::sense(row, stage, around),
                TickPhase::Drive => Lane::<M>::drive(row, stage, around),
                TickPhase::Travel => Lane::<M>::travel(row, stage, around),
                _ => Lane::<M>::settle(row, stage, around),
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
        match_model!(entity.model, |M| with_step::<M>(M::noting(self, entity), stage, around, |_, body, step, _| {
            riding::shift(body, by, platform, step.context);
        }))
    }

    /// Moves a body out of others into which its turn has led it.
    pub fn give_room(&mut self, entity: &Entity, stage: &Stage, around: &Surroundings) {
        match_model!(entity.model, |M| with_step::<M>(
            M::noting(self, entity),
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
        match_model!(entity.model, |M| with_step::<M>(M::noting(self, entity), stage, around, |_, body, step, _| {
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

    /// Makes the players' input the intents of their entities.
    pub fn latch(&mut self, executor: &dyn Executor, inputs: &Inputs) {
        in_chunks!(self, executor, |rows: L| L::latch(rows, inputs));
    }

    /// Both phases, chunk by chunk.
    pub fn sense_and_drive(&mut self, executor: &dyn Executor, stage: &Stage, around: &Surroundings) -> bool {
        in_chunks!(self, executor, |rows: L| L::sense(rows, stage, around) | L::drive(rows, stage, around))
    }

    /// Plays all phases from sensing to settling for one body after the other; an open question stops a body. Returns
    /// whether any question is open, and whether one is about a rope. The players' input, if given, is latched first. If the
    /// tick has ended for bodies that have played it, what they report is added to the events.
    pub fn play(
        &mut self,
        executor: &dyn Executor,
        (stage, around): (&Stage, &Surroundings),
        latch: Option<&Inputs>,
        context: ReportContext<'_>,
        (lists, events): (&mut Vec<ChunkReports>, &mut Vec<Event>),
    ) -> (bool, bool) {
        let ropes = AtomicBool::new(false);
        let any = in_reporting_chunks!(self, executor, (lists, events), |rows: L, list| {
            L::play(rows, stage, around, latch, &ropes, (context, list))
        });
        (any, ropes.into_inner())
    }

    /// Writes what all movers report to a list for each chunk, and adds the events of the lists to `events` in the order
    /// of the movers.
    pub fn list_reports(
        &mut self,
        executor: &dyn Executor,
        context: ReportContext<'_>,
        lists: &mut Vec<ChunkReports>,
        events: &mut Vec<Event>,
    ) {
        in_reporting_chunks!(self, executor, (lists, events), |rows: L, list| L::list_reports(rows, context, list));
    }
}
