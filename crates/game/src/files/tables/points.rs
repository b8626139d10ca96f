//! Keys that several kinds of level tables share: `points`, `name` and `surface`.

use super::{reader::TableReader, tree::Node};
use glam::DVec2;
use hangtime_core::{
    geometry::polygon,
    level::{FARTHEST, SurfaceId},
};
use hangtime_script::{PLAIN_SURFACE, Place};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The surfaces that a level names, in order of first use. A [`SurfaceId`] is an index into it.
pub(crate) struct SurfaceNames {
    pub names: Vec<Arc<str>>,
    /// Where each surface is first named; `None` for the plain one.
    pub places: Vec<Option<Place>>,
    /// The index of each name.
    numbers: BTreeMap<Arc<str>, u16>,
}

/// Maximum number of surfaces, of zones, and of solids that move or can be switched in a level.
pub(crate) const MOST_LISTED: usize = u16::MAX as usize;

impl Default for SurfaceNames {
    fn default() -> Self {
        Self {
            names: vec![PLAIN_SURFACE.into()],
            places: vec![None],
            numbers: BTreeMap::from([(PLAIN_SURFACE.into(), 0)]),
        }
    }
}

/// Reads `surface`; without one, returns the default.
pub(crate) fn read_surface(
    reader: &mut TableReader<'_, '_>,
    surfaces: &mut SurfaceNames,
    default: SurfaceId,
) -> SurfaceId {
    let Some(name) = reader.text("surface") else {
        return default;
    };
    if let Some(number) = surfaces.numbers.get(name) {
        return SurfaceId(*number);
    }
    let place = reader.table.place_of("surface");
    let number = surfaces.names.len();
    if number >= MOST_LISTED {
        reader.error(place, format!("a level can name at most {MOST_LISTED} surfaces"));
        return default;
    }
    let name: Arc<str> = name.into();
    surfaces.numbers.insert(name.clone(), number as u16);
    surfaces.names.push(name);
    surfaces.places.push(Some(place.clone()));
    SurfaceId(number as u16)
}

/// Reads `name`, which must be unique among `names`.
pub(crate) fn read_name<'a>(reader: &mut TableReader<'a, '_>, names: &mut BTreeSet<&'a str>) -> Option<String> {
    let name = reader.text("name")?;
    let message = if name.is_empty() {
        "a name cannot be empty".to_string()
    } else if !names.insert(name) {
        format!("the name `{name}` is already taken; names must be unique in a level")
    } else {
        return Some(name.to_string());
    };
    reader.error(reader.table.place_of("name"), message);
    None
}

/// Reads the `points` of a solid or zone: an outline, or a one-way line.
pub(crate) fn read_points(reader: &mut TableReader<'_, '_>, what: &str, one_way: bool) -> Option<Vec<DVec2>> {
    let node = reader.require("points", what)?;
    let points = points_of(reader, node)?;
    let checked = if one_way { polygon::one_way(&points) } else { polygon::outline(&points) };
    match checked {
        Ok(points) => Some(points),
        Err(fault) => {
            let wrong = fault.index().and_then(|i| node.items().get(i));
            reader.error(&wrong.unwrap_or(node).place, fault.to_string());
            None
        }
    }
}

/// The points in an array. Warns of points so far out that positions lose precision.
pub(crate) fn points_of(reader: &mut TableReader<'_, '_>, node: &Node) -> Option<Vec<DVec2>> {
    let Some(list) = node.list() else {
        reader.error(&node.place, format!("`points` takes an array of points, [[x, y], …], not {}", node.kind()));
        return None;
    };
    let points: Vec<DVec2> = list.iter().map(|n| reader.point_of("points", n)).collect::<Option<_>>()?;
    if let Some(at) = points.iter().position(|p| is_far(*p)) {
        warn_of_distance(reader, &list[at].place, "this point");
    }
    Some(points)
}

/// Whether a place is beyond the distance at which positions lose precision.
pub(crate) fn is_far(point: DVec2) -> bool {
    point.abs().max_element() > FARTHEST
}

pub(crate) fn warn_of_distance(reader: &mut TableReader<'_, '_>, place: &Place, what: &str) {
    let message = format!("{what} is beyond ±{FARTHEST} px, where positions lose precision");
    reader.warn(place, message);
}

#[cfg(test)]
#[path = "../../../tests/unit/files/tables/points.rs"]
mod tests;
