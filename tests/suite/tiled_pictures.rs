//! Layers of tiles of a map with the pictures of their tilesets, pixel by pixel.

use crate::{
    folder::Folder,
    program::{code, out, run},
};
use hangtime::{
    draw::{Picture, Show, paint},
    project::{Live, Project, Revision},
};
use std::sync::Arc;
use tiny_skia::Pixmap;

/// Width and height of the pictures, and of a tile, px.
const SIZE: u32 = 160;
const SIDE: u32 = 8;

/// The column of x = 0, and the row whose upper end is y = 0: a side view looks up by 0.18 of its height.
const LEFT: i32 = 80;
const GROUND: i32 = 80 + 29;

/// Three tiles in a row, a margin of 1 px and 2 px between them. Red says which tile, green the column in it, and blue the
/// row. The last tile is transparent above its diagonal.
fn sheet() -> (u32, u32, Vec<[u8; 4]>) {
    let (width, height) = (2 + 3 * SIDE + 4, 2 + SIDE);
    let pixel = |x: u32, y: u32| {
        let (Some(right), Some(row)) = (x.checked_sub(1), y.checked_sub(1)) else {
            return [255, 0, 255, 255];
        };
        let (number, column) = (right / 10, right % 10);
        if column >= SIDE || row >= SIDE {
            return [255, 0, 255, 255];
        }
        match number == 2 && column > row {
            true => [0; 4],
            false => [20 + 40 * number as u8, 10 + 30 * column as u8, 7 + 30 * row as u8, 255],
        }
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| pixel(x, y)));
    (width, height, pixels.collect())
}

/// What a pixel of a tile is; `None` where it is transparent.
fn pixel_of(number: u32, column: u32, row: u32) -> Option<[u8; 3]> {
    let seen = number != 2 || column <= row;
    seen.then_some([20 + 40 * number as u8, 10 + 30 * column as u8, 7 + 30 * row as u8])
}

/// A map of two rows and three columns above y = 0, whose first tile is solid.
pub fn folder(tiles: [u32; 6], image: &str, keys: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("config/surfaces.toml", "[stone]\n");
    let [a, b, c, d, e, f] = tiles;
    folder.write(
        "levels/level.tmx",
        &format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.11.2" orientation="orthogonal" renderorder="right-down" width="3" height="2" tilewidth="8" tileheight="8" infinite="0" nextlayerid="2" nextobjectid="1">
 <properties>
  <property name="surface" value="stone"/>
  <property name="bounds" value="[-5000, -5000, 5000, 5000]"/>
 </properties>
 <tileset firstgid="1" name="set" tilewidth="8" tileheight="8" spacing="2" margin="1" tilecount="3" columns="3">
  <image source="{image}" width="30" height="10"/>
  <tile id="0">
   <objectgroup draworder="index" id="2">
    <object id="1" x="0" y="0" width="8" height="8"/>
   </objectgroup>
  </tile>
 </tileset>
 <layer id="1" name="tiles" width="3" height="2"{keys}>
  <data encoding="csv">
{a},{b},{c},
{d},{e},{f}
</data>
 </layer>
</map>
"#
        ),
    );
    let (width, height, pixels) = sheet();
    folder.write_png("pictures/set.png", (width, height), &pixels);
    folder
}

