//! Films an edit that changes a jump, with its ghosts: `cargo run --release --example ghost docs/ghost.gif`.
//!
//! It copies the playground, plays it on the workbench without a window, and repeats a jump to a ledge between
//! two marks. Then it saves another `jump_speed` in the copy of `config/models/platformer.toml`, as an editor
//! does, and films what the window would show; of the log, only the line about the edit.

use hangtime::{
    draw::{NoteRoom, paint_ghosts, paint_notes},
    models::Action,
    playtest::{Film, FilmOptions},
    project::{Project, Reloader, unpack_playground},
    script::host::{STACK, Settings},
    sim::{Inputs, PlayerInput},
    workbench::{WindowKey, Workbench},
};
use std::{
    error::Error,
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Size of the film, px, and its pictures per second.
const SIZE: (u32, u32) = (480, 270);
const FPS: u16 = 12;

/// The file that is edited, and its line before and after.
const FILE: &str = "config/models/platformer.toml";
const BEFORE: &str = "jump_speed = 540.0";
const AFTER: &str = "jump_speed = 420.0";

/// Seconds before the first mark and after the jump, of the run-up, and of the jump up and down.
const STAND: f64 = 0.6;
const RUN: f64 = 0.15;
const RISE: f64 = 0.28;
const FALL: f64 = 0.13;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

fn main() -> Outcome {
    let out = std::env::args().nth(1).unwrap_or("ghost.gif".into());
    // Scripts need a large stack.
    let thread = std::thread::Builder::new().stack_size(STACK);
    let film = thread.spawn(move || {
        let root = unpack_playground()?;
        let filmed = film(&root, Path::new(&out));
        fs::remove_dir_all(&root)?;
        filmed
    })?;
    film.join().expect("the thread says why it ends")
}

fn film(root: &Path, out: &Path) -> Outcome {
    let project = Project::load(root)?;
    let level = project.find_level("playground")?;
    let revision = Arc::new(project.open(&level, &[])?);
    let reloader = Reloader::new(root.to_path_buf(), level, Settings::new(), &revision);
    let mut session = Session {
        hz: f64::from(revision.stage.hz),
        bench: Workbench::new(revision, PathBuf::from(root), false),
        film: None,
        frames: 0,
        filmed: 0,
    };
    session.play(STAND, &[])?;
    session.bench.press(WindowKey::MarkA);
    session.begin(out)?;
    session.play(RUN, &[Action::Right])?;
    session.play(RISE, &[Action::Right, Action::Jump])?;
    session.play(FALL, &[Action::Right])?;
    session.play(STAND, &[])?;
    session.bench.press(WindowKey::MarkB);
    let text = fs::read_to_string(root.join(FILE))?;
    assert!(text.contains(BEFORE), "{FILE} has the line");
    fs::write(root.join(FILE), text.replace(BEFORE, AFTER))?;
    session.adopt(&reloader)?;
    // The ghosts are computed in the background; the film waits for them.
    while session.bench.ghosts().len() < 2 {
        std::thread::sleep(Duration::from_millis(300));
        session.frame(&[])?;
    }
    session.play(2.0 * (RUN + RISE + FALL + STAND), &[])?;
    session.film.take().map_or(Ok(()), |mut film| {
        film.hold(100);
        film.finish()
    })?;
    Ok(())
}

/// A game on the workbench, and its film.
struct Session {
    bench: Workbench,
    film: Option<Film>,
    hz: f64,
    frames: u64,
    /// The frame with which the film began.
    filmed: u64,
}

impl Session {
    /// Begins to film.
    fn begin(&mut self, out: &Path) -> Outcome {
        let out = Box::new(BufWriter::new(File::create(out)?));
        let options = FilmOptions { fps: FPS, size: SIZE, ..FilmOptions::default() };
        self.film = Some(Film::new(out, self.bench.live(), options)?);
        self.filmed = self.frames;
        Ok(())
    }

    fn play(&mut self, seconds: f64, held: &[Action]) -> Outcome {
        for _ in 0..(seconds * self.hz).round() as u64 {
            self.frame(held)?;
        }
        Ok(())
    }

    fn frame(&mut self, held: &[Action]) -> Outcome {
        let input = PlayerInput { held: held.iter().copied().collect(), ..PlayerInput::default() };
        self.frames += 1;
        let now = self.frames as f64 / self.hz;
        self.bench.frame(now, &mut |_| Inputs::of_first(input));
        let Some(film) = &mut self.film else {
            return Ok(());
        };
        let shown = self.bench.picture();
        let time = (self.frames - self.filmed) as f64 / self.hz * 100.0;
        film.add_over(self.bench.live(), time as u64, |canvas, picture| {
            paint_ghosts(canvas, picture, &shown.ghosts);
            let edits = shown.notes.iter().filter(|row| row.text.contains('→'));
            let edits: Vec<_> = edits.cloned().collect();
            let room = NoteRoom::of(canvas, picture, &shown.ghosts.lines);
            paint_notes(canvas, &edits, room);
        })?;
        Ok(())
    }

    /// Waits for the next revision of the files and adopts it.
    fn adopt(&mut self, reloader: &Reloader) -> Outcome {
        for _ in 0..1000 {
            if let Some(notice) = reloader.notices().next() {
                self.bench.notice(notice);
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Err("the edit was not noticed".into())
    }
}
