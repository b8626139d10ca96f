//! `levels/NAME.toml`: terrain, bounds, zones and the entities that a level starts with.

use super::{
    camera::{CameraTable, read_camera},
    entities::{EntityEntry, read_entities},
    kind::{TIME_SCALE, read_vars},
    misplaced::{key_at_top, key_of_outline, key_of_zone},
    rotation::{check_rotations, read_rotation},
    *,
};
use crate::files::{MOST_LISTED, SurfaceNames, TilesTable, media::sprites::read_tiles, read_points, read_surface};
use hangtime_core::{
    geometry::grid::Bounds,
    level::{FARTHEST, Level, MOST_HIGHER, MOST_MEETINGS, Path, PathEnd, Solid, SurfaceId, Zone, Zones},
    tuning::{ACCEL, SPEED},
};

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
    /// How it is looked at.
    pub camera: CameraTable,
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
    warn_of_weak_gravity(&mut reader, gravity);
    let everywhere = Bounds { min: DVec2::splat(-FARTHEST), max: DVec2::splat(FARTHEST) };
    let bounds = read_bounds(&mut reader).unwrap_or(everywhere);
    let mut surfaces = SurfaceNames::default();
    let default = read_surface(&mut reader, &mut surfaces, SurfaceId(0));
    let (demo, script) = (reader.text_at("demo"), reader.text_at("script"));
    let vars = read_vars(&mut reader, true);
    if script.is_none() && !vars.is_empty() {
        reader.warn(table.place_of("vars"), "nothing reads these variables: the level has no `script`");
    }
    let (solids, solid_places) = read_solids(&mut reader, view, &mut surfaces, default);
    let (zones, zone_places) = read_zones(&mut reader, &mut surfaces);
    let entities = read_entities(&mut reader, view);
    let level =
        Level { bounds, zones: Zones::new(zones), plain: default, ..Level::new(name, view, solids, surfaces.names) };
    if let Some(solid) = level.terrain.tangled() {
        let message = format!(
            "up to this one, the outlines of the solids meet in too many places (about {MOST_MEETINGS} can be joined); make fewer \
             solids that overlap"
        );
        reader.error(&solid_places[solid as usize], message);
    }
    if let Some(solid) = level.heights.too_many() {
        let message = format!(
            "too many different `top`s: above each of them is a terrain of the higher solids, and all of these \
             together can have at most {MOST_HIGHER} points"
        );
        reader.error(&solid_places[solid as usize], message);
    }
    let tiles = read_tiles(&mut reader, view, &level.surfaces);
    let camera = read_camera(&mut reader);
    reader.finish_with(key_at_top);
    LevelFile {
        level,
        gravity,
        demo,
        script,
        vars,
        entities,
        tiles,
        camera,
        solid_places,
        zone_places,
        surface_places: surfaces.places,
    }
}

fn read_view(reader: &mut TableReader<'_, '_>) -> View {
    match reader.text("view") {
        None | Some("side") => View::Side,
        Some("top") => View::Top,
        Some(other) => {
            let place = reader.table.place_of("view");
            reader.error(place, format!("`view` must be \"side\" or \"top\", not \"{other}\""));
            View::Side
        }
    }
}

/// Reads the corners of an area.
pub(super) fn read_bounds(reader: &mut TableReader<'_, '_>) -> Option<Bounds> {
    let node = reader.get("bounds")?;
    let [left, bottom, right, top] = reader.numbers_of("bounds", node, "[left, bottom, right, top]")?;
    if left >= right || bottom >= top {
        let message = "`bounds` must be [left, bottom, right, top] with left < right and bottom < top; y points up";
        reader.error(&node.place, message);
        return None;
    }
    Some(Bounds { min: DVec2::new(left, bottom), max: DVec2::new(right, top) })
}

/// Below this, px/s², gravity is most likely in m/s².
const WEAK: f64 = 30.0;

/// Warns of a gravity in m/s².
pub(super) fn warn_of_weak_gravity(reader: &mut TableReader<'_, '_>, gravity: Option<f64>) {
    if let Some(g) = gravity.filter(|g| *g != 0.0 && g.abs() < WEAK) {
        let usual = SimulationTuning::default().gravity;
        let message = format!("gravity is in px/s², so {g} hardly pulls; {usual} is the default, 1000 is light");
        reader.warn(reader.table.place_of("gravity"), message);
    }
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
            if let Some(node) = table.get(key).filter(|_| view != wanted) {
                reader.warn(&node.place, format!("`{key}` has no effect outside of {} views", wanted.name()));
            }
        }
        let one_way = one_way && view == View::Side;
        let present = reader.flag("present");
        let path = reader.table("path").and_then(|t| read_path(t, reader.out));
        let rotation = reader.table("rotation");
        if let Some(points) = read_points(&mut reader, "a solid", one_way) {
            let new = if one_way { Solid::one_way } else { Solid::new };
            let top = top.unwrap_or(f64::INFINITY);
            warn_of_places(&mut reader, &points);
            let solid = Solid { path, present, top, ..new(name.into(), surface, points) };
            let rotation = rotation.and_then(|table| read_rotation(table, &solid, reader.out));
            let solid = Solid { rotation, ..solid };
            apart += usize::from(solid.is_apart());
            if apart == MOST_LISTED + 1 {
                let message =
                    format!("at most {MOST_LISTED} solids of a level can have a `path`, rotate or be switched");
                reader.error(&table.place, message);
            }
            if apart <= MOST_LISTED {
                solids.push(solid);
                places.push(table.place.clone());
            }
        }
        reader.finish_with(key_of_outline);
    }
    check_rotations(&solids, &places, reader.out);
    (solids, places)
}

