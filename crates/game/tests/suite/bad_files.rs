//! Mistakes in every kind of file that users write. Each is reported with file, line, column and a fix;
//! nothing panics.

use crate::folder::{Folder, LEVEL};
use hangtime_game::{InputScript, check};
use hangtime_script::{SourceFile, calls::ForeignCalls, render_all};
use std::sync::Arc;

/// A game in which `file` has this text.
fn with(file: &str, text: &str) -> Folder {
    let folder = Folder::with_script("fn on_tick(me) { }");
    folder.write(file, text);
    folder
}

const FLOOR: &str = "[[solid]]\npoints = [[-9, -9], [9, -9], [9, 0], [-9, 0]]\n";

/// File, text, and the place and text of the first message.
#[rustfmt::skip]
const MISTAKES: &[(&str, &str, &str, &str)] = &[
    // The whole game.
    ("config/hangtime.toml", "[simulation]\ntick_hz = 5\n", "2:11", "`tick_hz` is 5; it must be between 10 and 1000 Hz"),
    ("config/hangtime.toml", "[simulation]\ntick_hz = 59.5\n", "2:11", "takes a whole number, not 59.5"),
    ("config/hangtime.toml", "[simulation]\ngravty = 5\n", "2:1", "unknown key `gravty`; did you mean `gravity`?"),
    ("config/hangtime.toml", "[simulation]\ngravity = \"much\"\n", "2:11", "`gravity` takes a number, not \"much\""),
    ("config/hangtime.toml", "[simulation]\ngravity = nan\n", "2:11", "`gravity` is NaN; it must be between 0 and 10000000 px/s²"),
    ("config/hangtime.toml", "[simulatoin]\n", "1:2", "did you mean `simulation`?"),
    ("config/hangtime.toml", "simulation = 5\n", "1:14", "`simulation` takes a table, not a number"),
    ("config/hangtime.toml", "[scripts]\non_error = \"stop\"\n", "2:12", "\"keep\" or \"pause\""),
    ("config/hangtime.toml", "[window]\nwidth = [1]\n", "2:9", "takes a whole number, not an array"),
    ("config/hangtime.toml", "[keys]\njump = \"Spcae\"\n", "2:8", "did you mean `Space`?"),
    ("config/hangtime.toml", "[keys]\nJump = \"Space\"\n", "2:1", "`Jump` cannot name an action"),
    ("config/hangtime.toml", "[keys.p2]\nleft = 5\n", "2:8", "takes the name of a key"),
    ("config/hangtime.toml", "[simulation\n", "1:12", ""),
    ("config/hangtime.toml", "[simulation]\ngravity = 1\ngravity = 2\n", "3:1", "duplicate key"),
    // Models, surfaces, kinds.
    ("config/models/platformer.toml", "jump_sped = 5\n", "1:1", "did you mean `jump_speed`?"),
    ("config/models/platformer.toml", "jump_speed = -5\n", "1:14", "`jump_speed` is -5; it must be between 0 and 1000000 px/s"),
    ("config/models/platformer.toml", "grace_time = 0.1\n", "1:1", "unknown key `grace_time`; did you mean `coyote_time`?"),
    ("config/models/two_velocity.toml", "grace_time = 0.1\n", "1:1", "did you mean `coyote_time`?"),
    ("config/entities/hero.toml", "[topdown]\ngrace_time = 0.1\n", "2:1", "did you mean `coyote_time`?"),
    ("levels/level.toml", "[[entity]]\nkind = \"hero\"\nat = [0, 0]\n[entity.platformer]\ngrace_time = 0.1\n", "5:1", "did you mean `coyote_time`?"),
    ("config/entities/hero.toml", "carries = \"tp\"\n", "1:11", "did you mean `top`?"),
    ("config/entities/hero.toml", "carries = 1\n", "1:11", "`carries` must be true, false, \"all\" or \"top\""),
    ("config/models/platformer.toml", "coyote_time = 61\n", "1:15", "it must be between 0 and 60 s"),
    ("config/models/platformer.toml", "max_slope_deg = inf\n", "1:17", "it must be between 0 and 89 °"),
    ("config/models/platformer.toml", "jump_speed = true\n", "1:14", "takes a number, not true or false"),
    ("config/models/two_velocity.toml", "body = { elipse = [1, 2] }\n", "1:10", "did you mean `ellipse`?"),
    ("config/models/two_velocity.toml", "body = { boxx = [10, 10] }\n", "1:10", "unknown key `boxx`; did you mean `box`?"),
    ("config/models/two_velocity.toml", "body = { box = [10, 0] }\n", "1:16", "`box` is 0; it must be between 0.1 and 10000 px"),
    ("config/models/topdown.toml", "body = { box = [10, 9], ellipse = [1, 1] }\n", "1:8", "`body` takes { ellipse ="),
    ("config/models/topdown.toml", "body = { box = [10, 9], capsule = [1, 1] }\n", "1:8", "`body` takes { ellipse ="),
    ("config/models/topdown.toml", "body = { capsul = [10, 9] }\n", "1:10", "unknown key `capsul`; did you mean `capsule`?"),
    ("config/models/topdown.toml", "body = { capsule = [10, nan] }\n", "1:25", "`capsule` takes finite numbers, not NaN"),
    ("config/models/topdown.toml", "body = { capsule = [10] }\n", "1:20", "full widths, [w, h]"),
    ("config/entities/hero.toml", "body = { pieces = [{ points = [[0, 0], [9, 0], [18, 0]] }] }\n", "1:31", "the outline has no area"),
    ("config/entities/hero.toml", "body = { pieces = [{ points = [[0, 0], [9, 0], [9, 9], [8, 2]] }] }\n", "1:31", "not convex at [8, 2]"),
    ("config/entities/hero.toml", "body = { pieces = [{ points = [[0, 0], [9, 0], [9, 9]], foot = true }] }\n", "1:19", "at least one piece that is not a foot"),
    ("config/entities/hero.toml", "body = { pieces = [{ points = [[0, 0], [9, 0], [9, 9]] }, { points = [[0, -9], [3, -9], [3, -5]], foot = true }] }\n", "1:70", "this foot does not touch the hull"),
    ("config/surfaces.toml", "[ice]\ngrip = 2\n", "2:8", "`grip` is 2; it must be between 0 and 1"),
    ("config/surfaces.toml", "[ice]\ngripp = 0.1\n", "2:1", "did you mean `grip`?"),
    ("config/surfaces.toml", "[ice]\nown_rebound = 3\n", "2:15", "`own_rebound` is 3; it must be between 0 and 2"),
    ("config/surfaces.toml", "[ice]\nown_friction = \"no\"\n", "2:16", "`own_friction` takes a number or \"none\", not \"no\""),
    ("config/surfaces.toml", "[ice]\nown_friktion = 1\n", "2:1", "did you mean `own_friction`?"),
    ("config/surfaces.toml", "ice = 0.1\n", "1:7", "a surface is a table, as in [ice]"),
    ("config/entities/hero.toml", "model = \"platfomer\"\n", "1:9", "did you mean `platformer`?"),
    ("config/entities/hero.toml", "script = \"heroo.rhai\"\n", "1:10", "did you mean `hero.rhai`?"),
    ("config/entities/hero.toml", "scirpt = \"hero.rhai\"\n", "1:1", "did you mean `script`?"),
    ("config/entities/hero.toml", "body = { ellipse = [10] }\n", "1:20", "2 numbers, not 1"),
    ("config/entities/hero.toml", "body = { ellipse = [0, 19] }\n", "1:20", "it must be between 0.1 and 10000 px"),
    ("config/entities/hero.toml", "body = 5\n", "1:8", "not a number"),
    ("config/entities/hero.toml", "body = {}\n", "1:8", "`body` takes { ellipse ="),
    ("config/entities/hero.toml", "vars = { x = nan }\n", "1:14", "a variable cannot be NaN"),
    ("config/entities/hero.toml", "vars = { d = 2026-01-01 }\n", "1:14", "a variable cannot be a date"),
    ("config/entities/hero.toml", "[platfromer]\n", "1:2", "did you mean `platformer`?"),
    ("config/entities/hero.toml", "[platformer]\nrun_acel = 5\n", "2:1", "did you mean `run_accel`?"),
    // Levels.
    ("levels/level.toml", "veiw = \"side\"\n", "1:1", "did you mean `view`?"),
    ("levels/level.toml", "view = \"sied\"\n", "1:8", "`view` must be \"side\" or \"top\", not \"sied\""),
    ("levels/level.toml", "view = \"topp\"\n", "1:8", "`view` must be \"side\" or \"top\", not \"topp\""),
    ("levels/level.toml", "gravity = -1\n", "1:11", "it must be between 0 and 10000000 px/s²"),
    ("levels/level.toml", "bounds = [0, 0, 10]\n", "1:10", "4 numbers, not 3"),
    ("levels/level.toml", "bounds = [10, 0, 0, 10]\n", "1:10", "with left < right and bottom < top"),
    ("levels/level.toml", "surface = \"icee\"\n", "1:11", "did you mean `ice`?"),
    ("levels/level.toml", "demo = \"nothing.input\"\n", "1:8", "there is no `nothing.input` in the level's folder"),
    ("levels/level.toml", "[[solid]]\n", "1:1", "a solid needs `points`"),
    ("levels/level.toml", "[[solid]]\npoints = 5\n", "2:10", "takes an array of points"),
    ("levels/level.toml", "[[solid]]\npoints = [[0, 0], [1, 0], [1]]\n", "2:27", "2 numbers, not 1"),
    ("levels/level.toml", "[[solid]]\npoints = [[0, 0], [1, 0], [\"a\", 1]]\n", "2:28", "takes numbers, not text"),
    ("levels/level.toml", "[[solid]]\npoints = [[0, 0], [1, 0], [inf, 1]]\n", "2:28", "takes finite numbers, not inf"),
    ("levels/level.toml", "[[solid]]\npoints = [[0, 0], [1, 0]]\n", "2:10", "at least three points"),
    ("levels/level.toml", "[[solid]]\npoints = [[0, 0], [9, 9], [9, 0], [0, 7]]\n", "2:27", "the outline crosses or touches itself: the edges from points 1 and 3 meet"),
    ("levels/level.toml", "[[solid]]\npoints = [[0, 0], [1, 0], [2, 0]]\n", "2:10", "has no area"),
    ("levels/level.toml", "[[solid]]\npoints = [[0, 0], [0.00009, 0], [0, 0.00009]]\n", "2:10", "less than 0.0001 px wide and high"),
    ("levels/level.toml", "[[solid]]\npoints = [[0, 0], [1, 0], [1, 0], [0, 1]]\n", "2:27", "point 3 repeats"),
    ("levels/level.toml", "[[solid]]\npoint = [[0, 0]]\n", "1:1", "a solid needs `points`"),
    ("levels/level.toml", "[[solid]]\none_way = true\npoints = [[0, 0], [1, 0], [0, 1]]\n", "3:27", "must run from one side to the other; point 3 turns back or goes straight up"),
    ("levels/level.toml", "[[solid]]\none_way = true\npoints = [[0, 0], [0, 10]]\n", "3:19", "point 2 turns back"),
    ("levels/level.toml", "[[solid]]\none_way = true\npoints = [[0, 0]]\n", "3:10", "at least two points"),
    ("levels/level.toml", "[[solid]]\nrotation = { speed_deg = 9 }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:12", "a rotation needs `pivot`"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0] }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:12", "a rotation needs `speed_deg`"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0], speed_deg = 1e4 }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:42", "`speed_deg` is 10000; it must be between -3600 and 3600 °/s"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0], speed_deg = nan }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:42", "`speed_deg`"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0], speed_deg = -9, loop = \"called\" }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:42", "so its speed is above 0"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0], speed_deg = 9, loop = \"caled\" }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:52", "there is no loop \"caled\" of a rotation; did you mean `called`?"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0], swing_deg = 9 }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:12", "a rotation with `swing_deg` needs `period`"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0], swing_deg = 9, period = 2, speed_deg = 4 }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:69", "takes a `period` and no `speed_deg`"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0], swing_deg = 360, period = 0.02 }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:56", "this swings at up to 113097 °/s; the most are 3600 °/s"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [9000, 0], speed_deg = 9 }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:12", "at most 4096 px from its `pivot`, not 9000"),
    ("levels/level.toml", "[[solid]]\none_way = true\nrotation = { pivot = [0, 0], speed_deg = 9 }\npoints = [[0, 0], [1, 0]]\n", "3:12", "a one-way platform cannot rotate"),
    ("levels/level.toml", "[[solid]]\nrotation = { pivot = [0, 0], speed_deg = 9, lop = \"called\" }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:45", "did you mean `loop`?"),
    ("levels/level.toml", "[[solid]]\npath = { points = [[0, 0]] }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:8", "a path needs `speed`"),
    ("levels/level.toml", "[[solid]]\npath = { points = [], speed = 5 }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:19", "at least one point"),
    ("levels/level.toml", "[[solid]]\npath = { points = [[0, 0]], speed = -5 }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:37", "`speed` is -5"),
    ("levels/level.toml", "[[solid]]\npath = { points = [[0, 0]], speed = 5, loop = \"pingpong\" }\npoints = [[0, 0], [1, 0], [0, 1]]\n", "2:47", "did you mean `ping_pong`?"),
    ("levels/level.toml", "[[solid]]\nname = \"a\"\npoints = [[0, 0], [1, 0], [0, 1]]\n[[solid]]\nname = \"a\"\npoints = [[0, 0], [1, 0], [0, 1]]\n", "5:8", "the name `a` is already taken"),
    ("levels/level.toml", "solid = 5\n", "1:9", "tables, each with a header [[solid]]"),
    ("levels/level.toml", "[[zone]]\n", "1:1", "a zone needs `points`"),
    ("levels/level.toml", "[[zone]]\npoints = [[0,0],[9,0],[9,9]]\nexternal_acel = [1, 0]\n", "3:1", "did you mean `external_accel`?"),
    ("levels/level.toml", "[[zone]]\npoints = [[0,0],[9,0],[9,9]]\ngravity_scale = 500\n", "3:17", "it must be between -100 and 100"),
    ("levels/level.toml", "[[zone]]\npoints = [[0,0],[9,0],[9,9]]\ntime_scale = -0.5\n", "3:14", "`time_scale` is -0.5; it must be between 0 and 8"),
    ("levels/level.toml", "[[zone]]\npoints = [[0,0],[9,0],[9,9]]\ntime_scale = nan\n", "3:14", "`time_scale`"),
    ("levels/level.toml", "[[zone]]\npoints = [[0,0],[9,0],[9,9]]\ntime_scal = 0.5\n", "3:1", "did you mean `time_scale`?"),
    ("config/entities/hero.toml", "time_scale = 1e6\n", "1:14", "it must be between 0 and 8"),
    ("config/entities/hero.toml", "[platformer]\ntime_scale = 0.5\n", "2:1", "it belongs above `[platformer]`"),
    ("levels/level.toml", "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0]\nmodel = \"platformer\"\n", "5:9", "`platformer` does not work in a top view; use topdown, two_velocity or ballistic"),
    ("levels/level.toml", "view = \"top\"\n[[entity]]\nkind = \"hero\"\nat = [0, 0, -4]\n", "4:13", "the height must be at least 0"),
    ("config/surfaces.toml", "[ice]\ngrip = 1.5\n", "2:8", "`grip` is 1.5; it must be between 0 and 1"),
    ("levels/level.toml", "[[entity]]\nat = [0, 0]\n", "1:1", "an entity needs `kind`"),
    ("levels/level.toml", "[[entity]]\nkind = \"hero\"\n", "1:1", "an entity needs `at`"),
    ("levels/level.toml", "[[entity]]\nkind = \"heroo\"\nat = [0, 0]\n", "2:8", "did you mean `hero`?"),
    ("levels/level.toml", "[[entity]]\nkind = \"hero\"\nat = [0, 0]\nplayer = 9\n", "4:10", "a whole number from 1 to 8"),
    ("levels/level.toml", "[[entity]]\nkind = \"hero\"\nat = [0, 0]\nvelocty = [1, 1]\n", "4:1", "did you mean `velocity`?"),
    ("levels/level.toml", "[[entity]]\nkind = \"hero\"\nat = [0, 0]\n[entity.platformer]\njump = 3\n", "5:1", "unknown key `jump`"),
    ("levels/level.toml", "points = [[0, 0]\n", "1:17", "unclosed array"),
    // Scripts.
    ("scripts/hero.rhai", "fn on_tick(me) {\n  if me.grounded {\n", "2:19", ""),
    ("scripts/hero.rhai", "fn on_tick(me) { let x = 5 }}\n", "1:29", ""),
    ("scripts/hero.rhai", "fn on_land(me, event, x) { }\n", "1:4", "has 3 parameters"),
];

