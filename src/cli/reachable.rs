//! `reachable`: what the player of a level can reach, with the keys that lead there.

use super::*;
use hangtime_game::{Variants, files, files::game_hash};
use hangtime_play::{
    GoalKind, ReachAnswer, ReachGoal, ReachOrder, ReachSearch, SearchOrigin, certificate, fixes, reach_json, reach_map,
    reach_text, write_pixels,
};
use std::{collections::BTreeSet, io::Write as _};

/// Arguments of `reachable`.
#[derive(Args)]
pub struct ReachableArguments {
    /// Level to search
    level: String,
    /// Zone, entity, solid, or level that a script plays, that has to be reached; can be repeated. The search ends once
    /// all are, and the exit code is 1 if one is not
    #[arg(long, value_name = "NAME")]
    must: Vec<String>,
    /// Entity that moves [default: the first player's]
    #[arg(long, value_name = "NAME")]
    entity: Option<String>,
    /// Also press this action in the air; can be repeated
    #[arg(long, value_name = "ACTION")]
    press: Vec<String>,
    /// Number of ticks that are played at most
    #[arg(long, value_name = "TICKS", default_value_t = BUDGET, allow_negative_numbers = true,
          value_parser = whole::<u64>(1, u64::MAX))]
    budget: u64,
    /// Write an input file into this folder for everything that is reached; `run --input` plays it
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
    /// Continue the search in this file, if it exists, and write it there where it ends: at the budget, or at Ctrl-C
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Draw the level with the paths that were found, what is reached, and where the rest is missed
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t = ReachFormat::Table)]
    format: ReachFormat,
    /// Override a setting, such as platformer.jump_speed=600; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true,
          value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Number of threads [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u16>(1, 1024))]
    jobs: Option<u16>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum ReachFormat {
    /// A table, then what was tried
    Table,
    /// One JSON object
    Json,
}

/// The ticks that are played at most, without `--budget`.
const BUDGET: u64 = 2_000_000;

/// How many ticks are played between two looks at the progress bar.
const TICKS_AT_ONCE: u64 = 20_000;

/// Runs the command and returns the exit code.
pub fn reachable(folder: GameFolder, arguments: &ReachableArguments) -> Exit {
    let project = Project::load(folder)?;
    let level = project.find_level(&arguments.level)?;
    let variants = Variants::read(project.folder(), &level)?;
    let revision = Arc::new(variants.build(&arguments.set)?);
    warn(&revision.warnings);
    let mut png = create(project.root(), arguments.png.as_ref(), OutputKind::Png)?;
    let live = Live::new(revision.clone(), arguments.seed);
    let order =
        ReachOrder { entity: arguments.entity.clone(), must: arguments.must.clone(), presses: arguments.press.clone() };
    let mut search =
        ReachSearch::new(revision, live.world(), &order).map_err(|message| refused(&arguments.level, message))?;
    let origin = SearchOrigin {
        version: env!("CARGO_PKG_VERSION").into(),
        level: arguments.level.clone(),
        files: game_hash(project.folder()),
        settings: arguments.set.clone(),
        seed: arguments.seed,
        entity: arguments.entity.clone(),
        must: arguments.must.clone(),
        presses: arguments.press.clone(),
    };
    if let Some(path) = &arguments.resume {
        continue_from(&mut search, project.folder(), path, &origin)?;
        // A file that cannot be written is known before the search.
        OutputFile::create(project.root(), path, OutputKind::Search)?;
    }
    let end = search.ticks().saturating_add(arguments.budget);
    let before = search.ticks();
    let interrupt = Interrupt::watch();
    let stopped = move || interrupt.arrived();
    let threads = job_count(arguments.jobs);
    let progress = progress_bar(arguments.budget, 0, "{bar:40} {pos}/{len} ticks, {per_sec}");
    while search.ticks() < end && !search.is_done() && !stopped() {
        search.advance(TICKS_AT_ONCE.min(end - search.ticks()), threads, &stopped);
        progress.iter().for_each(|bar| bar.set_position(search.ticks() - before));
    }
    progress.iter().for_each(ProgressBar::finish_and_clear);
    if let Some(fault) = search.fault() {
        tell_rendered(&fault.render(color_on_stderr()));
    }
    if let Some(path) = &arguments.resume {
        OutputFile::write_text(project.root(), path, OutputKind::Search, &search.saved(&origin))?;
    }
    let fixes = fixes(&search, &variants, threads, &stopped);
    match arguments.format {
        ReachFormat::Table => say(reach_text(&search, &fixes)),
        ReachFormat::Json => say_json(&reach_json(&search, &fixes)),
    }
    if let Some((file, mut out)) = png.take() {
        let written = write_pixels(&reach_map(&search, &live), &mut out).and_then(|()| out.flush());
        written.map_err(|source| file.write_error(source))?;
        drop(out);
        complete(file).map_err(|source| not_written(arguments.png.as_deref().unwrap_or(Path::new("")), source))?;
    }
    let proven = prove(&project, &search, arguments)?;
    if stopped() {
        tell(format_args!("interrupted after {} ticks", search.ticks()));
        return Ok(INTERRUPTED);
    }
    let missing: Vec<&str> = search.missing().collect();
    for name in &missing {
        tell(format_args!("error: `{}` is not reached", printable_name(name)));
    }
    Ok(if missing.is_empty() && proven { SUCCESS } else { PROBLEMS_FOUND })
}

