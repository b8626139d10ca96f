//! Edits in the workbench: while paused, in the past, in a loop, refused ones.

use crate::{
    folder::{Folder, LEVEL, on_large_stack},
    workbench_case::{COUNTS, Case, hero},
};
use hangtime_core::models::Action;
use hangtime_workbench::{LogKind, WindowKey};

const HERO: &str = "config/entities/hero.toml";
const LEVEL_FILE: &str = "levels/level.toml";

#[test]
fn an_edit_made_while_paused_shows_at_once() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(60);
        case.tap(WindowKey::Pause);
        let place = case.place();
        // The floor rises by 50 px: the hero is pushed out of it.
        let raised = LEVEL.replace("[0, 0], [-1000, 0]", "[0, 50], [-1000, 50]");
        case.edit(LEVEL_FILE, &raised).expect("good");
        let changes = case.bench.frame(2.0, &mut |_| hangtime_core::sim::Inputs::none());
        assert!(changes.world && changes.texts);
        assert!(case.bench.picture().paused);
        assert_eq!(case.place().y, place.y + 50.0);
        assert_eq!(case.bench.live().revision().number, 2);
        let picture = case.bench.picture();
        assert_eq!(picture.status, "paused at tick 60");
        let edit = "revision 2: levels/level.toml: 1 solid changed, 3 ms";
        assert!(picture.notes.iter().any(|row| row.text == edit));
        let quiet = case.bench.frame(2.1, &mut |_| hangtime_core::sim::Inputs::none());
        assert!(!quiet.world);
    });
}

#[test]
fn many_edits_while_paused_take_the_memory_of_one() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(60);
        case.tap(WindowKey::Pause);
        let edit = |case: &mut Case, i: u32| {
            let text = hero(&format!("jump_speed = {}", 300 + i));
            case.edit(HERO, &text).expect("good");
            case.frames(1);
        };
        edit(&mut case, 0);
        let weight = case.bench.timeline().weight();
        (1..50).for_each(|i| edit(&mut case, i));
        assert_eq!(case.bench.timeline().weight(), weight);
        case.tap(WindowKey::StepBack);
        assert_eq!(case.bench.live().revision().number, 1);
        case.tap(WindowKey::StepForward);
        assert_eq!(case.bench.live().revision().number, 51);
    });
}

#[test]
fn a_refused_edit_stays_on_the_banner_until_it_is_mended() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(10);
        case.edit(HERO, &hero("jump_sped = 1")).expect_err("a typo");
        case.frames(600);
        assert!(case.bench.banner().contains("jump_sped"), "{}", case.bench.banner());
        assert_eq!(case.bench.live().revision().number, 1);
        assert_eq!(case.bench.position(), 610, "the game runs on");
        assert_eq!(case.logged(LogKind::Error).len(), 1);
        // Also while paused, and while an earlier tick is shown.
        case.hold_key(WindowKey::ScrubBack, 30);
        assert!(case.bench.banner().contains("jump_sped"));
        case.edit(HERO, &hero("jump_speed = 100")).expect("mended");
        assert_eq!(case.bench.banner(), "");
    });
}

#[test]
fn a_failing_script_is_logged_once_and_its_banner_goes_with_the_mend() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.edit("scripts/hero.rhai", "fn on_tick(me) { print(\"here\"); this.n += me.nothing; }")
            .expect("it compiles");
        case.frames(5);
        assert_eq!(case.logged(LogKind::Error).len(), 1);
        assert!(case.bench.banner().contains("nothing"), "{}", case.bench.banner());
        assert_eq!(case.logged(LogKind::Print), ["here"]);
        let times = case.bench.log().find(|line| line.text == "here").map(|l| l.count);
        assert_eq!(times, Some(5));
        // Playing the past again reports nothing twice.
        let lines = case.bench.log().count();
        case.hold_key(WindowKey::ScrubBack, 30);
        case.hold_key(WindowKey::ScrubForward, 30);
        assert_eq!(case.bench.log().count(), lines);
        case.edit("scripts/hero.rhai", COUNTS).expect("mended");
        assert_eq!(case.bench.banner(), "");
    });
}

