//! The sheet "I want to …": what people want to do, with one line of code each.

use hangtime_script::ReferenceItem;
use std::fmt::Write as _;

/// Topics, and below each a wish and the code for it in a line.
const WISHES: &str = include_str!("wishes.txt");

const HEAD: &str = "\
# I want to …

One line of code for what people most often want. A line that begins with `fn` is a function of a script; the others go into one,
such as `fn on_tick(me) { … }`. `hangtime api NAME` says more about each name, and `hangtime api --search WORD…` searches this page,
the [reference](api.md) and [the guide](../scripts/README.md). Replace names in quotes, such as `\"door\"`, with names from your game.
";

/// What people want to do, and the code for it: a function, or the body of one.
pub fn wishes() -> impl Iterator<Item = (&'static str, &'static str)> {
    WISHES.lines().filter_map(|line| line.split_once(" | "))
}

/// The page, `docs/i-want-to.md`.
pub fn sheet() -> String {
    let mut page = String::from(HEAD);
    for line in WISHES.lines() {
        let _ = match (line.strip_prefix("# "), line.split_once(" | ")) {
            (Some(topic), _) => write!(page, "\n## {topic}\n\n| I want to … | code |\n|---|---|\n"),
            (None, Some((wish, code))) => writeln!(page, "| {wish} | {} |", span(&code.replace('|', "\\|"))),
            (None, None) => Ok(()),
        };
    }
    page
}

/// Code in a line of Markdown, also if it has backquotes.
fn span(code: &str) -> String {
    if code.contains('`') { format!("`` {code} ``") } else { format!("`{code}`") }
}

/// The wishes as items of the reference, which only its search finds.
pub fn items() -> impl Iterator<Item = ReferenceItem> {
    wishes().map(|(wish, code)| ReferenceItem {
        title: format!("I want to {wish}"),
        doc: code.into(),
        facts: String::new(),
        example: "",
        names: Vec::new(),
    })
}
