//! The right name for a wrong one.

/// The candidate that `wrong` is most likely meant to be, if one is near enough: within two
/// edits, and within half of its length.
#[must_use]
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(wrong, name), name))
        .filter(|(distance, name)| *distance <= 2 && *distance * 2 <= name.len().max(wrong.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// `; did you mean ‹name›?` for the nearest candidate, else the list of them.
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
