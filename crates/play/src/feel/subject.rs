//! A kind under one model, alone in a level that is made for a measurement.

use super::*;
use glam::DVec3;
use hangtime_core::{
    level::{Level, SurfaceId},
    models::{
        Loadouts,
        ballistic::{Aim, PlanWork},
    },
    sim::{Command, Entity, EntityId, EventKind, PlayerInput, Stage, Start},
};
use hangtime_script::ScriptRules;
use std::cell::{Cell, RefCell};

/// Why a number cannot be measured, as the end of a sentence about the kind.
pub type Unmeasured = &'static str;

/// Why a body that falls or slides out of the level has no numbers.
pub const LEAVES: Unmeasured = "leaves the level while it is measured";

/// The most work that all measurements of a kind under one model at one tick rate may take: about
/// the operations of its scripts.
const MOST_WORK: u64 = 40_000_000;

/// The work of an entity's tick, without its script.
const WORK_OF_ENTITY: u64 = 10;

/// A kind under one model at one tick rate.
pub struct FeelSubject {
    revision: Revision,
    model: ModelName,
    /// How steep the ground is, degrees.
    slope: f64,
    work: Cell<u64>,
    fault: RefCell<Option<Fault>>,
}

impl FeelSubject {
    /// The only entity of this revision, under the model that it starts with, on ground of this slope, degrees.
    pub fn new(revision: Revision, model: ModelName, slope: f64) -> Self {
        Self { revision, model, slope, work: Cell::new(0), fault: RefCell::new(None) }
    }

    /// The revision in which it is alone.
    pub fn revision(&self) -> &Revision {
        &self.revision
    }

    /// Ticks per second.
    pub fn hz(&self) -> f64 {
        f64::from(self.revision.stage.hz)
    }

    /// The view in which it is measured.
    pub fn view(&self) -> View {
        self.revision.stage.level.view
    }

    fn loadouts(&self) -> &Loadouts {
        let stage = &self.revision.stage;
        &stage.profiles[stage.starts[0].profile].loadouts
    }

    /// Half the width and half the height of its collider, px.
    pub fn half(&self) -> DVec2 {
        self.loadouts().shape(self.model).half
    }

    /// Whether the body is rigid and turns: none of the numbers is about such bodies.
    pub fn is_rigid(&self) -> bool {
        self.loadouts().pieces(self.model).is_some()
    }

    /// The first script error of all measurements so far.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.borrow().clone()
    }

    /// How steep the ground is on which it runs and stands, degrees; 0 if it is level.
    pub fn slope(&self) -> f64 {
        self.slope
    }

    /// Puts it on straight ground, at tick 0.
    pub fn on_straight_ground(&self) -> FeelRun<'_> {
        self.on(&FeelGround::slope(self.slope))
    }

    /// Puts it on the ground of a measurement, at tick 0.
    pub fn on(&self, ground: &FeelGround) -> FeelRun<'_> {
        let base = &self.revision.stage;
        let surfaces = base.level.surfaces.clone();
        let view = self.view();
        // The level of the files has one solid, of the surface to measure on.
        let surface = base.level.terrain.solids().first().map_or(SurfaceId(0), |solid| solid.surface);
        let solids = ground.solids(view, surface);
        let mut stage = base.clone();
        stage.level = Arc::new(Level::new(&base.level.name, view, solids, surfaces));
        let (at, z) = ground.start(view, self.loadouts().shape(self.model), self.loadouts().depth(self.model, 0.0));
        stage.starts = Arc::new(vec![Start { at, z, ..base.starts[0].clone() }]);
        let mut world = World::new(&stage, 0);
        let id = world.entities()[0].id;
        // The script may prefer another model.
        world.order(&stage, id, &Command::SetModel(self.model));
        let way = way_up(self.slope);
        FeelRun { subject: self, rules: self.revision.scripts.rules(), stage, world, id, zero: ground.zero(view), way }
    }
}

/// Where the body is after a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FeelSample {
    /// Its center, px.
    pub x: f64,
    /// The height of its feet above the ground that it started on, px.
    pub height: f64,
    /// Horizontal velocity, px/s.
    pub speed: f64,
    /// Its place along the ground, px: `x` on level ground.
    pub along: f64,
    /// Velocity along the ground, px/s: `speed` on level ground.
    pub pace: f64,
    /// Vertical velocity, px/s.
    pub rise: f64,
    /// Whether it stands.
    pub stands: bool,
    /// The speed into the ground if it landed in this tick, px/s.
    pub landed: Option<f64>,
}

