//! Wishes: numbers that bring a point of a path elsewhere. What they should be follows from the physics of a parabola.

use crate::folder::{Folder, on_large_stack};
use hangtime_core::{
    models::{Action, Actions},
    sim::{Inputs, PlayerInput},
    tuning::Setting,
};
use hangtime_game::{GameFolder, Live, Revision, TuningEdit};
use hangtime_play::{BreakNews, PathEntity, Wish, WishAnswer, WishAnswers, WishPath, WishPoint, WishSearch, broken_by};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

const RATES: [u32; 4] = [30, 60, 120, 240];

/// A jump with this speed under this gravity, px/s and px/s², and its run, px/s.
const JUMP: f64 = 500.0;
const GRAVITY: f64 = 1000.0;
const RUN: f64 = 300.0;

/// Half the height of the hero, px.
const HALF: f64 = 19.0;

/// How near an answer brings a coordinate, px.
const NEAR: f64 = 0.1;

fn kind(more: &str) -> String {
    format!(
        "model = \"platformer\"\nbody = {{ box = [20, 38] }}\n[platformer]\njump_speed = {JUMP:?}\njump_hold_time = 0.0\n\
         run_speed_min = {RUN:?}\nrun_speed_max = {RUN:?}\nair_speed_soft = {RUN:?}\nmax_fall_speed = 50000.0\n{more}"
    )
}

/// A hero on a long floor.
fn game(hz: u32) -> Folder {
    let folder = Folder::empty();
    let ground = "[[solid]]\nname = \"floor\"\npoints = [[-500, -50], [9000, -50], [9000, 0], [-500, 0]]\n";
    let hero = "[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n";
    folder.write("levels/level.toml", &format!("bounds = [-900, -900, 20000, 20000]\n{ground}{hero}"));
    folder.write("config/hangtime.toml", &format!("[simulation]\ntick_hz = {hz}\ngravity = {GRAVITY:?}\n"));
    folder.write("config/entities/hero.toml", &kind(""));
    folder
}

/// Holds these keys from a tenth of a second on, for so long.
#[derive(Clone, Copy)]
struct Keys {
    held: &'static [Action],
    seconds: f64,
}

const JUMPS: Keys = Keys { held: &[Action::Right, Action::Jump], seconds: 2.0 };

impl Keys {
    fn at(self, tick: u64, hz: u32) -> Option<Inputs> {
        let time = (tick as f64 + 0.5) / f64::from(hz);
        let held: Actions = self.held.iter().copied().filter(|_| time > 0.1).collect();
        (time < self.seconds).then(|| Inputs::of_first(PlayerInput { held, ..PlayerInput::default() }))
    }

    /// Plays them under a revision.
    fn play(self, revision: &Arc<Revision>, wanted: &[WishPoint]) -> Option<WishPath> {
        let hz = revision.stage.hz;
        let entity = PathEntity {
            index_in: &|world| world.entities().iter().position(|entity| &*entity.name == "hero"),
            holds_jump: &|inputs| inputs.player(1).held.has(Action::Jump),
        };
        WishPath::play(Live::new(revision.clone(), 0), &entity, |tick| self.at(tick, hz), wanted, &|| false)
    }
}

fn search(revision: &Arc<Revision>, keys: Keys, wishes: &[Wish]) -> Result<WishAnswers, String> {
    let play = |revision: &Arc<Revision>, wanted: &[WishPoint]| keys.play(revision, wanted);
    WishSearch { revision, profile: 0, wishes, play, threads: 2 }
        .answers()
        .expect("nothing stops it")
}

/// The answer that changes exactly these numbers, with their new values.
fn values(found: &WishAnswers, keys: &[&str]) -> Option<Vec<f64>> {
    let is = |answer: &&WishAnswer| {
        answer.changes.len() == keys.len()
            && keys.iter().all(|key| answer.changes.iter().any(|change| change.number.path() == *key))
    };
    let answer = found.answers.iter().find(is)?;
    let value = |key: &&str| answer.changes.iter().find(|change| change.number.path() == **key).map(|c| c.value);
    keys.iter().map(value).collect()
}

