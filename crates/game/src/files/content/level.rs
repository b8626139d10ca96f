//! `levels/NAME.toml`: terrain, bounds, zones and the entities that a level starts with.

use super::entities::{EntityEntry, read_entities};
use super::kind::read_vars;
use super::misplaced::{key_at_top, key_of_outline};
use super::zones::read_zones;
use crate::files::media::sprites::{TilesTable, read_tiles};
use crate::files::tables::points::{MOST_LISTED, SurfaceNames, read_name, read_points, read_surface};
use crate::files::tables::reader::TableReader;
use crate::files::tables::tree::{Data, Table};
use glam::DVec2;
use hangtime_core::geometry::grid::Bounds;
use hangtime_core::level::{FARTHEST, Level, MOST_HIGHER, MOST_MEETINGS, Path, PathEnd, Solid, SurfaceId, View, Zones};
use hangtime_core::sim::Value;
use hangtime_core::tuning::{ACCEL, MOST, Range, SPEED, range};
use hangtime_script::names::suggestion;
use hangtime_script::{BuildProgress, Mistakes, Place};
use std::collections::{BTreeMap, BTreeSet};

/// Valid heights of solids in a top view, px.
const TOP: Range = range(0.0, MOST);

/// A level as its file describes it. Kinds are not looked up yet.
pub(crate) struct LevelFile<'a> {
    pub level: Level,
    pub gravity: Option<f64>,
    /// The demo's file name, and the place that names it.
    pub demo: Option<(String, Place)>,
    /// The level's own script below `scripts/`, and the place that names it.
    pub script: Option<(String, Place)>,
    /// The initial values of that script's variables.
    pub vars: BTreeMap<String, Value>,
    pub entities: Vec<EntityEntry<'a>>,
    /// The tiles over its solids.
    pub tiles: Option<TilesTable>,
    /// The places of the level's solids and zones.
    pub solid_places: Vec<Place>,
    pub zone_places: Vec<Place>,
    /// Where each surface is first named.
    pub surface_places: Vec<Option<Place>>,
}

/// Reads a level. Mistakes are collected; everything that can be read is returned.
pub(crate) fn read_level<'a>(name: &str, table: &'a Table, out: &mut Mistakes) -> LevelFile<'a> {
    let mut reader = TableReader::new(table, out);
    let view = read_view(&mut reader);
    let gravity = reader.number("gravity", ACCEL, "px/s²");
    let bounds = read_bounds(&mut reader);
    let mut surfaces = SurfaceNames::default();
    let default = read_surface(&mut reader, &mut surfaces, SurfaceId(0));
    let demo = reader.text("demo").map(String::from);
    let demo = demo.zip(table.get("demo").map(|node| node.place.clone()));
    let script = reader.text("script").map(String::from);
    let script = script.zip(table.get("script").map(|node| node.place.clone()));
    let vars = read_vars(&mut reader, true);
    if let (None, Some(node), false) = (&script, table.get("vars"), vars.is_empty()) {
        let message = "nothing reads these variables: the level has no `script`";
        reader.warn(&node.place, message);
    }
    let (solids, places) = read_solids(&mut reader, view, &mut surfaces, default);
    let (zones, zone_places) = read_zones(&mut reader, &mut surfaces);
    let entities = read_entities(&mut reader, view);
    let level =
        Level { bounds, zones: Zones::new(zones), plain: default, ..Level::new(name, view, solids, surfaces.names) };
    if let Some(solid) = level.terrain.tangled() {
        let message = format!(
            "up to this one, the outlines of the solids meet in too many places (about {MOST_MEETINGS} can be joined); make fewer \
             solids that overlap"
        );
        reader.error(&places[solid as usize], message);
    }
    if let Some(solid) = level.heights.too_many() {
        let message = format!(
            "too many different `top`s: above each of them is a terrain of the higher solids, and all of these \
             together can have at most {MOST_HIGHER} points"
        );
        reader.error(&places[solid as usize], message);
    }
    let tiles = read_tiles(&mut reader, view, &level.surfaces);
    reader.finish_with(key_at_top);
    LevelFile {
        level,
        gravity,
        demo,
        script,
        vars,
        entities,
        tiles,
        solid_places: places,
        zone_places,
        surface_places: surfaces.places,
    }
}

fn read_view(reader: &mut TableReader<'_, '_>) -> View {
    let node = reader.get("view");
    match node.map(|n| (n, n.text())) {
        None | Some((_, Some("side"))) => {}
        Some((_, Some("top"))) => return View::Top,
        Some((n, Some(other))) => {
            let message = format!("`view` must be \"side\" or \"top\", not \"{other}\"");
            reader.error(&n.place, message);
        }
        Some((n, None)) => {
            reader.error(&n.place, format!("`view` takes text, not {}", n.kind()));
        }
    }
    View::Side
}

