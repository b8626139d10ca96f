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
                    Ok(()) => self.report(value.start_position(), check_call_setting(entry.name, &key.name, given)),
                    wrong => self.report(key.pos, wrong),
                }
            }
        }
        if let ("bar", Some(share)) = (entry.name, arguments.get(3)) {
            self.check_bar(share);
        }
    }

    /// The share that fills a bar.
    fn check_bar(&self, share: &Expr) {
        if let Some(number) = literal_number(share).filter(|number| *number > 1.0) {
            let message = format!(
                "a bar is full at 1, and this is {number}; divide by the largest value, as in `health / 100.0`"
            );
            self.warn(share.start_position(), message);
        }
    }

    /// A color that is assigned to `me.color`.
    pub fn check_color_of_me(&self, value: &Expr) {
        if let Some((text, at)) = self.text(value) {
            self.report(at, check_color(&text));
        }
    }
}
