//! `check`: checks files without running them.

use super::*;
use hangtime_game::{
    CheckReport, check as check_files,
    files::{GameFolder, is_game_folder, name_of_existing},
    within_time,
};
use hangtime_play::{
    FunctionSpeed, MeasuredCalls, SpeedReport, TestOutcome, feel::contracts_at, measure_functions, speed_table,
};
use hangtime_script::{FunctionCode, count_mistakes};
use hangtime_service::DiagnosticLine;
use std::io::IsTerminal as _;

/// The longest time that checking a game may take.
const LONGEST: Duration = Duration::from_secs(300);

/// Arguments of `check`.
#[derive(Args)]
pub struct CheckArguments {
    /// Files, or folders with their subfolders [default: the whole game folder]
    paths: Vec<String>,
    /// Measure the feel of kinds, too: each line of their `[expect]` must hold
    #[arg(long)]
    contracts: bool,
    /// Play the levels, and show for each function of the scripts whether it is compiled or why not, and what its calls take
    #[arg(long)]
    speed: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    format: ReportFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReportFormat {
    /// Messages with source lines
    Text,
    /// A JSON array with one object per message; with --speed, an object with this array and one of the functions
    Json,
}

/// Runs the command and returns the exit code.
pub fn check(folder: GameFolder, arguments: &CheckArguments) -> Exit {
    let paths = arguments.paths.clone();
    let game = folder.clone();
    let mut report = within_time(LONGEST, move || check_files(&folder, &paths, &calls_of_tests()))??;
    if arguments.contracts {
        if report.diagnostics.iter().any(Diagnostic::is_error) {
            tell("contracts are checked once these errors are fixed");
        } else {
            report.diagnostics.splice(0..0, check_contracts(game.clone(), &arguments.paths)?);
        }
    }
    if report.files == 0 {
        if arguments.paths.is_empty() && !is_game_folder(game.path()) {
            report.diagnostics.push(not_a_game(&game));
        } else {
            tell("nothing to check: no files in config/, scripts/ or levels/");
        }
    }
    let errors = count_mistakes(report.diagnostics.iter().filter(|d| d.is_error()));
    let speeds = arguments.speed.then(|| measure(game, &arguments.paths)).transpose()?;
    match arguments.format {
        ReportFormat::Text => {
            if let Some(speeds) = &speeds {
                say(speed_table(speeds).trim_end());
            }
            show_text(&report, errors);
        }
        ReportFormat::Json => {
            let messages: Vec<DiagnosticLine> = report.diagnostics.iter().map(DiagnosticLine::of).collect();
            match &speeds {
                None => say_json(&messages),
                Some(speeds) => say_json(&JsonReport { messages, functions: json_functions(speeds) }),
            }
        }
    }
    Ok(if errors == 0 { SUCCESS } else { PROBLEMS_FOUND })
}

/// Checks the contracts of the kinds at these paths, and returns an error for each that is broken.
fn check_contracts(folder: GameFolder, paths: &[String]) -> Result<Vec<Diagnostic>, Error> {
    let project = Project::load(folder)?;
    let (contracts, _) = contracts_at(&project, paths)?;
    let (count, mut broken, mut wrong) = (contracts.len(), 0, Mistakes::new());
    for contract in contracts {
        match contract.map_or_else(|broken| TestOutcome::NotCompiled(broken.mistakes), |contract| contract.check(true))
        {
            TestOutcome::Passed | TestOutcome::KnownFailure(_) => continue,
            TestOutcome::NotCompiled(mistakes) => wrong.extend(mistakes),
            TestOutcome::Failed(failure) => wrong.push(Diagnostic {
                message: format!("{} ({})", failure.diagnostic.message, failure.got.unwrap_or_default()),
                ..failure.diagnostic
            }),
        }
        broken += 1;
    }
    tell(format_args!("{} checked: {broken} broken", counted(count, "contract")));
    Ok(wrong.finish())
}

fn show_text(report: &CheckReport, errors: usize) {
    if !report.diagnostics.is_empty() {
        let color = io::stdout().is_terminal();
        say_rendered(&render_all(&report.diagnostics, color));
    }
    report.note.iter().for_each(tell);
    let warnings = count_mistakes(&report.diagnostics) - errors;
    tell(format_args!(
        "{} checked: {}, {}",
        counted(report.files, "file"),
        counted(errors, "error"),
        counted(warnings, "warning")
    ));
}

#[derive(Serialize)]
struct JsonReport<'a> {
    messages: Vec<DiagnosticLine>,
    functions: Vec<JsonFunction<'a>>,
}

