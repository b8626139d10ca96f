//! hangtime for Bevy: a level of a game folder, whose entities are Bevy's.
//!
//! ```no_run
//! use bevy_app::{App, PreUpdate, Update};
//! use bevy_ecs::prelude::*;
//! use hangtime_bevy::{Body, HangtimePlugin, Happened, Player, StepGame};
//! use hangtime_core::models::Action;
//!
//! fn main() {
//!     let mut app = App::new();
//!     app.add_plugins(HangtimePlugin::new(".", "playground"));
//!     app.world_mut().spawn(Player::new(1));
//!     app.add_systems(PreUpdate, steer.before(StepGame)).add_systems(Update, show);
//!     loop {
//!         app.update();
//!     }
//! }
//!
//! fn steer(mut players: Query<&mut Player>) {
//!     for mut player in &mut players {
//!         // All that is held in this frame: a key that is up again is not among it.
//!         player.input.held = [Action::Right].into_iter().collect();
//!     }
//! }
//!
//! fn show(new: Query<&Body, Added<Body>>, mut happened: MessageReader<Happened>) {
//!     for body in &new {
//!         println!("here is a {} at {}", body.kind, body.pos);
//!     }
//!     for Happened(event) in happened.read() {
//!         println!("{}: {}", event.name, event.kind.name());
//!     }
//! }
//! ```
//!
//! In `PreUpdate`, [`StepGame`] makes the ticks that are due, as many as the level has in a second, whatever the rate of
//! frames is. Then each entity of the level has a [`Body`] as of the last tick, and a [`Transform`] between the last two
//! ticks, as far as the frame is. Each tick ends with the same hash as in
//! `hangtime run`.

use bevy_app::{App, First, Plugin, PreUpdate};
use bevy_ecs::{prelude::*, query::QueryState};
use bevy_transform::components::Transform;
use corosensei::stack::DefaultStack;
use hangtime_core::{
    glam::DVec2,
    models::{Actions, Mode, ModelName},
    sim::{EntityId, Event as GameEvent, Inputs, MOST_PLAYERS, PlayerInput},
};
use hangtime_game::{Error, GameFolder, Live, Notice, OtherLevels, Project, Reloader, Revision};
use hangtime_script::{STACK, render_all};
use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// A level of a game folder.
pub struct HangtimePlugin {
    /// The game folder.
    pub folder: PathBuf,
    /// The level, by its name or path.
    pub level: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Whether the game changes while it runs when its files do.
    pub reload: bool,
    /// Whether [`FrameTime`] is measured. Otherwise, some system has to set it.
    pub clock: bool,
}

impl HangtimePlugin {
    /// A level that follows the clock and its files.
    pub fn new(folder: impl Into<PathBuf>, level: impl Into<String>) -> Self {
        Self { folder: folder.into(), level: level.into(), seed: 0, reload: true, clock: true }
    }
}

impl Plugin for HangtimePlugin {
    /// # Panics
    /// If the files have mistakes, with the messages about them.
    fn build(&self, app: &mut App) {
        let game =
            HangtimeGame::open(self).unwrap_or_else(|error| panic!("{}", render_all(&error.diagnostics(), false)));
        app.insert_resource(game)
            .insert_resource(FrameTime(0.0))
            .add_message::<Happened>()
            .add_message::<Reloaded>()
            .add_systems(PreUpdate, step.in_set(StepGame));
        if self.clock {
            app.add_systems(First, measure);
        }
    }
}

/// The system in `PreUpdate` that makes ticks. What systems write has an effect in the same frame only if they run
/// [`before`](IntoScheduleConfigs::before) it, in `PreUpdate`.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub struct StepGame;

/// Seconds since the last frame. 0 is a pause.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct FrameTime(pub f64);

/// A body that moved farther than this in a tick, px, was teleported: it is not shown on its way.
const TELEPORTED: f64 = 200.0;

/// The most seconds of a frame: a program that was away for longer does not catch up.
const LONGEST_FRAME: f64 = 0.25;

fn measure(mut frame: ResMut<FrameTime>, mut last: Local<Option<Instant>>) {
    let now = Instant::now();
    frame.0 = last.map_or(0.0, |last| (now - last).as_secs_f64());
    *last = Some(now);
}

/// Someone who plays: any entity with this component.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// The player, counted from 1, as levels do.
    pub number: u8,
    /// What the player holds. `pressed` is for keys that may be up again before the next tick, which clears it; the world
    /// itself knows what was held before.
    pub input: PlayerInput,
}

impl Player {
    /// A player, counted from 1, who does nothing.
    ///
    /// # Panics
    /// If there cannot be such a player.
    pub fn new(number: u8) -> Self {
        assert!((1..=MOST_PLAYERS).contains(&number), "players are 1 to {MOST_PLAYERS}, not {number}");
        Self { number, input: PlayerInput::default() }
    }
}

