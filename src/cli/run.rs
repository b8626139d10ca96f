//! `run`: runs a level without a window, as fast as possible.

use super::*;
use hangtime_game::OtherLevels;
use hangtime_play::Divergence;
use hangtime_script::Settings;
use std::time::Instant;

/// Arguments of `run`.
#[derive(Args)]
pub struct RunArguments {
    /// Level to run [default: the level that the input file names]
    #[arg(required_unless_present = "input")]
    level: Option<String>,
    /// Number of ticks [default: the length of the input or demo, else 600]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    ticks: Option<u64>,
    /// Input file with the players' actions [default: the level's demo]
    #[arg(long, value_name = "FILE")]
    input: Option<String>,
    #[command(flatten)]
    shown: ShownArguments,
    /// Begin with what this player has kept in `saves/`, and save what scripts keep
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Record the run, so that `replay` can play it again and compare every tick
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print where the time of the ticks goes: each hook of each behavior with its calls, operations, ns and share; with
    /// =FILE, write it as JSON instead
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    profile: Option<String>,
    /// Draw where the time of the ticks goes, as a flame graph
    #[arg(long, value_name = "FILE")]
    flame: Option<PathBuf>,
    /// Override a setting, such as platformer.jump_speed=600; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Exit with code 1 if a script fails
    #[arg(long)]
    strict: bool,
    /// Save and load the world before every tick, and stop with code 1 at the first difference
    #[arg(long)]
    heavy: bool,
    /// Make every script call compiled and interpreted, and exit with code 1 if that makes a difference
    #[arg(long, conflicts_with = "interpret")]
    both_ways: bool,
    /// Random seed [default: the seed of the input file, else 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// Number of threads that share the ticks of levels with very many entities [default: one for each
    /// processor core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, 1024))]
    pub threads: Option<u16>,
}

/// The length of a run without `--ticks`, input or demo.
const DEFAULT_TICKS: u64 = 600;

/// Runs the command and returns the exit code.
pub fn run(folder: GameFolder, arguments: &RunArguments, threads: Option<Arc<Threads>>) -> Exit {
    let project = Project::load(with_execution(folder, arguments.both_ways))?;
    let (mut live, input) = open(&project, arguments)?;
    live.use_threads(threads.map(|it| it as _));
    let saves = arguments.player.as_ref().map(|player| open_saves(project.folder(), player));
    let mut saves = saves.transpose().map_err(|error| Diagnostic::about_file("--player", error))?;
    if let Some(saves) = &saves {
        live.set_kept(saves.kept().clone());
    }
    let track = input.map(|input| input.track_in(&live.revision().stage));
    let length = track.as_ref().map_or(DEFAULT_TICKS, |track| track.length());
    let track = track.unwrap_or_default();
    let ticks = arguments.ticks.unwrap_or(length);
    let only = RunOnly {
        recording: arguments.record.as_ref().map(|path| (path, &track)),
        profile: arguments.profile.as_deref(),
        flame: arguments.flame.as_ref(),
    };
    let mut observers = RunObservers::new(project.root(), &arguments.shown, &only, &live, ticks)?;
    live.watch(arguments.shown.watched());
    if arguments.profile.is_some() || arguments.flame.is_some() {
        live.measure(true);
    }
    let started = Instant::now();
    let interrupt = observers.interrupt();
    let ((played, divergence), in_a_tick) = ending_scripts(
        move || interrupt.arrived(),
        || play(&mut live, &track, ticks, arguments.heavy, &mut observers.all()),
    );
    let seconds = started.elapsed().as_secs_f64();
    let failed = observers.report_faults();
    let stopped = played.as_ref().err().map(io::Error::kind);
    let written = match stopped {
        // These ends leave whole outputs, which are shorter.
        None | Some(io::ErrorKind::Interrupted | io::ErrorKind::BrokenPipe) => observers.finish(&live),
        Some(_) => played,
    };
    let end = live.world().ticks();
    let ends = |tick| format!("the run ends at tick {end}; add --ticks {tick} to reach it");
    arguments.shown.warn_of_late_ticks(end, ends);
    // What was played is saved whether or not the outputs could be written.
    let saved = saves.as_mut().map(|saves| saves.save(live.world().kept()));
    if let Err(e) = written
        && e.kind() != io::ErrorKind::BrokenPipe
    {
        tell(format_args!("error: cannot write the output of the run: {e}"));
        return Ok(UNUSABLE);
    }
    // Fewer ticks than asked for if the run ended early.
    let ticks = live.world().ticks();
    let rate = if seconds > 0.0 { ticks as f64 / seconds } else { 0.0 };
    if in_a_tick {
        tell(format_args!("interrupted in tick {ticks}, which did not end: its scripts were stopped"));
    } else {
        tell(format_args!("{ticks} ticks, {rate:.0} ticks/s, hash {:016x}", live.world().hash()));
    }
    if let Some(Err(error)) = saved {
        tell(format_args!("error: what scripts keep is not saved: {error}"));
        return Ok(UNUSABLE);
    }
    if stopped == Some(io::ErrorKind::Interrupted) {
        tell(if in_a_tick {
            "the outputs end with the tick before"
        } else {
            "interrupted: the outputs end with this tick"
        });
        return Ok(INTERRUPTED);
    }
    let in_calls = live.take_call_difference().map(Divergence::from);
    let differs = divergence.is_some() || in_calls.is_some();
    for divergence in [divergence, in_calls].into_iter().flatten() {
        tell(format_args!("error: {divergence}"));
    }
    Ok(if differs || (failed && arguments.strict) { PROBLEMS_FOUND } else { SUCCESS })
}

