//! Tiles that scripts break: what is left is the ground of a map without them, edge for edge.

use crate::{
    common::{RATES, near},
    ground::{BODY, Ground, Play, tried},
};
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::polygon,
    level::{BrokenTile, Level, LevelChanges, MapCell, Solid, SurfaceId, TileLayer, View, blocks_of, chains_of},
    models::Action,
    sim::{Command, EntityId, SavedWorld, World},
};
use proptest::prelude::*;
use std::{collections::BTreeSet, ops::Range, sync::Arc};

const CELL: DVec2 = DVec2::new(16.0, 12.0);

/// What a cell of a map has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tile {
    Nothing,
    Whole,
    /// A slope in the cell.
    Slope,
    /// A one-way platform along its upper side.
    Plank,
}

/// The solids of a layer of tiles, as a map becomes solids, and which tiles they are.
fn layer_of(cells: &[(MapCell, Tile)], corner: DVec2) -> (Vec<Solid>, TileLayer) {
    let place = |row: f64, column: f64| corner + dvec2(column, -row) * CELL;
    let all = |wanted: Tile| cells.iter().filter(move |(_, tile)| *tile == wanted).map(|(cell, _)| *cell);
    let mut layer = TileLayer { name: "tiles".into(), corner, cell: CELL, ..TileLayer::default() };
    let mut solids: Vec<Solid> = Vec::new();
    let outline = |points: &[DVec2]| polygon::outline(points).expect("a polygon");
    for cell in all(Tile::Slope) {
        let [row, column] = cell.map(f64::from);
        layer.tiles.push((cell, solids.len() as u32));
        let points = [place(row + 1.0, column), place(row + 1.0, column + 1.0), place(row, column + 1.0)];
        solids.push(Solid::new(format!("solid {}", solids.len()).into(), SurfaceId(0), outline(&points)));
    }
    let first = solids.len() as u32;
    for block in blocks_of(&all(Tile::Whole).collect::<Vec<_>>(), usize::MAX) {
        layer.tiles.extend(block.cells().map(|cell| (cell, solids.len() as u32)));
        let points = block.corners(CELL).map(|point| corner + point * dvec2(1.0, -1.0));
        solids.push(Solid::new(format!("solid {}", solids.len()).into(), SurfaceId(0), outline(&points)));
    }
    layer.blocks.push(first..solids.len() as u32);
    let planks: Vec<MapCell> = all(Tile::Plank).collect();
    let lines = planks.iter().map(|cell| {
        let [row, column] = cell.map(f64::from);
        vec![place(row, column), place(row, column + 1.0)]
    });
    let lines: Vec<Vec<DVec2>> = lines.collect();
    for (parts, line) in chains_of(&lines.iter().map(|line| &line[..]).collect::<Vec<_>>()) {
        let solid = solids.len() as u32;
        layer.lines.extend(parts.iter().map(|part| (planks[*part], solid, lines[*part].clone())));
        let line = polygon::one_way(&line).expect("a line");
        solids.push(Solid::one_way(format!("solid {solid}").into(), SurfaceId(0), line));
    }
    layer.tiles.sort_unstable();
    layer.lines.sort_by_key(|(cell, solid, _)| (*cell, *solid));
    layer.solids = 0..solids.len() as u32;
    (solids, layer)
}

fn level_of(cells: &[(MapCell, Tile)], corner: DVec2) -> Level {
    let (solids, layer) = layer_of(cells, corner);
    Level { tiles: Arc::new([layer]), ..Level::new("map", View::Side, solids, vec!["stone".into()]) }
}

/// The edges of a level, each with its neighbors, in an order that does not depend on its solids.
fn edges_of(level: &Level) -> Vec<String> {
    let edges = level.terrain.edges();
    let mut all: Vec<String> = edges
        .iter()
        .map(|edge| {
            let neighbors = [edge.before, edge.after].map(|index| edges[index as usize].face.start);
            format!("{:?} {:?} {:?} {:?} {:?} {neighbors:?}", edge.face, edge.end, edge.bend, edge.side, edge.tip)
        })
        .collect();
    all.sort();
    all
}

fn broken(level: &Arc<Level>, cells: &BTreeSet<MapCell>) -> LevelChanges {
    let mut changes = LevelChanges::at_start(level.terrain.solids(), 0);
    let has = |cell: &&MapCell| level.tiles[0].has(**cell);
    changes.broken = cells.iter().filter(has).map(|cell| BrokenTile { layer: 0, cell: *cell }).collect();
    changes.build(level);
    changes
}

fn map(rows: Range<usize>, columns: Range<usize>) -> impl Strategy<Value = Vec<(MapCell, Tile)>> {
    let tile = prop_oneof![
        3 => Just(Tile::Nothing), 6 => Just(Tile::Whole), 1 => Just(Tile::Slope), 2 => Just(Tile::Plank)
    ];
    (rows, columns).prop_flat_map(move |(rows, columns)| {
        prop::collection::vec(tile.clone(), rows * columns).prop_map(move |tiles| {
            let cell = |place: usize| [(place / columns) as i32 - 2, (place % columns) as i32 - 3];
            tiles.into_iter().enumerate().map(|(place, tile)| (cell(place), tile)).collect()
        })
    })
}

