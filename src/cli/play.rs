//! `play`: opens the window; without a display, saves ten seconds of the demo as a GIF.

use super::{observers::FaultPrinter, saves::refuse_player, *};
use hangtime_game::{Revision, USUAL_PLAYER, is_game_folder, unpack_playground};
use hangtime_play::RecordedPlay;
use hangtime_workbench::SessionFiles;

/// The level to play if none is named.
const DEFAULT_LEVEL: &str = "levels/playground.toml";

/// Seconds of the GIF that replaces the window.
const FILM_SECONDS: u64 = 10;

/// Arguments of `play`.
#[derive(Args, Default)]
pub struct PlayArguments {
    /// Level to play, or a recording, FILE.run, at whose end you take over [default: levels/playground.toml, or the
    /// game's only level]
    level: Option<String>,
    /// Record everything that happens, so that `replay` can play it again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Number of threads that share the ticks of levels with very many entities [default: one for each
    /// processor core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, 1024))]
    threads: Option<u16>,
    /// Load and save what scripts keep for this player, in saves/ [default: player]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
}

/// Runs the command and returns the exit code.
pub fn play(folder: GameFolder, arguments: PlayArguments) -> Exit {
    if let Some(file) = arguments.level.as_deref().filter(|name| name.ends_with(".run")) {
        return play_recording(folder, file, &arguments);
    }
    let project = Project::load(game_folder(folder)?)?;
    let level = find_level(&project, arguments.level.as_deref())?;
    let revision = Arc::new(project.open(&level, &[])?);
    warn(&revision.warnings);
    let recording = create(project.root(), arguments.record.as_ref(), OutputKind::Recording)?;
    let is_recorded = recording.is_some();
    let player = arguments.player.as_deref().unwrap_or(USUAL_PLAYER);
    let saves = match open_saves(project.folder(), player) {
        Ok(saves) => Some(saves),
        Err(error) => return Ok(refuse_player(&error)),
    };
    let session = SessionFiles { recording, saves, ..SessionFiles::default() };
    let shown = show(&project, &level, revision.clone(), session, arguments.threads);
    end_of_window(shown, || {
        if is_recorded {
            tell("without a window nothing is recorded; `run --record` records a run");
        }
        on_large_stack(move || film(project.root(), revision))
    })
}

/// Shows a recording in the window. It needs no files of the game.
fn play_recording(folder: GameFolder, file: &str, arguments: &PlayArguments) -> Exit {
    if arguments.player.is_some() {
        return Err(refused("--player", "a recording plays with what was kept when it was recorded"));
    }
    let path = files::find(folder.path(), file)?;
    let replayed = RecordedPlay::open(RecordingReader::open(&path)?, folder.execution())?;
    let revision = replayed.revision().clone();
    let project = Project::load(folder)?;
    let level = project.root().join(&*revision.stage.level.name);
    let recording = create(project.root(), arguments.record.as_ref(), OutputKind::Recording)?;
    let session = SessionFiles { recording, saves: None, replayed: Some(replayed) };
    let shown = show(&project, &level, revision, session, arguments.threads);
    end_of_window(shown, || {
        tell(format_args!("`hangtime replay {file} --gif FILE.gif` saves the recording as a GIF"));
        Ok(UNUSABLE)
    })
}

/// The exit code once the window has closed. Where none could be opened, does something else `without` it.
fn end_of_window(shown: Result<(), NotShown>, without: impl FnOnce() -> Exit) -> Exit {
    match shown {
        Ok(()) => Ok(SUCCESS),
        Err(NotShown::Closed(reason)) => {
            tell(format_args!("error: {reason}"));
            Ok(UNUSABLE)
        }
        Err(NotShown::NoWindow(reason)) => {
            tell(format_args!("no window: {reason}"));
            without()
        }
    }
}

/// Why the level is not shown in a window.
enum NotShown {
    /// None could be opened.
    NoWindow(String),
    /// It was open, and had to be closed, or what was played in it is not recorded.
    #[cfg_attr(not(feature = "viewer"), expect(dead_code))]
    Closed(String),
}

