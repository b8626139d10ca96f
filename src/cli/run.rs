//! `run`: runs a level without a window, as fast as possible.

use super::output::{INTERRUPTED, PROBLEMS_FOUND, SUCCESS, UNUSABLE, execution, unusable, warn};
use super::run_observers::{RunObservers, watched};
use super::run_options::RunArguments;
use super::saves::open_saves;
use hangtime_game::terminal::tell;
use hangtime_game::{Error, GameFolder, InputScript, Live, OtherLevels, PlayerSaves, Project, Threads, Track, files};
use hangtime_play::{self, Divergence};
use hangtime_script::{Diagnostic, Settings};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The length of a run without `--ticks`, input or demo.
const DEFAULT_TICKS: u64 = 600;

/// Runs the command and returns the exit code.
pub fn run(folder: GameFolder, arguments: &RunArguments, threads: Option<Arc<Threads>>) -> u8 {
    let execution = execution(&folder, arguments.both_ways);
    let folder = folder.run_scripts(execution);
    match PreparedRun::new(folder, arguments) {
        Ok(mut prepared) => {
            prepared.live.use_threads(threads.map(|it| it as _));
            prepared.run(arguments)
        }
        Err(error) => unusable(&error),
    }
}

/// An opened level and its input.
struct PreparedRun {
    root: PathBuf,
    live: Live,
    input: Option<InputScript>,
    /// What the player has kept, if one is named.
    saves: Option<PlayerSaves>,
}

impl PreparedRun {
    fn new(folder: GameFolder, arguments: &RunArguments) -> Result<Self, Error> {
        let project = Project::load(folder)?;
        let input = match &arguments.input {
            Some(name) => {
                let file = files::read(project.folder(), name)?;
                Some(InputScript::parse_with(&file, &project.own_actions())?)
            }
            None => None,
        };
        let level = find_level(&project, arguments, input.as_ref())?;
        // Settings of the command line come last, so they win over those of the input file.
        let mut settings: Settings = input.as_ref().map_or_else(Vec::new, |i| i.settings.clone());
        settings.extend(arguments.set.iter().cloned());
        let mut revision = project.open(&level, &settings)?;
        if input.is_none()
            && let Some(demo) = &revision.demo
            && !demo.settings.is_empty()
        {
            let demo_settings = demo.settings.iter().cloned();
            let settings: Settings = demo_settings.chain(settings).collect();
            revision = project.open(&level, &settings)?;
        }
        warn(&revision.warnings);
        let input = input.or_else(|| revision.demo.clone());
        let seed = arguments.seed.or(input.as_ref().and_then(|i| i.seed)).unwrap_or(0);
        let settings = revision.settings.clone();
        let others = OtherLevels::of_game(project.folder().clone(), settings);
        let mut live = Live::new(Arc::new(revision), seed);
        live.use_levels(Some(Arc::new(others)));
        let player = arguments.player.as_deref();
        let saves = player.map(|player| open_saves(project.folder(), player));
        let saves = saves.transpose().map_err(|error| Diagnostic::about_file("--player", error))?;
        if let Some(saves) = &saves {
            live.set_kept(saves.kept().clone());
        }
        Ok(Self { root: project.root().to_path_buf(), live, input, saves })
    }

    fn run(mut self, arguments: &RunArguments) -> u8 {
        let stage = &self.live.revision().stage;
        let track = self.input.as_ref().map(|input| input.track_in(stage));
        let length = track.as_ref().map_or(DEFAULT_TICKS, |track| track.length());
        let track = track.unwrap_or_default();
        let ticks = arguments.ticks.unwrap_or(length);
        let mut observers = match RunObservers::new(&self.root, arguments, &self.live, (&track, ticks)) {
            Ok(observers) => observers,
            Err(error) => return unusable(&error),
        };
        self.live.watch(watched(arguments));
        if arguments.profile.is_some() || arguments.flame.is_some() {
            self.live.measure(true);
        }
        let started = Instant::now();
        let (played, divergence) = match self.play(arguments, &track, ticks, &mut observers) {
            Ok(divergence) => (Ok(()), divergence),
            Err(error) => (Err(error), None),
        };
        let seconds = started.elapsed().as_secs_f64();
        let failed = observers.report_faults();
        let stopped = played.as_ref().err().map(io::Error::kind);
        let written = match stopped {
            // These ends leave whole outputs, which are shorter.
            None | Some(io::ErrorKind::Interrupted | io::ErrorKind::BrokenPipe) => {
                observers.finish(arguments, &self.live)
            }
            Some(_) => played,
        };
        // What was played is saved whether or not the outputs could be written.
        let saves = self.saves.as_mut();
        let saved = saves.map(|saves| saves.save(self.live.world().kept()));
        if let Err(e) = written
            && e.kind() != io::ErrorKind::BrokenPipe
        {
            tell(format_args!("error: cannot write the output of the run: {e}"));
            return UNUSABLE;
        }
        self.print_summary(seconds);
        if let Some(Err(error)) = saved {
            tell(format_args!("error: what scripts keep is not saved: {error}"));
            return UNUSABLE;
        }
        if stopped == Some(io::ErrorKind::Interrupted) {
            tell("interrupted: the outputs end with this tick");
            return INTERRUPTED;
        }
        let in_calls = self.live.take_call_difference().map(Divergence::from);
        let differs = divergence.is_some() || in_calls.is_some();
        for divergence in [divergence, in_calls].into_iter().flatten() {
            tell(format_args!("error: {divergence}"));
        }
        if differs || (failed && arguments.strict) { PROBLEMS_FOUND } else { SUCCESS }
    }

    /// Prints the ticks that were made: fewer than asked for if the run ended early.
    fn print_summary(&self, seconds: f64) {
        let ticks = self.live.world().ticks();
        let rate = if seconds > 0.0 { ticks as f64 / seconds } else { 0.0 };
        tell(format_args!("{ticks} ticks, {rate:.0} ticks/s, hash {:016x}", self.live.world().hash()));
    }

    /// Plays the ticks. In heavy mode they end at the first difference.
    fn play(
        &mut self,
        arguments: &RunArguments,
        track: &Track,
        ticks: u64,
        observers: &mut RunObservers,
    ) -> io::Result<Option<Divergence>> {
        let (live, observers) = (&mut self.live, &mut observers.all());
        match arguments.heavy {
            true => hangtime_play::run_heavy(live, track, ticks, observers),
            false => hangtime_play::run(live, track, ticks, observers).map(|()| None),
        }
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
        return Err(Diagnostic::about_file(file, message).into());
    };
    let path = files::find(project.root(), file)?;
    let from = path.parent().unwrap_or(Path::new(""));
    project.find_level_from(from, name)
}
