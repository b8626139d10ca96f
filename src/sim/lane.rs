//! Lanes: all entities of one model, side by side.

use super::hash::{Digest, digest_mover};
use super::{Entity, EntityId, Stage};
use crate::level::{Scenery, Terrain};
use crate::models::{
    Actions, Body, Flight, Grasp, HookOrder, HookView, Intent, LoadoutOf, Model, ModelName, Motion,
    MoveContext, Refusal, Report, Strain, Surroundings, for_every_model,
};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// An entity in the lane of its model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mover<S> {
    /// Whose motion this is.
    pub id: EntityId,
    /// Index into the stage's profiles.
    pub(super) profile: u32,
    /// What it held in the tick before.
    pub(super) before: Actions,
    /// What it wants this tick.
    pub intent: Intent,
    /// What every entity has.
    pub body: Body,
    /// What its model remembers.
    pub state: S,
    /// What the phases of one tick hand on; as new between ticks.
    #[serde(skip)]
    pub(super) scratch: Scratch,
}

/// What the phases of one tick hand on to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Scratch {
    pub motion: Motion,
    pub report: Report,
    /// Something has changed its velocities since they were last known to fit its ground.
    pub pushed: bool,
}

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

impl<M: LoadoutOf> Lane<M> {
    fn carry(&mut self, stage: &Stage, around: &Surroundings<'_>) {
        for mover in &mut self.movers {
            let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
            let Mover {
                state,
                body,
                intent,
                scratch,
                ..
            } = mover;
            let here = around.within(body.pos);
            let around = here.as_ref().unwrap_or(around);
            let context = MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
            M::carry(state, body, loadout, &context, &mut scratch.report);
        }
    }

    fn sense(&mut self, stage: &Stage, around: &Surroundings<'_>) {
        for mover in &mut self.movers {
            let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
            let Mover {
                state,
                body,
                intent,
                scratch,
                ..
            } = mover;
            let here = around.within(body.pos);
            let around = here.as_ref().unwrap_or(around);
            let context = MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
            let Scratch { report, pushed, .. } = scratch;
            M::sense(state, body, loadout, &context, *pushed, report);
        }
    }

    /// Whether any rope is strained by what comes of it.
    fn drive(&mut self, stage: &Stage, around: &Surroundings<'_>) -> bool {
        let mut strained = false;
        for mover in &mut self.movers {
            let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
            let Mover {
                state,
                body,
                intent,
                scratch,
                ..
            } = mover;
            let here = around.within(body.pos);
            let around = here.as_ref().unwrap_or(around);
            scratch.motion = M::drive(state, body, intent, loadout, around, &mut scratch.report);
            strained |= M::is_strained(state);
        }
        strained
    }

    fn strains(&self, stage: &Stage, ask: &mut impl FnMut(EntityId, Strain)) {
        for mover in &self.movers {
            let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
            let motion = &mover.scratch.motion;
            if let Some(strain) =
                M::strain(&mover.state, &mover.body, &mover.intent, motion, loadout)
            {
                ask(mover.id, strain);
            }
        }
    }

    fn haul(&mut self, place: u32, snaps: bool, stage: &Stage, around: &Surroundings<'_>) {
        let mover = &mut self.movers[place as usize];
        let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
        let Scratch { motion, report, .. } = &mut mover.scratch;
        M::haul(
            &mut mover.state,
            &mover.body,
            motion,
            snaps,
            loadout,
            around,
            report,
        );
    }

    /// Whether any motion has stopped at something to grab.
    fn travel(&mut self, stage: &Stage, around: &Surroundings<'_>) -> bool {
        let mut grasping = false;
        for mover in &mut self.movers {
            let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
            let Mover {
                state,
                body,
                intent,
                scratch,
                ..
            } = mover;
            let here = around.within(body.pos);
            let around = here.as_ref().unwrap_or(around);
            let context = MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
            let Scratch { motion, report, .. } = scratch;
            M::travel(state, body, intent, motion, loadout, &context, report);
            grasping |= report.grasp.is_some();
        }
        grasping
    }

    fn grasps(&self, ask: &mut impl FnMut(EntityId, Grasp)) {
        for mover in &self.movers {
            if let Some(grasp) = mover.scratch.report.grasp {
                ask(mover.id, grasp);
            }
        }
    }

    fn ungrabbed(&self, place: u32, stage: &Stage, around: &Surroundings<'_>) -> Option<Refusal> {
        let mover = &self.movers[place as usize];
        let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
        let (state, body, intent) = (&mover.state, &mover.body, &mover.intent);
        let here = around.within(body.pos);
        let around = here.as_ref().unwrap_or(around);
        let context = MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
        M::ungrabbed(
            state,
            body,
            intent,
            &mover.scratch.motion,
            loadout,
            &context,
        )
    }

