//! `new`: a game folder, or a behavior in one.

use super::{GOOD, say, unusable};
use crate::project::{Made, TEMPLATES, Template, make_from_template};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};

/// Arguments of `new`.
#[derive(Args)]
pub struct NewArguments {
    /// In a game folder the new behavior's name, such as double_jump; elsewhere the new folder
    name: String,
    /// What it begins as: one for each movement model
    #[arg(long, default_value = TEMPLATES[0].model.as_str(), value_parser = templates())]
    template: Template,
}

fn templates() -> impl TypedValueParser<Value = Template> {
    let value = |t: &Template| PossibleValue::new(t.model.as_str()).help(t.about);
    let named = |name: String| TEMPLATES.iter().find(|t| t.model.as_str() == name);
    PossibleValuesParser::new(TEMPLATES.iter().map(value))
        .map(move |name| *named(name).unwrap_or(&TEMPLATES[0]))
}

/// Runs the command.
pub fn new(root: &Path, arguments: &NewArguments) -> u8 {
    let made = match make_from_template(root, &arguments.name, arguments.template) {
        Ok(made) => made,
        Err(wrong) => return unusable(&wrong),
    };
    for file in &made.files {
        say(file);
    }
    eprintln!("{}", next_steps(root, &made));
    GOOD
}

/// What to do with what was made.
fn next_steps(root: &Path, made: &Made) -> String {
    let name = &made.behavior;
    if let Some(game) = &made.game {
        let folder = quoted(&root.join(game));
        return format!(
            "\nnext:\n  cd {folder}\n  hangtime play    # opens its level; change scripts/{name}.rhai \
             while it runs\n  hangtime test    # runs levels/tests\nREADME.md there has the first steps."
        );
    }
    let hangtime = if root == Path::new(".") {
        "hangtime".into()
    } else {
        format!("hangtime --root {}", quoted(root))
    };
    format!(
        "\nnext:\n  {hangtime} test levels/tests/{name}.rhai    # its tests\n  {hangtime} play \
         levels/tests/{name}.toml    # its level\nIn a level of yours it is an [[entity]] with kind = \
         \"{name}\"."
    )
}

/// A path as one word of a command line.
fn quoted(path: &Path) -> String {
    // `.` in front of a path says nothing.
    let path = path
        .strip_prefix(".")
        .map_or_else(|_| path.to_path_buf(), PathBuf::from);
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-~:\\+".contains(c);
    if text.chars().all(plain) && !text.starts_with('-') {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
