//! Building under a deadline, and links in a game's folders.

use crate::folder::{Folder, Game, on_large_stack};
use hangtime_core::sim::Value;
use hangtime_game::{Error, Notice, Reloader, Revision, SourceSet, within_deadline};
use hangtime_script::BuildProgress;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

const COUNTS: &str = "fn on_tick(me) { this.n += 1; }";

#[test]
fn a_build_in_time_returns_its_result() {
    assert_eq!(within_deadline(|| 5).ok(), Some(5));
}

#[test]
fn a_file_for_which_a_busy_machine_takes_six_seconds_is_no_error() {
    let busy = Duration::from_secs(6);
    let read = within_deadline(move || {
        BuildProgress::at("levels/level.tmx");
        std::thread::sleep(busy);
        5
    });
    assert_eq!(read.ok(), Some(5));
}

#[test]
fn a_panicking_build_is_an_error() {
    let died = within_deadline::<()>(|| panic!("this is a test"));
    assert!(matches!(died, Err(Error::Internal { .. })));
}

fn next(reloader: &Reloader, game: &mut Game) -> Notice {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(120) {
        if let Some(notice) = reloader.notices().next() {
            return notice;
        }
        game.ticks(1);
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("the change had no effect");
}

#[test]
fn a_slow_build_is_reported_and_adopted_when_it_is_done() {
    on_large_stack(|| {
        let folder = Folder::with_script(COUNTS);
        let mut game = folder.game();
        // No file compiles in zero time.
        let reloader = Reloader::with_deadline(
            folder.root().to_path_buf(),
            folder.path("levels/level.toml"),
            vec![],
            game.live.revision(),
            Duration::ZERO,
        );
        // On a busy machine a build may finish before the deadline is checked. Then try again.
        let mut slow = None;
        for attempt in 0..50 {
            let text = format!("{COUNTS}\n// changed {attempt}\n");
            folder.write("scripts/hero.rhai", &text);
            match next(&reloader, &mut game) {
                Notice::Broken(wrong) => {
                    slow = Some(wrong);
                    break;
                }
                Notice::Ready { revision, .. } => game.live.adopt(revision),
                Notice::Reverted => panic!("nothing was reverted"),
            }
        }
        let wrong = slow.expect("a slow build is reported");
        assert_eq!(wrong.len(), 1);
        assert!(wrong[0].message.contains("takes longer than 0 s"), "{wrong:?}");
        let ticked = game.live.world().ticks();
        let Notice::Ready { revision, .. } = next(&reloader, &mut game) else {
            panic!("the finished build is not adopted");
        };
        assert_eq!(revision.number, game.live.revision().number + 1);
        assert!(game.live.world().ticks() >= ticked, "the game stopped during the build");
    });
}

#[cfg(unix)]
#[test]
fn links_out_of_the_game_folder_are_not_followed() {
    let elsewhere = Folder::empty();
    elsewhere.write("secret.rhai", "fn f() { 1 }");
    let folder = Folder::with_script("import \"secret\" as secret;\nfn on_tick(me) { secret::f(); }");
    let link = folder.path("scripts/secret.rhai");
    std::os::unix::fs::symlink(elsewhere.path("secret.rhai"), &link).expect("a link");
    let wrong = folder.wrong();
    assert!(wrong.iter().any(|w| w.contains("scripts/secret.rhai: error: this leads out")), "{wrong:?}");
    // A link that stays inside is a normal file.
    std::fs::remove_file(&link).expect("the link");
    folder.write("scripts/lib/kept.rhai", "fn f() { 1 }");
    std::os::unix::fs::symlink("lib/kept.rhai", &link).expect("a link");
    assert_eq!(folder.wrong(), [""; 0]);
    // A link to a folder above does not recurse forever.
    std::os::unix::fs::symlink("..", folder.path("scripts/lib/up")).expect("a link");
    assert_eq!(folder.wrong(), [""; 0]);
}

#[test]
fn the_next_revision_compiles_scripts_again_only_if_one_has_changed() {
    let folder = Folder::with_script(COUNTS);
    let level = folder.path("levels/level.toml");
    let first = folder.open().expect("a level");
    let next = |after: &Revision| after.next(&SourceSet::read(folder.root(), &level), after.number + 1);
    let changed = |after: &Revision| next(after).expect("a change").unwrap_or_else(|error| panic!("{error}"));
    assert!(next(&first).is_none(), "nothing has changed");
    folder.write("config/models/platformer.toml", "jump_speed = 700.0\n");
    let tuned = changed(&first);
    assert_eq!(tuned.number, first.number + 1);
    assert!(Arc::ptr_eq(&tuned.scripts, &first.scripts));
    assert_ne!(format!("{:?}", tuned.stage.profiles), format!("{:?}", first.stage.profiles));
    folder.write("scripts/hero.rhai", "fn on_tick(me) { this.n += 2; }");
    let edited = changed(&tuned);
    assert!(!Arc::ptr_eq(&edited.scripts, &tuned.scripts));
    // The warning of a script is not lost with the next number.
    folder.write("scripts/hero.rhai", "fn on_lnad(me) { this.n += 2; }");
    let warned = changed(&edited);
    assert_eq!(warned.warnings.len(), 1, "{:?}", warned.warnings);
    folder.write("config/models/platformer.toml", "jump_speed = 600.0\n");
    assert_eq!(changed(&warned).warnings, warned.warnings);
    // Other variables are other scripts.
    folder.write("scripts/hero.rhai", COUNTS);
    let plain = changed(&warned);
    let kind = folder.read("config/entities/hero.toml");
    folder.write("config/entities/hero.toml", &kind.replace("n = 0", "n = 5"));
    assert_ne!(kind, folder.read("config/entities/hero.toml"));
    let other = Arc::new(changed(&plain));
    on_large_stack(|| assert_eq!(Game::new(other).ticks(1).var("n"), Value::Int(6)));
}
