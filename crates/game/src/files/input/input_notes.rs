//! Warnings about input files that are played in a level that runs already.

use super::input_script::InputScript;
use hangtime_script::{Diagnostic, Place, Settings, SourceFile};
use std::sync::Arc;

impl InputScript {
    /// Warnings about the lines that say something else than how a running level was begun: its path below the game folder,
    /// seed and settings. They have no effect.
    pub fn unlike(&self, file: &Arc<SourceFile>, (level, seed, settings): (&str, u64, &Settings)) -> Vec<Diagnostic> {
        let stem = |path: &str| {
            let name = path.rsplit('/').next().unwrap_or_default();
            name.trim_end_matches(".toml").to_string()
        };
        let other_level = self.level.as_ref().filter(|name| stem(name) != stem(level));
        let level = other_level.zip(self.level_at.as_ref()).map(|(name, span)| {
            let message = format!("has no effect: these inputs are for `{name}`, and the world plays `{level}`");
            (span, message)
        });
        let other_seed = self.seed.filter(|other| *other != seed);
        let seed = other_seed.zip(self.seed_at.as_ref()).map(|(_, span)| {
            let message = format!("`seed` has no effect: the world has begun with {seed}");
            (span, message)
        });
        let given = self.settings.iter().zip(&self.set_at);
        let given = given.filter(|(setting, _)| !settings.contains(setting));
        let given = given.map(|((key, _), span)| {
            let message = format!("`{key}` has no effect: the world runs already, with other settings");
            (span, message)
        });
        let all = level.into_iter().chain(seed).chain(given);
        all.map(|(span, message)| Diagnostic::warning(Place::new(file, span.clone()), message))
            .collect()
    }

    /// Warnings about the lines that have no effect if the file is played in a running level of a test.
    pub fn without_effect(&self, file: &Arc<SourceFile>) -> Vec<Diagnostic> {
        let seed = self.seed_at.iter().map(|span| {
            let message = "`seed` has no effect in `t.input`: levels of tests have seed 0";
            (span, message.to_string())
        });
        let settings = self.settings.iter().zip(&self.set_at).map(|((key, _), span)| {
            let message =
                format!("`{key}` has no effect in `t.input`: the level runs already; pass it to `play` or `t.tune`");
            (span, message)
        });
        let warn = |(span, message): (&std::ops::Range<usize>, String)| {
            Diagnostic::warning(Place::new(file, span.clone()), message)
        };
        seed.chain(settings).map(warn).collect()
    }
}
