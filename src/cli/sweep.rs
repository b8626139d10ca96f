//! `sweep`: plays a level once for each combination of some settings, and measures the runs.

use super::*;
use hangtime_game::files::game_hash;
use hangtime_play::{
    ParameterSweep, SweepAsks, SweepGoal, SweepReport, SweepRequest, SweepRow, VariedKey, pass_edges, play_sweep,
    plot_refusal, sweep_best, sweep_header, sweep_json, sweep_record, sweep_svg,
};
use std::io::Write as _;

/// Arguments of `sweep`.
#[derive(Args)]
pub struct SweepArguments {
    /// Level to play
    level: String,
    /// Input file with the players' actions [default: the level's demo]
    #[arg(long, value_name = "FILE")]
    input: Option<String>,
    /// Setting to vary, with its values: from, to and step, or a list such as
    /// simulation.tick_hz=30,60,120; repeat it to vary several together. `seed` is the random seed
    #[arg(long, required = true, value_name = "KEY=FROM..TO:STEP", value_parser = VariedKey::parse)]
    vary: Vec<VariedKey>,
    /// Expression to measure at the end of each run, such as hero.x or highest(hero); can be repeated
    /// [default: where the players are]
    #[arg(long, value_name = "[NAME=]EXPR", allow_hyphen_values = true)]
    measure: Vec<String>,
    /// Condition that a run must meet to pass, such as 'hero.x > 300'; finds the values at which runs
    /// begin to pass
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pass: Option<String>,
    /// A test of the game, which is played under the settings of each run: the run passes where the test does
    #[arg(long, value_name = "NAME", conflicts_with = "pass")]
    pass_test: Option<String>,
    /// Find the run with the largest value of this expression
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true, conflicts_with = "minimize")]
    maximize: Option<String>,
    /// Find the run with the smallest value of this expression
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    minimize: Option<String>,
    /// Print only what was found, without the table
    #[arg(long)]
    find: bool,
    /// Number of threads [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole::<u16>(1, 1024))]
    jobs: Option<u16>,
    /// Number of ticks of each run [default: the length of the input or demo, else 600]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    ticks: Option<u64>,
    /// Random seed of all runs [default: the seed of the input file, else 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// Override a setting in all runs, such as platformer.jump_speed=600; can be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Write the table as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the measures over one or two varied settings, with the values that pass
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t = SweepFormat::Table)]
    format: SweepFormat,
    /// Write each run to FILE as a line of JSON as soon as it has ended; `merge` joins the files of
    /// several machines
    #[arg(long, value_name = "FILE")]
    results: Option<PathBuf>,
    /// Play only one part of the runs, such as slice:2/7 for the second of seven parts
    #[arg(long, value_name = "slice:K/N", value_parser = Partition::parse)]
    partition: Option<Partition>,
}

#[derive(Clone, Copy, ValueEnum)]
enum SweepFormat {
    /// A table, then what was found
    Table,
    /// One JSON object
    Json,
}

impl SweepArguments {
    /// What to maximize or minimize.
    fn best(&self) -> Option<(SweepGoal, String)> {
        let goals = [(SweepGoal::Maximize, &self.maximize), (SweepGoal::Minimize, &self.minimize)];
        goals.into_iter().find_map(|(goal, text)| Some((goal, text.clone()?)))
    }
}

/// Runs the command and returns the exit code.
pub fn sweep(folder: GameFolder, arguments: &SweepArguments) -> Exit {
    let project = Project::load(folder)?;
    let sweep = open(&project, arguments)?;
    warn(&sweep.warnings);
    play(&project, &sweep, arguments)
}

