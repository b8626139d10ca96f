//! Lanes: one array of entities for each model.

use super::entity::Slot;
use super::mover::{Scratch, StatelessMover, digest_body, with_state};
use super::{Digest, Entity, EntityId, EntityView, Mover, Stage};
use crate::level::{Scenery, Terrain};
use crate::models::saved::{Checked, SavedContext, Within};
use crate::models::{
    Actions, Body, Flight, Grasp, HookOrder, HookView, Intent, Loadout, LoadoutOf, Loadouts, Mode, Model, ModelName,
    MoveContext, Refusal, Report, Step, Strain, Surroundings, for_every_model,
};
use serde::{Deserialize, Serialize};

/// All movers of one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Lane<M: Model> {
    pub movers: Vec<Mover<M::State>>,
}

impl<M: Model> Default for Lane<M> {
    fn default() -> Self {
        Self { movers: Vec::new() }
    }
}

/// The loadout of a mover.
#[inline]
pub(super) fn loadout_of<'s, M: LoadoutOf>(mover: &Mover<M::State>, stage: &'s Stage) -> &'s Loadout<M::Tuning> {
    M::loadout(&stage.profiles[mover.slot.index()].loadouts)
}

impl<M: LoadoutOf> Lane<M> {
    fn strains(&self, stage: &Stage, ask: &mut impl FnMut(EntityId, Strain)) {
        let Some(hooked) = M::HOOKED else { return };
        for mover in &self.movers {
            let loadout = loadout_of::<M>(mover, stage);
            let (body, motion) = (&mover.body, &mover.scratch.motion);
            let strain = hooked.strain(&mover.state, body, &mover.intent, motion, loadout);
            if let Some(strain) = strain {
                ask(mover.id, strain);
            }
        }
    }

    fn pull(&mut self, place: u32, snaps: bool, stage: &Stage, around: &Surroundings<'_>) {
        let Some(hooked) = M::HOOKED else { return };
        let mover = &mut self.movers[place as usize];
        let loadout = loadout_of::<M>(mover, stage);
        let here = around.within(mover.body.pos);
        let around = here.as_ref().unwrap_or(around);
        let (state, body, intent) = (&mut mover.state, &mut mover.body, &mover.intent);
        let Scratch { motion, report, .. } = &mut mover.scratch;
        if snaps {
            hooked.snap(state, report);
            return;
        }
        let context = &MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
        let step = Step { intent, loadout, context };
        hooked.pull(state, body, motion, &step, report);
    }

    fn grasps(&self, ask: &mut impl FnMut(EntityId, Grasp)) {
        for mover in &self.movers {
            if let Some(grasp) = mover.scratch.report.details().grasp {
                ask(mover.id, grasp);
            }
        }
    }

    fn grab(&mut self, place: u32, granted: bool, stage: &Stage, around: &Surroundings<'_>) {
        let Some(climbing) = M::CLIMBING else { return };
        let mover = &mut self.movers[place as usize];
        let loadout = loadout_of::<M>(mover, stage);
        let here = around.within(mover.body.pos);
        let around = here.as_ref().unwrap_or(around);
        let (state, body, intent) = (&mut mover.state, &mut mover.body, &mover.intent);
        let context = &MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
        let step = Step { intent, loadout, context };
        let Scratch { motion, report, .. } = &mut mover.scratch;
        if granted {
            climbing.grab(state, body, &step, report);
        } else {
            climbing.pass(state, body, motion, &step, report);
        }
    }

    fn grab_refusal(&self, place: u32, stage: &Stage, around: &Surroundings<'_>) -> Option<Refusal> {
        let mover = &self.movers[place as usize];
        let loadout = loadout_of::<M>(mover, stage);
        let here = around.within(mover.body.pos);
        let around = here.as_ref().unwrap_or(around);
        let (intent, body) = (&mover.intent, &mover.body);
        let context = &MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
        let step = Step { intent, loadout, context };
        M::CLIMBING?.refusal(&mover.state, &mover.body, &mover.scratch.motion, &step)
    }

    /// Passes every report to `receive` and resets the scratch.
    fn report(&mut self, receive: &mut impl FnMut(EntityId, &Report)) {
        for mover in &mut self.movers {
            receive(mover.id, &mover.scratch.report);
            mover.end_tick();
        }
    }
}

/// Writes what a model says of a body to `view`.
fn observe_mover<M: Model>(mover: &Mover<M::State>, loadout: &Loadout<M::Tuning>, view: &mut EntityView) {
    let Mover { state, body, intent, .. } = mover;
    let mode = M::mode(state, body);
    // The script checker relies on that list.
    debug_assert!(M::MODES.contains(&mode), "`{mode}` is missing from MODES");
    view.mode = mode;
    view.half = loadout.shape.half;
    view.hook = M::HOOKED.map_or_else(HookView::default, |hooked| hooked.view(state));
    if let Some(rigid) = M::RIGID {
        view.feet = rigid.feet(state);
        view.foot_travel = rigid.foot_travel(loadout);
        view.thrust = rigid.thrust(intent);
        view.depth = rigid.depth(loadout, body.angle);
        view.pieces = Some(rigid.pieces(loadout));
    } else {
        view.feet.clear();
        view.foot_travel = 0.0;
        view.thrust = 0.0;
        view.depth = loadout.shape.half.y;
        view.pieces = None;
    }
}

