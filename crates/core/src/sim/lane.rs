//! Lanes: one array of entities for each model.

use super::{
    mover::{Waits, digest_body, with_state},
    *,
};
use crate::{
    level::{Scenery, Terrain},
    models::{Loadout, for_every_model},
};
use std::{iter::zip, sync::LazyLock};

/// All movers of one model.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Lane<M: Model> {
    pub movers: Vec<Mover<M::State>>,
    /// What each mover waits for, and its results. Where these lists are shorter, movers wait for nothing and have none.
    #[serde(skip)]
    waits: Vec<Waits>,
    #[serde(skip)]
    scratches: Vec<OwnScratch>,
}

/// The results of a mover that has ever had some which outlast its part of a tick. Most never have any, so that a fork of a
/// world needs little memory for its first tick.
pub type OwnScratch = Option<Box<Scratch>>;

/// The movers of a lane, or some of them, with what each waits for and its results.
pub type MoverRows<'a, S> = (&'a mut [Mover<S>], (&'a mut [Waits], &'a mut [OwnScratch]));

/// One of them.
pub type MoverRow<'a, S> = (&'a mut Mover<S>, (&'a mut Waits, &'a mut OwnScratch));

/// How many movers are looked at at once whether any of them waits.
const GROUP: usize = 64;

/// Whether none of these waits for anything, which takes little time to find out for a few dozen.
#[inline]
pub fn are_idle(waits: &[Waits]) -> bool {
    waits.iter().fold(0, |all, waits| all | *waits as u8) == 0
}

/// Each of these movers.
#[inline(always)]
pub fn each_row<'a, S>(
    (movers, (waits, scratches)): &'a mut MoverRows<'_, S>,
) -> impl Iterator<Item = MoverRow<'a, S>> {
    zip(movers.iter_mut(), zip(waits.iter_mut(), scratches.iter_mut()))
}

impl<M: Model> Lane<M> {
    /// The results of those that wait for something, with their places.
    fn results(&self) -> impl Iterator<Item = (usize, &Scratch)> {
        let groups = self.waits.chunks(GROUP).enumerate().filter(|(_, waits)| !are_idle(waits));
        let results = groups.flat_map(|(group, waits)| zip(group * GROUP.., waits));
        results.filter_map(|(place, waits)| {
            let scratch = self.scratches[place].as_deref();
            scratch.filter(|_| *waits != Waits::Nothing).map(|scratch| (place, scratch))
        })
    }

    #[inline]
    fn rows(&mut self) -> MoverRows<'_, M::State> {
        let count = self.movers.len();
        self.waits.resize(count, Waits::Nothing);
        self.scratches.resize(count, None);
        (&mut self.movers, (&mut self.waits, &mut self.scratches))
    }
}

impl<M: Model> Default for Lane<M> {
    fn default() -> Self {
        Self { movers: Vec::new(), waits: Vec::new(), scratches: Vec::new() }
    }
}

impl<M: Model> Clone for Lane<M> {
    /// Between most ticks there are no results.
    fn clone(&self) -> Self {
        let mut clone = Self { movers: self.movers.clone(), ..Self::default() };
        if self.results().next().is_some() {
            (clone.waits, clone.scratches) = (self.waits.clone(), self.scratches.clone());
        }
        clone
    }
}

impl<M: Model> PartialEq for Lane<M> {
    fn eq(&self, other: &Self) -> bool {
        let [own, others] =
            [self, other].map(|lane| lane.results().filter(|(_, scratch)| **scratch != Scratch::default()));
        self.movers == other.movers && own.eq(others)
    }
}

impl<M: Model> fmt::Debug for Lane<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lane").field("movers", &self.movers).finish()
    }
}

/// The loadout of a mover.
#[inline]
pub fn loadout_of<'s, M: LoadoutOf>(mover: &Mover<M::State>, stage: &'s Stage) -> &'s Loadout<M::Tuning> {
    M::loadout(&stage.profiles[mover.slot.index()].loadouts)
}

