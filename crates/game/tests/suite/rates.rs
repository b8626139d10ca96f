//! Random rooms at four tick rates: a body is at the same places at the same times, and what must
//! never happen does not. `docs/contributing.md` says how to try many more.

use crate::folder::on_large_stack;
use crate::rates_compare::{Outcome, examine, group};
use crate::rates_room::room;
use crate::rates_shrink::{report, smallest};
use std::collections::BTreeMap;
use std::path::Path;

/// The number of cases in every run of the tests.
const CASES: u64 = 300;

/// How many cases of a group had which outcome.
#[derive(Default)]
struct Counts {
    agree: u64,
    chaotic: u64,
    /// The seeds that part, and how far, px.
    part: Vec<(u64, f64)>,
}

/// What was found in a range of seeds.
#[derive(Default)]
struct Findings {
    groups: BTreeMap<&'static str, Counts>,
    /// What must never happen.
    broken: Vec<(u64, String)>,
}

impl Findings {
    fn add(&mut self, seed: u64) -> Outcome {
        let case = room(seed);
        let outcome = examine(&case);
        let counts = self.groups.entry(group(&case)).or_default();
        match &outcome {
            Outcome::Agrees => counts.agree += 1,
            Outcome::Chaotic => counts.chaotic += 1,
            Outcome::Parts(parting) => {
                println!(
                    "seed {seed}: {} at {} Hz parts by {:.2} px at {}/30 s, from {}/30 s on, after {}",
                    group(&case),
                    parting.hz,
                    parting.px,
                    parting.step,
                    parting.began,
                    parting.after
                );
                counts.part.push((seed, parting.px));
            }
            Outcome::Refused(why) => self.broken.push((seed, format!("refused: {why}"))),
            Outcome::Breaks(kind, text) => self.broken.push((seed, format!("{kind}: {text}"))),
        }
        outcome
    }
}

/// A number that the environment asks for.
fn asked(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn random_rooms_play_alike_at_all_rates() {
    on_large_stack(|| {
        let cases = asked("HANGTIME_RATES").unwrap_or(CASES);
        let first = asked("HANGTIME_RATES_FROM").unwrap_or(0);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rates");
        std::fs::create_dir_all(&folder).expect("a folder for reports");
        let mut found = Findings::default();
        let only = std::env::var("HANGTIME_RATES_ONLY").ok();
        for seed in first..first + cases {
            if only.as_deref().is_some_and(|only| group(&room(seed)) != only) {
                continue;
            }
            let outcome = found.add(seed);
            let fails = !matches!(outcome, Outcome::Agrees | Outcome::Chaotic);
            if fails && asked("HANGTIME_RATES_SHRINK").is_some() {
                let (small, outcome) = smallest(&room(seed));
                std::fs::write(folder.join(format!("{seed}.txt")), report(&small, &outcome)).expect("a report");
            }
        }
        for (name, Counts { agree, chaotic, part }) in &found.groups {
            println!("{name}: {agree} agree, {chaotic} are chaotic, {} part", part.len());
        }
        if let Some((seed, text)) = found.broken.first() {
            panic!("{} cases are broken; the first: {seed}: {text}", found.broken.len());
        }
    });
}
