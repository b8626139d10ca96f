//! Tests of `src/files/saving/level_text.rs`.

use super::{LevelList, LevelText, number_like};
use glam::{DVec2, dvec2};

fn text_of(text: &str) -> LevelText {
    LevelText::parse("levels/level.toml", text.into()).expect("good TOML")
}

/// A level in which each list is written in another way.
const STYLES: &str = r#"# A level.
bounds = [-100, -100, 900, 600] # all of it
zone = [
  { name = "wind", points = [[0, 0], [40, 0], [40, 90], [0, 90]] }, # up
  { name = "rain", points = [[60, 0], [90, 0], [90, 90]] },
]
entity = [{ kind = "hero", at = [ 10,20.50 ] }, { kind = "hero", at = [+3, -0.25], name = 'b' }]

# The floor.
[[solid]]   # it is wide
name = "floor"
points = [
  [0, -40], # left
  [400, -40],
  [400, 0],
  [0, 0],
]
[solid.path]
points = [[0, 0], [0, 40]]
speed = 30

# A ledge.
[[solid]]
one_way = true
points = [[40.0, 80], [90, 80]]

[camera]
zoom = 2
"#;

#[test]
fn each_style_of_a_list_is_read() {
    let level = text_of(STYLES);
    let names: Vec<_> = level
        .items()
        .iter()
        .map(|item| (item.list.key(), item.index, item.name.as_str()))
        .collect();
    let wanted = [
        ("entity", 0, "hero"),
        ("entity", 1, "b"),
        ("solid", 0, "floor"),
        ("solid", 1, ""),
        ("zone", 0, "wind"),
        ("zone", 1, "rain"),
    ];
    assert_eq!(names, wanted);
    assert_eq!(level.items()[0].points, [dvec2(10.0, 20.5)]);
    assert_eq!(level.items()[2].path, [DVec2::ZERO, dvec2(0.0, 40.0)]);
    assert!(level.items()[3].is_line && !level.items()[2].is_line);
}

#[test]
fn moving_there_and_back_gives_the_same_bytes() {
    let level = text_of(STYLES);
    for by in [dvec2(8.0, 0.0), dvec2(-8.0, 16.0), dvec2(64.0, -1.0), dvec2(1e6, 3.0)] {
        for (index, item) in level.items().iter().enumerate() {
            let moved: Vec<DVec2> = item.points.iter().map(|point| point + by).collect();
            let there = text_of(&level.with_points(index, &moved).expect("as many points"));
            assert_eq!(there.items()[index].points, moved);
            let others = there.items().iter().enumerate().filter(|(other, _)| *other != index);
            assert!(others.clone().all(|(other, at)| at.points == level.items()[other].points));
            let back = there.with_points(index, &item.points).expect("as many points");
            let plain = STYLES.replace("+3", "3");
            assert_eq!(back.replace("+3", "3"), plain, "{index} by {by}");
        }
    }
}

#[test]
fn numbers_keep_their_style() {
    let cases = [
        ("10", 18.0, "18"),
        ("10", 18.5, "18.5"),
        ("10.0", 18.0, "18.0"),
        ("10.50", 18.5, "18.50"),
        ("0.1", 8.1 + 1e-14, "8.1"),
        ("4", -0.0, "0"),
        ("1e3", 1008.0, "1008"),
        ("0x10", 24.0, "24"),
        ("7", 1.0 / 3.0, "0.333"),
    ];
    for (old, x, wanted) in cases {
        assert_eq!(number_like(old, x), wanted, "{old} -> {x}");
    }
}

#[test]
fn other_counts_of_points_are_refused() {
    let level = text_of(STYLES);
    assert_eq!(level.with_points(0, &[]), None);
    assert_eq!(level.with_points(0, &[dvec2(f64::NAN, 0.0)]), None);
    assert_eq!(level.with_points(99, &[DVec2::ZERO]), None);
}

#[test]
fn a_copy_follows_its_model_and_removing_it_gives_the_same_bytes() {
    for text in [STYLES.to_string(), STYLES.replace('\n', "\r\n"), STYLES.replace("\n[camera]\nzoom = 2\n", "")] {
        let level = text_of(&text);
        for (index, item) in level.items().iter().enumerate() {
            let by = dvec2(16.0, -16.0);
            let more = text_of(&level.with_copy(index, by).expect("an item"));
            assert_eq!(more.items().len(), level.items().len() + 1);
            let copy = &more.items()[index + 1];
            assert_eq!((copy.list, copy.index), (item.list, item.index + 1));
            assert!(copy.points.iter().zip(&item.points).all(|(new, old)| *new == *old + by), "{index}");
            assert_eq!(copy.path, item.path);
            let mut names: Vec<_> = more.items().iter().map(|item| &item.name).filter(|n| !n.is_empty()).collect();
            names.retain(|name| *name != "hero");
            names.sort();
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
            let back = more.without(index + 1).expect("the copy");
            // The comment above a table is copied and removed with it, so all is as it was.
            assert_eq!(back, text, "{index}");
        }
    }
}

#[test]
fn removing_a_thing_leaves_the_others_and_their_comments() {
    let level = text_of(STYLES);
    for index in 0..level.items().len() {
        let less = level.without(index).expect("an item");
        let read = text_of(&less);
        assert_eq!(read.items().len(), level.items().len() - 1, "{less}");
        let left = level.items().iter().enumerate().filter(|(other, _)| *other != index);
        for ((_, old), new) in left.zip(read.items()) {
            assert_eq!((&old.points, &old.name, old.list), (&new.points, &new.name, new.list));
        }
        assert!(less.starts_with("# A level.\n") && less.ends_with("[camera]\nzoom = 2\n"), "{less}");
        assert_eq!(less.contains("# The floor."), index != 2);
        assert_eq!(less.contains("# A ledge."), index != 3);
    }
}

#[test]
fn the_first_comment_of_a_file_stays() {
    let level = text_of("# The title.\n[[solid]]\npoints = [[0, 0], [8, 0], [8, 8]]\n");
    assert_eq!(level.without(0).as_deref(), Some("# The title.\n"));
}

#[test]
fn things_without_a_place_are_left_out() {
    let text = "entity = 3\nzone = [1, { points = 3 }, { points = [[0, 1], [2, \"x\"]] }]\n[[solid]]\npoints = []\n";
    assert!(text_of(text).items().is_empty());
    assert!(LevelText::parse("levels/a.toml", "[[".into()).is_err());
    assert_eq!(LevelList::Entities.key(), "entity");
}
