//! The worlds of the program that calls, by their numbers.

use super::*;
use parking_lot::Mutex;

/// A world, by its number. 0 is never one.
pub type HangtimeWorld = u64;

/// What a player does. All zeros are a player who does nothing.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HangtimeInput {
    /// The actions that are held: bits of `hangtime_action`.
    pub held: u32,
    /// Actions that were pressed since the last step, even if they are no longer held. What is held need not be here: the
    /// world knows what was held before.
    pub pressed: u32,
    /// The stick, -1 to 1 on each axis.
    pub stick: [f64; 2],
    /// The point that is aimed at, px, if `aims` is not 0.
    pub aim: [f64; 2],
    /// Whether `aim` counts.
    pub aims: u32,
}

/// The numbers of an entity. Lengths are px, times are seconds, angles are radians counterclockwise, and y points up.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HangtimeView {
    /// From 1, unique in a world.
    pub id: u32,
    /// The player who controls it, counted from 1; 0 for none.
    pub player: u32,
    /// The center; in a top view, the third number is the height of the feet.
    pub pos: [f64; 3],
    /// The velocity of its model.
    pub vel: [f64; 3],
    /// The velocity that others have given it.
    pub external: [f64; 3],
    /// The full width and height of its body, at angle 0.
    pub size: [f64; 2],
    /// Its angle.
    pub angle: f64,
    /// Its angular velocity.
    pub spin: f64,
    /// 1 toward +x, -1 toward -x.
    pub facing: i32,
    /// 1 on the ground, otherwise 0.
    pub grounded: u32,
}

/// The events that are kept from one step.
const MOST_EVENTS: usize = 100_000;

/// A world with what happened in its last step.
pub struct PlayedWorld {
    pub world: ServedWorld,
    events: Vec<Event>,
    printed: RecordedPrints,
    faults: FaultQueue,
}

/// A world that has failed is `None`.
type LockedWorld = Arc<Mutex<Option<PlayedWorld>>>;

/// All worlds, and the number of the last that was added.
static WORLDS: Mutex<(HangtimeWorld, BTreeMap<HangtimeWorld, LockedWorld>)> = Mutex::new((0, BTreeMap::new()));

/// Adds a world.
pub fn add(world: PlayedWorld) -> HangtimeWorld {
    let (last, worlds) = &mut *WORLDS.lock();
    *last += 1;
    worlds.insert(*last, Arc::new(Mutex::new(Some(world))));
    *last
}

/// Takes a world out. If another thread is using it, it is freed once that is done.
pub fn remove(world: HangtimeWorld) -> Result<(), Problem> {
    let removed = WORLDS.lock().1.remove(&world);
    // Not while all worlds are locked: it may take a moment.
    removed.map(drop).ok_or_else(|| missing(world))
}

/// Does something with a world, one thread at a time. If that panics, the world ends.
pub fn change<R>(
    world: HangtimeWorld,
    work: impl FnOnce(&mut PlayedWorld) -> Result<R, Problem>,
) -> Result<R, Problem> {
    let found = WORLDS.lock().1.get(&world).cloned();
    let shared = found.ok_or_else(|| missing(world))?;
    let mut guard = shared.lock();
    let Some(played) = &mut *guard else {
        let text = "this world has failed before and has ended".into();
        return Err(Problem { status: HangtimeStatus::Failed, text });
    };
    catch_unwind(AssertUnwindSafe(|| work(played))).unwrap_or_else(|panic| {
        *guard = None;
        Err(Problem::panic(&*panic))
    })
}

fn missing(world: HangtimeWorld) -> Problem {
    let text = match world {
        0 => "0 is not a world: was the result of `hangtime_open` looked at?".into(),
        world if world <= WORLDS.lock().0 => format!("world {world} has been freed"),
        world => format!("there is no world {world}"),
    };
    Problem { status: HangtimeStatus::World, text }
}

impl PlayedWorld {
    pub fn new(world: ServedWorld) -> Self {
        Self { world, events: Vec::new(), printed: RecordedPrints::default(), faults: FaultQueue::default() }
    }

    pub fn action(&self, name: &str) -> Result<u32, Problem> {
        let known = &self.world.live().revision().stage.actions;
        match known.parse(name) {
            Some(action) => Ok(Actions::from_iter([action]).bits().into()),
            None => {
                let hint = suggestion(name, known.all_names());
                Err(Problem::argument(format!("the game has no action `{name}`{hint}")))
            }
        }
    }

