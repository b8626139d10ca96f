//! Command lines that users can copy.

use std::path::Path;

/// The option for the game folder, with a space before it; empty if it is the working directory.
pub(super) fn root_option(root: &Path) -> String {
    if root == Path::new(".") {
        String::new()
    } else {
        format!(" --root {}", quoted(&root.display().to_string()))
    }
}

/// An argument as shells read it.
pub(super) fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:,+@%".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.into();
    }
    let escaped = if cfg!(windows) {
        argument.to_string()
    } else {
        let mut text = String::new();
        for c in argument.chars() {
            if matches!(c, '"' | '\\' | '$' | '`') {
                text.push('\\');
            }
            text.push(c);
        }
        text
    };
    format!("\"{escaped}\"")
}
