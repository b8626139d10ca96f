//! The service: `cargo bench --bench service`.
//!
//! * A step of one tick over stdin and stdout of the program, there and back, in turns with a line that a program without
//!   any work sends back. The goal: a median of at most 50 µs. Where waking a program on another processor alone takes that
//!   long, as on many virtual machines, the times on one processor, below it, say more.
//! * Ticks a second of one world at 1,000 ticks a request, and of a run without output of the same level in the same
//!   process, in turns. The goal: at least 90 % of the run.
//! * One-tick steps a second of 1,000 worlds in one request `worlds.step`, with and without inputs and columns, next to a
//!   batch of 1,000 requests `world.step`, in turns. The goal: 500,000 without them.
//! * A fork of a world of 100 entities, in this process and over stdin and stdout, there and back. The goal: a median of at
//!   most 60 µs in this process.

use hangtime::{
    playtest::run,
    project::{Live, Project, Track},
    script::host::STACK,
    service::{ServedGame, ServedWorld, Service, ServiceOptions, WorldStart},
};
use std::{
    io::{BufRead, BufReader, Write, pipe},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Arc,
    time::Instant,
};

const LEVEL: &str = "bounds = [-2000, -1000, 8000, 3000]\n[[solid]]\nname = \"floor\"\n\
                     points = [[-1900, -100], [5900, -100], [5900, 0], [-1900, 0]]\n";

/// How often each thing is measured.
const STEPS: usize = 20_000;
const ROUNDS: usize = 15;
const FORKS: usize = 5_000;

/// The ticks of a round, and of a request in it.
const TICKS: u64 = 400_000;
const TICKS_OF_REQUEST: u64 = 1_000;

/// The argument with which this program sends back what it reads.
const ECHO: &str = "--echo";

fn main() {
    if std::env::args().any(|argument| argument == ECHO) {
        return echo();
    }
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    let entity = |number: i32, player: &str| {
        let x = -1000 + 50 * number;
        format!("[[entity]]\nkind = \"hero\"\nname = \"e{number}\"\nat = [{x}, 19]\n{player}")
    };
    let crowd: String = (1..=100).map(|number| entity(number, "")).collect();
    write("config/entities/hero.toml", "");
    write("config/entities/counter.toml", "script = \"counter.rhai\"\nvars = { n = 0 }\n");
    write("scripts/counter.rhai", "fn on_tick(me) { this.n += 1; }");
    write("levels/one.toml", &format!("{LEVEL}{}", entity(1, "player = 1\n")));
    write("levels/crowd.toml", &format!("{LEVEL}{crowd}"));
    let scripted = crowd.replace("\"hero\"", "\"counter\"");
    write("levels/scripted.toml", &format!("{LEVEL}{scripted}"));
    round_trips(folder.path(), "");
    #[cfg(target_os = "linux")]
    on_one_processor(|| round_trips(folder.path(), ", on one processor"));
    let root = folder.path().to_path_buf();
    let bench = std::thread::Builder::new().stack_size(STACK).spawn(move || {
        throughput(&root, "");
        #[cfg(target_os = "linux")]
        on_one_processor(|| throughput(&root, ", on one processor"));
        many_worlds(&root, "");
        #[cfg(target_os = "linux")]
        on_one_processor(|| many_worlds(&root, ", on one processor"));
        forks(&root, "crowd");
        forks(&root, "scripted");
    });
    bench.expect("a thread").join().expect("the benches run");
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Carries something out, with the programs that it starts, on one processor.
#[cfg(target_os = "linux")]
fn on_one_processor(run: impl FnOnce() + Send) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn_scoped(scope, || {
            let mut processors = CpuSet::new();
            processors.set(0);
            match sched_setaffinity(None, &processors) {
                Ok(()) => run(),
                Err(error) => println!("not measured on one processor: {error}"),
            }
        });
        thread.expect("a thread").join().expect("the bench runs");
    });
}

/// Sends back what it reads.
fn echo() {
    let (mut from, mut to) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut line = String::new();
    while from.read_line(&mut line).expect("text") > 0 {
        to.write_all(line.as_bytes()).expect("a reader");
        line.clear();
    }
}

/// A program that answers each line with one.
struct Peer {
    program: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    line: String,
}

