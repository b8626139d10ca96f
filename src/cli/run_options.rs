//! The arguments of `run`.

use super::output::{setting, whole};
use clap::Args;
use hangtime_draw::{Overlay, Overlays};
use hangtime_play::{FILM_FPS, FILM_SIDES, WhyTarget};
use hangtime_script::names::nearest;
use hangtime_script::text::cut_name;
use std::path::PathBuf;

/// Arguments of `run`.
#[derive(Args)]
pub struct RunArguments {
    /// Level to run [default: the level that the input file names]
    #[arg(required_unless_present = "input")]
    pub(super) level: Option<String>,
    /// Number of ticks [default: the length of the input or demo, else 600]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    pub(super) ticks: Option<u64>,
    /// Input file with the players' actions [default: the level's demo]
    #[arg(long, value_name = "FILE")]
    pub(super) input: Option<String>,
    /// Write a trace of every tick as JSON Lines; `-` is stdout
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<String>,
    /// Trace only this entity; can be repeated
    #[arg(long, value_name = "NAME")]
    pub(super) trace_only: Vec<String>,
    /// Trace only every Nth tick
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = whole::<u64>(1, u64::MAX))]
    pub(super) trace_every: u64,
    /// Add to the trace why each entity moved: phases, rules and refusals
    #[arg(long, requires = "trace")]
    pub(super) trace_why: bool,
    /// Print why this entity moved, at one tick or at every tick with more than plain motion; can be
    /// repeated
    #[arg(long, value_name = "NAME[@TICK]", value_parser = why_target)]
    pub(super) why: Vec<WhyTarget>,
    /// Save the run as a GIF
    #[arg(long, value_name = "FILE")]
    pub(super) gif: Option<PathBuf>,
    /// Frames per second of the GIF; fewer frames make a smaller file
    #[arg(long, value_name = "N", default_value_t = FILM_FPS, allow_negative_numbers = true,
          value_parser = whole::<u16>(1, 50))]
    pub(super) gif_fps: u16,
    /// Size of the GIF in pixels; a smaller one shows less of the level
    #[arg(long, value_name = "WxH", default_value = "640x360", value_parser = film_size)]
    pub(super) gif_size: (u32, u32),
    /// Begin with what this player has kept in `saves/`, and save what scripts keep
    #[arg(long, value_name = "NAME")]
    pub(super) player: Option<String>,
    /// Save the last tick as a PNG
    #[arg(long, value_name = "FILE")]
    pub(super) png: Option<PathBuf>,
    /// Record the run, so that `replay` can play it again and compare every tick
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Show overlays in the GIF and the PNG: `all`, or names separated by commas, such as
    /// trail,velocity
    #[arg(long, value_name = "NAMES", value_parser = overlays)]
    pub(super) overlays: Option<Overlays>,
    /// Print where the time of the ticks goes: each hook of each behavior with its calls, operations, ns and share; with
    /// =FILE, write it as JSON instead
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "",
          value_parser = profile_output)]
    pub(super) profile: Option<ProfileOutput>,
    /// Draw where the time of the ticks goes, as a flame graph
    #[arg(long, value_name = "FILE")]
    pub(super) flame: Option<PathBuf>,
    /// Override a setting, such as platformer.jump_speed=600; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub(super) set: Vec<(String, String)>,
    /// Exit with code 1 if a script fails
    #[arg(long)]
    pub(super) strict: bool,
    /// Save and load the world before every tick, and stop with code 1 at the first difference
    #[arg(long)]
    pub(super) heavy: bool,
    /// Make every script call compiled and interpreted, and exit with code 1 if that makes a difference
    #[arg(long, conflicts_with = "interpret")]
    pub(super) both_ways: bool,
    /// Random seed [default: the seed of the input file, else 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    pub(super) seed: Option<u64>,
    /// Number of threads that share the ticks of levels with very many entities [default: one for each
    /// processor core]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, 1024))]
    pub(super) threads: Option<u16>,
}

/// Where a profile goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProfileOutput {
    /// It is printed as a table.
    Table,
    /// It is written to this file as JSON.
    Json(PathBuf),
}

/// Parses the file of `--profile`, which may be missing.
fn profile_output(file: &str) -> Result<ProfileOutput, String> {
    Ok(match file {
        "" => ProfileOutput::Table,
        file => ProfileOutput::Json(file.into()),
    })
}

/// Parses `all` or the names of overlays.
fn overlays(text: &str) -> Result<Overlays, String> {
    if text == "all" {
        return Ok(Overlays::all());
    }
    let mut overlays = Overlays::NONE;
    for name in text.split(',') {
        let Some(overlay) = Overlay::parse(name) else {
            let names = Overlay::ALL.map(Overlay::name).join(", ");
            let all = Overlay::ALL.map(Overlay::name);
            let near = nearest(name, all.into_iter().chain(["all"]));
            let name = cut_name(name);
            return Err(match near {
                Some(near) => format!("there is no overlay `{name}`; did you mean `{near}`?"),
                None => format!("there is no overlay `{name}`; there are {names}"),
            });
        };
        if !overlays.has(overlay) {
            overlays.toggle(overlay);
        }
    }
    Ok(overlays)
}

/// Parses a width and a height, each within what a film can have.
fn film_size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.parse().ok().filter(|side| FILM_SIDES.contains(side));
    let size = text.split_once('x').and_then(|(w, h)| Some((side(w)?, side(h)?)));
    size.ok_or_else(|| {
        let (least, most) = (FILM_SIDES.start(), FILM_SIDES.end());
        format!("`{text}` is not a size, such as 400x225; each side is from {least} to {most}")
    })
}

/// Parses `NAME` or `NAME@TICK`.
fn why_target(text: &str) -> Result<WhyTarget, String> {
    let Some((name, tick)) = text.rsplit_once('@') else {
        return Ok(WhyTarget { name: text.into(), tick: None });
    };
    match tick.parse() {
        Ok(0) => Err("tick 0 is the start, before anything has moved; use 1 or more".into()),
        Ok(tick) => Ok(WhyTarget { name: name.into(), tick: Some(tick) }),
        Err(_) => Err(format!("`{tick}` is not a tick; write NAME or NAME@TICK")),
    }
}
