//! `[sprite]` of a kind and `[tiles]` of a level: which pictures show them.

use crate::files::{Data, Node, Table, TableReader};
use hangtime_core::{
    level::View,
    sim::{BodySprite, SPRITE_MODES, SurfaceTiles},
    tuning::{Range, range},
};
use hangtime_script::{Mistakes, Place, api::Names, suggestion};
use std::{collections::BTreeMap, sync::Arc};

/// Valid sides of frames and tiles, px.
const SIDE: Range = range(1.0, 4096.0);

/// Valid scales of a sprite.
const SCALE: Range = range(0.05, 64.0);

/// Valid rates of a sprite, 1/s, and the usual one.
const RATE: Range = range(0.0, 240.0);
const USUAL_RATE: f64 = 8.0;

/// The side of a tile if the level sets none, px.
const USUAL_SIDE: u32 = 16;

/// The largest number of a frame or tile, and of frames of a mode.
const MAX_NUMBER: i64 = 4096 * 4096;
const MOST_FRAMES: usize = 1_000;

/// How many tiles a surface can have: one for all of it, two with the upper edge first, or nine with all sides.
const TILE_COUNTS: [usize; 3] = [1, 2, 9];

/// A frame or tile by its number, and the place that names it.
pub(crate) type NamedFrame = (u32, Place);

/// `[sprite]`, and the places that name what is checked later.
#[derive(Clone, Debug)]
pub(crate) struct SpriteTable {
    pub sprite: BodySprite,
    pub sheet_place: Place,
    pub size_place: Option<Place>,
    pub frames: Vec<NamedFrame>,
}

/// `[tiles]`, and the places that name what is checked later.
#[derive(Clone, Debug)]
pub(crate) struct TilesTable {
    pub tiles: SurfaceTiles,
    pub sheet_place: Place,
    pub frames: Vec<NamedFrame>,
}

/// Reads `[sprite]` of a kind.
pub(crate) fn read_sprite(kind: &Table, out: &mut Mistakes) -> Option<SpriteTable> {
    let mut reader = TableReader::new(kind, out);
    let table = reader.table("sprite")?;
    let mut reader = TableReader::new(table, out);
    let sheet = read_sheet(&mut reader, "a sprite");
    let size = reader.get("frame");
    let frame_size = size.and_then(|node| read_size(&mut reader, node));
    let scale = reader.number("scale", SCALE, "").unwrap_or(1.0);
    let rate = reader.number("rate", RATE, "frames per second");
    let offset = reader.point("offset").unwrap_or_default();
    let (modes, frames) = read_modes(&mut reader);
    reader.finish();
    let (sheet, sheet_place) = sheet?;
    Some(SpriteTable {
        sprite: BodySprite { sheet, frame_size, scale, offset, rate: rate.unwrap_or(USUAL_RATE), modes },
        sheet_place,
        size_place: size.map(|node| node.place.clone()),
        frames,
    })
}

/// Reads `[tiles]` of a level with these surfaces.
pub(crate) fn read_tiles(level: &mut TableReader<'_, '_>, view: View, known: &[Arc<str>]) -> Option<TilesTable> {
    let table = level.table("tiles")?;
    if view == View::Top {
        level.warn(&table.place, "`tiles` has no effect outside of side views");
    }
    let mut reader = TableReader::new(table, level.out);
    let sheet = read_sheet(&mut reader, "a level's `tiles`");
    let side = reader.number("size", SIDE, "px");
    let mut surfaces = BTreeMap::new();
    let mut frames = Vec::new();
    if reader.require("surfaces", "a level's `tiles`").is_some()
        && let Some(table) = reader.table("surfaces")
    {
        for (key, node) in &table.entries {
            if !known.iter().any(|name| **name == *key.name) {
                let hint = suggestion(&key.name, known.iter().map(|name| &**name));
                let message = format!("nothing in this level has the surface `{}`{hint}", key.name);
                reader.warn(&key.place, message);
            }
            let Some(tiles) = read_numbers(&mut reader, &key.name, node) else {
                continue;
            };
            if !TILE_COUNTS.contains(&tiles.len()) {
                let message = format!(
                    "`{}` takes one tile, two (the upper edge and the rest) or nine (corners, edges and the middle, row by \
                     row), not {}",
                    key.name,
                    tiles.len()
                );
                reader.error(&node.place, message);
                continue;
            }
            surfaces.insert(key.name.as_str().into(), tiles.iter().map(|(number, _)| *number).collect());
            frames.extend(tiles);
        }
    }
    reader.finish();
    let (sheet, sheet_place) = sheet?;
    Some(TilesTable {
        tiles: SurfaceTiles { sheet, side: side.map_or(USUAL_SIDE, |side| side.round() as u32), surfaces },
        sheet_place,
        frames,
    })
}

