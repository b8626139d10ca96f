//! A list from which something is chosen.

use hangtime_draw::{menu_row_at, paint_menu};
use tiny_skia::Pixmap;

#[test]
fn a_click_hits_the_row_that_is_painted_there() {
    for count in [1, 5, 12, 40] {
        let rows: Vec<String> = (0..count).map(|_| String::from("level")).collect();
        for chosen in 0..count {
            let mut canvas = Pixmap::new(160, 180).expect("a size above 0");
            paint_menu(&mut canvas, "", &rows, chosen);
            // The chosen row alone has a mark at its left edge.
            let marked = |y: u32| (10..15).any(|x| canvas.pixel(x, y) != canvas.pixel(150, y));
            let marks: Vec<u32> = (0..180).filter(|y| marked(*y)).collect();
            assert!(!marks.is_empty(), "{chosen} of {count} is not shown");
            for y in marks {
                let row = menu_row_at(count, chosen, 180, f64::from(y));
                assert_eq!(row, Some(chosen), "{chosen} of {count} at {y}");
            }
        }
        assert_eq!(menu_row_at(count, 0, 180, 0.0), None);
        assert_eq!(menu_row_at(count, 0, 180, 179.5), None);
    }
}
