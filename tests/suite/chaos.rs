//! The script of random games uses the whole script API. `cargo test --test proofs -- chaos` plays them.

/// The script of random games.
const SCRIPT: &str = include_str!("../../fuzz/bodies/chaos.rhai");

/// What its function that chooses at random calls.
const ROLL: &str = "world::random(";

/// The names of the calls in the script reference that begin with this, such as `me.`.
fn documented(owner: &str) -> Vec<String> {
    let page = include_str!("../../docs/api.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("### `"));
    let calls = headings.filter(|line| line.starts_with(owner));
    let until = |line: &str| line.split('(').next().unwrap_or("").to_string();
    calls.map(until).collect()
}

#[test]
fn random_games_use_every_call_of_a_script() {
    let used = format!("{SCRIPT}{ROLL}");
    for owner in ["me.", "world::"] {
        let calls = documented(owner);
        assert!(calls.len() > 8, "{calls:?}");
        for call in calls {
            assert!(used.contains(&format!("{call}(")), "{call} is not used");
        }
    }
}
