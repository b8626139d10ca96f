//! Saves that are complete within a moment: the running game must never see half of one.

use super::{
    disk::{Game, Way, done, group_file, sleep},
    game,
};
use std::time::{Duration, Instant};

/// Files that are saved together belong together if none is later than this: a busy machine may stop the
/// soak between two of them.
const TOGETHER: Duration = Duration::from_millis(5);

/// The same for files that are copied one by one.
const COPIED: Duration = Duration::from_millis(50);

/// A small generator of random numbers.
pub struct Dice(u64);

impl Dice {
    pub fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % below
    }

    pub fn way(&mut self) -> Way {
        match self.roll(2) {
            0 => Way::InPlace,
            _ => Way::Rename,
        }
    }
}

/// A kind of save.
pub struct Save {
    pub name: &'static str,
    /// How far apart its files may be to belong together.
    within: Duration,
    /// A file that may have a mistake at the moment, which this save would mend.
    file: Option<&'static str>,
    make: fn(&mut Game, &mut Dice, u64) -> Result<(), String>,
}

/// All kinds.
#[rustfmt::skip]
pub const SAVES: [Save; 13] = [
    Save { name: "good number", within: TOGETHER, file: None, make: number },
    Save { name: "good script", within: TOGETHER, file: None, make: script },
    Save { name: "good pair", within: TOGETHER, file: None, make: pair },
    Save { name: "script and level", within: TOGETHER, file: Some(game::LEVEL), make: script_and_level },
    Save { name: "five files 30 ms apart", within: COPIED, file: None, make: group },
    Save { name: "five files, last to first", within: COPIED, file: None, make: backwards },
    Save { name: "torn", within: TOGETHER, file: None, make: torn },
    Save { name: "deleted and written", within: TOGETHER, file: None, make: deleted },
    Save { name: "emptied and written", within: TOGETHER, file: None, make: emptied },
    Save { name: "link in the folder", within: TOGETHER, file: None, make: link },
    Save { name: "folder renamed away and back", within: TOGETHER, file: None, make: folder_away },
    Save { name: "folder replaced", within: TOGETHER, file: None, make: folder_replaced },
    Save { name: "touched", within: TOGETHER, file: None, make: touched },
];

/// What a second save of the same turn adds to its number.
const AGAIN: u64 = 1_000_000;

/// Makes one save after the other.
pub struct Saves {
    dice: Dice,
    made: [u64; SAVES.len()],
    number: u64,
    chosen: Vec<usize>,
    /// The numbers that were saved too slowly.
    slow: Vec<u64>,
}

impl Saves {
    pub fn new(seed: u64, only: &[String]) -> Self {
        let wanted = |save: &Save| only.is_empty() || only.iter().any(|o| save.name.contains(o));
        let chosen = (0..SAVES.len()).filter(|i| wanted(&SAVES[*i])).collect();
        Self {
            dice: Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            made: [0; SAVES.len()],
            number: 0,
            chosen,
            slow: Vec::new(),
        }
    }

    /// Makes the next save. `spared` is a file that must stay as it is.
    pub fn make(&mut self, game: &mut Game, spared: Option<&str>) -> Result<(), String> {
        self.number += 1;
        let index = self.dice.roll(self.chosen.len().max(1) as u64) as usize;
        let Some(index) = self.chosen.get(index) else {
            return Err("no kind of save has such a name".into());
        };
        let save = match SAVES[*index].file {
            Some(file) if spared == Some(file) => return Ok(()),
            _ => &SAVES[*index],
        };
        self.made[*index] += 1;
        let made = (save.make)(game, &mut self.dice, self.number);
        if game.take_pause() > save.within {
            self.slow.extend([self.number, self.number + AGAIN]);
        }
        made.map_err(|e| format!("{}: {e}", save.name))
    }

    /// Whether a line is about files that were saved too slowly to belong together.
    pub fn excuses(&self, line: &str) -> bool {
        let mut numbers = line.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
        numbers.any(|number: u64| self.slow.contains(&number))
    }

    pub fn counts(&self) -> &[u64] {
        &self.made
    }

    pub fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }
}

const SIDES: [&str; 2] = ["scripts/soak/left.rhai", "scripts/soak/right.rhai"];

/// A number of the model.
fn number(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    let text = format!("jump_speed = {}.0\n", 500 + number % 90);
    let name = "config/models/platformer.toml";
    let old = game.text(name)?;
    let kept = old.lines().filter(|line| !line.starts_with("jump_speed"));
    let text = kept.fold(text, |text, line| text + line + "\n");
    game.save(dice.way(), name, text)
}

/// A line of the hero's script.
fn script(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    let name = "scripts/hero.rhai";
    let old = game.text(name)?;
    let kept = old.lines().filter(|line| !line.starts_with("const SOAK"));
    let text = kept.fold(String::new(), |text, line| text + line + "\n");
    let text = format!("const SOAK = {number};\n{text}");
    game.save(dice.way(), name, text)
}

