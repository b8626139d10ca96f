//! Ghosts over a picture, compared pixel by pixel.

use crate::folder::Folder;
use glam::{DVec2, dvec2};
use hangtime_core::{
    geometry::{Collider, ColliderForm},
    sim::EntityView,
};
use hangtime_draw::{
    GhostOutline, GhostPicture, GhostShape, NoteRoom, NoteRow, NoteTone, Picture, Show, paint, paint_ghosts,
    paint_notes,
};
use tiny_skia::{Pixmap, PremultipliedColorU8};

const LEVEL: &str = "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\n";

/// A picture of a plain around (0, 0), with and without ghosts.
fn pictures(ghosts: &GhostPicture) -> [Pixmap; 2] {
    let folder = Folder::empty();
    folder.write("config/entities/hero.toml", "model = \"topdown\"\n");
    folder.write("levels/level.toml", LEVEL);
    let live = folder.game().live;
    let bodies: Vec<EntityView> = live.views().collect();
    let picture = Picture {
        level: &live.revision().stage.level,
        time: 0.0,
        changes: live.world().changes(),
        bodies: &bodies,
        hud: "",
        banner: "",
        why: "",
        show: Show::default(),
    };
    let mut plain = Pixmap::new(400, 300).expect("a size above 0");
    paint(&mut plain, &picture);
    let mut with = plain.clone();
    paint_ghosts(&mut with, &picture, ghosts);
    [plain, with]
}

/// The color at a point of the level.
fn at(picture: &Pixmap, x: i32, y: i32) -> PremultipliedColorU8 {
    let pixel = picture.pixel((200 + x) as u32, (150 - y) as u32);
    pixel.expect("within the picture")
}

/// A path from west to east.
fn path(y: f64) -> Vec<DVec2> {
    (-60..=60).map(|x| dvec2(f64::from(x), y)).collect()
}

#[test]
fn each_version_has_its_path_and_older_ones_fade() {
    let ghosts = GhostPicture {
        paths: vec![(path(-90.0), 0.2), (path(-60.0), 0.7), (path(60.0), 1.0)],
        ..GhostPicture::default()
    };
    let [plain, with] = pictures(&ghosts);
    let change = |x: i32, y: i32| {
        let (a, b) = (at(&plain, x, y), at(&with, x, y));
        let parts = [(a.red(), b.red()), (a.green(), b.green()), (a.blue(), b.blue())];
        parts.iter().map(|(a, b)| u32::from(a.abs_diff(*b))).sum::<u32>()
    };
    for x in (-50..=50).step_by(10) {
        let [oldest, old, new] = [-90, -60, 60].map(|y| change(x, y));
        assert!(0 < oldest && oldest < old, "{oldest} {old} at {x}");
        assert!(new > 0 && at(&with, x, 60) != at(&with, x, -60));
        // Nothing between the paths.
        assert!([-75, -30, 30, 90].iter().all(|y| change(x, *y) == 0));
    }
    // The newest path covers what is behind it.
    assert_eq!(at(&with, -50, 60), at(&with, 50, 60));
}

#[test]
fn a_dot_marks_where_the_paths_part() {
    let without = GhostPicture { paths: vec![(path(0.0), 0.5), (path(60.0), 1.0)], ..GhostPicture::default() };
    let dotted = GhostPicture { parts_at: Some(dvec2(20.0, 60.0)), ..without.clone() };
    let ([_, without], [_, dotted]) = (pictures(&without), pictures(&dotted));
    assert_ne!(at(&dotted, 20, 60), at(&without, 20, 60));
    let differs = |x: i32, y: i32| at(&dotted, x, y) != at(&without, x, y);
    let found: Vec<(i32, i32)> = (-100..=100)
        .flat_map(|x| (-100..=100).map(move |y| (x, y)))
        .filter(|(x, y)| differs(*x, *y))
        .collect();
    assert!(found.iter().all(|(x, y)| (x - 20).abs() <= 6 && (y - 60).abs() <= 6));
    assert!(found.len() > 40, "{}", found.len());
}

