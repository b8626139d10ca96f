//! `levels/NAME.toml`: terrain, bounds and what the level begins with.

use super::kind::{Kind, read_vars};
use super::reader::Fields;
use super::tree::{Data, Node, Table};
use super::zones::read_zones;
use crate::geometry::grid::Bounds;
use crate::geometry::polygon::{self, OutlineError};
use crate::level::{FARTHEST, Level, Path, PathEnd, Solid, SurfaceId, View, Zones};
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, PLAIN_SURFACE, Place};
use crate::sim::Value;
use crate::tuning::{ACCEL, MOST, Range, SPEED, range};
use glam::DVec2;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How high a solid of a top view may stand, px.
const TOP: Range = range(0.0, MOST);

/// A level as its file says, with entities still unread.
pub(super) struct LevelFile<'a> {
    pub level: Level,
    pub gravity: Option<f64>,
    pub demo: Option<(String, Place)>,
    /// The level's own rules, below `scripts/`, and where they are named.
    pub script: Option<(String, Place)>,
    /// First values of their variables.
    pub vars: BTreeMap<String, Value>,
    pub entities: Vec<EntityEntry<'a>>,
    /// Where each surface is first named.
    pub surface_places: Vec<Option<Place>>,
}

/// An `[[entity]]`.
pub(super) struct EntityEntry<'a> {
    pub name: Arc<str>,
    pub kind: String,
    pub kind_place: Place,
    pub at: DVec2,
    /// Height in a top view.
    pub z: f64,
    /// How far it is turned, radians.
    pub angle: f64,
    pub velocity: DVec2,
    pub player: Option<u8>,
    /// Its whole table, in which a kind's keys may stand.
    pub table: &'a Table,
}

/// Keys of an `[[entity]]` that are no kind's.
pub(super) const ENTITY_KEYS: [&str; 6] = ["kind", "name", "at", "angle_deg", "velocity", "player"];

/// Reads a level. Mistakes are collected; what can be read is returned all the same.
pub(super) fn read_level<'a>(
    name: &str,
    table: &'a Table,
    out: &mut Vec<Diagnostic>,
) -> LevelFile<'a> {
    let mut fields = Fields::new(table, out);
    let view = read_view(&mut fields);
    let gravity = fields.number("gravity", ACCEL, "px/s²");
    let bounds = read_bounds(&mut fields);
    let mut surfaces = Surfaces::default();
    let default = surface(&mut fields, &mut surfaces, SurfaceId(0));
    let demo = fields.text("demo").map(String::from);
    let demo = demo.zip(table.get("demo").map(|node| node.place.clone()));
    let script = fields.text("script").map(String::from);
    let script = script.zip(table.get("script").map(|node| node.place.clone()));
    let vars = read_vars(&mut fields);
    let solids = read_solids(&mut fields, view, &mut surfaces, default);
    let zones = read_zones(&mut fields, &mut surfaces);
    let entities = read_entities(&mut fields, view);
    fields.finish();
    let level = Level {
        bounds,
        zones: Zones::new(zones),
        plain: default,
        ..Level::new(name, view, solids, surfaces.names)
    };
    LevelFile {
        level,
        gravity,
        demo,
        script,
        vars,
        entities,
        surface_places: surfaces.places,
    }
}

fn read_view(fields: &mut Fields<'_, '_>) -> View {
    let node = fields.get("view");
    match node.map(|n| (n, n.text())) {
        None | Some((_, Some("side"))) => {}
        Some((_, Some("top"))) => return View::Top,
        Some((n, Some(other))) => {
            let why = format!("`view` is \"side\" or \"top\", not \"{other}\"");
            fields.wrong(&n.place, why);
        }
        Some((n, None)) => {
            fields.wrong(&n.place, format!("`view` takes text, not {}", n.kind()));
        }
    }
    View::Side
}

fn read_bounds(fields: &mut Fields<'_, '_>) -> Bounds {
    let everywhere = Bounds {
        min: DVec2::splat(-FARTHEST),
        max: DVec2::splat(FARTHEST),
    };
    let Some(node) = fields.get("bounds") else {
        return everywhere;
    };
    let right = "[left, bottom, right, top]";
    let Some([left, bottom, right, top]) = fields.numbers_of("bounds", node, right) else {
        return everywhere;
    };
    let bounds = Bounds {
        min: DVec2::new(left, bottom),
        max: DVec2::new(right, top),
    };
    if left >= right || bottom >= top {
        fields.wrong(
            &node.place,
            "`bounds` is [left, bottom, right, top], each pair in order; y points up",
        );
        return everywhere;
    }
    bounds
}

/// The surfaces that a level names, in the order in which they turn up.
pub(super) struct Surfaces {
    names: Vec<Arc<str>>,
    places: Vec<Option<Place>>,
}

impl Default for Surfaces {
    fn default() -> Self {
        Self {
            names: vec![PLAIN_SURFACE.into()],
            places: vec![None],
        }
    }
}

