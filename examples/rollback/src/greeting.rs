//! Whether both players have the same game. ggrs does not ask, and games that are not the same would differ from some tick on.

use crate::Failure;
use hangtime_game::{Live, Project, files::game_hash};
use std::{
    net::{Ipv4Addr, SocketAddr, UdpSocket},
    time::{Duration, Instant},
};

/// How often a player greets, and how long the other one may stay silent.
const PAUSE: Duration = Duration::from_millis(20);
const PATIENCE: Duration = Duration::from_secs(20);

/// How often a player greets after it was heard, because these packets can be lost, too.
const LAST: u32 = 10;

/// What both players need alike.
#[derive(Debug, PartialEq)]
pub struct Greeting {
    /// The version of the program. Its rules are part of the game.
    pub version: String,
    /// The level.
    pub level: String,
    /// The hash of the game's files.
    pub files: String,
}

impl Greeting {
    /// That of a running level of a game folder.
    pub fn of(folder: &str, live: &Live) -> Result<Self, Failure> {
        let level = live.revision().stage.level.name.to_string();
        let files = game_hash(Project::load(folder)?.folder());
        Ok(Self { version: env!("CARGO_PKG_VERSION").into(), level, files })
    }

    /// Exchanges greetings with the other player. Both get to know a difference.
    pub fn exchange(&self, port: u16, other: SocketAddr) -> Result<(), Failure> {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port))?;
        socket.set_nonblocking(true)?;
        let deadline = Instant::now() + PATIENCE;
        let mut packet = [0; 2048];
        let (mut theirs, mut is_heard) = (None, false);
        while theirs.is_none() || !is_heard {
            if Instant::now() > deadline {
                return Err(format!("no greeting has come from {other} within {} s", PATIENCE.as_secs()).into());
            }
            socket.send_to(self.text(theirs.is_some()).as_bytes(), other)?;
            std::thread::sleep(PAUSE);
            while let Ok((length, from)) = socket.recv_from(&mut packet) {
                if let (true, Some((greeting, heard))) = (from == other, Self::read(&packet[..length])) {
                    (theirs, is_heard) = (Some(greeting), is_heard || heard);
                }
            }
        }
        for _ in 0..LAST {
            socket.send_to(self.text(true).as_bytes(), other)?;
        }
        theirs.and_then(|theirs| self.difference(&theirs)).map_or(Ok(()), |why| Err(why.into()))
    }

    /// A packet: who greets, and whether it has heard the other.
    fn text(&self, heard: bool) -> String {
        format!("hangtime-rollback\n{}\n{}\n{}\n{heard}", self.version, self.level, self.files)
    }

    /// Reads a packet, unless it is another one.
    fn read(packet: &[u8]) -> Option<(Self, bool)> {
        let mut lines = std::str::from_utf8(packet)
            .ok()?
            .strip_prefix("hangtime-rollback\n")?
            .lines()
            .map(String::from);
        let greeting = Self { version: lines.next()?, level: lines.next()?, files: lines.next()? };
        Some((greeting, lines.next()?.parse().ok()?))
    }

    fn difference(&self, theirs: &Self) -> Option<String> {
        let all = [
            ("another version", &self.version, &theirs.version),
            ("another level", &self.level, &theirs.level),
            ("other game files", &self.files, &theirs.files),
        ];
        let (what, ours, theirs) = all.into_iter().find(|(_, ours, theirs)| ours != theirs)?;
        Some(format!("the other player has {what}: {ours} here, {theirs} there"))
    }
}

#[cfg(test)]
mod tests {
    use super::Greeting;

    #[test]
    fn each_difference_is_named_and_other_packets_are_no_greeting() {
        let ours = || Greeting { version: "0.3.0".into(), level: "levels/gap.toml".into(), files: "0a".into() };
        assert_eq!(Greeting::read(ours().text(true).as_bytes()), Some((ours(), true)));
        assert_eq!(ours().difference(&ours()), None);
        let older = Greeting { version: "0.2.0".into(), ..ours() };
        let other_level = Greeting { level: "levels/hill.toml".into(), ..ours() };
        let other_files = Greeting { files: "0b".into(), ..ours() };
        for (theirs, said) in [
            (older, "the other player has another version: 0.3.0 here, 0.2.0 there"),
            (other_level, "the other player has another level: levels/gap.toml here, levels/hill.toml there"),
            (other_files, "the other player has other game files: 0a here, 0b there"),
        ] {
            assert_eq!(ours().difference(&theirs).as_deref(), Some(said));
        }
        for packet in [
            &b""[..],
            b"hangtime-rollback",
            b"hangtime-rollback\n1\n2\n3",
            b"hangtime-rollback\n1\n2\n3\nyes",
            &[0xff; 40],
        ] {
            assert_eq!(Greeting::read(packet), None, "{packet:?}");
        }
    }
}
