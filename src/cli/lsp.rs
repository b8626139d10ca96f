//! `lsp`: a language server for editors, on stdin and stdout.

use super::*;
use hangtime_service::editor::serve;

/// Serves until the editor ends it, and returns the exit code.
pub fn lsp(folder: &GameFolder) -> Exit {
    Ok(match serve(folder) {
        Ok(()) => SUCCESS,
        Err(error) => {
            tell(format_args!("error: the editor's connection broke: {error}"));
            UNUSABLE
        }
    })
}
