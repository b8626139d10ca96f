//! What a failed test in Lua depends on.

use super::{Folder, on_large_stack};
use hangtime_game::Project;
use hangtime_play::TestBlame;

#[test]
fn a_failed_test_in_lua_depends_on_the_same_numbers_as_in_rhai() {
    on_large_stack(|| {
        let folder = Folder::with_script("");
        folder.write("config/hangtime.toml", "[simulation]\ngravity = 1000.0\n");
        let kind = "[platformer]\njump_speed = 500.0\njump_hold_time = 0.0\nmax_fall_speed = 5000.0\n";
        folder.write("config/entities/hero.toml", kind);
        let lua = "function test_rise()\nlocal t = play('level.toml')\nlocal hero = t:entity('hero')\nt:ticks(2)\n\
                   local from = hero.y\nt:hold('jump')\nt:run(0.5)\nexpect(hero.y - from):above(131)\nend\n";
        let rhai = "fn test_rise() { let t = play(\"level.toml\"); let hero = t.entity(\"hero\"); t.ticks(2);\n\
                    let from = hero.y; t.hold(\"jump\"); t.run(0.5); expect(hero.y - from).above(131); }\n";
        folder.write("levels/tests/a.luau", lua);
        folder.write("levels/tests/b.rhai", rhai);
        let project = Project::load(folder.root()).expect("a game");
        let [lua, rhai] = ["levels/tests/a.luau::test_rise", "levels/tests/b.rhai::test_rise"].map(|name| {
            let blame = TestBlame::find(&project, "--test", name).unwrap_or_else(|error| panic!("{error}"));
            let missed = blame.miss().and_then(|miss| miss.missed).expect("numbers");
            assert_eq!(missed.least, 131.0);
            blame.blamed(2, &|| false, || ())
        });
        assert_eq!(lua, rhai);
        // It rises by jump² / (2 gravity) = 125 px: v²/2000 ≥ 131 needs 511.9 px/s.
        let speed = lua.iter().find(|one| one.number.path() == "platformer.jump_speed").expect("the speed");
        assert!((speed.slope.expect("a slope") - 0.5).abs() < 1e-3);
        assert!((511.8..514.0).contains(&speed.would_do.expect("a change")), "{speed:?}");
    });
}
