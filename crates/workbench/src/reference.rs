//! What the newest version is compared with: the one before the last edit, the saved files or a pinned version.

use super::*;

/// What the newest version of the game is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareWith {
    /// The version before the last edit.
    #[default]
    LastEdit,
    /// The files as they are saved, without the numbers of the panel.
    SavedFiles,
    /// A version that was pinned.
    Pinned,
}

impl CompareWith {
    /// The next one that a key chooses.
    pub fn next(self) -> Self {
        match self {
            Self::LastEdit => Self::SavedFiles,
            Self::SavedFiles => Self::Pinned,
            Self::Pinned => Self::LastEdit,
        }
    }
}

/// The version that the newest one is compared with.
#[derive(Clone, Default)]
pub struct ReferenceRevision {
    /// What it is.
    pub with: CompareWith,
    /// Its revision; `None` for the one before the last edit.
    pub revision: Option<Arc<Revision>>,
    /// How much was edited since then: edits since a pin, or numbers of the panel that differ from the files.
    pub edits: u64,
}

impl ReferenceRevision {
    pub fn is_same_revision(&self, other: &Self) -> bool {
        self.revision.as_ref().map(Arc::as_ptr) == other.revision.as_ref().map(Arc::as_ptr)
    }

    /// What differs between its ghost and the newest one, one fact per line.
    pub fn lines(&self, old: &Ghost, new: &Ghost) -> Vec<String> {
        let (from, to) = (old.revision, new.revision);
        let counted = |one: &str, many: &str| match self.edits {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        let both = match self.with {
            CompareWith::LastEdit => format!("revision {from} → {to}, last edit"),
            CompareWith::SavedFiles => {
                format!("saved files → revision {to}, {} of the panel", counted("number", "numbers"))
            }
            CompareWith::Pinned => format!("pinned revision {from} → {to}, {}", counted("edit", "edits")),
        };
        let hz = f64::from(new.motion.hz.max(1));
        let (tick, apart) = new.farthest_from(old);
        let when = format!("after {:.2} s (tick {tick})", tick as f64 / hz);
        let mut lines = match new.parts_from(old) {
            Some(parts) => vec![
                format!("{both}: the paths diverge after {:.2} s", parts as f64 / hz),
                format!("largest distance {apart:.1} px {when}"),
            ],
            None => {
                let seconds = new.path.len().saturating_sub(1) as f64 / hz;
                let most = if apart == 0.0 {
                    "0 px apart".into()
                } else {
                    format!("{apart:.2} px apart {when}")
                };
                vec![format!("{both}: no difference in {seconds:.2} s, {most}")]
            }
        };
        lines.extend(compared(&old.measures, &new.measures));
        lines
    }
}