#[test]
fn reports_each_mistake_with_its_place_and_a_fix() {
    for (file, text, place, what) in MISTAKES {
        let folder = with(file, text);
        let wrong = folder.wrong();
        let first = wrong.first().unwrap_or_else(|| panic!("{file} `{text}` is not reported"));
        assert!(first.starts_with(&format!("{file}:{place}: error: ")), "{text}\n{wrong:?}");
        assert!(first.contains(what), "{text}\n{wrong:?}");
    }
}

#[test]
fn shows_each_mistake_with_its_line_and_a_caret() {
    for (file, text, place, _) in MISTAKES {
        let Err(wrong) = with(file, text).open() else { panic!("{text} can be played") };
        let rendered = render_all(&wrong[..1], false);
        let number: usize = place.split(':').next().and_then(|n| n.parse().ok()).expect("a line");
        let line = text.lines().nth(number - 1).unwrap_or_default();
        let shown = line.trim_end().replace('\t', "    ");
        assert!(rendered.contains(&shown), "{rendered}");
        assert!(rendered.contains('^'), "{rendered}");
    }
}

#[test]
fn check_reports_the_same_mistakes() {
    for (file, text, place, what) in MISTAKES {
        let folder = with(file, text);
        let found = check(folder.root(), &[], &ForeignCalls::none()).expect("a folder").diagnostics;
        let told = found
            .iter()
            .map(|d| d.headline())
            .find(|h| h.starts_with(&format!("{file}:{place}: error: ")) && h.contains(what));
        assert!(told.is_some(), "{file} `{text}`\n{}", render_all(&found, false));
    }
}

