//! A test that starts with an entity where a window shows it.

use super::write_all;
use crate::files::{FileWalk, GameFolder, check_output};
use glam::DVec2;
use std::path::Path;

/// The folder of tests, below the game folder.
const TESTS: &str = "levels/tests";

/// The highest number of a test of one level.
const MOST_TESTS: u32 = 9_999;

/// The tests in each language, by the ending of their files; the first one is written if the game has no tests.
const TEXTS: [(&str, &str); 2] = [
    (
        "rhai",
        r#"// `{entity}` starts where it was in the window. Run this with `hangtime test {file}`.

fn {test}() {
    let t = play({level});
    t.place({name}, {place});
    let body = t.entity({name});
    // Press keys here, such as t.hold("right"), and let time pass.
    t.ticks(1);
    // Say what has to be true then, such as expect(body.y).above(0).
    expect(t.tick).equals(1);
}
"#,
    ),
    (
        "luau",
        r#"-- `{entity}` starts where it was in the window. Run this with `hangtime test {file}`.

function {test}()
    local t = play({level})
    t:place({name}, {place})
    local body = t:entity({name})
    -- Press keys here, such as t:hold("right"), and let time pass.
    t:ticks(1)
    -- Say what has to be true then, such as expect(body.y):above(0).
    expect(t.tick):equals(1)
end
"#,
    ),
];

/// An entity of a level, and how a test starts with it.
#[derive(Clone, Debug, PartialEq)]
pub struct StartTest {
    /// Its name.
    pub entity: String,
    /// Its center, px.
    pub at: DVec2,
    /// Its velocity, px/s.
    pub velocity: DVec2,
}

/// Writes a test of a level, given by its path below the game folder, in the language of most tests of the game and under a
/// name that is free. Returns the path of its file below the game folder.
///
/// # Errors
/// Why it cannot be written.
pub fn save_start_test(folder: &GameFolder, level: &str, start: &StartTest) -> Result<String, String> {
    let root = folder.path();
    let tests = root.join(TESTS);
    let count = |ending: &str| match folder.has_folder(&tests) {
        true => FileWalk::through(folder, &tests, &[ending]).files.len(),
        false => 0,
    };
    let languages = TEXTS
        .iter()
        .filter(|(ending, _)| folder.languages().endings().any(|known| known == *ending));
    let counted = languages.map(|(ending, text)| (count(ending), *ending, *text));
    let most = counted.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (_, ending, text) = most.ok_or("this hangtime knows no language of tests")?;
    let short = level.strip_prefix("levels/").unwrap_or(level);
    // A file next to the test would be found first.
    let is_hidden = short != level && folder.has(&tests.join(short));
    let short = if is_hidden { level } else { short };
    let stem = Path::new(level).file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let stem: String = stem.chars().take(60).map(plain).collect();
    let names = (1..=MOST_TESTS).map(|number| format!("{stem}_start_{number}"));
    let mut names = names.filter(|name| {
        let taken = |(ending, _): &(&str, &str)| tests.join(format!("{name}.{ending}")).symlink_metadata().is_ok();
        !TEXTS.iter().any(taken)
    });
    let name = names.next().ok_or("there are too many tests of this level's name")?;
    let file = format!("{TESTS}/{name}.{ending}");
    let DVec2 { x, y } = start.at;
    let place = format!("{x}, {y}, {}, {}", start.velocity.x, start.velocity.y);
    let fillings = [
        ("{file}", file.clone()),
        ("{test}", format!("test_{name}")),
        ("{level}", spelled(short)),
        ("{place}", place),
        ("{entity}", start.entity.replace(['\n', '\r'], " ")),
        ("{name}", spelled(&start.entity)),
    ];
    let (path, text) = (root.join(&file), filled(text, &fillings));
    check_output(folder, &path, &[]).map_err(|error| error.to_string())?;
    let written = write_all([(path.as_path(), text.as_bytes())].into_iter());
    written.map_err(|(_, error)| format!("{file} cannot be written: {error}"))?;
    Ok(file)
}

/// A text with values in place of words. Values that contain such words stay as they are.
fn filled(text: &str, fillings: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let known = fillings.iter().find(|(word, _)| rest.starts_with(word));
        let (filling, word) = known.map_or(("{", "{"), |(word, filling)| (filling.as_str(), *word));
        out.push_str(filling);
        rest = &rest[word.len()..];
    }
    out + rest
}

/// A text in quotes, as both languages have it.
fn spelled(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r"))
}
