//! The `hangtime` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(hangtime::cli::main(std::env::args_os(), None))
}
