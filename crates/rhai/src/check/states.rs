//! State machines: a function `state_NAME` for each state, and the name of the current one in `this.state`. Finds names of
//! states that do not exist.

use super::*;

/// The variable with the name of the current state.
const VARIABLE: &str = "state";

/// What the function of a state begins with.
const STATE: &str = "state_";

/// What the functions begin with that are called on entering and leaving a state.
const AROUND: [&str; 2] = ["enter_", "leave_"];

/// The states of a script: those with a function, if the script calls them by their names.
pub fn states_of(script: &ParsedScript) -> BTreeSet<&str> {
    // Longer texts, such as the name of an event, are not beginnings of names.
    let by_name = script.used.mentioned.contains(STATE);
    let names = script.functions.keys().map(|(name, _)| name.as_str());
    let states = names.filter_map(|name| name.strip_prefix(STATE));
    states.filter(|_| by_name).collect()
}

impl Scope<'_> {
    /// Names of states in a function that do not exist: assigned to `this.state`, compared with it, or passed to a function
    /// that assigns them.
    pub fn check_states(&self, function: &ScriptFunction) {
        let script = self.file.script;
        let states = states_of(script);
        if states.is_empty() {
            return;
        }
        let handled = handled_elsewhere(script);
        let check = |(value, compared): (&Expr, bool)| {
            if let Some((name, at)) = self.text(value)
                && !states.contains(name.as_str())
                && !handled.contains(name.as_str())
                // What is compared may be no state yet, such as `""`.
                && (!compared || nearest(&name, states.iter().copied()).is_some())
            {
                let hint = suggestion(&name, states.iter().copied());
                self.error(at, format!("there is no state `{name}`, as there is no `fn {STATE}{name}`{hint}"));
            }
        };
        for_each_state(function, script, check);
    }
}

/// Calls `found` with each value that is assigned to `this.state` or passed to a function that assigns it, and, with true,
/// with each that `this.state` is compared with.
fn for_each_state(function: &ScriptFunction, script: &ParsedScript, mut found: impl FnMut((&Expr, bool))) {
    any_node(function.body(), |node| {
        if let ASTNode::Stmt(Stmt::Assignment(set)) = node
            && is_state(&set.1.lhs)
        {
            found((&set.1.rhs, false));
        }
        if let Some(call) = call_of(node) {
            match (call.name.as_str(), call.args.as_slice()) {
                ("==" | "!=", [a, b]) if is_state(a) => found((b, true)),
                ("==" | "!=", [a, b]) if is_state(b) => found((a, true)),
                _ => {}
            }
            let called = script.function(&call.name, call.args.len());
            if let Some(place) = called.and_then(state_parameter) {
                found((&call.args[place], false));
            }
        }
        false
    });
}

/// The names that a script both assigns and compares with `this.state`: it may handle them before it calls a function of a
/// state.
fn handled_elsewhere(script: &ParsedScript) -> BTreeSet<String> {
    let mut names = [BTreeSet::new(), BTreeSet::new()];
    for function in script.functions.values() {
        for_each_state(function, script, |(value, compared)| {
            if let Expr::StringConstant(name, _) = value {
                names[usize::from(compared)].insert(name.to_string());
            }
        });
    }
    let [assigned, compared] = names;
    &assigned & &compared
}

fn is_state(expression: &Expr) -> bool {
    only_variable_of_this(expression) == Some(VARIABLE)
}

/// The parameter that a function assigns to `this.state`.
fn state_parameter(function: &ScriptFunction) -> Option<usize> {
    let mut assigned = None;
    any_node(function.body(), |node| {
        if let ASTNode::Stmt(Stmt::Assignment(set)) = node
            && is_state(&set.1.lhs)
            && let Expr::Variable(variable, ..) = &set.1.rhs
        {
            let mut parameters = function.parameters.iter();
            assigned = parameters.position(|name| variable.1 == name.as_str());
        }
        assigned.is_some()
    });
    assigned
}

impl FileContext<'_> {
    /// Warnings about functions for entering or leaving a state that does not exist.
    pub fn functions_without_state(&self) -> Vec<Diagnostic> {
        let used = &self.script.used;
        let states = states_of(self.script);
        let mut found = Vec::new();
        if states.is_empty() {
            return found;
        }
        for declared in self.script.declared() {
            let name = declared.name.as_str();
            for start in AROUND.into_iter().filter(|start| used.mentioned.contains(*start)) {
                if let Some(state) = name.strip_prefix(start)
                    && !states.contains(state)
                    && !used.called.contains(name)
                {
                    let right = nearest(state, states.iter().copied());
                    let hint = did_you_mean(right.map(|right| format!("{start}{right}")));
                    let message = format!("nothing calls `{name}`, as there is no state `{state}`{hint}");
                    found.push(Diagnostic::warning(declared.place.clone(), message));
                }
            }
        }
        found
    }
}
