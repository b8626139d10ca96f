//! What `run` and `replay` show of a game: trace, explanations, GIF, PNG, profile, script errors and a progress bar.

use super::*;
use hangtime_core::sim::{EntityId, why::Watch};
use hangtime_draw::{Overlay, Overlays};
use hangtime_game::StepReport;
use hangtime_play::{
    FILM_FPS, FILM_SIDES, RunMoment, RunPicture, RunRecorder, Trace, TraceOptions, WhyTarget, WhyWriter, flame_graph,
    profile_json, profile_table,
};
use hangtime_script::Tally;
use std::io::BufWriter;

/// The options that choose what is shown of a game that plays without a window.
#[derive(Args)]
pub struct ShownArguments {
    /// Write a trace of every tick as JSON Lines; `-` is stdout
    #[arg(long, value_name = "FILE")]
    trace: Option<String>,
    /// Trace only this entity; can be repeated
    #[arg(long, value_name = "NAME")]
    trace_only: Vec<String>,
    /// Trace only every Nth tick
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = whole::<u64>(1, u64::MAX))]
    trace_every: u64,
    /// Add to the trace why each entity moved: phases, rules and refusals
    #[arg(long, requires = "trace")]
    trace_why: bool,
    /// Print why this entity moved, at one tick or at every tick with more than plain motion; can be
    /// repeated
    #[arg(long, value_name = "NAME[@TICK]", value_parser = WhyTarget::parse)]
    why: Vec<WhyTarget>,
    /// Save what is played as a GIF
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Frames per second of the GIF; fewer frames make a smaller file
    #[arg(long, value_name = "N", default_value_t = FILM_FPS, allow_negative_numbers = true,
          value_parser = whole::<u16>(1, 50))]
    gif_fps: u16,
    /// Size of the GIF in pixels; a smaller one shows less of the level
    #[arg(long, value_name = "WxH", default_value = "640x360", value_parser = film_size)]
    gif_size: (u32, u32),
    /// Save the last tick as a PNG
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Save another tick as the PNG: `apex`, where the first player's body is highest in the air, `landing`, where it lands
    /// after that, or the number of a tick
    #[arg(long, visible_alias = "tick", value_name = "MOMENT", requires = "png", value_parser = RunMoment::parse)]
    at: Option<RunMoment>,
    /// Show overlays in the GIF and the PNG: `all`, or names separated by commas, such as
    /// trail,velocity
    #[arg(long, value_name = "NAMES", value_parser = overlays)]
    overlays: Option<Overlays>,
}

impl ShownArguments {
    /// Whether the trace is printed on stdout.
    pub fn prints_trace(&self) -> bool {
        self.trace.as_deref() == Some("-")
    }

    /// The entities to watch, so that their motion can be explained.
    pub fn watched(&self) -> Watch {
        if self.trace_why && self.trace_only.is_empty() {
            return Watch::All;
        }
        let traced = self.trace_only.iter().filter(|_| self.trace_why);
        let asked = self.why.iter().map(|target| &target.name);
        let names: Vec<Arc<str>> = traced.chain(asked).map(|name| (**name).into()).collect();
        // Sweeps are recorded only for watched entities.
        let sweeps = self.overlays.is_some_and(|all| all.has(Overlay::Sweeps));
        match (names.is_empty(), sweeps) {
            (false, _) => Watch::Named(names),
            (true, true) => Watch::All,
            (true, false) => Watch::Off,
        }
    }

    /// Warns of `--why` ticks after the `end`, which were not reached: silence would look like an answer. `ends` says what
    /// ended there and what to do.
    pub fn warn_of_late_ticks(&self, end: u64, ends: impl Fn(u64) -> String) {
        for WhyTarget { name, tick } in &self.why {
            if let Some(tick) = tick.filter(|tick| *tick > end) {
                tell(format_args!("warning: --why {name}@{tick}: {}", ends(tick)));
            }
        }
    }
}

/// The outputs that only `run` has.
#[derive(Default)]
pub struct RunOnly<'a> {
    /// Where the run is recorded, and its input.
    pub recording: Option<(&'a PathBuf, &'a Track)>,
    /// The file of the profile; empty for stdout.
    pub profile: Option<&'a str>,
    /// The file of the flame graph.
    pub flame: Option<&'a PathBuf>,
}

/// All outputs that were asked for.
pub struct RunObservers {
    trace: Option<Trace>,
    why: Option<WhyWriter>,
    film: Option<Film>,
    recording: Option<RunRecorder>,
    png: Option<PngOutput>,
    /// Whether the profile is printed.
    prints_profile: bool,
    /// The writers of the profile and the flame graph.
    profile: Option<Out>,
    flame: Option<Out>,
    /// The files of these outputs, which get their names when all of them are complete.
    files: Vec<OutputFile>,
    faults: FaultPrinter,
    progress: Option<RunProgress>,
    interrupt: Interrupt,
}