/// A measurement in progress.
pub struct FeelRun<'s> {
    subject: &'s FeelSubject,
    rules: ScriptRules,
    stage: Stage,
    /// The current state. An earlier one of this run may take its place.
    pub world: World,
    id: EntityId,
    /// The height of the ground that the body starts on.
    zero: f64,
    /// The direction of the ground.
    way: DVec2,
}

impl FeelRun<'_> {
    /// Makes a tick with these keys held.
    pub fn step(&mut self, keys: &[Action]) -> Result<FeelSample, Unmeasured> {
        if is_interrupted() {
            return Err("was interrupted while it was measured");
        }
        let input = PlayerInput { held: keys.iter().copied().collect(), ..PlayerInput::default() };
        let inputs = Inputs::of_first(input);
        self.world.tick(&self.stage, &inputs, &mut self.rules);
        if let Some(fault) = self.rules.take_faults().first.into_iter().next() {
            self.subject.fault.borrow_mut().get_or_insert(fault);
        }
        if self.rules.take_call_difference().is_some() {
            return Err("has a script that does something else when it is compiled");
        }
        let entities = self.world.entities().len() as u64;
        let work = &self.subject.work;
        work.set(work.get() + entities * WORK_OF_ENTITY + self.rules.operations());
        if work.get() > MOST_WORK {
            return Err("takes too much work to measure");
        }
        self.sample()
    }

    fn entity(&self) -> Option<&Entity> {
        self.world.entities().iter().find(|entity| entity.id == self.id)
    }

    /// The state of the body.
    pub fn sample(&self) -> Result<FeelSample, Unmeasured> {
        let entity = self.entity().ok_or("despawns while it is measured")?;
        let flies = entity.model == PlannedJump::MODEL;
        if entity.model != self.subject.model && !flies {
            return Err("changes its model while it is measured");
        }
        let body = self.world.body(entity);
        let (height, rise) = match self.subject.view() {
            View::Side => (body.pos.y - self.subject.loadouts().depth(entity.model, body.angle), body.vel.y),
            View::Top => (body.z, body.vel_z),
        };
        let mut landed = None;
        for event in self.world.events() {
            match event.kind {
                // It is measured straight down, and events have the speed into a slope.
                EventKind::Land { speed, .. } if event.entity == self.id => landed = Some(speed / self.along().x),
                EventKind::FallOut if event.entity == self.id => {
                    return Err(LEAVES);
                }
                _ => {}
            }
        }
        Ok(FeelSample {
            x: body.pos.x,
            height: height - self.zero,
            speed: body.vel.x,
            along: body.pos.dot(self.along()),
            pace: body.vel.dot(self.along()),
            rise,
            stands: body.stands(),
            landed,
        })
    }

    /// The direction to the right along the ground.
    fn along(&self) -> DVec2 {
        match self.subject.view() {
            View::Side => self.way,
            View::Top => DVec2::X,
        }
    }

    /// The distance from a place to the body's lowest point; in a top view from its center, with the
    /// height of its feet.
    pub fn miss(&self, x: f64, height: f64) -> Result<f64, Unmeasured> {
        let at = self.sample()?;
        let side = self.entity().map_or(0.0, |entity| match self.subject.view() {
            View::Side => 0.0,
            View::Top => self.world.body(entity).pos.y,
        });
        Ok(DVec3::new(at.x - x, at.height - height, side).length())
    }

    /// Starts a planned jump to a place on the ground. Returns the time of its flight.
    ///
    /// # Errors
    /// Why the jump is refused.
    pub fn leap(&mut self, x: f64, height: f64, clearance: f64) -> Result<f64, PlanError> {
        let entity = self.entity().ok_or(PlanError::Unreachable)?;
        let view = self.world.view(&self.stage, entity);
        let at = match self.subject.view() {
            View::Side => DVec2::new(x, height + self.zero),
            View::Top => DVec2::new(x, 0.0),
        };
        let aim = Aim { at, clearance, velocity: None };
        let standing = self.world.standing(&self.stage);
        let mut work = PlanWork::up_to(MOST_WORK);
        let (now, profile) = (self.world.ticks(), self.stage.starts[0].profile);
        let plan = self.stage.plan_jump(now, &standing, profile, &view, &aim, &mut work)?;
        let flight = plan.flight;
        let jump = PlannedJump { aim, flight, work: work.done };
        let order = Command::JumpTo(Box::new(jump));
        self.world.order(&self.stage, self.id, &order);
        Ok(flight.time)
    }
}
