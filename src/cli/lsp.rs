//! `lsp`: a language server for editors, on stdin and stdout.

use super::output::{SUCCESS, UNUSABLE};
use hangtime_game::GameFolder;
use hangtime_game::terminal::tell;
use hangtime_service::editor::serve;

/// Serves until the editor ends it, and returns the exit code.
pub fn lsp(folder: &GameFolder) -> u8 {
    match serve(folder) {
        Ok(()) => SUCCESS,
        Err(error) => {
            tell(format_args!("error: the editor's connection broke: {error}"));
            UNUSABLE
        }
    }
}
