//! Checks of literals: colors, options of calls that draw, settings of other calls, and the share of a bar.

use super::*;

impl Scope<'_> {
    /// The literals among the arguments of a call.
    pub fn check_options(&self, entry: &ApiEntry, arguments: &[Expr]) {
        let draws = matches!(entry.owner, Owner::World | Owner::Me | Owner::Hud);
        if !draws {
            return;
        }
        if let Some(Expr::Map(map, _)) = arguments.last()
            && arguments.len() == entry.parameters.len()
        {
            for (key, value) in &map.0 {
                // A map or an array may hold what is not known here.
                let literal = value.get_literal_value(None);
                let literal = literal.filter(|literal| !literal.is_map() && !literal.is_array());
                let held = literal.as_ref().map(HeldArg::of);
                let given = held.as_ref().map(HeldArg::arg);
                match check_call_setting(entry.name, &key.name, None) {
                    Ok(()) => {
                        let at = value.start_position();
                        let wrong =
                            given.and_then(|it| check_setting_value(entry.name, &key.name, it, self.file.known));
                        self.add_found(at, wrong.map(|why| (Severity::Warning, why)));
                        self.report(at, check_call_setting(entry.name, &key.name, given));
                    }
                    wrong => self.report(key.pos, wrong),
                }
            }
        }
        for (place, share) in arguments.iter().enumerate() {
            let wrong = literal_number(share).and_then(|number| check_share(entry.name, place, number));
            self.add_found(share.start_position(), wrong.map(|why| (Severity::Warning, why)));
        }
        if let ("bar", Some(Expr::FnCall(share, _))) = (entry.name, arguments.get(3)) {
            self.check_whole_share(share);
        }
    }

    /// A bar that is filled by whole numbers is empty or full.
    fn check_whole_share(&self, share: &FnCallExpr) {
        let [value, most] = share.args.as_slice() else {
            return;
        };
        // A variable that is divided by a whole number most likely holds one.
        let is_whole =
            self.type_of(most) == Type::Whole && self.type_of(value) != Type::Number && !self.is_float(value);
        if let (true, Some(value), Some(most)) =
            (is_whole && self.whole(value).is_none(), source_text(value), source_text(most))
            && share.name == "/"
        {
            let message =
                format!("if both are whole numbers, this is 0 until the bar is full; write `{value} * 1.0 / {most}`");
            self.warn(share.args[0].start_position(), message);
        }
    }

    /// A color that is assigned to `me.color`.
    pub fn check_color_of_me(&self, value: &Expr) {
        if let Some((text, at)) = self.text(value) {
            self.report(at, check_color(&text));
        }
    }
}
