//! Writes the tables of `docs/speed.md` from saved measurements; the sentences around them stay.
//!
//! ```sh
//! CFLAGS=-DNDEBUG cargo run --release --manifest-path benches/peers/Cargo.toml -- --json peers.json
//! cargo bench --bench service > service.txt
//! cargo run --example speed -- --peers peers.json --bench service=service.txt
//! ```
//!
//! Tables that no argument is for stay as they are. The file of the peers names its machine and its date. Output of
//! benches is taken to be from this machine and from today, unless `--machine` and `--date` say otherwise.

#[path = "../../tests/support/machine.rs"]
mod machine;
mod tables;

use clap::Parser;
use machine::{machine, said};
use std::{error::Error, path::PathBuf, process::ExitCode};

#[derive(Parser)]
struct Arguments {
    /// What `benches/peers` has written with `--json`
    #[arg(long)]
    peers: Option<PathBuf>,
    /// What `cargo bench --bench NAME` has printed, as `NAME=FILE`
    #[arg(long)]
    bench: Vec<String>,
    /// The machine of the benches [default: this one]
    #[arg(long)]
    machine: Option<String>,
    /// The day of the benches, as 2026-01-31 [default: today]
    #[arg(long)]
    date: Option<String>,
    /// The page to write
    #[arg(long, default_value = "docs/speed.md")]
    page: PathBuf,
}

fn main() -> ExitCode {
    match write(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn write(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let read = |path: &PathBuf| std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let mut page = read(&arguments.page)?;
    if let Some(path) = &arguments.peers {
        let peers = serde_json::from_str(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        page = tables::with_peers(&page, &peers)?;
    }
    for bench in &arguments.bench {
        let (name, path) = bench.split_once('=').ok_or_else(|| format!("`{bench}` is not NAME=FILE"))?;
        let date = arguments.date.clone().unwrap_or_else(|| said("date", &["-u", "+%F"]));
        let machine = arguments.machine.clone().unwrap_or_else(machine);
        page = tables::with_bench(&page, name, &read(&path.into())?, &format!("{date}, {machine}"))?;
    }
    std::fs::write(&arguments.page, page)?;
    Ok(())
}
