//! `run`: a level without a window, as fast as it goes.

use super::{FOUND, GOOD, UNUSABLE, color_on_stderr, project, setting, unusable};
use crate::playtest::{
    self, FILM_FPS, Film, Observer, Trace, TraceOptions, Why, WhyAsked, write_png,
};
use crate::project::{InputScript, Live, Project, Revision, files};
use crate::script::host::names::nearest;
use crate::script::host::{Diagnostic, Settings, Tally, render_all};
use crate::sim::EntityId;
use crate::sim::why::Watch;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Ticks of a run that has neither `--ticks` nor input nor demo.
const DEFAULT_TICKS: u64 = 600;

/// Arguments of `run`.
#[derive(Args)]
pub struct RunArguments {
    /// The level; without it the one that the input file names
    #[arg(required_unless_present = "input")]
    level: Option<String>,
    /// How many ticks; without it as long as the input, else the level's demo, else 600
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// What players do; without it the level's demo
    #[arg(long, value_name = "FILE")]
    input: Option<String>,
    /// Write what happens as JSON lines; `-` is stdout
    #[arg(long, value_name = "FILE")]
    trace: Option<String>,
    /// Show only this entity in the trace; may be given several times
    #[arg(long, value_name = "NAME")]
    trace_only: Vec<String>,
    /// Write a line of the trace every N ticks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    trace_every: u64,
    /// Tell in the trace, too, what moved each entity: phases, rules and what was refused
    #[arg(long, requires = "trace")]
    trace_why: bool,
    /// Print what moved this entity, in ticks with more than plain motion or in one tick; may be given
    /// several times
    #[arg(long, value_name = "NAME[@TICK]", value_parser = WhyAsked::parse)]
    why: Vec<WhyAsked>,
    /// Film the run
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Frames a second of the film; fewer make a smaller file
    #[arg(long, value_name = "N", default_value_t = FILM_FPS,
          value_parser = clap::value_parser!(u16).range(1..=50))]
    gif_fps: u16,
    /// Picture the last tick
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Lay a setting over the files, such as platformer.jump_speed=600; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Exit with 1 if a script fails
    #[arg(long)]
    strict: bool,
    /// From which all randomness follows
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Runs the command.
pub fn run(root: PathBuf, arguments: &RunArguments) -> u8 {
    match prepare(root, arguments) {
        Ok(prepared) => prepared.run(arguments),
        Err(wrong) => unusable(&wrong),
    }
}

struct Prepared {
    live: Live,
    input: Option<InputScript>,
}

fn prepare(root: PathBuf, arguments: &RunArguments) -> Result<Prepared, Vec<Diagnostic>> {
    let one = |wrong: Diagnostic| vec![wrong];
    let project = project(root).map_err(one)?;
    let input = match &arguments.input {
        Some(name) => {
            let text = files::read(project.root(), name).map_err(one)?;
            Some(InputScript::parse(&text)?)
        }
        None => None,
    };
    let level = level(&project, arguments, input.as_ref()).map_err(one)?;
    // The command line comes after the input file's own settings, and so wins.
    let mut settings: Settings = input.as_ref().map_or_else(Vec::new, |i| i.settings.clone());
    settings.extend(arguments.set.iter().cloned());
    let mut revision = project.open(&level, &settings)?;
    if input.is_none()
        && let Some(demo) = revision
            .demo
            .clone()
            .filter(|demo| !demo.settings.is_empty())
    {
        let settings: Settings = demo.settings.into_iter().chain(settings).collect();
        revision = project.open(&level, &settings)?;
    }
    warn(&revision);
    let input = input.or_else(|| revision.demo.clone());
    let seed = arguments
        .seed
        .or(input.as_ref().and_then(|i| i.seed))
        .unwrap_or(0);
    Ok(Prepared {
        live: Live::new(Arc::new(revision), seed),
        input,
    })
}

/// The level that the command line names, else the one that the input file does: beside it, or as
/// the command line would.
fn level(
    project: &Project,
    arguments: &RunArguments,
    input: Option<&InputScript>,
) -> Result<PathBuf, Diagnostic> {
    if let Some(name) = &arguments.level {
        return project.find_level(name);
    }
    let file = arguments.input.as_deref().unwrap_or_default();
    let Some(name) = input.and_then(|i| i.level.as_deref()) else {
        let why = "names no level; put a line `level gap.toml` before its first, or name one here";
        return Err(Diagnostic::about_file(file, why));
    };
    let beside = Path::new(file).with_file_name(name);
    let beside = beside.display().to_string();
    files::find(project.root(), &beside).or_else(|_| project.find_level(name))
}

