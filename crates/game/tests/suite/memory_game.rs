//! A game that exists only in memory, as a program without a disk has it.

use crate::folder::LEVEL;
use hangtime_game::{GameFolder, MemoryFiles, Project};
use std::sync::Arc;

#[test]
fn a_game_in_memory_is_found_and_built() {
    let mut files = MemoryFiles::new([("game/levels/level.toml", LEVEL)]);
    files.write("game/./config/entities/hero.toml", "script = \"hero.rhai\"\n");
    files.write("game/scripts/hero.rhai", "fn on_tick(me) { this.n += 1; }");
    let project = Project::load(GameFolder::of_files("game", Arc::new(files))).expect("a folder");
    assert_eq!(project.kinds(), ["hero"]);
    let level = project.find_level("level").expect("a level");
    assert_eq!(project.levels(), std::slice::from_ref(&level));
    let revision = project.open(&level, &[]).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(revision.hooks().values().flatten().any(|hook| hook == "on_tick"), "{:?}", revision.hooks());
    assert!(project.find_level("other").is_err());
}