/// The level, and what the players do: the input file, or else the level's demo.
fn open(project: &Project, arguments: &RunArguments) -> Result<(Live, Option<InputScript>), Error> {
    let input = input_of(project, arguments.input.as_ref())?;
    let level = find_level(project, arguments, input.as_ref())?;
    // Settings of the command line come last, so they win over the input file's.
    let mut settings: Settings = input.as_ref().map_or_else(Vec::new, |i| i.settings.clone());
    settings.extend(arguments.set.iter().cloned());
    let mut revision = project.open(&level, &settings)?;
    if input.is_none()
        && let Some(demo) = &revision.demo
        && !demo.settings.is_empty()
    {
        let settings: Settings = demo.settings.iter().cloned().chain(settings).collect();
        revision = project.open(&level, &settings)?;
    }
    warn(&revision.warnings);
    let input = input.or_else(|| revision.demo.clone());
    let seed = arguments.seed.or(input.as_ref().and_then(|i| i.seed)).unwrap_or(0);
    let others = OtherLevels::of_game(project.folder().clone(), revision.settings.clone());
    let mut live = Live::new(Arc::new(revision), seed);
    live.use_levels(Some(Arc::new(others)));
    Ok((live, input))
}

/// Plays the ticks. In heavy mode they end at the first difference.
fn play(
    live: &mut Live,
    track: &Track,
    ticks: u64,
    heavy: bool,
    observers: &mut [&mut dyn Observer],
) -> (io::Result<()>, Option<Divergence>) {
    if !heavy {
        return (hangtime_play::run(live, track, ticks, observers), None);
    }
    match hangtime_play::run_heavy(live, track, ticks, observers) {
        Ok(divergence) => (Ok(()), divergence),
        Err(error) => (Err(error), None),
    }
}

/// The level named on the command line, or the one that the input file names, which is looked for in
/// the input file's folder first.
fn find_level(project: &Project, arguments: &RunArguments, input: Option<&InputScript>) -> Result<PathBuf, Error> {
    if let Some(name) = &arguments.level {
        return project.find_level(name);
    }
    let file = arguments.input.as_deref().unwrap_or_default();
    let Some(name) = input.and_then(|i| i.level.as_deref()) else {
        let message = "this input file names no level; add a first line such as `level gap.toml`, or \
                       name the level on the command line";
        return Err(refused(file, message));
    };
    let path = files::find(project.root(), file)?;
    let from = path.parent().unwrap_or(Path::new(""));
    project.find_level_from(from, name)
}
