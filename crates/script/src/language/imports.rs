//! Which scripts the paths of imports mean.

/// The keys that a path in an import can mean, the first choice first: a script of the mod that the importing file is
/// in, or else one of the game. `from` is the name of that file, and `path` has its ending.
pub fn import_keys(from: &str, path: &str) -> impl Iterator<Item = String> + use<> {
    let folders = ["/scripts/", "/levels/"].into_iter();
    let roots = folders.flat_map(|folder| from.match_indices(folder));
    let of_mods: Vec<String> = roots.map(|(at, _)| format!("{}/scripts/{path}", &from[..at])).collect();
    of_mods.into_iter().chain([path.to_string()])
}
