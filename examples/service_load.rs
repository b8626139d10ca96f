//! Many clients of one service: `cargo run --release --example service_load -- --clients 200 --minutes 5`.
//!
//! Starts `hangtime serve` on a port of this machine. Each client creates a world and makes a step of one tick 60 times a
//! second. A step is missed if its answer comes later than the next one is due. Fails if one is missed, or if the
//! service's memory after the first quarter of the time grows by more than 5 %.

use clap::Parser;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Arguments {
    /// Number of clients
    #[arg(long, default_value_t = 200)]
    clients: u32,
    /// Length of the test
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Program to test
    #[arg(long, default_value = "target/release/hangtime")]
    program: PathBuf,
    /// Threads that play the clients
    #[arg(long, default_value_t = 4)]
    threads: u32,
    /// Game folder
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Level that each client plays
    #[arg(long, default_value = "playground")]
    level: String,
}

/// Steps a second of each client.
const RATE: u32 = 60;

/// A client.
struct Client {
    to: TcpStream,
    from: BufReader<TcpStream>,
    line: String,
    /// When its next step is due.
    due: Instant,
}

/// What the clients of a thread have measured.
#[derive(Default)]
struct Measured {
    steps: u64,
    missed: u64,
    /// How long answers took, µs.
    times: Vec<f32>,
}

impl Client {
    fn new(address: &str, level: &str) -> Self {
        let to = TcpStream::connect(address).expect("it listens");
        to.set_nodelay(true).expect("a setting");
        let from = BufReader::new(to.try_clone().expect("a stream"));
        let (line, due) = (String::new(), Instant::now());
        let mut client = Self {
            to,
            from,
            line,
            due,
        };
        client.send(&format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.create\",\"params\":{{\"level\":\"{level}\"}}}}\n"
        ));
        client.read();
        client
    }

    fn send(&mut self, request: &str) {
        self.to.write_all(request.as_bytes()).expect("it reads");
    }

    fn read(&mut self) {
        self.line.clear();
        self.from.read_line(&mut self.line).expect("it answers");
        assert!(self.line.contains("\"result\""), "{}", self.line);
    }
}

/// Plays some clients until the end of the test. Their steps are spread over the time between two steps.
fn play(address: &str, level: &str, count: u32, end: Duration) -> Measured {
    let mut clients: Vec<Client> = (0..count).map(|_| Client::new(address, level)).collect();
    let step = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.step\",\"params\":{\"world\":1,\"inputs\":[{\"held\":[\"right\"]}]}}\n";
    let period = Duration::from_secs(1) / RATE;
    let began = Instant::now();
    for (place, client) in clients.iter_mut().enumerate() {
        client.due = began + period * place as u32 / count;
    }
    let mut measured = Measured::default();
    while began.elapsed() < end {
        for client in &mut clients {
            let wait = client.due.saturating_duration_since(Instant::now());
            std::thread::sleep(wait);
            let since = Instant::now();
            client.send(step);
            client.read();
            client.due += period;
            measured.steps += 1;
            measured.missed += u64::from(Instant::now() > client.due);
            if measured.steps.is_multiple_of(16) {
                measured.times.push(since.elapsed().as_secs_f32() * 1e6);
            }
        }
    }
    measured
}

/// The memory of a process that is its own, in KB.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut program = Command::new(&arguments.program)
        .args(["serve", "--listen", "127.0.0.1:0", "--root"])
        .arg(&arguments.root)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = String::new();
    let mut stderr = BufReader::new(program.stderr.take().expect("a pipe"));
    stderr.read_line(&mut said).expect("text");
    let address = said
        .trim()
        .strip_prefix("listening on ")
        .expect("an address")
        .to_string();
    let end = Duration::from_secs_f64(60.0 * arguments.minutes);
    let threads: Vec<_> = (0..arguments.threads)
        .map(|number| {
            let (address, level) = (address.clone(), arguments.level.clone());
            let share = arguments.clients / arguments.threads
                + u32::from(number < arguments.clients % arguments.threads);
            std::thread::spawn(move || play(&address, &level, share, end))
        })
        .collect();
    std::thread::sleep(end / 4);
    let early = memory(program.id());
    std::thread::sleep(end / 2);
    let late = memory(program.id());
    let mut all = Measured::default();
    for thread in threads {
        let one = thread.join().expect("its clients play");
        all.steps += one.steps;
        all.missed += one.missed;
        all.times.extend(one.times);
    }
    let _ = program.kill();
    let _ = program.wait();
    all.times.sort_by(f32::total_cmp);
    let at = |share: f64| {
        all.times
            .get((all.times.len() as f64 * share) as usize)
            .copied()
            .unwrap_or(0.0)
    };
    println!(
        "{} clients, {:.1} minutes: {} steps, {} missed; answers: median {:.0} µs, 99 % below {:.0} µs, worst {:.0} µs",
        arguments.clients,
        arguments.minutes,
        all.steps,
        all.missed,
        at(0.5),
        at(0.99),
        at(0.999_999)
    );
    let growth = late as f64 / early.max(1) as f64 - 1.0;
    println!(
        "memory: {early} KB after a quarter, {late} KB after three quarters ({:+.2} %)",
        100.0 * growth
    );
    match all.missed == 0 && growth < 0.05 {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
