//! The actions that a game defines in `[keys]`.

use super::*;

/// Warnings about actions that no script asks for and with which bodies take no stance: most of them are names of other keys that were mistyped.
pub fn unused_actions(checker: &GameCheck<'_>, config: &Arc<SourceFile>) -> Vec<Diagnostic> {
    let Ok(table) = parse(config) else {
        return Vec::new();
    };
    let Some(keys) = table.table("keys") else {
        return Vec::new();
    };
    let asks = |name: &str| {
        let quoted = format!("\"{name}\"");
        // A text in backticks may be put together when it is read.
        let builds = |part: &str| {
            let start = part.split_once("${").map(|(start, _)| start);
            part == name || start.is_some_and(|start| name.starts_with(start))
        };
        let mut scripts = checker.scripts.values();
        let asked = |file: &Arc<SourceFile>| file.text.contains(&quoted) || file.text.split('`').any(builds);
        let kinds = checker.shared.kind_names();
        let mut kinds = kinds.iter().filter_map(|kind| checker.shared.kind_file(kind));
        let takes = |file: &Arc<SourceFile>| file.text.contains(&quoted);
        checker.known.words_in_tests.contains(name) || scripts.any(asked) || kinds.any(takes)
    };
    let unused = checker.actions.names().filter(|name| !asks(name));
    let warning = |name: &str| {
        let (key, _) = keys.entries.iter().find(|(key, _)| key.name == name)?;
        let hint = did_you_mean(nearest(name, Action::ALL.map(Action::name)));
        let message = format!("this defines the action `{name}`, but no script asks for it{hint}");
        Some(Diagnostic::warning(key.place.clone(), message))
    };
    unused.filter_map(warning).collect()
}
