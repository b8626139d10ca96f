//! Tiles over solids, pixel by pixel.

use crate::{
    folder::{Folder, on_large_stack},
    program::{code, out, run},
};
use hangtime::{
    draw::{Picture, Show, paint},
    project::Live,
};
use std::sync::Arc;
use tiny_skia::Pixmap;

/// Width and height of the pictures, and of a tile, px.
const SIZE: u32 = 160;
const SIDE: u32 = 8;

/// The column of x = 0, and the row whose upper end is y = 0: a side view looks up by 0.18 of its height.
const LEFT: i32 = 80;
const GROUND: i32 = 80 + 29;

/// Nine tiles in three columns. Red says which tile, green the column in it, and blue the row.
fn sheet() -> Vec<[u8; 4]> {
    let side = 3 * SIDE;
    let pixel = |x: u32, y: u32| {
        let number = y / SIDE * 3 + x / SIDE;
        [20 + 20 * number as u8, 10 + 30 * (x % SIDE) as u8, 7 + 30 * (y % SIDE) as u8, 255]
    };
    (0..side).flat_map(|y| (0..side).map(move |x| pixel(x, y))).collect()
}

fn folder(tiles: &str, solids: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("config/surfaces.toml", "[stone]\n[ice]\n");
    let bounds = "surface = \"stone\"\nbounds = [-5000, -5000, 5000, 5000]\n";
    folder.write(
        "levels/level.toml",
        &format!("{bounds}[tiles]\nsheet = \"tiles.png\"\nsize = {SIDE}\nsurfaces = {{ {tiles} }}\n{solids}"),
    );
    folder.write_png("pictures/tiles.png", (3 * SIDE, 3 * SIDE), &sheet());
    folder
}

fn solid([left, bottom, right, top]: [i32; 4], keys: &str) -> String {
    format!(
        "[[solid]]\npoints = [[{left}, {bottom}], [{right}, {bottom}], [{right}, {top}], [{left}, {top}]]\n{keys}\n"
    )
}

fn painted(folder: &Folder, time: f64) -> Pixmap {
    let revision = folder.open().unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let live = Live::new(Arc::new(revision), 0);
    let mut canvas = Pixmap::new(SIZE, SIZE).expect("a size above 0");
    let picture = Picture {
        level: &live.revision().stage.level,
        time,
        changes: live.world().changes(),
        bodies: &[],
        hud: "",
        banner: "",
        why: "",
        show: Show { art: Some(&live.revision().art), ..Show::default() },
    };
    paint(&mut canvas, &picture);
    canvas
}

/// The tile, the column and the row at a pixel whose lower left corner is at (x, y) of the level. None if there is none.
fn tile_at(picture: &Pixmap, x: i32, y: i32) -> Option<[i32; 3]> {
    let pixel = picture.pixel((LEFT + x) as u32, (GROUND - 1 - y) as u32)?;
    let parts = [pixel.red(), pixel.green(), pixel.blue()].map(i32::from);
    let [number, column, row] = [parts[0] - 20, parts[1] - 10, parts[2] - 7];
    let fits = number % 20 == 0 && column % 30 == 0 && row % 30 == 0;
    (fits && number >= 0 && column >= 0 && row >= 0).then_some([number / 20, column / 30, row / 30])
}

/// Where a pixel is in its tile.
fn place_in_tile(x: i32, y: i32) -> [i32; 2] {
    let side = SIDE as i32;
    [x.rem_euclid(side), side - 1 - y.rem_euclid(side)]
}

#[test]
fn each_pixel_of_a_solid_is_that_of_its_tile() {
    on_large_stack(|| {
        let side = SIDE as i32;
        for (tiles, tile) in [
            ("stone = 4", (|_, _| 4) as fn(bool, [bool; 2]) -> i32),
            ("stone = [1, 7]", |top, _| if top { 1 } else { 7 }),
        ] {
            let picture = painted(&folder(tiles, &solid([-24, -32, 40, 0], "")), 0.0);
            for y in -32..0 {
                for x in -24..40 {
                    let [column, row] = place_in_tile(x, y);
                    let expected = [tile(y >= -side, [false; 2]), column, row];
                    assert_eq!(tile_at(&picture, x, y), Some(expected), "{tiles} {x} {y}");
                }
            }
            for (x, y) in [(-25, -5), (40, -5), (0, 0), (0, -33)] {
                assert_eq!(tile_at(&picture, x, y), None, "{x} {y}");
            }
        }
    });
}