impl Peer {
    fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut program = command.spawn().expect("the program starts");
        let to = program.stdin.take().expect("a pipe");
        let from = BufReader::new(program.stdout.take().expect("a pipe"));
        Self { program, to, from, line: String::new() }
    }

    fn tell(&mut self, request: &str) {
        self.to.write_all(request.as_bytes()).expect("it reads");
        self.line.clear();
        self.from.read_line(&mut self.line).expect("it answers");
    }

    /// Sends a request that must succeed.
    fn ask(&mut self, request: &str) {
        self.tell(request);
        assert!(self.line.contains("\"result\""), "{}", self.line);
    }

    /// Times of this line, there and back, µs, sorted.
    fn times(&mut self, request: &str) -> Vec<f64> {
        let times = (0..STEPS).map(|_| {
            let since = Instant::now();
            self.tell(request);
            since.elapsed().as_secs_f64() * 1e6
        });
        let mut times: Vec<f64> = times.collect();
        times.sort_by(f64::total_cmp);
        times
    }

    fn end(self) {
        let Self { mut program, to, .. } = self;
        drop(to);
        program.wait().expect("it ends");
    }
}

/// Steps of one tick, over stdin and stdout.
fn round_trips(root: &Path, place: &str) {
    let program = env!("CARGO_BIN_EXE_hangtime");
    let mut service = Peer::start(Command::new(program).arg("serve").current_dir(root));
    let this = std::env::current_exe().expect("this program");
    let mut echo = Peer::start(Command::new(this).arg(ECHO));
    service.ask("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"world.create\",\"params\":{\"level\":\"one\"}}\n");
    for (what, inputs) in [
        ("one tick", ""),
        ("one tick with what is held", ",\"inputs\":[{\"held\":[\"right\"]}]"),
        ("one tick with an observation", ",\"observe\":{}"),
    ] {
        let request =
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.step\",\"params\":{{\"world\":1{inputs}}}}}\n");
        service.ask(&request);
        let (bare, times) = (echo.times(&request), service.times(&request));
        println!(
            "stdin and stdout{place}, {what}: median {:.1} µs, 99 % below {:.1} µs (bound of the median: 50); the line sent \
             back: {:.1} µs",
            times[STEPS / 2],
            times[STEPS * 99 / 100],
            bare[STEPS / 2]
        );
    }
    fork_round_trips(&mut service, place);
    echo.end();
    service.end();
}

/// Forks of a world of 100 entities, over stdin and stdout. Each starts a thread, too.
fn fork_round_trips(service: &mut Peer, place: &str) {
    let request = |method: &str, params: &str| {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\",\"params\":{{{params}}}}}\n")
    };
    // The steps above were made in world 1.
    service.ask(&request("world.create", "\"level\":\"crowd\""));
    let fork = request("world.fork", "\"world\":2");
    let times = (0..FORKS).map(|number| {
        let since = Instant::now();
        service.ask(&fork);
        let took = since.elapsed().as_secs_f64() * 1e6;
        let number = format!("\"world\":{}", number + 3);
        service.ask(&request("world.destroy", &number));
        took
    });
    println!("stdin and stdout{place}, fork of 100 entities: median {:.1} µs", median(times.collect()));
}

/// Ticks a second of a served world and of a run, in turns.
fn throughput(root: &Path, place: &str) {
    let project = Project::load(root).expect("a game folder");
    let level = project.find_level("one").expect("its level");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let game = Arc::new(ServedGame::load(root).expect("a game folder"));
    let (mut runs, mut served) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut live = Live::new(revision.clone(), 0);
        let since = Instant::now();
        run(&mut live, &Track::default(), TICKS, &mut []).expect("no observer fails");
        runs.push(TICKS as f64 / since.elapsed().as_secs_f64());
        served.push(served_ticks(&game));
    }
    let (run, served) = (median(runs), median(served));
    println!(
        "ticks a second{place}: {run:.0} in a run, {served:.0} at {TICKS_OF_REQUEST} ticks a request, {:.1} % (bound: 90)",
        100.0 * served / run
    );
}