/// Measures the functions of the scripts at these paths, or of all.
fn measure(folder: GameFolder, paths: &[String]) -> Result<SpeedReport, Error> {
    let project = Project::load(folder)?;
    let root = project.root();
    let named = paths.iter().filter_map(|path| name_of_existing(root, path));
    let named: Vec<String> = named.map(|name| name.trim_end_matches('/').into()).collect();
    let is_in = |folder: &str, file: &str| {
        let rest = file.strip_prefix(folder);
        folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let wanted = |file: &str| paths.is_empty() || named.iter().any(|folder| is_in(folder, file));
    let report = measure_functions(&project, wanted);
    match report.unplayable.as_slice() {
        [] => {}
        [one] => tell(format_args!("{one} cannot be played, so nothing is measured in it")),
        [first, more @ ..] => tell(format_args!(
            "{first} and {} more levels cannot be played, so nothing is measured in them",
            more.len()
        )),
    }
    Ok(report)
}

/// A function in JSON. What is not known is null.
#[derive(Default, Serialize)]
struct JsonFunction<'a> {
    file: &'a str,
    function: &'a str,
    parameters: usize,
    line: usize,
    compiled: bool,
    /// The construct that is not compiled.
    why_not: Option<&'a str>,
    why_not_line: Option<usize>,
    /// The most operations that a compiled call can take.
    most_operations: Option<u64>,
    /// Where its calls were measured: `level`, `callers`, `not called` or `no level`.
    measured: &'static str,
    level: Option<&'a str>,
    calls: Option<u64>,
    /// The mean of a call.
    operations: Option<f64>,
    /// The median of a call.
    ns: Option<u64>,
    bails: Option<u64>,
}

/// The functions of all scripts that have no errors.
fn json_functions(report: &SpeedReport) -> Vec<JsonFunction<'_>> {
    let scripts = report.scripts.iter();
    let functions = scripts.flat_map(|script| script.functions.iter().flatten().map(|speed| (&*script.file, speed)));
    functions.map(|(file, speed)| json_function(file, speed)).collect()
}

fn json_function<'a>(file: &'a str, speed: &'a FunctionSpeed) -> JsonFunction<'a> {
    let FunctionSpeed { function, calls } = speed;
    let mut json = JsonFunction {
        file,
        function: &function.name,
        parameters: function.parameters,
        line: function.place.position().0,
        ..JsonFunction::default()
    };
    match &function.code {
        FunctionCode::Compiled(most) => (json.compiled, json.most_operations) = (true, *most),
        FunctionCode::Interpreted { why, place } => {
            json.why_not = Some(why.as_str()).filter(|why| !why.is_empty());
            json.why_not_line = place.as_ref().map(|place| place.position().0);
        }
    }
    (json.measured, json.level) = match calls {
        MeasuredCalls::InLevel { level, times } => {
            (json.calls, json.operations) = (Some(times.calls), Some(times.mean_operations()));
            (json.ns, json.bails) = (Some(times.median), Some(times.bailed));
            ("level", Some(&**level))
        }
        MeasuredCalls::InCallers => ("callers", None),
        MeasuredCalls::NotCalled(level) => ("not called", Some(&**level)),
        MeasuredCalls::NoLevel => ("no level", None),
    };
    json
}
