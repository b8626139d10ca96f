//! What is said about a call that has run out of operations.

use crate::Diagnostic;
use std::collections::BTreeMap;

/// The question that the message about a call without operations asks.
const ENDLESS: &str = "is there an infinite loop?";

/// The message about a call that was stopped, at the place where it was. In a function that visits all entities of a kind, a loop
/// may well end, but costs too much.
pub fn about_spent(wrong: Diagnostic) -> Diagnostic {
    let function = wrong.place.as_ref().map_or("", |place| {
        let (before, after) = place.file.text.split_at(place.span.start);
        let start = before.rfind("fn ").max(before.rfind("function ")).unwrap_or(0);
        let end = after.find("\nfn ").into_iter().chain(after.find("\nfunction ")).min();
        &place.file.text[start..before.len() + end.unwrap_or(after.len())]
    });
    let loops = ["world::", "world."].map(|world| function.matches(&format!("{world}all(")).count());
    let (all, near) = if loops[0] > 0 {
        ("world::all", "world::near")
    } else {
        ("world.all", "world.near")
    };
    if loops == [0, 0] || !wrong.message.contains(ENDLESS) {
        return wrong;
    }
    let instead = format!(
        "this function visits all entities of a kind (`{all}`), and each turn of such a loop costs; `{near}(x, y, radius)` visits \
         only those nearby, and `hangtime run --profile` shows what each hook costs"
    );
    Diagnostic { message: wrong.message.replace(ENDLESS, &instead), ..wrong }
}

/// How each message about such a call begins.
const STOPPED: &str = "this call was stopped after";

/// The message for a call that ran out of operations; `tuned` if the budget is from `[scripts]`.
pub fn too_long(operations: u64, tuned: bool) -> String {
    let hint = if tuned { " (`operations` in [scripts] sets the budget)" } else { "" };
    format!("{STOPPED} {operations} operations; {ENDLESS}{hint}")
}

/// How many lines of a call are said to have used most, and the least share of its operations, in percent, for which one is.
const MOST_LINES: usize = 3;
const LEAST_SHARE: u64 = 10;

/// What the lines of a call have used, in operations.
#[derive(Clone, Debug, Default)]
pub struct LineCosts {
    used: BTreeMap<usize, u64>,
    line: usize,
    since: u64,
}

impl LineCosts {
    /// The call is in this line now and has used this many operations.
    pub fn pass(&mut self, line: usize, used: u64) {
        *self.used.entry(self.line).or_default() += used.saturating_sub(self.since);
        (self.line, self.since) = (line, used);
    }

    /// What was used since the last line counts for none.
    pub fn skip(&mut self, used: u64) {
        self.since = used;
    }

    /// Adds to the message about a call that was stopped which of its lines have used most, if it is about more than one.
    /// Line 0 is what is in no line of the file.
    pub fn explain(&self, mut wrong: Diagnostic) -> Diagnostic {
        let mut lines: Vec<_> = self.used.iter().filter(|(line, used)| **line > 0 && **used > 0).collect();
        let total: u64 = self.used.values().sum();
        if lines.len() < 2 || !wrong.message.starts_with(STOPPED) {
            return wrong;
        }
        lines.sort_by_key(|(line, used)| (u64::MAX - **used, **line));
        lines.retain(|(_, used)| **used * 100 >= total * LEAST_SHARE);
        if lines.is_empty() {
            return wrong;
        }
        let shares = lines.iter().take(MOST_LINES).zip([" of its operations were used", "", ""]);
        let shares = shares.map(|((line, used), were)| format!("{} %{were} on line {line}", **used * 100 / total));
        wrong.message += if wrong.message.ends_with('?') { " " } else { "; " };
        wrong.message += &shares.collect::<Vec<_>>().join(", ");
        wrong
    }
}
