//! How long it takes until something happens: `cargo bench --bench beginnings`.
//!
//! * `hangtime run` of a small level for one tick, from the start to the end of the process. The goal: at most 30 ms.
//! * `hangtime test` with 300 tests of one second, from the start to the end of the process. The goal: at most 0.2 s.
//! * The window's first frame, from reading the playground's files to the painted picture, without what the system does
//!   for a window. The goal: at most 0.5 s. The first of the rounds is a cold start; only the system knows the files already, so the longest one counts, too.

use hangtime::{
    project::{Project, unpack_playground},
    script::host::STACK,
    sim::Inputs,
    workbench::{BenchFrame, Workbench},
};
use std::{
    fmt::Write as _,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::Instant,
};
use tiny_skia::Pixmap;

const ROUNDS: usize = 21;
const TESTS: usize = 300;

const LEVEL: &str = r#"
[[solid]]
name = "floor"
points = [[-1000, -100], [2000, -100], [2000, 0], [-1000, 0]]
[[entity]]
kind = "hero"
name = "hero"
at = [0, 19]
player = 1
"#;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    write_game(folder.path());
    let small = ["run", "levels/small.toml", "--ticks", "1"];
    say("`hangtime run` of a small level", of_process(folder.path(), &small), "bound: 30 ms");
    let playground = unpack_playground().expect("a copy of the playground");
    let large = ["run", "levels/playground.toml", "--ticks", "1"];
    say("`hangtime run` of the playground", of_process(&playground, &large), "bound: none");
    let tests = format!("`hangtime test` with {TESTS} tests of one second");
    say(&tests, of_process(folder.path(), &["test"]), "bound: 200 ms");
    let first = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        say("the window's first frame, of the playground", measure(|| paint_first_frame(&playground)), "bound: 500 ms");
        std::fs::remove_dir_all(&playground).expect("the copy can be removed");
    });
    first.expect("a thread").join().expect("it ends");
}

fn write_game(folder: &Path) {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("levels/small.toml", LEVEL);
    write("levels/tests/small.toml", LEVEL);
    write("config/entities/hero.toml", "script = \"hero.rhai\"\nvars = { ticks = 0 }\n");
    write("scripts/hero.rhai", "fn on_tick(me) { this.ticks += 1; }\n");
    let mut tests = String::new();
    for i in 0..TESTS {
        let _ = writeln!(
            tests,
            "fn test_{i}() {{ let t = play(\"small.toml\"); t.hold(\"right\"); t.ticks({}); t.release(\"right\"); \
             t.ticks({}); expect(t.entity(\"hero\").vars.ticks).equals(60); }}",
            i % 60,
            60 - i % 60
        );
    }
    write("levels/tests/small.rhai", &tests);
}

/// The milliseconds of a process of the program, which has to succeed, sorted.
fn of_process(folder: &Path, arguments: &[&str]) -> Vec<f64> {
    measure(|| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_hangtime"));
        let ended = program
            .args(arguments)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(ended.expect("the program starts").success(), "{arguments:?} fails");
    })
}

/// What the window does until it shows the game: reads and compiles the folder, opens the level, plays a tick and paints.
fn paint_first_frame(root: &Path) {
    let project = Project::load(root).expect("a game");
    let level = project.find_level("playground").expect("a level");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let mut bench = Workbench::new(revision.clone(), root.to_path_buf(), false);
    bench.frame(0.0, &mut |_| Inputs::none());
    let mut frame = BenchFrame::new(revision);
    let mut canvas = Pixmap::new(1280, 720).expect("a size above 0");
    frame.resize((canvas.width(), canvas.height()));
    frame.follow(bench.live(), bench.live().views().collect(), 0.0);
    frame.bench = bench.picture();
    frame.paint(&mut canvas, &[], 0.0);
}

/// The milliseconds of each round, sorted.
fn measure(mut work: impl FnMut()) -> Vec<f64> {
    let timed = |()| {
        let since = Instant::now();
        work();
        since.elapsed().as_secs_f64() * 1e3
    };
    let mut times: Vec<f64> = std::iter::repeat_n((), ROUNDS).map(timed).collect();
    times.sort_by(f64::total_cmp);
    times
}

fn say(what: &str, times: Vec<f64>, bound: &str) {
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what}: median {median:.1} ms, at most {longest:.1} ms ({bound})");
}
