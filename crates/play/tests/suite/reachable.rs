//! What a body can reach: rooms whose answers follow from the physics, and games with scripts.

use crate::folder::{Folder, on_large_stack};
use hangtime_core::sim::Inputs;
use hangtime_game::{Live, Revision};
use hangtime_play::{GoalKind, ReachAnswer, ReachOrder, ReachSearch};
use std::sync::Arc;

/// The numbers of a room: gravity, the speed of a jump, and the running speed, px/s² and px/s.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub gravity: f64,
    pub jump: f64,
    pub run: f64,
}

/// Half the width and height of the body in rooms, px.
pub const HALF: (f64, f64) = (10.0, 19.0);

impl Room {
    /// The room with this number.
    pub fn new(number: u32) -> Self {
        let part = |every: u32| f64::from(number * every % 11) / 10.0;
        Self { gravity: 1500.0 + 2000.0 * part(3), jump: 450.0 + 350.0 * part(5), run: 200.0 + 300.0 * part(7) }
    }

    /// How high a jump rises, px.
    pub fn apex(&self) -> f64 {
        self.jump * self.jump / (2.0 * self.gravity)
    }

    /// How far a running jump carries the center until the feet are this much higher, px. A box leaves the ground and
    /// lands with its last pixel.
    fn reach(&self, higher: f64) -> f64 {
        let falling = (self.jump * self.jump - 2.0 * self.gravity * higher).sqrt();
        self.run * (self.jump + falling) / self.gravity + 2.0 * HALF.0
    }

    /// The level with more tables. The body begins on the line `floor` from -300 to 0. Nothing can be grabbed: all ground is
    /// one-way lines.
    fn open(&self, more: &str) -> Arc<Revision> {
        self.open_for("at = [-150, 19]", more)
    }

    /// The same with the place and other settings of the body itself.
    fn open_for(&self, body: &str, more: &str) -> Arc<Revision> {
        self.open_with("hook_length = 0.0", "", body, more)
    }

    /// The same with more lines of `[platformer]`, and a script whose entities have the variable `left`, if it is not empty.
    pub fn open_with(&self, tuning: &str, script: &str, body: &str, more: &str) -> Arc<Revision> {
        let Self { gravity, jump, run } = self;
        let folder = Folder::empty();
        let line = ground("floor", -300.0, 0.0, 0.0);
        let hero = format!("[[entity]]\nkind = \"hero\"\nname = \"hero\"\nplayer = 1\n{body}\n");
        let level = format!("bounds = [-1500, -900, 3000, 3000]\n{line}{hero}{more}");
        folder.write("levels/level.toml", &level);
        folder.write("config/hangtime.toml", &format!("[simulation]\ngravity = {gravity:?}\n"));
        let scripted = if script.is_empty() {
            ""
        } else {
            "script = \"hero.rhai\"\nvars = { left = 0 }\n"
        };
        folder.write("scripts/hero.rhai", script);
        let kind = format!(
            "{scripted}model = \"platformer\"\nbody = {{ box = [20, 38] }}\n[platformer]\njump_speed = {jump:?}\njump_hold_time = 0.0\n\
             run_speed_min = {run:?}\nrun_speed_max = {run:?}\nair_speed_soft = {run:?}\ncoyote_time = 0.0\n\
             max_fall_speed = 5000.0\n{tuning}\n"
        );
        folder.write("config/entities/hero.toml", &kind);
        let opened = folder.open();
        Arc::new(opened.unwrap_or_else(|wrong| panic!("{}", hangtime_script::render_all(&wrong, false))))
    }
}

/// A one-way line.
pub fn ground(name: &str, from: f64, to: f64, height: f64) -> String {
    format!("[[solid]]\nname = \"{name}\"\none_way = true\npoints = [[{from:?}, {height:?}], [{to:?}, {height:?}]]\n")
}

/// A zone between two corners.
pub fn zone(name: &str, [x, y]: [f64; 2], [right, top]: [f64; 2]) -> String {
    format!(
        "[[zone]]\nname = \"{name}\"\npoints = [[{x:?}, {y:?}], [{right:?}, {y:?}], [{right:?}, {top:?}], [{x:?}, {top:?}]]\n"
    )
}

/// Searches a level for a goal until all is tried.
pub fn search(revision: &Arc<Revision>, goal: &str, ticks: u64, threads: usize) -> ReachSearch {
    let live = Live::new(revision.clone(), 0);
    let order = ReachOrder { must: vec![goal.into()], ..ReachOrder::default() };
    let mut search = ReachSearch::new(revision.clone(), live.world(), &order).expect("a search");
    search.advance(ticks, threads, &|| false);
    search
}

pub fn answer(search: &ReachSearch, goal: &str) -> ReachAnswer {
    let answer = search.answers().find(|(known, ..)| &*known.name == goal);
    answer.unwrap_or_else(|| panic!("no goal {goal}")).1
}

