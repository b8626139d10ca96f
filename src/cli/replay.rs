//! `replay`: plays a recording again and compares every tick.

use super::*;
use hangtime_play::{Replay, ReplayError, ReplayOutcome};
use std::fmt::Display;

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
    #[command(flatten)]
    shown: ShownArguments,
}

/// Runs the command and returns the exit code.
pub fn replay(folder: GameFolder, arguments: &ReplayArguments) -> Exit {
    let path = files::find(folder.path(), &arguments.file)?;
    let reader = RecordingReader::open(&path)?;
    let recorded_by = reader.header().hangtime.clone();
    let folder = with_execution(folder, arguments.both_ways);
    let mut replay = Replay::new(reader, arguments.until).run_scripts(folder.execution());
    if arguments.heavy {
        replay = replay.heavy();
    }
    let shown = &arguments.shown;
    let live = replay.open().inspect_err(|_| say_version(&recorded_by))?;
    let mut observers = RunObservers::new(folder.path(), shown, &RunOnly::default(), live, 0)?;
    live.watch(shown.watched());
    let interrupt = observers.interrupt();
    let played = ending_scripts(move || interrupt.arrived(), || replay.play(&mut observers.all()));
    let played = match played.0 {
        Ok(outcome) => Ok(outcome),
        Err(ReplayError::Recording(error)) => {
            say_version(&recorded_by);
            return Err(error);
        }
        Err(ReplayError::Output(error)) => Err(error),
    };
    let ticks = replay.ticks();
    observers.report_faults();
    let stopped = played.as_ref().err().map(io::Error::kind);
    let written = match (stopped, replay.live()) {
        // These ends leave whole outputs, which are shorter.
        (None | Some(io::ErrorKind::Interrupted | io::ErrorKind::BrokenPipe), Some(live)) => {
            let end = ticks.max(live.world().ticks());
            let ends = |_| format!("the recording ends at tick {end}");
            shown.warn_of_late_ticks(end, ends);
            observers.finish(live)
        }
        _ => Ok(()),
    };
    let outcome = match (played, written) {
        (Ok(outcome), Ok(())) => outcome,
        (Err(e), _) if e.kind() == io::ErrorKind::Interrupted => {
            tell(format_args!("interrupted at tick {ticks}: until there it is the same, and the outputs end there"));
            return Ok(INTERRUPTED);
        }
        (Err(e), _) | (_, Err(e)) if e.kind() == io::ErrorKind::BrokenPipe => return Ok(SUCCESS),
        (Err(e), _) | (_, Err(e)) => {
            tell(format_args!("error: cannot write the output of the replay: {e}"));
            return Ok(UNUSABLE);
        }
    };
    // A trace on stdout stays one.
    let report = |text: &dyn Display| if shown.prints_trace() { tell(text) } else { say(text) };
    match outcome {
        ReplayOutcome::Same { complete } => {
            let hash = replay.live().map_or(0, |live| live.world().hash());
            let revisions = counted(replay.revisions() as usize, "revision");
            report(&format_args!("the same: {ticks} ticks, {revisions}, hash {hash:016x}"));
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
            report(&divergence);
            say_version(&recorded_by);
            Ok(PROBLEMS_FOUND)
        }
    }
}

/// Says that a recording is of another version, which may be why it cannot be replayed or plays differently.
fn say_version(recorded_by: &str) {
    let own = env!("CARGO_PKG_VERSION");
    if recorded_by != own {
        tell(format_args!(
            "this recording is of hangtime {}, and this is hangtime {own}; the changelog has what plays differently, under \
             \"Simulation changed\"",
            printable_name(&cut_name(recorded_by))
        ));
    }
}