/// Reads `surface`, or takes the default.
pub(super) fn surface(
    fields: &mut Fields<'_, '_>,
    surfaces: &mut Surfaces,
    default: SurfaceId,
) -> SurfaceId {
    let Some(name) = fields.text("surface") else {
        return default;
    };
    if let Some(at) = surfaces.names.iter().position(|n| &**n == name) {
        return SurfaceId(at as u16);
    }
    surfaces.names.push(name.into());
    surfaces
        .places
        .push(fields.table.get("surface").map(|node| node.place.clone()));
    SurfaceId((surfaces.names.len() - 1) as u16)
}

fn read_solids(
    fields: &mut Fields<'_, '_>,
    view: View,
    surfaces: &mut Surfaces,
    default: SurfaceId,
) -> Vec<Solid> {
    let mut solids = Vec::new();
    let mut names = BTreeSet::new();
    for (index, table) in fields.tables("solid").into_iter().enumerate() {
        let mut fields = Fields::new(table, fields.out);
        let name =
            read_name(&mut fields, &mut names).unwrap_or_else(|| format!("solid {}", index + 1));
        let surface = surface(&mut fields, surfaces, default);
        let one_way = fields.flag("one_way") == Some(true);
        let top = fields.number("top", TOP, "px");
        for (key, wanted) in [("top", View::Top), ("one_way", View::Side)] {
            if let Some(node) = table.get(key)
                && view != wanted
            {
                let why = format!("`{key}` means something in {} views only", wanted.name());
                fields.warn(&node.place, why);
            }
        }
        let one_way = one_way && view == View::Side;
        let present = fields.flag("present");
        let path = fields.table("path").and_then(|t| read_path(t, fields.out));
        if let Some(points) = read_points(&mut fields, "a solid", one_way) {
            let solid = if one_way {
                Solid::one_way(name.into(), surface, points)
            } else {
                Solid::new(name.into(), surface, points)
            };
            let top = top.unwrap_or(f64::INFINITY);
            solids.push(Solid {
                path,
                present,
                top,
                ..solid
            });
        }
        fields.finish();
    }
    solids
}

/// The points of a solid or zone, checked for what they are to be.
pub(super) fn read_points(
    fields: &mut Fields<'_, '_>,
    what: &str,
    one_way: bool,
) -> Option<Vec<DVec2>> {
    let node = fields.require("points", what)?;
    let points = points_of(fields, node)?;
    let checked = if one_way {
        polygon::one_way(&points)
    } else {
        polygon::outline(&points)
    };
    match checked {
        Ok(points) => Some(points),
        Err(fault) => {
            let place = fault_place(&fault, node);
            fields.wrong(&place, fault.to_string());
            None
        }
    }
}

/// The way of a moving platform.
fn read_path(table: &Table, out: &mut Vec<Diagnostic>) -> Option<Path> {
    let mut fields = Fields::new(table, out);
    let speed = fields
        .require("speed", "a path")
        .and_then(|_| fields.number("speed", SPEED, "px/s"));
    let turns = PathEnd::ALL.map(|(name, _)| name);
    let turn = match fields.text("loop") {
        None => Some(PathEnd::PingPong),
        Some(name) => {
            let found = PathEnd::ALL
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, turn)| *turn);
            if let (None, Some(node)) = (found, table.get("loop")) {
                let hint = suggestion(name, turns);
                fields.wrong(&node.place, format!("there is no loop \"{name}\"{hint}"));
            }
            found
        }
    };
    let points = read_offsets(&mut fields);
    fields.finish();
    Some(Path::new(points?, speed?, turn?))
}

fn read_offsets(fields: &mut Fields<'_, '_>) -> Option<Vec<DVec2>> {
    let node = fields.require("points", "a path")?;
    let Data::Array(list) = &node.value else {
        let why = format!("`points` takes offsets, [[x, y], …], not {}", node.kind());
        fields.wrong(&node.place, why);
        return None;
    };
    if list.is_empty() {
        fields.wrong(&node.place, "a path needs at least one point");
        return None;
    }
    list.iter().map(|n| fields.point_of("points", n)).collect()
}

fn fault_place(fault: &OutlineError, whole: &Node) -> Place {
    let list = match &whole.value {
        Data::Array(list) => &list[..],
        _ => &[],
    };
    let node = fault.index().and_then(|i| list.get(i));
    node.unwrap_or(whole).place.clone()
}

/// The points in an array, none of them too far out.
pub(super) fn points_of(fields: &mut Fields<'_, '_>, node: &Node) -> Option<Vec<DVec2>> {
    let Data::Array(list) = &node.value else {
        let why = format!(
            "`points` takes an array of points, [[x, y], …], not {}",
            node.kind()
        );
        fields.wrong(&node.place, why);
        return None;
    };
    let points: Option<Vec<DVec2>> = list.iter().map(|n| fields.point_of("points", n)).collect();
    let points = points?;
    if let Some(at) = points.iter().position(|p| p.abs().max_element() > FARTHEST) {
        let why = format!("this point lies beyond ±{FARTHEST} px, where positions get coarse");
        fields.warn(&list[at].place, why);
    }
    Some(points)
}