fn open(project: &Project, arguments: &SweepArguments) -> Result<ParameterSweep, Error> {
    let best = arguments.best();
    if arguments.find && arguments.pass.is_none() && arguments.pass_test.is_none() && best.is_none() {
        return Err(refused("--find", "there is nothing to find; add --pass, --pass-test, --maximize or --minimize"));
    }
    let input = input_of(project, arguments.input.as_ref())?;
    let level = project.find_level(&arguments.level)?;
    let request = SweepRequest {
        keys: arguments.vary.clone(),
        input,
        settings: arguments.set.clone(),
        seed: arguments.seed,
        ticks: arguments.ticks,
        asks: SweepAsks {
            measures: arguments.measure.clone(),
            pass: arguments.pass.clone(),
            pass_test: arguments.pass_test.clone(),
            best,
        },
    };
    let sweep = ParameterSweep::open(project, &level, request)?;
    if arguments.svg.is_some() {
        let of_part = "a plot needs all runs; join the results of all parts first";
        let part = arguments.partition.map(|_| of_part.to_string());
        if let Some(message) = part.or_else(|| plot_refusal(&sweep)) {
            return Err(refused("--svg", message));
        }
    }
    Ok(sweep)
}

/// Plays all runs and shows what they measure. Files are complete, or not written at all.
fn play(project: &Project, sweep: &ParameterSweep, arguments: &SweepArguments) -> Exit {
    let interrupt = Interrupt::watch();
    let stopped = move || interrupt.arrived();
    let part = |run: &usize| arguments.partition.is_none_or(|p| p.keeps(*run as u64));
    let runs: Vec<usize> = (0..sweep.plan().runs()).filter(part).collect();
    let mut outputs = SweepOutputs::create(project, sweep, arguments, runs.len())?;
    let mut rows: Vec<SweepRow> = Vec::new();
    let threads = job_count(arguments.jobs);
    let played = play_sweep(sweep, &runs, threads, &stopped, |row| {
        let written = outputs.row(sweep, &row);
        rows.push(row);
        written
    });
    if let Some(progress) = outputs.progress.take() {
        progress.finish_and_clear();
    }
    played?;
    let is_whole = rows.len() == runs.len();
    let mut report = SweepReport { sweep, rows: &rows, edges: None, best: sweep_best(sweep, &rows) };
    if is_whole && arguments.partition.is_none() {
        report.edges = pass_edges(sweep, &rows, threads, &stopped);
    }
    if let Err(error) = outputs.finish(&report, is_whole && !stopped()) {
        tell(format_args!("error: cannot write the output of the sweep: {error}"));
        return Ok(UNUSABLE);
    }
    show(&report, arguments);
    // Whether some run of the others passes, a part does not know.
    let never_passes = arguments.partition.is_none() && report.never_passes();
    // A test plays levels that the rows do not show.
    let shows_all = arguments.pass_test.is_none();
    Ok(code(&report, never_passes, shows_all, (runs.len(), stopped())))
}

fn show(report: &SweepReport<'_>, arguments: &SweepArguments) {
    match arguments.format {
        SweepFormat::Json => {
            say(printable_json(&sweep_json(report).to_string()));
        }
        SweepFormat::Table => {
            if !arguments.find {
                let records = report.rows.iter().map(|row| sweep_record(report.sweep, row));
                say(SweepTable::of(report.sweep).text(&records.collect::<Vec<_>>()).trim_end());
            }
            for line in report.findings() {
                say(line);
            }
        }
    }
}

/// The exit code, after a message for each reason.
fn code(report: &SweepReport<'_>, never_passes: bool, shows_all: bool, (runs, interrupted): (usize, bool)) -> u8 {
    let played = report.rows.len();
    if interrupted {
        tell(format_args!("interrupted: {played} of {runs} runs were played"));
        return INTERRUPTED;
    }
    if shows_all && report.all_equal() {
        tell("warning: all runs ended in exactly the same state: the varied settings had no effect");
    }
    let failures = report.failures();
    if failures > 0 {
        tell(format_args!("error: {failures} of {played} runs failed"));
    }
    if never_passes {
        tell("error: no run passes");
    }
    if failures > 0 || never_passes { PROBLEMS_FOUND } else { SUCCESS }
}

