//! Films of the workbench, decoded picture by picture.

use crate::{
    folder::on_large_stack,
    workbench_case::{Case, hero},
};
use hangtime_core::models::Action;
use hangtime_workbench::WindowKey;

const HERO: &str = "config/entities/hero.toml";
const SIZE: (usize, usize) = (640, 360);

/// The colors of the newest path and of older ones.
const NEW_PATH: [u8; 3] = [120, 236, 150];
const OLD_PATH: [u8; 3] = [248, 132, 176];

type Shot = Vec<[u8; 3]>;

/// The pictures of a GIF, each with how long it is shown, in hundredths of a second.
fn pictures(film: &[u8]) -> Vec<(Shot, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(film).expect("a GIF");
    let mut shown = vec![[0; 3]; SIZE.0 * SIZE.1];
    let mut found = Vec::new();
    while let Some(frame) = decoder.read_next_frame().expect("whole pictures") {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        let rows = frame.buffer.chunks_exact(4 * usize::from(frame.width));
        for (y, row) in (top..).zip(rows) {
            for (x, pixel) in (left..).zip(row.chunks_exact(4)) {
                if pixel[3] > 0 {
                    shown[y * SIZE.0 + x] = [pixel[0], pixel[1], pixel[2]];
                }
            }
        }
        found.push((shown.clone(), frame.delay));
    }
    found
}

/// The pictures of a session in which an edit lowers a jump while it is repeated.
fn filmed(hidden: bool) -> Vec<(Shot, u16)> {
    let mut case = Case::at(60);
    case.edit(HERO, &hero("jump_speed = 500")).expect("good");
    case.frames(30);
    if hidden {
        case.bench.press(WindowKey::Ghosts);
    }
    case.hold(&[Action::Jump, Action::Right]);
    case.frames(60);
    case.tap(WindowKey::Pause);
    case.edit(HERO, &hero("jump_speed = 300")).expect("good");
    case.wait();
    case.tap(WindowKey::SaveGif);
    case.wait();
    let film = std::fs::read(case.films().join("level-1.gif")).expect("a film");
    pictures(&film)
}

/// The number of pixels below the lines of text that are much nearer to a color than without it. An older path
/// is translucent, and a GIF has few colors.
fn nearer(picture: &Shot, without: &Shot, color: [u8; 3]) -> usize {
    let far = |own: &[u8; 3]| own.iter().zip(color).map(|(a, b)| i32::from(a.abs_diff(b))).sum::<i32>();
    let pairs = picture.iter().zip(without).skip(120 * SIZE.0);
    let gains = pairs.map(|(own, plain)| -> i32 { far(plain) - far(own) });
    gains.filter(|gain| *gain > 60).count()
}

#[test]
fn a_film_shows_the_ghosts_where_the_window_showed_them() {
    on_large_stack(|| {
        let (with, without) = (filmed(false), filmed(true));
        // The ghosts of the edit appear at the end, while time stands still, and are held for 2 s.
        let (last, held) = with.last().expect("pictures");
        assert!(*held >= 200, "{held}");
        let (plain, _) = without.last().expect("pictures");
        for color in [NEW_PATH, OLD_PATH] {
            let more = nearer(last, plain, color);
            assert!(more > 60, "{more} pixels of {color:?}");
        }
        // Up to then the films are the same.
        let before = &with[..with.len() - 1];
        assert!(before.len() > 20 && before.len() <= without.len());
        assert!(before.iter().zip(&without).all(|(a, b)| a.0 == b.0));
    });
}
