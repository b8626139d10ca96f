//! Many clients of one service: `cargo run --release --example service_load -- --clients 200 --minutes 5`.
//!
//! Starts `hangtime serve` on a port of this machine. Each client creates a world and makes a step of one tick 60 times a
//! second, on a fixed schedule. A step is missed if it is not answered when the next one is due; it does not matter whether
//! the service, this program or the machine was late. Fails if one is missed, or if the service's memory after the first
//! quarter of the time grows by more than 5 %.
//!
//! A virtual machine stops for longer than that now and then. A thread that only sleeps shows it: each time that it
//! is woken late, the steps that were due in the meantime are missed, whatever the service does.

use clap::Parser;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

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
    #[arg(long, default_value_t = 1)]
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
    stream: TcpStream,
    /// When its next step is due.
    due: Instant,
    /// When its last step was sent, if that is not answered.
    sent: Option<Instant>,
    /// What has come of the answer.
    answer: Vec<u8>,
}

/// What the clients of a thread have measured.
#[derive(Default)]
struct Measured {
    steps: u64,
    missed: u64,
    /// How long answers took, µs.
    times: Vec<f32>,
}

/// The time between two steps of a client.
const PERIOD: Duration = Duration::from_nanos(1_000_000_000 / RATE as u64);

const STEP: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.step\",\"params\":{\"world\":1,\"inputs\":[{\"held\":[\"right\"]}]}}\n";

impl Client {
    fn new(address: &str, level: &str) -> Self {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.set_nodelay(true).expect("a setting");
        let create = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.create\",\"params\":{{\"level\":\"{level}\"}}}}\n"
        );
        stream.write_all(create.as_bytes()).expect("it reads");
        let mut line = String::new();
        // No more is sent than one answer.
        BufReader::new(&stream).read_line(&mut line).expect("it answers");
        check(line.as_bytes());
        stream.set_nonblocking(true).expect("a setting");
        Self { stream, due: Instant::now(), sent: None, answer: Vec::new() }
    }

    /// Makes the step that is due, or misses it.
    fn step(&mut self, now: Instant, measured: &mut Measured) {
        self.due += PERIOD;
        measured.steps += 1;
        if self.sent.is_some() {
            measured.missed += 1;
            return;
        }
        self.stream.write_all(STEP).expect("a step is short");
        self.sent = Some(now);
    }

    /// Reads what has come.
    fn read(&mut self, measured: &mut Measured) {
        let mut bytes = [0; 4096];
        let count = self.stream.read(&mut bytes).expect("it answers");
        assert!(count > 0, "the service has closed the connection");
        self.answer.extend_from_slice(&bytes[..count]);
        let Some(sent) = self.sent.take_if(|_| self.answer.ends_with(b"\n")) else {
            return;
        };
        check(&self.answer);
        self.answer.clear();
        let now = Instant::now();
        // One that comes too late was missed by the next step, unless that is late, too.
        measured.missed += u64::from(now > self.due);
        measured.times.push((now - sent).as_secs_f32() * 1e6);
    }
}

fn check(answer: &[u8]) {
    let text = String::from_utf8_lossy(answer);
    assert!(text.contains("\"result\""), "{text}");
}

/// Plays some clients until the end of the test. Their steps are spread over the time between two steps.
fn play(address: &str, level: &str, count: u32, end: Duration) -> Measured {
    let mut clients: Vec<Client> = (0..count).map(|_| Client::new(address, level)).collect();
    let began = Instant::now();
    for (place, client) in clients.iter_mut().enumerate() {
        client.due = began + PERIOD * place as u32 / count;
    }
    let mut measured = Measured::default();
    let mut next = 0;
    while began.elapsed() < end {
        let mut now = Instant::now();
        while clients[next].due <= now {
            clients[next].step(now, &mut measured);
            next = (next + 1) % clients.len();
            now = Instant::now();
        }
        let wait = clients[next].due.saturating_duration_since(now);
        for place in with_answers(&clients, wait) {
            clients[place].read(&mut measured);
        }
    }
    measured
}

/// The clients that have something to read, at the latest after this time.
fn with_answers(clients: &[Client], wait: Duration) -> Vec<usize> {
    let open = clients.iter().enumerate().filter(|(_, c)| c.sent.is_some());
    let (places, mut files): (Vec<usize>, Vec<PollFd<'_>>) =
        open.map(|(place, client)| (place, PollFd::new(&client.stream, PollFlags::IN))).unzip();
    let wait = Timespec::try_from(wait).expect("it is short");
    poll(&mut files, Some(&wait)).expect("sockets can be asked");
    let ready = places.into_iter().zip(&files);
    ready.filter(|(_, file)| !file.revents().is_empty()).map(|(place, _)| place).collect()
}

/// How often, and how late at worst, a thread that only sleeps is woken more than half a period late.
fn watch_machine(end: Duration) -> (u32, Duration) {
    let nap = Duration::from_millis(1);
    let (began, mut count, mut worst) = (Instant::now(), 0, Duration::ZERO);
    while began.elapsed() < end {
        let since = Instant::now();
        std::thread::sleep(nap);
        let late = since.elapsed().saturating_sub(nap);
        if late > PERIOD / 2 {
            count += 1;
            worst = worst.max(late);
        }
    }
    (count, worst)
}

/// The memory of a process that is its own, in KB.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Prints what all clients have measured.
fn report(arguments: &Arguments, all: &mut Measured) {
    all.times.sort_by(f32::total_cmp);
    let at = |share: f64| all.times.get((all.times.len() as f64 * share) as usize).copied().unwrap_or(0.0);
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
    let address = said.trim().strip_prefix("listening on ").expect("an address").to_string();
    let end = Duration::from_secs_f64(60.0 * arguments.minutes);
    let threads: Vec<_> = (0..arguments.threads)
        .map(|number| {
            let (address, level) = (address.clone(), arguments.level.clone());
            let share =
                arguments.clients / arguments.threads + u32::from(number < arguments.clients % arguments.threads);
            std::thread::spawn(move || play(&address, &level, share, end))
        })
        .collect();
    let machine = std::thread::spawn(move || watch_machine(end));
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
    report(&arguments, &mut all);
    let (stalls, worst) = machine.join().expect("it sleeps");
    println!(
        "the machine: a thread that only sleeps was woken more than half a period late {stalls} times, at worst {} ms",
        worst.as_millis()
    );
    let growth = late as f64 / early.max(1) as f64 - 1.0;
    println!("memory: {early} KB after a quarter, {late} KB after three quarters ({:+.2} %)", 100.0 * growth);
    match all.missed == 0 && growth < 0.05 {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
