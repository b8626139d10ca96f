//! What all scripts of a game say of one another: who tells what, and who listens.

use super::source::Source;
use crate::script::rhai::engine::resolver::Sources;
use rhai::{ASTNode, Engine, Expr, FnCallExpr, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// The names of events that scripts emit or set timers by.
#[derive(Clone, Debug, Default)]
pub(in crate::script::rhai) struct Tells {
    names: BTreeSet<String>,
    /// Whether a name is made while the script runs: then it may be any.
    any: bool,
}

impl Tells {
    /// Those of all these scripts.
    pub fn of(engine: &Engine, sources: &Sources) -> Self {
        let mut tells = Self::default();
        for file in sources.values() {
            match Source::read(engine, file) {
                Some(source) => tells.note(&source),
                // It may tell whatever there is.
                None => tells.any = true,
            }
        }
        tells
    }

    /// Whether an event of this name may be told.
    pub fn may_tell(&self, name: &str) -> bool {
        self.any || self.names.contains(name)
    }

    /// Whether an event of this name is certainly told.
    pub fn names(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether a name is made while a script runs.
    pub fn any(&self) -> bool {
        self.any
    }

    fn note(&mut self, source: &Source) {
        source.ast.walk(&mut |path| {
            if let Some(
                ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
                | ASTNode::Stmt(Stmt::FnCall(call, _)),
            ) = path.last()
                && let Some(name) = name_told(call)
            {
                match text_of(name, source) {
                    Some(text) => {
                        self.names.insert(text);
                    }
                    None => self.any = true,
                }
            }
            true
        });
    }
}

/// The argument by which a call names an event.
fn name_told(call: &FnCallExpr) -> Option<&Expr> {
    match call.name.as_str() {
        "emit" => call.args.first(),
        // On `me`, or with `me` as its first argument.
        "after" => call.args.last(),
        _ => None,
    }
}

fn text_of(name: &Expr, source: &Source) -> Option<String> {
    match name {
        Expr::StringConstant(text, _) => Some(text.to_string()),
        Expr::Variable(variable, ..) => source.constants.get(variable.1.as_str())?.text.clone(),
        _ => None,
    }
}

/// All scripts of a game, looked at together.
pub(super) struct Survey {
    /// Those that could be parsed, by their paths below `scripts/`.
    pub scripts: BTreeMap<String, Source>,
    /// What they tell.
    pub tells: Tells,
    /// What they listen to.
    pub heard: BTreeSet<String>,
    /// Keys of maps that they make: such a map may hold a function, which is called like a method.
    pub keys: BTreeSet<String>,
    /// Whether some could not be parsed: they may listen to whatever there is.
    pub unread: bool,
}

impl Survey {
    pub fn of(engine: &Engine, sources: &Sources) -> Self {
        let mut survey = Self {
            scripts: BTreeMap::new(),
            tells: Tells::default(),
            heard: BTreeSet::new(),
            keys: BTreeSet::new(),
            unread: false,
        };
        for (path, file) in sources {
            let Some(source) = Source::read(engine, file) else {
                survey.unread = true;
                survey.tells.any = true;
                continue;
            };
            survey.note(&source);
            survey.scripts.insert(path.clone(), source);
        }
        survey
    }

    fn note(&mut self, source: &Source) {
        self.tells.note(source);
        let events = source
            .functions
            .keys()
            .filter_map(|(n, _)| n.strip_prefix("on_"));
        self.heard.extend(events.map(String::from));
        self.keys.extend(keys_of(source));
    }
}

/// The keys of the maps that a script makes, and the fields that it writes.
pub(super) fn keys_of(source: &Source) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    source.ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(Expr::Map(map, _))) => {
                keys.extend(map.0.iter().map(|(key, _)| key.name.to_string()));
            }
            Some(ASTNode::Expr(Expr::Property(property, _))) => {
                keys.insert(property.2.to_string());
            }
            _ => {}
        }
        true
    });
    keys
}