#[test]
fn reports_several_mistakes_at_once() {
    let folder = Folder::with_script("fn on_tick(me) { }");
    folder.write("config/models/platformer.toml", "jump_sped = 1\nrun_accel = -1\n");
    folder.write("config/surfaces.toml", "[ice]\ngrip = 7\n");
    folder.write("scripts/hero.rhai", "fn on_land(me, event, x) { }");
    let errors = folder.wrong().iter().filter(|w| w.contains(" error: ")).count();
    assert_eq!(errors, 4, "{:?}", folder.wrong());
}

#[test]
fn reports_files_that_are_not_text() {
    let folder = Folder::with_script("");
    std::fs::write(folder.path("scripts/hero.rhai"), [b'a', b'\n', 0xff, 0xfe]).expect("a file");
    let wrong = folder.wrong();
    let expected = "scripts/hero.rhai:2:1: error: this is not UTF-8 text";
    assert!(wrong.iter().any(|w| w == expected), "{wrong:?}");
}

#[test]
fn warns_of_surfaces_without_a_table() {
    let folder = with("levels/level.toml", &format!("surface = \"marble\"\n{FLOOR}"));
    let revision = folder.open().expect("it can be played");
    assert_eq!(revision.warnings.len(), 1);
    assert!(revision.warnings[0].headline().contains("warning: `marble` is not in"));
}