/// Lets a client of a service in this process ask. What it sends must succeed.
fn with_client<R>(game: &Arc<ServedGame>, ask: impl FnOnce(&mut dyn FnMut(&str)) -> R) -> R {
    let service = Service::new(game.clone(), ServiceOptions::default());
    let (input, mut to) = pipe().expect("a pipe");
    let (from, output) = pipe().expect("a pipe");
    let mut from = BufReader::new(from);
    std::thread::scope(|scope| {
        let service = &service;
        scope.spawn(move || {
            let served = service.serve(BufReader::new(input), Box::new(output));
            served.expect("a thread");
        });
        let mut line = String::new();
        let answered = ask(&mut |request| {
            to.write_all(request.as_bytes()).expect("it reads");
            line.clear();
            from.read_line(&mut line).expect("it answers");
            assert!(line.contains("\"result\"") && !line.contains("\"error\""), "{line}");
        });
        drop(to);
        answered
    })
}

/// A request as a line.
fn line_of(method: &str, params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\",\"params\":{{{params}}}}}\n")
}

/// Ticks a second of a served world, with requests and answers over pipes.
fn served_ticks(game: &Arc<ServedGame>) -> f64 {
    with_client(game, |tell| {
        tell(&line_of("world.create", "\"level\":\"one\""));
        let step = line_of("world.step", &format!("\"world\":1,\"ticks\":{TICKS_OF_REQUEST}"));
        let since = Instant::now();
        for _ in 0..TICKS / TICKS_OF_REQUEST {
            tell(&step);
        }
        TICKS as f64 / since.elapsed().as_secs_f64()
    })
}

/// The worlds of a request, and how many requests are measured at a time.
const WORLDS: usize = 1_000;
const REQUESTS_OF_MANY: usize = 200;

/// One-tick steps a second of many worlds.
fn many_worlds(root: &Path, place: &str) {
    let game = Arc::new(ServedGame::load(root).expect("a game folder"));
    let list = (1..=WORLDS).map(|world| world.to_string()).collect::<Vec<_>>().join(",");
    let inputs = vec!["[{\"held\":[\"right\"]}]"; WORLDS].join(",");
    let columns = "\"observe\":{\"columns\":[\"pos.x\",\"pos.y\",\"vel.x\",\"vel.y\"]}";
    let alone = (1..=WORLDS).map(|world| line_of("world.step", &format!("\"world\":{world}")));
    let batch = alone.map(|line| line.trim().to_string()).collect::<Vec<_>>().join(",");
    let requests = [
        ("one request", line_of("worlds.step", &format!("\"worlds\":[{list}]"))),
        ("one request with four columns", line_of("worlds.step", &format!("\"worlds\":[{list}],{columns}"))),
        (
            "one request with what is held and four columns",
            line_of("worlds.step", &format!("\"worlds\":[{list}],\"inputs\":[{inputs}],{columns}")),
        ),
        ("a batch", format!("[{batch}]\n")),
    ];
    for why in ["last", "all"] {
        let rates = with_client(&game, |tell| {
            tell(&line_of("world.create", &format!("\"level\":\"one\",\"why\":\"{why}\"")));
            (1..WORLDS).for_each(|_| tell(&line_of("world.fork", "\"world\":1")));
            let mut rates = requests.each_ref().map(|_| Vec::new());
            for _ in 0..ROUNDS {
                for ((_, request), rates) in requests.iter().zip(&mut rates) {
                    let since = Instant::now();
                    (0..REQUESTS_OF_MANY).for_each(|_| tell(request));
                    rates.push((WORLDS * REQUESTS_OF_MANY) as f64 / since.elapsed().as_secs_f64());
                }
            }
            rates.map(median)
        });
        for ((what, _), rate) in requests.iter().zip(rates) {
            println!(
                "one-tick steps a second of {WORLDS} worlds{place}, why {why}, {what}: {rate:.0} (bound of the first: 500000)"
            );
        }
    }
}

/// Forks of a world of 100 entities.
fn forks(root: &Path, level: &str) {
    let game = Arc::new(ServedGame::load(root).expect("a game folder"));
    let start = WorldStart { level: level.into(), ..WorldStart::default() };
    let mut world = ServedWorld::create(&game, &start).expect("a good level");
    world.step(30, |_| std::ops::ControlFlow::<()>::Continue(()));
    let times = (0..FORKS).map(|_| {
        let since = Instant::now();
        let fork = std::hint::black_box(world.fork());
        let took = since.elapsed().as_secs_f64() * 1e6;
        drop(fork);
        took
    });
    println!("fork of 100 entities, {level}: median {:.1} µs (bound: 60)", median(times.collect()));
}
