//! Random rooms at four tick rates: a body is at the same places at the same times, and what must
//! never happen does not. `docs/contributing.md` says how to try many more.

use crate::folder::on_large_stack;
use crate::rates_compare::{Outcome, examine, open_kind};
use crate::rates_room::room;
use crate::rates_shrink::{report, smallest};
use std::collections::BTreeMap;
use std::path::Path;

/// The number of cases in every run of the tests.
const CASES: u64 = 100;

/// What was found in a range of seeds.
#[derive(Default)]
struct Findings {
    agrees: u64,
    chaotic: u64,
    /// For each open kind: the cases, and the largest disagreement in ticks with its seed.
    open: BTreeMap<&'static str, (u64, f64, u64)>,
    /// Reports of everything else.
    wrong: Vec<(u64, String)>,
}

impl Findings {
    fn add(&mut self, seed: u64) {
        let case = room(seed);
        match examine(&case) {
            Outcome::Agrees => self.agrees += 1,
            Outcome::Chaotic => self.chaotic += 1,
            Outcome::Refused(why) => self.wrong.push((seed, format!("refused: {why}"))),
            Outcome::Parts(_) | Outcome::Breaks(..) => {
                let (small, outcome) = smallest(&case);
                let ticks = match &outcome {
                    Outcome::Parts(parting) => Some(parting.ticks),
                    _ => None,
                };
                if let (Some(ticks), Some(kind)) = (ticks, open_kind(&small)) {
                    let (count, most, worst) = self.open.entry(kind).or_default();
                    *count += 1;
                    if ticks > *most {
                        (*most, *worst) = (ticks, seed);
                    }
                    return;
                }
                self.wrong.push((seed, report(&small, &outcome)));
            }
        }
    }
}

/// The cases to try and the first seed, if the environment asks for more than in every run.
fn asked() -> Option<(u64, u64)> {
    let number = |name: &str| {
        let text = std::env::var(name).ok()?;
        Some(text.parse::<u64>().unwrap_or_else(|_| panic!("{name} is a number")))
    };
    Some((number("HANGTIME_RATES")?, number("HANGTIME_RATES_FROM").unwrap_or(0)))
}

#[test]
fn random_rooms_play_alike_at_all_rates() {
    on_large_stack(|| {
        let (cases, first) = asked().unwrap_or((CASES, 0));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rates");
        std::fs::create_dir_all(&folder).expect("a folder for reports");
        let mut found = Findings::default();
        for seed in first..first + cases {
            let known = found.wrong.len();
            found.add(seed);
            for (seed, text) in &found.wrong[known..] {
                let file = folder.join(format!("{seed}.txt"));
                std::fs::write(&file, text).expect("a report");
                println!("seed {seed}: {}", file.display());
            }
            if (seed + 1 - first) % 1000 == 0 {
                println!("{} cases: {} wrong", seed + 1 - first, found.wrong.len());
            }
        }
        println!("{} of {cases} agree, {} are chaotic", found.agrees, found.chaotic);
        for (kind, (count, ticks, seed)) in &found.open {
            println!("open: {kind}: {count}, by up to {ticks:.2} ticks in seed {seed}");
        }
        if let Some((_, text)) = found.wrong.first() {
            panic!("{} cases are wrong; the first:\n{text}", found.wrong.len());
        }
        // A filter that takes everything for chaos finds nothing.
        assert!(found.chaotic * 4 <= cases, "{} of {cases} are chaotic", found.chaotic);
    });
}
