//! Ticks per second of headless runs: `cargo bench --bench runs`.
//!
//! Plays one hero through an input file that walks and jumps, as `hangtime run` does. One *item* is one
//! tick. The goals: 1,000,000 ticks a second without a script and 300,000 with one.

use divan::{Bencher, counter::ItemsCount};
use hangtime::{
    playtest::{Observer, RunRecorder, Trace, TraceOptions, run},
    project::{InputScript, Live, Project, Revision, Track},
    script::host::STACK,
};
use std::{io, path::Path, sync::Arc};

fn main() {
    // Scripts need a large stack.
    let bench = std::thread::Builder::new().stack_size(STACK).spawn(divan::main);
    bench.expect("a thread").join().expect("the benches run");
}

/// Ground with a slope, a step and a gap.
const LEVEL: &str = r#"
bounds = [-2000, -1000, 8000, 3000]
[[solid]]
name = "floor"
points = [[-1000, -100], [900, -100], [900, 0], [700, 0], [500, 60], [300, 0], [-1000, 0]]
[[solid]]
name = "beyond the gap"
points = [[1100, -100], [5000, -100], [5000, 40], [1600, 40], [1600, 0], [1100, 0]]
[[entity]]
kind = "hero"
name = "hero"
at = [0, 19]
player = 1
"#;

/// There and back, 20 s.
const INPUT: &str = "0.5s\n1s right\n0.3s right jump\n0.9s right\n0.3s right jump\n1s right\n0.1s jump\n\
                     1s right jump\n1.9s\n1s left\n0.3s left jump\n0.9s left\n0.3s left jump\n1s left\n\
                     0.1s jump\n1s left jump\n1.9s\n1s right\n0.5s right jump\n5s\n";

/// A script that counts in every tick, and the events of the hero.
const COUNTS: &str = "fn on_tick(me) { this.ticks += 1; if me.vel.y > this.fastest { this.fastest = me.vel.y; } }\n\
                      fn on_jump(me) { this.jumps += 1; }\nfn on_land(me, event) { this.lands += 1; }\n";

/// The heroes that are played.
const HEROES: [&str; 3] = ["native", "events in a script", "every tick in a script"];

/// The level with one of them, and the input.
fn course(hero: &str) -> (Arc<Revision>, Track) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write("levels/course.toml", LEVEL);
    let of_game = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        std::fs::read_to_string(path).expect("a file of this repository")
    };
    match hero {
        "native" => write("config/entities/hero.toml", &of_game("config/entities/runner.toml")),
        "events in a script" => {
            write("config/entities/hero.toml", &of_game("config/entities/hero.toml"));
            write("scripts/hero.rhai", &of_game("scripts/hero.rhai"));
        }
        _ => {
            let vars = "{ ticks = 0, fastest = 0.0, jumps = 0, lands = 0 }";
            let kind = format!("script = \"hero.rhai\"\nvars = {vars}\n");
            write("config/entities/hero.toml", &kind);
            write("scripts/hero.rhai", COUNTS);
        }
    }
    let project = Project::load(folder.path()).expect("a game folder");
    let level = project.find_level("course").expect("its level");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let file = hangtime::script::host::SourceFile { name: "course.input".into(), text: INPUT.into() };
    let input = InputScript::parse(&Arc::new(file)).expect("a good input");
    let track = input.track(revision.stage.hz);
    (revision, track)
}

/// Plays the whole input with these observers.
fn play(live: &mut Live, track: &Track, observers: &mut [&mut dyn Observer]) {
    run(live, track, track.length(), observers).expect("no observer fails");
}

#[divan::bench(args = HEROES, sample_count = 100, max_time = 10)]
fn without_output(bencher: Bencher<'_, '_>, hero: &str) {
    let (revision, track) = course(hero);
    bencher
        .counter(ItemsCount::new(track.length()))
        .with_inputs(|| Live::new(revision.clone(), 0))
        .bench_local_refs(|live| play(live, &track, &mut []));
}

#[divan::bench(args = HEROES, sample_count = 100, max_time = 10)]
fn recorded(bencher: Bencher<'_, '_>, hero: &str) {
    let (revision, track) = course(hero);
    bencher
        .counter(ItemsCount::new(track.length()))
        .with_inputs(|| Live::new(revision.clone(), 0))
        .bench_local_refs(|live| {
            let mut recorder = RunRecorder::new(Box::new(io::sink()), track.clone());
            play(live, &track, &mut [&mut recorder]);
            recorder.finish(live).expect("a sink takes everything");
        });
}

#[divan::bench(args = HEROES, sample_count = 100, max_time = 10)]
fn traced(bencher: Bencher<'_, '_>, hero: &str) {
    let (revision, track) = course(hero);
    bencher
        .counter(ItemsCount::new(track.length()))
        .with_inputs(|| Live::new(revision.clone(), 0))
        .bench_local_refs(|live| {
            let options = TraceOptions { only: Vec::new(), every: 1, why: false };
            let mut trace = Trace::new(Box::new(io::sink()), options);
            play(live, &track, &mut [&mut trace]);
        });
}
