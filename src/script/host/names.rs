//! "Did you mean": the right name for a wrong one.

use crate::tuning::renamed;

/// The candidate that `wrong` most likely means: the new name of a key that was renamed, else the nearest within two
/// edits and half of its length; none if no candidate is that near.
#[must_use]
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let new = renamed(wrong);
    let distance = |name: &str| {
        if new == Some(name) {
            0
        } else {
            strsim::damerau_levenshtein(wrong, name)
        }
    };
    candidates
        .into_iter()
        .map(|name| (distance(name), name))
        .filter(|(distance, name)| *distance <= 2 && *distance * 2 <= name.len().max(wrong.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The hint that follows a wrong name: `; did you mean \`name\`?` for the nearest candidate, else a list of them all.
#[must_use]
pub fn suggestion<'a>(
    wrong: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> String {
    if let Some(name) = nearest(wrong, candidates.clone()) {
        return format!("; did you mean `{name}`?");
    }
    let mut names: Vec<&str> = candidates.into_iter().collect();
    names.sort_unstable();
    match names.as_slice() {
        [] => String::new(),
        [only] => format!("; the only one is `{only}`"),
        [rest @ .., last] => format!("; it can be `{}` or `{last}`", rest.join("`, `")),
    }
}
