//! The outputs of `run`: trace, explanations, GIF, PNG, script errors and a progress bar.

use super::interrupt::Interrupt;
use super::output::color_on_stderr;
use super::run_options::RunArguments;
use super::run_profile::{RunProfile, json_file};
use hangtime_core::sim::EntityId;
use hangtime_core::sim::why::Watch;
use hangtime_draw::{DEFAULT_SIZE, Overlay, Overlays};
use hangtime_game::files::{OutputFile, OutputKind, check_distinct};
use hangtime_game::terminal::{tell, tell_rendered};
use hangtime_game::{Error, Live, StepReport, Track};
use hangtime_play::{
    Film, FilmOptions, Observer, RunRecorder, RunScreen, Trace, TraceOptions, WhyTarget, WhyWriter, write_png,
};
use hangtime_script::Tally;
use hangtime_script::names::nearest;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The entities to watch, so that their motion can be explained.
pub(super) fn watched(arguments: &RunArguments) -> Watch {
    if arguments.trace_why && arguments.trace_only.is_empty() {
        return Watch::All;
    }
    let traced = arguments.trace_only.iter().filter(|_| arguments.trace_why);
    let asked = arguments.why.iter().map(|target| &target.name);
    let names: Vec<Arc<str>> = traced.chain(asked).map(|name| (**name).into()).collect();
    if names.is_empty() {
        // Sweeps are recorded only for watched entities.
        let sweeps = arguments.overlays.is_some_and(|all| all.has(Overlay::Sweeps));
        if sweeps { Watch::All } else { Watch::Off }
    } else {
        Watch::Named(names)
    }
}

/// All outputs that were asked for.
pub(super) struct RunObservers {
    trace: Option<Trace>,
    why: Option<WhyWriter>,
    film: Option<Film>,
    recording: Option<RunRecorder>,
    /// The writer of the picture, which is drawn at the end.
    png: Option<Box<dyn Write + Send>>,
    /// What the picture shows, if there are overlays in it.
    screen: Option<RunScreen>,
    profile: Option<RunProfile>,
    /// The files of these outputs, which get their names when all of them are complete.
    files: Vec<OutputFile>,
    faults: FaultPrinter,
    progress: Option<RunProgress>,
    interrupt: Interrupt,
}

impl RunObservers {
    /// Creates all outputs of a run of `ticks` ticks with the input of `track` in the game folder `root`.
    pub fn new(
        root: &Path,
        arguments: &RunArguments,
        live: &Live,
        (track, ticks): (&Track, u64),
    ) -> Result<Self, Error> {
        let interrupt = Interrupt::watch();
        let trace = arguments.trace.as_deref().filter(|name| *name != "-");
        let (gif, png) = (&arguments.gif, &arguments.png);
        let paths = [gif, png, &arguments.record, &arguments.flame];
        let paths = paths.into_iter().flatten().map(PathBuf::as_path);
        check_distinct(paths.chain(trace.map(Path::new)).chain(json_file(arguments)))?;
        let mut files = Vec::new();
        let mut create = |path: &Path, kind| -> Result<Box<dyn Write + Send>, Error> {
            let (file, out) = OutputFile::create(root, path, kind)?;
            files.push(file);
            Ok(out)
        };
        let film = match &arguments.gif {
            None => None,
            Some(path) => {
                let out = create(path, OutputKind::Gif)?;
                Some(film(path, out, live, arguments)?)
            }
        };
        let png = match &arguments.png {
            None => None,
            Some(path) => Some(create(path, OutputKind::Png)?),
        };
        let recording = match &arguments.record {
            None => None,
            Some(path) => Some(create(path, OutputKind::Recording)?),
        };
        let profile = RunProfile::new(arguments, &mut create)?;
        let trace: Option<Box<dyn Write + Send>> = match arguments.trace.as_deref() {
            None => None,
            Some("-") => Some(Box::new(io::BufWriter::new(io::stdout()))),
            Some(name) => Some(create(name.as_ref(), OutputKind::Trace)?),
        };
        Ok(Self {
            trace: trace.map(|out| trace_into(out, arguments, live)),
            why: why(arguments, live),
            film,
            recording: recording.map(|out| RunRecorder::new(out, track.clone())),
            screen: screen(arguments),
            profile,
            png,
            files,
            faults: FaultPrinter::default(),
            progress: RunProgress::new(ticks),
            interrupt,
        })
    }

    /// The active observers, script errors first.
    pub fn all(&mut self) -> Vec<&mut dyn Observer> {
        let mut all: Vec<&mut dyn Observer> = vec![&mut self.faults];
        // Before all that may fail, so that it has every tick that was made.
        all.extend(self.recording.as_mut().map(|w| w as &mut dyn Observer));
        all.extend(self.trace.as_mut().map(|w| w as &mut dyn Observer));
        all.extend(self.why.as_mut().map(|w| w as &mut dyn Observer));
        all.extend(self.film.as_mut().map(|w| w as &mut dyn Observer));
        all.extend(self.screen.as_mut().map(|w| w as &mut dyn Observer));
        all.extend(self.progress.as_mut().map(|w| w as &mut dyn Observer));
        // The last one, so that an interrupted run has recorded whole ticks.
        all.push(&mut self.interrupt);
        all
    }

    /// Prints the number of repeated script errors and returns whether there were any.
    pub fn report_faults(&self) -> bool {
        self.faults.report()
    }

