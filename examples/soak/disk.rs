//! The game folder, and the ways to save a file.

use super::game;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// A copy of this repository's game.
pub struct Game {
    folder: tempfile::TempDir,
    /// What each changed file should have.
    texts: BTreeMap<String, String>,
    /// Counts the files that were renamed.
    staged: u64,
    /// The longest pause between two files of a group since it was last asked for.
    pause: Duration,
}

/// How a file gets its new content.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// The file is emptied and written.
    InPlace,
    /// Another file takes its name.
    Rename,
}

impl Game {
    /// Copies the game and adds what the soak needs.
    pub fn new() -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let mut game = Self { folder, texts: BTreeMap::new(), staged: 0, pause: Duration::ZERO };
        for name in ["config", "scripts", "levels"] {
            copy(Path::new(name), &game.path(name))?;
        }
        std::fs::create_dir_all(game.path("scripts/soak")).map_err(|e| e.to_string())?;
        std::fs::create_dir_all(game.path("stage")).map_err(|e| e.to_string())?;
        let level = game.read(game::LEVEL)? + game::ENTITY + game::zone(0).as_str();
        game.save(Way::InPlace, game::LEVEL, level)?;
        for (name, text) in [
            ("scripts/soak/keeper.rhai", game::KEEPER.to_string()),
            ("config/entities/soak_keeper.toml", game::KIND.to_string()),
            ("scripts/soak/mistake.rhai", game::MISTAKE.to_string()),
            ("scripts/soak/left.rhai", game::module(0)),
            ("scripts/soak/right.rhai", game::module(0)),
            ("scripts/soak/zone.rhai", game::module(0)),
        ] {
            game.save(Way::InPlace, name, text)?;
        }
        for index in 0..game::GROUP {
            game.save(Way::InPlace, &group_file(index), game::module(0))?;
        }
        Ok(game)
    }

    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a file should have.
    pub fn text(&mut self, name: &str) -> Result<String, String> {
        match self.texts.get(name) {
            Some(text) => Ok(text.clone()),
            None => {
                let text = self.read(name)?;
                self.texts.insert(name.into(), text.clone());
                Ok(text)
            }
        }
    }

    /// Saves a file.
    pub fn save(&mut self, way: Way, name: &str, text: String) -> Result<(), String> {
        self.write(way, name, &text)?;
        self.texts.insert(name.into(), text);
        Ok(())
    }

    /// Saves files one right after the other: everything that takes time is done before the first.
    pub fn save_all(&mut self, way: Way, files: Vec<(String, String)>) -> Result<(), String> {
        let mut staged = Vec::new();
        for (_, text) in &files {
            staged.push(match way {
                Way::InPlace => None,
                Way::Rename => Some(self.stage(text)?),
            });
        }
        let began = Instant::now();
        for ((name, text), staged) in files.iter().zip(&staged) {
            match staged {
                Some(staged) => done(name, std::fs::rename(staged, self.path(name)))?,
                None => self.write(Way::InPlace, name, text)?,
            }
        }
        self.paused(began);
        self.texts.extend(files);
        Ok(())
    }

    /// Notes that a file of a group was saved some time after the one before it.
    pub fn paused(&mut self, since: Instant) {
        self.pause = self.pause.max(since.elapsed());
    }

    /// The longest pause between two files of a group since the last call.
    pub fn take_pause(&mut self) -> Duration {
        std::mem::take(&mut self.pause)
    }

    /// Writes a text into a file that should have another one.
    pub fn write(&mut self, way: Way, name: &str, text: &str) -> Result<(), String> {
        match way {
            Way::InPlace => done(name, std::fs::write(self.path(name), text)),
            Way::Rename => {
                let staged = self.stage(text)?;
                done(name, std::fs::rename(staged, self.path(name)))
            }
        }
    }

    /// Gives a file the text that it should have again, whatever is in its place.
    pub fn restore(&mut self, way: Way, name: &str) -> Result<(), String> {
        let text = self.text(name)?;
        let path = self.path(name);
        if path.is_symlink() {
            done(name, std::fs::remove_file(&path))?;
        }
        self.write(way, name, &text)
    }

    /// A new file that is not part of the game.
    pub fn stage(&mut self, text: &str) -> Result<PathBuf, String> {
        self.staged += 1;
        let path = self.path("stage").join(format!("{}.txt", self.staged));
        done("stage", std::fs::write(&path, text))?;
        Ok(path)
    }

    fn read(&self, name: &str) -> Result<String, String> {
        std::fs::read_to_string(self.path(name)).map_err(|e| format!("{name}: {e}"))
    }
}

/// The result of something done to a file.
pub fn done(name: &str, result: std::io::Result<()>) -> Result<(), String> {
    result.map_err(|error| format!("{name}: {error}"))
}

/// A file of the group.
pub fn group_file(index: usize) -> String {
    format!("scripts/soak/group{index}.rhai")
}

pub fn sleep(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let name = from.display().to_string();
    done(&name, std::fs::create_dir_all(to))?;
    let entries = std::fs::read_dir(from).map_err(|e| format!("{name}: {e}"))?;
    for entry in entries {
        let entry = entry.map_err(|e| format!("{name}: {e}"))?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match from.is_dir() {
            true => copy(&from, &to)?,
            false => done(&name, std::fs::copy(&from, &to).map(|_| ()))?,
        }
    }
    Ok(())
}
