//! Hot reload on a folder that exists only in memory.
//!
//! Programs save, copy, rename and remove files, disks fail or hang, events get lost and clocks jump, all
//! of it decided by a seed. After every look at the files the promises of reload are checked:
//!
//! * Never half a revision: the files of every revision that is adopted were in the folder
//!   together at one moment of the look. A save in progress can be such a moment: no reader can
//!   tell it from a finished one. But files, hooks and entities that disappear, and files that become
//!   empty or are cut, count only after a second. The numbers of a file that is gone stay in effect, with a
//!   message; an empty one is never replaced by defaults without a warning.
//! * Nothing is adopted that has not stayed the same for a moment, unless the files never rest: what
//!   programs write within that moment becomes one revision.
//! * The last good revision runs until the next one.
//! * A mistake that lasts is reported, and the message goes when it is fixed.
//! * Nothing is lost: a few seconds after the last change, the folder is what runs.
//! * The state of the world survives.
//!
//! `HANGTIME_FOLDER_STEPS=1000000` makes that many steps, from the seed after
//! `HANGTIME_FOLDER_FROM`. `HANGTIME_FOLDER_SEED=7` plays one seed and prints its steps.

mod actions;
mod builders;
mod dice;
mod disk;
mod finds;
mod run;

use actions::SimulationStep;
use dice::{Dice, Temper};
use hangtime_script::STACK;
use run::{RunCounts, play};

/// The steps of a test without `HANGTIME_FOLDER_STEPS`.
const STEPS: u64 = 100_000;

/// How many threads share the seeds.
const THREADS: u64 = 2;

/// One seed in this many uses the real builder.
const REAL: u64 = 200;

/// How a seed's folder behaves, and what happens in it.
struct Seed {
    number: u64,
    temper: Temper,
    real: bool,
    steps: Vec<SimulationStep>,
}

impl Seed {
    fn new(number: u64) -> Self {
        let mut dice = Dice(number.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let temper = Temper {
            lost: dice.pick(&[0, 0, 20, 100]),
            doubled: dice.pick(&[0, 20]),
            late: dice.pick(&[0, 20]),
            slow: dice.pick(&[0, 0, 5]),
        };
        let count = 1 + dice.below(120);
        let steps = (1..=count).map(|version| SimulationStep::random(&mut dice, version));
        Self { number, temper, real: number % REAL == 1, steps: steps.collect() }
    }

    fn play(&self) -> Result<RunCounts, String> {
        play(self.number, self.temper, self.real, &self.steps)
    }

    /// Leaves out every step that the failure does not need.
    fn shrink(mut self, broken: &str) -> Self {
        let promise = |broken: &str| broken.split(':').next().map(String::from);
        let fails = |seed: &Self| seed.play().is_err_and(|b| promise(&b) == promise(broken));
        let mut at = 0;
        while at < self.steps.len() {
            let left_out = self.steps.remove(at);
            if !fails(&self) {
                self.steps.insert(at, left_out);
                at += 1;
            }
        }
        self
    }
}

/// A number from an environment variable.
fn number_of(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().expect("a number"))
}

/// Plays every `THREADS`th seed from the `first` one until they have made their share of `HANGTIME_FOLDER_STEPS` steps.
fn soak(first: u64) -> RunCounts {
    let mut total = RunCounts::default();
    let most = number_of("HANGTIME_FOLDER_STEPS").unwrap_or(STEPS) / THREADS;
    let only = number_of("HANGTIME_FOLDER_SEED");
    let mut number = only.unwrap_or_else(|| number_of("HANGTIME_FOLDER_FROM").unwrap_or(0) + first);
    while total.steps < most {
        let seed = Seed::new(number);
        if only.is_some() {
            println!("{:?}, real: {}\n{:#?}", seed.temper, seed.real, seed.steps);
        }
        match seed.play() {
            Ok(counts) => total.add(&counts),
            Err(broken) => {
                let small = seed.shrink(&broken);
                let broken = small.play().expect_err("it fails without what is left out");
                panic!(
                    "{broken}\nwith {:?}, real: {}, and {:#?}\nreplay with HANGTIME_FOLDER_SEED={number}",
                    small.temper, small.real, small.steps
                );
            }
        }
        if only.is_some() {
            break;
        }
        number += THREADS;
    }
    total
}

#[test]
fn a_simulated_folder_keeps_the_promises_of_reload() {
    // A seed that is asked for is played once.
    let count = if number_of("HANGTIME_FOLDER_SEED").is_some() { 1 } else { THREADS };
    let threads = (0..count).map(|first| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn(move || soak(first)).expect("a thread")
    });
    let threads: Vec<_> = threads.collect();
    let mut total = RunCounts::default();
    for thread in threads {
        match thread.join() {
            Ok(counts) => total.add(&counts),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
    println!("figures {}", total.as_json());
}
