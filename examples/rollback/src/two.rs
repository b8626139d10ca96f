//! Two peers in two processes, and what becomes of them.

use crate::{Failure, differ::first_difference};
use std::{
    fs::read_to_string,
    net::UdpSocket,
    process::{Command, Stdio},
};

/// Plays a level with two players. Succeeds if both have the same hash at the end.
pub fn play(folder: &str, level: &str, ticks: &str, desync: &str) -> Result<(), Failure> {
    // Ports that are free now.
    let sockets = [UdpSocket::bind("127.0.0.1:0")?, UdpSocket::bind("127.0.0.1:0")?];
    let mut ports = Vec::new();
    for socket in &sockets {
        ports.push(socket.local_addr()?.port().to_string());
    }
    drop(sockets);
    let histories = [0, 1].map(|player| {
        let name = format!("hangtime-rollback-{}-{player}.jsonl", std::process::id());
        std::env::temp_dir().join(name)
    });
    let mut peers = Vec::new();
    for player in 0..2 {
        let mut peer = Command::new(std::env::current_exe()?);
        peer.args(["peer", &player.to_string(), &ports[player], &ports[1 - player], folder, level, ticks]);
        peer.arg(if player == 1 { desync } else { "none" }).arg(&histories[player]);
        peers.push(peer.stdout(Stdio::piped()).spawn()?);
    }
    let mut said = String::new();
    for peer in peers {
        let output = peer.wait_with_output()?;
        said += &String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            return Err(format!("{said}a peer has failed").into());
        }
    }
    print!("{said}");
    if said.contains("disagrees") {
        let [ours, theirs] = histories.each_ref().map(read_to_string);
        let [one, other] = histories.each_ref().map(|path| path.display());
        return Err(format!("{}\nthe states: {one} {other}", first_difference(&ours?, &theirs?)?).into());
    }
    let hashes: Vec<&str> = said.lines().filter_map(|line| line.split_once("hash ")?.1.split(' ').next()).collect();
    match hashes[..] {
        [one, other] if one == other => Ok(()),
        _ => Err("the players have not ended alike".into()),
    }
}
