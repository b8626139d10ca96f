//! Two players see the same game on a bad network, and a game that differs is noticed.

use std::process::{Command, Output};

/// The game of this repository: `together` is a level for two players.
const GAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn rollback(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hangtime-rollback"))
        .args(words)
        .output()
        .expect("a program")
}

fn texts(output: &Output) -> [String; 2] {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

#[test]
fn ticks_that_are_played_again_are_the_same() {
    for level in ["together", "playground"] {
        let played = rollback(&["sync", GAME, level, "600"]);
        assert!(played.status.success(), "{level}: {:?}", texts(&played));
    }
}

#[test]
fn two_players_on_a_bad_network_end_alike() {
    let played = rollback(&["two", GAME, "together", "600"]);
    let [out, err] = texts(&played);
    assert!(played.status.success(), "{out}{err}");
    // Without going back, the test would show nothing: guesses have to have been wrong.
    for line in out.lines() {
        let count = line.rsplit(' ').nth(1).and_then(|word| word.parse::<u64>().ok()).expect("a number");
        assert!(count > 700, "hardly any tick was played again: {line}");
    }
}

#[test]
fn a_game_that_differs_is_noticed_with_tick_entity_and_field() {
    let played = rollback(&["two", GAME, "together", "400", "200"]);
    let [out, err] = texts(&played);
    assert!(!played.status.success(), "{out}");
    assert!(out.contains("disagrees about tick 2"), "{out}{err}");
    assert!(err.starts_with("tick 201: friend.pos.x is "), "{out}{err}");
}
