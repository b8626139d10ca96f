//! Contracts that no measurement can answer, whatever the numbers are.

use super::*;
use crate::{
    KindFile,
    files::{FeelExpectation, FeelQuantity},
};

/// Reports the contracts of a kind that can never be measured.
pub fn check_contracts(kind: &KindFile, out: &mut Mistakes) {
    for expectation in &kind.expectations {
        if let Some(why) = why_not(kind, expectation) {
            let name = expectation.quantity.name();
            let message = format!("`{name}` can never be measured: {why}");
            out.error(&expectation.key_place, message);
        }
    }
}

fn why_not(kind: &KindFile, expectation: &FeelExpectation) -> Option<String> {
    let model = expectation.model.unwrap_or(kind.model());
    let view = kind.view;
    if !model.views().contains(&view) {
        let (view, kind) = (view.name(), &kind.name);
        return Some(format!("`{model}` does not work in a {view} view, for which `{kind}` is made"));
    }
    if kind.rigid.contains(&model) {
        return Some(format!("a `{model}` body is rigid and turns"));
    }
    if kind.script.is_some() {
        // It may move the body in its own way.
        return None;
    }
    let (jumps, runs) = needs(expectation.quantity);
    if jumps && !model.jumps_in(view) {
        let others = ModelName::ALL.iter().filter(|other| other.jumps_in(view));
        let others: Vec<String> = others.map(|other| format!("`{other}`")).collect();
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!("; {} jumps", others.join(" or ")),
        };
        return Some(format!("{} and the kind has no script{others}", no_jump(model, view)));
    }
    let is_run = |(actions, _): &(&[Action], &str)| actions.contains(&Action::Right);
    if runs && !model.moves().iter().any(is_run) {
        return Some(format!("no key makes a `{model}` body run, and the kind has no script"));
    }
    None
}

fn no_jump(model: ModelName, view: View) -> String {
    if model.jumps() {
        format!("`{model}` has no jump in a {} view,", view.name())
    } else {
        format!("`{model}` has no jump,")
    }
}

/// Whether a number needs a body that jumps, and one that runs.
const fn needs(quantity: FeelQuantity) -> (bool, bool) {
    match quantity {
        FeelQuantity::Apex
        | FeelQuantity::TimeToApex
        | FeelQuantity::AirTime
        | FeelQuantity::Hop
        | FeelQuantity::Climb => (true, false),
        FeelQuantity::StopDistance | FeelQuantity::RunUp => (false, true),
        FeelQuantity::Gap => (true, true),
        FeelQuantity::LandingError => (false, false),
    }
}