/// Reads `path`, the movement of a platform.
fn read_path(table: &Table, out: &mut Mistakes) -> Option<Path> {
    let mut reader = TableReader::new(table, out);
    let speed = reader.require("speed", "a path").and_then(|_| reader.number("speed", SPEED, "px/s"));
    if speed == Some(0.0) {
        reader.warn(
            table.place_of("speed"),
            "with a speed of 0 px/s this rests until a script calls `world::set_path_speed`",
        );
    }
    let turn = read_turn(&mut reader);
    if turn == Some(PathEnd::Free) {
        if let Some(points) = reader.get("points") {
            reader.error(&points.place, "a free path has no points: `world::move_solid` says where the solid goes");
        }
        reader.finish();
        return Some(Path::new(Vec::new(), speed?, PathEnd::Free));
    }
    let points = read_offsets(&mut reader);
    if let Some([first, others @ ..]) = points.as_deref()
        && others.iter().all(|point| point == first)
        && speed != Some(0.0)
    {
        reader.warn(table.place_of("points"), "all points of this path are the same, so it never moves");
    }
    reader.finish();
    Some(Path::new(points?, speed?, turn?))
}

/// Warns of a path whose points are places of the level: the first one is in the solid as it is drawn, far from its origin.
fn warn_of_places(reader: &mut TableReader<'_, '_>, outline: &[DVec2]) {
    let path = reader.table.table("path").and_then(|path| path.get("points"));
    let Some(node) = path.and_then(|points| points.items().first()) else {
        return;
    };
    let [Some(x), Some(y)] = [0, 1].map(|at| node.items().get(at).and_then(Node::number)) else {
        return;
    };
    let first = DVec2::new(x, y);
    let min = outline.iter().copied().reduce(DVec2::min).unwrap_or_default();
    let max = outline.iter().copied().reduce(DVec2::max).unwrap_or_default();
    let is_within = |at: DVec2| at.cmpge(min).all() && at.cmple(max).all();
    if is_within(first) && !is_within(DVec2::ZERO) && first.length() > (max - min).length() {
        let message = "this is a place in the level; the points of a path are offsets from where the solid is drawn, \
                       so begin with [0, 0]";
        reader.warn(&node.place, message);
    }
}

fn read_turn(reader: &mut TableReader<'_, '_>) -> Option<PathEnd> {
    let names = PathEnd::ALL.map(|(name, _)| name);
    let place = reader.table.place_of("loop");
    if let Some(Data::Flag(_)) = reader.get("loop").map(|node| &node.value) {
        let [names @ .., last] = &names;
        reader.error(place, format!("`loop` takes \"{}\" or \"{last}\"", names.join("\", \"")));
        return None;
    }
    let Some(name) = reader.text("loop") else {
        return Some(PathEnd::PingPong);
    };
    let found = PathEnd::ALL.iter().find(|(known, _)| *known == name);
    if found.is_none() {
        reader.error(place, format!("there is no loop \"{name}\"{}", suggestion(name, names)));
    }
    found.map(|(_, turn)| *turn)
}

fn read_offsets(reader: &mut TableReader<'_, '_>) -> Option<Vec<DVec2>> {
    let node = reader.require("points", "a path")?;
    let Some(list) = node.list() else {
        reader.error(&node.place, format!("`points` takes offsets, [[x, y], …], not {}", node.kind()));
        return None;
    };
    if list.is_empty() {
        reader.error(&node.place, "a path needs at least one point");
        return None;
    }
    list.iter().map(|n| reader.point_of("points", n)).collect()
}

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
        let time_scale = reader.number("time_scale", TIME_SCALE, "");
        let has_surface = table.get("surface").is_some();
        let surface = read_surface(&mut reader, surfaces, SurfaceId(0));
        let mut vector = |key, max: f64| {
            let vector = reader.point(key).unwrap_or_default();
            if vector.abs().max_element() > max {
                reader.error(table.place_of(key), format!("`{key}` takes numbers from -{max} to {max}"));
            }
            vector
        };
        let external_accel = vector("external_accel", ACCEL.max);
        let conveyor: DVec2 = vector("conveyor", SPEED.max);
        let present = reader.flag("present") != Some(false);
        if let Some(points) = read_points(&mut reader, "a zone", false) {
            zones.push(Zone {
                present,
                name: name.into(),
                points,
                external_accel,
                gravity_scale: gravity.unwrap_or(1.0),
                conveyor,
                surface: has_surface.then_some(surface),
                time_scale: time_scale.unwrap_or(1.0),
            });
            places.push(table.place.clone());
        }
        let full = zones.len() > MOST_LISTED;
        if full {
            reader.error(&table.place, format!("a level can have at most {MOST_LISTED} zones"));
        }
        reader.finish_with(key_of_zone);
        if full {
            break;
        }
    }
    (zones, places)
}