proptest! {
    #![proptest_config(tried(60))]

    #[test]
    fn in_a_large_map_only_what_is_near_broken_tiles_is_joined_again_and_the_edges_are_the_same(
        cells in map(24..40, 24..40),
        holes in prop::collection::btree_set((-2..38_i32, -3..37_i32).prop_map(|(row, column)| [row, column]), 1..6),
    ) {
        let level = Arc::new(level_of(&cells, DVec2::ZERO));
        let left: Vec<(MapCell, Tile)> = cells.iter().filter(|(cell, _)| !holes.contains(cell)).copied().collect();
        let changes = broken(&level, &holes);
        prop_assert_eq!(edges_of(changes.level(&level)), edges_of(&level_of(&left, DVec2::ZERO)));
    }
}

proptest! {
    #![proptest_config(tried(400))]

    #[test]
    fn a_map_without_its_broken_tiles_has_the_same_edges_as_one_that_never_had_them(
        cells in map(1..9, 1..12),
        holes in prop::collection::btree_set((-2..7_i32, -3..9_i32).prop_map(|(row, column)| [row, column]), 1..12),
        corner in (-50..50_i32, -50..50_i32).prop_map(|(x, y)| dvec2(f64::from(x), f64::from(y))),
    ) {
        let level = Arc::new(level_of(&cells, corner));
        let left: Vec<(MapCell, Tile)> = cells.iter().filter(|(cell, _)| !holes.contains(cell)).copied().collect();
        let fresh = level_of(&left, corner);
        let changes = broken(&level, &holes);
        prop_assert_eq!(edges_of(changes.level(&level)), edges_of(&fresh));
        // One after the other leads to the same level.
        let mut step_by_step = LevelChanges::at_start(level.terrain.solids(), 0);
        for tile in changes.broken.iter().rev() {
            step_by_step.broken.push(*tile);
            step_by_step.broken.sort_unstable();
            step_by_step.build(&level);
        }
        let text = |changes: &LevelChanges| format!("{:?}", changes.level(&level).terrain.edges());
        prop_assert_eq!(text(&step_by_step), text(&changes));
    }
}

/// A floor of tiles from x = 0 on, 40 tiles long and three deep, whose top is at y = 0.
fn floor(hz: u32) -> Play {
    let cells: Vec<(MapCell, Tile)> =
        (0..3).flat_map(|row| (0..40).map(move |column| ([row, column], Tile::Whole))).collect();
    let mut play = Ground::none(hz).at(100.0, BODY.half.y).play();
    let level = Level { surfaces: play.stage.level.surfaces.clone(), ..level_of(&cells, DVec2::ZERO) };
    play.stage.level = Arc::new(level);
    play.world = World::new(&play.stage, 0);
    play
}

fn break_tile(play: &mut Play, x: f64, y: f64) {
    play.world.order(&play.stage, EntityId(1), &Command::BreakTile(dvec2(x, y)));
}

#[test]
fn a_body_runs_over_a_floor_with_broken_tiles_below_its_surface_as_over_a_whole_one() {
    for hz in RATES {
        let (mut play, mut whole) = (floor(hz), floor(hz));
        for play in [&mut play, &mut whole] {
            play.hold(Action::Right);
        }
        for tick in 0..hz / 2 {
            if tick % 4 == 0 {
                break_tile(&mut play, 8.0 + 16.0 * f64::from(tick % 39), -18.0);
            }
            let (hero, other) = (play.tick(), whole.tick());
            assert_eq!((hero.pos, hero.vel, hero.grounded), (other.pos, other.vel, other.grounded), "at {hz} Hz");
        }
        assert_eq!(play.told("leave_ground") + play.told("hit"), 0);
        assert!(!play.world.changes().broken.is_empty());
    }
}

#[test]
fn a_body_falls_through_a_hole_of_broken_tiles_and_lands_where_the_next_one_is_whole() {
    for hz in RATES {
        let mut play = floor(hz);
        play.run(0.1);
        // It stands on the tiles from 80 to 128.
        for x in [72.0, 88.0, 104.0, 120.0, 136.0] {
            break_tile(&mut play, x, -6.0);
        }
        play.run(0.5);
        near(play.hero().pos.y, BODY.half.y - 12.0, 1e-3);
        assert_eq!((play.told("leave_ground"), play.told("land")), (1, 1));
        // Broken twice, and where there is none.
        for (x, y) in [(104.0, -6.0), (104.0, 40.0), (-9e9, 9e9), (f64::NAN, 0.0), (f64::INFINITY, 0.0)] {
            break_tile(&mut play, x, y);
        }
        play.tick();
        assert_eq!(play.world.changes().broken.len(), 5);
        let saved: SavedWorld =
            serde_json::from_value(serde_json::to_value(&play.world).expect("saved")).expect("read");
        let restored = saved.check(&play.stage).expect("it is right");
        assert_eq!((restored.hash(), &restored), (play.world.hash(), &play.world));
        let edges = |world: &World| edges_of(world.level(&play.stage));
        assert_eq!(edges(&restored), edges(&play.world));
    }
}