impl<M: LoadoutOf> Lane<M> {
    fn strains(&self, waiting: bool, stage: &Stage, around: &Surroundings, ask: &mut impl FnMut(EntityId, Strain)) {
        let Some(hooked) = M::HOOKED else { return };
        for (mover, (waits, scratch)) in zip(&self.movers, zip(&self.waits, &self.scratches)) {
            let Some(scratch) = scratch else { continue };
            if waiting && *waits != Waits::Rope || !mover.moves(around) {
                continue;
            }
            let loadout = loadout_of::<M>(mover, stage);
            let (body, motion) = (&mover.body, &scratch.motion);
            let pace = if around.scaled { around.hz / mover.rate } else { around.hz };
            let strain = hooked.strain(&mover.state, body, &mover.intent, motion, loadout, pace);
            strain.into_iter().for_each(|strain| ask(mover.id, strain));
        }
    }

    fn grasps(&self, ask: &mut impl FnMut(EntityId, Grasp)) {
        for (place, scratch) in self.results() {
            if let Some(grasp) = scratch.report.details().grasp {
                ask(self.movers[place].id, grasp);
            }
        }
    }

    /// Passes every report to `receive` and resets the scratch.
    fn report(&mut self, receive: &mut impl FnMut(EntityId, &Report)) {
        for row in each_row(&mut self.rows()) {
            if let Some(scratch) = row.1.1 {
                receive(row.0.id, &scratch.report);
            }
            end_tick(row);
        }
    }
}

/// Forgets what was ordered and what happened in a tick.
#[inline]
pub fn end_tick<S>((mover, (waits, scratch)): MoverRow<'_, S>) {
    mover.intent.end_orders();
    if let Some(scratch) = scratch {
        scratch.clear();
    }
    *waits = Waits::Nothing;
}

/// A model that can find its lane among those for all models.
pub trait LaneOf: LoadoutOf {
    fn lane(lanes: &Lanes) -> &Lane<Self>;
    fn lane_mut(lanes: &mut Lanes) -> &mut Lane<Self>;

    #[inline]
    fn rows(lanes: &mut Lanes) -> MoverRows<'_, Self::State> {
        Self::lane_mut(lanes).rows()
    }

    /// The row of an entity that has this model.
    fn row<'a>(lanes: &'a mut Lanes, entity: &Entity) -> MoverRow<'a, Self::State> {
        let place = entity.place as usize;
        let (movers, (waits, scratches)) = Self::rows(lanes);
        (&mut movers[place], (&mut waits[place], &mut scratches[place]))
    }

    /// The mover of an entity that has this model and its results, to change both.
    fn noting<'a>(lanes: &'a mut Lanes, entity: &Entity) -> (&'a mut Mover<Self::State>, &'a mut Scratch) {
        let (mover, (waits, scratch)) = Self::row(lanes, entity);
        if *waits == Waits::Nothing {
            *waits = Waits::Tick;
        }
        (mover, scratch.get_or_insert_default())
    }

    /// The mover of an entity that has this model.
    fn mover<'a>(lanes: &'a Lanes, entity: &Entity) -> &'a Mover<Self::State> {
        &Self::lane(lanes).movers[entity.place as usize]
    }

    /// The same, to change it.
    fn mover_mut<'a>(lanes: &'a mut Lanes, entity: &Entity) -> &'a mut Mover<Self::State> {
        &mut Self::lane_mut(lanes).movers[entity.place as usize]
    }
}

/// Lets a mover act with its loadout, in the surroundings at its position.
#[inline(always)]
pub fn with_step<M: LoadoutOf>(
    (mover, scratch): (&mut Mover<M::State>, &mut Scratch),
    stage: &Stage,
    around: &Surroundings,
    act: impl FnOnce(&mut M::State, &mut Body, &Step<M::Tuning>, &mut Scratch),
) {
    let loadout = loadout_of::<M>(mover, stage);
    let here = mover.here(around);
    let around = here.as_ref().unwrap_or(around);
    let (intent, body) = (&mover.intent, &mut mover.body);
    let context = &MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
    act(&mut mover.state, body, &Step { intent, loadout, context }, scratch);
}

macro_rules! define_lanes {
    ($($field:ident: $M:ty,)*) => {
        /// One lane for each model.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub struct Lanes {
            $( pub $field: Lane<$M>, )*
        }

        $( impl LaneOf for $M {
            #[inline]
            fn lane(lanes: &Lanes) -> &Lane<Self> {
                &lanes.$field
            }

            #[inline]
            fn lane_mut(lanes: &mut Lanes) -> &mut Lane<Self> {
                &mut lanes.$field
            }
        } )*
    };
}

