//! Maps of the Tiled editor as levels: they mean the same as TOML.

use crate::{
    folder::{Folder, on_large_stack},
    maps::{TILESET, described, game, hash_after, layer, map},
};
use hangtime_core::level::View;
use hangtime_game::{LevelFormat, Project, Revision, export_level};
use hangtime_script::{Diagnostic, render_all};

pub fn open(folder: &Folder, level: &str) -> Result<Revision, Vec<Diagnostic>> {
    let project = Project::load(folder.root()).expect("a folder");
    let opened = project.open(&folder.path(level), &[]);
    opened.map_err(|error| error.diagnostics())
}

pub fn opened(folder: &Folder, level: &str) -> Revision {
    open(folder, level).unwrap_or_else(|wrong| panic!("{}", render_all(&wrong, false)))
}

/// The headlines of all errors in the map of a game, or of all warnings if it opens.
pub fn wrong(folder: &Folder) -> Vec<String> {
    wrong_in(folder, "levels/level.tmx")
}

/// The headlines of all errors in a level, or of all warnings if it opens.
pub fn wrong_in(folder: &Folder, level: &str) -> Vec<String> {
    match open(folder, level) {
        Ok(revision) => revision.warnings.iter().map(Diagnostic::headline).collect(),
        Err(wrong) => wrong.iter().map(Diagnostic::headline).collect(),
    }
}

/// A map and the TOML that means the same.
fn check_map(text: &str, toml: &str) {
    check_same(&game(text), "levels/level.tmx", "levels/other/same.toml", toml);
}

/// A level of a game, and another one, written here, that means the same.
pub fn check_same(folder: &Folder, level: &str, other: &str, text: &str) {
    folder.write(other, text);
    let (level, other) = (opened(folder, level), opened(folder, other));
    assert_eq!(level.warnings.len(), other.warnings.len(), "{:?}", level.warnings);
    let (found, expected) = (described(&level), described(&other));
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found, expected);
    on_large_stack(move || assert_eq!(hash_after(level, 300), hash_after(other, 300)));
}

/// One of each object.
const OBJECTS: &str = r#"  <object id="1" name="floor" x="-50" y="10" width="400" height="40"/>
  <object id="2" name="hill" class="solid" x="100.5" y="10">
   <properties>
    <property name="surface" value="ice"/>
   </properties>
   <polygon points="0,0 40,-20.25 80,0"/>
  </object>
  <object id="3" name="bridge" type="one_way" x="20" y="-40"><polyline points="0,0 50,-8 90,0"/></object>
  <object id="4" name="shelf" x="200" y="-60" width="30" height="12">
   <properties><property name="one_way" type="bool" value="true"/></properties>
  </object>
  <object id="5" name="lift" x="260" y="-20" width="30" height="10">
   <properties>
    <property name="path" type="object" value="6"/>
    <property name="present" type="bool" value="false"/>
   </properties>
  </object>
  <object id="6" x="999" y="999">
   <properties>
    <property name="loop" value="once"/>
    <property name="speed" type="float" value="62.5"/>
   </properties>
   <polyline points="0,0 0,-64 8,-80"/>
  </object>
  <object id="7" name="wind" type="zone" x="0" y="-100" width="60" height="90">
   <properties>
    <property name="external_accel_y" type="float" value="-520.5"/>
    <property name="gravity_scale" type="float" value="0.5"/>
    <property name="surface" value="ice"/>
   </properties>
  </object>
  <object id="8" name="hero" type="hero" x="60" y="-30">
   <properties>
    <property name="player" type="int" value="1"/>
    <property name="velocity_x" type="float" value="30"/>
    <property name="platformer.jump_speed" type="float" value="600"/>
    <property name="vars.list" value="[1, 2.5]"/>
    <property name="vars.name" value="x &lt; y"/>
    <property name="vars.n" type="int" value="4"/>
   </properties>
   <point/>
  </object>
  <object id="9" type="entity" x="-20" y="-40" width="20" height="30" rotation="90">
   <properties>
    <property name="kind" value="hero"/>
    <property name="body" value="{ box = [32, 20] }"/>
    <property name="model" value="vessel"/>
   </properties>
  </object>
  <object id="10" x="0" y="0" width="100" height="20"><text wrap="1">a note</text></object>
  <object id="11" type="bounds" x="-300" y="-400" width="1000" height="900"/>
