//! Which jump windows the rule `jump_windows` answers, so that the numbers in files have no effect.

use super::*;

/// The name of the rule.
const RULE: &str = "jump_windows";

/// What a script's `jump_windows` answers; nothing if it has none.
pub fn rule_answers(ast: &AST, file: &Arc<SourceFile>) -> Vec<AnsweredTunable> {
    let Some(rule) = ast.iter_fn_def().find(|f| *f.name == *RULE) else {
        return Vec::new();
    };
    let declared = declared_functions(ast, file);
    let Some(declared) = declared.into_iter().find(|d| d.name == RULE) else {
        return Vec::new();
    };
    let mut exits = Exits::default();
    let body = body_of(&function_alone(ast, RULE, rule.params.len()));
    each_result(&body, &mut |value| exits.add(value));
    // The values of all `return` statements, except those in closures.
    any_node(&body, |node| {
        if let ASTNode::Stmt(Stmt::Return(value, flags, _)) = node
            && !flags.intersects(ASTFlags::BREAK)
        {
            match value {
                Some(value) => each_result_of(value, &mut |value| exits.add(value)),
                None => exits.add(None),
            }
        }
        false
    });
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
    /// Adds a value; none for `()` and a value that is not known.
    fn add(&mut self, value: Option<&Expr>) {
        self.count += 1;
        if let Some(Expr::Map(map, _)) = value {
            for (key, value) in &map.0 {
                let known = self.keys.entry(key.name.to_string()).or_insert((0, true));
                known.0 += 1;
                known.1 &= value.get_literal_value(None).is_some();
            }
        }
    }
}