/// The level that was named, or the only level of the game itself, or the playground.
pub fn find_level(project: &Project, name: Option<&str>) -> Result<PathBuf, Error> {
    let mut levels = project.levels();
    levels.retain(|level| level.starts_with(project.root().join("levels")));
    match (name, levels.as_slice()) {
        (None, [only]) => Ok(only.clone()),
        _ => project.find_level(name.unwrap_or(DEFAULT_LEVEL)),
    }
}

/// The game folder, or a copy of the built-in game if this is not one.
fn game_folder(folder: GameFolder) -> Result<GameFolder, Error> {
    if is_game_folder(folder.path()) {
        return Ok(folder);
    }
    let copy = unpack_playground()?;
    tell(format_args!("no levels/ in {}: playing the built-in playground", folder.path().display()));
    tell(format_args!("edit its files while it runs: {}", copy.display()));
    GameFolder::new(copy).with_mods(folder.mods())
}

#[cfg(feature = "viewer")]
fn show(
    project: &Project,
    level: &Path,
    revision: Arc<Revision>,
    files: SessionFiles,
    threads: Option<u16>,
) -> Result<(), NotShown> {
    use hangtime_window::WindowError;
    let (folder, level) = (project.folder().clone(), level.to_path_buf());
    let threads = tick_threads(threads);
    let shown = hangtime_window::show(folder, level, revision, files, threads);
    shown.map_err(|error| match error {
        WindowError::Closed(_) | WindowError::Unrecorded => NotShown::Closed(error.to_string()),
        _ => NotShown::NoWindow(error.to_string()),
    })
}

#[cfg(not(feature = "viewer"))]
fn show(_: &Project, _: &Path, _: Arc<Revision>, _: SessionFiles, _: Option<u16>) -> Result<(), NotShown> {
    let reason = "this program was built without the feature `viewer`";
    Err(NotShown::NoWindow(reason.into()))
}

/// Plays the demo for ten seconds and saves it as a GIF.
fn film(root: &Path, revision: Arc<Revision>) -> Exit {
    let hz = revision.stage.hz;
    let stem = Path::new(&*revision.stage.level.name).file_stem();
    let name = stem.map_or_else(|| "hangtime.gif".into(), |stem| format!("{}.gif", stem.to_string_lossy()));
    let demo = revision.demo.as_ref();
    let track = demo.map(|demo| demo.track(hz)).unwrap_or_default();
    let seed = demo.and_then(|demo| demo.seed).unwrap_or(0);
    let mut live = Live::new(revision, seed);
    let (mut interrupt, mut faults) = (Interrupt::watch(), FaultPrinter::default());
    // The working directory may be read-only; the temporary folder is not.
    let create = |path: PathBuf| OutputFile::create(root, &path, OutputKind::Gif);
    let (file, out) = create(name.clone().into()).or_else(|_| create(std::env::temp_dir().join(name)))?;
    let path = file.path().to_path_buf();
    let ticks = FILM_SECONDS * u64::from(hz);
    let filmed = Film::new(out, &live, FilmOptions::default()).and_then(|mut film| {
        let asked = interrupt.clone();
        let observers: &mut [&mut dyn Observer] = &mut [&mut film, &mut faults, &mut interrupt];
        ending_scripts(move || asked.arrived(), || hangtime_play::run(&mut live, &track, ticks, observers)).0?;
        film.finish()?;
        file.complete().map_err(io::Error::other)
    });
    faults.report();
    Ok(match filmed {
        Ok(()) => {
            tell(format_args!("saved the first {FILM_SECONDS} s of the level as a GIF instead:"));
            say(path.display());
            SUCCESS
        }
        Err(e) if e.kind() == io::ErrorKind::Interrupted => {
            tell("interrupted: nothing was saved");
            INTERRUPTED
        }
        Err(e) => {
            tell(format_args!("error: cannot write {}: {e}", path.display()));
            UNUSABLE
        }
    })
}