fn warn(revision: &Revision) {
    if !revision.warnings.is_empty() {
        eprintln!("{}", render_all(&revision.warnings, color_on_stderr()));
    }
}

impl Prepared {
    fn run(mut self, arguments: &RunArguments) -> u8 {
        let hz = self.live.revision().stage.hz;
        let track = self
            .input
            .as_ref()
            .map(|input| input.track(hz))
            .unwrap_or_default();
        let length = self
            .input
            .as_ref()
            .map_or(DEFAULT_TICKS, |_| track.length());
        let ticks = arguments.ticks.unwrap_or(length);
        let mut watchers = match Watchers::new(arguments, &self.live, ticks) {
            Ok(watchers) => watchers,
            Err(wrong) => return unusable(&[wrong]),
        };
        self.live.watch(watched(arguments));
        let started = Instant::now();
        let mut result = playtest::run(&mut self.live, &track, ticks, &mut watchers.all());
        let seconds = started.elapsed().as_secs_f64();
        let failed = watchers.faults.report(&mut self.live);
        result = result.and_then(|()| watchers.finish(arguments, &self.live));
        if let Err(e) = result
            && e.kind() != io::ErrorKind::BrokenPipe
        {
            eprintln!("error: the run cannot be written down: {e}");
            return UNUSABLE;
        }
        // A reader that went away has ended the run early.
        let ticks = self.live.world().ticks();
        let rate = if seconds > 0.0 {
            ticks as f64 / seconds
        } else {
            0.0
        };
        eprintln!(
            "{ticks} ticks, {rate:.0} ticks/s, hash {:016x}",
            self.live.world().hash()
        );
        if failed && arguments.strict {
            FOUND
        } else {
            GOOD
        }
    }
}

/// Who is watched, so that it can be told why they move.
fn watched(arguments: &RunArguments) -> Watch {
    if arguments.trace_why && arguments.trace_only.is_empty() {
        return Watch::All;
    }
    let traced = arguments.trace_only.iter().filter(|_| arguments.trace_why);
    let asked = arguments.why.iter().map(|asked| &asked.name);
    let names: Vec<Arc<str>> = traced.chain(asked).map(|name| (**name).into()).collect();
    if names.is_empty() {
        Watch::Off
    } else {
        Watch::Named(names)
    }
}

/// Everything that looks at the run.
struct Watchers {
    trace: Option<Trace>,
    why: Option<Why>,
    film: Option<Film>,
    faults: Faults,
    bar: Option<Bar>,
}

impl Watchers {
    fn new(arguments: &RunArguments, live: &Live, ticks: u64) -> Result<Self, Diagnostic> {
        let trace = match arguments.trace.as_deref() {
            None => None,
            Some(name) => {
                let out: Box<dyn Write + Send> = if name == "-" {
                    Box::new(io::BufWriter::new(io::stdout()))
                } else {
                    files::create(name.as_ref())?
                };
                for name in &arguments.trace_only {
                    warn_empty("--trace-only", name, live);
                }
                let options = TraceOptions {
                    only: arguments.trace_only.clone(),
                    every: arguments.trace_every,
                    why: arguments.trace_why,
                };
                Some(Trace::new(out, options))
            }
        };
        let film = match &arguments.gif {
            None => None,
            Some(path) => Some(
                Film::new(files::create(path)?, live, arguments.gif_fps).map_err(|e| {
                    Diagnostic::about_file(
                        path.display().to_string(),
                        format!("cannot be written: {e}"),
                    )
                })?,
            ),
        };
        if let Some(path) = &arguments.png {
            // Better now than after the run.
            files::create(path)?;
        }
        Ok(Self {
            trace,
            why: why(arguments, live),
            film,
            faults: Faults::default(),
            bar: Bar::new(ticks),
        })
    }

