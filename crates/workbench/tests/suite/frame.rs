//! What a picture of the workbench shows: overlays and the page of keys.

use crate::{
    folder::{Folder, on_large_stack},
    workbench_case::Case,
};
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
            let keys = described_keys(&frame.revision.config.keys);
            assert_eq!(seen.len(), key_pages(&keys, size) + 1);
            // Escape closes any page.
            assert!(!frame.close_page());
            assert!(frame.press(WindowKey::Help));
            assert!(frame.close_page());
            assert!(shot(&frame, size) == plain);
        }
    });
}

#[test]
fn the_page_of_keys_does_not_come_back_when_the_picture_gets_another_size() {
    on_large_stack(|| {
        let sizes = [(640, 360), (280, 360), (320, 180)];
        for opened in sizes {
            for then in sizes {
                let mut frame = frame_of(opened);
                let keys = described_keys(&frame.revision.config.keys);
                for _ in 0..=key_pages(&keys, opened) {
                    assert!(frame.press(WindowKey::Help));
                }
                // It has been closed with its key. The tuning panel takes room, and gives it back.
                frame.resize(then);
                let [closed, mut plain] = [frame.clone(), frame.clone()];
                assert!(!plain.close_page(), "{opened:?} {then:?}");
                assert!(shot(&closed, then) == shot(&plain, then));
                // An open page stays open, and its key closes it after the last one.
                assert!(frame.press(WindowKey::Help));
                frame.resize(opened);
                assert!(frame.clone().close_page());
            }
        }
    });
}

#[test]
fn all_pages_of_keys_are_about_equally_long() {
    on_large_stack(|| {
        let size = (640, 360);
        let mut frame = frame_of(size);
        let plain = shot(&frame, size);
        let mut rows = Vec::new();
        loop {
            frame.press(WindowKey::Help);
            let page = shot(&frame, size);
            if page == plain {
                break;
            }
            // The color of keys, in each row of the page.
            let green = |y: u32| (0..640).any(|x| page.pixel(x, y).is_some_and(|p| p.green() > 200 && p.red() < 160));
            rows.push((0..360 / 14).filter(|row| (0..14).any(|y| green(row * 14 + y))).count());
        }
        let (least, most) = (rows.iter().min(), rows.iter().max());
        assert!(least.zip(most).is_some_and(|(least, most)| most - least <= 2), "{rows:?}");
    });
}

#[test]
fn a_picture_of_a_paused_game_is_the_same_until_something_changes() {
    on_large_stack(|| {
        let mut frame = frame_of((640, 360));
        let shown = frame.clone();
        assert!(!frame.looks_like(&shown), "time runs");
        frame.bench.paused = true;
        let shown = frame.clone();
        assert!(frame.looks_like(&shown));
        let differs: [fn(&mut BenchFrame); 7] = [
            |frame| frame.zoom_by(1.5),
            |frame| frame.alert = "not saved".into(),
            |frame| frame.bench.banner = "wrong".into(),
            |frame| frame.bench.status = "tick 4".into(),
            |frame| _ = frame.press(WindowKey::Help),
            |frame| _ = frame.press(WindowKey::Overlay(Overlay::Velocity)),
            |frame| frame.resize((280, 360)),
        ];
        for change in differs {
            let mut frame = shown.clone();
            change(&mut frame);
            assert!(!frame.looks_like(&shown));
        }
        // Reading the same tick for the same overlays changes nothing.
        let mut case = Case::of(Folder::with_script(""));
        case.frames(1);
        frame.press(WindowKey::Overlay(Overlay::Rests));
        frame.read(case.bench.live());
        let shown = frame.clone();
        frame.read(case.bench.live());
        assert!(frame.looks_like(&shown));
    });
}
