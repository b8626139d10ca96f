//! `test --from`: makes a test of a recording.

use super::output::{SUCCESS, unusable};
use super::test_options::{TestArguments, refuse_in_ci};
use hangtime_game::recording::RecordingReader;
use hangtime_game::terminal::tell;
use hangtime_game::{Error, GameFolder, Live, Project, files};
use hangtime_play::{RecordedInput, collect, update_golden};
use hangtime_script::Diagnostic;
use hangtime_script::text::printable_name;
use std::sync::Arc;

/// Runs the command and returns the exit code.
pub(super) fn make_test(folder: GameFolder, recording: &str, arguments: &TestArguments) -> u8 {
    match write_test(folder, recording, &arguments.paths) {
        Ok(()) => SUCCESS,
        Err(error) => unusable(&error),
    }
}

fn write_test(folder: GameFolder, recording: &str, names: &[String]) -> Result<(), Error> {
    refuse_in_ci("--from")?;
    let [name] = names else {
        let message = "name the test, as in `hangtime test --from walk.run walk`";
        return Err(Diagnostic::about_file("--from", message).into());
    };
    let plain = |c: char| c.is_alphanumeric() || "-_".contains(c);
    if name.is_empty() || !name.chars().all(plain) {
        let message = "a test's name has letters, digits, `_` and `-` only";
        return Err(Diagnostic::about_file(name.as_str(), message).into());
    }
    let project = Project::load(folder)?;
    let path = files::find(project.root(), recording)?;
    let input = RecordedInput::read(RecordingReader::open(&path)?)?;
    let file = format!("levels/tests/{name}.input");
    let script = input.script(&file)?;
    // The level has to be there before anything is written.
    let tests = project.root().join("levels/tests");
    let level = project.find_level_from(&tests, script.level.as_deref().unwrap_or_default())?;
    let revision = project.open(&level, &script.settings)?;
    let track = script.track(revision.stage.hz);
    let mut live = Live::new(Arc::new(revision), script.seed.unwrap_or(0));
    let difference = input.first_tick_that_differs(&mut live, &track);
    let written = project.root().join(&file);
    files::write_new(project.folder(), &written, &input.text)?;
    let found = files::find_tests(project.folder(), &[written.display().to_string()])?;
    for case in collect(&project, &found) {
        let ticks = update_golden(&project, &case).inspect_err(|_| {
            // An input file without its trace would be a test that fails.
            files::remove_new(&written);
        })?;
        let case = printable_name(&case.name).into_owned();
        let trace = case.strip_suffix(".input").unwrap_or(&case);
        match ticks {
            Some(ticks) => tell(format_args!("wrote {case} and {trace}.trace: {ticks} ticks")),
            None => tell(format_args!("wrote {case}; {trace}.trace was right already")),
        }
    }
    if !input.complete {
        tell("warning: the recording was cut; the test goes as far as it does");
    }
    match difference {
        None => tell("the game plays as it was recorded"),
        Some(tick) => tell(format_args!(
            "warning: it plays differently from tick {tick} on: the files of the game are not those of the \
             recording; the test holds how it plays now"
        )),
    }
    Ok(())
}
