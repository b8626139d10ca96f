//! Refuses levels whose ticks would take too long: too many entities, or too many for what is in one
//! place.

use super::*;
use hangtime_core::{
    geometry::grid::Bounds,
    level::{DensestPlace, Zone},
};

/// Entities times edges in the densest place that is as wide as they are: at most this many.
const MOST_MEETINGS: f64 = 2e6;

/// An edge of a zone is looked at more often than one of a solid: after every border that a body
/// crosses in the tick.
const ZONE_WEIGHT: f64 = 8.0;

/// A body of pieces has several of them, each with several sides, and looks at what is near again for every
/// contact.
const RIGID_WEIGHT: f64 = 16.0;

/// How many entities scripts can spawn.
const SPAWNED: f64 = 1_000.0;

/// The least width of a place, px.
const LEAST_WIDTH: f64 = 160.0;

/// Reports a level with more than `most` entities.
pub(crate) fn check_count(file: &LevelFile<'_>, most: u32, out: &mut Mistakes) {
    if let Some(first) = file.entities.get(most as usize) {
        let message = format!(
            "the level has {} entities; at most {most} are allowed (`max_entities` in the table `[simulation]` of \
             config/hangtime.toml)",
            file.entities.len()
        );
        out.error(&first.table.place, message);
    }
}

/// Reports a level in which the bodies that may be in the densest place would have to be compared with
/// too many edges in every tick.
pub(crate) fn check_density(file: &LevelFile<'_>, roster: &Roster<'_>, out: &mut Mistakes) {
    let widths = widths_of(roster);
    let bodies: f64 = widths.values().sum();
    for (of_zones, weight) in [(false, 1.0), (true, ZONE_WEIGHT)] {
        let all = file.level.edge_count(of_zones) as f64;
        if bodies * all * weight <= MOST_MEETINGS {
            continue;
        }
        let mut total = 0.0;
        let mut densest: Option<DensestPlace> = None;
        for (exponent, count) in &widths {
            let place = file.level.densest_place(width(*exponent), of_zones);
            total += count * place.edges * weight;
            densest = densest.or(Some(place));
        }
        if let Some(place) = densest.filter(|_| total > MOST_MEETINGS) {
            report(file, of_zones, roster, &place, out);
        }
    }
}

fn width(exponent: u32) -> f64 {
    LEAST_WIDTH * f64::from(1_u32 << exponent)
}

/// How many bodies there may be of each width, by weight; widths are powers of two of [`LEAST_WIDTH`].
fn widths_of(roster: &Roster<'_>) -> BTreeMap<u32, f64> {
    let mut widths = BTreeMap::new();
    for start in &roster.starts {
        let profile = &roster.profiles[start.profile];
        let size = 2.0 * profile.loadouts.shape(profile.model).half.max_element();
        let exponent = (0..16).find(|e| width(*e) >= size).unwrap_or(16);
        let rigid = profile.loadouts.pieces(profile.model).is_some();
        *widths.entry(exponent).or_insert(0.0) += if rigid { RIGID_WEIGHT } else { 1.0 };
    }
    if roster.scripts_may_spawn() {
        *widths.entry(0).or_insert(0.0) += SPAWNED;
    }
    widths
}

fn report(file: &LevelFile<'_>, of_zones: bool, roster: &Roster<'_>, place: &DensestPlace, out: &mut Mistakes) {
    let (solids, zones) = (file.level.terrain.solids(), file.level.zones.list());
    let (what, limit, found) = if of_zones {
        let meets = |zone: &Zone| Bounds::around(&zone.points).meets(&place.area);
        let found = zones.iter().position(meets);
        ("zones", "250,000", found.and_then(|i| file.zone_places.get(i)))
    } else {
        let found = solids.iter().position(|s| s.bounds.meets(&place.area));
        ("solids", "2,000,000", found.and_then(|i| file.solid_places.get(i)))
    };
    let Some(at) = found.or(file.solid_places.first()).or(file.zone_places.first()) else {
        return;
    };
    let count = roster.starts.len();
    let spawned = if roster.scripts_may_spawn() {
        ", and 1,000 that scripts may spawn,"
    } else {
        ""
    };
    let middle = place.area.min.midpoint(place.area.max);
    let message = format!(
        "too many edges in one place: {} edges of {what} lie around [{:.0}, {:.0}], and {}{spawned} may meet them \
         in a tick; make fewer of either (edges × entities may be at most {limit}; a vessel counts as 16)",
        place.edges,
        middle.x,
        middle.y,
        if count == 1 { "1 entity".into() } else { format!("{count} entities") }
    );
    out.error(at, message);
}
