//! The files of `sweep`, and its progress bar.

use super::sweep_options::SweepArguments;
use hangtime_game::files::{OutputFile, OutputKind, check_distinct, game_hash};
use hangtime_game::terminal::tell;
use hangtime_game::{Error, Project};
use hangtime_play::{
    ParameterSweep, ResultsWriter, SweepReport, SweepRow, SweepTable, sweep_header, sweep_record, sweep_svg,
};
use hangtime_script::text::printable_name;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

/// Sweeps with fewer runs end before a progress bar can be read.
const MANY_RUNS: usize = 50;

/// All outputs that were asked for.
pub(super) struct SweepOutputs {
    table: SweepTable,
    csv: Option<(OutputFile, Box<dyn Write + Send>)>,
    svg: Option<(OutputFile, Box<dyn Write + Send>)>,
    results: Option<ResultsWriter>,
    progress: Option<ProgressBar>,
    failed: Option<io::Error>,
}

impl SweepOutputs {
    /// Creates the outputs of a sweep that plays this many runs.
    pub fn create(
        project: &Project,
        sweep: &ParameterSweep,
        arguments: &SweepArguments,
        runs: usize,
    ) -> Result<Self, Error> {
        let root = project.root();
        let paths = [&arguments.csv, &arguments.svg, &arguments.results];
        check_distinct(paths.into_iter().flatten().map(PathBuf::as_path))?;
        let create = |path: &Path, kind| OutputFile::create(root, path, kind);
        let table = SweepTable::of(sweep);
        let csv = match &arguments.csv {
            None => None,
            Some(path) => {
                let (file, mut out) = create(path, OutputKind::Csv)?;
                out.write_all(table.csv_titles().as_bytes()).map_err(|e| not_written(path, e))?;
                Some((file, out))
            }
        };
        let svg = match &arguments.svg {
            None => None,
            Some(path) => Some(create(path, OutputKind::Svg)?),
        };
        let results = match &arguments.results {
            None => None,
            Some(path) => {
                let out = OutputFile::in_place(root, path, OutputKind::Results)?;
                let game = game_hash(project.folder());
                let header = sweep_header(sweep, game, arguments.partition, options(arguments));
                let writer = ResultsWriter::new(out, &header);
                Some(writer.map_err(|e| not_written(path, e))?)
            }
        };
        Ok(Self { table, csv, svg, results, progress: progress(runs), failed: None })
    }

    /// Adds a row. False if it cannot be written.
    pub fn row(&mut self, sweep: &ParameterSweep, row: &SweepRow) -> bool {
        if let Some(progress) = &self.progress {
            progress.inc(1);
        }
        let written = self.write(sweep, row);
        self.failed = self.failed.take().or(written.err());
        self.failed.is_none()
    }

    fn write(&mut self, sweep: &ParameterSweep, row: &SweepRow) -> io::Result<()> {
        let record = sweep_record(sweep, row);
        if let Some(results) = &mut self.results {
            results.case(&record)?;
        }
        if let Some((_, csv)) = &mut self.csv {
            // One write for the whole line.
            csv.write_all(self.table.csv_row(&record).as_bytes())?;
        }
        Ok(())
    }

    /// Takes the progress bar away.
    pub fn end_progress(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.finish_and_clear();
        }
    }

    /// Completes the files. After an interruption the table has the rows so far, and a plot is not
    /// written.
    pub fn finish(self, report: &SweepReport<'_>, is_whole: bool) -> io::Result<()> {
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

fn complete(file: OutputFile) -> io::Result<()> {
    let path = file.path().display().to_string();
    file.complete().map_err(io::Error::other)?;
    tell(format_args!("wrote {path}"));
    Ok(())
}

fn not_written(path: &Path, source: io::Error) -> Error {
    Error::Write { file: path.display().to_string(), source }
}

fn progress(runs: usize) -> Option<ProgressBar> {
    if runs < MANY_RUNS || !io::stderr().is_terminal() {
        return None;
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {per_sec}, {eta} left");
    Some(ProgressBar::new(runs as u64).with_style(style.ok()?))
}

/// The options that change what runs do and measure, as the header of results has them.
fn options(arguments: &SweepArguments) -> String {
    let mut words = vec![arguments.level.clone()];
    let mut add = |option: &str, value: String| words.push(format!("{option} {value:?}"));
    if let Some(input) = &arguments.input {
        add("--input", input.clone());
    }
    for text in &arguments.measure {
        add("--measure", text.clone());
    }
    if let Some(pass) = &arguments.pass {
        add("--pass", pass.clone());
    }
    if let Some((goal, text)) = arguments.best() {
        add(goal.option(), text);
    }
    for (key, value) in &arguments.set {
        add("--set", format!("{key}={value}"));
    }
    if let Some(ticks) = arguments.ticks {
        add("--ticks", ticks.to_string());
    }
    if let Some(seed) = arguments.seed {
        add("--seed", seed.to_string());
    }
    words.join(" ")
}
