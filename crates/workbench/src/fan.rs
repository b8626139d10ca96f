//! The fan: what could happen from the shown tick. A family of simple inputs is played ahead under the present numbers, in the
//! background, and drawn as faint paths with the places where they land.

use super::*;
use hangtime_core::{geometry::turned, sim::PlayerInput};

/// How far ahead, seconds.
const FAN_SECONDS: f64 = 1.0;

/// When jumps begin, in sixtieths of a second from now, and how long their key is held, seconds.
const STARTS: std::ops::RangeInclusive<u32> = 0..=12;
const HOLDS: [f64; 4] = [0.02, 0.08, 0.16, FAN_SECONDS];

/// How long a direction is held where bodies move in all directions, seconds.
const PUSHES: [f64; 3] = [0.1, 0.3, FAN_SECONDS];

/// How far from the aim the hook is fired, in steps of this angle, radians.
const HOOKS: std::ops::RangeInclusive<i32> = -3..=3;
const HOOK_STEP: f64 = 0.1;

/// The most ticks of bodies that are played for a fan. Where there are more bodies, fewer inputs are tried; with fewer than
/// [`FEWEST`], there is no fan.
const MOST_BODY_TICKS: usize = 1_500_000;
const FEWEST: usize = 12;

/// One input of the family: what a player holds from the shown tick on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FanKeys {
    /// The direction keys: -1, 0 or 1 for each axis.
    pub way: [i8; 2],
    /// For how many ticks they are held.
    pub way_ticks: u64,
    /// In how many ticks the jump key goes down, and for how many ticks it is held.
    pub jump: Option<(u64, u64)>,
    /// Where the hook is fired at, px; its key stays down.
    pub hook: Option<DVec2>,
}

impl FanKeys {
    /// What is held in a tick, counted from the shown one.
    pub fn input(&self, tick: u64, aim: Option<DVec2>) -> PlayerInput {
        let ways = [(self.way[0], Action::Left, Action::Right), (self.way[1], Action::Down, Action::Up)];
        let ways = ways.into_iter().filter(|_| tick < self.way_ticks);
        let ways = ways.filter_map(|(way, back, forth)| match way {
            0 => None,
            _ => Some(if way < 0 { back } else { forth }),
        });
        let jumps = self.jump.is_some_and(|(start, held)| (start..start.saturating_add(held)).contains(&tick));
        let others = [(jumps, Action::Jump), (self.hook.is_some(), Action::Hook)];
        let others = others.into_iter().filter_map(|(held, action)| held.then_some(action));
        PlayerInput { held: ways.chain(others).collect(), aim: self.hook.or(aim), ..PlayerInput::default() }
    }

    /// Whether a key goes down after this tick.
    fn presses_after(&self, tick: u64) -> bool {
        self.jump.is_some_and(|(start, _)| start > tick)
    }
}

/// The path of one input.
#[derive(Clone, Debug, PartialEq)]
pub struct FanPath {
    /// The input.
    pub keys: FanKeys,
    /// The centers of the body at the shown tick and after each one, px. It ends where the body has landed.
    pub path: Vec<DVec2>,
    /// Whether it ends because the body has landed.
    pub lands: bool,
}

/// What a fan begins with.
#[derive(Clone)]
pub struct FanStart {
    /// The revision of the world.
    pub before: Arc<Revision>,
    /// The world.
    pub world: Arc<World>,
    /// The revision under which it is played.
    pub revision: Arc<Revision>,
    /// The entity, which a player controls.
    pub picked: PickedEntity,
    /// What the player aims at, px.
    pub aim: Option<DVec2>,
}

impl FanStart {
    /// The paths of all inputs, without those that are the same; `None` if it was canceled. Must run on a thread with a stack
    /// for scripts.
    pub fn play(&self, canceled: &AtomicBool) -> Option<Vec<FanPath>> {
        let mut live = Live::resume(self.before.clone(), World::clone(&self.world));
        if !Arc::ptr_eq(&self.before, &self.revision) {
            live.adopt(self.revision.clone());
        }
        let Some(entity) = self.picked.index_in(live.world()).map(|index| &live.world().entities()[index]) else {
            return Some(Vec::new());
        };
        let Some(player) = entity.player else { return Some(Vec::new()) };
        let at = live.world().body(entity).pos;
        let family = self.family(at);
        let mut branches = Branches { start: self, player, canceled, done: Vec::new() };
        branches.grow(&mut live, 0, &family.iter().collect::<Vec<_>>(), &mut vec![at])?;
        let mut paths: Vec<FanPath> = Vec::new();
        for path in branches.done {
            if !paths.iter().any(|other| other.path == path.path) {
                paths.push(path);
            }
        }
        Some(paths)
    }

