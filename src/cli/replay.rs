//! `replay`: plays a recording again and compares every tick.

use super::output::{PROBLEMS_FOUND, SUCCESS, execution, say, unusable};
use clap::Args;
use hangtime_game::recording::RecordingReader;
use hangtime_game::terminal::tell;
use hangtime_game::{Error, GameFolder, files};
use hangtime_play::{Replay, ReplayOutcome};

/// Arguments of `replay`.
#[derive(Args)]
pub struct ReplayArguments {
    /// Recording, as `run --record`, `play --record` and failing tests write it
    file: String,
    /// Stop after this tick, counted from the start of the recording
    #[arg(long, value_name = "TICK")]
    until: Option<u64>,
    /// Save and load the world before every tick, and stop at the first difference
    #[arg(long)]
    heavy: bool,
    /// Make every script call compiled and interpreted, and stop at the first difference
    #[arg(long, conflicts_with = "interpret")]
    both_ways: bool,
}

/// Runs the command and returns the exit code.
pub fn replay(folder: &GameFolder, arguments: &ReplayArguments) -> u8 {
    match play(folder, arguments) {
        Ok(code) => code,
        Err(error) => unusable(&error),
    }
}

fn play(folder: &GameFolder, arguments: &ReplayArguments) -> Result<u8, Error> {
    let path = files::find(folder.path(), &arguments.file)?;
    let reader = RecordingReader::open(&path)?;
    let execution = execution(folder, arguments.both_ways);
    let mut replay = Replay::new(reader, arguments.until).run_scripts(execution);
    if arguments.heavy {
        replay = replay.heavy();
    }
    let outcome = replay.play(&mut |_| {})?;
    let (ticks, revisions) = (replay.ticks(), replay.revisions());
    let played = format!("{ticks} ticks, {revisions} revision{}", plural(revisions));
    Ok(match outcome {
        ReplayOutcome::Same { complete } => {
            let hash = replay.live().map_or(0, |live| live.world().hash());
            say(format_args!("the same: {played}, hash {hash:016x}"));
            let early = arguments.until.filter(|until| ticks < *until);
            if !complete && (early.is_some() || arguments.until.is_none()) {
                tell("warning: the recording was cut; this is how far it goes");
            }
            if let Some(until) = early {
                tell(format_args!("warning: --until {until}: the recording ends at tick {ticks}"));
            }
            SUCCESS
        }
        ReplayOutcome::Differs(difference) => {
            say(difference);
            PROBLEMS_FOUND
        }
    })
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
