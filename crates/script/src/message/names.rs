//! "Did you mean": the right name for a wrong one.

use super::text::MOST_NAME;
use hangtime_core::tuning::renamed;
use std::fmt::Display;

/// The largest number of edits to a name that is suggested.
const MOST_EDITS: usize = 2;

/// The work of one suggestion: the largest number of cells of all tables of edit distances together.
/// Few candidates need a table, so only names made to be alike reach it.
const MOST_CELLS: usize = 20_000;

/// The largest number of names that a hint lists.
const MOST_LISTED: usize = 60;

/// The candidate that `wrong` most likely means: the new name of a key that was renamed, else the nearest within two
/// edits and half of its length; none if no candidate is that near.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let new = renamed(wrong);
    let mut search = Search::new(wrong);
    let mut best: Option<(usize, &str)> = None;
    for name in candidates {
        let distance = if new == Some(name) { Some(0) } else { search.distance(name) };
        if let Some(distance) = distance
            && distance * 2 <= name.len().max(wrong.len())
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Whether a name differs from the right one in a letter, or in the order of two.
pub fn is_typo_of(wrong: &str, right: &str) -> bool {
    Search::new(wrong).distance(right).is_some_and(|edits| edits <= 1)
}

/// What precedes the right names in messages.
pub const HINTS: [&str; 3] = ["did you mean ", "it can be ", "the only one is "];

/// The hint that ends a message: the right name, if there is one.
pub fn did_you_mean(right: Option<impl Display>) -> String {
    right.map_or_else(String::new, |right| format!("; did you mean `{right}`?"))
}

/// The hint that follows a wrong name: `; did you mean \`name\`?` for the nearest candidate, else a list of them all,
/// or of the first ones if there are many.
pub fn suggestion<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let near = nearest(wrong, candidates.clone());
    if near.is_some() {
        return did_you_mean(near);
    }
    let mut names: Vec<&str> = candidates.into_iter().collect();
    names.sort_unstable();
    names.dedup();
    if names.len() > MOST_LISTED {
        let (listed, others) = names.split_at(MOST_LISTED);
        let others = others.len();
        return format!("; it can be `{}` or one of {others} others", listed.join("`, `"));
    }
    match names.as_slice() {
        [] => String::new(),
        [only] => format!("; the only one is `{only}`"),
        [rest @ .., last] => format!("; it can be `{}` or `{last}`", rest.join("`, `")),
    }
}

/// The number of names that [`nearest_few`] lists.
const FEW: usize = 3;

/// The work that it may do, in cells of the tables of edit distances.
const MOST_CELLS_OF_FEW: usize = 400_000;

/// The hint that follows the wrong name of one of `what`. There may be very many of them: the hint is as [`suggestion`]
/// gives it for a near name and for few candidates, else the three nearest, the nearest one first.
pub fn nearest_few<'a>(wrong: &str, what: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> String {
    let mut names: Vec<&str> = candidates.clone().into_iter().collect();
    if names.len() <= FEW || nearest(wrong, candidates.clone()).is_some() {
        return suggestion(wrong, candidates);
    }
    let all = names.len();
    let short = |name: &str| name.chars().take(MOST_NAME).collect::<String>();
    let wrong = short(wrong);
    let most = (MOST_CELLS_OF_FEW / (wrong.len() + 1) / (MOST_NAME + 1)).max(FEW);
    names.sort_unstable();
    names.truncate(most);
    names.sort_by_cached_key(|name| strsim::damerau_levenshtein(&wrong, &short(name)));
    names.truncate(FEW);
    format!("; the nearest of {all} {what} are `{}`", names.join("`, `"))
}

/// How often each letter occurs in a name. Letters share counters.
type Letters = [u8; 32];

/// A search for names near a wrong one.
struct Search<'w> {
    wrong: &'w str,
    /// Its characters; none if it is too long for any name to be near.
    length: Option<usize>,
    letters: Letters,
    /// The number of cells that are left.
    cells: usize,
}

impl<'w> Search<'w> {
    fn new(wrong: &'w str) -> Self {
        let length = wrong.chars().take(MOST_NAME + 1).count();
        let short = length <= MOST_NAME;
        Self {
            wrong,
            length: short.then_some(length),
            letters: if short { letters_of(wrong) } else { [0; 32] },
            cells: MOST_CELLS,
        }
    }

    /// The edit distance to a name, if it is small. Most names are ruled out by their length or their
    /// letters.
    fn distance(&mut self, name: &str) -> Option<usize> {
        let wanted = self.length?;
        if name.len() > 4 * (MOST_NAME + MOST_EDITS) {
            return None;
        }
        let length = name.chars().count();
        if length.abs_diff(wanted) > MOST_EDITS {
            return None;
        }
        // An edit changes the count of at most two letters by one.
        let letters = letters_of(name);
        let changed = letters.iter().zip(self.letters);
        let changed: usize = changed.map(|(a, b)| usize::from(a.abs_diff(b))).sum();
        if changed > 2 * MOST_EDITS {
            return None;
        }
        self.cells = self.cells.checked_sub((length + 1) * (wanted + 1))?;
        let distance = strsim::damerau_levenshtein(self.wrong, name);
        (distance <= MOST_EDITS).then_some(distance)
    }
}

/// Only for names of at most `MOST_NAME` characters and a few more, so no counter overflows.
fn letters_of(name: &str) -> Letters {
    let mut letters = [0_u8; 32];
    for c in name.chars() {
        let at = u32::from(c) as usize % letters.len();
        letters[at] = letters[at].saturating_add(1);
    }
    letters
}

#[cfg(test)]
#[path = "../../tests/unit/message/names.rs"]
mod tests;
