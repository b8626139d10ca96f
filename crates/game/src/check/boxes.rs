//! Bodies that were round before boxes were boxes in every model.

use super::*;

/// What only games have that know boxes: all of it is as new as they are.
const NEWER: [&str; 3] = ["capsule", "stances", "camera"];

/// What the author of a game from before has to know about its kinds with a `box`; none for other games.
pub fn formerly_round(checker: &GameCheck<'_>) -> Option<String> {
    let shared = &checker.shared;
    let mut texts = shared.files.values().chain(checker.scripts.values());
    if texts.any(|file| NEWER.iter().any(|word| file.text.contains(word))) {
        return None;
    }
    let boxed = |kind: &String| {
        let table = shared.layered_kind(kind, &mut Mistakes::new());
        let turns = table.text("model").and_then(ModelName::parse).is_some_and(ModelName::is_rigid);
        let size = table.table("body")?.get("box")?.list()?;
        let [width, height] = [size.first()?.number()?, size.get(1)?.number()?];
        (!turns).then(|| (kind.clone(), [0.5 * width, 0.5 * height]))
    };
    let kinds = shared.kind_names();
    let mut boxes = kinds.iter().filter_map(boxed);
    let (kind, [x, y]) = boxes.next()?;
    let more = match boxes.count() {
        0 => String::new(),
        1 => " and another kind".into(),
        more => format!(" and {more} other kinds"),
    };
    Some(format!(
        "a `box` is a box in every model now, and was an ellipse in all but `vessel`. This changes `{kind}`{more}; for the old shape \
         of `{kind}`, write `body = {{ ellipse = [{x}, {y}] }}`"
    ))
}
