//! Tests that check nothing.

use super::*;

/// Calls that fail a test if the level does not do what it should.
const CHECKING: [&str; 3] = ["expect", "run_until", "known_failure"];

impl FileContext<'_> {
    /// Warnings about tests without an `expect`, in themselves or in a function that they call.
    pub fn unchecked_tests(&self) -> Vec<Diagnostic> {
        let script = self.script;
        // Closures may be called from anywhere.
        if script.closures.values().any(checks) {
            return Vec::new();
        }
        let declared = self.declared_in_tests().into_iter();
        declared
            .filter(|f| f.name.starts_with("test_") && f.parameters.is_empty() && !reaches_a_check(&f.name, script))
            .map(|test| {
                let message = format!("`{}` has no `expect`, so it passes whatever the level does", test.name);
                Diagnostic::warning(test.place, message)
            })
            .collect()
    }
}

/// Whether a function checks something, or calls one of the file that does.
fn reaches_a_check(name: &str, script: &ParsedScript) -> bool {
    let mut open = vec![name.to_string()];
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        for (_, function) in script.functions.iter().filter(|((n, _), _)| *n == name) {
            if checks(function) {
                return true;
            }
            open.extend(called_by(function));
        }
    }
    false
}

/// Whether a function itself may fail a test. What modules do is not known.
fn checks(function: &ScriptFunction) -> bool {
    any_node(function.body(), |node| {
        if let ASTNode::Stmt(Stmt::Return(_, flags, _)) = node {
            // The same statement is `throw`, with this flag.
            return flags.intersects(ASTFlags::BREAK);
        }
        let call = call_of(node);
        call.is_some_and(|call| CHECKING.contains(&call.name.as_str()) || !call.namespace.is_empty())
    })
}

/// The functions that a function calls or names.
fn called_by(function: &ScriptFunction) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    any_node(function.body(), |node| {
        names.extend(call_of(node).map(|call| call.name.to_string()));
        names.extend(mentioned_by(node).map(String::from));
        false
    });
    names
}