/// Whether the keys of an answer of yes, played with a new game, lead to the goal.
pub fn replays(search: &ReachSearch, revision: &Arc<Revision>, goal: &str) -> bool {
    let (goal, ..) = search.answers().find(|(known, ..)| &*known.name == goal).expect("a goal");
    let mut live = Live::new(revision.clone(), 0);
    for (ticks, input) in search.way(goal).expect("a way") {
        for _ in 0..ticks {
            live.step(&Inputs::of_first(input));
        }
    }
    let hero = live.views().find(|view| &*view.name == "hero").expect("the hero");
    match goal.kind {
        GoalKind::Solid => hero.solid == goal.name,
        _ => hero.zones.contains(&goal.name),
    }
}

/// What a room is about: its tables, and how far its goal is from the limit that follows from the physics.
fn room(number: u32, reachable: bool) -> (Room, String) {
    let room = Room::new(number);
    // From 3 % to 25 % within or beyond the limit.
    let margin = 0.03 + 0.22 * f64::from(number % 7) / 6.0;
    let share = if reachable { 1.0 - margin } else { 1.0 + margin };
    // A jump may begin a tick before the ground ends, and in the first tick without ground: that is time 0 of coyote time.
    let step = room.run / if reachable { -60.0 } else { 60.0 };
    let tables = match number % 5 {
        // A ledge above the floor, as high as the apex.
        0 => ground("goal", -250.0, -100.0, room.apex() * share),
        // A gap, as wide as a running jump.
        1 => ground("goal", (room.reach(0.0) + step) * share, 2000.0, 0.0),
        // A higher ledge beyond a gap.
        2 => {
            let height = 0.5 * room.apex();
            ground("goal", (room.reach(height) + step) * share, 2000.0, height)
        }
        // A zone in the air, as high as the center comes.
        3 => zone("goal", [-260.0, (room.apex() + HALF.1) * share], [-60.0, 2000.0]),
        // A ledge that only another one leads to, which is too high or not.
        _ => {
            let (low, high) = (0.8 * room.apex(), 0.8 * room.apex() + room.apex() * share);
            [ground("ledge", -250.0, -100.0, low), ground("goal", -250.0, -100.0, high)].concat()
        }
    };
    (room, tables)
}

#[test]
fn rooms_have_the_answers_that_follow_from_the_kinematics() {
    on_large_stack(|| {
        let mut unknown = 0;
        for number in 0..20 {
            for reachable in [true, false] {
                let (room, tables) = room(number, reachable);
                let revision = room.open(&tables);
                let search = search(&revision, "goal", 400_000, 2);
                let what = format!("room {number}, {room:?}, {tables}");
                match answer(&search, "goal") {
                    ReachAnswer::Yes { .. } => {
                        assert!(reachable, "wrong yes: {what}");
                        assert!(replays(&search, &revision, "goal"), "does not replay: {what}");
                    }
                    ReachAnswer::No => assert!(!reachable, "wrong no: {what}"),
                    ReachAnswer::Unknown => unknown += 1,
                }
            }
        }
        assert!(unknown <= 2, "{unknown} rooms of 40 are unknown");
    });
}

#[test]
fn the_answer_does_not_depend_on_the_number_of_threads() {
    on_large_stack(|| {
        let (room, tables) = room(4, true);
        let revision = room.open(&tables);
        let found = [1, 3].map(|threads| {
            let search = search(&revision, "nowhere.toml", 100_000, threads);
            let ways = search.answers().map(|(goal, answer, miss)| {
                let distance = miss.map(|miss| (miss.distance.to_bits(), miss.at.to_array().map(f64::to_bits)));
                (goal.clone(), answer, search.way(goal), distance)
            });
            (ways.collect::<Vec<_>>(), search.ticks(), search.places())
        });
        assert_eq!(found[0], found[1]);
    });
}

#[test]
fn a_search_that_is_continued_finds_the_same_as_one_in_one_go() {
    on_large_stack(|| {
        let (room, tables) = room(2, false);
        let revision = room.open(&tables);
        let whole = search(&revision, "goal", 400_000, 1);
        let mut parts = search(&revision, "goal", 3_000, 1);
        assert_eq!(answer(&parts, "goal"), ReachAnswer::Unknown);
        while !parts.is_done() {
            parts.advance(3_000, 2, &|| false);
        }
        assert_eq!(answer(&parts, "goal"), ReachAnswer::No);
        assert_eq!((parts.ticks(), parts.places()), (whole.ticks(), whole.places()));
    });
}

#[test]
fn a_ledge_that_is_too_high_is_missed_by_what_the_apex_lacks() {
    on_large_stack(|| {
        let room = Room { gravity: 2000.0, jump: 600.0, run: 300.0 };
        // A body of the kind's size, and one with a size in the level, which the kind does not have.
        for half in [HALF.1, 49.0] {
            let body = format!("at = [-150, {half}]\nbody = {{ box = [20, {}] }}", 2.0 * half);
            // The apex is 90 px above the floor.
            let revision = room.open_for(&body, &ground("goal", -250.0, -50.0, 100.0));
            let search = search(&revision, "goal", 400_000, 1);
            let (.., miss) = search.answers().find(|(goal, ..)| &*goal.name == "goal").expect("a goal");
            let miss = miss.expect("a miss").distance;
            // A tick at the top may be half a tick before or after it.
            let off = 0.5 * room.gravity * (0.5_f64 / 60.0).powi(2);
            assert!((10.0 - 1e-6..=10.0 + off + 1e-6).contains(&miss), "{miss}");
        }
    });
}
