//! Games with scripts in Lua.

mod base;
mod checks;
#[path = "../../../../fuzz/bodies/dice.rs"]
mod dice;
#[expect(dead_code, reason = "shared with the tests of other crates")]
#[path = "../../../../tests/support/folder.rs"]
mod folder;
mod hostile;
mod hostile_scripts;
mod live;
mod mistakes;
#[path = "../../../rhai/tests/sequences/program.rs"]
mod program;
mod random_pairs;
mod sequence_pairs;
mod sequences;
mod shares;
mod silent;
mod starts;
mod state;
mod stopped;
mod texts;
mod twins;
mod unshown;
mod upgrades;

use folder::{Folder, on_large_stack};

/// A game whose hero has this script in Lua.
fn lua(script: &str) -> Folder {
    let folder = Folder::with_script("");
    folder.write("config/entities/hero.toml", "script = \"hero.luau\"\nvars = { n = 0, speed = 0.0 }\n");
    folder.write("scripts/hero.luau", script);
    folder
}
