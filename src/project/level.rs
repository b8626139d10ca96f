//! `levels/NAME.toml`: terrain, bounds and what the level begins with.

use super::kind::Kind;
use super::reader::Fields;
use super::tree::{Data, Node, Table};
use crate::geometry::grid::Bounds;
use crate::geometry::polygon::{self, Fault};
use crate::level::{FARTHEST, Level, Path, Solid, SurfaceId, Terrain, Turn, View};
use crate::script::host::names::suggestion;
use crate::script::host::{Diagnostic, Place};
use crate::tuning::{ACCEL, SPEED, range};
use glam::DVec2;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The surface of solids for which none is named.
const PLAIN: &str = "plain";

/// A level as its file says, with entities still unread.
pub(super) struct LevelFile<'a> {
    pub level: Level,
    pub gravity: Option<f64>,
    pub demo: Option<(String, Place)>,
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
    pub velocity: DVec2,
    pub player: Option<u8>,
    /// Its whole table, in which a kind's keys may stand.
    pub table: &'a Table,
}

/// Keys of an `[[entity]]` that are no kind's.
pub(super) const ENTITY_KEYS: [&str; 5] = ["kind", "name", "at", "velocity", "player"];

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
    fields.not_yet(&["script", "zone"]);
    let solids = read_solids(&mut fields, &mut surfaces, default);
    let entities = read_entities(&mut fields);
    fields.finish();
    let level = Level {
        name: name.into(),
        view,
        bounds,
        terrain: Terrain::new(solids),
        surfaces: surfaces.names,
    };
    LevelFile {
        level,
        gravity,
        demo,
        entities,
        surface_places: surfaces.places,
    }
}

fn read_view(fields: &mut Fields<'_, '_>) -> View {
    let node = fields.get("view");
    match node.map(|n| (n, n.text())) {
        None | Some((_, Some("side"))) => {}
        Some((n, Some("top"))) => {
            fields.wrong(
                &n.place,
                "top views are not supported by this version of hangtime",
            );
        }
        Some((n, Some(other))) => {
            fields.wrong(&n.place, format!("`view` is \"side\", not \"{other}\""));
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
struct Surfaces {
    names: Vec<Arc<str>>,
    places: Vec<Option<Place>>,
}

impl Default for Surfaces {
    fn default() -> Self {
        Self {
            names: vec![PLAIN.into()],
            places: vec![None],
        }
    }
}

/// Reads `surface`, or takes the default.
fn surface(fields: &mut Fields<'_, '_>, surfaces: &mut Surfaces, default: SurfaceId) -> SurfaceId {
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
        if let Some(node) = fields.get("top") {
            fields.warn(&node.place, "`top` means something in top views only");
        }
        let path = fields.table("path").and_then(|t| read_path(t, fields.out));
        if let Some(points) = read_points(&mut fields, one_way) {
            let solid = if one_way {
                Solid::one_way(name.into(), surface, points)
            } else {
                Solid::new(name.into(), surface, points)
            };
            solids.push(Solid { path, ..solid });
        }
        fields.finish();
    }
    solids
}

/// The points of a solid, checked for what they are to be.
fn read_points(fields: &mut Fields<'_, '_>, one_way: bool) -> Option<Vec<DVec2>> {
    let node = fields.require("points", "a solid")?;
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
    let checked = if one_way {
        polygon::one_way(&points)
    } else {
        polygon::outline(&points)
    };
    match checked {
        Ok(points) => Some(points),
        Err(fault) => {
            let place = fault_place(&fault, node, list);
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
    let turns = Turn::ALL.map(|(name, _)| name);
    let turn = match fields.text("loop") {
        None => Some(Turn::PingPong),
        Some(name) => {
            let found = Turn::ALL
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

fn fault_place(fault: &Fault, whole: &Node, list: &[Node]) -> Place {
    fault
        .index()
        .and_then(|i| list.get(i))
        .unwrap_or(whole)
        .place
        .clone()
}

/// Reads `name`, which no other of its sort may have.
fn read_name<'a>(fields: &mut Fields<'a, '_>, names: &mut BTreeSet<&'a str>) -> Option<String> {
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

fn read_entities<'a>(fields: &mut Fields<'a, '_>) -> Vec<EntityEntry<'a>> {
    let mut names = BTreeSet::new();
    let mut entries: Vec<(Option<String>, EntityEntry<'a>)> = Vec::new();
    for table in fields.tables("entity") {
        let mut fields = Fields::new(table, fields.out);
        let name = read_name(&mut fields, &mut names);
        let kind = fields
            .require("kind", "an entity")
            .map(|_| ())
            .and_then(|()| fields.text("kind"));
        let at = fields
            .require("at", "an entity")
            .map(|_| ())
            .and_then(|()| fields.point("at"));
        let velocity = fields.point("velocity").unwrap_or_default();
        let player = read_player(&mut fields);
        if let Some(at) = at
            && at.abs().max_element() > FARTHEST
            && let Some(node) = table.get("at")
        {
            let why = format!("this place lies beyond ±{FARTHEST} px, where positions get coarse");
            fields.warn(&node.place, why);
        }
        let (Some(kind), Some(at)) = (kind, at) else {
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
    let name = |(name, mut entry): (Option<String>, EntityEntry<'a>)| {
        let name = name.unwrap_or_else(|| {
            let numbered = (2..).map(|n| format!("{}_{n}", entry.kind));
            let mut candidates = std::iter::once(entry.kind.clone()).chain(numbered);
            candidates.find(|c| !taken.contains(c)).unwrap_or_default()
        });
        taken.insert(name.clone());
        entry.name = name.into();
        entry
    };
    entries.into_iter().map(name).collect()
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
