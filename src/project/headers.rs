//! What the head of an input file names: a level, and settings.

use super::input::InputScript;
use super::source::find_level;
use super::{Revision, SourceSet};
use crate::script::host::{Diagnostic, Place, SourceFile};
use std::path::Path;
use std::sync::Arc;

/// What of the head of an input file is not there in this game.
pub(super) fn check_head(
    root: &Path,
    file: &Arc<SourceFile>,
    script: &InputScript,
) -> Vec<Diagnostic> {
    let Some(level) = &script.level else {
        return Vec::new();
    };
    let path = match find_level(root, level) {
        Ok(path) => path,
        Err(wrong) => {
            let place = line_of(file, |words| words == ["level", level]);
            return vec![Diagnostic::error(place, wrong.message)];
        }
    };
    if script.settings.is_empty() {
        return Vec::new();
    }
    let sources = SourceSet::read(root, &path);
    let built = Revision::build(&sources, &script.settings, 1, None);
    let mut found = Vec::new();
    // What is wrong without the settings is told where it stands.
    for wrong in built.err().unwrap_or_default() {
        if let Some(place) = &wrong.place
            && wrong.file_name() == "setting"
        {
            let text: String = place.file.text.split_whitespace().collect();
            let place = line_of(file, |words| {
                words[0] == "set" && words[1..].concat() == text
            });
            found.push(Diagnostic::error(place, wrong.message));
        }
    }
    found
}

/// The first line whose words are as wanted, without its comment.
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
