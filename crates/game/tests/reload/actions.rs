//! What happens to a folder: programs that save, copy, rename and remove, and disks that fail.

use super::{
    dice::Dice,
    disk::{LEVEL, Operation, ROOT, SimulatedDisk},
};
use std::{io::ErrorKind, sync::Arc, time::Duration};

/// The files that programs write.
pub const FILES: [&str; 8] = [
    LEVEL,
    "/game/levels/keys.input",
    "/game/config/surfaces.toml",
    "/game/config/entities/hero.toml",
    "/game/config/models/platformer.toml",
    "/game/scripts/hero.rhai",
    "/game/scripts/other.rhai",
    "/game/scripts/lib/tools.rhai",
];

/// The folders that fail and move; the game folder itself only moves.
const FOLDERS: [&str; 6] =
    ["/game/config", "/game/config/models", "/game/config/entities", "/game/scripts", "/game/levels", ROOT];

/// How a program saves a file.
#[derive(Clone, Copy, Debug)]
pub enum SaveStyle {
    /// Empties it and writes it in pieces.
    InPlace,
    /// Writes another file and renames it.
    ByRename,
    /// Renames the old file to a backup, then writes a new one.
    WithBackup,
    /// Removes the old file, then writes a new one.
    RemoveFirst,
}

/// Something that happens, with everything that it depends on.
#[derive(Clone, Debug)]
pub enum FolderAction {
    /// Saves version `version` of a file, with a pause between any two operations.
    Save {
        file: usize,
        version: u64,
        style: SaveStyle,
        pause: Duration,
    },
    /// Writes the whole game, each file in one piece, in a random order.
    CopyAll {
        version: u64,
        order: u64,
        style: SaveStyle,
        pause: Duration,
    },
    /// Writes some files in a fixed order, each at this time after the one before.
    CopySome {
        files: Vec<usize>,
        version: u64,
        apart: Duration,
    },
    /// Cuts a file, as a program does that writes it and is interrupted.
    Cut {
        file: usize,
        percent: usize,
    },
    /// Saves a version and shortly after what was there before.
    Undo {
        file: usize,
        version: u64,
        pause: Duration,
    },
    /// Saves new versions again and again.
    KeepWriting {
        file: usize,
        times: u64,
        style: SaveStyle,
        pause: Duration,
    },
    Remove {
        file: usize,
    },
    Rename {
        file: usize,
        to: usize,
    },
    /// Moves a folder away and back.
    MoveFolder {
        folder: usize,
        pause: Duration,
    },
    /// Replaces a file by something else.
    Replace {
        file: usize,
        by: Replacement,
    },
    /// Calls for a file or folder fail for a while; forever if the pause is zero.
    Fail {
        path: usize,
        kind: ErrorKind,
        pause: Duration,
    },
    /// The machine sleeps: time passes and nothing runs.
    ClockJump(Duration),
    /// The disk does not answer for a while.
    Hang(Duration),
    Event,
    Nothing,
}

#[derive(Clone, Copy, Debug)]
pub enum Replacement {
    LinkOut,
    LinkToNothing,
    LinkToAnother,
    LinkToFolderAbove,
    Pipe,
    NoText,
}

const STYLES: [SaveStyle; 4] = [SaveStyle::InPlace, SaveStyle::ByRename, SaveStyle::WithBackup, SaveStyle::RemoveFirst];

const REPLACEMENTS: [Replacement; 6] = [
    Replacement::LinkOut,
    Replacement::LinkToNothing,
    Replacement::LinkToAnother,
    Replacement::LinkToFolderAbove,
    Replacement::Pipe,
    Replacement::NoText,
];

/// An action and the time until the next one.
#[derive(Clone, Debug)]
pub struct SimulationStep {
    pub action: FolderAction,
    pub then: Duration,
}

impl SimulationStep {
    pub fn random(dice: &mut Dice, version: u64) -> Self {
        let action = FolderAction::random(dice, version);
        let then = match dice.below(10) {
            0..4 => Duration::ZERO,
            4..7 => micros(dice, 5_000),
            7..9 => micros(dice, 1_500_000),
            _ => micros(dice, 8_000_000),
        };
        Self { action, then }
    }
}

fn micros(dice: &mut Dice, below: u64) -> Duration {
    Duration::from_micros(dice.below(below))
}

fn pause(dice: &mut Dice) -> Duration {
    match dice.below(20) {
        0..10 => micros(dice, 200),
        10..16 => micros(dice, 10_000),
        16..19 => micros(dice, 900_000),
        _ => micros(dice, 4_000_000),
    }
}

