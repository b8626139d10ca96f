//! The profile of a run: where the time of its ticks went.

use super::output::say;
use super::run_options::{ProfileOutput, RunArguments};
use hangtime_game::files::OutputKind;
use hangtime_game::{Error, Live};
use hangtime_play::{flame_graph, profile_json, profile_table};
use hangtime_script::Diagnostic;
use hangtime_script::text::printable_json;
use std::io::{self, Write};
use std::path::Path;

/// The outputs of a profile that were asked for.
pub(super) struct RunProfile {
    prints: bool,
    json: Option<Box<dyn Write + Send>>,
    flame: Option<Box<dyn Write + Send>>,
}

impl RunProfile {
    /// Creates the outputs; none if none was asked for.
    pub fn new(
        arguments: &RunArguments,
        create: &mut impl FnMut(&Path, OutputKind) -> Result<Box<dyn Write + Send>, Error>,
    ) -> Result<Option<Self>, Error> {
        if arguments.profile.is_none() && arguments.flame.is_none() {
            return Ok(None);
        }
        let prints = arguments.profile == Some(ProfileOutput::Table);
        if prints && arguments.trace.as_deref() == Some("-") {
            let message = "prints to stdout, as `--trace -` does; write the profile to a file: --profile=FILE";
            return Err(Diagnostic::about_file("--profile", message).into());
        }
        let json = json_file(arguments);
        let json = json.map(|path| create(path, OutputKind::Profile));
        let flame = arguments.flame.as_deref();
        let flame = flame.map(|path| create(path, OutputKind::Svg));
        Ok(Some(Self { prints, json: json.transpose()?, flame: flame.transpose()? }))
    }

    /// Writes what was measured.
    pub fn finish(self, live: &Live) -> io::Result<()> {
        let profile = live.profile().unwrap_or_default();
        let level = &*live.revision().stage.level.name;
        if self.prints {
            say(profile_table(&profile).trim_end());
        }
        if let Some(mut out) = self.json {
            let text = profile_json(level, &profile).map_err(io::Error::other)?;
            writeln!(out, "{}", printable_json(&text))?;
            out.flush()?;
        }
        if let Some(mut out) = self.flame {
            out.write_all(flame_graph(level, &profile)?.as_bytes())?;
            out.flush()?;
        }
        Ok(())
    }
}

/// The file in which a profile is written as JSON.
pub(super) fn json_file(arguments: &RunArguments) -> Option<&Path> {
    match &arguments.profile {
        Some(ProfileOutput::Json(path)) => Some(path),
        _ => None,
    }
}
