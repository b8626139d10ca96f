//! `new`: creates a game folder, or a behavior in one.

use super::output::{SUCCESS, say, unusable};
use crate::project::terminal::tell;
use crate::project::{Created, TEMPLATES, Template, create_from_template};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::{Path, PathBuf};

/// Arguments of `new`.
#[derive(Args)]
pub struct NewArguments {
    /// Name of the new behavior, such as double_jump; outside a game folder, the game folder to create
    name: String,
    /// Template to start from: one per movement model, and a state machine
    #[arg(long, default_value = TEMPLATES[0].name, value_parser = templates())]
    template: Template,
}

fn templates() -> impl TypedValueParser<Value = Template> {
    let value = |t: &Template| PossibleValue::new(t.name).help(t.about);
    let named = |name: String| TEMPLATES.iter().find(|t| t.name == name);
    PossibleValuesParser::new(TEMPLATES.iter().map(value))
        .map(move |name| *named(name).unwrap_or(&TEMPLATES[0]))
}

/// Runs the command and returns the exit code.
pub fn new(root: &Path, arguments: &NewArguments) -> u8 {
    let created = match create_from_template(root, &arguments.name, arguments.template) {
        Ok(created) => created,
        Err(error) => return unusable(&error),
    };
    for file in &created.files {
        say(file);
    }
    tell(next_steps(root, &created));
    SUCCESS
}

/// The commands to try next.
fn next_steps(root: &Path, created: &Created) -> String {
    let name = &created.behavior;
    if let Some(game) = &created.game {
        let folder = quoted(&root.join(game));
        return format!(
            "\nnext:\n  cd {folder}\n  hangtime play    # plays its level; edit scripts/{name}.rhai \
             while it runs\n  hangtime test    # runs the tests in levels/tests\nREADME.md in that \
             folder describes the first steps."
        );
    }
    let hangtime = if root == Path::new(".") {
        "hangtime".into()
    } else {
        format!("hangtime --root {}", quoted(root))
    };
    format!(
        "\nnext:\n  {hangtime} test levels/tests/{name}.rhai    # runs its tests\n  {hangtime} play \
         levels/tests/{name}.toml    # plays its level\nTo use it in another level, add an [[entity]] \
         with kind = \"{name}\"."
    )
}

/// A path as one word of a shell command.
fn quoted(path: &Path) -> String {
    // A leading `.` is redundant.
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
