//! What an entity does in the shown tick, as a plain sentence: `rising at 540 px/s: Space held, 0.06 s left`.

use super::*;
use hangtime_core::models::{HookState, Mode};
use std::fmt::Write as _;

/// Slower than this, a body is at rest, px/s.
const REST: f64 = 0.5;

/// What an entity does in the shown tick, and which keys and windows it depends on. There is a sentence for every tick,
/// also for one in which nothing moves.
pub fn sentence(live: &Live, entity: &Entity) -> String {
    let (world, stage) = (live.world(), &live.revision().stage);
    let view = world.view(stage, entity);
    let held = Held { keys: &live.revision().config.keys, entity, held: world.held(entity) };
    let left = |name: &str| {
        let mut open = world.countdowns(stage, entity).into_iter();
        open.find(|window| window.total.is_some() && &*window.name == name)
            .map(|window| window.left)
    };
    let mut text = motion(&view, stage.level.view, &held, left("hold"));
    if let Some(left) = left("coyote") {
        let _ = write!(text, "; it can still jump for {left:.2} s (coyote_time)");
    }
    if let Some(left) = left("buffer") {
        let _ = write!(text, "; a press of {} waits {left:.2} s for the ground (jump_buffer)", held.name(Action::Jump));
    }
    let pushed = view.external.extend(view.external_z).length();
    if pushed >= REST {
        let _ = write!(text, "; {pushed:.0} px/s of it is external velocity");
    }
    text
}

/// The motion of a body and what it follows from.
fn motion(view: &EntityView, seen: View, held: &Held<'_>, hold: Option<f64>) -> String {
    let vel = view.vel + view.external;
    let rising = match seen {
        View::Side if view.inverted => -vel.y,
        View::Side => vel.y,
        View::Top => view.vel_z + view.external_z,
    };
    if view.hook.state == HookState::Attached && !view.grounded {
        return format!("on its hook at {:.0} px/s: {}", vel.length(), held.directions());
    }
    match view.mode {
        Mode::Wall => return format!("clinging to a wall: {}", held.directions()),
        Mode::Roof => return format!("hanging from a roof: {}", held.directions()),
        _ => {}
    }
    if !view.grounded && view.mode != Mode::Free && view.mode != Mode::Contact {
        return match hold {
            Some(left) => format!("rising at {rising:.0} px/s: {} held, {left:.2} s left", held.name(Action::Jump)),
            None if rising >= REST => format!("rising at {rising:.0} px/s against gravity: {}", held.directions()),
            None if rising <= -REST => format!("falling at {:.0} px/s: {}", -rising, held.directions()),
            None => format!("at the top of its flight: {}", held.directions()),
        };
    }
    let on = match (view.grounded, &*view.solid, &*view.surface) {
        (false, ..) => String::new(),
        (true, "", "") => " on the ground".into(),
        (true, "", surface) => format!(" on {surface}"),
        (true, solid, "") => format!(" on {solid}"),
        (true, solid, surface) => format!(" on {solid} ({surface})"),
    };
    match vel.length() {
        speed if speed < REST => format!("at rest{on}: {}", held.directions()),
        speed => format!("moving {}{on} at {speed:.0} px/s: {}", way(vel.x, vel.y), held.directions()),
    }
}

/// The direction of a velocity, roughly.
fn way(x: f64, y: f64) -> &'static str {
    match (x.abs() >= y.abs(), x > 0.0, y > 0.0) {
        (true, true, _) => "right",
        (true, false, _) => "left",
        (false, _, true) => "up",
        (false, ..) => "down",
    }
}

/// The actions that an entity holds, and the keys for them.
struct Held<'a> {
    keys: &'a KeyMap,
    entity: &'a Entity,
    held: Actions,
}

impl Held<'_> {
    /// The first key for an action, or the action if its script holds it.
    fn name(&self, action: Action) -> String {
        let player = self.entity.player.unwrap_or(0);
        let labels = key_labels(self.keys, KeyUse::Play(player, action));
        match labels.split(", ").next() {
            Some(first) if !first.is_empty() => first.to_string(),
            _ => action.name().to_string(),
        }
    }

    /// The keys for directions that are held.
    fn directions(&self) -> String {
        let ways = [Action::Left, Action::Right, Action::Up, Action::Down];
        let held = ways.into_iter().filter(|way| self.held.has(*way));
        let names: Vec<String> = held.map(|way| self.name(way)).collect();
        if names.is_empty() {
            "no direction is held".into()
        } else {
            format!("{} held", names.join(" and "))
        }
    }
}