fn read_bounds(reader: &mut TableReader<'_, '_>) -> Bounds {
    let everywhere = Bounds { min: DVec2::splat(-FARTHEST), max: DVec2::splat(FARTHEST) };
    let Some(node) = reader.get("bounds") else {
        return everywhere;
    };
    let expected = "[left, bottom, right, top]";
    let Some([left, bottom, right, top]) = reader.numbers_of("bounds", node, expected) else {
        return everywhere;
    };
    if left >= right || bottom >= top {
        reader.error(
            &node.place,
            "`bounds` must be [left, bottom, right, top] with left < right and bottom < top; y points up",
        );
        return everywhere;
    }
    Bounds { min: DVec2::new(left, bottom), max: DVec2::new(right, top) }
}

/// Reads the solids with their places in the file.
fn read_solids(
    reader: &mut TableReader<'_, '_>,
    view: View,
    surfaces: &mut SurfaceNames,
    default: SurfaceId,
) -> (Vec<Solid>, Vec<Place>) {
    let (mut solids, mut places) = (Vec::new(), Vec::new());
    let mut apart = 0;
    let mut names = BTreeSet::new();
    for (index, table) in reader.tables("solid").into_iter().enumerate() {
        if BuildProgress::is_cancelled() {
            break;
        }
        let mut reader = TableReader::new(table, reader.out);
        let name = read_name(&mut reader, &mut names).unwrap_or_else(|| format!("solid {}", index + 1));
        let surface = read_surface(&mut reader, surfaces, default);
        let one_way = reader.flag("one_way") == Some(true);
        let top = reader.number("top", TOP, "px");
        for (key, wanted) in [("top", View::Top), ("one_way", View::Side)] {
            if let Some(node) = table.get(key)
                && view != wanted
            {
                let message = format!("`{key}` has no effect outside of {} views", wanted.name());
                reader.warn(&node.place, message);
            }
        }
        let one_way = one_way && view == View::Side;
        let present = reader.flag("present");
        let path = reader.table("path").and_then(|t| read_path(t, reader.out));
        if let Some(points) = read_points(&mut reader, "a solid", one_way) {
            let solid = if one_way {
                Solid::one_way(name.into(), surface, points)
            } else {
                Solid::new(name.into(), surface, points)
            };
            let solid = Solid { path, present, top: top.unwrap_or(f64::INFINITY), ..solid };
            apart += usize::from(solid.is_apart());
            if apart == MOST_LISTED + 1 {
                let message = format!("at most {MOST_LISTED} solids of a level can have a `path` or be switched");
                reader.error(&table.place, message);
            }
            if apart <= MOST_LISTED {
                solids.push(solid);
                places.push(table.place.clone());
            }
        }
        reader.finish_with(key_of_outline);
    }
    (solids, places)
}

/// Reads `path`, the movement of a platform.
fn read_path(table: &Table, out: &mut Mistakes) -> Option<Path> {
    let mut reader = TableReader::new(table, out);
    let speed = reader.require("speed", "a path").and_then(|_| reader.number("speed", SPEED, "px/s"));
    let names = PathEnd::ALL.map(|(name, _)| name);
    let flag = reader.get("loop").filter(|node| matches!(node.value, Data::Flag(_)));
    let turn = match flag.map_or_else(|| reader.text("loop"), |_| None) {
        _ if let Some(node) = flag => {
            let [names @ .., last] = &names;
            let message = format!("`loop` takes \"{}\" or \"{last}\"", names.join("\", \""));
            reader.error(&node.place, message);
            None
        }
        None => Some(PathEnd::PingPong),
        Some(name) => {
            let mut turns = PathEnd::ALL.iter();
            let found = turns.find(|(n, _)| *n == name).map(|(_, turn)| *turn);
            if let (None, Some(node)) = (found, table.get("loop")) {
                let hint = suggestion(name, names);
                reader.error(&node.place, format!("there is no loop \"{name}\"{hint}"));
            }
            found
        }
    };
    let points = read_offsets(&mut reader);
    reader.finish();
    Some(Path::new(points?, speed?, turn?))
}

fn read_offsets(reader: &mut TableReader<'_, '_>) -> Option<Vec<DVec2>> {
    let node = reader.require("points", "a path")?;
    let Data::Array(list) = &node.value else {
        let message = format!("`points` takes offsets, [[x, y], …], not {}", node.kind());
        reader.error(&node.place, message);
        return None;
    };
    if list.is_empty() {
        reader.error(&node.place, "a path needs at least one point");
        return None;
    }
    list.iter().map(|n| reader.point_of("points", n)).collect()
}
