//! Revisions of one level that differ in their settings. The files are read, parsed and hashed once, and
//! scripts are compiled once for all variants that use the same ones.

use super::{deadline::within_deadline, revision::RevisionBuilder, variable_names::VariableNames, *};
use crate::files::GameFolder;
use hangtime_script::Sources;
use std::{path::Path, sync::OnceLock};

/// The files of a level, from which revisions with different settings are built. Threads can build at the
/// same time.
pub struct Variants {
    sources: SourceSet,
    trees: FileTrees,
    warnings: Vec<Diagnostic>,
    hashes: BTreeMap<String, [u8; 32]>,
    compiled: OnceLock<Arc<Scripts>>,
}

impl Variants {
    /// Reads and parses everything that a level needs.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every file that cannot be read or parsed; [`Error::BuildTimeout`] or
    /// [`Error::CompileTimeout`].
    pub fn read(folder: &GameFolder, level: &Path) -> Result<Self, Error> {
        let (folder, level) = (folder.clone(), level.to_path_buf());
        within_deadline(move || Self::of(SourceSet::read(&folder, &level)))?
    }

    fn of(sources: SourceSet) -> Result<Self, Error> {
        let build = |sources: &SourceSet| Revision::build(sources, &[], 1, None);
        let working = match sources.mods.layers.as_slice() {
            [] => None,
            _ => without_broken_mods(&sources, build).0,
        };
        let sources = working.unwrap_or(sources);
        let mut out = Mistakes::new();
        let trees = RevisionBuilder::new(&sources, &mut out).trees();
        match trees {
            Some(trees) if !out.has_errors() => {
                Ok(Self { warnings: out.finish(), hashes: sources.hashes(), sources, trees, compiled: OnceLock::new() })
            }
            _ => Err(name_objects(out.finish()).into()),
        }
    }

    /// The revision with these settings, as [`Project::open`](crate::Project::open) builds it.
    /// Warnings about scripts are only in the first one.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every mistake in the files and settings.
    pub fn build(&self, settings: &[(String, String)]) -> Result<Revision, Error> {
        let mut out = Mistakes::new();
        out.extend(self.warnings.iter().cloned());
        let mut builder = RevisionBuilder::new(&self.sources, &mut out);
        builder.compiled = self.compiled.get();
        let revision = builder.build_from_trees(self.trees.clone(), settings, 1, None);
        if revision.scripts.is_plain() {
            let _ = self.compiled.set(revision.scripts.clone());
        }
        let from = (&self.sources, self.hashes.clone());
        Revision::finish(Some(revision), from, settings, out)
    }

    /// Checks that a key such as `entities.hero.vars.coins` names a variable that is there, instead of
    /// adding one that no script reads. `option` is the option that the key comes from.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the nearest right name.
    pub fn check_variable(&self, option: &str, key: &str) -> Result<(), Error> {
        let names = VariableNames { sources: &self.sources, trees: &self.trees };
        names.check(option, key).map_err(Error::from)
    }

    /// Checks the variables that an expression reads, as in `hero.vars.coins`. `option` is the option that the
    /// expression comes from; variables that `settings` add are there.
    ///
    /// # Errors
    /// [`Error::Invalid`] with the nearest right name.
    pub fn check_expression(&self, option: &str, text: &str, settings: &[(String, String)]) -> Result<(), Error> {
        let names = VariableNames { sources: &self.sources, trees: &self.trees };
        names.check_expression((option, text), settings).map_err(Error::from)
    }

    /// The scripts of the game, by their paths below `scripts/`.
    pub fn scripts(&self) -> Arc<Sources> {
        Arc::new(self.sources.scripts())
    }

    /// The path of the level below the game folder.
    pub fn level_name(&self) -> &str {
        &self.sources.level
    }
}
