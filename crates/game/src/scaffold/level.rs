//! A new level in a game folder, or in a mod of a game.

use super::{Created, Template, name, text_of, write_in_mod, write_planned};
use crate::{
    Error, Project,
    files::{FileWalk, GameFolder, KINDS},
    is_game_folder,
};
use hangtime_core::level::View;
use std::path::Path;

/// Creates a level in the game folder `root`: ground, a zone and an entity for the first player, of a kind that the game
/// has. It is a side view if the template's model works there. An existing file is never touched.
///
/// # Errors
/// [`Error::InvalidName`], also if `root` is not a game folder or has no kind, or a link would put the file elsewhere;
/// [`Error::AlreadyExists`] or [`Error::Write`].
pub fn create_level(root: impl Into<GameFolder>, level: &str, template: Template) -> Result<Created, Error> {
    let root = root.into();
    let (file, text, kind) = planned_level(&root, None, level, template)?;
    let files = write_planned(root.path(), "", &[(file, text.into_bytes())], |path| root.check(path, &[]))?;
    Ok(Created { files, behavior: kind, game: None })
}

/// The same in a mod of the game in `root`, with a kind of the mod or of the game. The mod itself is created if its folder
/// has no `mod.toml`.
///
/// # Errors
/// As [`create_level`], and [`Error::AlreadyExists`] if the game has a level with this path, over which this one would lie.
pub fn create_level_in_mod(
    root: impl Into<GameFolder>,
    folder: &Path,
    level: &str,
    template: Template,
) -> Result<Created, Error> {
    let root = root.into();
    let (file, text, kind) = planned_level(&root, Some(folder), level, template)?;
    if root.path().join(&file).symlink_metadata().is_ok() {
        return Err(Error::AlreadyExists { files: vec![file] });
    }
    Ok(Created { files: write_in_mod(&root, folder, vec![(file, text.into_bytes())])?, behavior: kind, game: None })
}

/// The path and text of a new level, and the kind of the entity in it.
fn planned_level(
    root: &GameFolder,
    of_mod: Option<&Path>,
    level: &str,
    template: Template,
) -> Result<(String, String, String), Error> {
    if !is_game_folder(root.path()) {
        return Err(Error::InvalidName {
            message:
                "a level belongs to a game folder, and this folder is none; to create one, run `hangtime new NAME`"
                    .into(),
        });
    }
    name::check_level(level)?;
    let kind = match of_mod.and_then(|folder| chosen(kinds_of_mod(folder), template)) {
        Some(own) => Some(own),
        None => chosen(Project::load(root)?.kinds(), template),
    };
    let Some(kind) = kind else {
        return Err(Error::InvalidName {
            message:
                "this game has no kinds in config/entities, so no entity could play the level; to create one, run \
                      `hangtime new NAME`"
                    .into(),
        });
    };
    let view = if template.model.views().contains(&View::Side) { "side" } else { "top" };
    let text = text_of(&format!("level/{view}.toml"))
        .replace("{{name}}", level)
        .replace("{{kind}}", &kind);
    Ok((format!("levels/{level}.toml"), text, kind))
}

/// The kinds of the mod in this folder, by name. It may not be one of the game yet.
fn kinds_of_mod(folder: &Path) -> Vec<String> {
    let own = GameFolder::new(folder);
    let walk = FileWalk::new(&own, &[], &["toml"]).directly_in(&folder.join(KINDS));
    walk.files
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_string()))
        .collect()
}

/// The template's own kind if it is one of these, otherwise the first one.
fn chosen(kinds: Vec<String>, template: Template) -> Option<String> {
    let own = kinds.iter().position(|kind| kind == template.kind);
    kinds.into_iter().nth(own.unwrap_or(0))
}