"#;

const PROPERTIES: &str = r#" <properties>
  <property name="gravity" type="float" value="1800"/>
  <property name="surface" value="stone"/>
 </properties>
"#;

/// The TOML that means the same.
const SAME: &str = r#"
gravity = 1800
surface = "stone"
bounds = [-300, -500, 700, 400]
[[solid]]
name = "floor"
points = [[-50, -10], [350, -10], [350, -50], [-50, -50]]
[[solid]]
name = "hill"
surface = "ice"
points = [[100.5, -10], [140.5, 10.25], [180.5, -10]]
[[solid]]
name = "bridge"
one_way = true
points = [[20, 40], [70, 48], [110, 40]]
[[solid]]
name = "shelf"
one_way = true
points = [[200, 60], [230, 60]]
[[solid]]
name = "lift"
points = [[260, 20], [290, 20], [290, 10], [260, 10]]
present = false
path = { points = [[0, 0], [0, 64], [8, 80]], speed = 62.5, loop = "once" }
[[zone]]
name = "wind"
points = [[0, 100], [60, 100], [60, 10], [0, 10]]
external_accel = [0, -520.5]
gravity_scale = 0.5
surface = "ice"
[[entity]]
kind = "hero"
name = "hero"
at = [60, 30]
player = 1
velocity = [30, 0]
vars = { list = [1, 2.5], name = "x < y", n = 4 }
[entity.platformer]
jump_speed = 600
[[entity]]
kind = "hero"
at = [-35, 30]
angle_deg = -90
body = { box = [32, 20] }
model = "vessel"
"#;

#[test]
fn objects_mean_what_their_toml_means() {
    let objects = layer(OBJECTS);
    check_map(&map(&(PROPERTIES.to_string() + objects.as_str())), SAME);
}