#[test]
fn an_edit_in_the_past_plays_the_same_input_again_step_by_step() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        let mut places = Vec::new();
        for tick in 0..200 {
            case.hold(if tick % 60 < 30 { &[Action::Right] } else { &[Action::Left] });
            case.frames(1);
            places.push(case.place());
        }
        case.hold(&[]);
        case.hold_key(WindowKey::ScrubBack, 40);
        let back = case.bench.position();
        assert!(back > 10 && back < 180, "{back}");
        // Nothing that moves the hero.
        case.edit(HERO, &hero("hook_length = 77")).expect("good");
        assert_eq!(case.bench.position(), back);
        assert_eq!(case.bench.live().revision().number, 2);
        assert_eq!(case.bench.timeline().end(), back);
        assert!(case.logged(LogKind::Note)[0].contains("play their input again"));
        for position in back + 1..=150 {
            case.tap(WindowKey::StepForward);
            assert_eq!(case.place(), places[position as usize - 1], "{position}");
        }
        // A second edit there, after a step back.
        case.tap(WindowKey::StepBack);
        case.edit(HERO, &hero("hook_length = 78")).expect("good");
        for position in 150..=200 {
            case.tap(WindowKey::StepForward);
            assert_eq!(case.place(), places[position as usize - 1], "{position}");
        }
        assert_eq!(case.bench.timeline().end(), 200);
        case.tap(WindowKey::Pause);
        assert_eq!(case.bench.timeline().end(), 201);
    });
}

#[test]
fn an_edit_that_removes_the_picked_entity_picks_another() {
    on_large_stack(|| {
        let folder = Folder::with_script("");
        let second = "[[entity]]\nkind = \"hero\"\nname = \"other\"\nat = [-400, 19]\n";
        let both = format!("{LEVEL}{second}");
        folder.write(LEVEL_FILE, &both);
        let mut case = Case::of(folder);
        case.frames(90);
        case.tap(WindowKey::PickNext);
        assert_eq!(case.bench.picked().map(|n| &**n), Some("other"));
        case.bench.press(WindowKey::Why);
        case.frames(30);
        case.edit(LEVEL_FILE, LEVEL).expect("good");
        assert_eq!(case.bench.picked().map(|n| &**n), Some("hero"));
        case.wait();
        case.frames(30);
        assert!(case.bench.why().starts_with("why hero moves"));
        // It is back in the past, and in the level after another edit.
        case.hold_key(WindowKey::ScrubBack, 30);
        assert_eq!(case.bench.live().world().entities().len(), 2);
        case.edit(LEVEL_FILE, &both).expect("good");
        case.frames(10);
    });
}

#[test]
fn a_level_without_entities_can_be_played_back() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(50);
        let without = LEVEL.split("[[entity]]").next().expect("a level");
        case.edit(LEVEL_FILE, without).expect("good");
        case.frames(50);
        for key in [WindowKey::Why, WindowKey::PickNext, WindowKey::MarkA] {
            case.tap(key);
        }
        case.frames(20);
        case.tap(WindowKey::MarkB);
        case.frames(60);
        case.hold_key(WindowKey::ScrubBack, 30);
        case.edit(LEVEL_FILE, LEVEL).expect("good");
        case.wait();
        assert_eq!(case.bench.live().world().entities().len(), 1);
    });
}

#[test]
fn a_new_tick_rate_waits_for_the_next_start() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(60);
        // As the reloader builds it: with the rate of the running game.
        case.folder.write("config/hangtime.toml", "[simulation]\ntick_hz = 240\n");
        let sources = hangtime_game::SourceSet::read(
            hangtime_game::GameFolder::new(case.folder.root()),
            &case.folder.path(LEVEL_FILE),
        );
        let built = hangtime_game::Revision::build(&sources, &[], 2, Some(60));
        case.bench.notice(hangtime_game::Notice::Ready {
            revision: std::sync::Arc::new(built.expect("good")),
            changed: vec!["config/hangtime.toml".into()],
            took: std::time::Duration::from_millis(1),
            kept: Vec::new(),
        });
        case.frames(60);
        assert_eq!(case.bench.live().revision().stage.hz, 60);
        assert_eq!(case.bench.live().time(), 2.0);
        let warned = case.logged(LogKind::Warning);
        assert!(warned[0].contains("tick_hz"), "{warned:?}");
    });
}

