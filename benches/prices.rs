//! Whether operations cost what the budget of scripts says: `cargo bench --bench prices`.
//!
//! 20,000 operations are to take about a millisecond, so one may take 50 ns. For every entry of the
//! script API, and for the language's own ways to handle large values, this prints how long an
//! operation takes: in an empty level and in a crowded one, and with the largest arguments that the
//! default limits allow. The entries come from the table of calls, so none can be forgotten. The
//! exit code is 1 if an operation takes longer somewhere. `-- TEXT` measures only rows that contain
//! the text.

#[path = "prices/level.rs"]
mod level;
#[path = "prices/rows.rs"]
mod rows;

use hangtime::{
    playtest::{PlayedScript, TestLevels},
    project::{Live, Project, Revision},
    script::host::{STACK, SourceFile, Sources},
    sim::Inputs,
};
use level::Place;
use rows::Row;
use std::{path::Path, process::ExitCode, sync::Arc};

/// The most that an operation may take, ns.
const MOST: f64 = 50.0;
/// Runs that are measured for each row; the fastest counts, as other programs only slow it down.
const RUNS: usize = 16;
/// How often a row that is over is measured again before it counts.
const AGAIN: usize = 3;

fn main() -> ExitCode {
    // Scripts need a large stack.
    let bench = std::thread::Builder::new().stack_size(STACK).spawn(run);
    if bench.expect("a thread").join().expect("the benches run") {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn run() -> bool {
    let chosen = std::env::args().skip(1).find(|a| !a.starts_with("--"));
    let chosen = |row: &Row| {
        let part = chosen.as_ref();
        part.is_none_or(|part| row.name.contains(part.as_str()))
    };
    println!("ns for each operation; {MOST:.0} are the most");
    println!("{:>8}{:>8}  {:8}", "ns", "ops", "level");
    let mut dear = Vec::new();
    for row in rows::rows().iter().filter(|row| chosen(row)) {
        let place = row.place.name();
        let Some(price) = price_of(row) else {
            println!("{:>16}  {place:8}{}", "cannot run", row.name);
            dear.push(row.name.clone());
            continue;
        };
        let over = price.ns > MOST && !row.plays;
        let mark = match (over, row.plays) {
            (true, _) => " <- over",
            (_, true) => " (paid in ticks)",
            _ => "",
        };
        println!("{:>8.1}{:>8.1}  {place:8}{}{mark}", price.ns, price.operations, row.name);
        if over {
            dear.push(row.name.clone());
        }
    }
    if dear.is_empty() {
        println!("no operation takes more than {MOST:.0} ns");
    } else {
        println!("{} take more than {MOST:.0} ns: {}", dear.len(), dear.join(" | "));
    }
    dear.is_empty()
}

/// The price of statements.
struct Price {
    /// Nanoseconds for each operation.
    ns: f64,
    /// Operations each time.
    operations: f64,
}

/// The price of a row; none if it cannot run.
fn price_of(row: &Row) -> Option<Price> {
    let (idle, busy) = (Game::new(row, "")?, Game::new(row, &row.body)?);
    let (mut least_idle, mut least_busy) = (idle.measure()?, busy.measure()?);
    for round in 1..RUNS * AGAIN {
        // Side by side: what slows the machine down slows both.
        least_idle.ns = idle.measure()?.ns.min(least_idle.ns);
        least_busy.ns = busy.measure()?.ns.min(least_busy.ns);
        let price = price(&least_idle, &least_busy, row.times)?;
        if (round + 1) % RUNS == 0 && (price.ns < MOST || row.plays) {
            break;
        }
    }
    price(&least_idle, &least_busy, row.times)
}

fn price(idle: &Measured, busy: &Measured, times: usize) -> Option<Price> {
    let operations = busy.operations as f64 - idle.operations as f64;
    (operations > 0.0)
        .then(|| Price { ns: (busy.ns - idle.ns).max(0.0) / operations, operations: operations / times as f64 })
}

struct Measured {
    ns: f64,
    operations: u64,
}

/// A game that runs statements.
enum Game {
    Played(Arc<Revision>),
    Tested(tempfile::TempDir),
}

impl Game {
    fn new(row: &Row, body: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        level::write(folder.path(), row.place, row.setup, (body, row.times));
        if row.place == Place::Test {
            return Some(Self::Tested(folder));
        }
        let project = Project::load(folder.path()).expect("the folder");
        let path = project.find_level("prices").expect("the level");
        match project.open(Path::new(&path), &[]) {
            Ok(revision) => Some(Self::Played(Arc::new(revision))),
            Err(error) => {
                eprintln!("{}: {error}", row.name);
                None
            }
        }
    }

    fn measure(&self) -> Option<Measured> {
        match self {
            Self::Played(revision) => second_tick(revision),
            Self::Tested(folder) => test(folder.path()),
        }
    }
}

/// The second tick of a new world.
fn second_tick(revision: &Arc<Revision>) -> Option<Measured> {
    let mut live = Live::new(revision.clone(), 0);
    live.step(&Inputs::none());
    let before = nanoseconds();
    live.step(&Inputs::none());
    let ns = nanoseconds() - before;
    let operations = live.script_operations();
    if let Some(fault) = live.report().faults.first.first() {
        eprintln!("{}", fault.render(false));
        return None;
    }
    Some(Measured { ns, operations })
}

/// The test of a folder.
fn test(folder: &Path) -> Option<Measured> {
    let project = Project::load(folder).expect("the folder");
    let name = "levels/tests/prices.rhai";
    let text = std::fs::read_to_string(folder.join(name)).expect("the test");
    let file = Arc::new(SourceFile { name: name.into(), text });
    let levels = TestLevels::new(project, folder.join("levels/tests"));
    let script = PlayedScript::compile(&file, Arc::new(Sources::new()), levels);
    let mut script = match script {
        Ok(script) => script,
        Err(error) => {
            eprintln!("{error:?}");
            return None;
        }
    };
    let test = script.tests()[0].clone();
    let before = nanoseconds();
    let result = script.run(&test);
    let ns = nanoseconds() - before;
    if let Err(failure) = result {
        eprintln!("{}", failure.diagnostic.headline());
        return None;
    }
    let operations = script.operations();
    Some(Measured { ns, operations })
}

/// The processor time of this thread: other load on the machine counts little.
#[cfg(unix)]
fn nanoseconds() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

/// The time since the first call.
#[cfg(not(unix))]
fn nanoseconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as f64
}
