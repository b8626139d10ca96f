//! Orders to start the level again or to play another one, and what passes from level to level.

use super::*;

/// What a script wants to be played from the next tick on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelOrder {
    /// The level's name, as the script has written it; `None` to start this one again.
    pub level: Option<Arc<str>>,
    /// What is handed over. `None` hands over the checkpoint or, if there is none, what this level was begun with.
    pub data: Option<Value>,
}

/// What passes from level to level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// What was handed over when the level began.
    #[serde(default)]
    pub handed: Value,
    /// What the next restart hands over.
    pub checkpoint: Option<Value>,
    /// The last order that scripts have given. It stays until it is carried out.
    pub wanted: Option<LevelOrder>,
}

impl Passage {
    /// Feeds it into a hash. A level that nothing was handed to adds nothing.
    pub fn digest(&self, digest: &mut Digest) {
        let data = [Some(&self.handed), self.checkpoint.as_ref()];
        for (place, value) in (1..).zip(data) {
            if let Some(value) = value.filter(|value| place > 1 || !value.is_unit()) {
                digest.word(place);
                value.digest(digest);
            }
        }
        if let Some(LevelOrder { level, data }) = &self.wanted {
            digest.text(level.as_deref().unwrap_or_default());
            data.as_ref().unwrap_or(&Value::Unit).digest(digest);
        }
    }
}
