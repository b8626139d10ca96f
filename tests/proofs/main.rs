//! Proofs at scale: what has to hold for random games, hostile content and long sessions. Each
//! makes a small part of its work here, and as much as wanted where an environment variable says so;
//! `cargo run --release --example trust` runs them all at full size and writes `docs/trust.md`.
//!
//! | test | what holds | variable |
//! |---|---|---|
//! | `twins` | the same game on two threads, one of them saved and loaded, has the same hashes | `HANGTIME_TWINS`, ticks of entities |
//! | `chaos` | random calls of the whole script API play on the same from every saved tick | `HANGTIME_CHAOS`, ticks of entities |
//! | `programs` | random scripts play the same game compiled and interpreted | `HANGTIME_SCRIPTS`, scripts |
//! | `sweeps` | no swept move ends behind a wall or inside a solid | `HANGTIME_SWEEPS`, moves |
//! | `session` | memory stays flat while files are saved, broken and removed | `HANGTIME_SESSION`, s |
//! | `prices` | in a loop, no call of the reference is too cheap for its time and memory | |
//! | `attack NAME` | content up to 1 MB takes at most 256 MiB | `HANGTIME_ATTACK_TICKS`, ticks |
//!
//! `HANGTIME_WRITE_ATTACKS=FOLDER` writes the attacks as game folders, to try another program on
//! them.

mod arena;
mod attacks;
#[path = "../../fuzz/bodies/chaos.rs"]
mod chaos_game;
#[path = "../../fuzz/bodies/dice.rs"]
mod dice;
mod figures;
#[path = "../support/folder.rs"]
#[expect(dead_code, reason = "shared with the suite")]
mod folder;
mod heavy;
#[path = "../support/maps.rs"]
#[expect(dead_code, reason = "shared with the suite")]
mod maps;
mod prices;
mod programs;
#[path = "../support/projects.rs"]
#[expect(dead_code, reason = "shared with the suite")]
mod projects;
mod random_scripts;
mod session;
mod sweeps;
mod twins;

use libtest_mimic::{Arguments, Trial};

fn main() {
    if let Ok(name) = std::env::var(attacks::VARIABLE) {
        return attacks::play(&name);
    }
    if let Ok(folder) = std::env::var("HANGTIME_WRITE_ATTACKS") {
        return attacks::write_all(folder.as_ref());
    }
    let mut trials = vec![
        trial("chaos", heavy::plays_on_the_same),
        trial("programs", programs::play_the_same),
        trial("twins", twins::compare),
        trial("sweeps", sweeps::stay_outside),
        trial("session", session::stays_flat),
        trial("prices", prices::cover_time_and_memory),
    ];
    trials.extend(attacks::all().into_iter().map(|attack| {
        let name = attack.name;
        Trial::test(format!("attack {name}"), move || Ok(attacks::judge(&name)?))
    }));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn trial(name: &str, run: fn() -> Result<(), String>) -> Trial {
    Trial::test(name, move || Ok(run()?))
}
