//! What failed tests depend on: jumps whose numbers follow from the formulas.

use crate::folder::{Folder, on_large_stack};
use hangtime_game::{Error, Project};
use hangtime_play::{BlamedNumber, TestBlame, collect, run_case};

const GRAVITY: f64 = 1000.0;
const RATES: [u32; 4] = [30, 60, 120, 240];

/// A hero on a floor, who jumps at this speed, and tests about him.
fn game(jump: f64, tests: &str) -> Folder {
    let folder = Folder::empty();
    folder.write(
        "levels/level.toml",
        "[[solid]]\npoints = [[-500, -50], [1500, -50], [1500, 0], [-500, 0]]\n\
         [[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n",
    );
    folder.write("config/hangtime.toml", &format!("[simulation]\ngravity = {GRAVITY:?}\n"));
    folder.write("config/entities/hero.toml", &kind(jump));
    folder.write("levels/tests/jump.rhai", &format!("{HELP}{tests}"));
    folder
}

fn kind(jump: f64) -> String {
    format!(
        "model = \"platformer\"\nbody = {{ box = [20, 38] }}\n[platformer]\njump_speed = {jump:?}\njump_hold_time = 0.0\n\
         coyote_time = 0.0\nmax_fall_speed = 5000.0\n"
    )
}

/// The highest point of a jump at a tick rate, px above the floor.
const HELP: &str = "fn apex(hz) {
    let t = play(\"level.toml\", #{ \"simulation.tick_hz\": hz });
    let hero = t.entity(\"hero\");
    t.ticks(2);
    t.hold(\"jump\");
    let top = 0.0;
    t.run_until(|t| { if hero.y > top { top = hero.y; } hero.vel.y < 0 && !hero.grounded }, 5);
    top - 19.0
}
";

fn find(folder: &Folder, name: &str) -> Result<TestBlame, Error> {
    TestBlame::find(&Project::load(folder.root()).expect("a game"), "--test", name)
}

fn blamed(folder: &Folder, name: &str) -> Vec<BlamedNumber> {
    let blame = find(folder, name).unwrap_or_else(|error| panic!("{error}"));
    assert!(blame.miss().is_some(), "{name} passes");
    blame.blamed(2, &|| false, || ())
}

fn number<'a>(found: &'a [BlamedNumber], key: &str) -> &'a BlamedNumber {
    let keys: Vec<String> = found.iter().map(|one| one.number.key()).collect();
    found
        .iter()
        .find(|one| one.number.key() == key)
        .unwrap_or_else(|| panic!("no {key} in {keys:?}"))
}

#[test]
fn an_apex_depends_on_its_numbers_as_the_formulas_say_at_each_rate() {
    on_large_stack(|| {
        for hz in RATES {
            for jump in [400.0, 500.0] {
                let apex = jump * jump / (2.0 * GRAVITY);
                let wanted = apex + 6.0;
                let test = format!("fn test_apex() {{ expect(apex({hz})).near({wanted:?}, 0.5); }}\n");
                let folder = game(jump, &test);
                let found = blamed(&folder, "test_apex");
                // The top is at a tick here, so the measured apex is jump² / (2 gravity).
                for (key, slope) in [
                    ("hero.platformer.jump_speed", jump / GRAVITY),
                    ("simulation.gravity", -apex / GRAVITY),
                    ("hero.platformer.gravity_scale", -apex),
                ] {
                    let got = number(&found, key).slope.expect("a slope");
                    assert!((got - slope).abs() < 0.01 * slope.abs(), "{hz} Hz, {jump}: {key} {got} is not {slope}");
                }
                // The nearest speed with which it rises 0.5 px less than wanted, and one that is little larger.
                let needed = (2.0 * GRAVITY * (wanted - 0.5)).sqrt() - jump;
                let speed = number(&found, "hero.platformer.jump_speed");
                let change = speed.would_do.expect("a change") - jump;
                assert!((needed - 1e-6..1.12 * needed).contains(&change), "{hz} Hz, {jump}: {change} is not {needed}");
                // The value makes the test pass where it is written, and one that is a little smaller does not.
                for (share, passes) in [(1.0, true), (0.85, false)] {
                    folder.write("config/entities/hero.toml", &kind(jump + share * change));
                    let still_fails = find(&folder, "test_apex").expect("the test").miss().is_some();
                    assert_eq!(still_fails, !passes, "{hz} Hz, {jump}: {share} of {change}");
                }
                assert!(!found.iter().any(|one| one.number.key().contains("hook")), "inert numbers are left out");
            }
        }
    });
}