/// Plays all answers again, and checks that the wishes are granted and every value is one that its tunable accepts.
fn check(revision: &Arc<Revision>, keys: Keys, wishes: &[Wish], found: &WishAnswers) {
    for answer in &found.answers {
        let changes: Vec<_> = answer.changes.iter().filter_map(|change| change.number.changed(change.value)).collect();
        let names: Vec<String> = answer.changes.iter().map(|change| change.number.path()).collect();
        for change in &changes {
            change.group.check(change.name, &change.value).expect("in range");
        }
        let tuned = Arc::new(revision.retuned(2, &changes).expect("good numbers"));
        let path = keys.play(&tuned, &[]).expect("a path");
        assert_eq!(path, answer.path, "{names:?}");
        for wish in wishes {
            let at = path.spot(wish.point).expect("the point").at;
            for (to, at) in wish.to.iter().zip([at.x, at.y]) {
                assert!(to.is_none_or(|to| (to - at).abs() <= NEAR), "{names:?}: {at}, not {to:?}");
            }
        }
        assert!(answer.off <= NEAR, "{names:?}");
    }
    let order = |pair: &[WishAnswer]| (pair[0].changes.len(), pair[0].size) <= (pair[1].changes.len(), pair[1].size);
    assert!(found.answers.windows(2).all(order), "the smallest change is first");
}

#[test]
fn an_apex_is_where_physics_puts_it_and_its_answers_follow_from_it() {
    on_large_stack(|| {
        for hz in RATES {
            let revision = Arc::new(game(hz).open().expect("a good game"));
            let now = JUMPS.play(&revision, &[]).expect("a path");
            let height = JUMP * JUMP / (2.0 * GRAVITY);
            let apex = now.spot(WishPoint::Apex(0)).expect("an apex");
            assert!((apex.at.y - HALF - height).abs() < 1e-6, "{hz} Hz: {}", apex.at.y);
            assert!((apex.time - 0.1 - JUMP / GRAVITY).abs() < 1.01 / f64::from(hz), "{hz} Hz: {}", apex.time);
            for share in [0.4, 0.9, 1.1, 2.5] {
                let wishes = [Wish { point: WishPoint::Apex(0), to: [None, Some(HALF + height * share)] }];
                let found = search(&revision, JUMPS, &wishes).expect("an apex");
                check(&revision, JUMPS, &wishes, &found);
                let at = format!("{hz} Hz, {share} times as high");
                // v²/2g: by how much the height differs for the value that was found.
                let [speed] = values(&found, &["platformer.jump_speed"]).expect(&at)[..] else { panic!("{at}") };
                assert!((speed * speed / (2.0 * GRAVITY) - height * share).abs() <= NEAR, "{at}: {speed}");
                let [gravity] = values(&found, &["simulation.gravity"]).expect(&at)[..] else { panic!("{at}") };
                assert!((JUMP * JUMP / (2.0 * gravity) - height * share).abs() <= NEAR, "{at}: {gravity}");
            }
        }
    });
}

#[test]
fn a_landing_farther_on_takes_a_faster_jump_or_less_gravity() {
    on_large_stack(|| {
        for hz in RATES {
            let revision = Arc::new(game(hz).open().expect("a good game"));
            let now = JUMPS.play(&revision, &[]).expect("a path");
            let landing = now.spot(WishPoint::Landing(0)).expect("a landing");
            let far = RUN * 2.0 * JUMP / GRAVITY;
            for share in [0.7, 1.25] {
                let to = [Some(landing.at.x + far * (share - 1.0)), Some(landing.at.y)];
                let wishes = [Wish { point: WishPoint::Landing(0), to }];
                let found = search(&revision, JUMPS, &wishes).expect("a landing");
                check(&revision, JUMPS, &wishes, &found);
                let at = format!("{hz} Hz, {share} times as far");
                let [speed] = values(&found, &["platformer.jump_speed"]).expect(&at)[..] else { panic!("{at}") };
                assert!((RUN * 2.0 * (speed - JUMP * share) / GRAVITY).abs() <= NEAR + 1e-6, "{at}: {speed}");
                let [gravity] = values(&found, &["simulation.gravity"]).expect(&at)[..] else { panic!("{at}") };
                assert!((RUN * 2.0 * JUMP / gravity - far * share).abs() <= NEAR + 1e-6, "{at}: {gravity}");
            }
        }
    });
}

