//! Makes a failing case of `rates.rs` smaller, and shows it as files for `hangtime run`.

use crate::{
    rates_case::{Case, GRID},
    rates_compare::{Outcome, examine},
    rates_run::{Moment, Room, Run},
};
use hangtime_core::models::Action;
use std::fmt::Write as _;

/// The smallest case found that fails as this one does.
pub fn smallest(case: &Case) -> (Case, Outcome) {
    let first = examine(case);
    let same = |outcome: &Outcome| match (&first, outcome) {
        // What happened shortly before stays the same, so that the cause does, too.
        (Outcome::Parts(a), Outcome::Parts(b)) => b.after == a.after && (0.5..4.0).contains(&(b.px / a.px)),
        (Outcome::Breaks(a, _), Outcome::Breaks(b, _)) => a == b,
        _ => false,
    };
    let (mut case, mut outcome) = (case.clone(), first.clone());
    loop {
        let mut tries = smaller(&case).into_iter().map(|small| {
            let outcome = examine(&small);
            (small, outcome)
        });
        match tries.find(|(_, outcome)| same(outcome)) {
            Some(found) => (case, outcome) = found,
            None => return (case, outcome),
        }
    }
}

/// The case without one of its parts, for each of them.
fn smaller(case: &Case) -> Vec<Case> {
    let mut found = vec![];
    let mut add = |change: &dyn Fn(&mut Case)| {
        let mut small = case.clone();
        change(&mut small);
        found.push(small);
    };
    for i in 0..case.solids.len() {
        add(&|c| drop(c.solids.remove(i)));
    }
    for i in 0..case.zones.len() {
        add(&|c| drop(c.zones.remove(i)));
    }
    for i in 0..case.crates.len() {
        add(&|c| c.crates = [&c.crates[..i], &c.crates[i + 1..]].concat());
    }
    for i in 0..case.tunes.len() {
        add(&|c| c.tunes = [&c.tunes[..i], &c.tunes[i + 1..]].concat());
    }
    if case.leap.is_some() {
        add(&|c| c.leap = None);
    }
    if case.aim.is_some() {
        add(&|c| c.aim = None);
    }
    if case.velocity != (0.0, 0.0) {
        add(&|c| c.velocity = (0.0, 0.0));
    }
    for i in 0..case.solids.len() {
        let solid = &case.solids[i];
        if solid.path.is_some() {
            add(&|c| c.solids[i].path = None);
        }
        if solid.surface != "plain" {
            add(&|c| c.solids[i].surface = "plain");
        }
    }
    if !case.keys.is_empty() {
        add(&|c| c.keys.truncate(c.keys.len() - 1));
    }
    for i in 0..case.keys.len() {
        for action in Action::ALL.into_iter().filter(|a| case.keys[i].1.has(*a)) {
            add(&|c| c.keys[i].1.remove(action));
        }
        if i > 0 && case.keys[i].1 == case.keys[i - 1].1 {
            add(&|c| {
                let (steps, _) = c.keys.remove(i);
                c.keys[i - 1].0 += steps;
            });
        }
    }
    found
}

/// The files of a case, and where its body is at all rates.
pub fn report(case: &Case, outcome: &Outcome) -> String {
    let mut text = format!("# seed {}: {outcome:?}\n", case.seed);
    let _ = write!(text, "# levels/room.toml\n{}\n# levels/room.input\n{}", case.level(), case.input());
    if let Some(script) = case.script() {
        let _ = write!(text, "# config/entities/hero.toml: script = \"hero.rhai\"\n{script}");
    }
    let last = case.steps() as usize;
    let around = match outcome {
        Outcome::Parts(parting) => {
            parting.began.saturating_sub(2)..=(parting.step + 1).min(parting.began + 4).min(last)
        }
        _ => 0..=last,
    };
    let _ = match outcome {
        Outcome::Parts(parting) => writeln!(text, "# shortly before: {}", parting.after),
        Outcome::Breaks(kind, what) => writeln!(text, "# {kind}: {what}"),
        _ => Ok(()),
    };
    let room = Room::new(case);
    let runs: Vec<(u32, Run)> = [30, 60, 120, 240, 480]
        .into_iter()
        .filter_map(|hz| Some((hz, room.run(hz, (0.0, 0.0)).ok()?)))
        .collect();
    for step in around.clone() {
        for (hz, run) in &runs {
            let Moment { pos, z, vel, grounded } = run.moments[step];
            let stands = if grounded { ", grounded" } else { "" };
            let _ = writeln!(text, "# step {step}, {hz:3} Hz: at {pos:.3}, z {z:.3}, vel {vel:.1}{stands}");
        }
    }
    for (hz, run) in &runs {
        let (from, to) = (*around.start() as f64 - 3.0, *around.end() as f64);
        let within = |seconds: f64| (from..=to).contains(&(seconds * f64::from(GRID)));
        for event in run.events.iter().filter(|e| within(e.seconds)) {
            let _ = writeln!(text, "# {hz:3} Hz, {:.4} s: {:?} at {:.3}", event.seconds, event.kind, event.pos);
        }
    }
    text
}