for_every_model!(define_lanes);

impl Lanes {
    /// Calls `ask` for every strained rope or, if `waiting`, for those whose bodies wait for the answer.
    pub fn strains(&self, waiting: bool, stage: &Stage, around: &Surroundings, mut ask: impl FnMut(EntityId, Strain)) {
        each_model!(|M| M::lane(self).strains(waiting, stage, around, &mut ask));
    }
    /// Lets an entity's rope snap, or pull on its motion.
    pub fn pull(&mut self, entity: &Entity, snaps: bool, stage: &Stage, around: &Surroundings) {
        match_model!(entity.model, |M| if let Some(hooked) = M::HOOKED {
            let row = M::noting(self, entity);
            with_step::<M>(row, stage, around, |state, body, step, Scratch { motion, report, .. }| {
                if snaps {
                    hooked.snap(state, report)
                } else {
                    hooked.pull(state, body, motion, step, report)
                }
            });
        })
    }
    /// Calls `ask` for every motion that stopped at something to grab.
    pub fn grasps(&self, mut ask: impl FnMut(EntityId, Grasp)) {
        each_model!(|M| M::lane(self).grasps(&mut ask));
    }
    /// Ends a motion that stopped at something to grab: there if `granted`, else past it.
    pub fn grab(&mut self, entity: &Entity, granted: bool, stage: &Stage, around: &Surroundings) {
        match_model!(entity.model, |M| if let Some(climbing) = M::CLIMBING {
            let row = M::noting(self, entity);
            with_step::<M>(row, stage, around, |state, body, step, Scratch { motion, report, .. }| {
                if granted {
                    climbing.grab(state, body, step, report)
                } else {
                    climbing.pass(state, body, motion, step, report)
                }
            });
        })
    }
    /// Why the wall in front of an entity is not grabbed; `None` if there is no wall, or if
    /// it is grabbed.
    pub fn grab_refusal(&self, entity: &Entity, stage: &Stage, around: &Surroundings) -> Option<Refusal> {
        match_model!(entity.model, |M| {
            let mover = M::mover(self, entity);
            let loadout = loadout_of::<M>(mover, stage);
            let around = &mover.paced(around).unwrap_or(*around).at(mover.body.pos);
            let Mover { state, body, intent, .. } = mover;
            let context = &MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
            M::CLIMBING?.refusal(state, body, &self.scratch(entity).motion, &Step { intent, loadout, context })
        })
    }
    /// Moves an entity's hook to a reloaded terrain or, without an `old` one, to one that scripts have changed. Returns
    /// whether it lost its hold.
    pub fn adopt(&mut self, entity: &Entity, old: Option<&Terrain>, new: &Scenery) -> bool {
        match_model!(entity.model, |M| {
            let state = &mut M::mover_mut(self, entity).state;
            M::HOOKED.is_some_and(|hooked| hooked.adopt(state, old, new))
        })
    }
    /// Passes a script's order to an entity's hook, if it has one.
    pub fn order(&mut self, entity: &Entity, order: HookOrder) {
        match_model!(entity.model, |M| if let Some(hooked) = M::HOOKED {
            let (mover, scratch) = M::noting(self, entity);
            hooked.order(&mut mover.state, &mover.body, order, &mut scratch.report);
        })
    }
    /// Lets an entity's climbing model know that a script has made it let go.
    pub fn let_go(&mut self, entity: &Entity) {
        match_model!(entity.model, |M| if let Some(climbing) = M::CLIMBING {
            let mover = M::mover_mut(self, entity);
            climbing.let_go(&mut mover.state, &mover.intent);
        })
    }
    /// Lets bodies look again what they rest on, because the forces on them may have changed. Those that walk do so
    /// in every tick.
    pub fn wake(&mut self) {
        each_model!(|M| if M::RIGID.is_some() {
            let movers = M::lane_mut(self).movers.iter_mut();
            movers.for_each(|mover| mover.body.sensed = false);
        });
    }
    /// Starts a flight, if the entity's model flies.
    pub fn launch(&mut self, entity: &Entity, flight: &Flight) {
        match_model!(entity.model, |M| if let Some(flying) = M::FLYING {
            flying.launch(&mut M::mover_mut(self, entity).state, flight);
        })
    }
    /// What an entity is doing.
    pub fn mode(&self, entity: &Entity) -> Mode {
        match_model!(entity.model, |M| {
            let mover = M::mover(self, entity);
            M::mode(&mover.state, &mover.body)
        })
    }
    /// An entity's hook; an idle one if it has none.
    pub fn hook(&self, entity: &Entity) -> HookView {
        match_model!(entity.model, |M| {
            let state = &M::mover(self, entity).state;
            M::HOOKED.map_or_else(HookView::default, |hooked| hooked.view(state))
        })
    }
    /// Passes every report to `receive` and resets the scratch, between two ticks.
    pub fn report(&mut self, mut receive: impl FnMut(EntityId, &Report)) {
        each_model!(|M| M::lane_mut(self).report(&mut receive));
    }

