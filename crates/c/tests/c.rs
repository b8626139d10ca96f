//! Programs in C and Python that use the library, and the header.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = here().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A library that was built for this test.
fn library(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a path");
    let path = test.parent().expect("a folder").join(name);
    assert!(path.exists(), "{} is not there", path.display());
    path
}

/// Builds a program in C with all warnings as errors.
fn compile(folder: &Path, source: &Path) -> PathBuf {
    let program = folder.join("program");
    let built = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g", "-I"])
        .args([here(), Path::new("-o"), &program, source, &library("libhangtime_c.a")])
        .args(["-lm", "-lpthread", "-ldl"])
        // Lua is C++.
        .args(cfg!(feature = "lua").then_some("-lstdc++"))
        .output();
    done(built.expect("a C compiler"));
    program
}

/// What a program has printed.
fn done(output: Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}: {}{}", output.status, text(&output.stderr), text(&output.stdout));
    text(&output.stdout)
}

/// Levels with the inputs that `hangtime run` plays, its ticks and its final hash.
fn golden_levels() -> Vec<[String; 4]> {
    let goldens = read("../../tests/goldens.txt");
    let levels = goldens.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let [level, ticks, hash] = [(); 3].map(|()| words.next().expect("three words").to_string());
        let demo = read(Path::new("../..").join(&level));
        let demo = demo
            .lines()
            .find_map(|line| Some(line.strip_prefix("demo = \"")?.split('"').next()?.to_string()))?;
        let folder = Path::new(&level).parent().expect("a folder");
        Some([level.clone(), folder.join(demo).to_string_lossy().into(), ticks, hash])
    });
    levels.filter(|[level, ..]| level.matches('/').count() == 1).collect()
}

#[test]
fn the_header_is_current() {
    let mut builder = cbindgen::Builder::new();
    for file in ["answer", "worlds", "lib"] {
        builder = builder.with_src(here().join(format!("src/{file}.rs")));
    }
    let mut config = cbindgen::Config {
        language: cbindgen::Language::C,
        cpp_compat: true,
        include_guard: Some("HANGTIME_H".into()),
        header: Some(
            "/* hangtime for C: see docs/engines.md. Made from crates/c/src by the test `the_header_is_current`. */"
                .into(),
        ),
        no_includes: true,
        sys_includes: vec!["stddef.h".into(), "stdint.h".into()],
        usize_is_size_t: true,
        style: cbindgen::Style::Both,
        line_length: 120,
        ..Default::default()
    };
    config.enumeration.rename_variants = cbindgen::RenameRule::QualifiedScreamingSnakeCase;
    let mut header = Vec::new();
    builder.with_config(config).generate().expect("a header").write(&mut header);
    // What Rust calls safety is what the comments of the functions say.
    let safety = " *\n * # Safety\n * Each pointer is NULL or what the header says.\n";
    let header = String::from_utf8(header).expect("a text").replace(safety, "");
    if std::env::var_os("HANGTIME_WRITE_DOCS").is_some() {
        std::fs::write(here().join("hangtime.h"), &header).expect("a header can be written");
    }
    assert!(read("hangtime.h") == header, "hangtime.h is stale: HANGTIME_WRITE_DOCS=1 cargo test -p hangtime-c header");
}

#[test]
fn a_program_in_c_plays_as_hangtime_run_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), &here().join("tests/programs/play.c"));
    let levels = golden_levels();
    assert!(levels.len() > 5, "{levels:?}");
    for [level, inputs, ticks, hash] in levels {
        let played = Command::new(&program)
            .args([".", &level, &inputs, &ticks])
            .current_dir(here().join("../.."))
            .output();
        let printed = done(played.expect("a program"));
        assert!(printed.starts_with(&hash), "{level}: {hash}, but in C {printed}");
    }
}

#[test]
fn the_program_on_the_page_runs() {
    let page = read("../../docs/engines.md");
    let program = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("page.c");
    std::fs::write(&source, program).expect("a file");
    let printed = done(
        Command::new(compile(folder.path(), &source))
            .current_dir(here().join("../.."))
            .output()
            .expect("a program"),
    );
    // A second to the right, two seconds to the right, and the events of the second one.
    let lines: Vec<&str> = printed.lines().collect();
    let x = |line: &str| line.split(' ').next().and_then(|x| x.parse::<f64>().ok()).expect("a number");
    assert!(lines.len() == 3 && x(lines[1]) > x(lines[0]) + 400.0 && lines[2].starts_with("[{\"event\":"), "{printed}");
}

#[test]
fn every_mistake_in_c_is_an_error_that_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path(), &here().join("tests/programs/mistakes.c"));
    done(Command::new(program).arg(here().join("../..")).output().expect("a program"));
}

#[test]
fn threads_with_small_stacks_share_worlds() {
    let folder = tempfile::tempdir().expect("a folder");
    // Functions that call each other so deeply need more than the stacks of these threads.
    let files = [
        (
            "config/entities/hero.toml",
            "model = \"platformer\"\nbody = { ellipse = [10, 19] }\nscript = \"deep.rhai\"\n",
        ),
        ("levels/deep.toml", "[[entity]]\nkind = \"hero\"\nat = [0, 19]\n"),
        (
            "scripts/deep.rhai",
            "fn deep(n) { if n == 0 { 0 } else { 1 + deep(n - 1) } }\n\
             fn on_tick(me) { let f = |n| deep(n); this.depth = f.call(25); }\n",
        ),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let program = compile(folder.path(), &here().join("tests/programs/threads.c"));
    done(Command::new(program).arg(folder.path()).arg("deep").output().expect("a program"));
}

#[test]
fn a_program_in_python_plays_as_hangtime_run_does() {
    let levels = golden_levels();
    let [level, inputs, ticks, hash] = levels.iter().find(|[level, ..]| level.contains("playground")).expect("a level");
    let played = Command::new("python3")
        .arg(here().join("tests/programs/play.py"))
        .arg(library("libhangtime_c.so"))
        .args([".", level, inputs, ticks])
        .current_dir(here().join("../.."))
        .output();
    // Not every machine has Python.
    let Ok(played) = played else { return };
    let printed = done(played);
    assert!(printed.starts_with(hash), "{hash}, but in Python {printed}");
}
