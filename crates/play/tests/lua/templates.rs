//! `hangtime new --lua`: the same games as in Rhai.

use super::{Folder, on_large_stack, results};
use hangtime_game::{LANGUAGES, Live, Project, TEMPLATES, check, create_from_template};
use hangtime_play::{Observer, calls::calls_of_tests, run};
use hangtime_script::Diagnostic;
use std::{path::Path, sync::Arc};

/// The hashes of a level's demo, tick by tick.
pub struct Hashes(pub Vec<u64>);

impl Observer for Hashes {
    fn observe(&mut self, live: &mut Live) -> std::io::Result<()> {
        self.0.push(live.world().hash());
        Ok(())
    }
}

/// Plays a level with its demo, or for ten seconds.
pub fn play_level(root: &Path, level: &str) -> Hashes {
    let project = Project::load(root).expect("a game");
    let level = project.find_level(level).expect("a level");
    let revision = Arc::new(project.open(&level, &[]).expect("a good level"));
    let demo = revision.demo.as_ref().map(|demo| demo.track_in(&revision.stage)).unwrap_or_default();
    let mut seen = Hashes(Vec::new());
    run(&mut Live::new(revision.clone(), 0), &demo, 600, &mut [&mut seen]).expect("a run");
    seen
}

#[test]
fn every_template_in_lua_passes_its_tests_and_plays_as_in_rhai() {
    on_large_stack(|| {
        let lua = LANGUAGES.of("a.luau").expect("Lua");
        for template in TEMPLATES.iter() {
            let folder = Folder::empty();
            create_from_template(folder.root(), "rhai", *template).expect("a new game");
            let created = create_from_template(folder.root(), "lua", template.in_language(lua)).expect("a new game");
            assert!(created.files.iter().any(|file| file == "lua/.luaurc"), "{:?}", created.files);
            assert!(!created.files.iter().any(|file| file.ends_with(".rhai")), "{:?}", created.files);
            let in_game = |name: &str| folder.path(name);
            let report = check(in_game("lua"), &[], &calls_of_tests()).expect("a check");
            let found: Vec<String> = report.diagnostics.iter().map(Diagnostic::headline).collect();
            assert!(found.is_empty(), "{}: {found:?}", template.name);
            let readme = folder.read("lua/README.md");
            assert!(readme.contains(".luau") && !readme.contains(".rhai") && !readme.contains("{{"), "{readme}");
            for result in results(&in_game("lua")) {
                assert!(result.passed(), "{}: {}", template.name, result.report(false));
            }
            let hashes = |name: &str| play_level(&in_game(name), "first").0;
            assert_eq!(hashes("rhai"), hashes("lua"), "{}", template.name);
        }
    });
}