#[test]
fn warns_of_places_far_out() {
    let far = "[[solid]]\npoints = [[0, 0], [20000, 0], [0, 5]]\n";
    let folder = with("levels/level.toml", far);
    assert!(folder.wrong()[0].starts_with("levels/level.toml:2:19: warning:"), "{:?}", folder.wrong());
}

#[test]
fn a_game_needs_only_a_level_and_its_kinds() {
    let folder = Folder::empty();
    folder.write("levels/level.toml", LEVEL);
    folder.write("config/entities/hero.toml", "");
    let mut game = folder.game();
    assert!(game.ticks(10).hero().grounded);
}

#[test]
fn ignores_mistakes_in_kinds_that_the_level_does_not_use() {
    let folder = Folder::with_script("");
    folder.write("config/entities/boss.toml", "model = \"pla");
    assert!(folder.open().is_ok());
    assert!(!check(folder.root(), &[], &ForeignCalls::none()).expect("a folder").diagnostics.is_empty());
}

#[test]
fn checks_settings_like_files() {
    let folder = Folder::with_script("");
    for (key, value, what) in [
        ("platformer.jump_sped", "5", "setting:1:12: error: unknown key `jump_sped`; did you mean"),
        ("platformer.jump_speed", "-5", "setting:1:23: error: `jump_speed` is -5"),
        ("platformer.jump_speed", "fast", "takes a number, not \"fast\""),
        ("platfomer.jump_speed", "5", "a setting cannot begin with `platfomer`; did you mean `platformer`?"),
        ("platformer.grace_time", "0.1", "setting:1:12: error: unknown key `grace_time`; did you mean `coyote_time`?"),
        ("entities.hero.platformer.grace_time", "0.1", "did you mean `coyote_time`?"),
        ("jump_speed", "5", "a setting's key is a dotted path"),
        ("entities.heroo.model", "platformer", "there is no kind `heroo`; did you mean `hero`?"),
        ("entities.hero.model", "platfomer", "did you mean `platformer`?"),
        ("surfaces.ice.gripp", "0.5", "did you mean `grip`?"),
        ("simulation.tick_hz", "5", "must be between 10 and 1000 Hz"),
    ] {
        let wrong = folder.open_with(&[(key, value)]).expect_err(key);
        assert!(wrong[0].headline().contains(what), "{key}={value}: {}", wrong[0].headline());
    }
}