/// An entity of the level, as of the last tick. Writing here has no effect: inputs and scripts move bodies.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(Transform)]
pub struct Body {
    /// Its id in the level.
    pub id: EntityId,
    /// Its name, unique in the level.
    pub name: Arc<str>,
    /// Its kind: `config/entities/KIND.toml`.
    pub kind: Arc<str>,
    /// The model that moves it.
    pub model: ModelName,
    /// What it is doing.
    pub mode: Mode,
    /// Its center, px; y points up, as in Bevy.
    pub pos: DVec2,
    /// The height of its feet in a top view, px.
    pub z: f64,
    /// The model's velocity, px/s.
    pub vel: DVec2,
    /// Its angle, radians counterclockwise.
    pub angle: f64,
    /// 1 toward +x, -1 toward -x.
    pub facing: f64,
    /// The center and the angle one tick earlier.
    before: (DVec2, f64),
    /// Its place among the entities of the level.
    place: usize,
}

/// What happened in a tick: a landing, a touch, what scripts emit.
#[derive(Message, Clone, Debug)]
pub struct Happened(pub GameEvent);

/// The files of the game have changed.
#[derive(Message, Clone, Debug)]
pub enum Reloaded {
    /// The game continues under these files, which have changed.
    Files(Vec<String>),
    /// The files have mistakes, and the game continues as it was.
    Mistakes(String),
}

/// The running level.
#[derive(Resource)]
pub struct HangtimeGame {
    folder: GameFolder,
    /// Behind a mutex because Bevy shares resources among threads; nothing ever waits for it. In a box because Bevy moves the
    /// resource in every frame.
    live: Box<Mutex<Live>>,
    reloader: Option<Mutex<Reloader>>,
    stack: DefaultStack,
    /// Seconds that have passed and are not played yet.
    owed: f64,
    /// The entities of the level, by ascending id, and Bevy's.
    bodies: Vec<(EntityId, Entity)>,
}

impl HangtimeGame {
    fn open(plugin: &HangtimePlugin) -> Result<Self, Error> {
        let project = Project::load(plugin.folder.clone())?;
        let level = project.find_level(&plugin.level)?;
        let revision = Arc::new(project.open(&level, &[])?);
        let folder = project.folder().clone();
        let reloader = plugin.reload.then(|| watch(&folder, &revision));
        let live = Box::new(Mutex::new(Live::new(revision, plugin.seed)));
        let stack = DefaultStack::new(STACK).expect("memory for a stack");
        let mut game = Self { folder, live, reloader, stack, owed: 0.0, bodies: Vec::new() };
        game.find_levels();
        Ok(game)
    }

    /// Lets scripts play the other levels as their files are now.
    fn find_levels(&mut self) {
        let settings = self.live().revision().settings.clone();
        let others = OtherLevels::of_game(self.folder.clone(), settings);
        self.live().use_levels(Some(Arc::new(others)));
    }

    /// Reads or changes the running level: its world, views of entities, and what its scripts have reported.
    pub fn live(&mut self) -> &mut Live {
        self.live.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entity of Bevy for an entity of the level.
    pub fn entity(&self, id: EntityId) -> Option<Entity> {
        let place = self.bodies.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.bodies[place].1)
    }

    /// Takes up what the files have become.
    fn reload(&mut self) -> Vec<Reloaded> {
        let Some(reloader) = &mut self.reloader else { return Vec::new() };
        let reloader = reloader.get_mut().unwrap_or_else(PoisonError::into_inner);
        let notices: Vec<Notice> = reloader.notices().collect();
        let mut reloaded = Vec::new();
        for notice in notices {
            match notice {
                Notice::Ready { revision, changed, .. } => {
                    self.live().adopt(revision);
                    self.find_levels();
                    reloaded.push(Reloaded::Files(changed));
                }
                Notice::Broken(mistakes) => reloaded.push(Reloaded::Mistakes(render_all(&mistakes, false))),
                Notice::Reverted => {}
            }
        }
        reloaded
    }

    /// Makes a tick, on a stack that scripts fit into: threads of Bevy have a small one.
    fn tick(&mut self, world: &mut World, inputs: &Inputs) {
        let live = self.live.get_mut().unwrap_or_else(PoisonError::into_inner);
        let before = live.revision().clone();
        corosensei::on_stack(&mut self.stack, || {
            live.step(inputs);
        });
        let revision = live.revision();
        if !Arc::ptr_eq(&before, revision) {
            // A script plays another level, whose entities have the ids of others.
            self.reloader = self.reloader.take().map(|_| watch(&self.folder, revision));
            despawn(world, self.bodies.drain(..));
        }
    }

