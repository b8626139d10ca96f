//! The path to a value that a chain such as `this.rows[i].name` reads or writes: the part of it that can be
//! followed without evaluating anything.

use super::*;

/// How many values are compared by size for one operation.
const COMPARED_IN_ONE: u64 = 3;

/// How many values are tested for having a size for one operation.
const SEEN_IN_ONE: u64 = 16;

/// Ends the name of a variable that a chain begins with. Rhai finds a variable by its place and passes
/// the name to the variable callback, which sees by it that the variable is not copied.
pub const ROOT: char = '.';

/// Ends the name of a variable that an operator such as `+=` changes.
pub const CHANGED: char = '=';

/// Whether this is the marked name of a variable that is not copied: the first one of a chain, or one
/// that is assigned to.
pub(in crate::engine) fn is_root(name: &str) -> bool {
    name.ends_with(ROOT)
}

/// Whether this is the marked name of a variable that an operator changes.
pub(in crate::engine) fn is_changed(name: &str) -> bool {
    name.ends_with(CHANGED)
}

/// The name of a variable as its script spells it.
pub fn plain_name(name: &str) -> &str {
    name.trim_end_matches([ROOT, CHANGED])
}

/// Marks a variable, unless it is a constant of the file, which is copied.
pub fn mark(root: &mut Expr, mark: char) {
    if let Expr::Variable(variable, short, _) = root
        && (short.is_some() || variable.0.is_some())
        && variable.2.is_empty()
    {
        variable.1 = format!("{}{mark}", variable.1).into();
    }
}

/// How a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainEnd {
    Property,
    Index,
    Method,
}

#[derive(Clone, Debug)]
enum PathRoot {
    This,
    Local(ImmutableString),
    /// The result of an expression.
    Result,
}

#[derive(Clone, Debug)]
enum PathStep {
    Property(ImmutableString),
    /// An index that is a constant.
    At(Dynamic),
    /// An index that is a variable.
    AtLocal(ImmutableString),
    /// Any other index.
    AtUnknown,
    Call,
}

/// The root of a chain and its steps.
#[derive(Clone, Debug)]
pub struct ValuePath {
    root: PathRoot,
    steps: Vec<PathStep>,
}

/// What pays for handling a value.
pub type Price = fn(&Dynamic) -> Fallible<()>;

/// Text that a step of a chain searches.
pub enum SearchedText {
    /// None.
    Nothing,
    /// A text of this many bytes.
    Text(usize),
    /// Unknown before the chain is evaluated.
    Unknown,
}

impl ValuePath {
    /// The path of a chain; none for other expressions.
    pub fn of(expression: &Expr) -> Option<Self> {
        let (root, steps) = chain(expression);
        let root = match root {
            Expr::ThisPtr(_) => PathRoot::This,
            Expr::Variable(variable, ..) if variable.2.is_empty() => PathRoot::Local(plain_name(&variable.1).into()),
            _ => PathRoot::Result,
        };
        let steps: Vec<PathStep> = steps.into_iter().map(PathStep::of).collect();
        (!steps.is_empty()).then_some(Self { root, steps })
    }

    pub fn end(&self) -> ChainEnd {
        match self.steps.last() {
            Some(PathStep::Property(_)) => ChainEnd::Property,
            Some(PathStep::Call) => ChainEnd::Method,
            _ => ChainEnd::Index,
        }
    }

    /// Whether some step may search text for a character.
    pub fn may_search(&self) -> bool {
        let searches = |step: &PathStep| match step {
            PathStep::At(index) => index.is_int(),
            PathStep::AtLocal(_) | PathStep::AtUnknown => true,
            PathStep::Property(_) | PathStep::Call => false,
        };
        self.steps.iter().any(searches)
    }

    /// Calls `seen` with the value that the chain begins with, if it is a variable or `this`.
    fn with_root<R>(&self, context: &EvalContext, seen: impl FnOnce(&Dynamic) -> R) -> Option<R> {
        match &self.root {
            PathRoot::This => context.this_ptr().map(seen),
            PathRoot::Local(name) => context.scope().get(name).map(seen),
            PathRoot::Result => None,
        }
    }

    /// The first text on the path that a step searches. Pays a price for the value that the path leads to, if there is
    /// one and it is known in advance.
    pub fn searched(&self, context: &EvalContext, price: Option<Price>) -> Fallible<SearchedText> {
        let mut paid = Ok(());
        let mut seen = |value: &Dynamic, rest: &[PathStep]| {
            if rest.is_empty() {
                if let Some(price) = price {
                    paid = price(value);
                }
                return None;
            }
            let text = value.as_immutable_string_ref().ok()?;
            Some(SearchedText::Text(text.len()))
        };
        let found = self.with_root(context, |root| follow(root, &self.steps, context, price.is_some(), &mut seen));
        paid.map(|()| found.unwrap_or(SearchedText::Unknown))
    }

    /// Charges for the value that the path leads to, if that is known in advance.
    pub fn charge_target(&self, context: &EvalContext, price: Price) -> Fallible<()> {
        self.charge_at(&self.steps, context, price)
    }

    /// Charges for the map whose property is written at the end of the path. If it is not known in advance, it may be
    /// anything in the value that the path begins with.
    pub fn charge_changed(&self, context: &EvalContext, price: Price) -> Fallible<()> {
        let before = &self.steps[..self.steps.len() - 1];
        let is_known = |step: &PathStep| match step {
            PathStep::AtLocal(name) => context.scope().get(name).is_some(),
            PathStep::AtUnknown | PathStep::Call => false,
            PathStep::Property(_) | PathStep::At(_) => true,
        };
        self.charge_at(if before.iter().all(is_known) { before } else { &[] }, context, price)
    }

