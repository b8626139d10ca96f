//! The list of levels.

use hangtime_workbench::LevelMenu;
use std::path::{Path, PathBuf};

fn menu(running: &str) -> LevelMenu {
    let levels = ["cave", "hill", "lake"].map(|n| PathBuf::from(format!("g/levels/{n}.toml")));
    LevelMenu::new(levels.to_vec(), running)
}

#[test]
fn the_running_level_is_chosen_and_the_list_goes_round() {
    let mut menu = menu("levels/lake.toml");
    assert_eq!(menu.chosen(), Some(Path::new("g/levels/lake.toml")));
    menu.go(1);
    assert_eq!(menu.row(), 0);
    menu.go(-1);
    assert_eq!(menu.row(), 2);
    assert!(menu.choose(1) && !menu.choose(3));
    assert_eq!(menu.chosen(), Some(Path::new("g/levels/hill.toml")));
    assert_eq!(menu.rows(), ["1  cave", "2  hill", "3  lake"]);
}

#[test]
fn a_game_without_levels_has_nothing_to_choose() {
    let mut menu = LevelMenu::new(Vec::new(), "levels/lake.toml");
    menu.go(1);
    assert_eq!((menu.chosen(), menu.rows().len()), (None, 0));
}
