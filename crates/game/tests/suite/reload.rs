//! A change on disk becomes the next revision, all or nothing, and keeps all state.

use crate::{
    folder::{Folder, Game, LEVEL},
    watched::Watched,
};
use hangtime_core::{models::Action, sim::Value};
use hangtime_game::Notice;
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

const COUNTS: &str = "fn on_tick(me) { this.n += 1; }";

fn save_by_rename(folder: &Folder, name: &str, text: &str) {
    let renamed = folder.path(&format!("{name}.new"));
    std::fs::write(&renamed, text).expect("a file");
    std::fs::rename(renamed, folder.path(name)).expect("a renamed file");
}

#[test]
fn a_saved_script_takes_effect_and_keeps_all_state() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    watched.game.input.held.insert(Action::Right);
    watched.game.ticks(30);
    watched.folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 1000; }");
    let before = loop {
        let (hero, n) = (watched.game.hero(), watched.game.var("n"));
        let Some(Notice::Ready { revision, changed, .. }) = watched.reloader.notices().next() else {
            watched.game.ticks(1);
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        assert_eq!((revision.number, changed), (2, vec!["scripts/hero.rhai".to_string()]));
        watched.game.live.adopt(revision);
        break (hero, n);
    };
    let after = watched.game.hero();
    assert_eq!((after.pos, after.vel, after.age), (before.0.pos, before.0.vel, before.0.age));
    assert_eq!(watched.game.var("n"), before.1);
    let Value::Int(n) = before.1 else { panic!("n is whole") };
    watched.game.ticks(1);
    assert_eq!(watched.game.var("n"), Value::Int(n + 1000));
    assert!(watched.game.hero().pos.x > after.pos.x, "the key is still held");
}

#[test]
fn a_reload_calls_on_reload_and_the_rules() {
    let folder = Folder::with_script(COUNTS);
    let mut watched = Watched::new(folder);
    let script = "fn on_tick(me) { this.n += 1; } fn on_reload(me) { this.reloads = 1; }\n\
                  fn model(me) { \"two_velocity\" }\n\
                  fn jump_windows(me) { #{ jump_hold_time: 0 } }";
    save_by_rename(&watched.folder, "scripts/hero.rhai", script);
    watched.wait_ready();
    watched.game.ticks(2);
    assert_eq!(watched.game.var("reloads"), Value::Int(1));
    assert_eq!(watched.game.hero().model_name(), "two_velocity");
    // Removed again: this takes a second, because the file may be half-saved.
    watched.folder.write("scripts/hero.rhai", COUNTS);
    watched.wait_ready();
    watched.game.ticks(2);
    assert_eq!(watched.game.hero().model_name(), "platformer");
    watched.game.input.held.insert(Action::Jump);
    watched.game.ticks(6);
    assert_eq!(watched.game.hero().vel.y, 540.0, "the tuned hold is back");
}

#[test]
fn saved_numbers_take_effect() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    watched
        .folder
        .write("config/models/platformer.toml", "run_speed_min = 100\nrun_speed_max = 100\n");
    watched.wait_ready();
    watched.game.input.held.insert(Action::Right);
    watched.game.ticks(1);
    assert_eq!(watched.game.hero().vel.x, 100.0);
}

#[test]
fn new_and_removed_files_trigger_a_reload() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    watched.folder.write("config/models/platformer.toml", "run_speed_min = 100\n");
    watched.wait_ready();
    std::fs::remove_file(watched.folder.path("config/models/platformer.toml")).expect("removed");
    // Its numbers stay until the level is started again.
    assert!(matches!(watched.wait(), Notice::Broken(_)));
    watched.reloader.restarted();
    watched.wait_ready();
    let profile = &watched.game.live.revision().stage.profiles[0];
    assert_eq!(profile.loadouts.platformer.tuning.run_speed_min, 360.0);
}

