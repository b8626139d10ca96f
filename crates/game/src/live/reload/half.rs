//! Signs that a file was read in the middle of a save, and what it means when it stays like that.

use crate::{files::disk::endings::CONFIG, languages::LANGUAGES};
use hangtime_script::{Diagnostic, Severity, SourceFile};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The files of a revision, by their paths below the game folder.
pub type Files = BTreeMap<String, Arc<SourceFile>>;

/// The files of the running revision that look half-saved in the candidate: they are gone, empty or cut,
/// or have lost entities.
pub(crate) fn half_saved(running: &Files, candidate: &Files) -> Vec<String> {
    let half = |(name, old): &(&String, &Arc<SourceFile>)| match candidate.get(*name) {
        None => true,
        Some(new) => looks_half(name, &old.text, &new.text),
    };
    let names = running.iter().filter(half);
    names.map(|(name, _)| name.clone()).collect()
}

/// Whether the new text of a file looks like the beginning of one. A save that is not finished lacks its
/// end; so a file that still ends as it did is complete, whatever is missing before that.
fn looks_half(name: &str, old: &str, new: &str) -> bool {
    if old == new || is_blank(old) {
        return false;
    }
    if is_blank(new) || (old.ends_with('\n') && !new.ends_with('\n')) {
        return true;
    }
    // Only spaces at the end may be taken away at once.
    if old.starts_with(new) && old.trim_end() != new.trim_end() {
        return true;
    }
    let is_toml = name.ends_with(".toml");
    if is_toml && entities(new) < entities(old) {
        return true;
    }
    let (was, is) = (old.trim_end(), new.trim_end());
    let shorter = is.lines().count() < was.lines().count();
    if is.lines().next_back() == was.lines().next_back() {
        return shorter && was.starts_with(is);
    }
    // Comments are followed by what they are about, and the half of one is as valid as the whole. A script that has always
    // ended with one is complete with it.
    let ends_in_comment = |text| LANGUAGES.of(name).is_some_and(|language| language.ends_in_comment(text));
    let in_comment = ends_in_comment(is) && !ends_in_comment(was);
    shorter || in_comment || (is_toml && keys(was).difference(&keys(is)).next().is_some())
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The number of entities that a level lists.
fn entities(text: &str) -> usize {
    let headers = text.lines().filter_map(header);
    headers.filter(|name| name == "[[entity]]").count()
}

/// The header of a table on this line, without spaces and comments.
fn header(line: &str) -> Option<String> {
    let line = line.split('#').next().unwrap_or_default().trim();
    let is_header = line.starts_with('[') && line.ends_with(']') && !line.contains(',');
    is_header.then(|| line.replace([' ', '\t'], ""))
}

/// The keys of all tables, each after the header of its table. The text need not be valid.
fn keys(text: &str) -> BTreeSet<(String, &str)> {
    let mut keys = BTreeSet::new();
    let mut table = String::new();
    for line in text.lines() {
        if let Some(header) = header(line) {
            keys.insert((header.clone(), ""));
            table = header;
        } else if let Some((key, _)) = line.split_once('=')
            && !key.trim_start().starts_with('#')
        {
            keys.insert((table.clone(), key.trim()));
        }
    }
    keys
}

/// The files with numbers that a candidate lacks, as they were in the running revision. They may be gone by mistake,
/// and nothing else would report them: the game would play with the defaults.
pub(crate) fn gone_numbers(running: &Files, candidate: &Files) -> Files {
    let is_gone = |name: &String| !candidate.contains_key(name) && falls_back(name);
    let gone = running.iter().filter(|(name, file)| is_gone(name) && !is_blank(&file.text));
    gone.map(|(name, file)| (name.clone(), file.clone())).collect()
}

/// What is said about such a file while its numbers stay in effect.
pub(crate) fn kept_numbers(kept: &Files) -> Vec<Diagnostic> {
    let message = "this file is gone: its numbers stay in effect until it is back, or until you restart the level";
    kept.keys().map(|name| Diagnostic::about_file(name, message)).collect()
}

/// Whether the defaults apply without a file.
fn falls_back(name: &str) -> bool {
    name == CONFIG || name == "config/surfaces.toml" || name.starts_with("config/models/")
}

/// Warnings about the files that a candidate lacks, or that have become empty, and about a level without
/// entities: what the game uses instead.
pub(crate) fn lost_files(running: &Files, candidate: &Files) -> Vec<Diagnostic> {
    let mut lost = Vec::new();
    for (name, old) in running.iter().filter(|(_, old)| !is_blank(&old.text)) {
        let new = candidate.get(name);
        let gone = new.is_none();
        let instead = match new {
            Some(new) if !is_blank(&new.text) => {
                if !name.starts_with("config/") && entities(&old.text) > 0 && entities(&new.text) == 0 {
                    lost.push(warning(name, "the level has no entities any more".into()));
                }
                continue;
            }
            _ => instead_of(name, gone),
        };
        if let Some(instead) = instead {
            let state = if gone { "gone" } else { "empty" };
            lost.push(warning(name, format!("this file is {state}: {instead}")));
        }
    }
    lost
}

/// What applies instead of a file; none if the build reports what misses it.
fn instead_of(name: &str, gone: bool) -> Option<&'static str> {
    if name == CONFIG {
        Some("its settings are the defaults now")
    } else if falls_back(name) {
        Some("the defaults apply now")
    } else if gone {
        None
    } else if name.starts_with("config/") {
        Some("this kind has no script and the numbers of its model now")
    } else if name.starts_with("scripts/") || name.contains("/scripts/") {
        Some("it has no hooks and functions now")
    } else {
        None
    }
}

fn warning(name: &str, message: String) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..Diagnostic::about_file(name, message) }
}

#[cfg(test)]
#[path = "../../../tests/unit/live/reload/half.rs"]
mod tests;
