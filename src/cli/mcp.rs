//! `mcp`: tools for assistants, on stdin and stdout.

use super::*;
use hangtime_service::mcp::serve;

/// Arguments of `mcp`.
#[derive(Args)]
pub struct McpArguments {
    /// Let the assistant change files of the game; without it, edits are only checked
    #[arg(long)]
    write: bool,
}

/// Serves until the assistant's program closes stdin, and returns the exit code.
pub fn mcp(folder: GameFolder, arguments: &McpArguments) -> Exit {
    if Project::load(folder.clone())?.all_levels().is_empty() {
        warn(&[not_a_game(&folder)]);
        return Ok(UNUSABLE);
    }
    Ok(match serve(folder, arguments.write) {
        Ok(()) => SUCCESS,
        Err(error) => {
            tell(format_args!("error: the assistant's connection broke: {error}"));
            UNUSABLE
        }
    })
}