    /// Goes back to a snapshot. What happened in the last step has not happened there.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.world.restore(bytes)?;
        self.events.clear();
        Ok(())
    }

    pub fn step(&mut self, players: &[HangtimeInput], ticks: u64) -> Result<(), Problem> {
        if !players.is_empty() {
            let mut inputs = Inputs::none();
            for (number, player) in (1..).zip(players) {
                *inputs.player_mut(number) = self.input(number, player)?;
            }
            self.world.hold(inputs, ticks);
        }
        self.events.clear();
        (self.printed, self.faults) = Default::default();
        self.world.step(ticks, |live| {
            let room = MOST_EVENTS.saturating_sub(self.events.len());
            self.events.extend(live.world().events().iter().take(room).cloned());
            self.printed.append(live.report().printed.clone());
            self.faults.append(live.report().faults.clone());
            ControlFlow::<()>::Continue(())
        });
        Ok(())
    }

    fn input(&self, player: u8, given: &HangtimeInput) -> Result<PlayerInput, Problem> {
        let wrong = |what: String| Err(Problem::argument(format!("player {player}: {what}")));
        let actions = &self.world.live().revision().stage.actions;
        let known: Vec<Action> = actions.all_names().filter_map(|name| actions.parse(name)).collect();
        let mut sets = [Actions::NONE; 2];
        for ((name, bits), set) in [("held", given.held), ("pressed", given.pressed)].into_iter().zip(&mut sets) {
            let has = |action: &&Action| u32::from(Actions::from_iter([**action]).bits()) & bits != 0;
            *set = known.iter().filter(has).copied().collect();
            if u32::from(set.bits()) != bits {
                return wrong(format!("`{name}` is {bits}, which has bits that are no action of the game"));
            }
        }
        let [stick, aim] = [given.stick, given.aim].map(DVec2::from);
        // NaN is not in the range.
        if !(stick.abs().max_element() <= 1.0 && stick.is_finite()) {
            return wrong(format!("`stick` is {stick}; its numbers must be -1 to 1"));
        }
        let aim = (given.aims != 0).then_some(aim);
        if let Some(aim) = aim.filter(|aim| !aim.is_finite()) {
            return wrong(format!("`aim` is {aim}; its numbers must be finite"));
        }
        let [held, pressed] = sets;
        Ok(PlayerInput { held, pressed, stick, aim })
    }

    pub fn views(&self) -> Vec<HangtimeView> {
        let views = self.world.live().views().map(|view| HangtimeView {
            id: view.id.0,
            player: view.player.into(),
            pos: [view.pos.x, view.pos.y, view.z],
            vel: [view.vel.x, view.vel.y, view.vel_z],
            external: [view.external.x, view.external.y, view.external_z],
            size: (2.0 * view.half).into(),
            angle: view.angle,
            spin: view.spin,
            facing: view.facing as i32,
            grounded: view.grounded.into(),
        });
        views.collect()
    }

    pub fn find(&self, name: &str) -> Result<u32, Problem> {
        let world = self.world.live().world();
        let found = world.entity(name).map(|entity| entity.id.0);
        found.ok_or_else(|| {
            let hint = suggestion(name, world.entities().iter().map(|entity| &*entity.name));
            Problem::argument(format!("there is no entity `{name}`{hint}"))
        })
    }

    pub fn entity(&self, id: u32) -> Result<String, Problem> {
        let live = self.world.live();
        let found = live.world().entities().iter().find(|entity| entity.id.0 == id);
        let entity = found.ok_or_else(|| Problem::argument(format!("there is no entity with the id {id}")))?;
        json(&EntityLine::new(live, entity, None))
    }

    pub fn line(&self) -> Result<String, Problem> {
        let (live, world) = (self.world.live(), self.world.live().world());
        let entities = world.entities().iter().map(|entity| EntityLine::new(live, entity, None));
        json(&TickLine::new(live, entities.collect(), world.events().iter()))
    }

    pub fn scene(&self) -> Result<String, Problem> {
        json(&scene_of(self.world.live()).answer(None))
    }

    pub fn events(&self) -> Result<String, Problem> {
        json(&self.events.iter().map(EventLine).collect::<Vec<_>>())
    }

    pub fn messages(&self) -> String {
        let more = |count: u64| (count > 0).then(|| format!("… and {count} more"));
        let printed = self.printed.lines.iter().cloned().chain(more(self.printed.left_out));
        let faults = self.faults.first.iter().map(|fault| fault.render(false));
        printed.chain(faults).chain(more(self.faults.left_out)).collect::<Vec<_>>().join("\n")
    }
}

fn json(value: &impl serde::Serialize) -> Result<String, Problem> {
    serde_json::to_string(value).map_err(|error| Problem { status: HangtimeStatus::Failed, text: error.to_string() })
}

#[cfg(test)]
#[path = "../tests/unit/worlds.rs"]
mod tests;
