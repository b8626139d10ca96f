//! Random rooms at four tick rates: a body is at the same places at the same times, and what must
//! never happen does not. `docs/contributing.md` says how to try many more.

use crate::{
    folder::on_large_stack,
    rates_compare::{Outcome, examine, group},
    rates_room::room,
    rates_shrink::{report, smallest},
};
use std::{collections::BTreeMap, path::Path};

/// The number of cases in every run of the tests.
const CASES: u64 = 200;

/// The share of cases of each group, in percent, that still leave the band without being chaotic, as measured in
/// thousands of cases. Lower it once a cause is mended.
const STILL_PART: [(&str, f64); 8] = [
    ("ballistic", 7.5),
    ("crates", 13.5),
    ("hook", 25.5),
    ("planned jump", 18.0),
    ("platformer", 14.5),
    ("topdown", 8.5),
    ("two_velocity", 22.0),
    ("vessel", 1.0),
];

/// How many cases of a group had which outcome.
#[derive(Default)]
struct Counts {
    agree: u64,
    chaotic: u64,
    windowed: u64,
    part: u64,
    /// The farthest parting, px, and its seed.
    farthest: (f64, u64),
}

impl Counts {
    fn all(&self) -> u64 {
        self.agree + self.chaotic + self.windowed + self.part
    }
}

/// What was found in a range of seeds.
#[derive(Default)]
struct Findings {
    groups: BTreeMap<&'static str, Counts>,
    /// Reports of what must never happen.
    broken: Vec<(u64, String)>,
}

impl Findings {
    fn add(&mut self, seed: u64, folder: &Path) {
        let case = room(seed);
        let outcome = examine(&case);
        let counts = self.groups.entry(group(&case)).or_default();
        let fails = matches!(outcome, Outcome::Parts(_) | Outcome::Breaks(..));
        match &outcome {
            Outcome::Agrees => counts.agree += 1,
            Outcome::Chaotic => counts.chaotic += 1,
            Outcome::Windowed => counts.windowed += 1,
            Outcome::Parts(at) => {
                println!(
                    "seed {seed}: {} at {} Hz parts by {:.2} px at {}/30 s, from {}/30 s on, after {}",
                    group(&case),
                    at.hz,
                    at.px,
                    at.step,
                    at.began,
                    at.after
                );
                counts.part += 1;
                if at.px > counts.farthest.0 {
                    counts.farthest = (at.px, seed);
                }
            }
            Outcome::Refused(why) => self.broken.push((seed, format!("refused: {why}"))),
            Outcome::Breaks(kind, text) => self.broken.push((seed, format!("{kind}: {text}"))),
        }
        let shrinks = std::env::var_os("HANGTIME_RATES_SHRINK").is_some();
        if fails && (shrinks || matches!(outcome, Outcome::Breaks(..))) {
            let (small, outcome) = smallest(&case);
            let file = folder.join(format!("{seed}.txt"));
            std::fs::write(&file, report(&small, &outcome)).expect("a report");
            println!("seed {seed}: {}", file.display());
        }
    }

    /// Asserts that no more cases part than known.
    fn check(&self) {
        for (name, counts) in &self.groups {
            let Counts { agree, chaotic, windowed, part, farthest: (px, seed) } = counts;
            println!(
                "{name}: {agree} agree, {chaotic} are chaotic, {windowed} are due to a jump window, {part} part, by up to \
                 {px:.1} px in seed {seed}"
            );
        }
        if let Some((seed, text)) = self.broken.first() {
            panic!("{} cases are broken; the first: {seed}: {text}", self.broken.len());
        }
        for (name, counts) in &self.groups {
            let (_, percent) = STILL_PART.iter().find(|(known, _)| known == name).expect("a known group");
            let most = percent / 100.0 * counts.all() as f64;
            // A few seeds may hit a cause more often than many.
            let most = most + 2.5 * most.sqrt();
            assert!(
                counts.part as f64 <= most,
                "{name}: {} of {} part, at most {most:.1} did",
                counts.part,
                counts.all()
            );
        }
        // A filter that takes everything for chaos finds nothing.
        let [all, chaotic] =
            [Counts::all, |counts: &Counts| counts.chaotic].map(|n| self.groups.values().map(n).sum::<u64>());
        assert!(chaotic * 10 <= all, "{chaotic} of {all} are chaotic");
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
        let only = std::env::var("HANGTIME_RATES_ONLY").ok();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rates");
        std::fs::create_dir_all(&folder).expect("a folder for reports");
        let mut found = Findings::default();
        for seed in first..first + cases {
            if only.as_deref().is_none_or(|only| group(&room(seed)) == only) {
                found.add(seed, &folder);
            }
        }
        found.check();
    });
}