#[test]
fn outlines_show_both_bodies_where_they_are_and_a_bracket_joins_them() {
    let half = dvec2(10.0, 19.0);
    for form in [ColliderForm::Ellipse, ColliderForm::Box] {
        let outline = |x: f64, is_new: bool| {
            let shape = GhostShape::Upright(Collider { half, form });
            GhostOutline { center: dvec2(x, 50.0), shape, is_new }
        };
        let ghosts =
            GhostPicture { outlines: vec![outline(-100.0, false), outline(-60.0, true)], ..GhostPicture::default() };
        let [plain, with] = pictures(&ghosts);
        let differs = |x: i32, y: i32| at(&plain, x, y) != at(&with, x, y);
        for x in [-100, -60] {
            // The rim is there, and the body is empty.
            assert!((68..=70).any(|y| differs(x, y)) && (30..=32).any(|y| differs(x, y)));
            assert!((44..56).all(|y| !differs(x, y)));
        }
        assert_ne!(at(&with, -100, 31), at(&with, -60, 31));
        // From one to the other, above both.
        assert!((-99..-61).all(|x| (72..=76).any(|y| differs(x, y))));
        let pieces = |points: &[[f64; 2]], is_new: bool| GhostOutline {
            center: dvec2(100.0, -50.0),
            shape: GhostShape::Pieces(vec![points.iter().map(|point| DVec2::from(*point)).collect()]),
            is_new,
        };
        let corners = [[-20.0, -10.0], [20.0, -10.0], [0.0, 30.0]];
        let outlines = vec![pieces(&corners, false), pieces(&corners, true)];
        let [plain, with] = pictures(&GhostPicture { outlines, ..GhostPicture::default() });
        let differs = |x: i32, y: i32| at(&plain, x, y) != at(&with, x, y);
        assert!((-62..=-58).any(|y| differs(100, y)) && !(-55..-35).any(|y| differs(100, y)));
    }
}

#[test]
fn what_differs_is_written_in_the_upper_right_corner() {
    let ghosts = GhostPicture {
        lines: vec!["apex 72.0 → 86.4 px".into(), "air time 0.500 → – s".into()],
        ..GhostPicture::default()
    };
    let [plain, with] = pictures(&ghosts);
    let differs = |x: u32, y: u32| plain.pixel(x, y) != with.pixel(x, y);
    // Two lines, and nothing in the rest of the picture.
    assert!((30..50).any(|y| (300..399).any(|x| differs(x, y))));
    assert!(!(80..300).any(|y| (0..400).any(|x| differs(x, y))));
    assert!(!(0..300).any(|y| (0..200).any(|x| differs(x, y))));
    let [plain, with] = pictures(&GhostPicture::default());
    assert_eq!(plain.data(), with.data());
}

/// All of a picture below its status line.
fn room(canvas: &Pixmap, at_top: bool) -> NoteRoom {
    NoteRoom { top: 22, bottom: canvas.height(), taken: 0, at_top }
}