    pub fn body(&self, entity: &Entity) -> &Body {
        match_model!(entity.model, |M| &M::mover(self, entity).body)
    }

    pub fn body_mut(&mut self, entity: &Entity) -> &mut Body {
        match_model!(entity.model, |M| &mut M::mover_mut(self, entity).body)
    }

    pub fn intent(&self, entity: &Entity) -> &Intent {
        match_model!(entity.model, |M| &M::mover(self, entity).intent)
    }

    /// An entity's input, and the actions that it held in the previous tick.
    pub fn intent_mut(&mut self, entity: &Entity) -> (&mut Intent, &mut Actions) {
        match_model!(entity.model, |M| {
            let mover = M::mover_mut(self, entity);
            (&mut mover.intent, &mut mover.before)
        })
    }

    pub fn clock(&self, entity: &Entity) -> &BodyClock {
        match_model!(entity.model, |M| &M::mover(self, entity).clock)
    }

    pub fn clock_mut(&mut self, entity: &Entity) -> &mut BodyClock {
        match_model!(entity.model, |M| &mut M::mover_mut(self, entity).clock)
    }

    /// Finds the rate of each body's time where it is as the tick begins.
    #[cold]
    pub fn find_rates(&mut self, around: &Surroundings) {
        each_model!(|M| for mover in &mut M::lane_mut(self).movers {
            let zones = around.zones.air_at(mover.body.pos).map_or(1.0, |air| air.time_scale);
            mover.rate = mover.clock.rate(around.rate, zones);
        });
    }

    /// Forgets these rates: between ticks, there are none.
    #[cold]
    pub fn forget_rates(&mut self) {
        each_model!(|M| for mover in &mut M::lane_mut(self).movers {
            mover.rate = 0.0;
        });
    }

    /// Lets the clock of each body run through a tick in which that of the level has advanced by `rate`.
    #[cold]
    pub fn run_clocks(&mut self, rate: f64) {
        each_model!(|M| for mover in &mut M::lane_mut(self).movers {
            mover.clock.behind += rate - mem::take(&mut mover.rate);
        });
    }

    pub fn scratch(&self, entity: &Entity) -> &Scratch {
        static NONE: LazyLock<Scratch> = LazyLock::new(Scratch::default);
        match_model!(entity.model, |M| {
            let scratch = M::lane(self).scratches.get(entity.place as usize);
            scratch.and_then(Option::as_deref).unwrap_or(&NONE)
        })
    }

    pub fn scratch_mut(&mut self, entity: &Entity) -> &mut Scratch {
        match_model!(entity.model, |M| M::noting(self, entity).1)
    }

    /// What an entity waits for.
    pub fn waits(&mut self, entity: &Entity) -> &mut Waits {
        match_model!(entity.model, |M| M::row(self, entity).1.0)
    }

    /// The rate of an entity's time in this tick, where rates may differ from 1.
    pub fn rate(&self, entity: &Entity) -> f64 {
        match_model!(entity.model, |M| M::mover(self, entity).rate)
    }

    /// Takes note of an entity's profile and player.
    pub fn set_slot(&mut self, entity: &Entity) {
        match_model!(entity.model, |M| {
            let mover = M::mover_mut(self, entity);
            (mover.slot, mover.player) = (entity.slot, entity.player);
        })
    }