impl FolderAction {
    fn random(dice: &mut Dice, version: u64) -> Self {
        let file = dice.below(FILES.len() as u64) as usize;
        let style = dice.pick(&STYLES);
        // One version in six is broken, see `text`.
        let version = version * 6 + dice.below(6);
        let pause = pause(dice);
        match dice.below(40) {
            0..16 => Self::Save { file, version, style, pause },
            16..20 => Self::CopyAll { version, order: dice.roll(), style, pause },
            20 => Self::CopySome {
                files: shuffled(dice.roll())[..1 + dice.below(6) as usize].into(),
                version,
                apart: micros(dice, 60_000),
            },
            21 if dice.below(2) == 0 => Self::Cut { file, percent: dice.below(100) as usize },
            21 => Self::Undo { file, version, pause },
            22 if dice.below(300) == 0 => {
                Self::KeepWriting { file, times: 18_000, style: SaveStyle::ByRename, pause: Duration::from_micros(70) }
            }
            22 => Self::KeepWriting { file, times: dice.below(60), style, pause: micros(dice, 8_000) },
            23..25 => Self::Remove { file },
            25 => Self::Rename { file, to: dice.below(FILES.len() as u64) as usize },
            26..28 => Self::MoveFolder { folder: dice.below(FOLDERS.len() as u64) as usize, pause },
            28..31 => Self::Replace { file, by: dice.pick(&REPLACEMENTS) },
            31..34 => Self::Fail {
                path: dice.below((FILES.len() + FOLDERS.len() - 1) as u64) as usize,
                kind: dice.pick(&[ErrorKind::PermissionDenied, ErrorKind::Other]),
                pause,
            },
            34 => Self::ClockJump(Duration::from_secs(dice.below(10_000))),
            35 => Self::Event,
            36 if dice.below(10) == 0 => Self::Hang(Duration::from_secs(dice.below(70))),
            _ => Self::Nothing,
        }
    }

    /// Schedules the operations of this action.
    pub fn schedule(&self, disk: &SimulatedDisk) {
        let mut at = Duration::ZERO;
        match self {
            Self::Save { file, version, style, pause } => {
                save(disk, FILES[*file], &text(*file, *version), *style, (&mut at, *pause))
            }
            Self::CopyAll { version, order, style, pause } => {
                for file in shuffled(*order) {
                    let text = text(file, *version);
                    save(disk, FILES[file], &text, *style, (&mut at, *pause));
                }
            }
            Self::CopySome { files, version, apart } => copy_some(disk, files, *version, *apart),
            Self::Cut { file, percent } => cut(disk, *file, *percent),
            Self::Undo { file, version, pause } => undo(disk, *file, *version, *pause),
            Self::KeepWriting { file, times, style, pause } => {
                for version in 0..*times {
                    let text = text(*file, version * 6);
                    save(disk, FILES[*file], &text, *style, (&mut at, *pause));
                }
            }
            Self::Remove { file } => disk.schedule(at, Operation::Remove(FILES[*file].into())),
            Self::Rename { file, to } => {
                let rename = Operation::Rename(FILES[*file].into(), FILES[*to].into());
                disk.schedule(at, rename);
            }
            Self::MoveFolder { folder, pause } => move_folder(disk, FOLDERS[*folder], *pause),
            Self::Replace { file, by } => replace(disk, *file, *by),
            Self::Fail { path, kind, pause } => {
                let path = *FILES.iter().chain(&FOLDERS).nth(*path).unwrap_or(&LEVEL);
                disk.schedule(at, Operation::Fail(path.into(), *kind));
                if !pause.is_zero() {
                    disk.schedule(*pause, Operation::Recover(path.into()));
                }
            }
            Self::Hang(time) => disk.schedule(at, Operation::Hang(*time)),
            Self::Event => disk.schedule(at, Operation::Event),
            Self::ClockJump(_) | Self::Nothing => {}
        }
    }
}

/// Schedules files that are written one after the other.
fn copy_some(disk: &SimulatedDisk, files: &[usize], version: u64, apart: Duration) {
    for (file, n) in files.iter().zip(0..) {
        let mut at = apart * n;
        let text = text(*file, version);
        let clock = (&mut at, Duration::from_micros(50));
        save(disk, FILES[*file], &text, SaveStyle::InPlace, clock);
    }
}

/// Schedules a file that loses its end.
fn cut(disk: &SimulatedDisk, file: usize, percent: usize) {
    let path = FILES[file];
    let (_, visible) = disk.visible();
    let Some(text) = visible.files.get(&path[ROOT.len() + 1..]) else {
        return;
    };
    let piece = Arc::from(&text.as_bytes()[..text.len() * percent / 100]);
    for operation in
        [Operation::Truncate(path.into()), Operation::Append(path.into(), piece), Operation::Close(path.into())]
    {
        disk.schedule(Duration::ZERO, operation);
    }
}

/// Schedules a save, and another one of what is there now.
fn undo(disk: &SimulatedDisk, file: usize, version: u64, pause: Duration) {
    let path = FILES[file];
    let (_, visible) = disk.visible();
    let before = visible.files.get(&path[ROOT.len() + 1..]).cloned();
    let mut at = Duration::ZERO;
    for text in [Some(text(file, version)), before].into_iter().flatten() {
        save(disk, path, &text, SaveStyle::ByRename, (&mut at, pause));
    }
}

