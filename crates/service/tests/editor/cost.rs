//! What completion costs in the repository's own game.

use crate::{client::Editor, folder::Folder, formatting::own_files};
use serde_json::json;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// The longest that a person should wait for completion.
const GOAL: Duration = Duration::from_millis(20);

/// Completion at many places of all scripts. Other work on the machine may interrupt some of the repetitions, so the best of
/// them counts. The first answer may wait for the check of the text. The tests' build is slower than the program.
#[test]
fn completion_in_the_own_game_is_fast_enough() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository");
    let mut editor = Editor::start_in(Folder::empty(), &root);
    let mut times: Vec<(Duration, String)> = Vec::new();
    let files = own_files();
    let scripts = files.iter().filter(|(name, _)| name.starts_with("scripts/") && name.ends_with(".rhai"));
    for (name, text) in scripts.step_by(4) {
        let last = text.rfind('}').expect("a function");
        for code in ["me.", "this.", "me.hold(\"", "world::create(\""] {
            let marked = format!("{}{code}§\n{}", &text[..last], &text[last..]);
            assert!(!editor.completed(name, &marked).is_empty() || code == "this.", "{name} {code}");
            let before = &marked[..marked.find('§').expect("a mark")];
            let (line, column) =
                (before.matches('\n').count(), before.len() - before.rfind('\n').map_or(0, |at| at + 1));
            let params = json!({
                "textDocument": { "uri": editor.uri(name) }, "position": { "line": line, "character": column },
            });
            let time = || {
                let began = Instant::now();
                editor.ask("textDocument/completion", params.clone());
                began.elapsed()
            };
            let best = std::iter::repeat_with(time).take(5).min().expect("a time");
            times.push((best, format!("{name} {code}")));
        }
    }
    editor.stop();
    times.sort();
    let (median, (worst, place)) = (times[times.len() / 2].0, times.last().expect("a time"));
    println!("completion at {} places: median {median:?}, worst {worst:?} ({place})", times.len());
    assert!(median < GOAL, "{median:?}");
}