    fn ticks(&self) -> u64 {
        (FAN_SECONDS * f64::from(self.revision.stage.hz)).ceil() as u64
    }

    /// The inputs that are tried.
    fn family(&self, at: DVec2) -> Vec<FanKeys> {
        let (stage, all) = (&self.revision.stage, self.ticks());
        let ticks = |seconds: f64| ((seconds * f64::from(stage.hz)).round() as u64).max(1);
        let starts = STARTS.map(|start| (f64::from(start) / 60.0 * f64::from(stage.hz)).round() as u64);
        let mut family: Vec<FanKeys> = Vec::new();
        let ways = (-1..=1).flat_map(|x| (-1..=1).map(move |y| [x, y]));
        if stage.level.view == View::Side {
            let jumps = starts.flat_map(|start| HOLDS.map(|held| Some((start, ticks(held)))));
            let jumps: Vec<_> = std::iter::once(None).chain(jumps).collect();
            for way in [-1, 0, 1] {
                let keys = FanKeys { way: [way, 0], way_ticks: all, ..FanKeys::default() };
                family.extend(jumps.iter().map(|jump| FanKeys { jump: *jump, ..keys.clone() }));
                let aims = self.aim.into_iter().flat_map(|aim| HOOKS.map(move |step| rotated_around(at, aim, step)));
                family.extend(aims.map(|aim| FanKeys { hook: Some(aim), ..keys.clone() }));
            }
            // Up and down steer some bodies.
            let ways = ways.filter(|way| way[1] != 0).flat_map(|way| PUSHES.map(|push| (way, push)));
            family.extend(ways.map(|(way, push)| FanKeys { way, way_ticks: ticks(push), ..FanKeys::default() }));
        } else {
            for (way, push) in ways.flat_map(|way| PUSHES.map(|push| (way, push))) {
                for jump in [None, Some((0, ticks(HOLDS[2])))] {
                    family.push(FanKeys { way, way_ticks: ticks(push), jump, hook: None });
                }
            }
        }
        let work = family.len() * all as usize * self.world.entities().len();
        let thinned = work.div_ceil(MOST_BODY_TICKS).max(1);
        let left: Vec<_> = family.into_iter().step_by(thinned).collect();
        if thinned > 1 && left.len() < FEWEST { Vec::new() } else { left }
    }
}

/// A point turned around a center by some steps.
fn rotated_around(center: DVec2, point: DVec2, steps: i32) -> DVec2 {
    let angle = f64::from(steps) * HOOK_STEP;
    center + turned(DVec2::new(libm::cos(angle), libm::sin(angle)), point - center)
}

/// Plays inputs that begin alike as one, until they differ.
struct Branches<'a> {
    start: &'a FanStart,
    /// The player, counted from 1.
    player: u8,
    canceled: &'a AtomicBool,
    done: Vec<FanPath>,
}

