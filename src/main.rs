//! The `hangtime` program: [`cli`] has one file for each command.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
