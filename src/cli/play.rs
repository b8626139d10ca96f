//! `play`: the window; without a display, ten seconds of the demo as a GIF.

use super::{GOOD, UNUSABLE, color_on_stderr, on_large_stack, project, say, unusable};
use crate::playtest::{self, FILM_FPS, Film};
use crate::project::{Live, Project, Revision, files, is_game_folder, unpack_playground};
use crate::script::host::{Diagnostic, Settings, render_all};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The level that is played when none is named.
const DEFAULT_LEVEL: &str = "levels/playground.toml";

/// Seconds that are filmed without a display.
const FILMED: u64 = 10;

/// Arguments of `play`.
#[derive(Args, Default)]
pub struct PlayArguments {
    /// The level; without it levels/playground.toml, or the only one that there is
    level: Option<String>,
}

/// Runs the command.
pub fn play(root: PathBuf, arguments: PlayArguments) -> u8 {
    let root = match folder(root) {
        Ok(root) => root,
        Err(wrong) => return unusable(&[wrong]),
    };
    let opened = project(root).and_then(|p| Ok((level(&p, arguments.level.as_deref())?, p)));
    let (level, project) = match opened {
        Ok(opened) => opened,
        Err(wrong) => return unusable(&[wrong]),
    };
    let revision = match project.open(&level, &Settings::new()) {
        Ok(revision) => revision,
        Err(wrong) => return unusable(&wrong),
    };
    if !revision.warnings.is_empty() {
        eprintln!("{}", render_all(&revision.warnings, color_on_stderr()));
    }
    match show(&project, &level, Arc::new(revision)) {
        Ok(()) => GOOD,
        Err((why, revision)) => {
            eprintln!("no window: {why}");
            on_large_stack(move || film(revision))
        }
    }
}

/// The level that is named, else the playground, else the only one that there is.
fn level(project: &Project, named: Option<&str>) -> Result<PathBuf, Diagnostic> {
    let found = project.find_level(named.unwrap_or(DEFAULT_LEVEL));
    match (named, project.levels().as_slice()) {
        (None, [only]) => Ok(only.clone()),
        _ => found,
    }
}

/// The game folder, or a copy of the built-in one outside of any.
fn folder(root: PathBuf) -> Result<PathBuf, Diagnostic> {
    if is_game_folder(&root) {
        return Ok(root);
    }
    let copy = unpack_playground()?;
    eprintln!(
        "no levels/ in {}: playing the built-in playground",
        root.display()
    );
    eprintln!("its files, to be edited while it runs: {}", copy.display());
    Ok(copy)
}

#[cfg(feature = "viewer")]
fn show(
    project: &Project,
    level: &Path,
    revision: Arc<Revision>,
) -> Result<(), (String, Arc<Revision>)> {
    crate::viewer::show(project.root().to_path_buf(), level.to_path_buf(), revision)
}

#[cfg(not(feature = "viewer"))]
fn show(
    _project: &Project,
    _level: &Path,
    revision: Arc<Revision>,
) -> Result<(), (String, Arc<Revision>)> {
    Err(("this program was built without its viewer".into(), revision))
}

/// Plays the demo for ten seconds and writes a GIF.
fn film(revision: Arc<Revision>) -> u8 {
    let hz = revision.stage.hz;
    let name = Path::new(&*revision.stage.level.name)
        .file_stem()
        .map_or_else(
            || "hangtime.gif".into(),
            |stem| format!("{}.gif", stem.to_string_lossy()),
        );
    let track = revision
        .demo
        .as_ref()
        .map(|demo| demo.track(hz))
        .unwrap_or_default();
    let seed = revision
        .demo
        .as_ref()
        .and_then(|demo| demo.seed)
        .unwrap_or(0);
    let mut live = Live::new(revision, seed);
    // Where one stands may be read-only; there is always a temporary folder.
    let here = PathBuf::from(&name);
    let there = std::env::temp_dir().join(&name);
    let opened = files::create(&here)
        .map(|f| (f, here))
        .or_else(|_| files::create(&there).map(|f| (f, there)));
    let (out, path) = match opened {
        Ok(opened) => opened,
        Err(wrong) => return unusable(&[wrong]),
    };
    let filmed = Film::new(out, &live, FILM_FPS).and_then(|mut film| {
        playtest::run(&mut live, &track, FILMED * u64::from(hz), &mut [&mut film])?;
        film.finish()
    });
    for fault in live.take_faults().iter().take(1) {
        eprintln!("{}", fault.diagnostic.render(color_on_stderr()));
    }
    match filmed {
        Ok(()) => {
            eprintln!("played {FILMED} s of the level without it and filmed that:");
            say(path.display());
            GOOD
        }
        Err(e) => {
            eprintln!("error: {} cannot be written: {e}", path.display());
            UNUSABLE
        }
    }
}
