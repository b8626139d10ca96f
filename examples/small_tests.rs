//! Measures how long many small tests take: finding, compiling and running them.
//!
//! `cargo run --release --example small_tests -- --tests 1000 --files 20 --jobs 2 --limit 2`
//!
//! Makes a game with a scripted hero in a temporary folder. A quarter of its tests changes settings, and a
//! quarter comes from tables of cases. Ends with exit code 1 if that takes longer than `--limit` seconds.

use clap::Parser;
use hangtime::{
    playtest::{CaseOptions, PlannedCase, RunOptions, TestObserver, TestPlan, TestResult, collect_with, run_plan},
    project::{LevelCache, Project, files},
};
use std::{
    error::Error,
    io,
    path::Path,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};

#[derive(Parser)]
struct Options {
    /// Number of tests; a multiple of the number of files
    #[arg(long, default_value_t = 1000)]
    tests: usize,
    /// Number of test scripts
    #[arg(long, default_value_t = 20)]
    files: usize,
    /// Number of threads
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Longest time, s
    #[arg(long)]
    limit: Option<f64>,
}

const LEVEL: &str = r#"
bounds = [-2000, -1000, 4000, 2000]
[[solid]]
name = "floor"
points = [[-1000, -100], [2000, -100], [2000, 0], [-1000, 0]]
[[entity]]
kind = "hero"
at = [0, 19]
player = 1
"#;

const SCRIPT: &str = "fn on_tick(me) { this.ticks += 1; }\nfn on_land(me) { this.landed = true; }\n";

fn write_game(folder: &Path, options: &Options) -> io::Result<()> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, text)
    };
    write("levels/tests/flat.toml", LEVEL)?;
    let kind = "script = \"hero.rhai\"\nvars = { ticks = 0, landed = false }\n";
    write("config/entities/hero.toml", kind)?;
    write("scripts/hero.rhai", SCRIPT)?;
    let each = options.tests / options.files;
    for file in 0..options.files {
        let mut text = String::new();
        // The last quarter are cases of one function.
        let single = each - each / 4;
        for i in 0..single {
            let settings = match i % 3 {
                0 => ", #{ \"platformer.jump_speed\": 600 }",
                _ => "",
            };
            text += &format!(
                "fn test_{i}() {{\n    let t = play(\"flat.toml\"{settings});\n    let hero = t.entity(\"hero\");\n    \
                 t.press(\"jump\");\n    t.run(0.5);\n    expect(hero.vars.ticks).equals(30);\n}}\n"
            );
        }
        if each > single {
            let cases: Vec<String> = (0..each - single).map(|i| format!("#{{ n: {i} }}")).collect();
            text += &format!(
                "fn cases_row() {{ [{}] }}\nfn test_row(n) {{\n    let t = play(\"flat.toml\");\n    t.ticks(n);\n    \
                 expect(t.entity(\"hero\").vars.ticks).equals(n);\n}}\n",
                cases.join(", ")
            );
        }
        write(&format!("levels/tests/file_{file}.rhai"), &text)?;
    }
    Ok(())
}

/// Counts results.
#[derive(Default)]
struct Counter {
    passed: usize,
    failed: usize,
}

impl TestObserver for Counter {
    fn finished(&mut self, _: &PlannedCase, result: &TestResult) -> io::Result<()> {
        if result.passed() {
            self.passed += 1;
        } else {
            self.failed += 1;
            println!("{}", result.report(false));
        }
        Ok(())
    }

    fn waiting(&mut self, _: &[(&PlannedCase, Duration)]) {}

    fn is_over(&mut self) -> bool {
        false
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = Options::parse();
    let folder = tempfile::tempdir()?;
    write_game(folder.path(), &options)?;
    let started = Instant::now();
    let project = Project::load(folder.path())?;
    let found = files::find_tests(project.folder(), &[])?;
    let cache = Arc::new(LevelCache::new(project.folder().clone()));
    let cases = collect_with(&project, &cache, &found, options.jobs);
    let plan = Arc::new(TestPlan::new(cases, &[]));
    let collected = started.elapsed();
    let run = RunOptions { jobs: options.jobs, fail_fast: false, cases: CaseOptions::default() };
    let mut counter = Counter::default();
    run_plan(&project, &cache, &plan, run, &mut counter)?;
    let took = started.elapsed().as_secs_f64();
    println!(
        "{} passed, {} failed in {took:.2} s on {} threads; finding them took {:.2} s",
        counter.passed,
        counter.failed,
        options.jobs,
        collected.as_secs_f64()
    );
    let late = options.limit.is_some_and(|limit| took > limit);
    Ok(ExitCode::from(u8::from(late || counter.failed > 0)))
}
