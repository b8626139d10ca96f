//! The commands that scripts give.

use super::*;
use crate::{level::CreatedSolid, tuning::MOST};

/// A command that a script gives for its entity. Commands take effect in entity order at the end of
/// the phase.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Sets the model's velocity and, in a top view, its vertical part, px/s.
    SetVelocity(DVec2, f64),
    /// Sets the angle, radians counterclockwise.
    Turn(f64),
    /// Sets the angular velocity, rad/s.
    Spin(f64),
    /// Sets the external velocity and, in a top view, its vertical part, px/s.
    SetExternal(DVec2, f64),
    /// Adds to the external velocity, px/s.
    Push(DVec2),
    /// Adds to the vertical part of the external velocity in a top view, px/s.
    PushZ(f64),
    /// Sets the facing, 1 or −1.
    Face(f64),
    /// Holds an action during this tick.
    Hold(Action),
    /// Releases an action during this tick, even if the player holds it.
    Release(Action),
    /// Moves the stick during this tick.
    Steer(DVec2),
    /// Aims at a point during this tick.
    Aim(DVec2),
    /// Starts a jump, on the ground or in the air.
    Jump,
    /// Lets go of a wall or roof.
    LetGo,
    /// Fires the hook at a point. It holds until it is released.
    FireHook(DVec2),
    /// Releases the hook.
    ReleaseHook,
    /// Starts a planned jump.
    JumpTo(Box<PlannedJump>),
    /// Teleports the center to a point, moved out of solids, and in a top view the feet to a height
    /// if one is given.
    Place(DVec2, Option<f64>),
    /// Sets the entity's own factor for the rate of its time: 0 to [`MOST_SCALE`](crate::level::MOST_SCALE).
    SetTimeScale(f64),
    /// Sets how fast the time of the level passes: 0 to [`MOST_SCALE`](crate::level::MOST_SCALE).
    SetWorldTimeScale(f64),
    /// Sets the model. It takes precedence over the rule `model`.
    SetModel(ModelName),
    /// Undoes [`SetModel`](Self::SetModel).
    ClearModel,
    /// Overrides a tunable of a model for this entity. Name and value have been checked.
    Tune(ModelName, &'static str, Setting),
    /// Removes one override, or all of them.
    Untune(Option<(ModelName, &'static str)>),
    /// Sets the full widths of the body, px; `None` for its kind's. Only between two ticks and before bodies move.
    Resize(Option<DVec2>),
    /// Sets the stance; `None` lets the held actions decide again.
    SetStance(Option<Arc<str>>),
    /// Sets a timer: in this many seconds the entity receives an event with this name.
    /// The data is part of that event.
    After(f64, Arc<str>, Value),
    /// Cancels the timers with this name.
    Cancel(Arc<str>),
    /// Starts a sequence at its beginning, in this tick.
    Start(Arc<WaitPoint>),
    /// Stops the sequence with this name.
    Stop(Arc<str>),
    /// Lets a sequence wait, with what it remembers.
    Wait(Arc<WaitPoint>, Until, Vec<Value>),
    /// Emits an event to all scripts.
    Emit(Arc<str>, Value),
    /// Spawns an entity at the end of the tick.
    Create(Box<Creation>),
    /// Despawns the entity.
    Remove,
    /// Switches a solid on or off. The solid is an index into the level's solids.
    Switch(u32, bool),
    /// Creates a solid whose outline has been checked.
    CreateSolid(Box<CreatedSolid>),
    /// Removes the solids with this name.
    RemoveSolid(Arc<str>),
    /// Breaks the tiles at a point.
    BreakTile(DVec2),
    /// Switches a zone on or off. The zone is an index into the level's zones.
    SwitchZone(u32, bool),
    /// Sends a called platform to a point of its path, or stops it. The solid is an index into the level's solids.
    Call(u32, Option<u32>),
    /// Sends the free platform with this index to an offset from where it is drawn, px.
    MoveSolid(u32, DVec2),
    /// Rotates the solid with this index to an angle, °.
    TurnSolid(u32, f64),
    /// Sets the speed of the platform with this index, px/s.
    SetSpeed(u32, f64),
    /// Starts the level again or plays another one.
    Level(LevelOrder),
    /// Keeps data for the next restart of the level.
    Checkpoint(Value),
    /// Logs a text in traces.
    Note(Arc<str>),
    /// Asks for a route, or asks again.
    FindRoute(Box<RouteOrder>),
    /// Adds a rope or a spring, with its id, whose ends on entities have their names.
    Join(Box<Joint>),
    /// Changes the length of a joint.
    Reel(u32, Reel),
    /// Removes a joint.
    Cut(u32),
    /// Keeps a value beyond the level under a name.
    Keep(Arc<str>, Value),
    /// Changes what is on the screen, which is not part of the state.
    Draw(DrawOrder),
    /// Plays a sound, which is not part of the state.
    Sound(SoundOrder),
    /// The layer with this name gives the commands that follow; `None` is the lowest layer. An entity with
    /// one script gives no such command.
    InLayer(Option<Arc<str>>),
}

/// An entity to spawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Creation {
    /// Its id, which must never have been used.
    pub id: EntityId,
    /// Its name, which must be unique.
    pub name: Arc<str>,
    /// Its profile, an index into [`Stage::profiles`](super::Stage::profiles).
    pub profile: usize,
    /// Its center, px.
    pub at: DVec2,
    /// Height of its feet in a top view, px.
    pub z: f64,
    /// Its velocity, px/s.
    pub velocity: DVec2,
    /// Its upward velocity in a top view, px/s.
    pub vel_z: f64,
    /// Its facing, 1 or −1.
    pub facing: f64,
    /// Script variables that differ from its kind's.
    pub vars: BTreeMap<String, Value>,
}

/// Whether a command makes a body let go of the wall or roof that it holds: an order to do so, or a velocity that does
/// not press it against the wall.
pub fn lets_go(body: &Body, command: &Command) -> bool {
    match (command, body.cling) {
        (Command::LetGo, _) => true,
        (Command::SetVelocity(v, _), Some(cling)) => *v != DVec2::ZERO && v.dot(cling.normal) >= 0.0,
        _ => false,
    }
}

/// Applies a command that sets part of an entity's motion. Returns false for all other commands.
pub fn move_body(lanes: &mut Lanes, entity: &Entity, command: &Command) -> bool {
    let body = lanes.body_mut(entity);
    match *command {
        Command::SetVelocity(v, z) => {
            body.vel = v;
            body.vel_z = z;
        }
        Command::Spin(spin) => body.spin = spin,
        // Adding 0 turns −0 into 0.
        Command::SetExternal(v, z) => (body.external, body.external_z) = (v, z + 0.0),
        Command::Push(v) => {
            body.external = (body.external + v).clamp(DVec2::splat(-MOST), DVec2::splat(MOST));
        }
        Command::PushZ(z) => body.external_z = (body.external_z + z).clamp(-MOST, MOST),
        Command::Turn(angle) => {
            body.angle = angle;
            body.sensed = false;
            return true;
        }
        Command::Face(side) => {
            body.facing = side;
            return true;
        }
        _ => return false,
    }
    lanes.scratch_mut(entity).pushed = true;
    true
}

/// Whether a command changes what an entity intends to do in this tick.
pub fn is_for_intent(command: &Command) -> bool {
    matches!(command, Command::Hold(_) | Command::Release(_) | Command::Steer(_) | Command::Aim(_))
}

/// Applies a command that changes what an entity intends to do. `before` are the actions it held in the
/// previous tick.
pub fn apply_to_intent(intent: &mut Intent, before: Actions, command: &Command) {
    match *command {
        Command::Hold(action) => intent.hold(action, before),
        Command::Release(action) => intent.release(action, before),
        Command::Steer(stick) => intent.stick = stick,
        Command::Aim(point) => intent.aim = Some(point),
        _ => {}
    }
}

/// Starts a jump, on the ground or in the air. `carried` is the velocity of what the entity stands on.
pub fn begin_jump(lanes: &mut Lanes, entity: &Entity, carried: DVec2, now: ClockTick) {
    let stood = lanes.body(entity).stands();
    let free = !lanes.intent(entity).held.has(Action::Jump);
    let body = lanes.body_mut(entity);
    body.ground = None;
    body.floor = None;
    let dropped = body.cling.take().is_some();
    body.jump.begin(now, free);
    if stood {
        body.external += carried;
    }
    lanes.intent_mut(entity).0.order_jump();
    let report = &mut lanes.scratch_mut(entity).report;
    report.jumped = true;
    report.stood |= stood;
    report.dropped |= dropped;
}

/// The velocity at which the ground under a body whose time runs at `rate` carries it in the tick `now`, px/s: platforms and
/// conveyors add up.
pub fn carrier_velocity(
    mut index: usize,
    population: &Population,
    stage: &Stage,
    changes: &LevelChanges,
    now: u64,
    rate: f64,
) -> DVec2 {
    let mut carried = DVec2::ZERO;
    let body_of = |index: usize| population.lanes.body(&population.entities[index]);
    for _ in 0..population.entities.len() {
        let id = body_of(index).ground.and_then(|contact| contact.feature.body());
        let Some(under) = id.and_then(|id| population.index_of(EntityId(id))) else { break };
        index = under;
        carried += body_of(index).vel + body_of(index).external;
    }
    let (entity, body) = (&population.entities[index], body_of(index));
    let terrain = &stage.level.terrain;
    let mut transit = Transit::default();
    transit.step(terrain.platforms(), changes, now, f64::from(stage.hz));
    // It starts when the tick begins.
    let around = stage.surroundings(now, &transit).paced(&BodyClock::default(), rate).during_first();
    let here = around.within(body.pos);
    let around = here.as_ref().unwrap_or(&around);
    if let Some(contact) = body.ground {
        if contact.feature.body().is_some() {
            return carried;
        }
        let shape = entity.shape(&stage.profiles[entity.profile as usize]);
        return carried + around.carrier_velocity(contact.feature, contact.point(shape, body.pos));
    }
    let solid = body.floor.and_then(|floor| floor.solid);
    let platform = solid.and_then(|solid| terrain.platform_of(solid));
    around.platform_velocity(platform, body.pos) + around.air.conveyor
}
