//! What rules answer, where it stands there as it is.

use super::source::start;
use super::types::{OWN_MAP, SOME_ARRAY, fits};
use super::walk::Walker;
use crate::script::host::api::{Names, Type};
use crate::script::rhai::calls::answers::read_windows;
use rhai::{Expr, Stmt};

impl Walker<'_> {
    /// The values that a function's last statement may be.
    pub fn last_answer(&mut self, statements: &[Stmt]) {
        if self.rule.is_none() {
            return;
        }
        match statements.last() {
            Some(Stmt::Expr(value)) => self.answer(value),
            Some(Stmt::Block(block)) => self.last_answer(block.statements()),
            Some(Stmt::If(flow, _)) => {
                self.last_answer(flow.body.statements());
                self.last_answer(flow.branch.statements());
            }
            Some(Stmt::Switch(switch, _)) => {
                for case in &switch.1.expressions {
                    self.answer(&case.rhs);
                }
            }
            _ => {}
        }
    }

    /// A value that a rule answers.
    pub fn answer(&mut self, value: &Expr) {
        let Some(rule) = self.rule else {
            return;
        };
        let given = match value {
            Expr::Stmt(block) => return self.last_answer(block.statements()),
            Expr::BoolConstant(..) => Type::Flag,
            Expr::IntegerConstant(..) | Expr::FloatConstant(..) => Type::Number,
            Expr::StringConstant(..) => Type::Text,
            Expr::Array(..) => SOME_ARRAY,
            Expr::Map(..) => OWN_MAP,
            _ => return,
        };
        let at = start(value);
        if !fits(given, rule.answers) {
            let (right, given) = (rule.answers.spoken(), given.spoken());
            let what = format!("`{}` answers {right}, not {given}", rule.name);
            self.error(at, what);
            return;
        }
        match value {
            Expr::StringConstant(name, _) => self.fixed(Names::Model, name, at),
            Expr::Map(map, _) => self.windows(&map.0),
            _ => {}
        }
    }

    /// The map that `jump_windows` answers.
    fn windows(&mut self, fields: &[(rhai::Ident, Expr)]) {
        for (key, value) in fields {
            let mut alone = rhai::Map::new();
            let known = value.get_literal_value(None);
            let stands = known.unwrap_or_else(|| 0.0.into());
            alone.insert(key.name.as_str().into(), stands);
            if let Err(wrong) = read_windows(&alone.into()) {
                let named = crate::script::host::WINDOWS.field(&key.name).is_some();
                let at = if named { start(value) } else { key.pos };
                self.error(at, wrong);
            }
        }
    }
}
