//! The functions of a script, and whether they are compiled.

use super::*;
use crate::bytecode::CompiledFunction;
use hangtime_script::{FunctionCode, ListedFunction};

/// The functions of a file. Its tree is as it was parsed: functions that are priced have other positions.
pub(super) fn functions_of(ast: &AST, file: &Arc<SourceFile>, compiled: &[CompiledFunction]) -> Vec<ListedFunction> {
    let written = ast.shared_lib().iter_script_fn_info();
    let mut functions: Vec<ListedFunction> = written
        // A closure belongs to the function that it is in.
        .filter(|(_, _, name, ..)| !name.starts_with("anon$"))
        .map(|(_, _, name, parameters, written)| {
            let body = written.body.start_position();
            let (line, column) = (body.line().unwrap_or(1), body.position().unwrap_or(1));
            let body = Place::at(file, line, column).span.start;
            // Functions with the same name have different numbers of parameters.
            let before = name_places(file, name).take_while(|at| *at < body);
            let start = before.last().unwrap_or(body);
            ListedFunction {
                name: name.into(),
                parameters,
                place: Place::new(file, start..start + name.len()),
                code: code_of(file, compiled, (name, parameters)),
            }
        })
        .collect();
    functions.sort_by_key(|function| function.place.span.start);
    functions
}

/// Whether a function is compiled.
fn code_of(file: &Arc<SourceFile>, compiled: &[CompiledFunction], (name, parameters): (&str, usize)) -> FunctionCode {
    let mut all = compiled.iter();
    let found = all.find(|function| function.name == name && function.parameters == parameters);
    match found.map(|function| &function.steps) {
        Some(Ok(_)) => FunctionCode::Compiled(None),
        Some(Err((why, at))) => FunctionCode::Interpreted {
            why: why.to_string(),
            place: at.map(|(line, column)| Place::at(file, line, column)),
        },
        None => FunctionCode::Interpreted { why: String::new(), place: None },
    }
}

/// Where a file has functions with this name: the offset of each name.
pub(super) fn name_places<'a>(file: &'a SourceFile, function: &'a str) -> impl Iterator<Item = usize> + 'a {
    let text = file.text.as_str();
    text.match_indices("fn").filter_map(move |(at, _)| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let commented = text[line..at].contains("//");
        let rest = &text[at + 2..];
        let name = rest.trim_start();
        let after = name.strip_prefix(function)?.trim_start();
        let written = !commented && name.len() < rest.len() && after.starts_with('(');
        written.then(|| at + 2 + rest.len() - name.len())
    })
}
