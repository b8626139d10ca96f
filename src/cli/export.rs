//! `export`: writes a level as TOML, as a map of Tiled, or as an SVG.

use super::output::{SUCCESS, say, unusable, warn};
use clap::{Args, ValueEnum};
use hangtime_core::sim::EntityView;
use hangtime_draw::level_svg;
use hangtime_game::files::{OutputFile, OutputKind};
use hangtime_game::terminal::tell;
use hangtime_game::{Error, GameFolder, LevelFormat, Live, Project, export_level};
use hangtime_script::Diagnostic;
use std::path::{Path, PathBuf};

/// Arguments of `export`.
#[derive(Args)]
pub struct ExportArguments {
    /// Level to write
    level: String,
    /// Format to write it in
    #[arg(long, value_enum)]
    to: ExportFormat,
    /// File to write; without it, the level is printed. Existing files of a game are never replaced
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A format of `export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// A level file, without the comments of the original
    Toml,
    /// A map of the Tiled editor
    Tmx,
    /// A picture of the whole level
    Svg,
}

/// Runs the command and returns the exit code.
pub fn export(folder: GameFolder, arguments: &ExportArguments) -> u8 {
    let text = match text_of(&folder, arguments) {
        Ok(text) => text,
        Err(error) => return unusable(&error),
    };
    let Some(path) = &arguments.output else {
        say(text.trim_end());
        return SUCCESS;
    };
    if let Err(error) = check_ending(path, arguments.to) {
        return unusable(&error);
    }
    let (kind, what) = match arguments.to {
        ExportFormat::Toml => (OutputKind::Level, "a level file"),
        ExportFormat::Tmx => (OutputKind::Level, "a map of Tiled"),
        ExportFormat::Svg => (OutputKind::Svg, "a picture of the level"),
    };
    match OutputFile::write_text(folder.path(), path, kind, &text) {
        Ok(()) => {
            let bytes = text.len();
            tell(format_args!("wrote {}: {what}, {bytes} bytes", path.display()));
            SUCCESS
        }
        Err(error) => unusable(&error),
    }
}

/// Refuses a name that says another format: games go by it.
fn check_ending(path: &Path, to: ExportFormat) -> Result<(), Error> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let says = ending.and_then(|ending| ExportFormat::from_str(ending, true).ok());
    match says.filter(|says| *says != to) {
        None => Ok(()),
        Some(_) => {
            let ending = ending.unwrap_or_default();
            let message = format!("the name says another format; write `--to {ending}`, or change the name");
            Err(Diagnostic::about_file(path.display().to_string(), message).into())
        }
    }
}

fn text_of(folder: &GameFolder, arguments: &ExportArguments) -> Result<String, Error> {
    let project = Project::load(folder.clone())?;
    let level = project.find_level(&arguments.level)?;
    let format = match arguments.to {
        ExportFormat::Toml => Some(LevelFormat::Toml),
        ExportFormat::Tmx => Some(LevelFormat::Tmx),
        ExportFormat::Svg => None,
    };
    let exported = export_level(folder, &level, format)?;
    let revision = exported.revision;
    warn(&revision.warnings);
    if format.is_some() {
        return Ok(exported.text);
    }
    let live = Live::new(revision, 0);
    let bodies: Vec<EntityView> = live.views().collect();
    Ok(level_svg(&live.revision().stage.level, &bodies))
}