pub fn opened(folder: &Folder) -> Revision {
    let project = Project::load(folder.root()).expect("a game");
    let level = project.find_level("level").expect("a level");
    project.open(&level, &[]).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

pub fn painted(folder: &Folder, with_art: bool) -> Pixmap {
    let live = Live::new(Arc::new(opened(folder)), 0);
    let mut canvas = Pixmap::new(SIZE, SIZE).expect("a size above 0");
    let picture = Picture {
        level: &live.revision().stage.level,
        time: 0.0,
        changes: live.world().changes(),
        bodies: &[],
        hud: "",
        banner: "",
        why: "",
        show: Show { art: with_art.then_some(&*live.revision().art), ..Show::default() },
    };
    paint(&mut canvas, &picture);
    canvas
}

fn at(picture: &Pixmap, x: i32, y: i32) -> [u8; 3] {
    let pixel = picture.pixel(x as u32, y as u32).expect("a pixel");
    [pixel.red(), pixel.green(), pixel.blue()]
}

/// Where the pixel of a tile comes from with these flips, by its place in the level.
fn unflipped([diagonal, horizontal, vertical]: [bool; 3], x: u32, y: u32) -> (u32, u32) {
    let far = SIDE - 1;
    let (x, y) = (if horizontal { far - x } else { x }, if vertical { far - y } else { y });
    if diagonal { (y, x) } else { (x, y) }
}

#[test]
fn each_pixel_of_each_tile_is_where_tiled_shows_it() {
    for bits in 0..8_u32 {
        let flips = [bits & 1 > 0, bits & 2 > 0, bits & 4 > 0];
        let flagged = |tile: u32| {
            let flags = [(flips[0], 29), (flips[1], 31), (flips[2], 30)];
            let set = flags.into_iter().filter(|(set, _)| *set);
            set.fold(tile, |tile, (_, bit)| tile | 1 << bit)
        };
        let tiles = [1, 2, 3, 3, 0, 1].map(|tile| if tile > 0 { flagged(tile) } else { 0 });
        let folder = folder(tiles, "../pictures/set.png", " offsetx=\"5\" offsety=\"-3\"");
        let (shown, plain) = (painted(&folder, true), painted(&folder, false));
        let sky = {
            folder.write("levels/level.tmx", &folder.read("levels/level.tmx").replace("<object id", "<point id"));
            painted(&folder, false)
        };
        assert_ne!(plain.data(), sky.data());
        for (place, tile) in (0..).zip([1, 2, 3, 3, 0, 1]) {
            let (left, top) = (LEFT + 5 + place % 3 * 8, GROUND - 3 + place / 3 * 8);
            for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
                let (column, row) = unflipped(flips, x, y);
                let of_tile = (tile > 0).then(|| pixel_of(tile - 1, column, row)).flatten();
                let (x, y) = (left + x as i32, top + y as i32);
                let expected = of_tile.unwrap_or_else(|| at(&sky, x, y));
                assert_eq!(at(&shown, x, y), expected, "{flips:?} {tile} {x} {y}");
            }
        }
    }
}

#[test]
fn layers_are_plain_without_their_picture() {
    for (image, keys) in [
        ("../pictures/other.png", ""),
        ("set.png", ""),
        ("../../set.png", ""),
        ("../pictures/set.png", " visible=\"0\""),
    ] {
        let folder = folder([1, 1, 1, 1, 1, 1], image, keys);
        assert_eq!(painted(&folder, true).data(), painted(&folder, false).data(), "{image}");
    }
    // A tile that is beyond the picture.
    let folder = folder([1, 2, 3, 1, 1, 1], "../pictures/set.png", "");
    folder.write_png("pictures/set.png", (20, 10), &[[9, 9, 9, 255]; 200]);
    assert_eq!(painted(&folder, true).data(), painted(&folder, false).data());
}

#[test]
fn check_names_a_picture_that_is_missing_and_only_one_that_is_the_game_s() {
    for (image, expected) in [
        ("../pictures/ste.png", "there is no pictures/ste.png; did you mean `set.png`?"),
        ("../pictures/set.png", ""),
        ("set.png", ""),
    ] {
        let folder = folder([1, 2, 3, 1, 2, 3], image, "");
        let checked = run(folder.root(), &["check"]);
        let said = out(&checked);
        assert_eq!(code(&checked), i32::from(!expected.is_empty()), "{said}");
        assert!(said.contains(expected), "{said}");
        if !expected.is_empty() {
            assert!(said.contains("levels/level.tmx:8:18: error: "), "{said}");
            assert_eq!(said.matches("there is no").count(), 1, "{said}");
        }
    }
}

#[test]
fn pictures_of_tiles_change_no_hash() {
    let hash = |folder: &Folder| {
        let played = run(folder.root(), &["run", "level", "--ticks", "30"]);
        assert_eq!(code(&played), 0);
        crate::program::err(&played).lines().last().map(String::from)
    };
    let ends = |folder: &Folder| hash(folder).and_then(|line| Some(line.split_once("hash ")?.1.to_string()));
    let with = folder([1, 2, 3, 1, 1, 1], "../pictures/set.png", "");
    let without = folder([1, 2, 3, 1, 1, 1], "set.png", "");
    assert!(ends(&with).is_some());
    assert_eq!(ends(&with), ends(&without));
}