fn pair_of(number: u64) -> Vec<(String, String)> {
    SIDES.iter().map(|name| (name.to_string(), game::module(number))).collect()
}

/// Two scripts that belong together.
fn pair(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    game.save_all(dice.way(), pair_of(number))
}

/// A script and a level that belong together.
fn script_and_level(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    let level = game.text(game::LEVEL)?;
    let level = level.split("\n[[zone]]\nname = \"mark").next().unwrap_or_default().to_string();
    let files = vec![
        ("scripts/soak/zone.rhai".into(), game::module(number)),
        (game::LEVEL.into(), level + game::zone(number).as_str()),
    ];
    game.save_all(dice.way(), files)
}

/// Files that a program copies one by one over the old ones.
fn group(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    copy_group(game, dice, 30, (0..game::GROUP).map(|index| (index, number)))
}

/// The same in another order and at another pace.
fn backwards(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    let pause = 1 + dice.roll(30);
    copy_group(game, dice, pause, (0..game::GROUP).rev().map(|index| (index, number)))
}

fn copy_group(
    game: &mut Game,
    dice: &mut Dice,
    pause: u64,
    files: impl Iterator<Item = (usize, u64)>,
) -> Result<(), String> {
    let way = dice.way();
    let mut last = None;
    for (index, number) in files {
        if last.is_some() {
            sleep(pause);
        }
        game.save(way, &group_file(index), game::module(number))?;
        if let Some(last) = last.replace(Instant::now()) {
            game.paused(last);
        }
    }
    Ok(())
}

/// A file whose end comes later than its beginning.
fn torn(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    let files = pair_of(number);
    let cut = dice.roll(files[0].1.len() as u64) as usize;
    for (name, text) in &files {
        game.write(Way::InPlace, name, &text[..cut])?;
    }
    let way = dice.way();
    sleep(20 + dice.roll(200));
    game.save_all(way, files)
}

/// Some programs remove a file before they write it.
fn deleted(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    for name in SIDES {
        done(name, std::fs::remove_file(game.path(name)))?;
    }
    sleep(10 + dice.roll(200));
    game.save_all(dice.way(), pair_of(number))
}

/// Others empty it first.
fn emptied(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    for name in SIDES {
        game.write(Way::InPlace, name, "")?;
    }
    sleep(10 + dice.roll(200));
    game.save_all(dice.way(), pair_of(number))
}

/// A link takes the place of a file, and what it leads to is saved.
#[cfg(unix)]
fn link(game: &mut Game, _: &mut Dice, number: u64) -> Result<(), String> {
    let text = game::module(number);
    let target = game.stage(&text)?;
    let link = game.path("stage").join("link");
    let _ = std::fs::remove_file(&link);
    done("link", std::os::unix::fs::symlink(&target, &link))?;
    let right = game.stage(&text)?;
    let began = Instant::now();
    done("link", std::fs::rename(&link, game.path(SIDES[0])))?;
    done("link", std::fs::rename(&right, game.path(SIDES[1])))?;
    game.paused(began);
    sleep(150);
    game.save_all(Way::Rename, pair_of(number + AGAIN))
}

#[cfg(not(unix))]
fn link(game: &mut Game, dice: &mut Dice, number: u64) -> Result<(), String> {
    pair(game, dice, number)
}

/// A folder that is gone for a moment.
fn folder_away(game: &mut Game, dice: &mut Dice, _: u64) -> Result<(), String> {
    let (folder, away) = (game.path("scripts/soak"), game.path("stage/away"));
    done("folder", std::fs::rename(&folder, &away))?;
    sleep(10 + dice.roll(200));
    done("folder", std::fs::rename(&away, &folder))
}

/// Another folder with other files takes its place.
fn folder_replaced(game: &mut Game, _: &mut Dice, number: u64) -> Result<(), String> {
    let (folder, next, away) = (game.path("scripts/soak"), game.path("stage/next"), game.path("stage/away"));
    done("next", std::fs::create_dir_all(&next))?;
    for entry in std::fs::read_dir(&folder).map_err(|e| e.to_string())? {
        let entry = entry.map_err(|e| e.to_string())?;
        // A file with a mistake may be a link to nothing.
        let _ = std::fs::copy(entry.path(), next.join(entry.file_name()));
    }
    for name in SIDES {
        let name = name.trim_start_matches("scripts/soak/");
        done(name, std::fs::write(next.join(name), game::module(number)))?;
    }
    done("folder", std::fs::rename(&folder, &away))?;
    done("folder", std::fs::rename(&next, &folder))?;
    done("away", std::fs::remove_dir_all(&away))?;
    game.save_all(Way::InPlace, pair_of(number))
}

/// A save that changes nothing.
fn touched(game: &mut Game, dice: &mut Dice, _: u64) -> Result<(), String> {
    game.restore(dice.way(), "scripts/hero.rhai")
}
