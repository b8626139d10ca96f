//! The kinds that a level may need, before it is read.

use super::*;
use hangtime_script::text::quoted_in;

/// The kinds that scripts may spawn: those whose quoted names are in a script that calls `create`.
/// Which of them it spawns is only known when it runs.
pub(crate) fn created_kinds(sources: &SourceSet, kinds: &[String]) -> BTreeSet<String> {
    let scripts = sources.scripts();
    let scripts = scripts.values().map(|file| &file.text);
    let creating = scripts.filter(|text| text.contains("create("));
    let quoted: BTreeSet<&str> = creating.flat_map(|text| quoted_in(text)).collect();
    let named = |kind: &&String| quoted.contains(kind.as_str());
    kinds.iter().filter(named).cloned().collect()
}

/// The kinds that a level's entities name, before the level is checked.
pub(crate) fn used_kinds(level: &Table) -> BTreeSet<String> {
    let entities = level.get("entity").into_iter().flat_map(Node::tables);
    entities.filter_map(|entity| entity.text("kind").map(String::from)).collect()
}
