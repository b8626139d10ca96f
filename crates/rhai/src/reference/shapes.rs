//! The maps with known fields that scripts receive or return.

use hangtime_script::{
    api::{ApiEntry, Shape, Type},
    hooks,
};

/// All of them, once each, in the order of the reference.
pub fn shapes(entries: &'static [ApiEntry]) -> Vec<&'static Shape> {
    let mut found = Vec::new();
    for entry in entries {
        visit(&entry.returns, &mut found);
        entry.parameters.iter().for_each(|p| visit(&p.takes, &mut found));
    }
    for hook in hooks() {
        visit(&hook.answers, &mut found);
    }
    found
}

fn visit(of: &Type, found: &mut Vec<&'static Shape>) {
    match of {
        Type::Map(shape) if !found.contains(shape) => {
            found.push(shape);
            shape.fields().for_each(|f| visit(&f.holds, found));
        }
        Type::Array(each) => visit(each, found),
        Type::Either(types) => types.iter().for_each(|t| visit(t, found)),
        _ => {}
    }
}