/// Schedules moving a folder away and, after a pause, back.
fn move_folder(disk: &SimulatedDisk, folder: &str, pause: Duration) {
    let away = format!("{folder}.away");
    let rename = Operation::Rename(folder.into(), away.clone());
    disk.schedule(Duration::ZERO, rename);
    disk.schedule(pause, Operation::Rename(away, folder.into()));
}

/// All files in an order that a number decides.
fn shuffled(order: u64) -> Vec<usize> {
    let mut files: Vec<usize> = (0..FILES.len()).collect();
    let mut dice = Dice(order);
    for last in (1..files.len()).rev() {
        files.swap(last, dice.below(last as u64 + 1) as usize);
    }
    files
}

/// Schedules a save that begins at the first time of `clock`; each operation is later than the one
/// before by the second.
fn save(disk: &SimulatedDisk, path: &str, text: &str, style: SaveStyle, (at, pause): (&mut Duration, Duration)) {
    let own = || path.to_string();
    let other = format!("{path}~");
    let mut operations = Vec::new();
    let target = match style {
        SaveStyle::InPlace => own(),
        SaveStyle::ByRename => other.clone(),
        SaveStyle::WithBackup => {
            operations.push(Operation::Rename(own(), other.clone()));
            own()
        }
        SaveStyle::RemoveFirst => {
            operations.push(Operation::Remove(own()));
            own()
        }
    };
    operations.push(Operation::Truncate(target.clone()));
    let bytes = text.as_bytes();
    for piece in bytes.chunks(bytes.len() / 2 + 1) {
        operations.push(Operation::Append(target.clone(), Arc::from(piece)));
    }
    operations.push(Operation::Close(target));
    if matches!(style, SaveStyle::ByRename) {
        operations.push(Operation::Rename(other, own()));
    }
    for operation in operations {
        *at += pause;
        disk.schedule(*at, operation);
    }
}

fn replace(disk: &SimulatedDisk, file: usize, by: Replacement) {
    let path = FILES[file].to_string();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let link = |path: &str, to: &str| Operation::Link(path.into(), to.into());
    let operation = match by {
        Replacement::LinkToFolderAbove => link(&format!("{folder}/loop"), folder),
        // A level that is a link is another question.
        _ if path == LEVEL => return,
        Replacement::LinkOut => link(&path, "/elsewhere/file"),
        Replacement::LinkToNothing => link(&path, &format!("{folder}/nothing")),
        Replacement::LinkToAnother => link(&path, &format!("{folder}/real~")),
        Replacement::Pipe => Operation::Pipe(path.clone()),
        Replacement::NoText => Operation::Append(path.clone(), Arc::from(&b"\xff"[..])),
    };
    let zero = Duration::ZERO;
    for (path, text) in [("/elsewhere/file".to_string(), String::new()), (format!("{folder}/real~"), text(file, 6))] {
        disk.schedule(zero, Operation::Truncate(path.clone()));
        disk.schedule(zero, Operation::Append(path, Arc::from(text.as_bytes())));
    }
    if matches!(operation, Operation::Link(..) | Operation::Pipe(_)) {
        disk.schedule(zero, Operation::Remove(path.clone()));
    }
    disk.schedule(zero, operation);
    disk.schedule(zero, Operation::Close(path));
}

/// The text of a version of a file. Versions whose remainder by 6 is 5 are broken.
pub fn text(file: usize, version: u64) -> String {
    let kind = version % 6;
    let odd = (version / 6) % 2 == 1;
    let broken = if kind == 5 { "\nx = = 1\n" } else { "" };
    let body = match file {
        0 => {
            let demo = if kind == 1 { "demo = \"keys.input\"\n" } else { "" };
            let hero = "[[entity]]\nkind = \"hero\"\nat = [0, 19]\nplayer = 1\n";
            let hero = if kind == 4 && odd { "" } else { hero };
            format!("{demo}[[solid]]\npoints = [[-900, -100], [900, -100], [900, 0], [-900, 0]]\n{hero}")
        }
        1 => "30 right\n".into(),
        2 => "[stone]\ngrip = 0.5\n".into(),
        3 if odd => "script = \"other.rhai\"\nvars = { n = 0 }\n".into(),
        3 => "script = \"hero.rhai\"\nvars = { n = 0 }\n".into(),
        4 => format!("run_speed_min = {}\n", 100 + version % 200),
        5 if kind == 2 => format!("fn on_tick(me) {{ this.n += 1; }}\n// slow {}\n", version % 9),
        5 if kind == 3 && odd => "fn on_tick(me) { this.n += 1; }\n// panics\n".into(),
        5 | 6 => {
            let more = if odd { "fn on_land(me) { }\n" } else { "" };
            format!("fn on_tick(me) {{ this.n += 1; }}\n{more}")
        }
        _ => "fn twice(x) { x * 2 }\n".into(),
    };
    let comment = match FILES[file].rsplit_once('.') {
        Some((_, "rhai")) => "//",
        _ => "#",
    };
    format!("{body}{broken}{comment} version {version}\n")
}
