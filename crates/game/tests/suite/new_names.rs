//! Names of new behaviors: which are taken, and what is suggested instead of others.

use hangtime_game::{TEMPLATES, create_from_template};

/// Creates a behavior in a new game folder, or says why it cannot have this name.
fn create(name: &str) -> Result<(), String> {
    let game = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(game.path().join("levels")).expect("a folder");
    let created = create_from_template(game.path(), name, TEMPLATES[0]);
    created.map(drop).map_err(|error| error.to_string())
}

#[test]
fn suggests_a_valid_name() {
    for (wrong, right) in [
        ("Double Jump", "double_jump"),
        ("doubleJump", "double_jump"),
        ("double-jump", "double_jump"),
        ("scripts/dash.rhai", "dash"),
        ("2fast", "fast"),
        ("HERO", "hero"),
        ("_x_", "x"),
        ("déjà vu", "d_j_vu"),
        ("../up", "up"),
    ] {
        let refused = create(wrong).expect_err("not a name");
        assert!(refused.ends_with(&format!("; try `{right}`")), "{refused}");
        assert_eq!(create(right), Ok(()));
    }
    for hopeless in ["9", "", "…"] {
        let refused = create(hopeless).expect_err("not a name");
        assert!(!refused.contains("try"), "{refused}");
    }
}

#[test]
fn accepts_lowercase_words_only() {
    for good in ["a", "dash", "double_jump", "jump2x", &"a".repeat(64)] {
        assert_eq!(create(good), Ok(()), "{good}");
    }
    for bad in ["", "A", "2x", "_a", "a b", "a/b", "a.b", "ä", "../a", "level", &"a".repeat(65)] {
        assert!(create(bad).is_err(), "{bad}");
    }
}
