//! Keys that had another name in earlier versions.

/// The tunables that were renamed: the old name of each, and the current one.
pub const RENAMED: [(&str, &str); 1] = [("grace_time", "coyote_time")];

/// The current name of a tunable that was renamed, for "did you mean" hints; `None` for every other
/// name.
pub fn renamed(old: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(name, _)| *name == old).map(|(_, new)| *new)
}
