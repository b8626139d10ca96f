//! `pages`: the completions of shells and the manual pages, for archives to hand out. Only in builds for that.

use super::*;
use clap::CommandFactory as _;
use clap_complete::{Shell, generate_to};

/// Arguments of `pages`.
#[derive(Args)]
pub struct PagesArguments {
    /// Folder that has folders completions/ and man/
    folder: PathBuf,
}

/// Runs the command and returns the exit code.
pub fn pages(arguments: &PagesArguments) -> Exit {
    let (completions, man) = (arguments.folder.join("completions"), arguments.folder.join("man"));
    let write = || -> io::Result<()> {
        for shell in Shell::value_variants() {
            generate_to(*shell, &mut Cli::command(), "hangtime", &completions)?;
        }
        clap_mangen::generate_to(Cli::command(), &man)
    };
    write().map_err(|source| not_written(&arguments.folder, source))?;
    Ok(SUCCESS)
}
