//! Budgets of scripts that a game sets far too high.

use crate::{
    folder::Folder,
    program::{command, err, run},
};
use std::{
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Budgets with which a tick takes minutes.
pub const HUGE: &str = "[scripts]\noperations = 100000000\ntick_operations = 4000000000\n";

/// A game whose script throws in its first tick, which is printed at once, and never ends the second one. One body is
/// enough for a minute or so, thirty take half an hour.
fn endless() -> Folder {
    let script = "fn on_tick(me) { this.n += 1; if this.n == 1 { throw \"it begins\"; } while true { this.n += 1; } }";
    let folder = Folder::with_script(script);
    let heroes = "[[entity]]\nkind = \"hero\"\nat = [-500, 19]\n".repeat(30);
    folder.write("levels/level.toml", &format!("{}{heroes}", crate::folder::LEVEL));
    folder.write("config/hangtime.toml", HUGE);
    folder
}

#[test]
fn budgets_with_which_a_tick_takes_minutes_are_reported() {
    let folder = endless();
    let said = "config/hangtime.toml:3:19: warning: with `tick_operations` = 4000000000, a single tick can take about 200 s, \
                and the game stands still";
    let checked = run(folder.root(), &["check"]);
    assert!(err(&checked).contains(said) || crate::program::out(&checked).contains(said), "{checked:?}");
    let played = run(folder.root(), &["run", "level", "--ticks", "1"]);
    assert!(err(&played).contains(said), "{played:?}");
    // A call alone can take as long.
    folder.write("config/hangtime.toml", "[scripts]\noperations = 100000000\n");
    let played = run(folder.root(), &["run", "level", "--ticks", "1"]);
    assert!(err(&played).contains("with `operations` = 100000000, a single tick can take about 5 s"), "{played:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_a_game_whose_tick_does_not_end() {
    // Without a window, `play` makes a film.
    for (arguments, said) in [
        (
            &["run", "level", "--record", "a.run"][..],
            "interrupted in tick 2, which did not end: its scripts were stopped",
        ),
        (&["play", "level"], "interrupted: nothing was saved"),
    ] {
        let folder = endless();
        let mut child = command(folder.root(), arguments).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut text = String::new();
        while !text.contains("it begins") {
            assert_ne!(stderr.read_line(&mut text).expect("text"), 0, "{text}");
        }
        // It computes and computes: in the second tick.
        let before = processor_time(&child);
        let until = Instant::now() + Duration::from_secs(120);
        while processor_time(&child) < before + 100 {
            assert!(Instant::now() < until && child.try_wait().expect("a status").is_none(), "{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill").success());
        stderr.read_to_string(&mut text).expect("text");
        let status = child.wait().expect("a status");
        assert_eq!(status.code(), Some(130), "{text}");
        assert!(text.contains(said), "{text}");
        if folder.path("a.run").exists() {
            let replayed = run(folder.root(), &["replay", "a.run"]);
            assert!(crate::program::out(&replayed).starts_with("the same: 1 ticks"), "{replayed:?}");
        }
    }
}

/// The time that a process has computed, in hundredths of a second.
#[cfg(target_os = "linux")]
pub fn processor_time(child: &Child) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).expect("a process");
    let fields = stat.rsplit(") ").next().unwrap_or_default();
    fields.split(' ').nth(11).and_then(|time| time.parse().ok()).expect("a number")
}
