//! Copies that are changed and never looked at again: `let v = me.vel; v.y = 300;` moves nobody.

use super::chain::{Link, links};
use super::comparisons::written;
use super::source::any_node;
use super::walk::Walker;
use crate::script::host::api::{Access, EntryKind, Owner, Type};
use rhai::{ASTNode, Expr, Position, Stmt};

impl Walker<'_> {
    /// Warns of a variable that holds a copy of what could be written, and of which parts are written and
    /// nothing is read.
    pub fn changed_copies(&mut self, body: &[Stmt]) {
        let mut names: Vec<String> = Vec::new();
        // What a closure captures may be read there.
        let shares = any_node(body, |node| {
            if let ASTNode::Stmt(Stmt::Var(var, ..)) = node
                && written(&var.1).is_some_and(|path| path.starts_with("me."))
            {
                names.push(var.0.name.to_string());
            }
            matches!(node, ASTNode::Stmt(Stmt::Share(..)))
        });
        if shares {
            return;
        }
        for name in names {
            if let Some((source, part, at)) = copied(body, &name)
                && self.is_written_whole(&source)
            {
                let what = format!(
                    "`{name}` is a copy of `{source}`, and nobody looks at it: write `{source}.{part} = …`, or \
                     `{source} = {name};` behind it"
                );
                self.warn(at, what);
            }
        }
    }

    /// Whether it is a vec of `me` that a script may write.
    fn is_written_whole(&self, path: &str) -> bool {
        let Some(name) = path.strip_prefix("me.") else {
            return false;
        };
        self.vocabulary.entries(name).any(|e| {
            let open = matches!(e.kind, EntryKind::Property(Access::Write));
            e.owner == Owner::Me && e.returns == Type::Vec && open
        })
    }
}

/// What a variable is a copy of, and a part of it that is written, if that is all that is done with it.
fn copied(body: &[Stmt], name: &str) -> Option<(String, String, Position)> {
    let (mut declared, mut all) = (0, 0);
    let mut source = None;
    let mut writes: Vec<(String, Position)> = Vec::new();
    any_node(body, |node| {
        match node {
            ASTNode::Stmt(Stmt::Var(var, ..)) if var.0.name == name => {
                declared += 1;
                source = written(&var.1);
            }
            ASTNode::Stmt(Stmt::Assignment(assignment)) => {
                if let (Expr::Variable(variable, ..), steps) = links(&assignment.1.lhs)
                    && variable.1 == name
                    && let [Link::Property(part, _)] = steps.as_slice()
                {
                    let at = assignment.1.lhs.start_position();
                    writes.push(((*part).to_string(), at));
                }
            }
            ASTNode::Expr(Expr::Variable(variable, ..)) if variable.1 == name => all += 1,
            _ => {}
        }
        false
    });
    let (part, at) = writes.first()?.clone();
    (declared == 1 && all == writes.len()).then_some((source?, part, at))
}
