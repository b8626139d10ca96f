//! Numbers: those that are floating-point, and those that are most likely in another unit.

use super::*;

impl Scope<'_> {
    /// Whether a value is certain to be a floating-point number. Even without a fraction, it is not an index.
    pub fn is_float(&self, value: &Expr) -> bool {
        match value {
            Expr::FloatConstant(..) => true,
            Expr::Variable(variable, ..) if variable.2.is_empty() => match self.local(&variable.1) {
                Some(local) => local.floating,
                None => self.look_up(&variable.1) == Type::Number,
            },
            Expr::FnCall(call, _) if call.is_operator_call() => {
                let all = call.args.iter().all(|side| is_number(self.type_of(side)));
                let any = call.args.iter().any(|side| self.is_float(side));
                all && any && matches!(call.name.as_str(), "+" | "-" | "*" | "/" | "%")
            }
            // All calls and properties of hangtime that are numbers, except whole ones, are floating-point.
            Expr::FnCall(..) | Expr::Dot(..) | Expr::Index(..) => self.type_of(value) == Type::Number,
            _ => false,
        }
    }

    /// A whole number that is most likely in another unit: the first argument of a call, or what a property gets.
    pub fn check_unit(&self, (owner, name): (Owner, &str), given: Option<&Expr>) {
        if let Some(Expr::IntegerConstant(number, at)) = given
            && let Some(why) = check_unit(owner, name, *number, Rhai.spelling())
        {
            self.warn(*at, why);
        }
    }
}
