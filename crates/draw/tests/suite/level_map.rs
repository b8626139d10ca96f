//! Maps of levels.

use crate::draw::Scene;
use glam::dvec2;
use hangtime_draw::{LevelMap, MapMark, MarkTone, Show, paint_map};

/// The colors of the texts of places that are good, and of the others.
const GOOD: [u8; 3] = [0x78, 0xec, 0x96];
const BAD: [u8; 3] = [0xf8, 0x84, 0xb0];

#[test]
fn names_of_places_next_to_each_other_do_not_cover_each_other() {
    // The map shows what the solids are around.
    let solid = |y: i32| format!("[[solid]]\npoints = [[0, {y}], [800, {y}], [800, {0}], [0, {0}]]\n", y + 10);
    let level = format!("bounds = [0, 0, 800, 600]\n{}{}", solid(0), solid(590));
    let scene = Scene::of(&level, "script = \"hidden.rhai\"");
    let count = |marks: &[MapMark], color: [u8; 3]| {
        let map = LevelMap { marks: marks.to_vec(), ..LevelMap::default() };
        let canvas = paint_map(&scene.picture(&[], Show::default(), 0.0), &map);
        canvas.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == color).count()
    };
    // In the middle, and at the right end, where texts are moved to the left.
    for x in [200.0, 795.0] {
        // From the same place to where the texts touch no more.
        for apart in [0.0, 3.0, 9.0, 40.0] {
            let mark = |y: f64, tone| MapMark {
                at: dvec2(x, y),
                text: "a name that is longer than most names are".into(),
                tone,
            };
            let [first, second] = [mark(300.0, MarkTone::Reached), mark(300.0 - apart, MarkTone::Missed)];
            let both = [first, second];
            let [alone, below] = [count(&both[..1], GOOD), count(&both[1..], BAD)];
            assert!(alone > 500 && below > 500, "{alone} and {below} pixels of text");
            // The dot of the second may cover the first one's, which is 5 by 5 to 17 by 17 pixels.
            assert!(count(&both, GOOD) + 17 * 17 >= alone, "{apart} px below, the second name covers the first");
            // Where the dots meet, their edges mix.
            assert!(count(&both, BAD).abs_diff(below) <= 8, "{apart} px below, the second name is not whole");
        }
    }
    // As many names in one place as there is no room for.
    let many = vec![MapMark { at: dvec2(400.0, 300.0), text: "name".into(), tone: MarkTone::Reached }; 2_000];
    assert!(count(&many, GOOD) > 0);
}
