//! The table of a game's functions, for people.

use super::*;
use hangtime_script::FunctionCode;

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
        let rows = functions.iter().map(|speed| cells(speed).to_vec());
        text += &if functions.is_empty() {
            "  no functions".into()
        } else {
            aligned(&titles, rows, |column| [0, 4].contains(&column)).join("\n")
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
    // The most operations that a compiled function can take.
    let most = match function.code {
        FunctionCode::Compiled(Some(most)) => format!("≤ {most}"),
        _ => "-".into(),
    };
    let unmeasured = |measured: String| (most, "-".into(), measured);
    let (operations, nanos, measured) = match calls {
        MeasuredCalls::InLevel { level, times } => {
            let bails = match times.bailed {
                0 => String::new(),
                bailed => format!(", {bailed} bails"),
            };
            let measured = format!("{}: {} calls{bails}", printable_name(level), times.calls);
            (format!("{:.0}", times.mean_operations()), times.median.to_string(), measured)
        }
        MeasuredCalls::InCallers => unmeasured("in the hooks that call it".into()),
        MeasuredCalls::NotCalled(level) => unmeasured(format!("not called in {}", printable_name(level))),
        MeasuredCalls::NoLevel => unmeasured("no level uses this script".into()),
    };
    let text = format!("{}; {measured}", code_text(function));
    [signature, line.to_string(), operations, nanos, text]
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
