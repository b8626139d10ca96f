//! The hashes by which Rhai finds the cases of a `switch`. It keeps no values of them.

use super::*;

/// Rhai's hash of a value.
pub fn hash_of(value: &Dynamic) -> u64 {
    let mut hasher = match rhai::config::hashing::get_hashing_seed() {
        Some([a, b, c, d]) => ahash::RandomState::with_seeds(*a, *b, *c, *d).build_hasher(),
        None => ahash::AHasher::default(),
    };
    value.hash(&mut hasher);
    hasher.finish()
}

/// Whether these hashes are the same as Rhai's, which may change its hash function at any time.
pub fn is_stable() -> bool {
    static STABLE: OnceLock<bool> = OnceLock::new();
    *STABLE.get_or_init(|| {
        let mut engine = rhai::Engine::new_raw();
        engine.set_optimization_level(rhai::OptimizationLevel::None);
        let Ok(ast) = engine.compile("switch 1 { \"a\" => 1, 2 => 2 }") else {
            return false;
        };
        let mut stable = false;
        each_node(&ast, |node| {
            if let ASTNode::Stmt(Stmt::Switch(switch, _)) = node {
                stable = knows(&switch.1);
            }
        });
        stable
    })
}

fn knows(cases: &rhai::SwitchCasesCollection) -> bool {
    let [text, number] = [Dynamic::from("a"), Dynamic::from(2_i64)];
    cases.cases.contains_key(&hash_of(&text)) && cases.cases.contains_key(&hash_of(&number))
}
