//! The hashes by which Rhai finds the cases of a `switch`. It keeps no values of them.

use rhai::{Dynamic, Expr};
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::OnceLock;

/// Rhai's hash of a value.
pub(super) fn hash_of(value: &Dynamic) -> u64 {
    let mut hasher = match rhai::config::hashing::get_hashing_seed() {
        Some([a, b, c, d]) => ahash::RandomState::with_seeds(*a, *b, *c, *d).build_hasher(),
        None => ahash::AHasher::default(),
    };
    value.hash(&mut hasher);
    hasher.finish()
}

/// Whether these hashes are those of Rhai: its hash function is its own affair.
pub(super) fn is_stable() -> bool {
    static STABLE: OnceLock<bool> = OnceLock::new();
    *STABLE.get_or_init(|| {
        let mut engine = rhai::Engine::new_raw();
        engine.set_optimization_level(rhai::OptimizationLevel::None);
        let Ok(ast) = engine.compile("switch 1 { \"a\" => 1, 2 => 2 }") else {
            return false;
        };
        let [rhai::Stmt::Switch(switch, _)] = ast.statements() else {
            return matches!(ast.statements(), [rhai::Stmt::Expr(e)] if known_in(e));
        };
        knows(&switch.1)
    })
}

fn known_in(expression: &Expr) -> bool {
    match expression {
        Expr::Stmt(block) => match block.statements() {
            [rhai::Stmt::Switch(switch, _)] => knows(&switch.1),
            _ => false,
        },
        _ => false,
    }
}

fn knows(cases: &rhai::SwitchCasesCollection) -> bool {
    let [text, number] = [Dynamic::from("a"), Dynamic::from(2_i64)];
    cases.cases.contains_key(&hash_of(&text)) && cases.cases.contains_key(&hash_of(&number))
}
