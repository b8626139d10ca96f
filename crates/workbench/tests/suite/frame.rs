//! What a picture of the workbench shows: overlays and the page of keys.

use crate::folder::{Folder, on_large_stack};
use crate::workbench_case::Case;
use hangtime_core::models::Action;
use hangtime_draw::{Overlay, key_pages};
use hangtime_workbench::{BenchFrame, WindowKey, described_keys};
use tiny_skia::Pixmap;

/// A frame that has seen a running body, in pictures of this size.
fn frame_of(size: (u32, u32)) -> BenchFrame {
    let mut case = Case::of(Folder::with_script(""));
    let mut frame = BenchFrame::new(case.bench.revision().clone());
    frame.resize(size);
    case.hold(&[Action::Right]);
    for _ in 0..10 {
        case.frames(1);
        let live = case.bench.live();
        frame.follow(live, live.views().collect(), case.now());
    }
    // An overlay shows what is read next.
    frame.read(case.bench.live());
    frame
}

fn shot(frame: &BenchFrame, (width, height): (u32, u32)) -> Pixmap {
    let mut canvas = Pixmap::new(width, height).expect("a size above 0");
    frame.paint(&mut canvas, &[], 0.0);
    canvas
}

#[test]
fn a_key_switches_one_overlay_and_another_one_all_of_them() {
    on_large_stack(|| {
        let size = (640, 360);
        let mut frame = frame_of(size);
        let plain = shot(&frame, size);
        assert!(frame.press(WindowKey::Overlay(Overlay::Velocity)));
        let one = shot(&frame, size);
        assert!(one != plain);
        assert!(frame.press(WindowKey::Overlays));
        assert!(shot(&frame, size) == plain);
        assert!(frame.press(WindowKey::Overlays));
        let all = shot(&frame, size);
        assert!(all != plain && all != one);
        assert!(!frame.press(WindowKey::Pause));
    });
}

#[test]
fn the_page_of_keys_covers_the_game_until_its_key_is_pressed_after_the_last_page() {
    on_large_stack(|| {
        for size in [(640, 360), (320, 180)] {
            let mut frame = frame_of(size);
            let plain = shot(&frame, size);
            let mut seen = vec![plain.clone()];
            loop {
                assert!(frame.press(WindowKey::Help));
                let next = shot(&frame, size);
                if next == plain {
                    break;
                }
                assert!(!seen.contains(&next), "a page twice");
                seen.push(next);
            }
            let keys = described_keys(&frame.revision.config.keys).len();
            assert_eq!(seen.len(), key_pages(keys, size) + 1);
            // Escape closes any page.
            assert!(!frame.close_page());
            assert!(frame.press(WindowKey::Help));
            assert!(frame.close_page());
            assert!(shot(&frame, size) == plain);
        }
    });
}