#[test]
fn a_body_that_falls_out_of_the_level_has_not_landed_where_it_is_put_back() {
    on_large_stack(|| {
        for hz in RATES {
            let folder = game(hz);
            // The floor ends, and the level's lower edge is near.
            let ground = "[[solid]]\nname = \"floor\"\npoints = [[-500, -50], [200, -50], [200, 0], [-500, 0]]\n";
            let hero = "[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n";
            folder.write("levels/level.toml", &format!("bounds = [-900, -300, 20000, 20000]\n{ground}{hero}"));
            let revision = Arc::new(folder.open().expect("a revision"));
            let keys = Keys { held: &[Action::Right, Action::Jump], seconds: 3.0 };
            let path = keys.play(&revision, &[]).expect("a path");
            let start = path.places[0];
            let back = path.places.windows(2).any(|pair| pair[0].y < -200.0 && pair[1].distance(start) < 50.0);
            assert!(back, "{hz} Hz: it is put back");
            assert!(path.spot(WishPoint::Apex(0)).is_some(), "{hz} Hz");
            assert_eq!(path.spot(WishPoint::Landing(0)), None, "{hz} Hz");
        }
    });
}

#[test]
fn the_same_height_with_less_air_takes_two_numbers() {
    on_large_stack(|| {
        for hz in RATES {
            let revision = Arc::new(game(hz).open().expect("a good game"));
            let now = JUMPS.play(&revision, &[]).expect("a path");
            let [apex, landing] =
                [WishPoint::Apex(0), WishPoint::Landing(0)].map(|point| now.spot(point).expect("it").at);
            let share = 0.8;
            let nearer = landing.x - RUN * 2.0 * JUMP / GRAVITY * (1.0 - share);
            let wishes = [
                Wish { point: WishPoint::Apex(0), to: [None, Some(apex.y)] },
                Wish { point: WishPoint::Landing(0), to: [Some(nearer), Some(landing.y)] },
            ];
            let found = search(&revision, JUMPS, &wishes).expect("both");
            check(&revision, JUMPS, &wishes, &found);
            // v/g is the time and v²/g the height: with a share of the time, v grows by its inverse, and g by the square of it.
            let both = values(&found, &["platformer.jump_speed", "simulation.gravity"]);
            let [speed, gravity] = both.expect("an answer by both")[..] else { panic!("{hz} Hz") };
            assert!((speed * share / JUMP - 1.0).abs() < 2e-3, "{hz} Hz: {speed}");
            assert!((gravity * share * share / GRAVITY - 1.0).abs() < 4e-3, "{hz} Hz: {gravity}");
            // More than one number, and never one that does it alone along with others.
            assert!(found.answers.iter().all(|answer| answer.changes.len() <= 2), "{hz} Hz");
        }
    });
}

