//! Warns of entities that start where they cannot stay: inside of a solid, or below all of them.

use super::*;
use glam::DVec2;
use hangtime_core::level::{Level, Solid};

/// How far an entity may be moved out of a solid before that is worth a warning, px.
const SLACK: f64 = 2.0;

/// The largest number of entities that a level is warned about. Looking for room around one may take long.
const MOST_REPORTED: usize = 20;

/// Warns of entities that start inside of a solid, and of those that start below all solids under `gravity`.
pub(crate) fn check_places(file: &LevelFile<'_>, roster: &Roster<'_>, gravity: f64, out: &mut Mistakes) {
    // Entities of kinds that do not exist have no start, and a level that is refused may be too dense to look at.
    if file.entities.len() != roster.starts.len() || out.has_errors() {
        return;
    }
    let mut left = MOST_REPORTED;
    let lowest = lowest_solid(&file.level).filter(|_| gravity > 0.0);
    for (entry, start) in file.entities.iter().zip(&roster.starts) {
        if left == 0 || BuildProgress::is_cancelled() {
            return;
        }
        let bounds = file.level.bounds;
        let is_outside = start.at.cmplt(bounds.min).any() || start.at.cmpgt(bounds.max).any();
        let found = inside(&file.level, roster, start).or_else(|| {
            if is_outside {
                return Some("this is outside of the level's `bounds`: the entity falls out at once".into());
            }
            let below = lowest.is_some_and(|lowest| is_below(lowest, &file.level, roster, start));
            below.then(|| "this is below all solids, so the entity falls out of the level; y points up".into())
        });
        if let (Some(message), Some(node)) = (found, entry.table.get("at")) {
            out.warn(&node.place, message);
            left -= 1;
        }
    }
}

/// The message for an entity that overlaps a solid.
fn inside(level: &Level, roster: &Roster<'_>, start: &Start) -> Option<String> {
    let profile = &roster.profiles[start.profile];
    let scenery = level.terrain_at(start.z).still();
    let free = profile.loadouts.fit(profile.model, &scenery, start.at, start.angle);
    match free {
        None => Some("this is inside a solid, with no room for the entity nearby".into()),
        Some(free) if free.distance(start.at) > SLACK => {
            let DVec2 { x, y } = free;
            Some(format!("this is inside a solid; the entity starts at [{x:.0}, {y:.0}] instead"))
        }
        Some(_) => None,
    }
}

/// The lowest y that a solid of a side view reaches, px; none without solids.
fn lowest_solid(level: &Level) -> Option<f64> {
    if level.view != View::Side {
        return None;
    }
    let lowest = |solid: &Solid| {
        let path = solid.path.as_ref().map_or(0.0, |path| path.reach().min.y);
        solid.bounds.min.y + path
    };
    level.terrain.solids().iter().map(lowest).reduce(f64::min)
}

fn is_below(lowest: f64, level: &Level, roster: &Roster<'_>, start: &Start) -> bool {
    let air = level.zones.air_at(start.at).unwrap_or_default();
    if air.gravity_scale <= 0.0 || air.external_accel.y > 0.0 {
        return false;
    }
    let profile = &roster.profiles[start.profile];
    let top = start.at.y + profile.loadouts.shape(profile.model).half.y;
    let scale = profile.loadouts.setting(profile.model, "gravity_scale");
    let falls = !matches!(scale, Some(Setting::Number(scale)) if scale <= 0.0);
    top < lowest && falls && start.velocity.y <= 0.0
}
