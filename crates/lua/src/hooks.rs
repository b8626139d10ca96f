//! Functions whose names are those of hooks, or nearly.

use crate::syntax::{WordKind, functions, words};
use hangtime_script::names::nearest;
use hangtime_script::{Diagnostic, Place, SourceFile, Sources, find_hook, hooks};
use std::sync::Arc;

/// A name that is near the name of a shorter hook may be meant.
const SURE: usize = 5;

/// Hooks with a wrong number of parameters, and warnings about functions that nothing calls and whose names are close to a
/// hook's.
pub(crate) fn check_hooks(file: &Arc<SourceFile>, sources: &Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for function in functions(&file.text) {
        let name = function.name;
        let place = Place::new(file, function.at..function.at + name.len());
        let parameters = function.each_parameter().count();
        if let Some(hook) = find_hook(name) {
            if !hook.takes(parameters) && !function.parameters.contains("...") {
                let s = if parameters == 1 { "" } else { "s" };
                let why = format!("`{name}` has {parameters} parameter{s}; write `{}`", hook.signature());
                found.push(Diagnostic::error(place, why));
            }
            continue;
        }
        let is_called = words(&file.text).iter().filter(|word| word.is_name(name)).count() > 1;
        let near = nearest(name, hooks().map(|hook| hook.name)).and_then(find_hook);
        if let Some(hook) = near.filter(|hook| hook.name.len() >= SURE && !is_called)
            && !name.strip_prefix("on_").is_some_and(|event| is_quoted(event, sources))
        {
            let why = format!("nothing calls `{name}`; did you mean `{}`?", hook.signature());
            found.push(Diagnostic::warning(place, why));
        }
    }
    found
}

/// Whether some script in Lua has this text in quotes, as a script that emits an event does.
fn is_quoted(text: &str, sources: &Sources) -> bool {
    let quoted = |file: &Arc<SourceFile>| {
        file.text.contains(text)
            && words(&file.text)
                .iter()
                .any(|word| word.kind == WordKind::Text && word.text.trim_matches(['"', '\'', '`']) == text)
    };
    sources.values().any(quoted)
}