#[test]
fn what_numbers_cannot_do_is_said_with_how_near_they_come() {
    on_large_stack(|| {
        let revision = Arc::new(game(60).open().expect("a good game"));
        let height = JUMP * JUMP / (2.0 * GRAVITY);
        for times in [1e3, 1e6] {
            let to = [None, Some(HALF + height * times)];
            let found = search(&revision, JUMPS, &[Wish { point: WishPoint::Apex(0), to }]).expect("an apex");
            assert!(found.answers.is_empty(), "{times}");
            // Within ten times each number, a millionth of the way is as good as nothing.
            assert_eq!(found.nearest.is_some(), times < 1e4, "{times}");
            let Some(nearest) = found.nearest else { continue };
            assert!(nearest.off > NEAR && nearest.off < height * times, "{times}: {}", nearest.off);
            for change in &nearest.changes {
                let factor = change.value / change.number.value;
                assert!((0.0999..=10.001).contains(&factor), "{times}: {} by {factor}", change.number.path());
                let fits = change.number.group().check(change.number.name(), &Setting::Number(change.value));
                fits.expect("in range");
            }
        }
        // What is there already takes no change.
        let to = [None, Some(HALF + height)];
        let found = search(&revision, JUMPS, &[Wish { point: WishPoint::Apex(0), to }]).expect("an apex");
        assert!(found.answers.is_empty() && found.nearest.is_none());
        // A path without the point is an error.
        let wish = Wish { point: WishPoint::LetGo(0), to: [Some(0.0), None] };
        assert_eq!(search(&revision, JUMPS, &[wish]).expect_err("no hook"), "the path has no let go");
        let stands = Keys { held: &[], seconds: 1.0 };
        let wish = Wish { point: WishPoint::Apex(0), to: [None, Some(90.0)] };
        assert_eq!(search(&revision, stands, &[wish]).expect_err("no jump"), "the path has no apex");
        // No number makes a body that stands still walk.
        let wish = Wish { point: WishPoint::End, to: [Some(90.0), None] };
        let found = search(&revision, stands, &[wish]).expect("an end");
        assert!(found.answers.is_empty());
    });
}

#[test]
fn a_number_that_a_script_overrides_is_no_answer() {
    on_large_stack(|| {
        let folder = game(60);
        folder.write("scripts/hero.rhai", "fn on_tick(me) { me.tune(\"platformer.jump_speed\", 500.0); }\n");
        folder.write("config/entities/hero.toml", &format!("script = \"hero.rhai\"\n{}", kind("")));
        let revision = Arc::new(folder.open().expect("a good game"));
        let now = JUMPS.play(&revision, &[]).expect("a path").spot(WishPoint::Apex(0)).expect("an apex").at;
        let wishes = [Wish { point: WishPoint::Apex(0), to: [None, Some(now.y + 20.0)] }];
        let found = search(&revision, JUMPS, &wishes).expect("an apex");
        check(&revision, JUMPS, &wishes, &found);
        let keys = found.answers.iter().flat_map(|answer| &answer.changes).map(|change| change.number.path());
        let keys: Vec<String> = keys.collect();
        assert!(keys.contains(&"simulation.gravity".to_string()), "{keys:?}");
        assert!(!keys.contains(&"platformer.jump_speed".to_string()), "{keys:?}");
    });
}

#[test]
fn a_search_that_is_stopped_finds_nothing() {
    on_large_stack(|| {
        let revision = Arc::new(game(60).open().expect("a good game"));
        let wishes = [Wish { point: WishPoint::Apex(0), to: [None, Some(200.0)] }];
        for after in [0, 1, 20, 60] {
            let plays = AtomicUsize::new(0);
            let play = |revision: &Arc<Revision>, wanted: &[WishPoint]| {
                let number = plays.fetch_add(1, Ordering::Relaxed);
                (number < after).then(|| JUMPS.play(revision, wanted)).flatten()
            };
            let search = WishSearch { revision: &revision, profile: 0, wishes: &wishes, play, threads: 1 };
            assert!(search.answers().is_none(), "{after}");
            assert_eq!(plays.load(Ordering::Relaxed), after + 1, "nothing is played after that");
        }
    });
}

