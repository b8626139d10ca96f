//! What the workbench costs: `cargo bench --bench workbench`.
//!
//! The playground, and a level with 1,000 entities. Each plays a minute. Then the bench measures the clone of a
//! world that becomes a keyframe, a step back in time, a fan of a second's futures, and from an adopted edit to the ghosts of
//! 3 s under the old and the new revision. At last it plays in real time with an edit every 0.3 s and counts late ticks.

use hangtime::{
    models::Action,
    project::{Notice, Pace, Project, Revision, unpack_playground},
    script::host::STACK,
    sim::{Inputs, PlayerInput},
    workbench::{FanStart, PickedEntity, WindowKey, Workbench},
};
use std::{
    fmt::Write as _,
    hint::black_box,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

const SECONDS: u64 = 60;
const EDITS: usize = 12;
const TUNING: &str = "config/models/platformer.toml";

fn main() {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let bench = thread.spawn(|| {
        let root = unpack_playground().expect("a copy of the playground");
        std::fs::write(root.join("levels/crowd.toml"), crowd()).expect("a level");
        for level in ["playground", "crowd"] {
            measure(&root, level);
        }
        std::fs::remove_dir_all(&root).expect("the copy can be removed");
    });
    bench.expect("a thread").join().expect("it ends");
}

/// A level with 1,000 heroes in rows.
fn crowd() -> String {
    let mut text = String::from("[[solid]]\npoints = [[-2000, -100], [42000, -100], [42000, 0], [-2000, 0]]\n");
    for i in 0..1000 {
        let player = if i == 0 { "player = 1\n" } else { "" };
        let x = i * 40;
        let _ = write!(text, "[[entity]]\nkind = \"hero\"\nat = [{x}, 19]\n{player}");
    }
    text
}

struct Session<'a> {
    root: &'a Path,
    level: &'a str,
    bench: Workbench,
    frames: u64,
    edits: u64,
}

impl Session<'_> {
    fn frame(&mut self) {
        self.frames += 1;
        let phase = self.frames % 80;
        let way = [Action::Right, Action::Left][(self.frames / 160 % 2) as usize];
        let held = [way].into_iter().chain((phase < 12).then_some(Action::Jump));
        let input = PlayerInput { held: held.collect(), ..PlayerInput::default() };
        let now = self.frames as f64 / 60.0;
        self.bench.frame(now, &mut |_| Inputs::of_first(input));
    }

    /// The revision after the next edit.
    fn edited(&mut self) -> Arc<Revision> {
        self.edits += 1;
        let speed = 400 + self.edits % 200;
        let text = format!("jump_speed = {speed}\n");
        std::fs::write(self.root.join(TUNING), text).expect("a file");
        let mut revision = open(self.root, self.level);
        revision.number = 1 + self.edits;
        Arc::new(revision)
    }

    fn adopt(&mut self, revision: Arc<Revision>) {
        self.bench.notice(Notice::Ready {
            revision,
            changed: vec![TUNING.into()],
            took: Duration::ZERO,
            kept: Vec::new(),
        });
    }
}

fn open(root: &Path, level: &str) -> Revision {
    let project = Project::load(root).expect("a game");
    let path = project.find_level(level).expect("a level");
    project.open(&path, &[]).expect("a good level")
}

fn measure(root: &Path, level: &str) {
    let revision = Arc::new(open(root, level));
    let mut session =
        Session { root, level, bench: Workbench::new(revision, root.to_path_buf(), false), frames: 0, edits: 0 };
    let entities = session.bench.live().world().entities().len();
    println!("{level}: {entities} entities");
    let ticks = times(SECONDS as usize * 60, || session.frame());
    println!("  frames of a minute:      {}", shown(&ticks));
    let line = session.bench.timeline();
    let (count, bytes) = (line.keyframes(), line.weight() as f64 / 1e6);
    println!("  kept:                    {count} keyframes, about {bytes:.1} MB");
    let world = session.bench.live().world();
    let clones = times(200, || {
        black_box(world.clone());
    });
    println!("  clone of a world:        {}", shown(&clones));
    session.bench.press(WindowKey::Pause);
    let back = times(120, || {
        session.bench.press(WindowKey::StepBack);
        session.frame();
    });
    println!("  one tick back:           {}", shown(&back));
    session.bench.press(WindowKey::Pause);
    (0..200).for_each(|_| session.frame());
    fan(&session);
    ghosts(&mut session);
    real_time(&mut session);
}

/// What could happen from the shown tick, on one thread.
fn fan(session: &Session<'_>) {
    let live = session.bench.live();
    let start = FanStart {
        before: live.revision().clone(),
        world: Arc::new(live.world().clone()),
        revision: live.revision().clone(),
        picked: PickedEntity::first(live.world()).expect("an entity"),
        aim: Some(glam::DVec2::new(300.0, 300.0)),
    };
    let mut paths = 0;
    let plays = times(40, || paths = start.play(&AtomicBool::new(false)).map_or(0, |fan| fan.len()));
    println!("  fan of {paths:3} paths:        {}", shown(&plays));
}

/// From an adopted edit to both ghosts.
fn ghosts(session: &mut Session<'_>) {
    let mut ready = Vec::new();
    let mut adopting = Vec::new();
    for _ in 0..EDITS {
        let revision = session.edited();
        let number = revision.number;
        (0..20).for_each(|_| session.frame());
        let started = Instant::now();
        session.adopt(revision);
        adopting.push(started.elapsed().as_secs_f64() * 1e3);
        let both = |session: &Session<'_>| {
            let numbers: Vec<u64> = session.bench.ghosts().iter().map(|g| g.revision).collect();
            numbers.ends_with(&[number - 1, number])
        };
        while !both(session) {
            std::thread::sleep(Duration::from_millis(1));
            session.frame();
        }
        ready.push(started.elapsed().as_secs_f64() * 1e3);
    }
    println!("  adopting an edit:        {}", shown(&adopting));
    println!("  edit to ghosts of 3 s:   {} (bound: 100 ms)", shown(&ready));
}

/// Plays 20 s in real time, with an edit every 0.3 s.
fn real_time(session: &mut Session<'_>) {
    let revisions: Vec<_> = (0..66).map(|_| session.edited()).collect();
    let mut revisions = revisions.into_iter();
    let mut pace = Pace::new(60);
    let mut frames = Vec::new();
    for frame in 0..20 * 60 {
        pace.wait();
        let started = Instant::now();
        if frame % 18 == 0
            && let Some(revision) = revisions.next()
        {
            session.adopt(revision);
        }
        session.frame();
        frames.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let lost = pace.lost();
    println!("  20 s with 66 edits:      {}, {lost} ticks lost (bound: 0)", shown(&frames));
}

/// The times that each of some calls takes, ms.
fn times(count: usize, mut call: impl FnMut()) -> Vec<f64> {
    (0..count)
        .map(|_| {
            let started = Instant::now();
            call();
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect()
}

fn shown(times: &[f64]) -> String {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
    format!("median {:.3} ms, 99 % {:.3} ms, worst {:.3} ms", at(0.5), at(0.99), at(1.0))
}
