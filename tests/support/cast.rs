//! Several entities on a stage, with commands for them.

use crate::ground::Ground;
use glam::DVec2;
use hangtime_core::{
    level::Carries,
    models::{BodyShape, Loadouts, ModelName},
    sim::{
        Command, Decision, EntityView, Event, Inputs, Invocation, PlayerInput, Profile, Rules, Scene, ScriptId, Stage,
        Start, World,
    },
};
use std::sync::Arc;

/// An entity of the cast.
#[derive(Clone)]
pub struct Member {
    pub name: &'static str,
    pub model: ModelName,
    pub figure: BodyShape,
    pub at: DVec2,
    pub z: f64,
    pub angle: f64,
    pub velocity: DVec2,
    pub pushes: bool,
    pub mass: f64,
    pub carries: Carries,
}

impl Member {
    pub fn new(name: &'static str, model: ModelName, figure: impl Into<BodyShape>, at: DVec2) -> Self {
        Self {
            name,
            model,
            figure: figure.into(),
            at,
            z: 0.0,
            angle: 0.0,
            velocity: DVec2::ZERO,
            pushes: false,
            mass: 1.0,
            carries: Carries::Nothing,
        }
    }
}

/// Commands for the next tick, by the index of the entity.
#[derive(Default)]
pub struct Orders(pub Vec<(usize, Command)>);

impl Rules for Orders {
    fn decide(&mut self, _scene: &Scene<'_>, _invocations: &mut [Invocation], decisions: &mut [Decision]) {
        for (index, command) in self.0.drain(..) {
            decisions[index].commands.push(command);
        }
    }
}

/// The entities on their stage.
pub struct Cast {
    pub stage: Stage,
    pub world: World,
    pub events: Vec<Event>,
    pub orders: Orders,
    pub input: PlayerInput,
}

/// The stage of a ground with these members in place of its hero. All follow commands.
pub fn stage_of(ground: &Ground, members: &[Member]) -> Stage {
    let mut stage = ground.stage();
    let profile = |member: &Member| Profile {
        script: Some(ScriptId(0)),
        pushes: member.pushes,
        mass: member.mass,
        carries: member.carries,
        stances: ground.stances.iter().cloned().collect(),
        ..Profile::new("member", member.model, Loadouts::new(ground.tunings.clone(), |_| member.figure.clone()))
    };
    let start = |(i, member): (usize, &Member)| Start {
        z: member.z,
        angle: member.angle,
        velocity: member.velocity,
        player: Some(1),
        ..Start::new(member.name, i, member.at)
    };
    stage.profiles = Arc::new(members.iter().map(profile).collect());
    stage.starts = Arc::new(members.iter().enumerate().map(start).collect());
    stage
}

impl Cast {
    pub fn new(ground: &Ground, members: &[Member]) -> Self {
        let stage = stage_of(ground, members);
        let world = World::new(&stage, 0);
        Self { events: world.events().to_vec(), stage, world, orders: Orders::default(), input: PlayerInput::default() }
    }

    /// The same with a player for the member named `hero` alone.
    pub fn led(ground: &Ground, members: &[Member]) -> Self {
        let mut cast = Self::new(ground, members);
        for start in Arc::make_mut(&mut cast.stage.starts) {
            start.player = (&*start.name == "hero").then_some(1);
        }
        cast.world = World::new(&cast.stage, 0);
        cast
    }

    pub fn order(&mut self, who: usize, command: Command) {
        self.orders.0.push((who, command));
    }

    pub fn tick(&mut self) {
        let inputs = Inputs::of_first(self.input);
        self.world.tick(&self.stage, &inputs, &mut self.orders);
        self.events.extend(self.world.events().iter().cloned());
    }

    pub fn run(&mut self, seconds: f64) {
        let ticks = (seconds * f64::from(self.stage.hz)).round() as usize;
        (0..ticks).for_each(|_| self.tick());
    }

    pub fn view(&self, who: usize) -> EntityView {
        self.world.view(&self.stage, &self.world.entities()[who])
    }

    /// How often the entity of this name received this event.
    pub fn told(&self, name: &str, event: &str) -> usize {
        let is = |e: &&Event| &*e.name == name && e.kind.name() == event;
        self.events.iter().filter(is).count()
    }
}
