//! A new level in a game folder.

use super::{Created, Template, name, text_of, write};
use crate::level::View;
use crate::project::files::GameFolder;
use crate::project::files::file_system::Disk;
use crate::project::{Error, Project, is_game_folder};
use std::path::Path;

/// Creates a level in the game folder `root`: ground, a zone and an entity for the first player, of a kind that the game
/// has. It is a side view if the template's model works there. An existing file is never touched.
///
/// # Errors
/// [`Error::InvalidName`], also if `root` is no game folder or has no kind; [`Error::AlreadyExists`] or
/// [`Error::Write`].
pub fn create_level(root: &Path, level: &str, template: Template) -> Result<Created, Error> {
    if !is_game_folder(root) {
        return Err(Error::InvalidName {
            message: "a level belongs to a game folder, and this folder is none; to create one, run `hangtime new NAME`"
                .into(),
        });
    }
    name::check_level(level)?;
    let Some(kind) = kind_for(root, template)? else {
        return Err(Error::InvalidName {
            message: "this game has no kinds in config/entities, so no entity could play the level; to create one, run \
                      `hangtime new NAME`"
                .into(),
        });
    };
    let view = match template.model.views().contains(&View::Side) {
        true => "side",
        false => "top",
    };
    let text = text_of(&format!("level/{view}.toml"));
    let text = text.replace("{{name}}", level).replace("{{kind}}", &kind);
    let file = format!("levels/{level}.toml");
    let path = root.join(&file);
    GameFolder::new(root).check(&Disk, &path, &[])?;
    if path.symlink_metadata().is_ok() {
        return Err(Error::AlreadyExists { files: vec![file] });
    }
    let planned = [(path.as_path(), text.as_str())];
    write::write_all(planned.into_iter()).map_err(|(_, source)| Error::Write {
        file: file.clone(),
        source,
    })?;
    Ok(Created {
        files: vec![file],
        behavior: kind,
        game: None,
    })
}

/// The template's own kind if the game or a mod has it, otherwise the first one by name.
fn kind_for(root: &Path, template: Template) -> Result<Option<String>, Error> {
    let mut kinds = Project::load(root)?.kinds();
    let own = kinds.iter().position(|kind| kind == template.kind);
    let chosen = own.unwrap_or(0);
    Ok((chosen < kinds.len()).then(|| kinds.swap_remove(chosen)))
}
