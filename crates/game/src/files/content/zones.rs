//! `[[zone]]`: areas that push, change gravity or carry another surface.

use super::misplaced::key_of_outline;
use crate::files::tables::points::{MOST_LISTED, SurfaceNames, read_name, read_points, read_surface};
use crate::files::tables::reader::TableReader;
use glam::DVec2;
use hangtime_core::level::{SurfaceId, Zone};
use hangtime_core::tuning::{ACCEL, SPEED, range};
use hangtime_script::{BuildProgress, Place};
use std::collections::BTreeSet;

/// Reads every `[[zone]]` of a level, with its place in the file.
pub(crate) fn read_zones(reader: &mut TableReader<'_, '_>, surfaces: &mut SurfaceNames) -> (Vec<Zone>, Vec<Place>) {
    let (mut zones, mut places) = (Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    for (index, table) in reader.tables("zone").into_iter().enumerate() {
        if BuildProgress::is_cancelled() {
            break;
        }
        let mut reader = TableReader::new(table, reader.out);
        let name = read_name(&mut reader, &mut names).unwrap_or_else(|| format!("zone {}", index + 1));
        let gravity = reader.number("gravity_scale", range(-100.0, 100.0), "");
        let has_surface = table.get("surface").is_some();
        let surface = read_surface(&mut reader, surfaces, SurfaceId(0));
        let mut vector = |key, max: f64| {
            let vector = reader.point(key).unwrap_or_default();
            if vector.abs().max_element() > max
                && let Some(node) = table.get(key)
            {
                let message = format!("`{key}` takes numbers from -{max} to {max}");
                reader.error(&node.place, message);
            }
            vector
        };
        let external_accel = vector("external_accel", ACCEL.max);
        let conveyor: DVec2 = vector("conveyor", SPEED.max);
        if let Some(points) = read_points(&mut reader, "a zone", false) {
            zones.push(Zone {
                name: name.into(),
                points,
                external_accel,
                gravity_scale: gravity.unwrap_or(1.0),
                conveyor,
                surface: has_surface.then_some(surface),
            });
            places.push(table.place.clone());
        }
        let full = zones.len() > MOST_LISTED;
        if full {
            let message = format!("a level can have at most {MOST_LISTED} zones");
            reader.error(&table.place, message);
        }
        reader.finish_with(key_of_outline);
        if full {
            break;
        }
    }
    (zones, places)
}
