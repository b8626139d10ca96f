//! Films the workbench without a window, for the docs: `cargo run --release --example films ghost docs/ghost.gif`.
//!
//! Each film plays a copy of the playground and shows what the window would show; of the log, only lines about edits.
//!
//! * `ghost`: a jump to a ledge repeats between two marks, while another `jump_speed` is saved in the copy of
//!   `config/models/platformer.toml`, as an editor does.
//! * `fan`: in front of a pit, the futures of the next second, while a slider makes the hero jump lower and higher.
//! * `draw`: the apex of a jump is dragged higher, and the answers that bring it there are looked through.
//! * `reach`: what can be reached without the hook, while a slider makes the hero jump lower and back.

use glam::DVec2;
use hangtime::{
    draw::{NoteRoom, paint_fan, paint_ghosts, paint_notes, paint_reach, paint_wishes},
    geometry::grid::Bounds,
    models::{Action, ModelName},
    playtest::{Film, FilmOptions},
    project::{Project, Reloader, TuningHome, unpack_playground},
    script::host::{STACK, Settings},
    sim::{Inputs, PlayerInput},
    tuning::Setting,
    workbench::{
        DrawingOrder, WindowKey, Workbench,
        panel::{Tuner, TuningKey},
    },
};
use std::{
    error::Error,
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// Size of a film, px, and its pictures per second.
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

/// Seconds until the hero has run to the pit, where the slider begins and is dragged to, px/s, and the seconds of a drag.
const TO_THE_PIT: f64 = 1.52;
const JUMP_SPEED: f64 = 540.0;
const DRAGGED_TO: &[f64] = &[360.0, 660.0, JUMP_SPEED];
const DRAGGED_LOW: &[f64] = &[240.0, JUMP_SPEED];
const DRAG: f64 = 0.8;

/// The part of the level in which reachable places are shown, px.
const LAST_SCREENS: Bounds = Bounds { min: DVec2::new(4150.0, 0.0), max: DVec2::new(4950.0, 450.0) };

/// How much higher an apex is drawn, px, and how many answers are looked through.
const HIGHER: f64 = 30.0;
const ANSWERS: usize = 3;

type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

fn main() -> Outcome {
    let mut arguments = std::env::args().skip(1);
    let (name, out) = (arguments.next().unwrap_or_default(), arguments.next());
    let scene: fn(&mut Session) -> Outcome = match name.as_str() {
        "ghost" => ghost,
        "fan" => fan,
        "draw" => draw,
        "reach" => reach,
        _ => return Err("name a film, ghost, fan, draw or reach, and a file".into()),
    };
    let out = out.unwrap_or(format!("{name}.gif"));
    // Scripts need a large stack.
    let thread = std::thread::Builder::new().stack_size(STACK);
    let film = thread.spawn(move || {
        let root = unpack_playground()?;
        let filmed = Session::open(&root, Path::new(&out)).and_then(|mut session| {
            scene(&mut session)?;
            session.finish()
        });
        fs::remove_dir_all(&root)?;
        filmed
    })?;
    film.join().expect("the thread says why it ends")
}

/// An edit of a file, and the ghosts of both jumps.
fn ghost(session: &mut Session) -> Outcome {
    let reloader = session.reloader();
    session.play(STAND, &[])?;
    session.bench.press(WindowKey::MarkA);
    session.begin()?;
    session.play(RUN, &[Action::Right])?;
    session.play(RISE, &[Action::Right, Action::Jump])?;
    session.play(FALL, &[Action::Right])?;
    session.play(STAND, &[])?;
    session.bench.press(WindowKey::MarkB);
    let file = session.root.join(FILE);
    let text = fs::read_to_string(&file)?;
    assert!(text.contains(BEFORE), "{FILE} has the line");
    fs::write(&file, text.replace(BEFORE, AFTER))?;
    session.adopt(&reloader)?;
    // The ghosts are computed in the background; the film waits for them.
    while session.bench.ghosts().len() < 2 {
        std::thread::sleep(Duration::from_millis(300));
        session.frame(&[])?;
    }
    session.play(2.0 * (RUN + RISE + FALL + STAND), &[])
}

/// What could happen in front of a pit, and a slider that changes it.
fn fan(session: &mut Session) -> Outcome {
    session.play(STAND, &[])?;
    session.play(TO_THE_PIT, &[Action::Right])?;
    session.begin()?;
    session.bench.press(WindowKey::Pause);
    session.bench.press(WindowKey::Ghosts);
    session.bench.press(WindowKey::Fan);
    session.wait()?;
    session.play(STAND, &[])?;
    let tuner = Tuner::new(session.bench.files_revision().clone());
    session.drag_jump_speed(tuner, DRAGGED_TO)
}

/// The apex of a jump is dragged, and the answers are looked through.
fn draw(session: &mut Session) -> Outcome {
    session.play(STAND, &[])?;
    session.bench.press(WindowKey::MarkA);
    session.play(RUN, &[Action::Right])?;
    session.play(RISE, &[Action::Right, Action::Jump])?;
    session.play(FALL, &[Action::Right])?;
    session.play(STAND, &[])?;
    session.bench.press(WindowKey::MarkB);
    session.bench.press(WindowKey::Loop);
    session.bench.press(WindowKey::Pause);
    session.bench.press(WindowKey::Draw);
    session.wait()?;
    session.begin()?;
    let part = session.bench.picture().fit.ok_or("the whole jump is in view")?;
    session.show(&Bounds { min: part.min, max: part.max + DVec2::new(0.0, 2.0 * HIGHER) });
    session.play(STAND, &[])?;
    let handles = session.bench.picture();
    let apex = handles.drawing.handles.iter().find(|handle| handle.name.contains("apex"));
    let apex = apex.ok_or("the jump has an apex")?.at;
    session.bench.grab(apex);
    let steps = (DRAG * f64::from(FPS)) as u32;
    for step in 1..=steps {
        let up = HIGHER * f64::from(step) / f64::from(steps);
        session.bench.drag_to(DVec2::new(apex.x, apex.y + up));
        session.play(1.0 / f64::from(FPS), &[])?;
    }
    session.bench.drop_dragged();
    session.wait()?;
    for answer in 0..session.bench.wish_answers().len().min(ANSWERS) {
        session.bench.draw_order(DrawingOrder::Choose(answer));
        session.wait()?;
        session.play(2.0 * STAND, &[])?;
    }
    Ok(())
}

/// What can be reached, and a slider that changes it.
fn reach(session: &mut Session) -> Outcome {
    session.play(STAND, &[])?;
    session.bench.press(WindowKey::Pause);
    session.bench.press(WindowKey::Reachable);
    session.bench.press(WindowKey::Ghosts);
    let mut tuner = Tuner::new(session.bench.files_revision().clone());
    tuner.set(&number("hook_length"), Setting::Number(0.0), false);
    session.bench.tune(tuner.changes());
    session.wait()?;
    session.begin()?;
    session.show(&LAST_SCREENS);
    session.play(STAND, &[])?;
    session.drag_jump_speed(tuner, DRAGGED_LOW)
}

/// A number of the hero's model, for the model's file.
fn number(name: &'static str) -> TuningKey {
    (TuningHome::Model, ModelName::platformer.into(), name)
}

/// A game on the workbench, and its film.
struct Session {
    bench: Workbench,
    /// The copy of the playground, its level, and the file of the film.
    root: PathBuf,
    level: PathBuf,
    out: PathBuf,
    film: Option<Film>,
    hz: f64,
    frames: u64,
    /// The frame with which the film began.
    filmed: u64,
}

impl Session {
    fn open(root: &Path, out: &Path) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let project = Project::load(root)?;
        let level = project.find_level("playground")?;
        let revision = Arc::new(project.open(&level, &[])?);
        let hz = f64::from(revision.stage.hz);
        let bench = Workbench::new(revision, root.to_path_buf(), false);
        Ok(Self {
            bench,
            root: root.to_path_buf(),
            level,
            out: out.to_path_buf(),
            film: None,
            hz,
            frames: 0,
            filmed: 0,
        })
    }

    fn reloader(&self) -> Reloader {
        Reloader::new(self.root.clone(), self.level.clone(), Settings::new(), self.bench.revision())
    }

    /// Begins to film.
    fn begin(&mut self) -> Outcome {
        let out = Box::new(BufWriter::new(File::create(&self.out)?));
        let options = FilmOptions { fps: FPS, size: SIZE, ..FilmOptions::default() };
        self.film = Some(Film::new(out, self.bench.live(), options)?);
        self.filmed = self.frames;
        Ok(())
    }

    /// Shows a part of the level whole.
    fn show(&mut self, part: &Bounds) {
        if let Some(film) = &mut self.film {
            film.stand_still(part);
        }
    }

    /// Shows the last picture for a second, and ends the film.
    fn finish(&mut self) -> Outcome {
        if let Some(mut film) = self.film.take() {
            film.hold(100);
            film.finish()?;
        }
        Ok(())
    }

    fn play(&mut self, seconds: f64, held: &[Action]) -> Outcome {
        for _ in 0..(seconds * self.hz).round() as u64 {
            self.frame(held)?;
        }
        Ok(())
    }

    /// Drags the slider of `jump_speed` to some values, px/s.
    fn drag_jump_speed(&mut self, mut tuner: Tuner, values: &[f64]) -> Outcome {
        let key = number("jump_speed");
        let mut from = JUMP_SPEED;
        for &to in values {
            let steps = (DRAG * f64::from(FPS)) as u32;
            for step in 1..=steps {
                let value = from + (to - from) * f64::from(step) / f64::from(steps);
                tuner.set(&key, Setting::Number(value.round()), true);
                self.bench.tune(tuner.changes());
                self.wait()?;
                self.play(1.0 / f64::from(FPS), &[])?;
            }
            self.play(STAND, &[])?;
            from = to;
        }
        Ok(())
    }

    /// Waits for what is computed in the background, without a picture.
    fn wait(&mut self) -> Outcome {
        let film = self.film.take();
        self.frame(&[])?;
        while self.bench.is_busy() {
            std::thread::sleep(Duration::from_millis(2));
            self.frame(&[])?;
        }
        self.film = film;
        Ok(())
    }

    fn frame(&mut self, held: &[Action]) -> Outcome {
        let input = PlayerInput { held: held.iter().copied().collect(), ..PlayerInput::default() };
        // Frames that are not filmed take no time of the film.
        match self.film {
            Some(_) => self.frames += 1,
            None => (self.frames, self.filmed) = (self.frames + 1, self.filmed + 1),
        }
        let now = self.frames as f64 / self.hz;
        self.bench.frame(now, &mut |_| Inputs::of_first(input));
        let Some(film) = &mut self.film else {
            return Ok(());
        };
        let shown = self.bench.picture();
        let time = (self.frames - self.filmed) as f64 / self.hz * 100.0;
        film.add_over(self.bench.live(), time as u64, |canvas, picture| {
            paint_fan(canvas, picture, &shown.fan);
            paint_reach(canvas, picture, &shown.reach);
            paint_ghosts(canvas, picture, &shown.ghosts);
            paint_wishes(canvas, picture, &shown.drawing);
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