    fn all(&mut self) -> Vec<&mut dyn Observer> {
        let mut all: Vec<&mut dyn Observer> = vec![&mut self.faults];
        all.extend(self.trace.as_mut().map(|w| w as &mut dyn Observer));
        all.extend(self.why.as_mut().map(|w| w as &mut dyn Observer));
        all.extend(self.film.as_mut().map(|w| w as &mut dyn Observer));
        all.extend(self.bar.as_mut().map(|w| w as &mut dyn Observer));
        all
    }

    fn finish(self, arguments: &RunArguments, live: &Live) -> io::Result<()> {
        if let Some(bar) = self.bar {
            bar.0.finish_and_clear();
        }
        if let Some(trace) = self.trace {
            trace.finish()?;
        }
        if let Some(why) = self.why {
            why.finish()?;
            warn_of_later(arguments, live.world().ticks());
        }
        if let Some(film) = self.film {
            film.finish()?;
        }
        if let Some(path) = &arguments.png {
            let mut out = files::create(path).map_err(|d| io::Error::other(d.message))?;
            write_png(live, &mut out)?;
            out.flush()?;
        }
        Ok(())
    }
}

/// The text of `--why`, on stdout.
fn why(arguments: &RunArguments, live: &Live) -> Option<Why> {
    if arguments.why.is_empty() {
        return None;
    }
    for WhyAsked { name, .. } in &arguments.why {
        warn_empty("--why", name, live);
    }
    let out = Box::new(io::BufWriter::new(io::stdout()));
    Some(Why::new(out, arguments.why.clone()))
}

/// Whoever asks about a tick that was not played would otherwise take silence for an answer.
fn warn_of_later(arguments: &RunArguments, ticks: u64) {
    for WhyAsked { name, tick } in &arguments.why {
        if let Some(tick) = tick.filter(|tick| *tick > ticks) {
            eprintln!(
                "warning: --why {name}@{tick}: the run ends with tick {ticks}; --ticks {tick} plays on to it"
            );
        }
    }
}

/// Who is not there at the start may come later.
fn warn_empty(option: &str, name: &str, live: &Live) {
    let mut names: Vec<Arc<str>> = live.views().map(|view| view.name).collect();
    // The level is born like an entity, if it has a script.
    let births = live.world().events().iter();
    names.extend(
        births
            .filter(|e| e.entity == EntityId::LEVEL)
            .map(|e| e.name.clone()),
    );
    if names.iter().any(|known| **known == *name) {
        return;
    }
    let hint = nearest(name, names.iter().map(|known| &**known))
        .map_or_else(String::new, |right| format!("; did you mean `{right}`?"));
    eprintln!("warning: {option} {name}: no such entity at the start{hint}");
}

/// Script errors: the first at each place is told when it happens, the others are counted.
#[derive(Default)]
struct Faults(Tally);

impl Observer for Faults {
    fn see(&mut self, live: &mut Live) -> io::Result<()> {
        for line in live.take_printed() {
            eprintln!("{line}");
        }
        for fault in live.take_faults() {
            if self.0.count(&fault) {
                eprintln!("{}", fault.render(color_on_stderr()));
            }
        }
        for line in live.silenced() {
            eprintln!("warning: {line}");
        }
        Ok(())
    }
}

impl Faults {
    /// Says how often each repeated one happened; whether there were any.
    fn report(&mut self, live: &mut Live) -> bool {
        let _ = self.see(live);
        for (fault, count) in self.0.iter().filter(|(_, count)| *count > 1) {
            eprintln!("{} ({count} times)", fault.diagnostic.headline());
        }
        !self.0.is_empty()
    }
}

/// A progress bar, on a terminal and for runs that last.
struct Bar(ProgressBar);

/// Runs shorter than this are over before a bar can be read.
const LONG: u64 = 100_000;

impl Bar {
    fn new(ticks: u64) -> Option<Self> {
        if ticks < LONG || !io::stderr().is_terminal() {
            return None;
        }
        let style =
            ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {per_sec}, {eta} left");
        Some(Self(ProgressBar::new(ticks).with_style(style.ok()?)))
    }
}

impl Observer for Bar {
    fn see(&mut self, live: &mut Live) -> io::Result<()> {
        if live.world().ticks().is_multiple_of(1024) {
            self.0.set_position(live.world().ticks());
        }
        Ok(())
    }
}