    /// Completes all outputs. Returns the first error; the file of an output that cannot be
    /// written stays as it was.
    pub fn finish(self, arguments: &RunArguments, live: &Live) -> io::Result<()> {
        if let Some(progress) = self.progress {
            progress.0.finish_and_clear();
        }
        let png = |mut out: Box<dyn Write + Send>| {
            match &self.screen {
                Some(screen) => screen.write_png(live, &mut out)?,
                None => write_png(live, &mut out)?,
            }
            out.flush()
        };
        let written = [
            self.trace.map_or(Ok(()), Trace::finish),
            self.film.map_or(Ok(()), Film::finish),
            self.recording.map_or(Ok(()), |r| r.finish(live)),
            self.png.map_or(Ok(()), png),
            self.why.map_or(Ok(()), WhyWriter::finish),
            self.profile.map_or(Ok(()), |profile| profile.finish(live)),
        ];
        if !arguments.why.is_empty() {
            warn_of_late_ticks(arguments, live.world().ticks());
        }
        // A pipe whose reader is gone concerns no file.
        let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
        let failed = written.iter().any(|result| result.as_ref().is_err_and(|e| !broken(e)));
        if !failed {
            for file in self.files {
                let path = file.path().display().to_string();
                file.complete().map_err(io::Error::other)?;
                tell(format_args!("wrote {path}"));
            }
        }
        written.into_iter().find(Result::is_err).unwrap_or(Ok(()))
    }
}

fn trace_into(out: Box<dyn Write + Send>, arguments: &RunArguments, live: &Live) -> Trace {
    for name in &arguments.trace_only {
        warn_of_unknown("--trace-only", name, live);
    }
    let options =
        TraceOptions { only: arguments.trace_only.clone(), every: arguments.trace_every, why: arguments.trace_why };
    Trace::new(out, options)
}

/// The screen that a picture with overlays needs from the first tick on.
fn screen(arguments: &RunArguments) -> Option<RunScreen> {
    let overlays = arguments.overlays.filter(|_| arguments.png.is_some())?;
    (overlays != Overlays::NONE).then(|| RunScreen::new(overlays, DEFAULT_SIZE))
}

fn film(path: &Path, out: Box<dyn Write + Send>, live: &Live, arguments: &RunArguments) -> Result<Film, Error> {
    let overlays = arguments.overlays.unwrap_or_default();
    let options = FilmOptions { fps: arguments.gif_fps, size: arguments.gif_size, overlays };
    Film::new(out, live, options).map_err(|source| Error::Write { file: path.display().to_string(), source })
}

/// The output of `--why`, on stdout.
fn why(arguments: &RunArguments, live: &Live) -> Option<WhyWriter> {
    if arguments.why.is_empty() {
        return None;
    }
    for WhyTarget { name, .. } in &arguments.why {
        warn_of_unknown("--why", name, live);
    }
    let out = Box::new(io::BufWriter::new(io::stdout()));
    Some(WhyWriter::new(out, arguments.why.clone()))
}

/// Warns of `--why` ticks that the run did not reach: silence would look like an answer.
fn warn_of_late_ticks(arguments: &RunArguments, ticks: u64) {
    for WhyTarget { name, tick } in &arguments.why {
        if let Some(tick) = tick.filter(|tick| *tick > ticks) {
            tell(format_args!(
                "warning: --why {name}@{tick}: the run ends at tick {ticks}; add --ticks {tick} to reach it"
            ));
        }
    }
}

/// Warns of a name that no entity has at the start. It may still be spawned later.
fn warn_of_unknown(option: &str, name: &str, live: &Live) {
    let mut names: Vec<Arc<str>> = live.views().map(|view| view.name).collect();
    // A level with a script has a birth event, like an entity.
    let births = live.world().events().iter();
    names.extend(births.filter(|e| e.entity == EntityId::LEVEL).map(|e| e.name.clone()));
    if names.iter().any(|known| **known == *name) {
        return;
    }
    let hint = nearest(name, names.iter().map(|known| &**known))
        .map_or_else(String::new, |right| format!("; did you mean `{right}`?"));
    tell(format_args!("warning: {option} {name}: no such entity when the level starts{hint}"));
}

/// Prints script errors: the first one at each place as it happens. The others are only counted.
#[derive(Default)]
pub(super) struct FaultPrinter(Tally);

impl Observer for FaultPrinter {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let StepReport { printed, faults, disabled, unshown } = live.report();
        for line in &printed.lines {
            tell(line);
        }
        for fault in &faults.first {
            if self.0.count(fault) {
                tell_rendered(&fault.render(color_on_stderr()));
            }
        }
        self.0.leave_out(faults.left_out);
        for line in disabled.iter().chain(unshown) {
            tell(format_args!("warning: {line}"));
        }
        Ok(())
    }
}

impl FaultPrinter {
    /// Prints the number of repeated script errors and returns whether there were any.
    pub fn report(&self) -> bool {
        for (fault, count) in self.0.iter().filter(|(_, count)| *count > 1) {
            tell(format_args!("{} ({count} times)", fault.diagnostic.headline()));
        }
        if let Some(more) = self.0.left_out_text() {
            tell(more);
        }
        !self.0.is_empty()
    }
}

/// A progress bar, shown on a terminal for long runs.
struct RunProgress(ProgressBar);

/// Runs with fewer ticks end before a progress bar can be read.
const LONG_RUN: u64 = 100_000;

impl RunProgress {
    fn new(ticks: u64) -> Option<Self> {
        if ticks < LONG_RUN || !io::stderr().is_terminal() {
            return None;
        }
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} ticks, {per_sec}, {eta} left");
        Some(Self(ProgressBar::new(ticks).with_style(style.ok()?)))
    }
}

impl Observer for RunProgress {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        if live.world().ticks().is_multiple_of(1024) {
            self.0.set_position(live.world().ticks());
        }
        Ok(())
    }
}
