//! `check --speed`: how fast the functions of a game's scripts are.

use hangtime_game::files::name_of_existing;
use hangtime_game::terminal::tell;
use hangtime_game::{Error, GameFolder, Project};
use hangtime_play::{FunctionSpeed, MeasuredCalls, SpeedReport, measure_functions};
use hangtime_script::FunctionCode;
use serde::Serialize;

/// Measures the functions of the scripts at these paths, or of all.
pub(super) fn measure(folder: GameFolder, paths: &[String]) -> Result<SpeedReport, Error> {
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
#[derive(Serialize)]
pub(super) struct JsonFunction<'a> {
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
pub(super) fn json_functions(report: &SpeedReport) -> Vec<JsonFunction<'_>> {
    let scripts = report.scripts.iter();
    scripts
        .flat_map(|script| {
            let functions = script.functions.iter().flatten();
            functions.map(|speed| json_function(&script.file, speed))
        })
        .collect()
}

fn json_function<'a>(file: &'a str, speed: &'a FunctionSpeed) -> JsonFunction<'a> {
    let FunctionSpeed { function, calls } = speed;
    let (why_not, why_not_line, most_operations) = match &function.code {
        FunctionCode::Compiled(most) => (None, None, *most),
        FunctionCode::Interpreted { why, place } => {
            let line = place.as_ref().map(|place| place.position().0);
            (Some(why.as_str()), line, None)
        }
    };
    let written = JsonFunction {
        file,
        function: &function.name,
        parameters: function.parameters,
        line: function.place.position().0,
        compiled: matches!(function.code, FunctionCode::Compiled(_)),
        why_not: why_not.filter(|why| !why.is_empty()),
        why_not_line,
        most_operations,
        measured: "no level",
        level: None,
        calls: None,
        operations: None,
        ns: None,
        bails: None,
    };
    match calls {
        MeasuredCalls::InLevel { level, times } => JsonFunction {
            measured: "level",
            level: Some(level),
            calls: Some(times.calls),
            operations: Some(times.mean_operations()),
            ns: Some(times.median),
            bails: Some(times.bailed),
            ..written
        },
        MeasuredCalls::InCallers => JsonFunction { measured: "callers", ..written },
        MeasuredCalls::NotCalled(level) => JsonFunction { measured: "not called", level: Some(level), ..written },
        MeasuredCalls::NoLevel => written,
    }
}
