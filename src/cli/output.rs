//! Exit codes, and what all commands share: output, stack size, settings.

use hangtime_game::terminal::{print_result, tell, tell_rendered};
use hangtime_game::{Error, GameFolder, Threads};
use hangtime_script::text::{printable, printable_styled};
use hangtime_script::{Diagnostic, Execution, STACK, render_all};
use std::fmt;
use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// The command succeeded.
pub const SUCCESS: u8 = 0;
/// `check` found an error, a script failed under `run --strict`, `replay` found a difference, saving and
/// loading made one under `--heavy`, or no run of a `sweep` passed or some failed.
pub const PROBLEMS_FOUND: u8 = 1;
/// Wrong usage, or a file that cannot be used.
pub const UNUSABLE: u8 = 2;
/// `test` found no tests.
pub const NO_TESTS: u8 = 4;
/// At least one test failed.
pub const TESTS_FAILED: u8 = 100;
/// Ctrl-C, or a request of the system to end, has ended the command early.
pub const INTERRUPTED: u8 = 130;
/// The exit code of a Rust program that panics.
const PANICKED: u8 = 101;

/// Prints a result on stdout, with control characters escaped. If the reader of a pipe is gone, nothing more is
/// printed, and the command ends with its usual exit code; any other failure is an error.
pub(super) fn say(text: impl fmt::Display) {
    write_line(&printable(&text.to_string()));
}

/// Prints a rendered message on stdout: its colors stay.
pub(super) fn say_rendered(text: &str) {
    write_line(&printable_styled(text));
}

fn write_line(text: &str) {
    match print_result(text) {
        Ok(()) => {}
        // The reader has what it wants. What the command has found is still its exit code.
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {}
        Err(e) => {
            tell(format_args!("error: cannot write to stdout: {e}"));
            std::process::exit(UNUSABLE.into());
        }
    }
}

/// Prints why a command cannot run, and returns the exit code for that.
pub(super) fn unusable(error: &Error) -> u8 {
    tell_rendered(&render_all(&error.diagnostics(), color_on_stderr()));
    UNUSABLE
}

/// The error about a folder without levels.
pub(super) fn not_a_game(folder: &GameFolder) -> Diagnostic {
    let message = "this folder is not a game: it has no levels/ with levels in it; `hangtime new NAME` makes a game, \
                   `--root DIR` names the folder of one";
    Diagnostic::about_file(folder.path().display().to_string(), message)
}

/// Prints messages on stderr, most often warnings.
pub(super) fn warn(warnings: &[Diagnostic]) {
    if !warnings.is_empty() {
        tell_rendered(&render_all(warnings, color_on_stderr()));
    }
}

/// Whether messages on stderr should be colored.
pub(super) fn color_on_stderr() -> bool {
    io::stderr().is_terminal()
}

/// Runs a command on a thread whose stack is large enough for scripts.
pub(super) fn on_large_stack(command: impl FnOnce() -> u8 + Send + 'static) -> u8 {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(command);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The thread has printed its panic message.
        Ok(Err(_)) => PANICKED,
        Err(e) => {
            tell(format_args!("error: cannot start a thread: {e}"));
            UNUSABLE
        }
    }
}

/// How a command executes the scripts of a game, if it has the option `--both-ways`.
pub(super) fn execution(folder: &GameFolder, both_ways: bool) -> Execution {
    match both_ways {
        true => Execution::BothWays,
        false => folder.execution(),
    }
}

/// The threads that share ticks: this many or, by default, one for each processor core. `None` for one
/// thread, and if the system starts no others.
pub(super) fn tick_threads(count: Option<u16>) -> Option<Arc<Threads>> {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let count = NonZeroUsize::new(count.map_or_else(cores, usize::from))?;
    let threads = (count.get() > 1).then(|| Threads::new(count).ok())?;
    threads.map(Arc::new)
}

/// Runs a command on one of the threads that share ticks or, without them, on a thread whose stack is
/// large enough for scripts.
pub(super) fn on_threads(count: Option<u16>, command: impl FnOnce(Option<Arc<Threads>>) -> u8 + Send + 'static) -> u8 {
    let Some(threads) = tick_threads(count) else {
        return on_large_stack(move || command(None));
    };
    let run = || threads.run(|| command(Some(threads.clone())));
    // The thread has printed its panic message.
    std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(PANICKED)
}

/// Parses `KEY=VALUE`.
pub(super) fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_string(), value.trim().to_string())),
        _ => Err("write KEY=VALUE, such as platformer.jump_speed=600".into()),
    }
}

/// A parser of whole numbers within a range.
pub(super) fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    least: u64,
    most: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text: &str| {
        let number = text.parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match most {
            u64::MAX => format!("write a whole number, {least} or more"),
            most => format!("write a whole number from {least} to {most}"),
        })
    }
}