/// Continues a search where a file ends, if it exists.
fn continue_from(
    search: &mut ReachSearch,
    folder: &GameFolder,
    path: &Path,
    origin: &SearchOrigin,
) -> Result<(), Error> {
    let name = path.display().to_string();
    let place = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let file = match files::read_output(folder, &place.to_string_lossy()) {
        Err(Error::NoSuchFile { .. }) => return Ok(()),
        file => file?,
    };
    search.resume(&file.text, origin).map_err(|reason| refused(&name, reason))?;
    tell(format_args!("continuing {name} after {} ticks", search.ticks()));
    Ok(())
}

/// Plays the keys to everything that is reached once more, from the start of the level, and writes them. False if some
/// lead elsewhere.
fn prove(project: &Project, search: &ReachSearch, arguments: &ReachableArguments) -> Result<bool, Error> {
    let mut names = BTreeSet::new();
    let mut proven = true;
    let reached = search.answers().filter(|(_, answer, _)| matches!(answer, ReachAnswer::Yes { .. }));
    let goals: Vec<&ReachGoal> = reached.map(|(goal, ..)| goal).collect();
    for goal in &goals {
        if !search.way(goal).is_some_and(|way| search.proves(&way, goal)) {
            let name = printable_name(&goal.name);
            tell(format_args!("error: the keys to `{name}` do not lead there again; please report this bug"));
            proven = false;
        }
        if let (Some(folder), Some(text)) = (&arguments.certificates, certificate(search, goal, arguments.seed)) {
            let name = file_name(goal, &mut names);
            OutputFile::write_into(project.root(), folder, &name, OutputKind::Certificate, &text)?;
        }
    }
    if let Some(folder) = &arguments.certificates {
        tell(format_args!("wrote {} to {}", counted(goals.len(), "input file"), folder.display()));
    }
    Ok(proven)
}

/// A file name for a goal that no other one has.
fn file_name(goal: &ReachGoal, taken: &mut BTreeSet<String>) -> String {
    let letters = goal.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' });
    let letters: String = letters.take(60).collect();
    let kind = if goal.kind == GoalKind::Zone {
        String::new()
    } else {
        format!("{}-", goal.kind.name())
    };
    let name = |number: usize| match number {
        1 => format!("{kind}{letters}.input"),
        number => format!("{kind}{letters}-{number}.input"),
    };
    let free = (1..).map(name).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}
