//! Tests of `src/files/maps/common/tile_set.rs`.

use super::TileFlips;
use glam::dvec2;

#[test]
fn flips_move_the_corners_of_a_tile_as_tiled_draws_them() {
    let size = dvec2(16.0, 10.0);
    // Tiled rotates a tile clockwise by flipping it over the diagonal and then horizontally: the top left
    // corner becomes the top right one.
    let clockwise = TileFlips { diagonal: true, horizontal: true, vertical: false };
    assert_eq!(clockwise.apply(dvec2(0.0, 0.0), size), dvec2(10.0, 0.0));
    assert_eq!(clockwise.apply(dvec2(16.0, 0.0), size), dvec2(10.0, 16.0));
    assert_eq!(clockwise.apply(dvec2(16.0, 10.0), size), dvec2(0.0, 16.0));
    let half_turn = TileFlips { diagonal: false, horizontal: true, vertical: true };
    assert_eq!(half_turn.apply(dvec2(3.0, 2.0), size), dvec2(13.0, 8.0));
    assert_eq!(TileFlips::default().apply(dvec2(3.0, 2.0), size), dvec2(3.0, 2.0));
}