impl Branches<'_> {
    /// Plays on from a tick; `path` is the way to there, and stays as it is. `None` if it was canceled.
    fn grow(&mut self, live: &mut Live, tick: u64, family: &[&FanKeys], path: &mut Vec<DVec2>) -> Option<()> {
        let mut groups: Vec<(PlayerInput, Vec<&FanKeys>)> = Vec::new();
        for keys in family {
            let input = keys.input(tick, self.start.aim);
            match groups.iter_mut().find(|(other, _)| *other == input) {
                Some((_, group)) => group.push(keys),
                None => groups.push((input, vec![keys])),
            }
        }
        let world = (groups.len() > 1).then(|| live.world().clone());
        for (number, (input, group)) in groups.iter().enumerate() {
            if let (Some(world), true) = (&world, number > 0) {
                live.restore(world.clone());
            }
            let length = path.len();
            self.follow(live, tick, *input, group, path)?;
            path.truncate(length);
        }
        Some(())
    }

    /// Makes the tick of a group, and the ticks after it.
    fn follow(
        &mut self,
        live: &mut Live,
        tick: u64,
        input: PlayerInput,
        group: &[&FanKeys],
        path: &mut Vec<DVec2>,
    ) -> Option<()> {
        if self.canceled.load(Ordering::Relaxed) {
            return None;
        }
        let stood = self.body(live).is_some_and(|(_, stands)| stands);
        let mut inputs = Inputs::none();
        *inputs.player_mut(self.player) = input;
        live.step(&inputs);
        let body = self.body(live);
        path.extend(body.map(|(at, _)| at));
        let stands = body.is_some_and(|(_, stands)| stands);
        let lands = stands && !stood && !group.iter().any(|keys| keys.presses_after(tick));
        if body.is_some() && !lands && tick + 1 < self.start.ticks() {
            return self.grow(live, tick + 1, group, path);
        }
        self.done.push(FanPath { keys: group[0].clone(), path: path.clone(), lands });
        Some(())
    }

    /// Where the body is, and whether it stands.
    fn body(&self, live: &Live) -> Option<(DVec2, bool)> {
        let world = live.world();
        let body = world.body(&world.entities()[self.start.picked.index_in(world)?]);
        Some((body.pos, body.stands()))
    }
}

/// The fan over the game, and the thread that plays it.
#[derive(Default)]
pub struct Fan {
    open: bool,
    /// Whether what the paths are about has changed since the last thread was started.
    stale: bool,
    /// What the last thread was started with.
    start: Option<FanStart>,
    paths: Vec<FanPath>,
    picture: Arc<FanPicture>,
    job: Option<BackgroundJob<Vec<FanPath>>>,
}

impl Fan {
    /// Opens or closes it.
    pub fn toggle(&mut self) {
        *self = Self { open: !self.open, stale: true, ..Self::default() };
    }

    pub fn is_open(&self) -> bool {
        self.open
    }

    pub fn is_running(&self) -> bool {
        self.open && (self.stale || self.job.is_some())
    }

    pub fn paths(&self) -> &[FanPath] {
        &self.paths
    }

    pub fn picture(&self) -> &Arc<FanPicture> {
        &self.picture
    }

    /// Follows the shown tick, which may have `moved`. Returns whether the paths are others now.
    pub fn follow(&mut self, line: &PlayedLine, moved: bool, aim: Option<DVec2>) -> bool {
        if !self.open {
            return false;
        }
        let aim = aim.map(DVec2::round);
        let is_new = |start: &FanStart| {
            !Arc::ptr_eq(&start.revision, line.latest()) || Some(&start.picked) != line.picked() || start.aim != aim
        };
        // In a level without entities there is nothing to start.
        self.stale |= moved || line.picked().is_some() && self.start.as_ref().is_none_or(is_new);
        let found = self.poll();
        if self.stale && self.job.is_none() {
            self.stale = false;
            self.start = line.picked().map(|picked| FanStart {
                before: line.live.revision().clone(),
                world: line.shared_world(),
                revision: line.latest().clone(),
                picked: picked.clone(),
                aim,
            });
            self.job = self.start.clone().and_then(|start| {
                let play = BackgroundJob::start("fan", move |post, canceled| {
                    // The window may have been closed.
                    let _ = start.play(canceled).map(|paths| post.send(paths));
                });
                // Without a thread there is no fan, and the game runs on.
                play.ok()
            });
        }
        found
    }

    fn poll(&mut self) -> bool {
        let Some(job) = &self.job else { return false };
        match job.poll() {
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => self.paths.clear(),
            Ok(paths) => self.paths = paths,
        }
        self.job = None;
        let landings = self.paths.iter().filter(|path| path.lands).filter_map(|path| path.path.last().copied());
        let paths = self.paths.iter().map(|path| path.path.clone()).collect();
        self.picture = Arc::new(FanPicture { paths, landings: landings.collect() });
        true
    }
}
