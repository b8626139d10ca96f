//! Leaving out the mods with which a level cannot be built.

use super::*;

/// Builds from these files or, if that fails, without the mods that make it fail. Returns the files with the mods that
/// are left, too, if some are left out.
///
/// First the mods whose files have the mistakes are left out. If that is not enough, each mod is tried on top of the
/// working mods below it. A build that fails without mods is not tried with fewer of them. Some mods are never left
/// out: the level's mod, the mods that it needs, and the mods of the running game, which continues until they are
/// fixed.
pub(crate) fn without_broken_mods<T>(
    sources: &SourceSet,
    build: impl Fn(&SourceSet) -> Result<T, Error>,
) -> (Option<SourceSet>, Result<T, Error>) {
    let broken = sources.mods.left_out.iter();
    let running = broken.filter(|it| sources.running_mods.contains(&it.folder));
    let why: Vec<Diagnostic> = running.flat_map(|it| it.why.clone()).collect();
    if !why.is_empty() {
        return (None, Err(why.into()));
    }
    let all = build(sources);
    let required = required(sources);
    let Err(Error::Invalid { diagnostics }) = &all else {
        return (None, all);
    };
    if required.len() == sources.mods.layers.len() {
        return (None, all);
    }
    let mut found = sources.clone();
    let mut wrong = diagnostics.clone();
    while leave_out_blamed(&mut found.mods, &required, &wrong) {
        match build(&found) {
            Err(Error::Invalid { diagnostics }) => wrong = diagnostics,
            built => return (Some(found), built),
        }
    }
    if build(&sources.with_mods(sources.mods.only(&required))).is_err() {
        return (None, all);
    }
    found.mods = working_mods(sources, required, |sources| build(sources).map(|_| ()));
    let built = build(&found);
    (Some(found), built)
}

/// Leaves out the mods whose files have errors. Returns whether there was one.
fn leave_out_blamed(mods: &mut ModStack, required: &BTreeSet<String>, wrong: &[Diagnostic]) -> bool {
    let mut blamed: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    for error in wrong.iter().filter(|wrong| wrong.is_error()) {
        let layer = mods.layer_of(error.file_name());
        if let Some(layer) = layer.filter(|layer| !required.contains(&layer.name)) {
            let why = blamed.entry(layer.folder.clone()).or_default();
            why.push(error.clone());
        }
    }
    let found = !blamed.is_empty();
    for (folder, why) in blamed {
        mods.leave_out(&folder, why);
    }
    found
}

/// The mods with which a level can be built: each is tried on top of those below it.
fn working_mods(
    sources: &SourceSet,
    mut kept: BTreeSet<String>,
    build: impl Fn(&SourceSet) -> Result<(), Error>,
) -> ModStack {
    let mods = &sources.mods;
    let mut found = mods.only(&kept);
    for layer in &mods.layers {
        if kept.contains(&layer.name) || BuildProgress::is_cancelled() {
            continue;
        }
        let mut with = kept.clone();
        with.insert(layer.name.clone());
        let missing = found.missing_needs(layer);
        let built = match missing.is_empty() {
            true => build(&sources.with_mods(mods.only(&with))),
            false => Err(missing.into()),
        };
        match built {
            Ok(()) => kept = with,
            Err(error) => found.leave_out(&layer.folder, errors_of(&error)),
        }
        found.layers = mods.only(&kept).layers;
    }
    let is_kept = |folder: &str| found.layers.iter().any(|layer| layer.folder == folder);
    found.left_out.retain(|it| !is_kept(&it.folder));
    found
}

/// The names of the mods that are never left out.
fn required(sources: &SourceSet) -> BTreeSet<String> {
    let mods = &sources.mods;
    let running = mods
        .layers
        .iter()
        .filter(|layer| sources.running_mods.contains(&layer.folder) || layer.local(&sources.level).is_some());
    running.flat_map(|layer| mods.needed_by(&layer.name)).collect()
}

fn errors_of(error: &Error) -> Vec<Diagnostic> {
    let all = error.diagnostics().into_iter();
    all.filter(Diagnostic::is_error).collect()
}
