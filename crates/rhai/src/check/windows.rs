//! Which jump windows the rule `jump_windows` answers, so that the numbers in files have no effect.

use super::compiled::declared_functions;
use super::source::{body_of, function_alone};
use super::syntax::is_literal;
use hangtime_script::{AnsweredTunable, SourceFile, WINDOWS};
use rhai::{AST, ASTNode, Expr, Stmt};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of the rule.
const RULE: &str = "jump_windows";

/// What a script's `jump_windows` answers; nothing if it has none.
pub(crate) fn rule_answers(ast: &AST, file: &Arc<SourceFile>) -> Vec<AnsweredTunable> {
    let Some(rule) = ast.iter_fn_def().find(|f| *f.name == *RULE) else {
        return Vec::new();
    };
    let declared = declared_functions(ast, file);
    let Some(declared) = declared.into_iter().find(|d| d.name == RULE) else {
        return Vec::new();
    };
    let mut exits = Exits::default();
    let body = body_of(&function_alone(ast, RULE, rule.params.len()));
    exits.add_block(&body);
    exits.add_returns(&body);
    let fields = WINDOWS.fields().map(|field| field.name);
    fields
        .filter_map(|key| {
            let (count, constant) = *exits.keys.get(key)?;
            Some(AnsweredTunable { key, place: declared.place.clone(), always: count == exits.count, constant })
        })
        .collect()
}

/// The values that a function may return.
#[derive(Default)]
struct Exits {
    count: usize,
    /// In how many of them each key is, and whether all of its values are literals.
    keys: BTreeMap<String, (usize, bool)>,
}

impl Exits {
    /// Adds the value of some statements: that of the last one.
    fn add_block(&mut self, statements: &[Stmt]) {
        match statements.last() {
            Some(Stmt::Expr(value)) => self.add(value),
            Some(Stmt::Block(block)) => self.add_block(block.statements()),
            Some(Stmt::If(flow, _)) => {
                self.add_block(flow.body.statements());
                self.add_block(flow.branch.statements());
            }
            Some(Stmt::Switch(switch, _)) => {
                for case in &switch.1.expressions {
                    self.add(&case.rhs);
                }
                // Without a default case, the value may be `()`.
                self.count += usize::from(switch.1.def_case.is_none());
            }
            // `return` and `throw`.
            Some(Stmt::Return(..)) => {}
            // `()`, or a value that is not known.
            _ => self.count += 1,
        }
    }

    fn add(&mut self, value: &Expr) {
        match value {
            Expr::Stmt(block) => return self.add_block(block.statements()),
            Expr::Map(map, _) => {
                for (key, value) in &map.0 {
                    let known = self.keys.entry(key.name.to_string()).or_insert((0, true));
                    known.0 += 1;
                    known.1 &= is_literal(value);
                }
            }
            _ => {}
        }
        self.count += 1;
    }

    /// Adds the values of all `return` statements, except those in closures.
    fn add_returns(&mut self, statements: &[Stmt]) {
        for statement in statements {
            statement.walk(&mut Vec::new(), &mut |path| {
                if let Some(ASTNode::Stmt(Stmt::Return(value, flags, _))) = path.last()
                    && !flags.intersects(rhai::ASTFlags::BREAK)
                {
                    match value {
                        Some(value) => self.add(value),
                        None => self.count += 1,
                    }
                }
                true
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rule_answers;
    use crate::api::new_engine;
    use crate::engine::nesting::parse;
    use hangtime_script::{Limits, SourceFile};
    use std::sync::Arc;

    /// The keys that are answered, with `always` and `constant`.
    fn answers(body: &str) -> Vec<(&'static str, bool, bool)> {
        let text = format!("fn other() {{ #{{ jump_buffer: 1 }} }}\nfn jump_windows(me) {{ {body} }}\n");
        let file = SourceFile { name: "scripts/a.rhai".into(), text };
        let file = Arc::new(file);
        let ast = parse(&new_engine(&Limits::of_tests()), &file.text).expect("a script");
        let answers = rule_answers(&ast, &file);
        assert!(answers.iter().all(|answer| answer.place.position() == (2, 4)));
        let plain = answers.iter().map(|a| (a.key, a.always, a.constant));
        plain.collect()
    }

    #[test]
    fn only_what_every_answer_has_is_always_answered() {
        let (always, sometimes) = ([("coyote_time", true, true)], [("coyote_time", false, true)]);
        let one = "#{ coyote_time: 0.1 }";
        for body in [
            one.to_string(),
            format!("if me.grounded {{ {one} }} else {{ {one} }}"),
            format!("if me.grounded {{ return {one}; }} {one}"),
            format!("if me.grounded {{ return {one}; }} else {{ return {one}; }}"),
            format!("switch me.surface {{ \"ice\" => {one}, _ => {one} }}"),
            format!("let x = 1; if me.grounded {{ throw \"no\"; }} {one}"),
        ] {
            assert_eq!(answers(&body), always, "{body}");
        }
        for body in [
            format!("if me.grounded {{ {one} }}"),
            format!("if me.grounded {{ return; }} {one}"),
            format!("if me.grounded {{ return {one}; }}"),
            format!("if me.grounded {{ return {one}; }} ()"),
            format!("switch me.surface {{ \"ice\" => {one} }}"),
            format!("if me.grounded {{ {one} }} else {{ other() }}"),
            format!("if me.grounded {{ {one} }} else {{ #{{}} }}"),
        ] {
            assert_eq!(answers(&body), sometimes, "{body}");
        }
    }

    #[test]
    fn values_that_are_computed_are_not_constant() {
        let body = "#{ coyote_time: this.grace, jump_hold_time: 0.2 }";
        let known = [("coyote_time", true, false), ("jump_hold_time", true, true)];
        assert_eq!(answers(body), known);
        assert_eq!(answers("let answer = #{}; answer"), []);
    }
}