impl RunObservers {
    /// Creates all outputs of a game of about `ticks` ticks in the game folder `root`.
    pub fn new(root: &Path, shown: &ShownArguments, run: &RunOnly<'_>, live: &Live, ticks: u64) -> Result<Self, Error> {
        let interrupt = Interrupt::watch();
        let prints_trace = shown.prints_trace();
        let prints_profile = run.profile == Some("");
        if prints_trace && prints_profile {
            let message = "prints to stdout, as `--trace -` does; write the profile to a file: --profile=FILE";
            return Err(refused("--profile", message));
        }
        let file = |path: Option<&str>, none| path.filter(|path| *path != none).map(PathBuf::from);
        let (trace, profile) = (file(shown.trace.as_deref(), "-"), file(run.profile, ""));
        let record = run.recording.map(|(path, _)| path);
        let paths = [shown.gif.as_ref(), shown.png.as_ref(), record, run.flame, trace.as_ref(), profile.as_ref()];
        check_distinct(paths.into_iter().flatten().map(PathBuf::as_path))?;
        let mut files = Vec::new();
        let mut start = |path: Option<&PathBuf>, kind| -> Result<Option<Out>, Error> {
            let (file, out) = create(root, path, kind)?.unzip();
            files.extend(file);
            Ok(out)
        };
        let overlays = shown.overlays.unwrap_or_default();
        let film = match (&shown.gif, start(shown.gif.as_ref(), OutputKind::Gif)?) {
            (Some(path), Some(out)) => {
                let options = FilmOptions { fps: shown.gif_fps, size: shown.gif_size, overlays };
                Some(Film::new(out, live, options).map_err(|source| not_written(path, source))?)
            }
            _ => None,
        };
        let png = start(shown.png.as_ref(), OutputKind::Png)?;
        let png = png.map(|out| PngOutput { picture: RunPicture::new(overlays, shown.at), out });
        let recording = start(record, OutputKind::Recording)?.zip(run.recording);
        let (profile, flame) = (start(profile.as_ref(), OutputKind::Profile)?, start(run.flame, OutputKind::Svg)?);
        let trace = if prints_trace {
            Some(Box::new(BufWriter::new(io::stdout())) as Out)
        } else {
            start(trace.as_ref(), OutputKind::Trace)?
        };
        for name in &shown.trace_only {
            warn_of_unknown("--trace-only", name, live);
        }
        let options = TraceOptions { only: shown.trace_only.clone(), every: shown.trace_every, why: shown.trace_why };
        Ok(Self {
            trace: trace.map(|out| Trace::new(out, options)),
            why: why(shown, live),
            film,
            recording: recording.map(|(out, (_, track))| RunRecorder::new(out, track.clone())),
            png,
            prints_profile,
            profile,
            flame,
            files,
            faults: FaultPrinter::default(),
            progress: progress_bar(ticks, LONG_RUN, "{bar:40} {pos}/{len} ticks, {per_sec}, {eta} left")
                .map(RunProgress),
            interrupt,
        })
    }

    /// Whether the program has been asked to end.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
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
            active(&mut self.png),
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
        let png = |mut png: PngOutput| {
            png.picture.write_png(live, &mut png.out)?;
            png.out.flush()
        };
        let written = [
            self.trace.map_or(Ok(()), Trace::finish),
            self.film.map_or(Ok(()), Film::finish),
            self.recording.map_or(Ok(()), |r| r.finish(live)),
            self.png.map_or(Ok(()), png),
            self.why.map_or(Ok(()), WhyWriter::finish),
            write_profile(self.prints_profile, live, self.profile, self.flame),
        ];
        // A pipe whose reader is gone concerns no file.
        let broken = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
        let failed = written.iter().any(|result| result.as_ref().is_err_and(|e| !broken(e)));
        if !failed {
            for file in self.files {
                complete(file)?;
            }
        }
        written.into_iter().find(Result::is_err).unwrap_or(Ok(()))
    }
}

/// A picture, and its writer.
struct PngOutput {
    picture: RunPicture,
    out: Out,
}

impl Observer for PngOutput {
    fn observe(&mut self, live: &mut Live) -> io::Result<()> {
        self.picture.observe(live)
    }
}

/// The output of `--why`, on stdout.
fn why(shown: &ShownArguments, live: &Live) -> Option<WhyWriter> {
    for WhyTarget { name, .. } in &shown.why {
        warn_of_unknown("--why", name, live);
    }
    let writer = || WhyWriter::new(Box::new(BufWriter::new(io::stdout())), shown.why.clone());
    (!shown.why.is_empty()).then(writer)
}

/// Prints or writes where the time of the ticks went.
fn write_profile(prints: bool, live: &Live, json: Option<Out>, flame: Option<Out>) -> io::Result<()> {
    let profile = live.profile().unwrap_or_default();
    let level = &*live.revision().stage.level.name;
    if prints {
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
        match printed.left_out {
            0 => {}
            1 => tell("and 1 more line that scripts printed in this tick"),
            count => tell(format_args!("and {count} more lines that scripts printed in this tick")),
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

/// Parses `all` or the names of overlays.
fn overlays(text: &str) -> Result<Overlays, String> {
    if text == "all" {
        return Ok(Overlays::all());
    }
    let mut overlays = Overlays::NONE;
    for name in text.split(',') {
        let Some(overlay) = Overlay::parse(name) else {
            let all = Overlay::ALL.map(Overlay::name);
            let hint = match nearest(name, all.into_iter().chain(["all"])) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", all.join(", ")),
            };
            return Err(format!("there is no overlay `{}`; {hint}", cut_name(name)));
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
