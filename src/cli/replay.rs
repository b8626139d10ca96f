//! `replay`: plays a recording again and compares every tick.

use super::*;
use hangtime_game::files;
use hangtime_game::recording::RecordingReader;
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
pub fn replay(folder: GameFolder, arguments: &ReplayArguments) -> Exit {
    let path = files::find(folder.path(), &arguments.file)?;
    let reader = RecordingReader::open(&path)?;
    let execution = with_execution(folder, arguments.both_ways).execution();
    let mut replay = Replay::new(reader, arguments.until).run_scripts(execution);
    if arguments.heavy {
        replay = replay.heavy();
    }
    let outcome = replay.play(&mut |_| {})?;
    let ticks = replay.ticks();
    match outcome {
        ReplayOutcome::Same { complete } => {
            let hash = replay.live().map_or(0, |live| live.world().hash());
            let revisions = counted(replay.revisions() as usize, "revision");
            say(format_args!("the same: {ticks} ticks, {revisions}, hash {hash:016x}"));
            let early = arguments.until.filter(|until| ticks < *until);
            if !complete && (early.is_some() || arguments.until.is_none()) {
                tell("warning: the recording was cut; this is how far it goes");
            }
            if let Some(until) = early {
                tell(format_args!("warning: --until {until}: the recording ends at tick {ticks}"));
            }
            Ok(SUCCESS)
        }
        ReplayOutcome::Differs(divergence) => {
            say(divergence);
            Ok(PROBLEMS_FOUND)
        }
    }
}
