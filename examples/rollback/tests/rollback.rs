//! Two players see the same game on a bad network, and a game that differs is noticed.

use std::{
    net::UdpSocket,
    process::{Command, Output, Stdio},
};

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

/// What two peers say at the end, each with a level of its game.
fn peers(levels: [&str; 2]) -> [Output; 2] {
    let sockets = [0, 1].map(|_| UdpSocket::bind("127.0.0.1:0").expect("a socket"));
    let ports = sockets
        .each_ref()
        .map(|socket| socket.local_addr().expect("an address").port().to_string());
    drop(sockets);
    let peers = [0, 1].map(|player: usize| {
        let words =
            ["peer", ["0", "1"][player], &ports[player], &ports[1 - player], GAME, levels[player], "60", "none", "-"];
        let mut peer = Command::new(env!("CARGO_BIN_EXE_hangtime-rollback"));
        peer.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a peer")
    });
    peers.map(|peer| peer.wait_with_output().expect("an end"))
}

#[test]
fn players_of_two_levels_do_not_start() {
    let ended = peers(["together", "playground"]);
    let [one, other] = ["levels/together.toml", "levels/playground.toml"];
    for (ended, (here, there)) in ended.iter().zip([(one, other), (other, one)]) {
        let [out, err] = texts(ended);
        assert!(!ended.status.success() && out.is_empty(), "{out}");
        assert_eq!(err, format!("the other player has another level: {here} here, {there} there\n"));
    }
    for ended in peers(["together", "together"]) {
        assert!(ended.status.success(), "{:?}", texts(&ended));
    }
}
