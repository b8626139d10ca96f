//! Signature help: the parameters of the call that the cursor is in, with their units.

use super::*;
use hangtime_script::api::Param;
use lsp_types::{ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation};
use std::iter::successors;

/// The signatures of the call that the cursor is in.
pub fn signatures(file: &EditedFile<'_>) -> Option<SignatureHelp> {
    if file.is_toml() {
        return None;
    }
    let words = Words::of(file);
    let before = words.all.iter().take_while(|it| it.at < file.offset).count();
    let last = before.checked_sub(1)?;
    let open = if words.all[last].opens { Some(last) } else { words.opener(last) };
    // The bracket of the innermost call that is still open.
    let bracket = successors(open, |i| words.opener(*i)).find(|i| words.all[*i].is("("))?;
    let name = bracket.checked_sub(1).map(|i| words.all[i]).filter(|it| it.kind == LexemeKind::Name)?;
    let number = words.argument(bracket, before);
    let entries = words.calls(bracket).into_iter().map(|entry| of_entry(file, entry));
    let mut all: Vec<SignatureInformation> = entries.collect();
    let callee = EditedFile { offset: name.end(), ..*file }.word();
    let functions = match file.imported(callee.before) {
        Some(module) if callee.module => file.language().module_functions(&module.text),
        _ => file.language().functions(file.text),
    };
    let is_here = |it: &TextFunction<'_>| it.name == name.text && it.at != name.at;
    let own = functions.into_iter().filter(is_here).map(|function| of_function(file, function));
    all.extend(own.filter(|_| callee.module || callee.before == file.spelling().variables || callee.before.is_empty()));
    let takes = |it: &SignatureInformation| it.parameters.as_ref().map_or(0, Vec::len) > number;
    let active = all.iter().position(takes).unwrap_or_default();
    (!all.is_empty()).then_some(SignatureHelp {
        signatures: all,
        active_signature: Some(active as u32),
        active_parameter: Some(number as u32),
    })
}

fn of_entry(file: &EditedFile<'_>, entry: &ApiEntry) -> SignatureInformation {
    let unit = |unit: &str| if unit.is_empty() { String::new() } else { format!(" ({unit})") };
    let parameter = |it: &Param| format!("{}: {}{}", it.name, it.takes.spoken(), unit(it.unit));
    let spelling = file.spelling();
    let prefix = if entry.owner.is_module() {
        entry.owner.prefix().replace("::", spelling.scope)
    } else {
        entry.owner.prefix().replace('.', spelling.method)
    };
    let returns = match entry.returns {
        Type::Nothing => String::new(),
        ref returns => format!(" → {}{}", returns.spoken(), unit(entry.unit)),
    };
    let parameters = entry.parameters.iter().map(parameter);
    let documentation = Documentation::MarkupContent(markdown(entry.doc.to_string()));
    signature(&format!("{prefix}{}", entry.name), parameters.collect(), &returns, Some(documentation))
}

fn of_function(file: &EditedFile<'_>, function: TextFunction<'_>) -> SignatureInformation {
    let parameters = function.each_parameter().map(String::from).collect();
    signature(&format!("{} {}", file.spelling().function, function.name), parameters, "", None)
}

fn signature(
    name: &str,
    parameters: Vec<String>,
    returns: &str,
    documentation: Option<Documentation>,
) -> SignatureInformation {
    let label = format!("{name}({}){returns}", parameters.join(", "));
    let parameter = |text| ParameterInformation { label: ParameterLabel::Simple(text), documentation: None };
    SignatureInformation {
        label,
        documentation,
        parameters: Some(parameters.into_iter().map(parameter).collect()),
        active_parameter: None,
    }
}
