//! The functions of a script, and whether they are compiled.

use super::*;
use crate::{bytecode::CompiledFunction, check::declared_functions};
use hangtime_script::{DeclaredFunction, FunctionCode, ListedFunction};

/// The functions of a file. Its tree is as it was parsed: functions that are priced have other positions.
pub fn functions_of(ast: &AST, file: &Arc<SourceFile>, compiled: &[CompiledFunction]) -> Vec<ListedFunction> {
    let listed = |DeclaredFunction { name, parameters, place }| {
        let code = code_of(file, compiled, (&name, parameters.len()));
        ListedFunction { name, parameters: parameters.len(), place, code }
    };
    declared_functions(ast, file).into_iter().map(listed).collect()
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
