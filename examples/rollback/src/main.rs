//! Rollback netcode for hangtime with ggrs, on a network that loses, delays and reorders packets on purpose.
//!
//! ```text
//! rollback sync FOLDER LEVEL TICKS             each tick is played again from 7 ticks before, and must be the same
//! rollback two FOLDER LEVEL TICKS [DESYNC]     two players in two processes; at tick DESYNC, one of them cheats
//! rollback measure FOLDER                      state size, save, load, and resimulating 8 ticks
//! ```

mod differ;
mod greeting;
mod lossy;
mod measure;
mod peer;
mod session;
mod two;

use std::process::ExitCode;

/// What is wrong, for the terminal.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let work = move || {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[..] {
            ["sync", folder, level, ticks] => session::sync_test(folder, level, ticks.parse()?),
            ["two", folder, level, ticks] => two::play(folder, level, ticks, "none"),
            ["two", folder, level, ticks, desync] => two::play(folder, level, ticks, desync),
            ["peer", player, port, other, folder, level, ticks, desync, history] => {
                let ports = (port.parse()?, other.parse()?);
                peer::play(player.parse()?, ports, (folder, level), ticks.parse()?, desync.parse().ok(), history)
            }
            ["measure", folder] => measure::print(folder),
            _ => Err("usage: rollback sync|two FOLDER LEVEL TICKS [DESYNC], or rollback measure FOLDER".into()),
        }
    };
    // Scripts run on the thread that steps, and need its stack.
    let thread = std::thread::Builder::new().stack_size(hangtime_script::STACK).spawn(work);
    match thread.map(|thread| thread.join()) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(failure))) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
        other => {
            eprintln!("{other:?}");
            ExitCode::FAILURE
        }
    }
}
