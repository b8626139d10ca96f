//! What a test says of a level that does not open.

use hangtime_game::Error;
use hangtime_script::text::printable_name;
use hangtime_script::{CallRefusal, refuse, render_all};

/// Whether building a level took too long.
pub(super) fn is_timeout(error: &Error) -> bool {
    matches!(error, Error::CompileTimeout { .. } | Error::BuildTimeout { .. })
}

/// Refuses a call with the message of an error about a name in a test.
pub(super) fn on_one_line<T>(error: &Error) -> Result<T, CallRefusal> {
    refuse(printable_name(&error.to_string()))
}

/// Refuses a call with the messages of an error, with source lines.
pub(super) fn rendered<T>(error: &Error) -> Result<T, CallRefusal> {
    refuse(render_all(&error.diagnostics(), false))
}
