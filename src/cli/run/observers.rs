//! The outputs of `run`: trace, explanations, GIF, PNG, profile, script errors and a progress bar.

use super::*;
use hangtime_core::sim::EntityId;
use hangtime_core::sim::why::Watch;
use hangtime_draw::DEFAULT_SIZE;
use hangtime_game::StepReport;
use hangtime_game::files::check_distinct;
use hangtime_play::{
    Film, FilmOptions, RunRecorder, RunScreen, Trace, TraceOptions, WhyWriter, flame_graph, profile_json,
    profile_table, write_png,
};
use hangtime_script::Tally;
use indicatif::ProgressBar;
use std::io::BufWriter;

/// The entities to watch, so that their motion can be explained.
pub fn watched(arguments: &RunArguments) -> Watch {
    if arguments.trace_why && arguments.trace_only.is_empty() {
        return Watch::All;
    }
    let traced = arguments.trace_only.iter().filter(|_| arguments.trace_why);
    let asked = arguments.why.iter().map(|target| &target.name);
    let names: Vec<Arc<str>> = traced.chain(asked).map(|name| (**name).into()).collect();
    // Sweeps are recorded only for watched entities.
    let sweeps = arguments.overlays.is_some_and(|all| all.has(Overlay::Sweeps));
    match (names.is_empty(), sweeps) {
        (false, _) => Watch::Named(names),
        (true, true) => Watch::All,
        (true, false) => Watch::Off,
    }
}

/// All outputs that were asked for.
pub struct RunObservers<'a> {
    arguments: &'a RunArguments,
    trace: Option<Trace>,
    why: Option<WhyWriter>,
    film: Option<Film>,
    recording: Option<RunRecorder>,
    /// The writer of the picture, which is drawn at the end.
    png: Option<Out>,
    /// What the picture shows, if there are overlays in it.
    screen: Option<RunScreen>,
    /// The writers of the profile and the flame graph.
    profile: Option<Out>,
    flame: Option<Out>,
    /// The files of these outputs, which get their names when all of them are complete.
    files: Vec<OutputFile>,
    faults: FaultPrinter,
    progress: Option<RunProgress>,
    interrupt: Interrupt,
}

impl<'a> RunObservers<'a> {
    /// Creates all outputs of a run of `ticks` ticks with the input of `track` in the game folder `root`.
    pub fn new(
        root: &Path,
        arguments: &'a RunArguments,
        live: &Live,
        track: &Track,
        ticks: u64,
    ) -> Result<Self, Error> {
        let interrupt = Interrupt::watch();
        let prints_trace = arguments.trace.as_deref() == Some("-");
        if prints_trace && arguments.profile.as_deref() == Some("") {
            let message = "prints to stdout, as `--trace -` does; write the profile to a file: --profile=FILE";
            return Err(refused("--profile", message));
        }
        let file = |path: &Option<String>, none| path.as_ref().filter(|path| *path != none).map(PathBuf::from);
        let (trace, profile) = (file(&arguments.trace, "-"), file(&arguments.profile, ""));
        let RunArguments { gif, png, record, flame, .. } = arguments;
        let paths = [gif, png, record, flame, &trace, &profile];
        check_distinct(paths.into_iter().flatten().map(PathBuf::as_path))?;
        let mut files = Vec::new();
        let mut start = |path: &Option<PathBuf>, kind| -> Result<Option<Out>, Error> {
            let (file, out) = create(root, path.as_ref(), kind)?.unzip();
            files.extend(file);
            Ok(out)
        };
        let overlays = arguments.overlays.unwrap_or_default();
        let film = match (gif, start(gif, OutputKind::Gif)?) {
            (Some(path), Some(out)) => {
                let options = FilmOptions { fps: arguments.gif_fps, size: arguments.gif_size, overlays };
                Some(Film::new(out, live, options).map_err(|source| not_written(path, source))?)
            }
            _ => None,
        };
        let png = start(png, OutputKind::Png)?;
        let recording = start(record, OutputKind::Recording)?;
        let (profile, flame) = (start(&profile, OutputKind::Profile)?, start(flame, OutputKind::Svg)?);
        let trace = match prints_trace {
            true => Some(Box::new(BufWriter::new(io::stdout())) as Out),
            false => start(&trace, OutputKind::Trace)?,
        };
        for name in &arguments.trace_only {
            warn_of_unknown("--trace-only", name, live);
        }
        let options =
            TraceOptions { only: arguments.trace_only.clone(), every: arguments.trace_every, why: arguments.trace_why };
        Ok(Self {
            trace: trace.map(|out| Trace::new(out, options)),
            why: why(arguments, live),
            film,
            recording: recording.map(|out| RunRecorder::new(out, track.clone())),
            // A picture with overlays needs the screen from the first tick on.
            screen: (png.is_some() && overlays != Overlays::NONE).then(|| RunScreen::new(overlays, DEFAULT_SIZE)),
            png,
            profile,
            flame,
            files,
            faults: FaultPrinter::default(),
            progress: progress_bar(ticks, LONG_RUN, "{bar:40} {pos}/{len} ticks, {per_sec}, {eta} left")
                .map(RunProgress),
            interrupt,
            arguments,
        })
    }