/// The picture that a table names, and the place that names it.
fn read_sheet(reader: &mut TableReader<'_, '_>, what: &str) -> Option<(Box<str>, Place)> {
    let (name, place) = reader.require_text("sheet", what)?;
    if !name.to_ascii_lowercase().ends_with(".png") {
        reader.error(place, format!("`sheet` takes the name of a PNG in `pictures/`, such as \"{name}.png\""));
        return None;
    }
    Some((name.into(), place.clone()))
}

/// Width and height of a frame, whole px.
fn read_size(reader: &mut TableReader<'_, '_>, node: &Node) -> Option<[u32; 2]> {
    let size = reader.numbers_of::<2>("frame", node, "[width, height]")?;
    let fits = |side: &f64| (SIDE.min..=SIDE.max).contains(side) && side.fract() == 0.0;
    if size.iter().all(fits) {
        return Some(size.map(|side| side as u32));
    }
    let message = format!("`frame` takes the width and height of a frame in whole px, {} to {}", SIDE.min, SIDE.max);
    reader.error(&node.place, message);
    None
}

type FramesOfModes = (BTreeMap<Box<str>, Vec<u32>>, Vec<NamedFrame>);

/// The frames of each mode.
fn read_modes(reader: &mut TableReader<'_, '_>) -> FramesOfModes {
    let (mut modes, mut all) = (BTreeMap::new(), Vec::new());
    let Some(table) = reader.table("modes") else {
        return (modes, all);
    };
    let fixed = Names::Mode.fixed().unwrap_or_default();
    let known: Vec<&str> = SPRITE_MODES.into_iter().chain(fixed.iter().map(String::as_str)).collect();
    for (key, node) in &table.entries {
        if !known.contains(&key.name.as_str()) {
            let hint = suggestion(&key.name, known.iter().copied());
            let message = format!("there is no mode `{}`{hint}", key.name);
            reader.error(&key.place, message);
        }
        if let Some(frames) = read_numbers(reader, &key.name, node) {
            modes.insert(key.name.as_str().into(), frames.iter().map(|(number, _)| *number).collect());
            all.extend(frames);
        }
    }
    (modes, all)
}

/// One number of a frame or tile, or a list of them.
fn read_numbers(reader: &mut TableReader<'_, '_>, key: &str, node: &Node) -> Option<Vec<NamedFrame>> {
    let nodes = node.list().unwrap_or(std::slice::from_ref(node));
    if !(1..=MOST_FRAMES).contains(&nodes.len()) {
        reader.error(&node.place, format!("`{key}` takes 1 to {MOST_FRAMES} numbers, not {}", nodes.len()));
        return None;
    }
    let number = |node: &Node| match node.value {
        Data::Int(number @ 0..=MAX_NUMBER) => Some((number as u32, node.place.clone())),
        _ => None,
    };
    let numbers: Option<Vec<NamedFrame>> = nodes.iter().map(number).collect();
    if numbers.is_none() {
        let message =
            format!("`{key}` takes the number of a frame, counted from 0 like letters on a page, or a list of them");
        reader.error(&node.place, message);
    }
    numbers
}
