//! Checking the `level` and `set` lines of an input file.

use super::*;
use crate::files::{sources::level_names::find_level_from, tables::provenance::SETTING};

/// Reports a level that does not exist and settings that the level does not accept.
pub fn check_header(
    folder: &GameFolder,
    shared: &SourceSet,
    file: &Arc<SourceFile>,
    script: &InputScript,
) -> Vec<Diagnostic> {
    let Some(level) = &script.level else {
        return Vec::new();
    };
    let input = folder.path().join(&file.name);
    let from = input.parent().unwrap_or(folder.path());
    let path = match find_level_from(folder, from, level) {
        Ok(path) => path,
        Err(error) => {
            let place = line_of(file, |words| words == ["level", level]);
            let errors = error.diagnostics().into_iter();
            return errors.map(|wrong| Diagnostic::error(place.clone(), wrong.message)).collect();
        }
    };
    if script.settings.is_empty() {
        return Vec::new();
    }
    let sources = shared.clone().with_level(folder, &path);
    let built = Revision::build(&sources, &script.settings, 1, None);
    let mut found = Vec::new();
    // Mistakes in other files are reported when those files are checked.
    for wrong in built.err().map_or_else(Vec::new, |e| e.diagnostics()) {
        if let Some(place) = &wrong.place
            && wrong.file_name() == SETTING
        {
            let text: String = place.file.text.split_whitespace().collect();
            let place = line_of(file, |words| words[0] == "set" && words[1..].concat() == text);
            found.push(Diagnostic::error(place, wrong.message));
        }
    }
    found
}

/// The place of the first line with the wanted words, without its first word and comment.
fn line_of(file: &Arc<SourceFile>, wanted: impl Fn(&[&str]) -> bool) -> Place {
    let mut start = 0;
    for line in file.text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        if !words.is_empty() && wanted(&words) {
            let value = code.len() - code.trim_start().len() + words[0].len();
            let value = value + code[value..].len() - code[value..].trim_start().len();
            return Place::new(file, start + value..start + code.trim_end().len());
        }
        start += line.len();
    }
    Place::new(file, 0..0)
}
