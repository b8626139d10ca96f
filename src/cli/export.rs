//! `export`: writes a level as TOML, as a map of Tiled, or as an SVG.

use super::*;
use hangtime_core::sim::EntityView;
use hangtime_draw::level_svg;
use hangtime_game::{ExportedLevel, LevelFormat, export_level};

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
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ExportFormat {
    /// A level file, without the comments of the original
    Toml,
    /// A map of the Tiled editor
    Tmx,
    /// A picture of the whole level
    Svg,
}

/// Runs the command and returns the exit code.
pub fn export(folder: GameFolder, arguments: &ExportArguments) -> Exit {
    let (format, kind, what) = match arguments.to {
        ExportFormat::Toml => (Some(LevelFormat::Toml), OutputKind::Level, "a level file"),
        ExportFormat::Tmx => (Some(LevelFormat::Tmx), OutputKind::Level, "a map of Tiled"),
        ExportFormat::Svg => (None, OutputKind::Svg, "a picture of the level"),
    };
    let level = Project::load(folder.clone())?.find_level(&arguments.level)?;
    let ExportedLevel { mut text, revision } = export_level(&folder, &level, format)?;
    warn(&revision.warnings);
    if format.is_none() {
        let live = Live::new(revision, 0);
        let bodies: Vec<EntityView> = live.views().collect();
        text = level_svg(&live.revision().stage.level, &bodies);
    }
    let Some(path) = &arguments.output else {
        say(text.trim_end());
        return Ok(SUCCESS);
    };
    // Games go by the ending of a name.
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ExportFormat::from_str(ending, true).is_ok_and(|says| says != arguments.to) {
        let message = format!("the name says another format; write `--to {ending}`, or change the name");
        return Err(refused(&path.display().to_string(), message));
    }
    OutputFile::write_text(folder.path(), path, kind, &text)?;
    tell(format_args!("wrote {}: {what}, {} bytes", path.display(), text.len()));
    Ok(SUCCESS)
}
