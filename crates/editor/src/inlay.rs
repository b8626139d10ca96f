//! The values that a paused window shows, at the end of the lines that use them.

use super::*;
use lsp_types::{InlayHint, Range};

/// The values of variables and properties that lines of a range use, as they are at the shown moment.
pub fn inlay_hints(file: &EditedFile<'_>, range: Range, moment: &ShownMoment) -> Vec<InlayHint> {
    let Some(values) = moment.values.get(&file.name()) else {
        return Vec::new();
    };
    let (variables, all) = (file.spelling().variables, Words::of(file).all);
    // What is shown at the end of each line.
    let mut lines: Vec<(usize, Vec<String>)> = Vec::new();
    for (i, words) in all.windows(3).enumerate() {
        let (owner, name) = (words[0], words[2]);
        let is_owned = words[1].is(".") && (i == 0 || !all[i - 1].is("."));
        let key = match is_owned && owner.is("me") {
            true => format!("me.{}", name.text),
            false if is_owned && owner.is(variables) => name.text.into(),
            false => continue,
        };
        let Some(value) = values.get(&key) else { continue };
        if lines.last().is_none_or(|(end, _)| *end < name.at) {
            let rest = &file.text[name.at..];
            lines.push((name.at + rest.find(['\r', '\n']).unwrap_or(rest.len()), Vec::new()));
        }
        let shown = format!("{} = {value}", name.text);
        if let Some((_, all)) = lines.last_mut().filter(|(_, all)| !all.contains(&shown)) {
            all.push(shown);
        }
    }
    let hint = |(end, shown): (usize, Vec<String>)| InlayHint {
        position: range_in(file.text, end..end).start,
        label: shown.join(", ").into(),
        kind: None,
        text_edits: None,
        tooltip: Some(format!("{} at tick {}", moment.entity, moment.tick).into()),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    };
    let is_asked = |hint: &InlayHint| (range.start.line..=range.end.line).contains(&hint.position.line);
    lines.into_iter().map(hint).filter(is_asked).collect()
}
