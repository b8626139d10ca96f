//! `export`: writes a level as TOML, as a map of Tiled, or as an SVG.

use super::output::{SUCCESS, say, unusable, warn};
use crate::draw::level_svg;
use crate::project::files::{OutputFile, OutputKind};
use crate::project::{Error, GameFolder, LevelFormat, Live, Project, export_level};
use crate::sim::EntityView;
use clap::{Args, ValueEnum};
use std::io::Write as _;
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
    match write(folder.path(), path, arguments.to, &text) {
        Ok(()) => SUCCESS,
        Err(error) => unusable(&error),
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

fn write(root: &Path, path: &Path, format: ExportFormat, text: &str) -> Result<(), Error> {
    let kind = match format {
        ExportFormat::Svg => OutputKind::Svg,
        ExportFormat::Toml | ExportFormat::Tmx => OutputKind::Level,
    };
    let (output, mut writer) = OutputFile::create(root, path, kind)?;
    let written = writer
        .write_all(text.as_bytes())
        .and_then(|()| writer.flush());
    written.map_err(|source| Error::Write {
        file: path.display().to_string(),
        source,
    })?;
    drop(writer);
    output.complete()
}
