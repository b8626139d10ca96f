//! The names of files that maps refer to.

/// The name of a file that another one names by a path from its own folder.
pub fn resolve_name(from: &str, path: &str) -> String {
    let path = path.replace('\\', "/");
    match from.rsplit_once('/') {
        Some((folder, _)) if !path.starts_with('/') => plain_name(&format!("{folder}/{path}")),
        _ => plain_name(&path),
    }
}

/// A path without `.` and `..`.
fn plain_name(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != ".." && !last.is_empty()) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
#[path = "../../../../tests/unit/files/maps/common/names.rs"]
mod tests;