macro_rules! define_lanes {
    ($($field:ident: $M:ty,)*) => {
        /// One lane for each model.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        pub(super) struct Lanes {
            $( pub $field: Lane<$M>, )*
        }

        impl Lanes {
            /// Calls `ask` for every strained rope.
            pub fn strains(&self, stage: &Stage, mut ask: impl FnMut(EntityId, Strain)) {
                $( self.$field.strains(stage, &mut ask); )*
            }
            /// Lets an entity's rope snap, or pull on its motion.
            pub fn pull(&mut self, entity: &Entity, snaps: bool, stage: &Stage, around: &Surroundings<'_>) {
                match entity.model { $( ModelName::$field => self.$field.pull(entity.place, snaps, stage, around), )* }
            }
            /// Calls `ask` for every motion that stopped at something to grab.
            pub fn grasps(&self, mut ask: impl FnMut(EntityId, Grasp)) {
                $( self.$field.grasps(&mut ask); )*
            }
            /// Ends a motion that stopped at something to grab: there if `granted`, else past it.
            pub fn grab(&mut self, entity: &Entity, granted: bool, stage: &Stage, around: &Surroundings<'_>) {
                match entity.model { $( ModelName::$field => self.$field.grab(entity.place, granted, stage, around), )* }
            }
            /// Why the wall in front of an entity is not grabbed; `None` if there is no wall, or if
            /// it is grabbed.
            pub fn grab_refusal(&self, entity: &Entity, stage: &Stage, around: &Surroundings<'_>) -> Option<Refusal> {
                match entity.model { $( ModelName::$field => self.$field.grab_refusal(entity.place, stage, around), )* }
            }
            /// Moves an entity's hook to a reloaded terrain. Returns whether it lost its hold.
            pub fn adopt(&mut self, entity: &Entity, old: &Terrain, new: &Scenery<'_>) -> bool {
                match entity.model { $( ModelName::$field => {
                    let state = &mut self.$field.movers[entity.place as usize].state;
                    <$M as Model>::HOOKED.is_some_and(|hooked| hooked.adopt(state, old, new))
                } )* }
            }
            /// Passes a script's order to an entity's hook, if it has one.
            pub fn order(&mut self, entity: &Entity, order: HookOrder) {
                match entity.model { $( ModelName::$field => if let Some(hooked) = <$M as Model>::HOOKED {
                    let mover = &mut self.$field.movers[entity.place as usize];
                    hooked.order(&mut mover.state, &mover.body, order, &mut mover.scratch.report);
                } )* }
            }
            /// Lets an entity's climbing model know that a script has made it let go.
            pub fn let_go(&mut self, entity: &Entity) {
                match entity.model { $( ModelName::$field => if let Some(climbing) = <$M as Model>::CLIMBING {
                    let mover = &mut self.$field.movers[entity.place as usize];
                    climbing.let_go(&mut mover.state, &mover.intent);
                } )* }
            }
            /// Lets bodies look again what they rest on, because the forces on them may have changed. Those that walk do so
            /// in every tick.
            pub fn wake(&mut self) {
                $( if <$M as Model>::RIGID.is_some() {
                    let movers = self.$field.movers.iter_mut();
                    movers.for_each(|mover| mover.body.sensed = false);
                } )*
            }
            /// Starts a flight, if the entity's model flies.
            pub fn launch(&mut self, entity: &Entity, flight: &Flight) {
                match entity.model { $( ModelName::$field => if let Some(flying) = <$M as Model>::FLYING {
                    flying.launch(&mut self.$field.movers[entity.place as usize].state, flight);
                } )* }
            }
            /// What an entity is doing.
            pub fn mode(&self, entity: &Entity) -> Mode {
                match entity.model { $( ModelName::$field => {
                    let mover = &self.$field.movers[entity.place as usize];
                    <$M as Model>::mode(&mover.state, &mover.body)
                } )* }
            }
            /// An entity's hook; an idle one if it has none.
            pub fn hook(&self, entity: &Entity) -> HookView {
                match entity.model { $( ModelName::$field => {
                    let state = &self.$field.movers[entity.place as usize].state;
                    <$M as Model>::HOOKED.map_or_else(HookView::default, |hooked| hooked.view(state))
                } )* }
            }
            /// Passes every report to `receive` and resets the scratch, between two ticks.
            pub fn report(&mut self, mut receive: impl FnMut(EntityId, &Report)) {
                $( self.$field.report(&mut receive); )*
            }

            pub fn body(&self, entity: &Entity) -> &Body {
                match entity.model { $( ModelName::$field => &self.$field.movers[entity.place as usize].body, )* }
            }

            pub fn body_mut(&mut self, entity: &Entity) -> &mut Body {
                match entity.model { $( ModelName::$field => &mut self.$field.movers[entity.place as usize].body, )* }
            }

            pub fn intent(&self, entity: &Entity) -> &Intent {
                match entity.model { $( ModelName::$field => &self.$field.movers[entity.place as usize].intent, )* }
            }

            /// An entity's input, and the actions that it held in the previous tick.
            pub fn intent_mut(&mut self, entity: &Entity) -> (&mut Intent, &mut Actions) {
                match entity.model { $( ModelName::$field => {
                    let mover = &mut self.$field.movers[entity.place as usize];
                    (&mut mover.intent, &mut mover.before)
                } )* }
            }

            pub fn scratch(&self, entity: &Entity) -> &Scratch {
                match entity.model { $( ModelName::$field => &self.$field.movers[entity.place as usize].scratch, )* }
            }

            pub fn scratch_mut(&mut self, entity: &Entity) -> &mut Scratch {
                match entity.model { $( ModelName::$field => &mut self.$field.movers[entity.place as usize].scratch, )* }
            }

            pub fn set_slot(&mut self, entity: &Entity, slot: Slot) {
                match entity.model { $( ModelName::$field => self.$field.movers[entity.place as usize].slot = slot, )* }
            }

            /// Takes note of changed overrides. Where its body stands is looked up again if that
            /// may have changed.
            pub fn retuned(&mut self, entity: &Entity, was: &Loadouts, now: &Loadouts) {
                match entity.model { $( ModelName::$field => {
                    let [was, now] = [was, now].map(<$M as LoadoutOf>::loadout);
                    let same = match <$M as Model>::RIGID {
                        // It may be at rest under the old values.
                        Some(_) => was == now,
                        None => was.footing == now.footing,
                    };
                    self.$field.movers[entity.place as usize].body.sensed &= same;
                } )* }
            }

            /// The number of movers of a model.
            pub fn count(&self, model: ModelName) -> usize {
                match model { $( ModelName::$field => self.$field.movers.len(), )* }
            }

            /// Checks the mover of an entity of a saved world.
            pub fn check(&self, entity: &Entity, stage: &Stage, saved: &SavedContext<'_>) -> Checked {
                match entity.model { $( ModelName::$field => {
                    let mover = &self.$field.movers[entity.place as usize];
                    let loadouts = &stage.profiles[entity.profile as usize].loadouts;
                    mover.check(entity.id, saved)?;
                    <$M as Model>::check(&mover.state, <$M as LoadoutOf>::loadout(loadouts), saved)
                        .within("state")
                } )* }
            }

            /// Writes what an entity's model says of it to `view`. Returns its body.
            pub fn observe(&self, entity: &Entity, loadouts: &Loadouts, view: &mut EntityView) -> &Body {
                match entity.model { $( ModelName::$field => {
                    let mover = &self.$field.movers[entity.place as usize];
                    observe_mover::<$M>(mover, <$M as LoadoutOf>::loadout(loadouts), view);
                    &mover.body
                } )* }
            }

            /// Adds a mover at the end of a lane. Returns its place there.
            pub fn push(&mut self, model: ModelName, mover: StatelessMover) -> u32 {
                match model { $( ModelName::$field => {
                    self.$field.movers.push(with_state(mover, Default::default()));
                    (self.$field.movers.len() - 1) as u32
                } )* }
            }

            /// Removes a mover from its lane. The last mover of the lane takes its place; its
            /// entity is returned too.
            pub fn take(&mut self, model: ModelName, place: u32) -> (StatelessMover, Option<EntityId>) {
                match model { $( ModelName::$field => {
                    let taken = self.$field.movers.swap_remove(place as usize);
                    let moved = self.$field.movers.get(place as usize).map(|m| m.id);
                    (with_state(taken, ()), moved)
                } )* }
            }

            /// Feeds an entity's motion into a hash.
            pub fn digest(&self, entity: &Entity, digest: &mut Digest) {
                match entity.model { $( ModelName::$field => {
                    let mover = &self.$field.movers[entity.place as usize];
                    digest_body(&mover.body, &mover.intent, digest);
                    <$M as Model>::digest(&mover.state, &mut |word| digest.word(word));
                } )* }
            }

            /// The largest size of a mover in any lane, in bytes, without its scratch.
            #[cfg(test)]
            pub fn largest_mover() -> usize {
                [$( std::mem::size_of::<Mover<<$M as Model>::State>>() - std::mem::size_of::<Scratch>(), )*].into_iter().max().unwrap_or(0)
            }
        }
    };
}

for_every_model!(define_lanes);

#[cfg(test)]
mod tests {
    use super::{Entity, Lanes};

    #[test]
    fn an_entity_takes_at_most_512_bytes_of_state() {
        let (motion, rest) = (Lanes::largest_mover(), std::mem::size_of::<Entity>());
        assert!(motion + rest <= 512, "{motion} and {rest} bytes");
    }
}
