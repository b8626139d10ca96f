//! The list of templates: the folders below `templates/` with a `summary.txt`.

use crate::languages::LANGUAGES;
use hangtime_core::models::ModelName;
use hangtime_script::Language;
use include_dir::{Dir, File, include_dir};
use std::sync::LazyLock;

/// The files of all templates, which come with the program.
pub static TEXTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src/scaffold/templates");

/// A template for a new game folder or behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// Its name: the name of its model, or of what else it shows.
    pub name: &'static str,
    /// The model of its behavior.
    pub model: ModelName,
    /// A description in one line.
    pub about: &'static str,
    /// The name of its behavior in a new game folder.
    pub(crate) kind: &'static str,
    /// How the names of its scripts end, without the dot.
    pub ending: &'static str,
}

impl Template {
    /// The template in a folder, if it is one.
    fn of(folder: &'static Dir<'_>) -> Option<Self> {
        let name = folder.path().to_str()?;
        let text = |file: &str| {
            let path = format!("{name}/{file}");
            TEXTS.get_file(path).and_then(File::contents_utf8)
        };
        // A template that shows something else names its model.
        let model = text("model.txt").map_or(name, str::trim_end);
        Some(Self {
            name,
            model: ModelName::parse(model)?,
            about: text("summary.txt")?.trim_end(),
            kind: text("kind.txt")?.trim_end(),
            ending: LANGUAGES.first().ending(),
        })
    }

    /// The same with scripts and tests in another language.
    #[must_use]
    pub fn in_language(self, language: &dyn Language) -> Self {
        Self { ending: language.ending(), ..self }
    }
}

/// The template that comes first and is the default.
const DEFAULT: &str = ModelName::platformer.as_str();

/// All templates: the default, then the other models', then templates that show something else.
pub static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(|| {
    let mut all: Vec<Template> = TEXTS.dirs().filter_map(Template::of).collect();
    all.sort_by_key(|template| {
        let of_model = ModelName::ALL.iter().position(|m| m.as_str() == template.name);
        (template.name != DEFAULT, of_model.unwrap_or(usize::MAX))
    });
    all
});