#[test]
fn settings_override_the_keys_that_they_name() {
    let folder = Folder::with_script("");
    let settings = [
        ("simulation.tick_hz", "120"),
        ("simulation.gravity", "1e3"),
        ("entities.hero.platformer.run_accel", "77"),
        ("surfaces.ice.grip", "0.25"),
        ("entities.hero.model", "two_velocity"),
    ];
    let revision = folder.open_with(&settings).expect("good settings");
    assert_eq!((revision.stage.hz, revision.stage.gravity), (120, 1000.0));
    let profile = &revision.stage.profiles[0];
    assert_eq!(profile.loadouts.platformer.tuning.run_accel, 77.0);
    assert_eq!(profile.model.as_str(), "two_velocity");
    let ice = revision.stage.level.surfaces.iter().position(|s| &**s == "ice").expect("ice");
    assert_eq!(revision.stage.surfaces[ice].grip, 0.25);
}

#[test]
fn reports_mistakes_in_input_files() {
    for (text, place, what) in [
        ("30 rihgt", "1:4", "did you mean `right`?"),
        ("fast right", "1:1", "a line begins with its duration"),
        ("\n1.5 right", "2:1", "a number of ticks must be whole; for seconds write `1.5s`"),
        ("-3 right", "1:1", "a duration must be between 0 and"),
        ("30 move=1", "1:4", "takes two numbers"),
        ("30 move=2:0", "1:4", "takes numbers from -1 to 1"),
        ("30 mvoe=1:0", "1:4", "did you mean `move`?"),
        ("30 p0.left", "1:4", "players are `p1`, `p2`"),
        ("30\nlevel x.toml", "2:1", "must come before the first line"),
        ("seed -1", "1:6", "a whole number of at least 0"),
        ("set jump", "1:5", "KEY=VALUE"),
        ("lebel x.toml", "1:1", "did you mean `level`?"),
    ] {
        let file = Arc::new(SourceFile { name: "x.input".into(), text: text.into() });
        let error = InputScript::parse(&file).expect_err(text);
        let wrong = error.diagnostics();
        let headline = wrong[0].headline();
        assert!(headline.starts_with(&format!("x.input:{place}: error: ")), "{text}: {headline}");
        assert!(headline.contains(what), "{text}: {headline}");
    }
}

