//! `docs/lua.md`: what it shows side by side is the same game.

use super::{
    Folder, on_large_stack, results,
    templates::{Hashes, play_level},
};

/// The blocks of the page in a language, each with the path in its first line.
fn blocks(language: &str) -> Vec<(String, String)> {
    let page = include_str!("../../../../docs/lua.md");
    let blocks = page.split("\n```").skip(1).step_by(2);
    let own = blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    own.map(|text| {
        let path = text.lines().next().expect("a first line").trim_start_matches(['/', '-', ' ']);
        (path.into(), text.into())
    })
    .collect()
}

#[test]
fn both_languages_of_the_page_play_the_same_game() {
    on_large_stack(|| {
        let mut seen = Vec::new();
        for (language, ending) in [("rust", "rhai"), ("lua", "luau")] {
            let folder = Folder::with_script("");
            let kind = format!("script = \"hero.{ending}\"\nvars = {{ used = 0 }}\n");
            folder.write("config/entities/hero.toml", &kind);
            let blocks = blocks(language);
            assert_eq!(blocks.len(), 2, "{language}");
            for (path, text) in &blocks {
                assert!(path.ends_with(ending), "{path}");
                folder.write(path, text);
            }
            for result in results(folder.root()) {
                assert!(result.passed(), "{}", result.report(false));
                seen.push(result.hash);
            }
            let Hashes(hashes) = play_level(folder.root(), "level");
            seen.push(*hashes.last().expect("a tick"));
        }
        assert_eq!(seen.len(), 4);
        assert_eq!(seen[..2], seen[2..]);
    });
}
