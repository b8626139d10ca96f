//! The list of a game's levels, from which one is chosen.

use super::*;

/// The levels of a game, one of them chosen.
#[derive(Clone, PartialEq)]
pub struct LevelMenu {
    levels: Vec<PathBuf>,
    chosen: usize,
}

impl LevelMenu {
    /// A list in which the level that runs is chosen. `running` is its name, such as
    /// `levels/playground.toml`.
    pub fn new(levels: Vec<PathBuf>, running: &str) -> Self {
        let chosen = levels.iter().position(|level| level.ends_with(running));
        Self { levels, chosen: chosen.unwrap_or(0) }
    }

    /// Chooses a level this many rows farther down. The list continues at its other end.
    pub fn go(&mut self, rows: isize) {
        let count = self.levels.len().max(1) as isize;
        self.chosen = (self.chosen as isize + rows).rem_euclid(count) as usize;
    }

    /// Chooses a level by its row, counted from 0. Returns whether there is one.
    pub fn choose(&mut self, row: usize) -> bool {
        let known = row < self.levels.len();
        if known {
            self.chosen = row;
        }
        known
    }

    /// The row of the chosen level.
    pub fn row(&self) -> usize {
        self.chosen
    }

    /// The file of the chosen level; `None` if there are no levels.
    pub fn chosen(&self) -> Option<&Path> {
        self.levels.get(self.chosen).map(PathBuf::as_path)
    }

    /// The names of the levels; the first nine with their number.
    pub fn rows(&self) -> Vec<String> {
        let named = self.levels.iter().enumerate().map(|(row, level)| {
            let file = level.file_name().unwrap_or_default().to_string_lossy();
            let stem = file.rfind('.').map_or(&*file, |at| &file[..at]);
            let part = file.find(".ldtk#").map_or("", |at| &file[at + ".ldtk".len()..]);
            let stem = format!("{stem}{part}");
            let name = cut_name(&stem);
            let name = printable_name(&name);
            match row + 1 {
                number @ 1..=9 => format!("{number}  {name}"),
                _ => format!("   {name}"),
            }
        });
        named.collect()
    }
}
