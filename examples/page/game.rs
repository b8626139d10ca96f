//! A copy of the game, and a service of it.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};
use tempfile::TempDir;

/// A copy of this game's folder.
pub struct Game(TempDir);

impl Game {
    /// Copies the game in the present folder.
    pub fn copy() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        for name in ["config", "levels", "scripts"] {
            copy(Path::new(name), &folder.path().join(name)).map_err(|error| error.to_string())?;
        }
        Ok(Self(folder))
    }

    /// Changes the text of a file.
    pub fn edit(&self, name: &str, change: impl Fn(&str) -> String) -> Result<(), String> {
        let path = self.0.path().join(name);
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        std::fs::write(&path, change(&text)).map_err(|error| error.to_string())
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_file() {
        return std::fs::copy(from, to).map(drop);
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let name = entry?.file_name();
        copy(&from.join(&name), &to.join(&name))?;
    }
    Ok(())
}

/// A running `hangtime serve --web`. Killed when it is dropped.
pub struct Program {
    child: Child,
    /// Where it listens, `127.0.0.1:PORT`.
    pub address: String,
    /// Where its page is.
    pub url: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    /// Serves a game on this port, or on a free one.
    pub fn start(program: &Path, game: &Game, port: u16, more: &[&str]) -> Result<Self, String> {
        let mut child = Command::new(program)
            .arg("--root")
            .arg(game.0.path())
            .args(["serve", "--web", "--listen"])
            .arg(format!("127.0.0.1:{port}"))
            .args(more)
            .env_remove("HANGTIME_TOKEN")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start {}: {error}", program.display()))?;
        let stderr = BufReader::new(child.stderr.take().ok_or("no pipe")?);
        let mut lines = stderr.lines().map_while(Result::ok);
        let mut after = |prefix: &str| {
            let line = lines.next().unwrap_or_default();
            let rest = line.strip_prefix(prefix).map(str::to_string);
            rest.ok_or(format!("the service says `{line}`"))
        };
        let address = after("listening on ")?;
        let url = after("the page is at ")?;
        std::thread::spawn(move || lines.for_each(|line| eprintln!("service: {line}")));
        Ok(Self { child, address, url })
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        let port = self.address.rsplit(':').next();
        port.and_then(|port| port.parse().ok()).unwrap_or_default()
    }
}
