//! The command `upgrade`, and the games that this repository and `new` make.

use crate::{
    folder::Folder,
    program::{code, err, game, out, run},
};
use hangtime::project::{GameFolder, TEMPLATES, Upgrade};
use std::path::Path;

#[test]
fn upgrade_shows_what_would_change_and_writes_it_only_when_asked() {
    let folder = game();
    folder.write("config/models/platformer.toml", "# late\ngrace_time = 0.1   # s\n");
    let shown = run(folder.root(), &["upgrade"]);
    assert_eq!(code(&shown), 0, "{}", err(&shown));
    let diff = "--- a/config/models/platformer.toml\n+++ b/config/models/platformer.toml\n@@ -1,2 +1,2 @@\n # late\n-grace_time = 0.1   # s\n\
                +coyote_time = 0.1   # s\n--- /dev/null\n+++ b/config/hangtime.toml\n@@ -0,0 +1,1 @@\n+hangtime = \"0.3\"\n";
    assert_eq!(out(&shown), diff);
    assert_eq!(err(&shown), "2 files would change; `hangtime upgrade --write` writes them\n");
    let text = || std::fs::read_to_string(folder.path("config/models/platformer.toml")).expect("a file");
    assert!(text().contains("grace_time") && !folder.path("config/hangtime.toml").exists(), "nothing is written");
    let written = run(folder.root(), &["upgrade", "--write"]);
    assert_eq!((code(&written), out(&written).as_str()), (0, diff));
    assert!(err(&written).starts_with("wrote 2 files; this game is made for hangtime 0.3"), "{}", err(&written));
    assert_eq!(text(), "# late\ncoyote_time = 0.1   # s\n");
    let again = run(folder.root(), &["upgrade", "--write"]);
    assert_eq!((code(&again), out(&again).as_str()), (0, ""));
    assert!(err(&again).starts_with("nothing to change"), "{}", err(&again));
    assert_eq!(code(&run(folder.root(), &["check"])), 0);
}

#[test]
fn upgrade_refuses_a_file_that_it_cannot_parse_and_a_folder_that_is_not_a_game() {
    let folder = game();
    folder.write("config/models/platformer.toml", "grace_time = 0.1\n");
    folder.write("levels/other.toml", "[[solid]\n");
    let refused = run(folder.root(), &["upgrade", "--write"]);
    assert_eq!((code(&refused), out(&refused).as_str()), (2, ""));
    assert!(err(&refused).starts_with("levels/other.toml:1:9: error: "), "{}", err(&refused));
    let text = std::fs::read_to_string(folder.path("config/models/platformer.toml")).expect("a file");
    assert_eq!(text, "grace_time = 0.1\n");
    let nowhere = run(Folder::empty().root(), &["upgrade"]);
    assert_eq!(code(&nowhere), 2);
    assert!(err(&nowhere).contains("this folder is not a game"), "{}", err(&nowhere));
}

#[test]
fn a_new_game_is_made_for_this_version() {
    let folder = Folder::empty();
    for (at, template) in TEMPLATES.iter().enumerate() {
        let name = format!("game{at}");
        let language = if template.ending == "luau" { &["--lua"][..] } else { &[] };
        let made = run(folder.root(), &[&["new", &name, "--template", template.name], language].concat());
        assert_eq!(code(&made), 0, "{}", err(&made));
        let found = Upgrade::of(&GameFolder::new(folder.path(&name).as_path())).expect("a game");
        assert!(found.files.is_empty(), "{}: {found:?}", template.name);
        let checked = run(&folder.path(&name), &["check"]);
        assert!(!err(&checked).contains("a `box` is a box"), "{}: {}", template.name, err(&checked));
    }
}

#[test]
fn the_games_of_this_repository_are_made_for_this_version() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in [".", "python/examples/crossing", "docs/pictures"] {
        let found = Upgrade::of(&GameFolder::new(root.join(name).as_path())).expect("a game");
        let diffs: Vec<String> = found.files.iter().map(|file| file.diff()).collect();
        assert!(diffs.is_empty() && found.left.is_empty(), "{name}: {}", diffs.concat());
    }
}