    /// The active observers: script errors first, then the recording, so that it has every tick that was made even if
    /// another output fails. The interrupt is the last one, so that an interrupted run has recorded whole ticks.
    pub fn all(&mut self) -> Vec<&mut dyn Observer> {
        fn active<O: Observer>(observer: &mut Option<O>) -> Option<&mut dyn Observer> {
            observer.as_mut().map(|observer| observer as _)
        }
        let all = [
            Some(&mut self.faults as _),
            active(&mut self.recording),
            active(&mut self.trace),
            active(&mut self.why),
            active(&mut self.film),
            active(&mut self.screen),
            active(&mut self.progress),
            Some(&mut self.interrupt as _),
        ];
        all.into_iter().flatten().collect()
    }

    /// Prints the number of repeated script errors and returns whether there were any.
    pub fn report_faults(&self) -> bool {
        self.faults.report()
    }

    /// Completes all outputs. Returns the first error; the file of an output that cannot be
    /// written stays as it was.
    pub fn finish(self, live: &Live) -> io::Result<()> {
        if let Some(progress) = self.progress {
            progress.0.finish_and_clear();
        }
        let png = |mut out: Out| {
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
            write_profile(self.arguments, live, self.profile, self.flame),
        ];
        warn_of_late_ticks(self.arguments, live.world().ticks());
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

/// The output of `--why`, on stdout.
fn why(arguments: &RunArguments, live: &Live) -> Option<WhyWriter> {
    for WhyTarget { name, .. } in &arguments.why {
        warn_of_unknown("--why", name, live);
    }
    let writer = || WhyWriter::new(Box::new(BufWriter::new(io::stdout())), arguments.why.clone());
    (!arguments.why.is_empty()).then(writer)
}

/// Prints or writes where the time of the ticks went.
fn write_profile(arguments: &RunArguments, live: &Live, json: Option<Out>, flame: Option<Out>) -> io::Result<()> {
    let profile = live.profile().unwrap_or_default();
    let level = &*live.revision().stage.level.name;
    if arguments.profile.as_deref() == Some("") {
        say(profile_table(&profile).trim_end());
    }
    if let Some(mut out) = json {
        let text = profile_json(level, &profile).map_err(io::Error::other)?;
        writeln!(out, "{}", printable_json(&text))?;
        out.flush()?;
    }
    if let Some(mut out) = flame {
        out.write_all(flame_graph(level, &profile)?.as_bytes())?;
        out.flush()?;
    }
    Ok(())
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
    if names.iter().all(|known| **known != *name) {
        let hint = nearest(name, names.iter().map(|known| &**known))
            .map(|right| format!("; did you mean `{right}`?"))
            .unwrap_or_default();
        tell(format_args!("warning: {option} {name}: no such entity when the level starts{hint}"));
    }
}

/// Prints script errors: the first one at each place as it happens. The others are only counted.
#[derive(Default)]
pub struct FaultPrinter(Tally);

impl Observer for FaultPrinter {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        let StepReport { printed, faults, disabled, unshown } = live.report();
        for line in &printed.lines {
            tell(line);
        }
        if printed.left_out > 0 {
            tell(format_args!("and {}", counted_lines(printed.left_out)));
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

fn counted_lines(count: u64) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} more line{plural} that scripts printed in this tick")
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

/// The progress bar of a long run.
struct RunProgress(ProgressBar);

/// Runs with fewer ticks end before a progress bar can be read.
const LONG_RUN: u64 = 100_000;

impl Observer for RunProgress {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        if live.world().ticks().is_multiple_of(1024) {
            self.0.set_position(live.world().ticks());
        }
        Ok(())
    }
}
