//! Exit codes, and what all commands share: output, stack size, settings.

use super::*;
use hangtime_game::{files::read, terminal::print_result};
use hangtime_play::ResultsHeader;
use hangtime_script::{STACK, text::printable_styled};
use indicatif::ProgressStyle;
use std::{
    fmt,
    io::{IsTerminal as _, Write},
    num::NonZeroUsize,
    panic::AssertUnwindSafe,
};

/// The exit code of a command, or why it cannot run.
pub type Exit = Result<u8, Error>;

/// The writer of an output.
pub type Out = Box<dyn Write + Send>;

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
pub fn say(text: impl fmt::Display) {
    write_line(&printable(&text.to_string()));
}

/// Prints a rendered message on stdout: its colors stay.
pub fn say_rendered(text: &str) {
    write_line(&printable_styled(text));
}

/// Prints data as indented JSON on stdout.
pub fn say_json(data: &impl Serialize) {
    // Writing plain data into memory does not fail.
    write_line(&printable_json(&serde_json::to_string_pretty(data).unwrap_or_default()));
}

/// `1 file`, `2 files`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
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
pub fn unusable(error: &Error) -> u8 {
    tell_rendered(&render_all(&error.diagnostics(), color_on_stderr()));
    UNUSABLE
}

/// The error about an option that cannot be used so.
pub fn refused(option: &str, message: impl Into<String>) -> Error {
    Diagnostic::about_file(option, message).into()
}

/// The error about a folder without levels.
pub fn not_a_game(folder: &GameFolder) -> Diagnostic {
    let message = "this folder is not a game: it has no levels/ with levels in it; `hangtime new NAME` makes a game, \
                   `--root DIR` names the folder of one";
    Diagnostic::about_file(folder.path().display().to_string(), message)
}

/// Prints messages on stderr, most often warnings.
pub fn warn(warnings: &[Diagnostic]) {
    if !warnings.is_empty() {
        tell_rendered(&render_all(warnings, color_on_stderr()));
    }
}

/// Whether messages on stderr should be colored.
pub fn color_on_stderr() -> bool {
    io::stderr().is_terminal()
}

/// Runs a command on a thread whose stack is large enough for scripts.
pub fn on_large_stack(command: impl FnOnce() -> Exit + Send + 'static) -> Exit {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(command);
    match thread.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        // The thread has printed its panic message.
        Ok(Err(_)) => Ok(PANICKED),
        Err(e) => {
            tell(format_args!("error: cannot start a thread: {e}"));
            Ok(UNUSABLE)
        }
    }
}

/// Runs a command with these arguments on a thread whose stack is large enough for scripts.
pub fn on_stack<A: Send + 'static>(folder: GameFolder, arguments: A, command: fn(GameFolder, &A) -> Exit) -> Exit {
    on_large_stack(move || command(folder, &arguments))
}

/// The folder with the way its scripts are executed by a command that has the option `--both-ways`.
pub fn with_execution(folder: GameFolder, both_ways: bool) -> GameFolder {
    if both_ways { folder.run_scripts(Execution::BothWays) } else { folder }
}

/// The number of processor cores, unless another one is given.
pub fn job_count(jobs: Option<u16>) -> usize {
    jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// The threads that share ticks: this many or, by default, one for each processor core. `None` for one
/// thread, and if the system starts no others.
pub fn tick_threads(count: Option<u16>) -> Option<Arc<Threads>> {
    let count = NonZeroUsize::new(job_count(count))?;
    let threads = (count.get() > 1).then(|| Threads::new(count).ok())?;
    threads.map(Arc::new)
}

/// Runs a command on one of the threads that share ticks or, without them, on a thread whose stack is
/// large enough for scripts.
pub fn on_threads(count: Option<u16>, command: impl FnOnce(Option<Arc<Threads>>) -> Exit + Send + 'static) -> Exit {
    let Some(threads) = tick_threads(count) else {
        return on_large_stack(move || command(None));
    };
    let run = || threads.run(|| command(Some(threads.clone())));
    // The thread has printed its panic message.
    std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or(Ok(PANICKED))
}

/// The actions of players in this input file, if one is named.
pub fn input_of(project: &Project, name: Option<&String>) -> Result<Option<InputScript>, Error> {
    let script = |name: &String| {
        let file = read(project.folder(), name)?;
        InputScript::parse_with(&file, &project.own_actions())
    };
    name.map(script).transpose()
}

/// Starts to write an output, if it was asked for.
pub fn create(root: &Path, path: Option<&PathBuf>, kind: OutputKind) -> Result<Option<(OutputFile, Out)>, Error> {
    path.map(|path| OutputFile::create(root, path, kind)).transpose()
}

/// Starts to write results, if they were asked for.
pub fn create_results(
    root: &Path,
    path: Option<&PathBuf>,
    header: impl FnOnce() -> ResultsHeader,
) -> Result<Option<ResultsWriter>, Error> {
    let start = |path: &PathBuf| {
        let out = OutputFile::in_place(root, path, OutputKind::Results)?;
        ResultsWriter::new(out, &header()).map_err(|source| not_written(path, source))
    };
    path.map(start).transpose()
}

/// Gives a complete output its name, and says so.
pub fn complete(file: OutputFile) -> io::Result<()> {
    let path = file.path().display().to_string();
    file.complete().map_err(io::Error::other)?;
    tell(format_args!("wrote {path}"));
    Ok(())
}

/// The error about an output that cannot be written.
pub fn not_written(path: &Path, source: io::Error) -> Error {
    Error::Write { file: path.display().to_string(), source }
}

/// A progress bar on a terminal, unless there are fewer steps than `least`: they end before it can be read.
pub fn progress_bar(steps: u64, least: u64, template: &str) -> Option<ProgressBar> {
    if steps < least || !io::stderr().is_terminal() {
        return None;
    }
    Some(ProgressBar::new(steps).with_style(ProgressStyle::with_template(template).ok()?))
}

/// Parses `KEY=VALUE`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_string(), value.trim().to_string())),
        _ => Err("write KEY=VALUE, such as platformer.jump_speed=600".into()),
    }
}

/// A parser of whole numbers within a range.
pub fn whole<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
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
