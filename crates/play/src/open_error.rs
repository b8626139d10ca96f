//! What a test says of a level that does not open.

use super::*;

/// What comes before the mistakes in the files of a level.
pub const NOT_PLAYED: &str = " cannot be played:\n";

/// Whether building a level took too long.
pub fn is_timeout(error: &Error) -> bool {
    matches!(error, Error::CompileTimeout { .. } | Error::BuildTimeout { .. })
}

/// Refuses a call with the message of an error about a name in a test. The names of other levels are on a second line,
/// which lists of failures leave out.
pub fn about_name<T>(error: &Error) -> Result<T, CallRefusal> {
    let message = match error {
        Error::NoSuchLevel { name, hint } => {
            let hint = hint
                .strip_prefix("; ")
                .map_or_else(String::new, |hint| format!("\n{}", printable_name(hint)));
            format!("{}: no such level{hint}", printable_name(name))
        }
        other => printable_name(&other.to_string()).into_owned(),
    };
    refuse(message)
}

/// Refuses a call with the messages of an error, with source lines.
pub fn rendered<T>(error: &Error) -> Result<T, CallRefusal> {
    refuse(render_all(&error.diagnostics(), false))
}
