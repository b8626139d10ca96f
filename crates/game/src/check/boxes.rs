//! Bodies that were round before boxes were boxes in every model.

use super::*;
use crate::files::{CONFIG, HANGTIME, made_for};
use semver::Version;

/// The first version in which a `box` is a box in every model.
pub const BOXES: Version = Version::new(0, 3, 0);

/// What the author of a game for an earlier version has to know about its kinds with a `box`; none for other games.
pub fn formerly_round(checker: &GameCheck<'_>) -> Option<String> {
    let shared = &checker.shared;
    let config = shared.layered_table(CONFIG, &mut Mistakes::new());
    // A game with a wrong version is reported where it is read.
    if made_for(&config).ok()?.is_some_and(|made| made >= BOXES) {
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
        "a `box` is a box in every model since hangtime {}.{}, and was an ellipse in all but `vessel`. This changes `{kind}`{more}: \
         `hangtime upgrade` writes the old shape, `body = {{ ellipse = [{x}, {y}] }}`. If this game is made for boxes, write \
         `hangtime = \"{HANGTIME}\"` at the beginning of {CONFIG}",
        BOXES.major, BOXES.minor
    ))
}
