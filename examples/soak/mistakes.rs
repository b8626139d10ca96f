//! Mistakes that stay until they are seen: they must show, and go when they are mended.

use super::{
    disk::{Game, Way, done},
    display::Display,
    game,
    player::Player,
    saves::Dice,
};
use std::time::{Duration, Instant};

/// A mistake must show within this time, and be gone within this time after its mend.
const PATIENCE: Duration = Duration::from_secs(6);

/// One in this many is looked for in a picture of the window.
const LOOKED_AT: u64 = 5;

/// Turns between two mistakes.
const PAUSE: u32 = 5;

struct Mistake {
    name: &'static str,
    file: &'static str,
    make: fn(&mut Game, Way, u64) -> Result<(), String>,
}

const SCRIPT: &str = "scripts/soak/mistake.rhai";
const HERO: &str = "config/entities/hero.toml";
const SURFACES: &str = "config/surfaces.toml";

#[rustfmt::skip]
const MISTAKES: [Mistake; 9] = [
    Mistake {
        name: "a syntax error",
        file: SCRIPT,
        make: |g, w, n| g.write(w, SCRIPT, &format!("fn nothing() {{ mistake_{n} = ; }}\n")),
    },
    Mistake {
        name: "an unknown name",
        file: SCRIPT,
        make: |g, w, n| g.write(w, SCRIPT, &format!("fn nothing() {{ mistake_{n} + 1 }}\n")),
    },
    Mistake {
        name: "a removed script",
        file: SCRIPT,
        make: |g, _, _| done(SCRIPT, std::fs::remove_file(g.path(SCRIPT))),
    },
    Mistake {
        name: "an unknown key",
        file: HERO,
        make: |g, w, n| {
            let text = format!("mistake_{n} = 1\n{}", g.text(HERO)?);
            g.write(w, HERO, &text)
        },
    },
    Mistake {
        name: "a number out of range",
        file: HERO,
        make: |g, w, n| {
            let text = format!("{}\n[vessel]\nmass = -{n}\n", g.text(HERO)?);
            g.write(w, HERO, &text)
        },
    },
    Mistake {
        name: "a removed kind",
        file: HERO,
        make: |g, _, _| done(HERO, std::fs::remove_file(g.path(HERO))),
    },
    Mistake {
        name: "a link that leads out",
        file: HERO,
        make: leads_out,
    },
    Mistake {
        name: "text instead of a number",
        file: SURFACES,
        make: |g, w, n| {
            let text = format!("mistake_{n} = \"ice\"\n{}", g.text(SURFACES)?);
            g.write(w, SURFACES, &text)
        },
    },
    Mistake {
        name: "an empty level",
        file: game::LEVEL,
        make: |g, w, _| g.write(w, game::LEVEL, ""),
    },
];

#[cfg(unix)]
fn leads_out(game: &mut Game, _: Way, _: u64) -> Result<(), String> {
    let path = game.path(HERO);
    done(HERO, std::fs::remove_file(&path))?;
    done(HERO, std::os::unix::fs::symlink("/etc/hostname", &path))
}

#[cfg(not(unix))]
fn leads_out(game: &mut Game, _: Way, _: u64) -> Result<(), String> {
    done(HERO, std::fs::remove_file(game.path(HERO)))
}

/// Where the current mistake is on its way.
#[derive(Default)]
enum Stage {
    #[default]
    None,
    /// It was made.
    Made(Instant),
    /// It was mended.
    Mended(Instant),
}

/// One mistake after the other, while other files are saved.
#[derive(Default)]
pub struct Mistakes {
    stage: Stage,
    current: usize,
    /// The number of lines that the program had printed when the stage began.
    from: usize,
    pause: u32,
    made: u64,
    shown: u64,
    gone: u64,
    pictures: u64,
    slowest: Duration,
    wrong: Vec<String>,
}

impl Mistakes {
    /// Makes, looks for or mends a mistake.
    pub fn advance(
        &mut self,
        game: &mut Game,
        player: &Player,
        display: &Display,
        dice: &mut Dice,
    ) -> Result<(), String> {
        let mistake = &MISTAKES[self.current];
        match self.stage {
            Stage::None if self.pause > 0 => self.pause -= 1,
            Stage::None => {
                self.current = dice.roll(MISTAKES.len() as u64) as usize;
                self.made += 1;
                self.from = player.line_count();
                self.stage = Stage::Made(Instant::now());
                let mistake = &MISTAKES[self.current];
                (mistake.make)(game, dice.way(), self.made).map_err(|e| format!("{}: {e}", mistake.name))?;
            }
            Stage::Made(at) => {
                let stem = mistake.file.rsplit('/').next().unwrap_or_default();
                let stem = stem.split('.').next().unwrap_or_default();
                let shown = player.has_line(self.from, |line| line.contains("error") && line.contains(stem));
                if shown {
                    self.shown += 1;
                    self.slowest = self.slowest.max(at.elapsed());
                    if self.made.is_multiple_of(LOOKED_AT) {
                        self.look(player, display, true);
                    }
                } else if at.elapsed() < PATIENCE {
                    return Ok(());
                } else {
                    self.wrong
                        .push(format!("{} {} did not show:\n{}", mistake.name, self.made, player.last_lines(6)));
                }
                self.from = player.line_count();
                self.stage = Stage::Mended(Instant::now());
                game.restore(dice.way(), mistake.file)?;
            }
            Stage::Mended(at) => {
                let mended = |line: &str| line.starts_with("revision ") || line.starts_with("files reverted");
                if player.has_line(self.from, mended) {
                    self.gone += 1;
                    if self.made.is_multiple_of(LOOKED_AT) {
                        self.look(player, display, false);
                    }
                } else if at.elapsed() < PATIENCE {
                    return Ok(());
                } else {
                    self.wrong
                        .push(format!("{} {} is not gone:\n{}", mistake.name, self.made, player.last_lines(6)));
                }
                self.stage = Stage::None;
                self.pause = PAUSE;
            }
        }
        Ok(())
    }

    /// The file that has a mistake.
    pub fn file(&self) -> Option<&'static str> {
        let made = matches!(self.stage, Stage::Made(_));
        made.then(|| MISTAKES[self.current].file)
    }

    /// Looks for the banner in the window.
    fn look(&mut self, player: &Player, display: &Display, expected: bool) {
        if let Some(found) = display.shows_banner(player.window(), expected) {
            self.pictures += 1;
            if found != expected {
                let state = if expected { "is not" } else { "is still" };
                self.wrong.push(format!("the banner of mistake {} {state} in the window", self.made));
            }
        }
    }

    /// Waits for the end of the last mistake.
    pub fn end(&mut self, game: &mut Game, player: &Player, display: &Display) -> Result<(), String> {
        let mut dice = super::saves::Saves::new(1, &[]);
        while !matches!(self.stage, Stage::None) {
            self.advance(game, player, display, dice.dice())?;
            super::disk::sleep(100);
        }
        Ok(())
    }

    pub fn counts(&self) -> String {
        let Self { made, shown, gone, pictures, slowest, .. } = self;
        format!(
            "{made:>6} lasting mistakes: {shown} shown, the last after {:.1} s; {gone} gone after their mend; {pictures} pictures looked at",
            slowest.as_secs_f64()
        )
    }

    pub fn wrong(&self) -> Vec<String> {
        self.wrong.clone()
    }
}