#[test]
fn tiles_become_few_solids_that_mean_the_same() {
    // A slope, a flipped one, planks in a row, and a field of blocks with ice in it.
    let text = map(r#" <tileset firstgid="1" source="set.tsx"/>
 <layer id="1" name="ground" width="4" height="3" offsetx="100">
  <data encoding="csv">
3,3,0,0,
2,1,1,2147483650,
1,1,1,4
</data>
 </layer>
 <objectgroup id="2" name="life">
  <object id="1" gid="5" x="110" y="-40" width="20" height="38"/>
  <object id="2" gid="4" x="200" y="48" width="32" height="16" rotation="-90"/>
 </objectgroup>
"#);
    let toml = r#"
[[solid]]
points = [[100, -32], [116, -16], [116, -32]]
[[solid]]
points = [[164, -32], [148, -16], [148, -32]]
[[solid]]
points = [[116, -16], [148, -16], [148, -32], [116, -32]]
[[solid]]
points = [[100, -32], [148, -32], [148, -48], [100, -48]]
[[solid]]
points = [[148, -32], [164, -32], [164, -48], [148, -48]]
surface = "ice"
[[solid]]
points = [[100, -4], [116, -4], [132, -4]]
one_way = true
[[solid]]
points = [[200, -48], [200, -16], [184, -16], [184, -48]]
surface = "ice"
[[entity]]
kind = "hero"
at = [120, 59]
"#;
    let folder = game(&text);
    let found = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let solids = found.stage.level.terrain.solids();
    assert_eq!(solids.len(), 7);
    folder.write("levels/other/same.toml", toml);
    let same = open(&folder, "levels/other/same.toml").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let area = |revision: &Revision| {
        let solids = revision.stage.level.terrain.solids().iter();
        let mut found: Vec<String> = solids
            .map(|s| {
                let mut points: Vec<String> = s.points.iter().map(|p| format!("{p}")).collect();
                points.sort();
                format!("{points:?} {} {}", s.one_way, revision.stage.level.surface_name(s.surface))
            })
            .collect();
        found.sort();
        found
    };
    assert_eq!(area(&found), area(&same));
    assert_eq!(found.stage.starts.len(), 1);
    assert_eq!(found.stage.starts[0].at, same.stage.starts[0].at);
}

/// The solids of a map with a layer of tiles of this set: the points of each, sorted.
fn solids_of(tileset: &str, (width, height): (u32, u32), tiles: &str) -> Vec<Vec<[f64; 2]>> {
    let folder = game(&map(&format!(
        " <tileset firstgid=\"1\" source=\"set.tsx\"/>\n <layer id=\"1\" width=\"{width}\" height=\"{height}\">\
         <data encoding=\"csv\">{tiles}</data></layer>\n"
    )));
    folder.write("levels/set.tsx", tileset);
    let found = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let sorted = |points: Vec<[f64; 2]>| {
        let mut points = points;
        points.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        points
    };
    let solids = found.stage.level.terrain.solids().iter();
    let mut solids: Vec<_> = solids.map(|solid| sorted(solid.points.iter().map(|p| p.to_array()).collect())).collect();
    solids.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
    solids
}

#[test]
fn cells_become_few_rectangles_that_cover_each_cell_once() {
    let found = solids_of(TILESET, (4, 3), "1,1,0,1,\n1,1,0,1,\n1,1,1,1");
    let block = |column: f64, row: f64, columns: f64, rows: f64| {
        let (left, right) = (16.0 * column, 16.0 * (column + columns));
        let (top, bottom) = (-16.0 * row, -16.0 * (row + rows));
        vec![[left, bottom], [left, top], [right, bottom], [right, top]]
    };
    assert_eq!(found, [block(0.0, 2.0, 4.0, 1.0), block(0.0, 0.0, 2.0, 2.0), block(3.0, 0.0, 1.0, 2.0)]);
}

#[test]
fn lines_that_continue_each_other_become_one() {
    let tile = |id: u32, ends: &[u32]| {
        let line = |end: &u32| {
            format!("<object id=\"1\" type=\"one_way\" x=\"0\" y=\"0\"><polyline points=\"0,0 16,{end}\"/></object>")
        };
        let lines: String = ends.iter().map(line).collect();
        format!("<tile id=\"{id}\"><objectgroup id=\"1\">{lines}</objectgroup></tile>")
    };
    let tileset = format!(
        "<tileset name=\"set\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"3\" columns=\"3\">{}{}{}</tileset>",
        tile(0, &[0]),
        tile(1, &[8]),
        tile(2, &[0, 4])
    );
    let found = solids_of(&tileset, (5, 1), "1,1,2,0,1");
    let whole = vec![[0.0, 0.0], [16.0, 0.0], [32.0, 0.0], [48.0, -8.0]];
    assert_eq!(found, [whole, vec![[64.0, 0.0], [80.0, 0.0]]]);
    // Two that start at the same point stay two.
    assert_eq!(solids_of(&tileset, (2, 1), "1,3").len(), 2);
}

#[test]
fn objects_are_rotated_clockwise_around_their_positions() {
    for (rotation, point, expected) in [
        (90.0, "3,1", [99.0, -103.0]),
        (-90.0, "3,1", [101.0, -97.0]),
        (540.0, "3,1", [97.0, -99.0]),
        (45.0, "2,0", [100.0 + 2.0_f64.sqrt(), -100.0 - 2.0_f64.sqrt()]),
    ] {
        let object = format!(
            "  <object id=\"1\" x=\"100\" y=\"100\" rotation=\"{rotation}\"><polygon points=\"0,0 {point} 0,5\"/></object>\n"
        );
        let folder = game(&map(&layer(&object)));
        let found = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let points = &found.stage.level.terrain.solids()[0].points;
        let is_near = |at: &glam::DVec2| at.distance(expected.into()) < 1e-12;
        assert!(points.iter().any(is_near), "{rotation}: {points:?}");
    }
}

#[test]
fn exported_points_read_back_exactly() {
    let toml = "[[solid]]\npoints = [[0.1, 0.2], [0.3, 0.7], [1e-7, 9999.3]]\n\
                [[solid]]\npoints = [[100.0, 50.5], [-3.25, 8.0], [0.0, 0.0]]\n\
                [[solid]]\npoints = [[0.3333333333333333, 0.6666666666666666], [9000.1, 0.1], [-0.1, 0.3]]\n\
                [[solid]]\npoints = [[0.0, 0.0], [40.0, 0.0], [40.0, -8.0], [0.0, -8.0]]\n\
                [[solid]]\npoints = [[0.0, -18.0], [30.0, -18.0], [30.0, -10.0], [0.0, -10.0]]\n";
    let folder = game("");
    folder.write("levels/points.toml", toml);
    let written = export_level(&folder.root().into(), &folder.path("levels/points.toml"), Some(LevelFormat::Tmx));
    let written = written.unwrap_or_else(|wrong| panic!("{wrong}"));
    // Only rectangles from the top left corner on, clockwise, are drawn as such.
    assert_eq!(written.text.matches("width=\"40\" height=\"8\"").count(), 1, "{}", written.text);
    assert_eq!(written.text.matches("<polygon").count(), 4, "{}", written.text);
    folder.write("levels/level.tmx", &written.text);
    let read = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let points = |revision: &Revision| {
        let solids = revision.stage.level.terrain.solids().iter();
        solids.map(|solid| solid.points.clone()).collect::<Vec<_>>()
    };
    assert_eq!(points(&read), points(&written.revision));
}

#[test]
fn every_encoding_of_tiles_gives_the_same_level() {
    let of = |data: &str, infinite: &str| {
        let text = map(&format!(
            " <tileset firstgid=\"1\" source=\"set.tsx\"/>\n <layer id=\"1\" width=\"2\" height=\"2\">\n{data} </layer>\n"
        ));
        text.replace("infinite=\"0\"", infinite)
    };
    // Tiles 1 0 / 1 4, little-endian, as Tiled packs them.
    let plain = "AQAAAAAAAAABAAAABAAAAA==";
    let zlib = "eJxjZIAARiBmAWIAADgABw==";
    let gzip = "H4sIAAAAAAACA2NkgABGIGYBYgANTRsBEAAAAA==";
    let all = [
        of("<data encoding=\"csv\">1,0,\n1,4</data>", "infinite=\"0\""),
        of(&format!("<data encoding=\"base64\">\n  {plain}\n</data>"), "infinite=\"0\""),
        of(&format!("<data encoding=\"base64\" compression=\"zlib\">{zlib}</data>"), "infinite=\"0\""),
        of(&format!("<data encoding=\"base64\" compression=\"gzip\">{gzip}</data>"), "infinite=\"0\""),
        of(
            "<data encoding=\"csv\"><chunk x=\"0\" y=\"0\" width=\"2\" height=\"1\">1,0</chunk>\
             <chunk x=\"0\" y=\"1\" width=\"2\" height=\"1\">1,4</chunk></data>",
            "infinite=\"1\"",
        ),
    ];
    let read = |text: &String| {
        let folder = game(text);
        let found = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{text}\n{wrong:?}"));
        described(&found)
    };
    let first = read(&all[0]);
    for other in &all[1..] {
        assert_eq!(read(other), first, "{other}");
    }
}

#[test]
fn chunks_left_of_the_origin_lie_there() {
    let text = map(
        " <tileset firstgid=\"1\" source=\"set.tsx\"/>\n <layer id=\"1\" width=\"2\" height=\"2\"><data encoding=\"csv\">\
         <chunk x=\"-16\" y=\"-32\" width=\"1\" height=\"1\">1</chunk></data></layer>\n",
    );
    let folder = game(&text.replace("infinite=\"0\"", "infinite=\"1\""));
    let found = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let bounds = found.stage.level.terrain.solids()[0].bounds;
    // Column -16 and row -32 of 16 px each; y points up.
    assert_eq!((bounds.min.x, bounds.max.x), (-256.0, -240.0));
    assert_eq!((bounds.min.y, bounds.max.y), (496.0, 512.0));
}

#[test]
fn templates_groups_and_layers_add_what_objects_leave_out() {
    let text = map(r#" <properties><property name="view" value="top"/></properties>
 <group id="1" name="all" offsetx="10" offsety="20">
  <properties><property name="top" type="float" value="24"/></properties>
  <objectgroup id="2" name="blocks" offsetx="5">
   <properties><property name="surface" value="ice"/></properties>
   <object id="1" name="low" x="0" y="0" width="10" height="10"/>
   <object id="2" name="high" x="0" y="50" width="10" height="10">
    <properties><property name="top" type="float" value="60"/></properties>
   </object>
  </objectgroup>
  <objectgroup id="3" name="life" class="hero">
   <object id="3" template="hero.tx" x="100" y="100"/>
   <object id="4" name="other" x="200" y="100" width="20" height="10">
    <ellipse/>
   </object>
  </objectgroup>
 </group>
"#);
    let folder = game(&text);
    folder.write(
        "levels/hero.tx",
        r#"<?xml version="1.0" encoding="UTF-8"?>
<template>
 <object name="first" width="8" height="6">
  <properties>
   <property name="player" type="int" value="1"/>
   <property name="z" type="float" value="7"/>
  </properties>
 </object>
</template>
"#,
    );
    let found = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let level = &found.stage.level;
    assert_eq!(level.view, View::Top);
    let solids = level.terrain.solids();
    let tops: Vec<f64> = solids.iter().map(|solid| solid.top).collect();
    assert_eq!(tops, [24.0, 60.0]);
    assert!(solids.iter().all(|s| &**level.surface_name(s.surface) == "ice"));
    assert_eq!((solids[0].bounds.min.x, solids[0].bounds.max.y), (15.0, -20.0));
    let starts = &found.stage.starts;
    assert_eq!(&*starts[0].name, "first");
    assert_eq!((starts[0].at.x, starts[0].at.y, starts[0].z), (114.0, -123.0, 7.0));
    assert_eq!((starts[1].at.x, starts[1].at.y), (220.0, -125.0));
    assert_eq!(starts[0].player, Some(1));
}

#[test]
fn an_ellipse_becomes_a_polygon_with_32_corners() {
    let objects = layer("  <object id=\"1\" x=\"10\" y=\"20\" width=\"40\" height=\"30\"><ellipse/></object>\n");
    let folder = game(&map(&objects));
    let found = open(&folder, "levels/level.tmx").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let points = &found.stage.level.terrain.solids()[0].points;
    assert_eq!(points.len(), 32);
    for point in points {
        let (x, y) = ((point.x - 30.0) / 20.0, (point.y + 35.0) / 15.0);
        assert!((x * x + y * y - 1.0).abs() < 1e-12, "{point}");
    }
}

#[test]
fn a_map_is_found_by_its_name_but_toml_first() {
    let folder = game(&map(&layer("  <object id=\"1\" x=\"0\" y=\"0\" width=\"4\" height=\"3\"/>\n")));
    let project = Project::load(folder.root()).expect("a folder");
    let found = project.find_level("level").expect("a level");
    assert_eq!(found, folder.path("levels/level.tmx"));
    assert_eq!(project.levels(), [folder.path("levels/level.tmx")]);
    let wrong = project.find_level("levl").err().map(|e| e.to_string()).unwrap_or_default();
    assert!(wrong.contains("did you mean `level`"), "{wrong}");
    folder.write("levels/level.toml", crate::folder::LEVEL);
    let found = project.find_level("level").expect("a level");
    assert_eq!(found, folder.path("levels/level.toml"));
    let warnings: Vec<String> = folder.wrong();
    let warned = warnings
        .iter()
        .any(|w| w.starts_with("levels/level.tmx: warning: ") && w.contains("same name"));
    assert!(warned, "{warnings:?}");
    let found = project.find_level("level.tmx").expect("a level");
    assert_eq!(found, folder.path("levels/level.tmx"));
}