#[test]
fn notes_are_at_the_left_edge_each_in_its_color_and_never_outside() {
    let row = |tone, length: usize| NoteRow { text: "x".repeat(length), tone };
    let rows = [row(NoteTone::Plain, 3), row(NoteTone::Good, 3), row(NoteTone::Warning, 3), row(NoteTone::Bad, 300)];
    let blank = Pixmap::new(400, 300).expect("a size above 0");
    for at_top in [false, true] {
        let mut canvas = blank.clone();
        paint_notes(&mut canvas, &rows, room(&blank, at_top));
        let changed: Vec<(u32, u32)> = (0..300)
            .flat_map(|y| (0..400).map(move |x| (x, y)))
            .filter(|(x, y)| canvas.pixel(*x, *y) != blank.pixel(*x, *y))
            .collect();
        let ys = changed.iter().map(|(_, y)| *y);
        let (least, most) = (ys.clone().min(), ys.max());
        let (least, most) = (least.expect("rows"), most.expect("rows"));
        // Three rows of 14 px, and one that is too long: it takes three lines and is cut.
        assert_eq!(most - least + 1, (3 + 3) * 14);
        assert!(if at_top { least < 30 } else { most > 290 });
        let widest = |row: u32| {
            let in_row = |y: u32| (y - least) / 14 == row;
            let xs = changed.iter().filter(|(_, y)| in_row(*y)).map(|(x, _)| *x);
            xs.max().expect("a row")
        };
        assert!((0..3).all(|row| widest(row) < 50));
        assert!((3..6).all(|row| widest(row) > 350));
        let brightest = |row: u32| {
            let pixels = (8..28).flat_map(|x| (0..14).map(move |y| (x, y)));
            let pixels = pixels.filter_map(|(x, y)| canvas.pixel(x, least + 14 * row + y));
            let bright = pixels.max_by_key(|p| u32::from(p.red()) + u32::from(p.green()));
            bright.map(|p| (p.red(), p.green(), p.blue()))
        };
        let colors: std::collections::BTreeSet<_> = (0..4).map(brightest).collect();
        assert_eq!(colors.len(), 4);
    }
    // More rows than fit.
    let mut small = Pixmap::new(60, 40).expect("a size above 0");
    let room_of_small = room(&small, true);
    paint_notes(&mut small, &vec![row(NoteTone::Good, 90); 50], room_of_small);
}

#[test]
fn texts_in_a_narrow_picture_continue_on_the_next_line() {
    let text = "edit config/models/platformer.toml:9 (jump_speed) and save to compare";
    let row = NoteRow { text: text.into(), tone: NoteTone::Plain };
    let bright = |canvas: &Pixmap| {
        let pixels = canvas.pixels().iter();
        pixels.filter(|p| p.red() > 200 && p.green() > 200).count()
    };
    let notes = |width: u32| {
        let mut canvas = Pixmap::new(width, 200).expect("a size above 0");
        let room = room(&canvas, false);
        paint_notes(&mut canvas, std::slice::from_ref(&row), room);
        bright(&canvas)
    };
    // Each character of the text is painted, however wide the picture is.
    let all = notes(640);
    assert!(all > 500);
    for width in [280, 400, 460] {
        assert_eq!(notes(width), all, "{width}");
    }
    // A status line does the same.
    let live = crate::folder::Folder::with_script("").game().live;
    let status = |width: u32, hud: &str| {
        let mut canvas = Pixmap::new(width, 200).expect("a size above 0");
        let picture = Picture {
            level: &live.revision().stage.level,
            time: 0.0,
            changes: live.world().changes(),
            bodies: &[],
            hud,
            banner: "",
            why: "",
            show: Show::default(),
        };
        paint(&mut canvas, &picture);
        canvas
    };
    for width in [280, 400, 460] {
        let [with, without] = [text, ""].map(|hud| status(width, hud));
        let second = |y: &u32| (0..width).any(|x| with.pixel(x, *y) != without.pixel(x, *y));
        let rows: Vec<u32> = (0..200).filter(second).collect();
        assert!(rows.iter().any(|y| *y > 5 + 14), "{width}: a second line");
        assert!(rows.iter().all(|y| *y < 5 + 3 * 14), "{width}: not more than needed");
    }
}

/// The pixels that differ between two pictures: their box as left, top, right, bottom.
fn box_of(one: &Pixmap, other: &Pixmap) -> Option<[u32; 4]> {
    let all = (0..one.height()).flat_map(|y| (0..one.width()).map(move |x| (x, y)));
    let differs = all.filter(|(x, y)| one.pixel(*x, *y) != other.pixel(*x, *y));
    differs.fold(None, |found: Option<[u32; 4]>, (x, y)| match found {
        None => Some([x, y, x, y]),
        Some([left, top, right, bottom]) => Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]),
    })
}