/// Reads `name`, which no other of its sort may have.
pub(super) fn read_name<'a>(
    fields: &mut Fields<'a, '_>,
    names: &mut BTreeSet<&'a str>,
) -> Option<String> {
    let name = fields.text("name")?;
    if name.is_empty() || !names.insert(name) {
        let place = fields
            .table
            .get("name")
            .map_or(&fields.table.place, |n| &n.place)
            .clone();
        let why = if name.is_empty() {
            "a name cannot be empty".to_string()
        } else {
            format!("there is another `{name}`; names are unique in a level")
        };
        fields.wrong(&place, why);
        return None;
    }
    Some(name.to_string())
}

fn read_entities<'a>(fields: &mut Fields<'a, '_>, view: View) -> Vec<EntityEntry<'a>> {
    let mut names = BTreeSet::new();
    let mut entries: Vec<(Option<String>, EntityEntry<'a>)> = Vec::new();
    for table in fields.tables("entity") {
        let mut fields = Fields::new(table, fields.out);
        let name = read_name(&mut fields, &mut names);
        if let (Some("level"), Some(node)) = (name.as_deref(), table.get("name")) {
            let why = "`level` is the name of the level itself, in events and traces";
            fields.wrong(&node.place, why);
        }
        let kind = fields
            .require("kind", "an entity")
            .map(|_| ())
            .and_then(|()| fields.text("kind"));
        let at = fields
            .require("at", "an entity")
            .and_then(|node| read_place(&mut fields, node, view));
        let velocity = fields.point("velocity").unwrap_or_default();
        let degrees = fields.number("angle_deg", range(-360.0, 360.0), "°");
        let player = read_player(&mut fields);
        if let Some((at, _)) = at
            && at.abs().max_element() > FARTHEST
            && let Some(node) = table.get("at")
        {
            let why = format!("this place lies beyond ±{FARTHEST} px, where positions get coarse");
            fields.warn(&node.place, why);
        }
        let (Some(kind), Some((at, z))) = (kind, at) else {
            // What is there instead of what is missing is told, too.
            Kind::default().read(table, &ENTITY_KEYS, fields.out);
            continue;
        };
        let kind_place = table.get("kind").map_or(&table.place, |n| &n.place).clone();
        let entry = EntityEntry {
            name: "".into(),
            kind: kind.to_string(),
            kind_place,
            at,
            z,
            angle: degrees.unwrap_or(0.0).to_radians(),
            velocity,
            player,
            table,
        };
        entries.push((name, entry));
    }
    name_entities(entries)
}

/// Gives a name to those that have none: that of their kind, with a number from the second on.
fn name_entities<'a>(entries: Vec<(Option<String>, EntityEntry<'a>)>) -> Vec<EntityEntry<'a>> {
    let mut taken: BTreeSet<String> = entries
        .iter()
        .filter_map(|(name, _)| name.clone())
        .collect();
    taken.insert("level".into());
    // Those of a kind are counted on, so that many of them take no longer each.
    let mut counted: BTreeMap<String, u32> = BTreeMap::new();
    let mut free_name = |kind: &str| {
        let count = counted.entry(kind.to_string()).or_default();
        loop {
            *count += 1;
            let name = match *count {
                1 => kind.to_string(),
                n => format!("{kind}_{n}"),
            };
            if taken.insert(name.clone()) {
                return name;
            }
        }
    };
    let name = |(name, mut entry): (Option<String>, EntityEntry<'a>)| {
        let name = name.unwrap_or_else(|| free_name(&entry.kind));
        entry.name = name.into();
        entry
    };
    entries.into_iter().map(name).collect()
}

/// Where an entity begins: a point, in a top view perhaps with a height.
fn read_place<'a>(fields: &mut Fields<'a, '_>, node: &'a Node, view: View) -> Option<(DVec2, f64)> {
    if let (View::Top, Data::Array(list)) = (view, &node.value)
        && list.len() == 3
    {
        let [x, y, z] = fields.numbers_of("at", node, "a place, [x, y, z]")?;
        if z < 0.0 {
            fields.wrong(&list[2].place, "heights count up from the ground plane, 0");
            return None;
        }
        return Some((DVec2::new(x, y), z));
    }
    fields.point_of("at", node).map(|at| (at, 0.0))
}

fn read_player(fields: &mut Fields<'_, '_>) -> Option<u8> {
    let node = fields.get("player")?;
    match node.value {
        Data::Flag(true) => Some(1),
        Data::Flag(false) => None,
        Data::Int(number @ 1..=8) => Some(number as u8),
        _ => {
            let right = range(1.0, 8.0);
            let why = format!(
                "`player` is a whole number from {} to {}",
                right.min, right.max
            );
            fields.wrong(&node.place, why);
            None
        }
    }
}
