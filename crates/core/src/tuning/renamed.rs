//! Keys that had another name in earlier versions.

/// The current name of a tunable that was renamed, for "did you mean" hints; `None` for every other
/// name.
pub fn renamed(old: &str) -> Option<&'static str> {
    match old {
        "grace_time" => Some("coyote_time"),
        _ => None,
    }
}
