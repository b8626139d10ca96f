//! Rooms with scripts, hooks, doors and lifts, whose answers follow from the physics.

use crate::{
    folder::on_large_stack,
    reachable::{HALF, Room, answer, ground, replays, search, zone},
};
use hangtime_game::Revision;
use hangtime_play::{ReachAnswer, ReachSearch};
use std::sync::Arc;

/// A solid between two corners, with more of its keys.
fn block(name: &str, [x, y]: [f64; 2], [right, top]: [f64; 2], more: &str) -> String {
    format!(
        "[[solid]]\nname = \"{name}\"\npoints = [[{x:?}, {y:?}], [{right:?}, {y:?}], [{right:?}, {top:?}], [{x:?}, {top:?}]]\n{more}\n"
    )
}

/// A closed box around the floor, with more keys of its right wall; without one, it is open there.
fn closed(right: Option<&str>) -> String {
    let [left, roof] =
        [block("left", [-330.0, -400.0], [-300.0, 800.0], ""), block("roof", [-330.0, 800.0], [30.0, 830.0], "")];
    let right = right.map(|more| block("right", [0.0, -400.0], [30.0, 800.0], more)).unwrap_or_default();
    [left, roof, right, block("bottom", [-330.0, -430.0], [30.0, -400.0], "")].concat()
}

/// The ground below the floor line, which nothing falls through.
fn slab() -> String {
    block("slab", [-300.0, -30.0], [0.0, -1.0], "")
}

/// Never grabs, so that no wall is climbed.
const NO_GRAB: &str = "fn can_grab(me, hit) { false }\n";

const DOUBLE_JUMP: &str = "fn on_land(me) { this.left = 1; }\n\
    fn on_tick(me) { if me.mode == \"air\" && me.pressed(\"jump\") && this.left > 0 { this.left -= 1; me.jump(); } }\n";

const DOOR: &str = "fn on_enter(me, event) { if event.zone == \"plate\" { world::set_solid(\"right\", false); } }\n";

/// How fast lifts are, px/s.
const LIFT: f64 = 60.0;

/// A room of a kind, in which the goal is reachable or not.
fn room(number: u32, reachable: bool) -> Arc<Revision> {
    let room = Room::new(number);
    let margin = 0.12 + 0.2 * f64::from(number % 5) / 4.0;
    let share = if reachable { 1.0 - margin } else { 1.0 + margin };
    let (apex, body) = (room.apex(), "at = [-150, 19]");
    let no_hook = "hook_length = 0.0";
    match number % 7 {
        // A goal next to a box, which is closed or not.
        0 => {
            let right = if reachable { None } else { Some("") };
            let goal = zone("goal", [60.0, -800.0], [2000.0, 300.0]);
            room.open_with(no_hook, "", body, &[closed(right), slab(), goal].concat())
        }
        // A goal below a floor that is one-way or not.
        1 => {
            let under = if reachable { String::new() } else { slab() };
            let goal = zone("goal", [-250.0, -350.0], [-50.0, -200.0]);
            room.open_with(no_hook, "", body, &[closed(Some("")), under, goal].concat())
        }
        // A ledge as high as a double jump.
        2 => room.open_with(no_hook, DOUBLE_JUMP, body, &ground("goal", -250.0, -100.0, 2.0 * apex * share)),
        // A ledge above the apex, next to a wall that is climbed or not.
        3 => {
            let script = if reachable { "" } else { NO_GRAB };
            let wall = block("wall", [0.0, -20.0], [30.0, 3.0 * apex + 100.0], "");
            room.open_with(no_hook, script, body, &[wall, ground("goal", -140.0, -30.0, 2.2 * apex)].concat())
        }
        // The underside of a beam, as high as a hook reaches from the top of a jump.
        4 => {
            let reach = 150.0 + 20.0 * f64::from(number % 4);
            let beam = (HALF.1 + apex + reach) * share;
            let solid = block("beam", [-250.0, beam], [-50.0, beam + 30.0], "");
            let goal = zone("goal", [-250.0, beam - 40.0], [-50.0, beam]);
            room.open_with(&format!("hook_length = {reach:?}"), "", body, &[solid, goal].concat())
        }
        // A door that opens once the center has been as high as the apex.
        5 => {
            let plate = zone("plate", [-250.0, (HALF.1 + apex) * share], [-50.0, 800.0]);
            let goal = zone("goal", [60.0, -800.0], [2000.0, 300.0]);
            let script = [NO_GRAB, DOOR].concat();
            room.open_with(no_hook, &script, body, &[closed(Some("present = true")), slab(), plate, goal].concat())
        }
        // A ledge above a lift. The search jumps from it at least at each 48 px of its way.
        _ => {
            let highest = if reachable {
                168.0 + apex * share
            } else {
                192.0 + (room.jump + LIFT).powi(2) / (2.0 * room.gravity) * share
            };
            let path = format!("path = {{ points = [[0, 0], [0, 192]], speed = {LIFT:?} }}");
            let lift = block("lift", [1.0, -30.0], [110.0, 0.0], &path);
            room.open_with(no_hook, NO_GRAB, body, &[lift, ground("goal", 0.0, 120.0, highest)].concat())
        }
    }
}

#[test]
fn rooms_with_scripts_and_machines_have_the_answers_that_follow_from_the_physics() {
    on_large_stack(|| {
        let mut unknown = Vec::new();
        for number in 0..21 {
            for reachable in [true, false] {
                let revision = room(number, reachable);
                let search = search(&revision, "goal", 1_000_000, 2);
                assert!(
                    search.fault().is_none(),
                    "room {number}: {}",
                    search.fault().expect("a fault").diagnostic.headline()
                );
                let what = format!("room {number} of kind {}, {:?}", number % 7, Room::new(number));
                match answer(&search, "goal") {
                    ReachAnswer::Yes { .. } => {
                        assert!(reachable, "wrong yes: {what}");
                        assert!(is_proven(&search, &revision), "does not replay: {what}");
                    }
                    ReachAnswer::No if !reachable => {}
                    ReachAnswer::No => unknown.push(format!("wrong no: {what}")),
                    ReachAnswer::Unknown => unknown.push(what),
                }
            }
        }
        assert!(unknown.len() <= 2, "{unknown:#?}");
    });
}

/// Whether the keys lead to the goal in the search's own world, and in a new game.
fn is_proven(search: &ReachSearch, revision: &Arc<Revision>) -> bool {
    let (goal, ..) = search.answers().find(|(goal, ..)| &*goal.name == "goal").expect("a goal");
    search.proves(&search.way(goal).expect("a way"), goal) && replays(search, revision, "goal")
}
