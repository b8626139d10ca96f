//! What is run, and how much of it.

/// A test or program that prints figures.
pub struct Part {
    pub name: &'static str,
    pub title: &'static str,
    /// The figures of its table, in order.
    pub columns: &'static [&'static str],
    /// What holds, for the page.
    pub claim: &'static str,
    /// The program and its first arguments, which several parts share.
    pub program: &'static [&'static str],
    pub arguments: &'static [&'static str],
    /// The environment variable that says how much work to do.
    pub variable: Option<&'static str>,
    /// The full amount of work.
    pub full: u64,
}

/// Runs a test binary in release.
const RELEASE_TEST: &[&str] = &["cargo", "test", "--release", "--quiet", "--test"];

pub const PARTS: [Part; 9] = [
    Part {
        name: "twins",
        title: "Twins",
        columns: &["entity_ticks", "games", "hashes", "loads", "divergences"],
        claim: "Random games with 1,000 bodies of all models and eight players. Each is played twice at the same time, on \
                two threads; one of the two is saved and loaded every 100 ticks. Every 20 ticks their hashes are compared.",
        program: RELEASE_TEST,
        arguments: &["proofs", "--", "--exact", "twins", "--nocapture"],
        variable: Some("HANGTIME_TWINS"),
        full: 1_000_000_000,
    },
    Part {
        name: "heavy",
        title: "Saved before every tick",
        columns: &["entity_ticks", "games", "loads", "divergences"],
        claim: "Random games whose scripts use every call of the API at random. Before every tick, a twin is saved, loaded \
                and compared, field by field; then both play the tick and are compared again.",
        program: RELEASE_TEST,
        arguments: &["proofs", "--", "--exact", "chaos", "--nocapture"],
        variable: Some("HANGTIME_CHAOS"),
        full: 10_000_000,
    },
    Part {
        name: "builds",
        title: "Builds and machines",
        columns: &["machine", "levels", "ticks", "other_hashes"],
        claim: "Every level of the demos and tests, played to the end of its demo, and compared with the golden hash, which \
                a debug build has made.",
        program: &["bash"],
        arguments: &["examples/trust/builds"],
        variable: None,
        full: 1,
    },
    Part {
        name: "sweeps",
        title: "Sweeps",
        columns: &["moves", "hits", "worlds", "tunneled", "inside"],
        claim: "Bodies at up to 50 times their size per tick, in rooms full of polygons that touch and overlap. The walls \
                are 1 px thick.",
        program: RELEASE_TEST,
        arguments: &["proofs", "--", "--exact", "sweeps", "--nocapture"],
        variable: Some("HANGTIME_SWEEPS"),
        full: 100_000_000,
    },
    Part {
        name: "fuzz",
        title: "Fuzz targets",
        columns: &["target", "inputs", "per_second", "failures", "revision"],
        claim: "Changed and random input to everything that reads content, and to sweeps, under cargo-fuzz, which looks for input \
                that reaches new code. No input may panic, break a limit, or play differently the second time.",
        program: &["fuzz/run"],
        arguments: &[],
        variable: Some("HANGTIME_FUZZ_ALL"),
        full: 10_000_000,
    },
    Part {
        name: "folder",
        title: "Simulated folder",
        columns: &["steps", "looks", "adopted", "reported", "broken_promises"],
        claim: "Hot reload on a folder in memory: torn and reordered writes, renames, deletions, links, slow, hanging and failing \
                reads, clock jumps. After every step the promises of reload are checked.",
        program: &["cargo"],
        arguments: &["test", "--quiet", "-p", "hangtime-game", "--test", "reload", "--", "--nocapture"],
        variable: Some("HANGTIME_FOLDER_STEPS"),
        full: 1_000_000,
    },
    Part {
        name: "hostile",
        title: "Hostile scripts",
        columns: &[],
        claim: "Broken and malicious scripts, each next to a neighbor that must not notice.",
        program: RELEASE_TEST,
        arguments: &["hostile", "--", "--test-threads", "1", "--nocapture"],
        variable: Some("HANGTIME_HOSTILE_FIGURES"),
        full: 1,
    },
    Part {
        name: "attacks",
        title: "Attacks",
        columns: &[],
        claim: "Games of up to 1 MB that were made to take as much time or memory as they can, at the default limits. Each \
                runs in its own process; its memory is the most that the process took to check the game, open it and \
                play it.",
        program: RELEASE_TEST,
        arguments: &["proofs", "--", "attack", "--test-threads", "1", "--nocapture"],
        variable: Some("HANGTIME_ATTACK_TICKS"),
        full: 60,
    },
    Part {
        name: "session",
        title: "A long session",
        columns: &["seconds", "ticks", "saves", "adopted", "refused", "growth_percent"],
        claim: "The playground, played at four times its speed while a file is saved, broken, torn or removed every 0.3 s.",
        program: RELEASE_TEST,
        arguments: &["proofs", "--", "--exact", "session", "--nocapture"],
        variable: Some("HANGTIME_SESSION"),
        full: 900,
    },
];
