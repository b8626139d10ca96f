//! Results as text for people.

use super::*;
use crate::outcome::MOST_SHOWN_TEXT;
use hangtime_script::{render_all, text::short_numbers};

/// The largest number of characters of a message in a recap.
const MOST_IN_RECAP: usize = 1000;

impl TestResult {
    /// The failure as text: place, expected and actual value, tick, and the command line that runs the
    /// test again. Only warnings for a test that passed. Control characters are escaped.
    pub fn report(&self, color: bool) -> String {
        let warnings = (!self.warnings.is_empty()).then(|| render_all(&self.warnings, color));
        let outcome = Some(self.report_outcome(color)).filter(|text| !text.is_empty());
        let parts: Vec<String> = warnings.into_iter().chain(outcome).collect();
        parts.join("\n")
    }

    fn report_outcome(&self, color: bool) -> String {
        match &self.outcome {
            TestOutcome::Passed => String::new(),
            TestOutcome::KnownFailure(known) => {
                format!("  known failure: {}\n  {}", shown(&known.why), known.failure.diagnostic.headline())
            }
            TestOutcome::NotCompiled(wrong) => {
                format!("{}\n{}", render_all(wrong, color), self.rerun_line("  "))
            }
            TestOutcome::Failed(failure) => {
                let mut lines = vec![failure.diagnostic.render(color)];
                if let (Some(expected), Some(got)) = (&failure.expected, &failure.got) {
                    lines.push(format!("  expected: {}", shown(expected)));
                    lines.push(format!("  got:      {}", shown(got)));
                }
                if let Some(tick) = failure.tick {
                    lines.push(format!("  tick:     {tick}"));
                }
                lines.extend(self.moved_line("  changed:  "));
                // The script error that failed the test.
                if let Some(fault) = &failure.fault {
                    lines.push(fault.render(color));
                }
                if !self.printed.is_empty() {
                    lines.push(self.report_printed());
                }
                lines.extend(self.difference_line("  "));
                lines.push(self.rerun_line("  "));
                lines.extend(self.replay_line("  "));
                lines.join("\n")
            }
        }
    }

    /// The lines that the test printed; empty if there are none.
    pub fn report_printed(&self) -> String {
        let printed = self.printed.iter();
        let mut lines: Vec<String> = printed.map(|line| format!("  printed:  {}", shown(line))).collect();
        if self.printed_more > 0 {
            lines.push(format!("  and {} more printed lines", self.printed_more));
        }
        lines.join("\n")
    }

    /// A failure in a few lines, for a list of all failures: name, place with message, tick, and the
    /// command line that runs the test again.
    pub fn recap(&self) -> String {
        let mut lines = vec![format!("  {}", printable_name(&self.name))];
        // The message of an expectation has both values.
        let headline = self.diagnostic().map(|wrong| wrong.headline());
        let is_expectation = self.failure().is_some_and(|f| f.expected.is_some());
        // Other messages may continue with lines of files, after a line that says why they do.
        let first = headline.as_deref().map(|text| match is_expectation {
            true => text.replace('\n', " "),
            false => {
                let lines = if self.cause().is_some_and(|cause| text.ends_with(cause)) { 2 } else { 1 };
                text.lines().take(lines).collect::<Vec<_>>().join(" ")
            }
        });
        let tick = self.failure().and_then(|failure| failure.tick);
        let tick = tick.map_or_else(String::new, |tick| format!(" (tick {tick})"));
        lines.extend(first.map(|line| format!("    {}{tick}", cut(&line, MOST_IN_RECAP))));
        lines.extend(self.moved_line("    changed: "));
        lines.extend(self.difference_line("    "));
        lines.push(self.rerun_line("    "));
        lines.join("\n")
    }

    /// A failure for the same cause as another test's failure, which was reported before.
    pub fn report_as(&self, other: &str) -> String {
        let headline = self.diagnostic().map(|wrong| wrong.headline()).unwrap_or_default();
        let (headline, title) = match &self.golden {
            Some(_) => (headline.as_str(), "changed:  "),
            None => (headline.lines().next().unwrap_or_default(), ""),
        };
        let mut lines = vec![format!("  {}", cut(headline, MOST_IN_RECAP))];
        lines.push(format!("  {title}the same as for {}", printable_name(other)));
        lines.extend(self.difference_line("  "));
        lines.push(self.rerun_line("  "));
        lines.extend(self.replay_line("  "));
        lines.join("\n")
    }

    /// What made a golden trace differ.
    fn moved_line(&self, title: &str) -> Option<String> {
        let moved_by = self.golden.as_ref()?.moved_by.as_ref()?;
        Some(format!("{title}{}", shown(moved_by)))
    }

    fn rerun_line(&self, indent: &str) -> String {
        format!("{indent}rerun: {}", printable_name(&self.rerun))
    }

    /// The command line that replays what the test did.
    fn replay_line(&self, indent: &str) -> Option<String> {
        let command = self.replay.as_deref()?;
        Some(format!("{indent}replay: {}", printable_name(command)))
    }

    fn difference_line(&self, indent: &str) -> Option<String> {
        let difference = self.differs.as_deref()?;
        Some(format!(
            "{indent}a rerun differs: {}; tests are deterministic, so please report this bug of hangtime",
            printable(difference)
        ))
    }
}

/// A text from a script, cut and safe to print.
fn shown(text: &str) -> String {
    printable(&cut(&short_numbers(text), MOST_SHOWN_TEXT)).into_owned()
}
