//! What a file of a game is, and the check of the files in `config/`.

use super::*;
use crate::{
    files::content::{kind::KindSettings, surfaces::read_surfaces},
    live::missing_script,
};
use hangtime_script::{Languages, Severity};

/// The type of a file, by its extension and folder.
pub enum FileKind {
    Config,
    Surfaces,
    Model(ModelName),
    Kind,
    Level,
    Behavior,
    TestScript,
    Input,
    /// The `mod.toml` of a mod.
    Manifest,
    /// A file in `config/` that nothing reads.
    Unread,
}

/// The message for a file in `config/` that nothing reads. `local` is its path below the folder of its layer.
pub fn unread(name: &str, local: &str) -> Diagnostic {
    let models = ModelName::ALL.iter().map(|m| format!("config/models/{}.toml", m.as_str()));
    let known = ["config/hangtime.toml", "config/surfaces.toml"].map(String::from);
    let known: Vec<String> = known.into_iter().chain(models).collect();
    let message = "nothing reads this file";
    match nearest(local, known.iter().map(String::as_str)) {
        Some(right) => Diagnostic::about_file(name, format!("{message}; did you mean `{right}`?")),
        None => Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::about_file(name, format!("{message}; kinds belong in config/entities/"))
        },
    }
}

/// Whether a file has the definitions that `hangtime api` writes for editors, such as `hangtime.d.rhai`: no game runs it.
pub fn is_definitions(languages: Languages, path: &Path) -> bool {
    let name = path.to_string_lossy();
    languages.stem(&name).len() < name.len() && languages.stem(&name).ends_with(".d")
}

/// Whether a file is a picture or a sound that is in no folder for them, such as the picture of a tileset: no game uses it.
pub fn is_foreign_medium(folder: &GameFolder, path: &Path) -> bool {
    let name = |path: &Path| folder.name_of(path);
    let ending = path.extension().and_then(|ending| ending.to_str());
    let own = match ending {
        Some("png") => PICTURES,
        Some("wav" | "ogg") => SOUNDS,
        _ => return false,
    };
    let roots = all_roots(folder).into_iter();
    let mut folders = roots.map(|root| name(&root.join(own)) + "/");
    !folders.any(|it| name(path).starts_with(&it))
}

/// Checks a TOML file of `config/`.
pub fn check_table(checker: &GameCheck<'_>, kind: &FileKind, file: &Arc<SourceFile>, out: &mut Mistakes) {
    let GameCheck { shared: sources, sheets, sounds, .. } = checker;
    let table = match parse(file) {
        Ok(table) => table,
        Err(wrong) => {
            out.push(wrong);
            return;
        }
    };
    match kind {
        FileKind::Surfaces => {
            read_surfaces(&table, out);
        }
        FileKind::Model(model) => KindSettings::default().read_model(*model, &table, out),
        FileKind::Kind => {
            let mut kind = KindSettings::default();
            kind.read_kind(&sources.kind_alone(&file.name, table, out), out);
            kind.stances(&checker.actions, out);
            if let Some(sprite) = &kind.sprite {
                sources.check_sprite(sprite, sheets, out);
            }
            sources.check_sounds(&kind.sounds, sounds, out);
            let layers = kind.layers.into_iter().map(|layer| layer.script);
            for (path, place) in kind.script.into_iter().chain(layers) {
                if sources.script_key(&path, &place).is_err() {
                    let names = sources.scripts_named_at(&place);
                    out.push(missing_script(&path, place, names.into_iter()));
                }
            }
        }
        _ => {
            let config = Config::read(&table, out);
            sources.check_sounds(&config.sounds, sounds, out);
        }
    }
}
