//! Games that were made to take as much time or memory as they can, each up to 1 MB.
//!
//! Each runs in its own process, which checks the game, opens its level and plays it, and
//! reports what that took. A process may take 256 MiB; what a tick may take is shown by
//! `cargo run --release --example trust`, because the time depends on the machine.

mod crowds;
mod maps;
mod projects;
mod scripts;
mod terrain;
mod texts;

use crate::figures;
use hangtime::{
    playtest::calls::calls_of_tests,
    project::{Live, Project, check},
    script::host::{Diagnostic, STACK},
    sim::Inputs,
};
use serde_json::json;
use std::{path::Path, process::Command};

/// The environment variable that makes this program play one attack.
pub const VARIABLE: &str = "HANGTIME_ATTACK";

/// The ticks of an attack without `HANGTIME_ATTACK_TICKS`.
const TICKS: u64 = 3;

/// The most memory that a process may take, KiB.
const MOST_MEMORY: u64 = 256 << 10;

/// The largest file, bytes.
const LARGEST: usize = 1_000_000;

/// A game that attacks.
pub struct Attack {
    pub name: String,
    write: Box<dyn Fn(&Game<'_>) + Send>,
    /// The fewest ticks after which the attack is complete.
    ticks: u64,
}

impl Attack {
    fn new(name: impl Into<String>, write: impl Fn(&Game<'_>) + Send + 'static) -> Self {
        Self { name: name.into(), write: Box::new(write), ticks: TICKS }
    }

    /// An attack that needs this many ticks.
    fn lasting(self, ticks: u64) -> Self {
        Self { ticks, ..self }
    }
}

/// The folder that an attack fills.
pub struct Game<'a> {
    root: &'a Path,
}

impl Game<'_> {
    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(name);
        let folder = path.parent().expect("a file below the root");
        std::fs::create_dir_all(folder).expect("a folder");
        let text = text.as_ref();
        std::fs::write(path, &text[..text.len().min(LARGEST)]).expect("a file");
    }

    /// Makes a file this long, in bytes, with zeros that take no room on the disk.
    fn lengthen(&self, name: &str, length: u64) {
        let file = std::fs::OpenOptions::new().write(true).open(self.root.join(name));
        file.and_then(|file| file.set_len(length)).expect("a long file");
    }

    /// A level with `head` and as many of the parts as fit into 1 MB.
    fn level(&self, head: &str, parts: impl IntoIterator<Item = String>) {
        let mut text = head.to_string();
        for part in parts {
            if text.len() + part.len() > LARGEST {
                break;
            }
            text += &part;
        }
        self.write("levels/level.toml", text);
    }
}

/// All attacks.
pub fn all() -> Vec<Attack> {
    let mut all = terrain::attacks();
    all.extend(crowds::attacks());
    all.extend(scripts::attacks());
    all.extend(texts::attacks());
    all.extend(maps::attacks());
    all.extend(projects::attacks());
    all
}

fn named(name: &str) -> Attack {
    let mut all = all().into_iter();
    all.find(|attack| attack.name == name).expect("an attack")
}

/// Writes every attack as a folder, to try other programs on them.
pub fn write_all(folder: &Path) {
    for attack in all() {
        let root = folder.join(&attack.name);
        prepare(&root);
        (attack.write)(&Game { root: &root });
    }
}

/// A game in which only what the attack writes is unusual.
fn prepare(root: &Path) {
    let game = Game { root };
    game.write(
        "levels/level.toml",
        "[[solid]]\npoints = [[-9000, -100], [9000, -100], [9000, 0], [-9000, 0]]\n\
         [[entity]]\nkind = \"one\"\nat = [10, 40]\nplayer = 1\n",
    );
    game.write("config/entities/one.toml", "script = \"one.rhai\"\nvars = { n = 0 }\n");
    game.write("scripts/one.rhai", "fn on_tick(me) { }\n");
}

/// Plays an attack in this process and prints what it took.
pub fn play(name: &str) {
    let name = name.to_string();
    let thread = std::thread::Builder::new().stack_size(STACK);
    let played = thread.spawn(move || play_here(&named(&name))).expect("a thread");
    played.join().expect("an attack that is played");
}

fn play_here(attack: &Attack) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    prepare(folder.path());
    (attack.write)(&Game { root: folder.path() });
    let ticks = figures::number("HANGTIME_ATTACK_TICKS").unwrap_or(0).max(attack.ticks);
    let since = |began: f64| figures::milliseconds() - began;
    let began = figures::milliseconds();
    let checked = check(folder.path(), &[], &calls_of_tests());
    let problems = checked.map_or(1, |report| report.diagnostics.len());
    let check_ms = since(began);
    let began = figures::milliseconds();
    let project = Project::load(folder.path());
    let drawn = [maps::MAP, projects::PROJECT].map(|name| folder.path().join(name));
    let drawn = drawn.into_iter().find(|map| map.exists());
    let level = drawn.unwrap_or_else(|| folder.path().join("levels/level.toml"));
    let opened = project.and_then(|project| project.open(&level, &[]));
    let open_ms = since(began);
    let (mut first_ms, mut worst_ms, mut said) = (0.0, 0.0_f64, String::new());
    match opened {
        Err(error) => said = headline(&error.diagnostics(), &error.to_string()),
        Ok(revision) => {
            let mut live = Live::new(revision.into(), 0);
            for tick in 0..ticks {
                let began = figures::milliseconds();
                live.step(&Inputs::none());
                let took = since(began);
                if tick == 0 {
                    first_ms = took;
                }
                worst_ms = worst_ms.max(took);
                let fault = live.report().faults.first.first();
                if let Some(fault) = fault.filter(|_| said.is_empty()) {
                    said = fault.diagnostic.headline();
                }
            }
        }
    }
    said = said.chars().take(160).collect();
    figures::print(json!({
        "attack": attack.name, "check_ms": check_ms, "problems": problems, "open_ms": open_ms,
        "first_ms": first_ms, "worst_ms": worst_ms, "ticks": ticks,
        "kib": figures::peak_memory(), "said": said,
    }));
}

fn headline(diagnostics: &[Diagnostic], otherwise: &str) -> String {
    diagnostics.first().map_or_else(|| otherwise.to_string(), Diagnostic::headline)
}

/// Plays an attack in another process and says what is wrong.
pub fn judge(name: &str) -> Result<(), String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    // Large blocks go back to the system once they are freed, so that the figure is what the game holds. By default, glibc
    // keeps tens of MiB of them, and how many depends on the build.
    let output = Command::new(this).env(VARIABLE, name).env("MALLOC_MMAP_THRESHOLD_", "131072").output();
    let output = output.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let wrong = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}\n{text}{wrong}", output.status));
    }
    print!("{text}");
    let found = text.lines().find_map(figures::read);
    let found = found.ok_or("it prints no figures")?;
    match found["kib"].as_u64() {
        Some(kib) if kib > MOST_MEMORY => Err(format!("it took {} MiB", kib >> 10)),
        _ => Ok(()),
    }
}