#[test]
fn every_change_that_would_do_makes_the_test_pass() {
    on_large_stack(|| {
        let tests = "fn test_all() { for hz in [30, 60, 120, 240] { expect(apex(hz)).above(131); expect(apex(hz)).below(140); } }\n\
                     fn test_flag() { expect(apex(60) > 140).equals(true); }\n\
                     fn test_low() { expect(apex(60)).below(100.0); }\n";
        let folder = game(500.0, tests);
        let project = Project::load(folder.root()).expect("a game");
        for name in ["test_all", "test_flag", "test_low"] {
            let found = blamed(&folder, name);
            let speed = number(&found, "hero.platformer.jump_speed");
            assert_eq!(speed.slope.is_none(), name == "test_flag");
            let changes: Vec<f64> = found.iter().filter_map(|one| one.would_do).collect();
            assert!(changes.len() >= 3, "{name}: {found:?}");
            let to = speed.would_do.expect("a change");
            folder.write("config/entities/hero.toml", &kind(to));
            let file = hangtime_game::files::find_tests(project.folder(), &[]).expect("tests");
            let case = collect(&project, &file)
                .into_iter()
                .find(|case| case.function() == name)
                .expect("the test");
            assert!(run_case(&project, &case).passed(), "{name} fails with {to}");
            folder.write("config/entities/hero.toml", &kind(500.0));
            // The smallest relative change is first.
            let relative = found
                .iter()
                .filter_map(|one| Some((one.would_do? - one.number.value).abs() / one.number.size()));
            assert!(relative.collect::<Vec<_>>().is_sorted_by(|a, b| a <= b), "{name}: {found:?}");
        }
    });
}

#[test]
fn a_number_that_is_0_is_raised_and_one_that_a_level_sets_is_found() {
    on_large_stack(|| {
        // 0.1 s after the end of the floor, a jump needs coyote time.
        let late = "fn test_late() {
            let t = play(\"ledge.toml\");
            let runner = t.entity(\"runner\");
            t.hold(\"right\");
            t.run_until(|t| !runner.grounded, 3);
            t.run(0.1);
            t.press(\"jump\");
            t.ticks(1);
            expect(runner.vel.y).above(0);
        }\n";
        for coyote in [0.0, 0.04] {
            let folder = game(500.0, late);
            let ledge = format!(
                "[[solid]]\npoints = [[-500, -50], [0, -50], [0, 0], [-500, 0]]\n\
                 [[entity]]\nkind = \"runner\"\nname = \"runner\"\nat = [-150, 19]\nplayer = 1\n\
                 [entity.platformer]\ncoyote_time = {coyote:?}\n"
            );
            folder.write("levels/ledge.toml", &ledge);
            folder.write("config/entities/runner.toml", "model = \"platformer\"\n");
            let found = blamed(&folder, "test_late");
            let time = number(&found, "runner.platformer.coyote_time");
            assert!(time.number.origin.starts_with("levels/ledge.toml:"), "{}", time.number.origin);
            // Ticks are 1/60 s: the press is in the tick after 0.1 s, or the one after that.
            let to = time.would_do.expect("a change");
            assert!((0.09..0.125).contains(&to), "{coyote}: {to}");
        }
    });
}

#[test]
fn the_answer_does_not_depend_on_threads() {
    on_large_stack(|| {
        let folder = game(500.0, "fn test_apex() { expect(apex(60)).above(131.5); }\n");
        let blame = find(&folder, "levels/tests/jump.rhai::test_apex").expect("the test");
        let one = blame.blamed(1, &|| false, || ());
        assert_eq!(one, blame.blamed(4, &|| false, || ()));
        assert!(!one.is_empty());
    });
}

#[test]
fn a_contract_of_a_kind_is_blamed_as_a_test_is() {
    on_large_stack(|| {
        let folder = game(500.0, "");
        let expect = "[expect]\napex = \"130 ± 0.5\"\nair_time = \"≥ 0.9\"\n";
        folder.write("config/entities/hero.toml", &format!("{}{expect}", kind(500.0)));
        let found = blamed(&folder, "config/entities/hero.toml::expect::apex");
        let speed = number(&found, "hero.platformer.jump_speed");
        assert!((speed.slope.expect("a slope") - 0.5).abs() < 1e-3);
        let needed = (2.0 * GRAVITY * 129.5_f64).sqrt();
        let to = speed.would_do.expect("a change");
        assert!((needed - 1e-3..needed + 1.0).contains(&to), "{to} is not {needed}");
        // Air time is 2 jump / gravity = 1 s.
        assert!(find(&folder, "expect::air_time").expect("a contract").miss().is_none());
    });
}

#[test]
fn a_test_that_passes_and_one_that_is_not_there_say_so() {
    on_large_stack(|| {
        let folder = game(500.0, "fn test_apex() { expect(apex(60)).near(125, 1); }\n");
        assert!(find(&folder, "test_apex").expect("the test").miss().is_none());
        for (name, says) in [
            ("test_apx", "did you mean `test_apex`?"),
            ("levels/tests/jump.rhai::test_apec", "did you mean `levels/tests/jump.rhai::test_apex`?"),
        ] {
            let wrong = find(&folder, name).err().expect("no such test").to_string();
            assert!(wrong.contains(says), "{wrong}");
        }
        folder.write("levels/tests/run.input", "level level.toml\n10 right\n");
        let wrong = find(&folder, "levels/tests/run.input").err().expect("a trace").to_string();
        assert!(wrong.contains("compares a run with its trace"), "{wrong}");
    });
}
