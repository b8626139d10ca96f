//! Scripts in Lua of games for earlier versions.

use crate::lua;
use hangtime_core::tuning::RENAMED;
use hangtime_game::{GameFolder, Upgrade};

/// Scripts. `OLD` is a name that an upgrade renames, and `KEPT` the same name where it is the author's own.
const SCRIPTS: [&str; 7] = [
    "function on_tick(me)\n\tme:tune(\"platformer.OLD\", 0.1) -- \"platformer.KEPT\"\n\tme:untune( 'platformer.OLD' )\nend\n",
    "--[[ \"platformer.KEPT\" ]]\nfunction on_tick(me) print([[platformer.KEPT]], `{me:tuning(\"platformer.OLD\")}`) end\n",
    "function jump_windows(me)\n  return { OLD  = 0.1, jump_buffer = vars.KEPT }\nend\n",
    "function jump_windows(me) return { [\"OLD\"] = 0.1 } end\nfunction other() return { KEPT = 1, [\"KEPT\"] = 2 } end\n",
    "local KEPT = \"KEPT\"\nfunction on_tick(me) vars.n = if KEPT == \"a\" then 1 else 2 print(\"no platformer.KEPT here\") end\n",
    "function on_tick(me)\n  if vars.n > 1 then me:tune(\"platformer.OLD\", 1) else repeat vars.n += 1 until vars.n > 3 end\nend\n",
    "-- KEPT\r\nfunction on_tick(me)\r\n  me:tune(\"entities.hero.platformer.OLD\", 0.1)\r\nend\r\n",
];

#[test]
fn an_upgrade_renames_tunables_in_lua_and_nothing_else() {
    for (old, new) in RENAMED {
        for script in SCRIPTS {
            let with = |it: &str| script.replace("KEPT", old).replace("OLD", it);
            let folder = lua(&with(old));
            let game = GameFolder::new(folder.root());
            Upgrade::of(&game).and_then(|it| it.write(&game)).expect("a game that can be upgraded");
            let after = std::fs::read_to_string(folder.path("scripts/hero.luau")).expect("a script");
            assert_eq!(after, with(new), "{script}");
            assert!(Upgrade::of(&game).expect("a game").files.is_empty(), "a second upgrade changes nothing");
        }
    }
}

#[test]
fn a_script_with_an_open_block_is_not_upgraded() {
    let folder = lua("function on_tick(me)\n  if me.grounded then\n    me:untune(\"platformer.grace_time\")\nend\n");
    let error = Upgrade::of(&GameFolder::new(folder.root())).expect_err("an open block");
    let said = error.diagnostics()[0].headline();
    assert!(
        said.starts_with("scripts/hero.luau:1:1: error: this script cannot be upgraded: a bracket or a block"),
        "{said}"
    );
}
