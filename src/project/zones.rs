//! `[[zone]]`: places where something else holds.

use super::level::{Surfaces, read_name, read_points, surface};
use super::reader::Fields;
use crate::level::{SurfaceId, Zone};
use crate::tuning::{ACCEL, SPEED, range};
use glam::DVec2;
use std::collections::BTreeSet;

/// Reads the zones of a level.
pub(super) fn read_zones(fields: &mut Fields<'_, '_>, surfaces: &mut Surfaces) -> Vec<Zone> {
    let mut zones = Vec::new();
    let mut names = BTreeSet::new();
    for (index, table) in fields.tables("zone").into_iter().enumerate() {
        let mut fields = Fields::new(table, fields.out);
        let name =
            read_name(&mut fields, &mut names).unwrap_or_else(|| format!("zone {}", index + 1));
        let gravity = fields.number("gravity_scale", range(-100.0, 100.0), "");
        let named = table.get("surface").is_some();
        let surface = surface(&mut fields, surfaces, SurfaceId(0));
        let mut vector = |key, most: f64| {
            let vector = fields.point(key).unwrap_or_default();
            if vector.abs().max_element() > most
                && let Some(node) = table.get(key)
            {
                fields.wrong(&node.place, format!("`{key}` takes numbers up to {most}"));
            }
            vector
        };
        let external_accel = vector("external_accel", ACCEL.max);
        let conveyor: DVec2 = vector("conveyor", SPEED.max);
        if let Some(points) = read_points(&mut fields, "a zone", false) {
            zones.push(Zone {
                name: name.into(),
                points,
                external_accel,
                gravity_scale: gravity.unwrap_or(1.0),
                conveyor,
                surface: named.then_some(surface),
            });
        }
        fields.finish();
    }
    zones
}