#[test]
fn notes_banner_measures_and_the_explanation_of_motion_print_over_none_of_the_others() {
    let live = crate::folder::Folder::with_script("").game().live;
    let measures =
        ["revision 1 → 2, last edit: the paths diverge after 0.35 s", "apex 72.0 → 86.4 px"].map(String::from);
    let ghosts = GhostPicture { lines: measures.into(), ..GhostPicture::default() };
    let rows = vec![NoteRow { text: "a line of the log that says a lot ".repeat(9), tone: NoteTone::Bad }; 4];
    let banner = "scripts/a.rhai:1:2: error: something\n".repeat(3);
    let why = format!("why hero moves, tick 3\nat rest\n{}", "gravity pulls\n".repeat(20));
    for (width, height) in [(640, 360), (280, 360)] {
        for why in ["", why.as_str()] {
            for banner in ["", banner.trim_end()] {
                let painted = |with: [bool; 4]| {
                    let mut canvas = Pixmap::new(width, height).expect("a size above 0");
                    let [with_banner, with_why, with_measures, with_notes] = with;
                    let picture = |banner, why| Picture {
                        level: &live.revision().stage.level,
                        time: 0.0,
                        changes: live.world().changes(),
                        bodies: &[],
                        hud: "a status line",
                        banner,
                        why,
                        show: Show::default(),
                    };
                    let shown = picture(if with_banner { banner } else { "" }, if with_why { why } else { "" });
                    paint(&mut canvas, &shown);
                    // Their places are the same as in a picture with everything.
                    let all = picture(banner, why);
                    if with_measures {
                        paint_ghosts(&mut canvas, &all, &ghosts);
                    }
                    if with_notes {
                        let room = NoteRoom::of(&canvas, &all, &ghosts.lines);
                        paint_notes(&mut canvas, &rows, room);
                    }
                    canvas
                };
                let blank = painted([false; 4]);
                let boxes: Vec<[u32; 4]> = (0..4)
                    .filter_map(|one| box_of(&blank, &painted(std::array::from_fn(|which| which == one))))
                    .collect();
                let expected = 2 + usize::from(!why.is_empty()) + usize::from(!banner.is_empty());
                assert!(boxes.len() >= expected - 1, "{width}: {boxes:?}");
                for (index, a) in boxes.iter().enumerate() {
                    for b in &boxes[index + 1..] {
                        let apart = a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
                        assert!(apart, "{width} px, banner {}, why {}: {a:?} {b:?}", banner.len(), why.len());
                    }
                }
            }
        }
    }
}

#[test]
fn the_first_lines_of_a_long_explanation_of_motion_stay() {
    let live = crate::folder::Folder::with_script("").game().live;
    let painted = |why: &str| {
        let mut canvas = Pixmap::new(400, 200).expect("a size above 0");
        let picture = Picture {
            level: &live.revision().stage.level,
            time: 0.0,
            changes: live.world().changes(),
            bodies: &[],
            hud: "",
            banner: "",
            why,
            show: Show::default(),
        };
        paint(&mut canvas, &picture);
        canvas
    };
    let rest = "gravity\n".repeat(40);
    let [one, other] = ["at rest", "falling"].map(|plain| painted(&format!("why hero moves\n{plain}\n{rest}")));
    assert!(box_of(&one, &other).is_some(), "the plain sentence is shown");
}

#[test]
fn an_outline_leaves_the_body_visible_that_is_there() {
    let shape = GhostShape::Upright(Collider { half: dvec2(10.0, 10.0), form: ColliderForm::Ellipse });
    let outline = |x: f64, is_new: bool| GhostOutline { center: dvec2(x, 0.0), shape: shape.clone(), is_new };
    // The hero of the picture is at (0, 0).
    for (x, is_shown) in [(0.0, false), (1.0, false), (4.0, true)] {
        let outlines = vec![outline(x, false), outline(x, true)];
        let [plain, with] = pictures(&GhostPicture { outlines, ..GhostPicture::default() });
        let changed = (-4..=4).any(|y| at(&plain, x as i32 + 10, y) != at(&with, x as i32 + 10, y));
        assert_eq!(changed, is_shown, "{x}");
    }
}
