//! `new`: creates a game folder, or a behavior or a level in one.

use super::*;
use clap::builder::TypedValueParser;
use hangtime_game::{
    Created, TEMPLATES, Template, WITHOUT_LUA, create_from_template, create_in_mod, create_level, create_level_in_mod,
};
use hangtime_script::Language;

/// Arguments of `new`.
#[derive(Args)]
pub struct NewArguments {
    /// Name of the new behavior, such as double_jump; outside a game folder, the game folder to create
    name: String,
    /// After the word `level`: name of the new level of this game
    #[arg(value_name = "LEVEL")]
    level: Option<String>,
    /// Template to start from: one per movement model, and some that show something else
    #[arg(long, default_value = TEMPLATES[0].name, value_parser = templates())]
    template: Template,
    /// Write its scripts and tests in Lua instead of Rhai
    #[arg(long)]
    lua: bool,
}

fn templates() -> impl TypedValueParser<Value = Template> {
    let value = |t: &Template| PossibleValue::new(t.name).help(t.about);
    let named = |name: String| TEMPLATES.iter().find(|t| t.name == name);
    PossibleValuesParser::new(TEMPLATES.iter().map(value)).map(move |name| *named(name).unwrap_or(&TEMPLATES[0]))
}

/// Runs the command and returns the exit code.
pub fn new(root: &GameFolder, mods: &[PathBuf], arguments: &NewArguments) -> Exit {
    let (name, mut template) = (&arguments.name, arguments.template);
    if arguments.lua {
        template = template.in_language(lua()?);
    }
    let created = match (&arguments.level, mods) {
        (Some(level), []) if name == LEVEL => create_level(root, level, template)?,
        (Some(level), [folder, ..]) if name == LEVEL => create_level_in_mod(root, folder, level, template)?,
        (Some(_), _) => {
            let message = format!(
                "`new` takes one name, or `{LEVEL}` and the name of a level; it cannot create two things at once"
            );
            return Err(Error::InvalidName { message });
        }
        (None, []) => create_from_template(root, name, template)?,
        (None, [folder, ..]) => create_in_mod(root, folder, name, template)?,
    };
    for file in &created.files {
        say(file);
    }
    tell(next_steps(root.path(), mods.first(), arguments.level.as_deref(), (&created, template)));
    Ok(SUCCESS)
}

/// The language Lua, if this program has it.
fn lua() -> Result<&'static dyn Language, Error> {
    let mut languages = LANGUAGES.0.iter().copied();
    let built = languages.find(|language| language.name() == "Lua" && !language.is_missing());
    built.ok_or_else(|| Error::InvalidName { message: WITHOUT_LUA.into() })
}

/// The word before the name of a new level.
const LEVEL: &str = "level";

/// The commands to try next.
fn next_steps(
    root: &Path,
    of_mod: Option<&PathBuf>,
    level: Option<&str>,
    (created, template): (&Created, Template),
) -> String {
    let (name, ending) = (&created.behavior, template.ending);
    if let Some(game) = &created.game {
        let folder = quoted(&root.join(game));
        return format!(
            "\nnext:\n  cd {folder}\n  hangtime play    # plays its level; edit scripts/{name}.{ending} \
             while it runs\n  hangtime test    # runs the tests in levels/tests\nREADME.md in that \
             folder describes the first steps."
        );
    }
    let mut files = created.files.iter();
    let hangtime = if root == Path::new(".") {
        "hangtime".into()
    } else {
        format!("hangtime --root {}", quoted(root))
    };
    // A mod that is not in mods/ has to be named each time.
    let option = match of_mod.filter(|_| files.clone().any(|file| Path::new(file).is_absolute())) {
        Some(folder) => format!(" --mod {}", quoted(folder)),
        None => String::new(),
    };
    if let Some(level) = level {
        let file = files.find(|file| file.ends_with(".toml") && !file.ends_with("mod.toml"));
        let file = file.map_or("", String::as_str);
        return format!(
            "\nnext:\n  {hangtime} play{option} {level}    # plays it; edit {file} while it runs\nTo play it from another \
             level, call world::play_level(\"{level}\") in a script."
        );
    }
    let file_of = |ending: &str| {
        let wanted = format!("levels/tests/{name}.{ending}");
        let file = files.clone().find(|file| file.ends_with(&wanted));
        quoted(Path::new(file.unwrap_or(&wanted)))
    };
    let (test, level) = (file_of(ending), file_of("toml"));
    format!(
        "\nnext:\n  {hangtime} test{option} {test}    # runs its tests\n  {hangtime} play{option} {level}    # \
         plays its level\nTo use it in another level, add an [[entity]] \
         with kind = \"{name}\"."
    )
}

/// A path as one word of a shell command.
fn quoted(path: &Path) -> String {
    // A leading `.` is redundant.
    let path = path.strip_prefix(".").map_or_else(|_| path.to_path_buf(), PathBuf::from);
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-~:\\+".contains(c);
    if text.chars().all(plain) && !text.starts_with('-') {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