#[test]
fn nine_tiles_show_the_sides_of_solids_that_touch() {
    on_large_stack(|| {
        // Two solids side by side look as one.
        let solids = [solid([-24, -24, 0, 0], ""), solid([0, -24, 24, 0], "")].concat();
        let numbers = "stone = [0, 1, 2, 3, 4, 5, 6, 7, 8]";
        let picture = painted(&folder(numbers, &solids), 0.0);
        for row in 0..3 {
            for column in 0..6 {
                let (x, y) = (-24 + column * 8, -8 - row * 8);
                let aside = match column {
                    0 => 0,
                    5 => 2,
                    _ => 1,
                };
                let found = tile_at(&picture, x + 3, y + 3).map(|[number, ..]| number);
                assert_eq!(found, Some(row * 3 + aside), "{column} {row}");
            }
        }
    });
}

#[test]
fn slopes_cut_tiles_off_and_platforms_take_theirs_along() {
    on_large_stack(|| {
        let slope = "[[solid]]\npoints = [[-32, -32], [32, -32], [-32, 32]]\n";
        let picture = painted(&folder("stone = 4", slope), 0.0);
        for (x, y) in [(-20, 10), (0, -10), (20, -25)] {
            let [column, row] = place_in_tile(x, y);
            assert_eq!(tile_at(&picture, x, y), Some([4, column, row]));
            assert_eq!(tile_at(&picture, -x, -y), None, "beyond the slope");
        }
        let path = "path = { speed = 10.0, points = [[0, 0], [300, 0]] }";
        let lift = solid([-16, -16, 0, 0], path);
        for seconds in [0, 1, 3] {
            let picture = painted(&folder("stone = 4", &lift), f64::from(seconds));
            let moved = 10 * seconds;
            for (x, y) in [(-16, -16), (-1, -1), (-9, -4)] {
                let [column, row] = place_in_tile(x, y);
                assert_eq!(tile_at(&picture, x + moved, y), Some([4, column, row]), "{seconds}");
            }
        }
    });
}

#[test]
fn surfaces_without_tiles_look_as_usual() {
    on_large_stack(|| {
        let solids = [solid([-40, -32, 0, 0], ""), solid([0, -32, 40, 0], "surface = \"ice\"")];
        let picture = painted(&folder("stone = 4", &solids.concat()), 0.0);
        assert_eq!(tile_at(&picture, -20, -20), Some([4, 4, 3]));
        assert_eq!(tile_at(&picture, 20, -20), None);
    });
}

#[test]
fn wrong_tiles_are_reported_with_what_is_right() {
    for (tiles, severity, expected) in [
        ("stnoe = 4", "warning", "did you mean `stone`?"),
        ("stone = [1, 2, 3]", "error", "one tile, two"),
        ("stone = -1", "error", "counted from 0"),
        ("stone = 9", "warning", "there is no tile 9: tiles.png has the tiles 0 to 8"),
    ] {
        let folder = folder(tiles, &solid([-24, -32, 40, 0], ""));
        let wrong = folder.wrong();
        assert_eq!(wrong.len(), 1, "{tiles}: {wrong:?}");
        assert!(wrong[0].contains(severity) && wrong[0].contains(expected), "{wrong:?}");
    }
    let folder = folder("stone = 9", &solid([-24, -32, 40, 0], ""));
    let checked = run(folder.root(), &["check"]);
    assert_eq!((code(&checked), out(&checked).contains("there is no tile 9")), (1, true));
    for (table, expected) in [
        ("[tiles]\nsurfaces = { stone = 1 }\n", "needs `sheet`"),
        ("[tiles]\nsheet = \"tiles.png\"\n", "needs `surfaces`"),
        ("[tiles]\nsheet = \"tiles.png\"\nsize = 0\nsurfaces = { }\n", "between 1 and 4096 px"),
        ("view = \"top\"\n[tiles]\nsheet = \"tiles.png\"\nsurfaces = { }\n", "no effect outside of side views"),
    ] {
        folder.write("levels/level.toml", table);
        let wrong = folder.wrong();
        assert!(wrong.concat().contains(expected), "{table}: {wrong:?}");
    }
}