#[test]
fn vessels_and_bodies_seen_from_above_have_answers() {
    on_large_stack(|| {
        let vessel = "model = \"vessel\"\n[body]\npieces = [{ points = [[-9, -19], [9, -19], [9, 19], [-9, 19]] }]\n\
                      [vessel]\nthrust_accel = 2000.0\n";
        let topdown = "model = \"topdown\"\nbody = { box = [20, 20] }\n[topdown]\njump_speed = 300.0\n";
        let thrust = Keys { held: &[Action::Up], seconds: 0.6 };
        let walk = Keys { held: &[Action::Right, Action::Jump], seconds: 1.0 };
        for (kind, view, keys, point) in [
            (vessel, "side", thrust, WishPoint::End),
            (topdown, "top", walk, WishPoint::Apex(0)),
            (topdown, "top", walk, WishPoint::Landing(0)),
        ] {
            let folder = game(60);
            folder.write("config/entities/hero.toml", kind);
            if view == "top" {
                let hero = "[[entity]]\nkind = \"hero\"\nname = \"hero\"\nat = [0, 19]\nplayer = 1\n";
                let level = format!("view = \"top\"\nbounds = [-900, -900, 9000, 9000]\n{hero}");
                folder.write("levels/level.toml", &level);
            }
            let revision = Arc::new(folder.open().unwrap_or_else(|wrong| panic!("{view}: {wrong:?}")));
            let now = keys.play(&revision, &[]).expect("a path");
            let at = now.spot(point).unwrap_or_else(|| panic!("{view} {point:?}: {:?}", now.spots)).at;
            let to = match point {
                WishPoint::Landing(_) => [Some(at.x + 9.0), None],
                _ => [None, Some(at.y + 9.0)],
            };
            let wishes = [Wish { point, to }];
            let found = search(&revision, keys, &wishes).expect("the point");
            check(&revision, keys, &wishes, &found);
            assert!(!found.answers.is_empty(), "{view} {point:?}");
        }
    });
}

#[test]
fn an_answer_says_which_contracts_and_tests_it_breaks() {
    on_large_stack(|| {
        let folder = game(60);
        let height = JUMP * JUMP / (2.0 * GRAVITY);
        let contracts = format!("[expect]\napex = \"{height} ± 1\"\nstop_distance = \"≤ 500\"\n");
        folder.write("config/entities/hero.toml", &kind(&contracts));
        folder.write(
            "levels/tests/jumps.rhai",
            "fn test_rises() {\n    let t = play(\"level\");\n    t.hold(\"jump\");\n    t.run(0.5);\n    \
             expect(t.entity(\"hero\").y).near(144.0, 3.0);\n}\nfn test_nothing() {}\n",
        );
        let revision = folder.open().expect("a good game");
        let edit = |name: &'static str, value: f64| {
            let group = hangtime_core::models::ModelName::platformer.into();
            let home = revision.tuning_home(0, &group, name);
            let (was, written) = revision.setting_at(&home, &group, name).expect("a tunable");
            let value = Setting::Number(value);
            TuningEdit { change: hangtime_game::TuningChange { home, group, name, value }, was, written }
        };
        let broken = |before: &[TuningEdit], after: &[TuningEdit]| {
            let mut names = Vec::new();
            let mut last = (0, 0);
            let each = &mut |news| {
                match news {
                    BreakNews::Broken(name) => names.push(name),
                    BreakNews::Done { done, all } => last = (done, all),
                    BreakNews::Unsaved(why) => panic!("{why}"),
                }
                true
            };
            let game = GameFolder::new(folder.root());
            broken_by(&game, "level", [before, after], &|| false, each).expect("tests");
            assert_eq!(last.0, last.1, "all were run");
            (names, last.1)
        };
        let apex = "config/entities/hero.toml::expect::apex".to_string();
        let (names, all) = broken(&[], &[edit("jump_speed", JUMP * 1.2)]);
        assert_eq!(names.first(), Some(&apex), "{names:?} of {all}");
        assert!(names.contains(&"levels/tests/jumps.rhai::test_rises".to_string()), "{names:?}");
        assert!(!names.iter().any(|name| name.contains("stop_distance") || name.contains("nothing")), "{names:?}");
        // What is broken already, by numbers that are not saved, is not blamed on more of them.
        let before = [edit("jump_speed", JUMP * 1.2)];
        let (names, _) = broken(&before, &[edit("jump_speed", JUMP * 1.3)]);
        assert!(names.is_empty(), "{names:?}");
        // A number that no contract needs breaks nothing, and files stay as they are.
        let (names, _) = broken(&[], &[edit("hook_speed", 2000.0)]);
        assert!(names.is_empty(), "{names:?}");
        assert_eq!(folder.read("config/entities/hero.toml"), kind(&contracts));
    });
}
