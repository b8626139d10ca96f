//! `sweep`: plays a level once for each combination of some settings, and measures the runs.

use super::interrupt::Interrupt;
use super::output::{INTERRUPTED, PROBLEMS_FOUND, SUCCESS, UNUSABLE, say, unusable, warn};
use super::sweep_options::{SweepArguments, SweepFormat};
use super::sweep_outputs::SweepOutputs;
use hangtime_game::terminal::tell;
use hangtime_game::{Error, GameFolder, InputScript, Project, files};
use hangtime_play::{
    ParameterSweep, SweepAsks, SweepReport, SweepRequest, SweepRow, SweepTable, pass_edges, play_sweep, plot_refusal,
    sweep_best, sweep_json, sweep_record,
};
use hangtime_script::Diagnostic;
use hangtime_script::text::printable_json;

/// Runs the command and returns the exit code.
pub fn sweep(folder: GameFolder, arguments: &SweepArguments) -> u8 {
    let opened = Project::load(folder).and_then(|project| {
        let sweep = open(&project, arguments)?;
        Ok((project, sweep))
    });
    match opened {
        Ok((project, sweep)) => {
            warn(&sweep.warnings);
            play(&project, &sweep, arguments).unwrap_or_else(|error| unusable(&error))
        }
        Err(error) => unusable(&error),
    }
}

fn open(project: &Project, arguments: &SweepArguments) -> Result<ParameterSweep, Error> {
    if arguments.find && arguments.pass.is_none() && arguments.best().is_none() {
        let message = "there is nothing to find; add --pass, --maximize or --minimize";
        return Err(Diagnostic::about_file("--find", message).into());
    }
    let input = match &arguments.input {
        Some(name) => {
            let file = files::read(project.folder(), name)?;
            Some(InputScript::parse_with(&file, &project.own_actions())?)
        }
        None => None,
    };
    let level = project.find_level(&arguments.level)?;
    let request = SweepRequest {
        keys: arguments.vary.clone(),
        input,
        settings: arguments.set.clone(),
        seed: arguments.seed,
        ticks: arguments.ticks,
        asks: SweepAsks { measures: arguments.measure.clone(), pass: arguments.pass.clone(), best: arguments.best() },
    };
    let sweep = ParameterSweep::open(project, &level, request)?;
    if arguments.svg.is_some() {
        let of_part = "a plot needs all runs; join the results of all parts first";
        let refusal = plot_refusal(&sweep);
        let part = arguments.partition.map(|_| of_part.to_string());
        if let Some(message) = part.or(refusal) {
            return Err(Diagnostic::about_file("--svg", message).into());
        }
    }
    Ok(sweep)
}

/// Plays all runs and shows what they measure. Files are complete, or not written at all.
fn play(project: &Project, sweep: &ParameterSweep, arguments: &SweepArguments) -> Result<u8, Error> {
    let interrupt = Interrupt::watch();
    let stopped = || interrupt.arrived();
    let part = |run: &usize| arguments.partition.is_none_or(|p| p.keeps(*run as u64));
    let runs: Vec<usize> = (0..sweep.plan().runs()).filter(part).collect();
    let mut outputs = SweepOutputs::create(project, sweep, arguments, runs.len())?;
    let mut rows: Vec<SweepRow> = Vec::new();
    let threads = arguments.threads();
    let played = play_sweep(sweep, &runs, threads, &stopped, |row| {
        let written = outputs.row(sweep, &row);
        rows.push(row);
        written
    });
    outputs.end_progress();
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
    Ok(code(&report, never_passes, (runs.len(), stopped())))
}

fn show(report: &SweepReport<'_>, arguments: &SweepArguments) {
    match arguments.format {
        SweepFormat::Json => {
            let text = sweep_json(report).to_string();
            say(printable_json(&text));
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
fn code(report: &SweepReport<'_>, never_passes: bool, (runs, interrupted): (usize, bool)) -> u8 {
    let played = report.rows.len();
    if interrupted {
        tell(format_args!("interrupted: {played} of {runs} runs were played"));
        return INTERRUPTED;
    }
    if report.all_equal() {
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