#[test]
fn a_film_of_the_last_seconds_is_saved_and_replaces_no_file() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.play_about(30);
        case.edit(HERO, &hero("jump_speed = 300")).expect("good");
        case.play_about(10);
        case.bench.press(WindowKey::Restart);
        case.play_about(10);
        case.tap(WindowKey::Pause);
        std::fs::write(case.films().join("level-1.gif"), "mine").expect("a file");
        for number in [2, 3] {
            case.tap(WindowKey::SaveGif);
            case.wait();
            let path = case.films().join(format!("level-{number}.gif"));
            let film = std::fs::read(&path).expect("a film");
            assert!(film.starts_with(b"GIF8") && film.len() > 1000);
            let notes = case.logged(LogKind::Note);
            assert!(notes.iter().any(|note| note == &format!("saved {}", path.display())));
        }
        assert_eq!(std::fs::read(case.films().join("level-1.gif")).expect("a file"), b"mine");
        std::fs::remove_dir_all(case.films()).expect("removed");
        case.tap(WindowKey::SaveGif);
        case.wait();
        assert!(case.logged(LogKind::Warning)[0].contains("films"));
    });
}

#[test]
fn a_level_that_is_opened_late_says_what_to_try_there() {
    let folder = Folder::with_script("fn on_tick(me) {}");
    folder.write("config/entities/hero.toml", "model = \"vessel\"\nscript = \"hero.rhai\"\n");
    let case = Case::of(folder);
    let mut bench = case.bench;
    let mut shown_at = |now: f64| {
        bench.frame(now, &mut |_| hangtime_core::sim::Inputs::none());
        let rows = bench.picture().notes.into_iter();
        rows.map(|row| row.text).collect::<Vec<_>>().join("\n")
    };
    // Ten minutes into the session.
    let first = shown_at(600.0);
    assert!(first.contains("thrust") && first.contains("turn"), "{first}");
    assert!(!first.contains("jump"), "{first}");
    assert!(shown_at(630.0).contains("thrust"));
    assert!(!shown_at(650.0).contains("thrust"));
}

#[test]
fn the_first_seconds_say_what_to_try_and_which_line_to_edit() {
    on_large_stack(|| {
        let mut case = Case::at(60);
        case.frames(1);
        let rows = |case: &Case| -> Vec<String> {
            let rows = case.bench.picture().notes.into_iter();
            rows.map(|row| row.text).collect()
        };
        let shown = rows(&case);
        assert!(shown[0].contains("jump") && shown[0].contains("F1: all keys"), "{shown:?}");
        assert!(shown[1].contains("jump_speed") && shown[1].contains(".toml"), "{shown:?}");
        // A phone has no keys.
        case.bench.use_keyboard(false);
        assert_eq!(rows(&case), shown[1..]);
        case.bench.use_keyboard(true);
        // A game in a frame of another page has no editor.
        case.bench.use_editor(false);
        assert_eq!(rows(&case), shown[..1]);
        case.bench.use_editor(true);
        // The game's own actions come before it, and of many the first ones.
        let names = ["throw", "strike", "duck", "wink", "unbound"].map(|name| format!("me.pressed(\"{name}\")"));
        let folder = Folder::with_script(&format!("fn on_tick(me) {{ if {} {{}} }}", names.join(" || ")));
        let keys =
            "[keys]\nthrow = [\"KeyE\", \"KeyU\"]\nstrike = \"KeyQ\"\nduck = \"KeyI\"\nwink = \"KeyK\"\nunbound = []\n";
        folder.write("config/hangtime.toml", keys);
        let mut with_actions = Case::of(folder);
        with_actions.frames(1);
        let line = &rows(&with_actions)[0];
        assert!(line.contains("I: duck   Q: strike   E, U: throw   F1: all keys"), "{line}");
        // Actions that no script of the level names do nothing here.
        let folder = Folder::with_script("fn on_tick(me) { if me.pressed(\"duck\") {} }");
        folder.write("config/hangtime.toml", keys);
        let mut with_one = Case::of(folder);
        with_one.frames(1);
        let line = &rows(&with_one)[0];
        assert!(line.contains("I: duck   F1: all keys") && !line.contains("strike"), "{line}");
        // An edit has been made: the user knows.
        let raised = LEVEL.replace("[0, 0], [-1000, 0]", "[0, 50], [-1000, 50]");
        case.edit(LEVEL_FILE, &raised).expect("good");
        case.frames(1);
        assert!(!rows(&case).iter().any(|row| row.contains("jump_speed")));
    });
}
