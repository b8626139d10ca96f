//! What a test says of a level that does not open.

use hangtime_game::Error;
use hangtime_script::text::printable_name;
use hangtime_script::{PlaytestError, render_all};

/// Whether building a level took too long.
pub(super) fn is_timeout(error: &Error) -> bool {
    matches!(error, Error::CompileTimeout { .. } | Error::BuildTimeout { .. })
}

/// The message of an error about a name in a test.
pub(super) fn on_one_line(error: &Error) -> PlaytestError {
    PlaytestError(printable_name(&error.to_string()).into_owned())
}

/// The messages of an error, with source lines.
pub(super) fn rendered(error: &Error) -> PlaytestError {
    PlaytestError(render_all(&error.diagnostics(), false))
}