#[test]
fn reads_valid_input_files() {
    use hangtime_core::models::Action::{Jump, Left, Right};
    let text = "level gap.toml # for this\nseed 7\nset platformer.jump_speed = 5e2\n\
                30 right\n\n1  right jump\n0.5s move=0.5:-1e-1 aim=320:180 p2.left\n2e1\n";
    let file = Arc::new(SourceFile { name: "x.input".into(), text: text.into() });
    let script = InputScript::parse(&file).expect("a good file");
    assert_eq!((script.level.as_deref(), script.seed), (Some("gap.toml"), Some(7)));
    assert_eq!(script.settings, [("platformer.jump_speed".to_string(), "5e2".to_string())]);
    for hz in [30, 60, 120] {
        let track = script.track(hz);
        let half = u64::from(hz) / 2;
        assert_eq!(track.length(), 31 + half + 20);
        assert!(track.at(0).player(1).held.has(Right) && !track.at(0).player(1).held.has(Jump));
        assert!(track.at(30).player(1).held.has(Jump));
        let analog = track.at(31);
        assert_eq!(analog.player(1).stick.to_array(), [0.5, -0.1]);
        assert_eq!(analog.player(1).aim.map(|a| a.to_array()), Some([320.0, 180.0]));
        assert!(analog.player(2).held.has(Left));
        assert_eq!(track.at(31 + half), hangtime_core::sim::Inputs::none());
        assert_eq!(track.at(10_000), hangtime_core::sim::Inputs::none());
    }
}