    /// Gives every entity of the level an entity of Bevy, and despawns those that are gone.
    fn match_entities(&mut self, world: &mut World, bodies: &mut QueryState<(&mut Body, &mut Transform)>) {
        let live = self.live.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut old = std::mem::take(&mut self.bodies).into_iter().peekable();
        for (place, entity) in live.world().entities().iter().enumerate() {
            despawn(world, std::iter::from_fn(|| old.next_if(|(id, _)| *id < entity.id)));
            if let Some(kept) = old.next_if(|(id, _)| *id == entity.id) {
                // The program may have despawned it, which makes no difference to the level.
                if let Ok((mut body, _)) = bodies.get_mut(world, kept.1) {
                    body.place = place;
                }
                self.bodies.push(kept);
                continue;
            }
            let body = live.world().body(entity);
            let new = Body {
                id: entity.id,
                name: entity.name.clone(),
                kind: entity.kind.clone(),
                model: entity.model,
                mode: live.world().mode(entity),
                pos: body.pos,
                z: body.z,
                vel: body.vel,
                angle: body.angle,
                facing: body.facing,
                before: (body.pos, body.angle),
                place,
            };
            self.bodies.push((entity.id, world.spawn(new).id()));
        }
        despawn(world, old);
    }

    /// Whether entities have come or gone since they were matched. New ones have higher ids than all before.
    fn is_stale(&mut self) -> bool {
        let live = self.live.get_mut().unwrap_or_else(PoisonError::into_inner);
        let entities = live.world().entities();
        let last = self.bodies.last().map(|(id, _)| *id);
        entities.len() != self.bodies.len() || entities.last().map(|entity| entity.id) != last
    }

    /// Writes what the last tick has made of the bodies, and where to show them: `part` of the way from the tick before.
    fn show(&mut self, world: &mut World, bodies: &mut QueryState<(&mut Body, &mut Transform)>, part: f64) {
        if self.is_stale() {
            self.match_entities(world, bodies);
        }
        let level = self.live.get_mut().unwrap_or_else(PoisonError::into_inner).world();
        let entities = level.entities();
        let mut has_others = false;
        for (mut shown, mut transform) in bodies.iter_mut(world) {
            let Some(entity) = entities.get(shown.place).filter(|entity| entity.id == shown.id) else {
                // A copy that the program has made of a body that is gone, or the program has restored a world.
                has_others = true;
                continue;
            };
            let body = level.body(entity);
            let shown = &mut *shown;
            shown.before = (shown.pos, shown.angle);
            (shown.pos, shown.z, shown.vel, shown.angle) = (body.pos, body.z, body.vel, body.angle);
            (shown.facing, shown.model, shown.mode) = (body.facing, entity.model, level.mode(entity));
            shown.show(&mut transform, part);
        }
        if has_others {
            self.match_entities(world, bodies);
        }
    }
}

/// Watches the files of a level.
fn watch(folder: &GameFolder, revision: &Revision) -> Mutex<Reloader> {
    let level = folder.path().join(&*revision.stage.level.name);
    Mutex::new(Reloader::new(folder.clone(), level, revision.settings.clone(), revision))
}

fn despawn(world: &mut World, gone: impl Iterator<Item = (EntityId, Entity)>) {
    for (_, entity) in gone {
        // The program may have done so, which makes no difference.
        let _ = world.try_despawn(entity);
    }
}

impl Body {
    /// The depth and the scale of what is drawn are the program's.
    fn show(&self, transform: &mut Transform, part: f64) {
        let (pos, angle) = self.before;
        let part = if pos.distance_squared(self.pos) < TELEPORTED * TELEPORTED {
            part
        } else {
            1.0
        };
        let at = pos.lerp(self.pos, part);
        (transform.translation.x, transform.translation.y) = (at.x as f32, at.y as f32);
        let mut turned = Transform::IDENTITY;
        let angle = (angle + (self.angle - angle) * part) as f32;
        if angle != 0.0 {
            turned.rotate_z(angle);
        }
        transform.rotation = turned.rotation;
    }
}

fn step(
    world: &mut World,
    players: &mut QueryState<&mut Player>,
    bodies: &mut QueryState<(&mut Body, &mut Transform)>,
) {
    world.resource_scope(|world, mut game: Mut<HangtimeGame>| {
        let game = &mut *game;
        for reloaded in game.reload() {
            world.write_message(reloaded);
        }
        let tick = 1.0 / f64::from(game.live().revision().stage.hz);
        game.owed += world.resource::<FrameTime>().0.clamp(0.0, LONGEST_FRAME);
        if game.owed < tick {
            if game.is_stale() {
                game.match_entities(world, bodies);
            }
            let part = game.owed / tick;
            bodies.iter_mut(world).for_each(|(body, mut transform)| body.show(&mut transform, part));
        }
        while game.owed >= tick {
            game.owed -= tick;
            let mut inputs = Inputs::none();
            for mut player in players.iter_mut(world) {
                *inputs.player_mut(player.number.max(1)) = player.input;
                if player.input.pressed != Actions::NONE {
                    player.input.pressed = Actions::NONE;
                }
            }
            game.tick(world, &inputs);
            let events = game.live().world().events();
            if !events.is_empty() {
                world.write_message_batch(events.iter().cloned().map(Happened));
            }
            // Only the last two ticks of a frame are shown.
            if game.owed < 2.0 * tick {
                let part = (game.owed / tick).min(1.0);
                game.show(world, bodies, part);
            }
        }
    });
}