    fn finish(&mut self, place: u32, granted: bool, stage: &Stage, around: &Surroundings<'_>) {
        let mover = &mut self.movers[place as usize];
        let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
        let (state, body, intent) = (&mut mover.state, &mut mover.body, &mover.intent);
        let here = around.within(body.pos);
        let around = here.as_ref().unwrap_or(around);
        let context = MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
        let Scratch { motion, report, .. } = &mut mover.scratch;
        if let Some(grasp) = report.grasp.take() {
            M::finish(
                state, body, intent, motion, &grasp, granted, &context, report,
            );
        }
    }

    fn settle(&mut self, stage: &Stage, around: &Surroundings<'_>) {
        for mover in &mut self.movers {
            let loadout = M::loadout(&stage.profiles[mover.profile as usize].loadouts);
            let Mover {
                state,
                body,
                intent,
                scratch,
                ..
            } = mover;
            let here = around.within(body.pos);
            let around = here.as_ref().unwrap_or(around);
            let context = MoveContext::new(loadout.shape, &loadout.footing, around, intent, body);
            M::settle(state, body, intent, loadout, &context, &mut scratch.report);
            // 0 has one spelling in traces and hashes.
            mover.body.pos += DVec2::ZERO;
            mover.body.vel += DVec2::ZERO;
            mover.body.external += DVec2::ZERO;
        }
    }

    /// Hands what happened to `tell`, and the scratch back as new.
    fn report(&mut self, tell: &mut impl FnMut(EntityId, &Body, &Report)) {
        for mover in &mut self.movers {
            tell(mover.id, &mover.body, &mover.scratch.report);
            mover.scratch = Scratch::default();
        }
    }
}

/// A mover without its model's state: the part that is kept when the model changes.
pub(super) type StatelessMover = Mover<()>;