#[test]
fn lists_the_valid_keys_of_a_level() {
    let folder = Folder::with_script("");
    let level = format!("color = 3\n{LEVEL}");
    folder.write("levels/level.toml", &level);
    let said = folder.wrong().join("\n");
    assert!(said.contains("unknown key `color`; it can be"), "{said}");
}

#[test]
fn rejects_absurdly_large_numbers() {
    for (right, wrong, what) in [
        ("at = [-200, 19]", "at = [-200, 19]\nvelocity = [1e308, 0]", "`velocity` takes numbers from"),
        ("at = [-200, 19]", "at = [1e100, 19]", "`at` takes numbers from"),
        ("[-1000, -100]", "[-1e308, -100]", "`points` takes numbers from"),
    ] {
        let folder = Folder::with_script("");
        folder.write("levels/level.toml", &LEVEL.replace(right, wrong));
        let said = folder.wrong().join("\n");
        assert!(said.contains(what), "{said}");
    }
}

#[test]
fn a_lower_limit_above_the_upper_one_is_a_warning_at_its_place() {
    let folder = with("config/models/platformer.toml", "run_speed_max = 300\nrun_speed_min = 400\n");
    // Another kind takes the same numbers, and one sets its own.
    folder.write("config/entities/imp.toml", "model = \"platformer\"\n");
    folder.write("config/entities/ogre.toml", "model = \"platformer\"\n[platformer]\nrun_speed_max = 500\n");
    let of_kind = |kind: &str| format!("[[entity]]\nkind = \"{kind}\"\nat = [-400, 19]\n");
    folder.write("levels/level.toml", &format!("{LEVEL}{}{}", of_kind("imp"), of_kind("ogre")));
    let said = folder.wrong();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("config/models/platformer.toml:2:"), "{said:?}");
    let message = "warning: `run_speed_min` is 400, above `run_speed_max`, which is 300 and has no effect then";
    assert!(said[0].ends_with(message), "{said:?}");
    // With only one of them in a file, the other is the default.
    folder.write("config/models/platformer.toml", "run_speed_max = 300\n");
    let said = folder.wrong();
    assert!(said[0].starts_with("config/models/platformer.toml:1:"), "{said:?}");
    folder.write("config/models/platformer.toml", "run_speed_min = 300\nrun_speed_max = 300\n");
    assert_eq!(folder.wrong(), [""; 0]);
}
