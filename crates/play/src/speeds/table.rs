//! The table of a game's functions, for people.

use super::report::{FunctionSpeed, MeasuredCalls, SpeedReport};
use crate::text_table::aligned;
use hangtime_script::text::printable_name;
use hangtime_script::{FunctionCode, ListedFunction};

/// For each script a line per function: its line, whether it is compiled or why not, operations and ns of a call, and where
/// these were measured.
pub fn speed_table(report: &SpeedReport) -> String {
    let mut text = String::new();
    for script in &report.scripts {
        text += &format!("{}\n", printable_name(&script.file));
        let Some(functions) = &script.functions else {
            text += "  not measured: it has errors\n\n";
            continue;
        };
        let titles = ["  function", "line", "operations", "ns", "code, and where it was measured"];
        let mut lines = vec![titles.map(String::from).to_vec()];
        lines.extend(functions.iter().map(|speed| cells(speed).to_vec()));
        text += &match functions.is_empty() {
            true => "  no functions".into(),
            false => aligned(&lines, |column| [0, 4].contains(&column)).join("\n"),
        };
        text += "\n\n";
    }
    let all = report.scripts.iter().filter_map(|script| script.functions.as_ref());
    let all: Vec<&FunctionSpeed> = all.flatten().collect();
    let is_compiled = |speed: &&&FunctionSpeed| matches!(speed.function.code, FunctionCode::Compiled(_));
    text += &format!(
        "{} of {} functions are compiled; ns are medians in the {} levels of the game, played with their demos\n",
        all.iter().filter(is_compiled).count(),
        all.len(),
        report.levels
    );
    text
}

fn cells(speed: &FunctionSpeed) -> [String; 5] {
    let FunctionSpeed { function, calls } = speed;
    let (line, _) = function.place.position();
    let signature = format!("  {}({})", function.name, function.parameters);
    let code = code_text(function);
    let (operations, nanos, measured) = match calls {
        MeasuredCalls::InLevel { level, calls, operations, nanos, bailed } => {
            let each = *operations as f64 / (*calls).max(1) as f64;
            let bails = match bailed {
                0 => String::new(),
                bailed => format!(", {bailed} bails"),
            };
            let measured = format!("{}: {calls} calls{bails}", printable_name(level));
            (format!("{each:.0}"), nanos.to_string(), measured)
        }
        MeasuredCalls::InCallers => (most(function), "-".into(), "in the hooks that call it".into()),
        MeasuredCalls::NotCalled(level) => {
            let measured = format!("not called in {}", printable_name(level));
            (most(function), "-".into(), measured)
        }
        MeasuredCalls::NoLevel => (most(function), "-".into(), "no level uses this script".into()),
    };
    let text = format!("{code}; {measured}");
    [signature, line.to_string(), operations, nanos, text]
}

/// The most operations that a compiled function can take.
fn most(function: &ListedFunction) -> String {
    match function.code {
        FunctionCode::Compiled(Some(most)) => format!("≤ {most}"),
        _ => "-".into(),
    }
}

fn code_text(function: &ListedFunction) -> String {
    match &function.code {
        FunctionCode::Compiled(_) => "compiled".into(),
        FunctionCode::Interpreted { why, .. } if why.is_empty() => "interpreted".into(),
        FunctionCode::Interpreted { why, place } => {
            let line = place.as_ref().map(|place| place.position().0);
            let line = line.map_or_else(String::new, |line| format!(" (line {line})"));
            format!("interpreted because of {}{line}", printable_name(why))
        }
    }
}
