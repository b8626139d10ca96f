//! The list of templates, one for each model that has a folder below `templates/`.

use crate::models::ModelName;
use include_dir::{Dir, File, include_dir};
use std::sync::LazyLock;

/// The files of all templates, which come with the program.
pub(super) static TEXTS: Dir<'_> =
    include_dir!("$CARGO_MANIFEST_DIR/src/project/scaffold/templates");

/// A template for a new game folder or behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// The model that the template shows. The template has the same name.
    pub model: ModelName,
    /// A description in one line.
    pub about: &'static str,
    /// The name of its behavior in a new game folder.
    pub(super) kind: &'static str,
}

impl Template {
    /// The template in the folder named after a model, if there is one.
    fn of(model: ModelName) -> Option<Self> {
        let text = |file: &str| {
            let path = format!("{}/{file}", model.as_str());
            TEXTS.get_file(path).and_then(File::contents_utf8)
        };
        Some(Self {
            model,
            about: text("summary.txt")?.trim_end(),
            kind: text("kind.txt")?.trim_end(),
        })
    }
}

/// The template that comes first and is the default.
const DEFAULT: ModelName = ModelName::platformer;

/// All templates. The first one is the default.
pub static TEMPLATES: LazyLock<Vec<Template>> = LazyLock::new(|| {
    let mut all: Vec<Template> = ModelName::ALL
        .iter()
        .filter_map(|model| Template::of(*model))
        .collect();
    all.sort_by_key(|template| template.model != DEFAULT);
    all
});