fn with_state<A, B>(mover: Mover<A>, state: B) -> Mover<B> {
    let Mover {
        id,
        profile,
        before,
        intent,
        body,
        scratch,
        ..
    } = mover;
    Mover {
        id,
        profile,
        before,
        intent,
        body,
        state,
        scratch,
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
            pub fn carry(&mut self, stage: &Stage, around: &Surroundings<'_>) {
                $( self.$field.carry(stage, around); )*
            }
            pub fn sense(&mut self, stage: &Stage, around: &Surroundings<'_>) {
                $( self.$field.sense(stage, around); )*
            }
            pub fn drive(&mut self, stage: &Stage, around: &Surroundings<'_>) -> bool {
                [$( self.$field.drive(stage, around), )*].contains(&true)
            }
            /// How hard each rope is strained.
            pub fn strains(&self, stage: &Stage, mut ask: impl FnMut(EntityId, Strain)) {
                $( self.$field.strains(stage, &mut ask); )*
            }
            /// Lets the rope of an entity act or snap.
            pub fn haul(&mut self, entity: &Entity, snaps: bool, stage: &Stage, around: &Surroundings<'_>) {
                match entity.model { $( ModelName::$field => self.$field.haul(entity.place, snaps, stage, around), )* }
            }
            /// What each motion has stopped at that can be grabbed.
            pub fn grasps(&self, mut ask: impl FnMut(EntityId, Grasp)) {
                $( self.$field.grasps(&mut ask); )*
            }
            /// Ends a motion that has stopped at something to grab.
            pub fn finish(&mut self, entity: &Entity, granted: bool, stage: &Stage, around: &Surroundings<'_>) {
                match entity.model { $( ModelName::$field => self.$field.finish(entity.place, granted, stage, around), )* }
            }
            /// Why the wall that an entity has run into is not grabbed, if it has run into one.
            pub fn ungrabbed(&self, entity: &Entity, stage: &Stage, around: &Surroundings<'_>) -> Option<Refusal> {
                match entity.model { $( ModelName::$field => self.$field.ungrabbed(entity.place, stage, around), )* }
            }
            /// Takes an entity's motion into another terrain; whether its hook has lost its hold.
            pub fn adopt(&mut self, entity: &Entity, old: &Terrain, new: &Scenery<'_>) -> bool {
                match entity.model { $( ModelName::$field => {
                    let mover = &mut self.$field.movers[entity.place as usize];
                    <$M as Model>::adopt(&mut mover.state, old, new)
                } )* }
            }
            /// Does with an entity's hook what its script orders.
            pub fn order(&mut self, entity: &Entity, order: HookOrder) {
                match entity.model { $( ModelName::$field => {
                    let mover = &mut self.$field.movers[entity.place as usize];
                    <$M as Model>::order(&mut mover.state, &mover.body, order, &mut mover.scratch.report);
                } )* }
            }
            /// Sets an entity out on a flight.
            pub fn launch(&mut self, entity: &Entity, flight: &Flight) {
                match entity.model { $( ModelName::$field => {
                    <$M as Model>::launch(&mut self.$field.movers[entity.place as usize].state, flight);
                } )* }
            }
            /// What can be seen of an entity's hook.
            pub fn hook(&self, entity: &Entity) -> HookView {
                match entity.model { $( ModelName::$field => {
                    <$M as Model>::hook(&self.$field.movers[entity.place as usize].state)
                } )* }
            }
            /// How far each of an entity's feet is pressed in.
            pub fn feet(&self, entity: &Entity) -> Vec<f64> {
                match entity.model { $( ModelName::$field => {
                    <$M as Model>::feet(&self.$field.movers[entity.place as usize].state)
                } )* }
            }
            /// How hard an entity's drive pushes.
            pub fn thrust(&self, entity: &Entity) -> f64 {
                match entity.model { $( ModelName::$field => {
                    <$M as Model>::thrust(&self.$field.movers[entity.place as usize].intent)
                } )* }
            }
            pub fn travel(&mut self, stage: &Stage, around: &Surroundings<'_>) -> bool {
                [$( self.$field.travel(stage, around), )*].contains(&true)
            }
            pub fn settle(&mut self, stage: &Stage, around: &Surroundings<'_>) {
                $( self.$field.settle(stage, around); )*
            }
            pub fn report(&mut self, mut tell: impl FnMut(EntityId, &Body, &Report)) {
                $( self.$field.report(&mut tell); )*
            }

            /// The body of an entity.
            pub fn body(&self, entity: &Entity) -> &Body {
                match entity.model { $( ModelName::$field => &self.$field.movers[entity.place as usize].body, )* }
            }

            /// The body of an entity, to be changed.
            pub fn body_mut(&mut self, entity: &Entity) -> &mut Body {
                match entity.model { $( ModelName::$field => &mut self.$field.movers[entity.place as usize].body, )* }
            }

            /// What an entity wants, with what it held before.
            pub fn intent(&self, entity: &Entity) -> &Intent {
                match entity.model { $( ModelName::$field => &self.$field.movers[entity.place as usize].intent, )* }
            }

            /// What an entity wants, to be changed, with what it held before.
            pub fn intent_mut(&mut self, entity: &Entity) -> (&mut Intent, &mut Actions) {
                match entity.model { $( ModelName::$field => {
                    let mover = &mut self.$field.movers[entity.place as usize];
                    (&mut mover.intent, &mut mover.before)
                } )* }
            }

            /// What the phases of this tick hand on for an entity.
            pub fn scratch(&self, entity: &Entity) -> &Scratch {
                match entity.model { $( ModelName::$field => &self.$field.movers[entity.place as usize].scratch, )* }
            }

            /// The same, to be changed.
            pub fn scratch_mut(&mut self, entity: &Entity) -> &mut Scratch {
                match entity.model { $( ModelName::$field => &mut self.$field.movers[entity.place as usize].scratch, )* }
            }

            /// Points an entity's mover at another profile.
            pub fn set_profile(&mut self, entity: &Entity, profile: u32) {
                match entity.model { $( ModelName::$field => self.$field.movers[entity.place as usize].profile = profile, )* }
            }

            /// The model's own word for what an entity is doing.
            pub fn mode(&self, entity: &Entity) -> &'static str {
                match entity.model { $( ModelName::$field => {
                    let mover = &self.$field.movers[entity.place as usize];
                    let word = <$M as Model>::mode(&mover.state, &mover.body);
                    // What checks scripts goes by that list.
                    debug_assert!(<$M as Model>::MODES.contains(&word), "`{word}` is in no list");
                    word
                } )* }
            }

            /// Adds a mover at the end of a lane; returns its place.
            pub fn push(&mut self, model: ModelName, mover: StatelessMover) -> u32 {
                match model { $( ModelName::$field => {
                    self.$field.movers.push(with_state(mover, Default::default()));
                    (self.$field.movers.len() - 1) as u32
                } )* }
            }

            /// Takes a mover out of its lane. The last of the lane takes its place; whose that is
            /// is returned too.
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
                    digest_mover::<$M>(&self.$field.movers[entity.place as usize], digest);
                } )* }
            }

            /// The most bytes of state that an entity takes in any lane, without what the phases of
            /// one tick hand on.
            #[cfg(test)]
            pub fn largest_mover() -> usize {
                [$( std::mem::size_of::<Mover<<$M as Model>::State>>() - std::mem::size_of::<Scratch>(), )*].into_iter().max().unwrap_or(0)
            }
        }
    };
}

for_every_model!(define_lanes);

impl StatelessMover {
    /// A mover for a body that has just come into the world.
    pub fn new(id: EntityId, profile: u32, body: Body) -> Self {
        Self {
            id,
            profile,
            before: Actions::NONE,
            intent: Intent::default(),
            body,
            state: (),
            scratch: Scratch {
                pushed: true,
                ..Scratch::default()
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Entity, Lanes};

    #[test]
    fn an_entity_takes_no_more_than_512_bytes_of_state() {
        let (motion, rest) = (Lanes::largest_mover(), std::mem::size_of::<Entity>());
        assert!(motion + rest <= 512, "{motion} and {rest} bytes");
    }
}
