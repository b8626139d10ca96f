//! Edits as a unified diff, which `patch -p1` and `git apply` take.

use super::{Edit, replaced};
use hangtime_script::SourceFile;
use std::fmt::Write as _;

/// How many lines a diff shows before and after a change.
const CONTEXT: usize = 3;

/// A line of a diff: its sign and its text.
type DiffLine<'t> = (char, std::borrow::Cow<'t, str>);

/// The edits of a file, which are in its order and each within a line.
pub fn unified(file: &SourceFile, edits: &[Edit]) -> String {
    let lines = lines(&file.text, edits);
    let changes: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].0 != ' ').collect();
    let from = if file.text.is_empty() {
        "/dev/null".into()
    } else {
        format!("a/{}", file.name)
    };
    let mut out = format!("--- {from}\n+++ b/{}\n", file.name);
    let (mut next, mut old, mut new) = (0, 1, 1);
    for hunk in changes.chunk_by(|a, b| b - a <= 2 * CONTEXT + 1) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { continue };
        let (begin, end) = (first.saturating_sub(CONTEXT), (last + CONTEXT + 1).min(lines.len()));
        old += begin - next;
        new += begin - next;
        next = end;
        let shown = &lines[begin..end];
        let count = |without: char| shown.iter().filter(|(sign, _)| *sign != without).count();
        let (removed, added) = (count('+'), count('-'));
        // Where a file has no lines, they begin at 0.
        let at = |first: usize, count: usize| if count == 0 { first - 1 } else { first };
        // Writing to a text does not fail.
        let _ = writeln!(out, "@@ -{},{removed} +{},{added} @@", at(old, removed), at(new, added));
        for (sign, line) in shown {
            let _ = writeln!(out, "{sign}{}", line.trim_end_matches(['\n', '\r']));
            if !line.ends_with('\n') {
                out.push_str("\\ No newline at end of file\n");
            }
        }
        (old, new) = (old + removed, new + added);
    }
    out
}

/// All lines of a file, with those that the edits remove and add.
fn lines<'t>(text: &'t str, edits: &[Edit]) -> Vec<DiffLine<'t>> {
    let mut lines: Vec<DiffLine<'t>> = Vec::new();
    let mut at = 0;
    let olds = if text.is_empty() { vec![""] } else { text.split_inclusive('\n').collect() };
    for old in olds {
        let part = at..at + old.len();
        at = part.end;
        let first = edits.partition_point(|(span, _)| span.start < part.start);
        let last = edits.partition_point(|(span, _)| span.start < part.end.max(1));
        if first == last {
            lines.push((' ', old.into()));
            continue;
        }
        let new = replaced(text, part, &edits[first..last]);
        match new.strip_suffix(old) {
            Some(before) => {
                lines.extend(before.split_inclusive('\n').map(|line| ('+', line.to_string().into())));
                lines.extend((!old.is_empty()).then_some((' ', old.into())));
            }
            None => {
                lines.push(('-', old.into()));
                lines.extend(new.split_inclusive('\n').map(|line| ('+', line.to_string().into())));
            }
        }
    }
    lines
}