#[test]
fn a_level_edit_keeps_entities_and_pushes_them_out_of_new_solids() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    watched.game.ticks(10);
    let pos = watched.game.hero().pos;
    let wall = "[[solid]]\npoints = [[-230, 0], [-195, 0], [-195, 200], [-230, 200]]\n";
    let other = "[[entity]]\nkind = \"hero\"\nname = \"second\"\nat = [300, 19]\n";
    watched.folder.write("levels/level.toml", &format!("{LEVEL}{wall}{other}"));
    watched.wait_ready();
    let hero = watched.game.hero();
    assert!((hero.pos.x - -185.0).abs() < 1e-5 && hero.pos.y == pos.y, "{}", hero.pos);
    assert_eq!(watched.game.live.world().entities().len(), 2);
    assert!(matches!(watched.game.var("n"), Value::Int(n) if n >= 10), "variables are kept");
    watched.folder.write("levels/level.toml", LEVEL);
    watched.wait_ready();
    assert_eq!(watched.game.live.world().entities().len(), 1);
    watched.game.ticks(5);
    assert!(watched.game.hero().grounded);
}

#[test]
fn errors_keep_the_last_good_revision_until_they_are_fixed() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    watched.folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += ");
    let Notice::Broken(wrong) = watched.wait() else { panic!("it is broken") };
    assert!(wrong[0].headline().starts_with("scripts/hero.rhai:1:"), "{wrong:?}");
    let before = watched.game.var("n");
    watched.game.ticks(1);
    assert_ne!(watched.game.var("n"), before, "the last good script keeps running");
    // A second mistake is reported as well, and neither file takes effect.
    watched.folder.write("config/models/platformer.toml", "run_speed_min = -1\n");
    let Notice::Broken(wrong) = watched.wait() else { panic!("it is broken") };
    assert_eq!(wrong.iter().filter(|d| d.is_error()).count(), 2);
    watched.folder.write("config/models/platformer.toml", "");
    let Notice::Broken(wrong) = watched.wait() else { panic!("one is left") };
    assert_eq!(wrong.iter().filter(|d| d.is_error()).count(), 1);
    watched.folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }");
    assert_eq!(watched.wait_ready(), 2);
}

#[test]
fn a_reload_left_a_waiting_dialog_without_its_text() {
    let script = |more: &str| {
        format!(
            "fn on_birth(me) {{ me.start(\"talk\"); }}
             fn talk(me) {{ hud::text(\"says\", 0, 40, \"hello\"); camera::look_at(300, 120); wait(2.0); \
             hud::erase(\"says\"); camera::reset(); }}
             fn on_tick(me) {{ {more} hud::text(\"speed\", 0, 60, `${{me.vel.x}}`); }}"
        )
    };
    let folder = Folder::with_script(&script("hud::text(\"old\", 0, 80, \"old\");"));
    let mut game = folder.game();
    let drawn = |game: &Game| {
        let drawing = game.live.world().drawing();
        let names = drawing.owners().flat_map(|(_, by)| by.things()).map(|thing| thing.name.to_string());
        (names.collect::<Vec<_>>(), drawing.camera.settings.clone())
    };
    game.ticks(30);
    let (names, camera) = drawn(&game);
    assert_eq!(names, ["old", "speed", "says"]);
    folder.write("scripts/hero.rhai", &script(""));
    game.live.adopt(Arc::new(folder.open().expect("a good script")));
    // What is drawn in each tick has to be drawn again: a line that is gone leaves nothing behind.
    assert_eq!(drawn(&game), (vec!["says".to_string()], camera.clone()));
    game.ticks(1);
    assert_eq!(drawn(&game), (vec!["says".to_string(), "speed".to_string()], camera.clone()));
    game.ticks(120);
    let (names, moved) = drawn(&game);
    assert_eq!(names, ["speed"]);
    assert_ne!(moved, camera);
    // Without a sequence, all is gone.
    folder.write("scripts/hero.rhai", "fn on_tick(me) { }");
    game.live.adopt(Arc::new(folder.open().expect("a good script")));
    assert_eq!(drawn(&game), (vec![], Default::default()));
    assert_eq!(game.wrong(), [""; 0]);
}

#[test]
fn reverting_an_edit_makes_no_new_revision() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    watched.folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += ");
    assert!(matches!(watched.wait(), Notice::Broken(_)));
    watched.folder.write("scripts/hero.rhai", COUNTS);
    assert!(matches!(watched.wait(), Notice::Reverted));
    assert_eq!(watched.game.live.revision().number, 1);
}

#[test]
fn saving_unchanged_files_does_nothing() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    watched.folder.write("scripts/hero.rhai", COUNTS);
    watched.folder.write("scripts/notes.txt", "not a script");
    watched.expect_nothing(Duration::from_millis(400));
}

#[test]
fn waits_for_a_script_that_has_lost_hooks() {
    let whole = "fn on_tick(me) { this.n += 1; }\nfn on_land(me) { }\n";
    let mut watched = Watched::new(Folder::with_script(whole));
    // An incomplete save that compiles but lacks a hook.
    watched.folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }\n");
    watched.expect_nothing(Duration::from_millis(500));
    watched
        .folder
        .write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }\nfn on_land(me) { }\n");
    assert_eq!(watched.wait_ready(), 2);
    // Hooks that stay removed for a second are removed on purpose.
    let started = Instant::now();
    watched.folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 3; }\n");
    assert_eq!(watched.wait_ready(), 3);
    assert!(started.elapsed() >= Duration::from_secs(1));
}

#[test]
fn a_new_tick_rate_warns_that_it_takes_effect_on_the_next_start() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    watched
        .folder
        .write("config/hangtime.toml", "[simulation]\ntick_hz = 120\ngravity = 100\n");
    let Notice::Ready { revision, .. } = watched.wait() else { panic!("it is good") };
    assert_eq!((revision.stage.hz, revision.stage.gravity), (60, 100.0));
    let told = revision.warnings.iter().any(|w| {
        w.headline().starts_with(
            "config/hangtime.toml:2:11: warning: a new `tick_hz` takes effect when you start hangtime again",
        )
    });
    assert!(told, "{:?}", revision.warnings);
}

