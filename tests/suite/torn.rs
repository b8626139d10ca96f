//! Incomplete saves: each is either a valid script or an error with a place, never a panic.

use crate::folder::{Folder, on_large_stack};
use hangtime::{
    project::LANGUAGES,
    script::host::{Behavior, Diagnostic, Execution, Limits, Scripts, SourceFile, Sources},
    tuning::ScriptTuning,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

const WHOLE: &str = "// Écrit à demi.\nconst MOST = 3;\n\nfn on_tick(me) {\n    \
                     if this.n < MOST { this.n += 1; }\n    let s = `so ${this.n} “far”`;\n    \
                     let m = #{ a: [1, 2.5], b: 'c' };\n}\n\nfn helper(x) { x.map(|y| y * 2) }\n";

/// Every script of the repository.
fn committed() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("scripts"), root.join("levels/tests")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rhai") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Compiles a text cut at these bytes; returns the number of valid scripts.
fn compile_pieces(name: &str, text: &str, cuts: impl Iterator<Item = usize>) -> usize {
    let mut sources = Sources::new();
    for cut in cuts {
        let mut cut = cut.min(text.len());
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        let path = format!("{cut:06}.rhai");
        let file = SourceFile { name: format!("scripts/{path}"), text: text[..cut].to_string() };
        sources.insert(path, Arc::new(file));
    }
    let behaviors: Vec<Behavior> = sources.keys().map(Behavior::alone).collect();
    let limits = Limits::of(&ScriptTuning::default());
    let mut found = Vec::new();
    let scripts = Scripts::compile(LANGUAGES, Arc::new(sources), &behaviors, limits, Execution::default(), &mut found);
    for wrong in found.iter().filter(|d| d.is_error()) {
        assert!(wrong.place.is_some(), "{name}: {}", wrong.headline());
        assert!(wrong.render(false).contains('^'), "{name}");
    }
    scripts.all().iter().filter(|s| s.hook_names().count() > 0).count()
}

#[test]
fn truncated_scripts_load_or_report_an_error() {
    on_large_stack(|| {
        for path in committed() {
            let text = std::fs::read_to_string(&path).expect("a script");
            let name = path.display().to_string();
            let step = (text.len() / 200).max(1);
            let _ = compile_pieces(&name, &text, (0..=text.len()).step_by(step));
        }
    });
}

#[test]
fn a_script_cut_at_any_byte_loads_or_reports_its_end() {
    on_large_stack(|| {
        let whole = compile_pieces("whole", WHOLE, 0..=WHOLE.len());
        assert!(whole > 0, "the whole is a script");
    });
}

#[test]
fn other_line_endings_and_byte_order_marks_are_accepted() {
    on_large_stack(|| {
        for text in [WHOLE.replace('\n', "\r\n"), format!("\u{feff}{WHOLE}"), WHOLE.trim_end().to_string()] {
            let folder = Folder::with_script(&text);
            let mut game = folder.game();
            game.ticks(5);
            assert_eq!(game.wrong(), [""; 0], "{text:?}");
            assert_eq!(game.var("n"), hangtime::sim::Value::Int(3));
        }
        let old = Folder::with_script(&WHOLE.replace('\n', "\r"));
        // The first line is a comment that now never ends.
        assert!(old.open().is_ok());
    });
}

#[test]
fn bytes_that_are_not_utf8_are_reported_with_their_place() {
    for (bytes, what) in [
        (&b"fn on_tick(me) { }\n\xff\xfe"[..], "not UTF-8"),
        (&b"\x80fn on_tick(me) { }"[..], "not UTF-8"),
        (&b"fn on_tick(me) { \x00 }"[..], "unexpected"),
        (&b"\x00\x00\x00\x00\x00\x00"[..], "unexpected"),
    ] {
        let folder = Folder::with_script("");
        std::fs::write(folder.path("scripts/hero.rhai"), bytes).expect("a file");
        let wrong = folder.open().expect_err("it is not a script");
        let headlines: Vec<String> = wrong.iter().map(Diagnostic::headline).collect();
        assert!(headlines.iter().any(|h| h.contains(what)), "{headlines:?}");
        assert!(wrong[0].render(false).contains('^'), "{headlines:?}");
    }
}