    fn charge_at(&self, steps: &[PathStep], context: &EvalContext, price: Price) -> Fallible<()> {
        let mut charged = Ok(());
        self.with_root(context, |root| {
            follow(root, steps, context, true, &mut |value, rest| {
                if rest.is_empty() {
                    charged = price(value);
                }
                None
            })
        });
        charged
    }
}

impl PathStep {
    fn of(step: ChainStep) -> Self {
        match step {
            ChainStep::Property(name, _) => Self::Property(name.into()),
            ChainStep::Method(..) => Self::Call,
            ChainStep::Index(Expr::Variable(variable, ..)) if variable.2.is_empty() => {
                Self::AtLocal(plain_name(&variable.1).into())
            }
            ChainStep::Index(Expr::IntegerConstant(place, _)) => Self::At((*place).into()),
            ChainStep::Index(Expr::StringConstant(key, _)) => Self::At(key.clone().into()),
            ChainStep::Index(_) => Self::AtUnknown,
        }
    }
}

/// Follows the steps and calls `seen` with each value and the steps that remain, until it returns
/// something. At an unknown index, it takes the largest element. It takes the last step only if
/// the path is followed `to_end`.
fn follow(
    value: &Dynamic,
    steps: &[PathStep],
    context: &EvalContext,
    to_end: bool,
    seen: &mut dyn FnMut(&Dynamic, &[PathStep]) -> Option<SearchedText>,
) -> SearchedText {
    if value.is_shared() {
        return SearchedText::Unknown;
    }
    if let Some(found) = seen(value, steps) {
        return found;
    }
    let Some((step, rest)) = steps.split_first() else {
        return SearchedText::Nothing;
    };
    if let Ok(map) = value.as_map_ref() {
        let known = !matches!(step, PathStep::AtUnknown | PathStep::Call);
        if !known && rest.is_empty() && !to_end {
            return SearchedText::Nothing;
        }
        return match entry(&map, step, context) {
            Some(inside) => follow(inside, rest, context, to_end, seen),
            None => SearchedText::Nothing,
        };
    }
    if let Ok(list) = value.as_array_ref() {
        let inside = match place(step, context) {
            Some(place) => place_of(list.len(), place).and_then(|place| list.get(place)),
            None if rest.is_empty() && !to_end => None,
            None => {
                // A script that is out of operations is stopped by its next step.
                let _ = charge(list.len() as u64 / SEEN_IN_ONE);
                if !list.iter().any(is_heavy) {
                    return SearchedText::Nothing;
                }
                let _ = charge(list.len() as u64 / COMPARED_IN_ONE);
                list.iter().max_by_key(|item| size(item))
            }
        };
        return match inside {
            Some(inside) => follow(inside, rest, context, to_end, seen),
            None => SearchedText::Nothing,
        };
    }
    match step {
        PathStep::Call => SearchedText::Unknown,
        _ if value.is_variant() => SearchedText::Unknown,
        _ => SearchedText::Nothing,
    }
}

/// The entry of a map that a step leads to; the largest one if that is unknown.
fn entry<'m>(map: &'m Map, step: &PathStep, context: &EvalContext) -> Option<&'m Dynamic> {
    let at = |index: &Dynamic| Some(map.get(index.as_immutable_string_ref().ok()?.as_str()));
    let found = match step {
        PathStep::Property(name) => Some(map.get(name.as_str())),
        PathStep::At(index) => at(index),
        PathStep::AtLocal(name) => context.scope().get(name).and_then(at),
        PathStep::AtUnknown | PathStep::Call => None,
    };
    found.unwrap_or_else(|| {
        let _ = charge(map.len() as u64 / COMPARED_IN_ONE);
        map.values().max_by_key(|item| size(item))
    })
}

/// What an operator is charged for a place in an array or a map that is unknown in advance, as [`follow`] does: the
/// largest value is taken for the one that is changed.
pub fn places_of(value: &Dynamic) -> u64 {
    let largest = |values: &mut dyn Iterator<Item = &Dynamic>| values.max_by_key(|item| size(item)).map_or(0, parts);
    if let Ok(list) = value.as_array_ref() {
        let seen = list.len() as u64 / SEEN_IN_ONE;
        if !list.iter().any(is_heavy) {
            return seen;
        }
        return seen + list.len() as u64 / COMPARED_IN_ONE + largest(&mut list.iter()) / PARTS_IN_ONE;
    }
    let map = value.as_map_ref();
    map.map_or(0, |map| map.len() as u64 / COMPARED_IN_ONE + largest(&mut map.values()) / PARTS_IN_ONE)
}

/// The place in an array that a step leads to, if that is known.
fn place(step: &PathStep, context: &EvalContext) -> Option<i64> {
    match step {
        PathStep::At(index) => index.as_int().ok(),
        PathStep::AtLocal(name) => context.scope().get(name)?.as_int().ok(),
        _ => None,
    }
}

/// The length of a text, an array or a map; 0 for other values.
fn size(value: &Dynamic) -> usize {
    if value.is_shared() {
        return 0;
    }
    let text = value.as_immutable_string_ref().map(|text| text.len());
    let list = || value.as_array_ref().map(|list| list.len());
    let map = || value.as_map_ref().map(|map| map.len());
    text.or_else(|_| list()).or_else(|_| map()).unwrap_or(0)
}
