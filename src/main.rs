//! The `hangtime` program. Everything it does is in the library; start at `hangtime::cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hangtime::cli::main()
}
