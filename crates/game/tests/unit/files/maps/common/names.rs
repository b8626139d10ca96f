//! Tests of `src/files/maps/common/names.rs`.

use super::resolve_name;

#[test]
fn paths_start_at_the_folder_of_the_file_that_names_them() {
    for (from, path, name) in [
        ("levels/a.tmx", "b.tsx", "levels/b.tsx"),
        ("levels/a.tmx", "../art/b.tsx", "art/b.tsx"),
        ("levels/a.tmx", "./x/../b.tsx", "levels/b.tsx"),
        ("levels/a.tmx", "../../b.tsx", "../b.tsx"),
        ("a.tmx", "b.tsx", "b.tsx"),
        ("a.tmx", "x/b.tsx", "x/b.tsx"),
        ("/game/levels/a.tmx", "../b.tsx", "/game/b.tsx"),
        ("levels/a.tmx", "/etc/b.tsx", "/etc/b.tsx"),
        ("", "levels/../art/b.tsx", "art/b.tsx"),
        ("levels/a.tmx", "art\\b.tsx", "levels/art/b.tsx"),
    ] {
        assert_eq!(resolve_name(from, path), name, "{from} {path}");
    }
}