/// Sweeps with fewer runs end before a progress bar can be read.
const MANY_RUNS: u64 = 50;

/// All outputs that were asked for.
struct SweepOutputs {
    table: SweepTable,
    csv: Option<(OutputFile, Out)>,
    svg: Option<(OutputFile, Out)>,
    results: Option<ResultsWriter>,
    progress: Option<ProgressBar>,
    failed: Option<io::Error>,
}

impl SweepOutputs {
    /// Creates the outputs of a sweep that plays this many runs.
    fn create(
        project: &Project,
        sweep: &ParameterSweep,
        arguments: &SweepArguments,
        runs: usize,
    ) -> Result<Self, Error> {
        let (root, svg) = (project.root(), &arguments.svg);
        let paths = [&arguments.csv, svg, &arguments.results];
        check_distinct(paths.into_iter().flatten().map(PathBuf::as_path))?;
        let table = SweepTable::of(sweep);
        let mut csv = create(root, arguments.csv.as_ref(), OutputKind::Csv)?;
        if let Some((file, out)) = &mut csv {
            out.write_all(table.csv_titles().as_bytes()).map_err(|source| file.write_error(source))?;
        }
        let svg = create(root, svg.as_ref(), OutputKind::Svg)?;
        let header = || sweep_header(sweep, game_hash(project.folder()), arguments.partition, options(arguments));
        let results = create_results(root, arguments.results.as_ref(), header)?;
        let progress = progress_bar(runs as u64, MANY_RUNS, "{bar:40} {pos}/{len} runs, {per_sec}, {eta} left");
        Ok(Self { table, csv, svg, results, progress, failed: None })
    }

    /// Adds a row. False if it cannot be written.
    fn row(&mut self, sweep: &ParameterSweep, row: &SweepRow) -> bool {
        if let Some(progress) = &self.progress {
            progress.inc(1);
        }
        let record = sweep_record(sweep, row);
        let mut written = self.results.as_mut().map_or(Ok(()), |results| results.case(&record));
        if let Some((_, csv)) = &mut self.csv {
            // One write for the whole line.
            written = written.and_then(|()| csv.write_all(self.table.csv_row(&record).as_bytes()));
        }
        self.failed = self.failed.take().or(written.err());
        self.failed.is_none()
    }

    /// Completes the files. After an interruption the table has the rows so far, and a plot is not
    /// written.
    fn finish(self, report: &SweepReport<'_>, is_whole: bool) -> io::Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if let Some((file, mut csv)) = self.csv {
            csv.flush()?;
            drop(csv);
            complete(file)?;
        }
        if !is_whole {
            return Ok(());
        }
        if let Some((file, mut out)) = self.svg {
            out.write_all(sweep_svg(report)?.as_bytes())?;
            out.flush()?;
            drop(out);
            complete(file)?;
            for name in report.undrawn() {
                let name = printable_name(name);
                tell(format_args!("warning: the plot shows nothing of `{name}`: no run has a number for it"));
            }
        }
        self.results.map_or(Ok(()), ResultsWriter::end)
    }
}

/// The options that change what runs do and measure, as the header of results has them.
fn options(arguments: &SweepArguments) -> String {
    let mut words = vec![arguments.level.clone()];
    let mut add = |option: &str, values: Vec<String>| {
        words.extend(values.into_iter().map(|value| format!("{option} {value:?}")));
    };
    let one = |value: Option<u64>| value.iter().map(u64::to_string).collect();
    add("--input", arguments.input.iter().cloned().collect());
    add("--measure", arguments.measure.clone());
    add("--pass", arguments.pass.iter().cloned().collect());
    add("--pass-test", arguments.pass_test.iter().cloned().collect());
    if let Some((goal, text)) = arguments.best() {
        add(goal.option(), vec![text]);
    }
    add("--set", arguments.set.iter().map(|(key, value)| format!("{key}={value}")).collect());
    add("--ticks", one(arguments.ticks));
    add("--seed", one(arguments.seed));
    words.join(" ")
}