    /// Takes note of changed overrides. Where its body stands is looked up again if that
    /// may have changed.
    pub fn retuned(&mut self, entity: &Entity, was: &Loadouts, now: &Loadouts) {
        match_model!(entity.model, |M| {
            let [was, now] = [was, now].map(M::loadout);
            let same = match M::RIGID {
                // It may be at rest under the old values.
                Some(_) => was == now,
                None => was.footing == now.footing,
            };
            M::mover_mut(self, entity).body.sensed &= same;
        })
    }

    /// The number of movers of a model.
    pub fn count(&self, model: ModelName) -> usize {
        match_model!(model, |M| M::lane(self).movers.len())
    }

    /// Checks the mover of an entity of a saved world.
    pub fn check(&self, entity: &Entity, stage: &Stage, saved: &SavedContext) -> Checked {
        match_model!(entity.model, |M| {
            let mover = M::mover(self, entity);
            let loadouts = &stage.profiles[entity.profile as usize].loadouts;
            mover.check(entity.id, saved)?;
            M::check(&mover.state, M::loadout(loadouts), saved).within("state")
        })
    }

    /// Writes what an entity's model says of it to `view`; of its hook only if that is wanted. Returns its body, its input, and
    /// the actions that it held in the previous tick.
    #[inline(always)]
    pub fn observe(
        &self,
        entity: &Entity,
        loadouts: &Loadouts,
        view: &mut EntityView,
        hook: bool,
    ) -> (&Body, &Intent, Actions) {
        match_model!(entity.model, |M| {
            let mover = M::mover(self, entity);
            let (Mover { state, body, intent, before, clock, .. }, loadout) = (mover, M::loadout(loadouts));
            view.time_scale = clock.scale;
            view.mode = M::mode(state, body);
            // The script checker relies on that list.
            debug_assert!(M::MODES.contains(&view.mode), "`{}` is missing from MODES", view.mode);
            (view.half, view.form) = (loadout.shape.half, loadout.shape.form);
            if hook {
                view.hook = M::HOOKED.map_or_else(HookView::default, |hooked| hooked.view(state));
            }
            if let Some(rigid) = M::RIGID {
                view.feet = rigid.feet(state);
                view.foot_travel = rigid.foot_travel(loadout);
                view.thrust = rigid.thrust(intent);
                view.depth = rigid.depth(loadout, body.angle);
                view.pieces = Some(rigid.pieces(loadout).clone());
            } else {
                view.feet.clear();
                (view.foot_travel, view.thrust, view.pieces) = (0.0, 0.0, None);
                view.depth = loadout.shape.half.y;
            }
            (body, intent, *before)
        })
    }

    /// Adds a mover with its results at the end of a lane. Returns its place there.
    pub fn push(&mut self, model: ModelName, (mover, scratch): (StatelessMover, Scratch)) -> u32 {
        match_model!(model, |M| {
            let lane = M::lane_mut(self);
            lane.movers.push(with_state(mover, Default::default()));
            lane.rows();
            let place = lane.movers.len() - 1;
            (lane.waits[place], lane.scratches[place]) = (Waits::Tick, Some(Box::new(scratch)));
            place as u32
        })
    }

    /// Removes a mover from its lane. The last mover of the lane takes its place; its
    /// entity is returned too.
    pub fn take(&mut self, model: ModelName, place: u32) -> ((StatelessMover, Scratch), Option<EntityId>) {
        match_model!(model, |M| {
            let (lane, place) = (M::lane_mut(self), place as usize);
            lane.rows();
            lane.waits.swap_remove(place);
            let scratch = lane.scratches.swap_remove(place).unwrap_or_default();
            let taken = (with_state(lane.movers.swap_remove(place), ()), *scratch);
            (taken, lane.movers.get(place).map(|mover| mover.id))
        })
    }

    /// Feeds an entity's motion into a hash.
    pub fn digest(&self, entity: &Entity, digest: &mut Digest) {
        match_model!(entity.model, |M| {
            let mover = M::mover(self, entity);
            digest_body(&mover.body, &mover.intent, digest);
            mover.clock.digest(digest);
            M::digest(&mover.state, digest);
        })
    }
}

#[cfg(test)]
#[path = "../../tests/unit/sim/lane.rs"]
mod tests;
