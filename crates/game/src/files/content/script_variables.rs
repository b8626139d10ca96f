//! The variables that a script's text reads.

use super::*;

/// The names after `this.` in a script.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ScriptVariables<'a> {
    /// The names.
    pub names: BTreeSet<&'a str>,
    /// Whether it uses `this` in another way, too, so that it may read any variable.
    pub any: bool,
}

impl<'a> ScriptVariables<'a> {
    /// Those that a script reads. Comments do not count.
    pub fn read_by(text: &'a str) -> Self {
        let mut found = Self::default();
        for line in code_lines(text) {
            for (at, _) in line.match_indices("this") {
                let (before, after) = (&line[..at], &line[at + "this".len()..]);
                let inside = |c: char| !outside(c);
                if before.ends_with(inside) || after.starts_with(inside) {
                    continue;
                }
                let Some(name) = after.strip_prefix('.') else {
                    found.any = true;
                    continue;
                };
                let end = name.find(outside).unwrap_or(name.len());
                // A function that is not the script's own may read any variable.
                if !name[end..].trim_start().starts_with('(') {
                    found.names.insert(&name[..end]);
                } else if !text.contains(&format!("fn {}(", &name[..end])) {
                    found.any = true;
                }
            }
        }
        found
    }
}

/// Whether a script reads a variable of another entity or of the level by this name, as `x.vars.NAME`
/// or `x.vars["NAME"]`. With `any`, every `.NAME` counts.
pub(crate) fn reads_of_others(text: &str, name: &str, any: bool) -> bool {
    let quoted = format!("\"{name}\"");
    let member = if any { format!(".{name}") } else { format!("vars.{name}") };
    code_lines(text).any(|line| {
        let mut found = line.match_indices(&member);
        line.contains(&quoted)
            || found.any(|(at, _)| {
                let after = line[at + member.len()..].chars().next();
                after.is_none_or(outside)
            })
    })
}

fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// Whether a character cannot be part of a name.
pub(crate) fn outside(c: char) -> bool {
    !c.is_alphanumeric() && c != '_'
}

#[cfg(test)]
#[path = "../../../tests/unit/files/content/script_variables.rs"]
mod tests;