#[test]
fn a_removed_level_is_reported_and_the_game_continues() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    std::fs::remove_file(watched.folder.path("levels/level.toml")).expect("removed");
    let Notice::Broken(wrong) = watched.wait() else { panic!("it is gone") };
    assert!(wrong[0].headline().contains("no such file"), "{wrong:?}");
    watched.folder.write("levels/level.toml", LEVEL);
    assert!(matches!(watched.wait(), Notice::Reverted));
}

#[test]
fn the_same_reloads_give_the_same_hashes() {
    // The same revisions at the same ticks give the same hashes.
    let first = Folder::with_script(COUNTS);
    let second = Folder::with_script("fn on_tick(me) { this.n += 5; me.hold(\"right\"); }");
    let (a, b) = (first.open().expect("good"), second.open().expect("good"));
    let (a, b) = (Arc::new(a), Arc::new(b));
    let play = || {
        let mut game = Game::new(a.clone());
        let mut hashes = Vec::new();
        for tick in 0..60 {
            match tick {
                20 => game.live.adopt(b.clone()),
                40 => game.live.adopt(a.clone()),
                _ => {}
            }
            hashes.push(game.ticks(1).live.world().hash());
        }
        hashes
    };
    assert_eq!(play(), play());
}

#[cfg(unix)]
#[test]
fn a_pipe_or_socket_in_place_of_a_file_does_not_stop_the_game() {
    let mut watched = Watched::new(Folder::with_script(COUNTS));
    let path = watched.folder.path("scripts/hero.rhai");
    let socket_over = |path: &Path| {
        std::fs::remove_file(path).expect("a file");
        std::os::unix::net::UnixListener::bind(path).expect("a socket");
    };
    let replace: [&dyn Fn(&Path); 2] = [&pipe_over, &socket_over];
    for replace in replace {
        replace(&path);
        let before = watched.game.live.world().ticks();
        match watched.wait() {
            Notice::Broken(wrong) => {
                let lines: Vec<_> = wrong.iter().map(|d| d.headline()).collect();
                assert!(lines.contains(&"scripts/hero.rhai: error: this is not a file".to_string()), "{lines:?}");
            }
            other => panic!("{other:?}"),
        }
        assert!(watched.game.live.world().ticks() > before);
        save_by_rename(&watched.folder, "scripts/hero.rhai", COUNTS);
        assert!(matches!(watched.wait(), Notice::Reverted));
    }
    // Nothing waits for what is left when the window closes.
    pipe_over(&path);
    let started = Instant::now();
    drop(watched);
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[cfg(unix)]
fn pipe_over(path: &Path) {
    std::fs::remove_file(path).expect("a file");
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.is_ok_and(|status| status.success()));
}
